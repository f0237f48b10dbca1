"""`everyleaf`: the group of commands, and where they end in an exit code."""

from __future__ import annotations

import gc
import os
import sys

import click

from everyleaf import __version__
from everyleaf.cli.agents import agents
from everyleaf.cli.audit import audit
from everyleaf.cli.build import build
from everyleaf.cli.check import check
from everyleaf.cli.completion import COMPLETE_VARIABLE, completion
from everyleaf.cli.diff import diff
from everyleaf.cli.errors import run
from everyleaf.cli.feedback import feedback
from everyleaf.cli.files import files
from everyleaf.cli.find import find
from everyleaf.cli.goto import goto
from everyleaf.cli.group import Commands
from everyleaf.cli.init import init
from everyleaf.cli.list import list_command
from everyleaf.cli.paths import paths
from everyleaf.cli.rename import rename
from everyleaf.cli.restore import restore
from everyleaf.cli.serve import serve
from everyleaf.cli.show import show
from everyleaf.cli.stats import stats
from everyleaf.cli.tree import tree
from everyleaf.cli.verify import verify


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="everyleaf")
def everyleaf() -> None:
    """Publish every conversation path of Claude Code session archives.

    A session is a tree: edited prompts, retries and rewinds leave branches that no tool
    shows. everyleaf finds each root-to-leaf path once, says whether it is ACTIVE or was
    ABANDONED, and writes it as an HTML page and as a Markdown file.
    """


everyleaf.add_command(agents)
everyleaf.add_command(audit)
everyleaf.add_command(build)
everyleaf.add_command(check)
everyleaf.add_command(diff)
everyleaf.add_command(feedback)
everyleaf.add_command(files)
everyleaf.add_command(completion)
everyleaf.add_command(find)
everyleaf.add_command(goto)
everyleaf.add_command(init)
everyleaf.add_command(list_command)
everyleaf.add_command(paths)
everyleaf.add_command(rename)
everyleaf.add_command(restore)
everyleaf.add_command(serve)
everyleaf.add_command(stats)
everyleaf.add_command(show)
everyleaf.add_command(tree)
everyleaf.add_command(verify)


def main() -> None:
    """Run the command line that the process was started with, and exit.

    A shell that wants to complete a line says so in a variable (`everyleaf completion`).
    """
    asked = os.environ.get(COMPLETE_VARIABLE)
    if asked:
        from click.shell_completion import shell_complete  # noqa: PLC0415  (seldom)

        sys.exit(shell_complete(everyleaf, {}, "everyleaf", COMPLETE_VARIABLE, asked))
    code = run(everyleaf, sys.argv[1:])
    # All values go with the process: looking for cycles among them takes 0.1 s.
    gc.freeze()
    sys.exit(code)
