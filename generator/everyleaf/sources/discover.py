"""Every session and agent file that the inputs hold, and those that a person names."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace

from everyleaf.errors import SourceError
from everyleaf.grouping import grouped
from everyleaf.sources.files import EARLIER, Found, Role, SourceFile, SourceMemory
from everyleaf.sources.gathering import IGNORE_FILE, Gathering
from everyleaf.sources.projects import is_folder_of, slug
from everyleaf.sources.walk import gather_file, gather_folder
from everyleaf.storage import SCHEMES, address_of, plain
from everyleaf.store import MARKER

LISTED = 6
"""Candidates that an error names."""

_ADDRESS = re.compile(r"(?:^|/)(?:[A-Za-z][A-Za-z0-9+.-]+:/|[\w.-]+@[\w.-]+:)")
"""`https://…` as a path has one slash; a drive has one letter."""
PACKED_SUFFIXES = (
    ".zip", ".tar", ".tgz", ".tbz", ".txz", ".tzst",
    ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst",
)  # fmt: skip
"""How a zip or a tar is called."""
_PACKED = frozenset({".gz", ".bz2", ".xz", ".zst", ".7z", ".rar"})
"""Those of zip and tar are read."""


def default_inputs() -> Path:
    """Return the settings folder of the CLI: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    configured = os.environ.get("CLAUDE_CONFIG_DIR", "")
    return Path(configured) if configured else Path.home() / ".claude"


def find_project_dir(folder: Path) -> Path | None:
    """Return where the CLI keeps the sessions that ran in `folder`; None: it keeps none."""
    projects_dir = default_inputs() / "projects"
    if not projects_dir.is_dir():
        return None
    wanted = slug(str(folder.resolve()))
    names = sorted(each.name for each in projects_dir.iterdir() if each.is_dir())
    # A long name is cut, and ends in a hash that versions make differently.
    fitting = [name for name in names if is_folder_of(wanted, name)]
    return projects_dir / fitting[0] if fitting else None


def find_settings_dir(location: Path) -> Path | None:
    """Return the folder of the CLI in whose `projects` a file lies; None: in none."""
    return next((one.parent for one in location.parents if one.name == "projects"), None)


def find_sources(
    inputs: Sequence[Path],
    *,
    include_archive: bool = False,
    session: str = "",
    memory: SourceMemory | None = None,
    is_read_elsewhere: bool = False,
) -> Found:
    """Return the session and agent files of all `inputs`, each physical file once.

    An input is a `.claude` or `projects` folder, a project folder, any folder above such
    folders or above `.jsonl` files, the address of such a folder, a store of `everyleaf
    keep`, a zip or tar, one file, or `-`. Links are followed as `gather_folder` says.
    Nothing is written to it, and of each file only the first lines are read; what is packed
    or far is copied to the cache. With `session`, files are left out that by their place
    belong to sessions whose ids do not begin so. A `memory` of earlier finds spares reading
    what has not changed, and learns what is there now. Where files `is_read_elsewhere`, by
    workers, what is far is not copied whole.

    Raises:
        SourceError: inputs are missing, or hold no session file (all of them are named).
    """
    inputs = list(map(plain, inputs))
    memory = memory or SourceMemory()
    _refuse_others(inputs)
    missing = [
        each
        for each in inputs
        if not each.exists() and str(each) != "-" and not address_of(each)
    ]
    if missing:
        raise SourceError(
            f"no such file or folder: {_names(missing)}",
            hint="give a .claude folder, a project folder or a session file",
        )
    finds = [
        gather_folder(
            location, include_archive=include_archive, memory=memory, session=session
        )
        if location.is_dir()
        else gather_file(location, include_archive=include_archive)
        for location in (_unpacked(each, is_whole=not is_read_elsewhere) for each in inputs)
    ]
    if not session:
        _check_found(inputs, finds)
    ignored = {session for found in finds for session in found.ignored}
    links = {location for found in finds for location in found.links}
    every = (file for found in finds for file in found.files)
    files = [file for file in every if (file.project, file.session) not in ignored]
    return Found(
        files=_with_agents(_once(files, links, memory)),
        foreign=tuple(sorted(name for found in finds for name in found.foreign)),
        issues=tuple(sorted({issue for found in finds for issue in found.issues})),
        ignored=frozenset(session for _, session in ignored)
        - {file.session for file in files},
    )


def _unpacked(location: Path, *, is_whole: bool) -> Path:
    """Return `location`; of something packed, where its content is."""
    if not location.exists() and (address := address_of(location)):
        from everyleaf.sources.far import fetch_source  # noqa: PLC0415  (see below)

        return fetch_source(address, is_whole=is_whole)
    # Imported here: few inputs are packed, and unpacking takes a dozen modules.
    if (location / MARKER).is_file():
        from everyleaf.sources.unpacked import unpack_store  # noqa: PLC0415  (see above)

        return unpack_store(location)
    if str(location) == "-":
        from everyleaf.sources.packed import unpack_input  # noqa: PLC0415  (see above)

        return unpack_input()
    if location.name.lower().endswith(PACKED_SUFFIXES) and location.is_file():
        from everyleaf.sources.packed import unpack_archive  # noqa: PLC0415  (see above)

        return unpack_archive(location)
    return location


