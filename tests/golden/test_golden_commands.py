"""What each command that prints something prints of the example, and how it ends."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from everyleaf.digest import digest_hex
from golden.archives import ROOT, write_example, write_secrets, write_settings
from golden.manifest import ZONE

if TYPE_CHECKING:
    from golden.conftest import Ask, Hold

    Held = dict[str, str]

FROM = "--source archive --quiet"
SESSIONS = {
    "forked": "66e54b32",
    "copied": "79ed1050",
    "with agents": "2abbdf99",
    "with agents of old": "3fcb7237",
    "with damage and a long output": "fdd16d1e",
    "without a path": "333af826",
}
RECORD = "a2f08ac8"
"""The beginning of the id of a record before the fork of 66e54b32."""
COMMANDS = (
    # Whole archives.
    "list archive --quiet",
    "list archive --quiet --utc",
    "list archive --quiet --json",
    "list archive --quiet --json --no-redact",
    "list archive --quiet --json --warmup",
    "list archive --quiet --json --since 2026-02-19 --until 2026-03-04",
    "list archive --quiet --since 30d --sort tokens --reverse",
    "list archive --quiet --status abandoned --sort paths",
    "list archive --quiet --project ladle --sort title --limit 2",
    "list archive --quiet --model '*opus*' --title harbour",
    "list archive --quiet --title 'no such title'",
    "list nowhere --quiet",
    "paths archive --quiet",
    "paths archive --quiet --no-redact",
    "paths archive --quiet --ids own",
    "paths archive --quiet --ids none --project slackwater",
    "paths archive --quiet --strict-paths",
    "check archive --quiet",
    "check archive --quiet --verbose",
    "check archive --quiet --json",
    "check archive --quiet --strict --ignore string-content",
    "feedback archive --quiet",
    "feedback archive --quiet --no-redact",
    "feedback archive --quiet --json",
    "feedback archive --quiet --json --trivial 'dark mode for this, following the system'",
    "files archive --quiet",
    "files archive --quiet --json",
    "files archive --quiet --match '*.py'",
    "files --quiet --at 79ed1050:4 src/list.ts archive",
    "files --quiet --at 66e54b32:1 no-such-file.py archive",
    "stats archive --quiet",
    "stats archive --quiet --json",
    "stats archive --quiet --by project --since 2026-03-01",
    "stats archive --quiet --by day",
    "stats archive --quiet --by week",
    "stats archive --quiet --by month",
    "stats archive --quiet --by model",
    "stats archive --quiet --svg",
    "stats archive --quiet --by model --svg",
    "audit archive --quiet",
    "audit archive --quiet --config settings.toml",
    "audit secrets --quiet",
    "audit secrets --quiet --json",
    "audit secrets --quiet --public",
    "audit secrets --quiet --public --json",
    "feedback secrets --quiet",
    "list secrets --quiet",
    # What is said somewhere.
    f"find fractions {FROM}",
    f"find fractions {FROM} --utc --limit 2",
    f"find fractions {FROM} --json --limit 0",
    f"find Fractions {FROM} --case",
    f"find the {FROM} --in prompts --json",
    f"find the {FROM} --in replies --project dewpoint --json",
    f"find py {FROM} --in tools --json",
    f"find the {FROM} --in titles",
    f"find --regex '[0-9]+ passed' {FROM}",
    f"find --regex 'a(b' {FROM}",
    f"find 'no such words at all' {FROM}",
    # Sessions.
    *(
        line
        for session in SESSIONS.values()
        for line in (
            f"show {session} {FROM}",
            f"show {session} {FROM} --no-redact",
            f"show {session} {FROM} --format text",
            f"show {session} {FROM} --json",
            f"tree {session} {FROM}",
            f"tree {session} {FROM} --json",
            f"agents {session} {FROM}",
            f"agents {session} {FROM} --json",
        )
    ),
    f"show latest {FROM}",
    f"show no-such-session {FROM}",
    f"show 66e54b32:9 {FROM}",
    f"show 66e54b32:1 {FROM}",
    f"show 66e54b32:1 {FROM} --detail talk",
    f"show 66e54b32:1 {FROM} --detail prompts",
    f"show 66e54b32:1 {FROM} --detail talk --format text",
    f"show 66e54b32:1 {FROM} --detail talk --json",
    f"tree 79ed1050 {FROM} --svg",
    f"tree 79ed1050 {FROM} --mermaid",
    f"tree 79ed1050 {FROM} --dot",
    f"tree {RECORD} {FROM}",
    f"tree {RECORD} {FROM} --around 3",
    f"tree {RECORD} {FROM} --around 3 --utc",
    f"tree {RECORD} {FROM} --around 3 --json",
    # Two attempts.
    f"diff 66e54b32:1 66e54b32:2 {FROM}",
    f"diff 66e54b32:1 66e54b32:2 {FROM} --word",
    f"diff 66e54b32:1 66e54b32:2 {FROM} --json",
    f"diff 66e54b32:1 66e54b32:2 {FROM} --format html",
    f"diff 66e54b32:1 66e54b32:2 {FROM} --files-only",
    f"diff 66e54b32:1 66e54b32:2 {FROM} --files-only --json",
    f"diff 15a7d631 79ed1050 {FROM}",
    f"diff 79ed1050:1 79ed1050:4 {FROM} --no-redact",
    f"diff 66e54b32 66e54b32 {FROM}",
    f"diff 66e54b32 no-such-session {FROM}",
    # What would be changed.
    "rename 66e54b32 'A title' --dry-run --source archive",
    "goto 66e54b32 :1 --dry-run --source archive",
    # A site, and what is said of it.
    "build archive --out site --no-search --jobs 1",
    "build archive --out site --no-search --jobs 1 --quiet",
    "build archive --out other --no-search --jobs 1 --quiet --strict --no-redact",
    "build archive --out public --no-search --jobs 1 --quiet --public --yes",
    "build secrets --out unmasked --format md --jobs 1 --quiet --no-redact",
    "verify site",
    "verify site --json",
    "verify nowhere",
    "audit site --quiet --public",
    "audit unmasked --quiet --json",
    f"find fractions {FROM} --site site --json",
    f"find fractions {FROM} --site https://example.org/talks",
    "completion bash",
    "completion zsh",
    "completion fish",
)
"""In the order in which they are asked; those at the end look at what was built."""
_TIMING = re.compile(r"^[a-z ]+: (?:[\d,]+ in )?\d+\.\d s(?:, [\d,]+/s)?\n", re.MULTILINE)
"""How long a stage of a build took."""


def test_each_command_prints_what_is_held(ask: Ask, hold: Hold) -> None:
    write_example(Path("archive"))
    write_secrets(Path("secrets"))
    write_settings(Path("settings.toml"))

    found: Held = {}
    for command in COMMANDS:
        code, out, errors = ask(*shlex.split(command))
        found[command] = f"exit {code}, stdout {_summed(out)}, stderr {_summed(errors)}"

    assert len(found) == len(COMMANDS)
    hold("commands", found, _again())


def _again() -> str:
    """Return the lines that show what a command prints, with this and the last commit."""
    return (
        f"export TZ={ZONE}\n"
        "uv run --project /tmp/before everyleaf <command> > before.txt\n"
        f"uv run --project {ROOT} everyleaf <command> | diff before.txt -"
    )


def _summed(said: str) -> str:
    """Return the number of lines and a digest of what was `said` anywhere, at any speed."""
    told = _TIMING.sub("", _find_here().sub("", said))
    return f"{len(told.splitlines())} {digest_hex(told.encode())}" if told else "none"


def _find_here() -> re.Pattern[str]:
    """Return what matches the working folder: its name, its address, or what masks it."""
    here = Path.cwd()
    names = [re.escape(here.as_uri()), re.escape(str(here)), rf'~/[^"\n]*/{here.name}']
    return re.compile(rf"(?:{'|'.join(names)})/")
