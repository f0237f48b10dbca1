"""Where sessions are, as a person names it: a folder, a file, or `.` for this project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import click
from click.core import Context, Parameter

from everyleaf.cli.output import printable
from everyleaf.transcript.words import counted


class Source(click.Path):
    """The type of a parameter that names files and folders of sessions."""

    def convert(self, value: object, param: Parameter | None, ctx: Context | None) -> Path:
        """Return the place that a person named in the working folder."""
        if not str(value):
            self.fail("it is empty; a dot is this folder", param, ctx)
        return value if isinstance(value, Path) else place_of(str(value), Path())


def place_of(text: str, folder: Path) -> Path:
    """Return the place that `text` names as seen from `folder`.

    `.` is where the CLI keeps the sessions of `folder`; the folder itself if it keeps none.
    A project folder of the CLI, which begins with a dash, is found from anywhere.
    """
    if text == ".":
        from everyleaf.sources.discover import find_project_dir

        return find_project_dir(folder) or folder
    place = folder / Path(text).expanduser()
    return _project_dir(text) if _is_project(text) and not place.exists() else place


def iter_lacking(unpacked: Iterable[tuple[Path, Path]]) -> Iterator[str]:
    """Yield a line for each git repository that lacks some of its checkpoints.

    With each comes the folder that its sessions are unpacked into.
    """
    for repository, folder in unpacked:
        from everyleaf.sources.checkpoints import find_lacking

        lacking = find_lacking(folder)
        if lacking:
            yield (
                f"{printable(str(repository))} lacks {counted(len(lacking), 'transcript')}"
                " of its checkpoints; `git fetch --refetch --no-filter` gets them"
            )


def with_places(arguments: Sequence[str], command: click.Command) -> list[str]:
    """Return `arguments` of `command` with `./` before folders that begin with a dash.

    That is how the CLI names project folders: `-home-ada-parser`.

    Raises:
        UsageError: one looks like such a folder, and is none.
    """
    options = [one for one in command.params if isinstance(one, click.Option)]
    valued = [one for one in options if not (one.is_flag or one.count)]
    taking = {n: one.nargs for one in valued for n in (*one.opts, *one.secondary_opts)}
    alone = {
        name: (one.flag_value, [[each] for each in one.type.choices])
        for one in options
        if isinstance(one.type, click.Choice) and isinstance(one.flag_value, str)
        for name in one.opts
    }
    words = list(arguments)
    for at, word in enumerate(words):
        # Click would take what stands behind it for its value, were it a folder.
        if word in alone and words[at + 1 : at + 2] not in alone[word][1]:
            words[at] = f"{word}={alone[word][0]}"
    return list(_iter_placed(words, taking))


def _iter_placed(arguments: Sequence[str], taking: dict[str, int]) -> Iterator[str]:
    waiting = iter(arguments)
    for word in waiting:
        if word == "--":
            yield from (word, *waiting)
            return
        is_short = len(word) > 2 and word[0] == "-" != word[1]
        yield _placed(word) if is_short and word[:2] not in taking else word
        yield from islice(waiting, taking.get(word, 0))


def _placed(word: str) -> str:
    if Path(word).exists():
        return f"./{word}"
    if _is_project(word):
        return str(_project_dir(word))
    if "-" in word[1:]:
        raise click.UsageError(
            f"no project folder is called {word!r}, here or in"
            f" {str(_project_dir(word).parent)!r}"
        )
    return word


def _is_project(name: str) -> bool:
    return len(name) > 1 and name[0] == "-" and _project_dir(name).is_dir()


def _project_dir(name: str) -> Path:
    from everyleaf.sources.discover import default_inputs

    return default_inputs() / "projects" / name