def _refuse_others(inputs: Iterable[Path]) -> None:
    """Check that no input is something that people take for one."""
    for location in inputs:
        name = str(location)
        is_other = _ADDRESS.search(name) and not address_of(location)
        if is_other and not location.exists():
            raise SourceError(
                f"{name!r} is an address, and nothing is fetched from one like it",
                hint=f"{', '.join(f'{one}://' for one in SCHEMES)} are; or download it, or"
                " clone it, and name the folder or the file",
            )
        is_read = location.name.lower().endswith(PACKED_SUFFIXES)
        if location.suffix.lower() in _PACKED and not is_read and location.is_file():
            raise SourceError(
                f"{name!r} is packed in a way that is not read",
                hint="zip and tar are; or unpack it, and name the folder or the file",
            )


def _check_found(inputs: Sequence[Path], finds: Sequence[Gathering]) -> None:
    """Check that each input holds something."""
    empty = [
        location
        for location, found in zip(inputs, finds, strict=True)
        if not found.files and not found.issues and not found.ignored
    ]
    if empty or not inputs:
        is_here = any(location.resolve() == Path.cwd() for location in empty)
        raise SourceError(
            f"no session files found in {_names(empty)}",
            hint="Claude Code keeps no sessions of this folder; without a source, those of"
            " all projects are read"
            if is_here
            else "session files are .jsonl files, usually below ~/.claude/projects",
        )
    if not any(found.files or found.issues for found in finds):
        raise SourceError(
            f"everything in {_names(inputs)} is left out",
            hint=f"look into the {IGNORE_FILE} files in it and above it",
        )


def _names(locations: Iterable[Path]) -> str:
    names = (address_of(location) or str(location) for location in locations)
    return ", ".join(map(repr, names)) or "no input"


def _once(
    files: Sequence[SourceFile], links: Container[str], memory: SourceMemory
) -> tuple[SourceFile, ...]:
    """Return the files sorted, each physical one once: by its own name, not by a link's."""
    names = [file.place for file in files]
    ordered = sorted(
        range(len(files)),
        key=lambda at: (names[at] in links, files[at].project, files[at].file, names[at]),
    )
    kept: dict[str, SourceFile] = {}
    for at in ordered:
        folder, _, name = names[at].rpartition(os.sep)
        real = (
            os.path.realpath(names[at])
            if names[at] in links
            else f"{memory.real_folder(folder or os.sep)}{os.sep}{name}"
        )
        kept.setdefault(real, files[at])
    # They are in order, but for links.
    return tuple(sorted(kept.values(), key=lambda file: (file.project, file.file)))


def _with_agents(files: tuple[SourceFile, ...]) -> tuple[SourceFile, ...]:
    """Return `files`, each with the agents of its session that have a file."""
    found = grouped((f.session, f.agent_id) for f in files if f.agent_id is not None)
    agents = {session: frozenset(names) for session, names in found.items()}
    return tuple(
        replace(file, agents=agents[file.session]) if file.session in agents else file
        for file in files
    )


def named_file(name: str) -> Path | None:
    """Return the session file that `name` is; None where it is an id.

    Any file with a suffix or a folder in its name will do: recordings and exports, too.
    """
    file = Path(name)
    is_name = bool(file.suffix) or file.name != name
    return file if is_name and file.is_file() else None


def find_named(
    name: str, sources: Sequence[Path], *, is_alone: bool = False
) -> tuple[Found, list[SourceFile]]:
    """Return what `sources` hold, and the session files in it that `name` means.

    `name` is an id, the beginning of one, or a session's file; that file is all that is
    looked at where there are no `sources`. Without either, where `everyleaf build` looks.
    With `is_alone`, most files of other sessions are passed over.

    Raises:
        SourceError: the input cannot be read, or holds no session.
    """
    file = named_file(name)
    if file is None:
        found = find_sources(
            sources or [default_inputs()],
            include_archive=True,
            session=name if is_alone else "",
        )
        return found, fitting_files(found, name)
    found = find_sources([*sources, file], include_archive=True)
    return found, [
        one
        for one in found.files
        if one.role is Role.SESSION and one.location.samefile(file)
    ]


def fitting_files(found: Found, wanted: str) -> list[SourceFile]:
    """Return the session files whose id begins with `wanted`; those that are it, if any.

    What a session was before it was rewritten is only meant by more than its id.
    """
    mains = [file for file in found.files if file.role is Role.SESSION]
    exact = [file for file in mains if file.session == wanted]
    fitting = [file for file in mains if wanted and file.session.startswith(wanted)]
    last = {file.session for file in fitting if EARLIER not in file.session}
    return exact or [
        file
        for file in fitting
        if EARLIER not in file.session or file.session.split(EARLIER)[0] not in last
    ]


def no_session(
    name: str, *, listing: str = "`everyleaf list` shows them; --source says where to look"
) -> SourceError:
    """Return what to say where nothing fits `name`; `listing` says what shows names."""
    hint = f"say an id, a title or latest: {listing}"
    return SourceError(f"no session fits {name!r}", hint=hint)


def several_fit(
    name: str, candidates: Sequence[str], kind: str = "sessions"
) -> SourceError:
    """Return what to say where several `candidates` of a `kind` fit `name`."""
    said = f"{name!r} fits {len(candidates)} {kind}"
    return SourceError(said, hint=f"say {listed(candidates, ' or ')}")


def listed(candidates: Sequence[str], joint: str = ", ") -> str:
    """Return the first few of `candidates` for an error to name."""
    more = ", …" if len(candidates) > LISTED else ""
    return joint.join(candidates[:LISTED]) + more
