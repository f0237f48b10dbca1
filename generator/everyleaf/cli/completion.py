"""`everyleaf completion`: what makes a shell complete commands, options and session ids."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

COMPLETE_VARIABLE = "_EVERYLEAF_COMPLETE"
"""Set by a shell that wants to know how a line may go on."""

EPILOG = """\b
Examples:
  everyleaf completion bash >> ~/.bashrc
  everyleaf completion zsh >> ~/.zshrc
  everyleaf completion fish > ~/.config/fish/completions/everyleaf.fish
"""


@click.command(epilog=EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what makes SHELL complete commands, options and session ids."""
    kind = get_completion_class(shell)
    root = context.find_root().command
    if kind is None:  # click knows the three; another version may not.
        raise click.ClickException(f"this version of click cannot complete for {shell}")
    script = kind(root, {}, "everyleaf", COMPLETE_VARIABLE)
    click.echo(script.source())
