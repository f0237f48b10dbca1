"""`everyleaf completion`: what makes a shell complete a line."""

from __future__ import annotations

import os
import re

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

COMPLETE_VARIABLE = "_EVERYLEAF_COMPLETE"
"""Set by a shell that wants to know how a line may go on."""

EPILOG = """\b
Examples:
  everyleaf completion bash >> ~/.bashrc
  everyleaf completion zsh >> ~/.zshrc
  mkdir -p ~/.config/fish/completions
  everyleaf completion fish > ~/.config/fish/completions/everyleaf.fish

Titles, numbers of paths and names of projects are those that the last `list`, or another
command that read everything, saw.
"""
SCREEN = 78

_BASH = r"""
%(complete_func)s() {
    local IFS=$'\n' line=${COMP_LINE:0:COMP_POINT} type value word
    COMPREPLY=()
    while IFS=, read -r type value; do
        case $type in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(COMP_WORDS=$line %(complete_var)s=bash_complete "$1" 2>/dev/null)
    # What is inserted goes without its description: the only one, or each in turn.
    if ((${#COMPREPLY[@]} == 1 || COMP_TYPE == 37)); then
        COMPREPLY=("${COMPREPLY[@]%%%%$'\t'*}")
    fi
    COMPREPLY=("${COMPREPLY[@]/$'\t'/  }")
    # Bash ends words at colons, and replaces only what stands behind the last one.
    word=${line##*[[:space:]=]}
    if [[ $word == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${word%%"${word##*:}"}"}")
    fi
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""
_FISH = r"""
function %(complete_func)s
    for line in (env %(complete_var)s=fish_complete COMP_WORDS=(commandline -cp | string collect) COMP_CWORD=(commandline -ct | string collect) %(prog_name)s 2>/dev/null)
        set -l parts (string split -m 1 , -- $line)
        switch $parts[1]
            case dir
                __fish_complete_directories $parts[2]
            case file
                __fish_complete_path $parts[2]
            case plain
                printf '%%s\n' $parts[2]
        end
    end
end
complete --keep-order --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""  # noqa: E501  (fish takes one line for a command)
_COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }"


@add_completion_class
class Bash(BashComplete):
    """Completes words that hold colons, and lists candidates with what they are."""

    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the whole words before the cursor, and the one that it stands in."""
        line = os.environ["COMP_WORDS"]
        words = split_arg_string(line)[1:]
        is_begun = bool(words) and not line[-1:].isspace()
        return (words[:-1], words[-1]) if is_begun else (words, "")

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return the line of one candidate."""
        value = re.sub(r"([^\w@%+=:,./~-])", r"\\\1", item.value)
        words = (item.help or "").replace("\n", " ")[: max(SCREEN - len(value), 0)]
        return f"{item.type},{value}\t{words}" if words else f"{item.type},{value}"


@add_completion_class
class Zsh(ZshComplete):
    """Works in a shell that has not been told to complete anything."""

    def source(self) -> str:
        """Return the script; its first line must stay the first one."""
        head, rest = super().source().split("\n", 1)
        return f"{head}\n{_COMPINIT}\n{rest}"


@add_completion_class
class Fish(FishComplete):
    """Keeps the order, and commas in titles."""

    source_template = _FISH


@click.command(epilog=EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print what makes SHELL complete commands, options, sessions, paths and projects."""
    kind = get_completion_class(shell)
    root = context.find_root().command
    if kind is None:  # click knows the three; another version may not.
        raise click.ClickException(f"this version of click cannot complete for {shell}")
    script = kind(root, {}, "everyleaf", COMPLETE_VARIABLE)
    click.echo(script.source())
