"""What the CLI calls sessions and project folders, and names of projects for people.

The folder name on disk shows a person's home and cannot be decoded (`-` stands for every
other character), so a name comes from the records' `cwd` or is made up.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count

from everyleaf.grouping import grouped

UNKNOWN = "unknown-project"
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SLUG_LENGTH = 200
_OTHER = re.compile("[^A-Za-z0-9-]")
_WIDE = re.compile("[\U00010000-\U0010ffff]")
"""Two characters to the CLI, which counts in UTF-16."""
_SEPARATORS = re.compile(r"[/\\]+")
_HOMES = frozenset({"home", "users", "documents and settings"})
_WORKTREES = frozenset({"worktrees", ".worktrees"})


def is_uuid(text: str) -> bool:
    """Return whether `text` is a uuid in its usual form, like most stems."""
    return _UUID.fullmatch(text) is not None


def short_session(session: str) -> str:
    """Return what tells a session where there is little room: of a uuid, its beginning."""
    return session[:8] if is_uuid(session) else session


def namesakes(session: str) -> tuple[str, str]:
    """Return a session's name as all systems see it, and the one it may be a second of.

    >>> namesakes("Notes-2"), namesakes("notes")
    (('notes-2', 'notes'), ('notes', 'notes'))
    """
    name = session.casefold()
    stem, _, number = name.rpartition("-")
    return name, stem if number.isdigit() else name


def project_names(sessions: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the name to show for each project folder, from (folder, cwds) of all sessions.

    The name is the last part of the project's own folder; its parents come in front where
    two projects would get the same name or the same address, then a number. Folders that
    ran in the same place share a name. A home folder is called `home`, never by its owner,
    and of one that is called by a uuid the name says the beginning, last. The order of the
    sessions does not count.

    >>> project_names([("-w-dev-parser", ["/w/dev/parser"]), ("-x", [])])
    {'-w-dev-parser': 'parser', '-x': 'unknown-project'}
    >>> project_names([("-tmp-x", ["/tmp/44ae0fda-76a9-4d53-ab43-33a64837ec2a"])])
    {'-tmp-x': 'tmp-44ae0fda'}
    """
    cwds = grouped(sessions)
    places = {folder: _parts(_own_cwd(folder, cwds[folder])) for folder in sorted(cwds)}
    return _told_apart(places)


def slug(cwd: str) -> str:
    r"""Return the folder name that the CLI makes of a working folder, before any cut.

    >>> slug("/home/a/my_app.v2"), slug("C:\\x")
    ('-home-a-my-app-v2', 'C--x')
    """
    return _OTHER.sub("-", _WIDE.sub("--", unicodedata.normalize("NFC", cwd)))


def address_of(name: str) -> str:
    """Return `name` reduced to `[A-Za-z0-9._-]`, as addresses are."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", name)


def _own_cwd(folder: str, sessions: list[Sequence[str]]) -> str:
    """Return the cwd, or the folder above one, that the project folder is named after.

    Without one that fits, the commonest first cwd; of equals the lowest.
    """
    wanted = slug(folder).casefold()
    fitting: Counter[str] = Counter()
    # Most sessions of a project name the same folders.
    for cwds, times in Counter(tuple(dict.fromkeys(cwds)) for cwds in sessions).items():
        for place in chain.from_iterable(map(_with_parents, cwds)):
            if is_folder_of(slug(place).casefold(), wanted):
                fitting[place] += times
    first = Counter(cwds[0] for cwds in sessions if cwds)
    counted = fitting or first
    return min(counted, key=lambda cwd: (-counted[cwd], cwd), default="")


def is_folder_of(made: str, wanted: str) -> bool:
    """Return whether the CLI calls a folder `wanted` whose whole name is `made`."""
    if len(made) <= _SLUG_LENGTH:
        return made == wanted
    # Longer ones are cut, and end in a hash that the CLI and the SDK make differently.
    return made[:_SLUG_LENGTH] == wanted[:_SLUG_LENGTH]


def _with_parents(cwd: str) -> Iterable[str]:
    yield cwd
    for match in reversed(list(_SEPARATORS.finditer(cwd))):
        if match.start():
            yield cwd[: match.start()]


def _parts(cwd: str) -> tuple[str, ...]:
    """Return the parts of a folder for naming; an owner's home is one part, `home`.

    A worktree is one part with its repository: a name like `1` says nothing.

    >>> _parts("/home/ada/code/cli/.worktrees/1")
    ('home', 'code', 'cli/1')
    """
    parts = _joined_worktree([part for part in _SEPARATORS.split(cwd) if part])
    if parts and re.fullmatch("[A-Za-z]:", parts[0]):
        parts = parts[1:]
    if len(parts) >= 2 and parts[0].casefold() in _HOMES:
        return ("home", *parts[2:])
    if parts[:1] == ["root"]:
        return ("home", *parts[1:])
    return tuple(parts) or (("root",) if cwd else ())


def _joined_worktree(parts: list[str]) -> list[str]:
    at = next((at for at, part in enumerate(parts) if part in _WORKTREES), 0)
    # The CLI keeps its own in `.claude/worktrees`.
    above = parts[: at - 1] if at and parts[at - 1] == ".claude" else parts[:at]
    if not above or at + 1 == len(parts):
        return parts
    return [*above[:-1], "/".join([above[-1], *parts[at + 1 :]])]


def _told_apart(places: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return a name for each folder: as few parts as tell different places apart."""
    known = sorted(filter(None, places.values()))
    depth = {place: 1 + is_uuid(place[-1]) for place in known}
    while clashing := [place for place in _clashing(depth) if depth[place] < len(place)]:
        for place in clashing:
            depth[place] += 1
    names: dict[tuple[str, ...], str] = {}
    taken: set[str] = set()
    for place, parts in depth.items():
        names[place] = _free_name(_name(place, parts), taken)
        taken.add(address_of(names[place]).casefold())
    shown: dict[str, str] = {}
    for folder, place in places.items():
        shown[folder] = names[place] if place else _free_name(UNKNOWN, taken)
        taken.add(address_of(shown[folder]).casefold())
    return shown


def _clashing(depth: Mapping[tuple[str, ...], int]) -> list[tuple[str, ...]]:
    addresses = {
        place: address_of(_name(place, parts)).casefold() for place, parts in depth.items()
    }
    shared = Counter(addresses.values())
    return [place for place, address in addresses.items() if shared[address] > 1]


def _name(place: tuple[str, ...], parts: int) -> str:
    named = sorted(place[-parts:], key=is_uuid)
    return "-".join(part[:8] if is_uuid(part) else part for part in named)


def _free_name(name: str, taken: set[str]) -> str:
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    return next(one for one in names if address_of(one).casefold() not in taken)
