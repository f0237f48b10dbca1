"""What a shell may complete: sessions, paths and projects, without reading any session.

Ids are names of files; titles, numbers and projects are those that the last command noted
which read everything (`state/catalog.py`), masked as that command printed them.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

    from everyleaf.state.catalog import Listed

    Item = CompletionItem[str]

MOST = 200
"""Sessions that a shell is offered."""


def complete_session(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[Item]:
    """Return the sessions whose id begins with `incomplete`, or else whose title holds it.

    Newest first, with their titles; behind a colon, the numbers of a session's paths. Files
    are the shell's own. Looks in `--source` or where `everyleaf build` looks.
    """
    places = _places(context)
    known = _load_catalog(places)
    ids = _newest_first(places, known)
    session, colon, number = incomplete.rpartition(":")
    if colon:
        fitting = [one for one in ids if one.startswith(session)]
        return list(_paths(fitting, known, session, number))
    found = [one for one in ids if one.startswith(incomplete)] or [
        one for one in ids if one in known and _holds(known[one].title, incomplete)
    ]
    titles = {one: known[one].title if one in known else "" for one in found[:MOST]}
    return [_item(one, title) for one, title in titles.items()]


def complete_project(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[Item]:
    """Return the names of projects that begin with `incomplete`, newest first."""
    known = _load_catalog(_places(context))
    listed = sorted(known.values(), key=lambda one: one.ended, reverse=True)
    wanted = incomplete.casefold()
    names = dict.fromkeys(one.project for one in listed)
    return [_item(name) for name in names if name.casefold().startswith(wanted)]


def _places(context: click.Context) -> list[Path]:
    from everyleaf.sources.discover import default_inputs  # noqa: PLC0415  (slow to import)

    # Behind an option that is not whole yet, click leaves what it read where it was.
    read = [word for word in context.args if Path(word).expanduser().is_dir()]
    named = context.params.get("sources") or read or [default_inputs()]
    # A shell hands on what was typed, without its own expansions.
    return [Path(place).expanduser() for place in named]


def _load_catalog(places: list[Path]) -> dict[str, Listed]:
    from everyleaf.cli.options import masking  # noqa: PLC0415  (it imports this module)
    from everyleaf.errors import EveryleafError  # noqa: PLC0415  (slow to import)
    from everyleaf.state.catalog import load_catalog  # noqa: PLC0415  (slow, too)

    try:
        return load_catalog(places, masking(is_raw=False))
    except EveryleafError:
        return {}  # Settings that make no sense: whoever runs a command hears of it.


def _newest_first(places: list[Path], known: dict[str, Listed]) -> list[str]:
    ended: dict[str, str] = {}
    for place in places:
        for pattern in ("*.jsonl", "*/*.jsonl", "projects/*/*.jsonl"):
            for file in place.glob(pattern):
                name = file.stem
                if not name.startswith("agent-") and name not in ended:
                    ended[name] = known[name].ended if name in known else _changed(file)
    return sorted(sorted(ended), key=ended.__getitem__, reverse=True)


def _changed(file: Path) -> str:
    with contextlib.suppress(OSError):
        return datetime.fromtimestamp(file.stat().st_mtime, UTC).isoformat()
    return ""


def _paths(
    fitting: list[str], known: dict[str, Listed], session: str, number: str
) -> Iterator[Item]:
    if len(fitting) == 1 and fitting[0] in known:
        for path in known[fitting[0]].paths:
            if str(path.number).startswith(number):
                yield _item(f"{session}:{path.number}", path.words)


def _holds(title: str, words: str) -> bool:
    return words.casefold() in title.casefold()


def _item(value: str, words: str = "") -> Item:
    from everyleaf.cli.columns import cut  # noqa: PLC0415  (most lines need no title)

    return CompletionItem(value, help=cut(words, 60) or None)
