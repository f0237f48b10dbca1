"""From a folder down to the project folders and their files, in all known layouts.

    .claude/projects/<project>/<session>.jsonl
    .claude/projects/<project>/agent-<id>.jsonl                        2.0.x
    .claude/projects/<project>/<session>/subagents/agent-<id>.jsonl    2.1.x
    .claude/projects/<project>/<session>/subagents/workflows/<run>/agent-<id>.jsonl
    .claude/projects/<project>/_archive/…                              made by people

Any folder of `.jsonl` files outside a `projects` folder counts as a project folder itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.sources import gathering
from everyleaf.sources.files import SourceMemory
from everyleaf.sources.gathering import Gathering, Place, ignoring_above, shown_name
from everyleaf.sources.projects import is_uuid

DEEPEST = 12
_CONFIG_SIGNS = frozenset({"history.jsonl", "settings.json", "todos", "shell-snapshots"})
"""One of these beside `projects` shows a settings folder of the CLI."""
_SUFFIXES = (".jsonl", ".ndjson", ".json")
"""Of these, `.json` files count only if they are arrays of records."""
_SKIPPED = frozenset({"memory", "tool-results", "node_modules", "file-history"})


def gather_folder(
    root: Path, *, include_archive: bool, memory: SourceMemory, session: str = ""
) -> Gathering:
    """Return every session and agent file below `root`, links included.

    What `memory` knows of a file is not read again. With `session`, those are left out
    unread that by their place belong to sessions whose ids do not begin so.

    A link to a file is read wherever it leads; a link to a folder is followed only if it
    stays below `root` (or is the `projects` folder itself), after all real folders, and no
    folder is visited twice, so loops end. Deeper than 12 levels is not searched.
    """
    root = _absolute(root)
    walk = _Walk(root.resolve(), Gathering(memory=memory), include_archive, session)
    walk.run(_start(root))
    return walk.found


def gather_file(location: Path, *, include_archive: bool) -> Gathering:
    """Return the one file that a person named; of a session, with its agents."""
    location = _absolute(location)
    ignoring = ignoring_above(location)
    above = [parent.name for parent in location.parents]
    found = Gathering()
    if "subagents" in above:
        session_dir = location.parents[above.index("subagents") + 1]
        prefix = location.parent.relative_to(session_dir.parent).as_posix() + "/"
        session, project = shown_name(session_dir.name), shown_name(session_dir.parent.name)
        place = Place(location.parent, project, prefix, session, ignoring=ignoring)
        found.add(place, str(location))
        return found
    place = Place(location.parent, shown_name(location.parent.name), ignoring=ignoring)
    found.add(place, str(location), is_named=True)
    if found.files and found.files[0].agent_id is None:
        walk = _Walk(place.folder.resolve(), found, include_archive)
        walk.run(_side_folder(place, place.folder / location.stem))
        beside = Gathering()
        for agent in sorted(place.folder.glob("agent-*.jsonl")):
            beside.add(place, str(agent))
        session = shown_name(location.stem)
        found.files += [file for file in beside.files if file.session == session]
    return found


def _absolute(location: Path) -> Path:
    # An input such as `.` has no name of its own; links stay as they are.
    return Path(os.path.abspath(location))  # noqa: PTH100  (Path.resolve follows links)


def _start(root: Path) -> Place:
    """Return how a walk begins: a child of a `projects` folder is a project folder."""
    inside = root.resolve()
    is_project = inside.parent.name == "projects"
    project = shown_name(inside.name) if is_project else ""
    return Place(root, project, ignoring=ignoring_above(root))


def _side_folder(place: Place, folder: Path) -> Place:
    name = shown_name(folder.name)
    return Place(
        folder / "subagents",
        place.project or shown_name(place.folder.name),
        f"{place.prefix}{name}/subagents/",
        session=name,
        depth=place.depth + 1,
        ignoring=place.ignoring,
    )


class _Walk(Struct):
    """A walk with its queues; real folders come first, so that links lose against them."""

    root: Path
    """Without links."""
    found: Gathering
    include_archive: bool
    session: str = ""
    links: list[Place] = []
    seen: set[str] = set()

    def run(self, start: Place) -> None:
        folders = [start]
        while folders or self.links:
            place = folders.pop() if folders else self.links.pop()
            real = self.found.memory.real_folder(str(place.folder))
            if real not in self.seen and place.depth <= DEEPEST:
                self.seen.add(real)
                folders += self._visit(place)

    def _visit(self, place: Place) -> list[Place]:
        """Add the files of one folder and return the real folders to visit next."""
        try:
            with os.scandir(place.folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except FileNotFoundError:
            return []
        except OSError as error:
            name = place.prefix.removesuffix("/") or shown_name(place.folder.name)
            self.found.report(name, f"cannot read the folder: {gathering.reason(error)}")
            return []
        names = frozenset(entry.name for entry in entries)
        if self.session and place.session is None and place.folder.name != "projects":
            entries = self._fitting(entries)
        if gathering.IGNORE_FILE in names:
            place = replace(place, ignoring=place.ignoring.within(place.folder))
        project = place.project or shown_name(place.folder.name)
        here = replace(place, project=project, names=names)
        folders: list[os.DirEntry[str]] = []
        for entry in entries:
            if entry.is_dir():
                folders.append(entry)
            elif (name := entry.name).lower().endswith(_SUFFIXES) and not name.endswith(
                ".meta.json"
            ):
                self.found.add(here, entry.path, is_link=entry.is_symlink())
        return self._follow(place, _searched(place, folders, names), names)

    def _fitting(self, entries: list[os.DirEntry[str]]) -> list[os.DirEntry[str]]:
        """Return what may be the session's; an agent beside sessions is one of theirs.

        Of another project also its first session, which tells what that is called.
        """
        is_here = any(entry.name.startswith(self.session) for entry in entries)
        others = [one for one in entries if is_uuid(one.name.removesuffix(".jsonl"))]
        return [
            entry
            for entry in entries
            if entry.name.startswith(self.session)
            or (entry in others[:1] and not is_here)
            or not (
                is_uuid(entry.name[:36]) or (entry.name[:6] == "agent-" and not is_here)
            )
        ]

    def _follow(
        self, place: Place, folders: Iterable[os.DirEntry[str]], names: frozenset[str]
    ) -> list[Place]:
        following: list[Place] = []
        for entry in folders:
            if entry.name == "_archive" and not self.include_archive:
                continue
            below = replace(_below(place, entry, names), ignoring=place.ignoring)
            if not entry.is_symlink():
                following.append(below)
            elif entry.name == "projects" or Path(
                os.path.realpath(entry.path)
            ).is_relative_to(self.root):
                self.links.append(below)
        return following


def _searched(
    place: Place, folders: list[os.DirEntry[str]], names: frozenset[str]
) -> list[os.DirEntry[str]]:
    """Return the folders worth a visit: no bookkeeping of the CLI, nothing hidden."""
    if not place.project and place.folder.name == "projects":
        return folders
    is_settings = place.folder.name == ".claude" or not _CONFIG_SIGNS.isdisjoint(names)
    if not place.project and is_settings and "projects" in names:
        return [entry for entry in folders if entry.name == "projects"]
    return [
        entry
        for entry in folders
        if entry.name not in _SKIPPED
        and (entry.name == ".claude" or not entry.name.startswith("."))
    ]


def _below(place: Place, entry: os.DirEntry[str], names: frozenset[str]) -> Place:
    """Return what a subfolder is: part of a session or project, or one itself."""
    folder = Path(entry.path)
    name = shown_name(entry.name)
    depth = place.depth + 1
    if place.session is not None:
        return replace(place, folder=folder, prefix=f"{place.prefix}{name}/", depth=depth)
    if place.folder.name == "projects" and not place.project:
        return Place(folder, "" if name == "_archive" else name, depth=depth)
    if is_uuid(name) or f"{entry.name}.jsonl" in names or (folder / "subagents").is_dir():
        return _side_folder(place, folder)
    if place.project or name == "_archive":
        project = place.project or shown_name(place.folder.name)
        return Place(folder, project, f"{place.prefix}{name}/", depth=depth)
    return Place(folder, "", depth=depth)
