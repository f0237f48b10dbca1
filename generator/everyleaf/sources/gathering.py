"""The finds of one walk: each file is judged as it is met, and some are left alone.

`.everyleafignore` says what a person wants to be left alone, written as for git: its lines
hold in its folder and below, a later line wins over an earlier one, and a file further down
over one further up; `!` takes something in again.
"""

from __future__ import annotations

import errno
import os
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import orjson
from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.errors import SourceError, refused
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import AgentMeta
from everyleaf.sources import lines
from everyleaf.sources.files import Role, SourceFile, SourceMemory, Verdict
from everyleaf.sources.projects import slug

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".everyleafignore"
_PREFIX = "agent-"
_INTERNAL = ("agent-acompact-", "agent-aprompt_suggestion-", "agent-aside_question-")
_MOST_META_BYTES = 1 << 20
_NOWHERE = {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}
"""What is said of a link that leads nowhere."""


class Ignoring(Struct, frozen=True):
    """What is left alone in a folder and below."""

    rules: tuple[tuple[Path, GitIgnoreSpec], ...] = ()
    """(Folder of an ignore file, its lines), the outermost first."""

    def within(self, folder: Path) -> Ignoring:
        """Return what holds in `folder` as well, if there is an ignore file in it.

        Raises:
            SourceError: it cannot be read; what it leaves out must not be published.
        """
        spec = _load_spec(folder / IGNORE_FILE)
        return self if spec is None else Ignoring((*self.rules, (folder, spec)))

    def leaves_out(self, location: str | Path) -> bool:
        """Return whether the file at `location`, below every folder here, is left alone."""
        for folder, spec in reversed(self.rules):
            result = spec.check_file(Path(location).relative_to(folder).as_posix())
            if result.include is not None:
                return result.include
        return False


def ignoring_above(folder: Path) -> Ignoring:
    """Return what holds in `folder` because of ignore files in the folders around it.

    Raises:
        SourceError: one of them cannot be read.
    """
    ignoring = Ignoring()
    for around in reversed(folder.parents):
        ignoring = ignoring.within(around)
    return ignoring


def _load_spec(location: Path) -> GitIgnoreSpec | None:
    hint = "it says what is not to be published: make it readable, or delete it"
    with refused(SourceError, f"cannot read {str(location)!r}", hint):
        if not location.is_file():
            return None
        text = location.read_text(encoding="utf-8-sig", errors="surrogateescape")
    from pathspec import GitIgnoreSpec  # noqa: PLC0415  (few have such a file)

    try:
        return GitIgnoreSpec.from_lines(text.splitlines())
    except ValueError as error:
        raise SourceError(
            f"cannot understand {str(location)!r}: {error}",
            hint="its lines are written like those of a .gitignore",
        ) from error


class Place(Struct, frozen=True):
    """A folder, and what its files belong to."""

    folder: Path
    project: str
    """Name of the project folder; empty above project folders."""
    prefix: str = ""
    """Where the folder stands in its project folder: empty, or with a `/` at its end."""
    session: str | None = None
    """Set inside `<session>/subagents`."""
    depth: int = 0
    ignoring: Ignoring = Ignoring()
    names: frozenset[str] | None = None
    """Of all that lies in the folder; None: nobody has looked."""


class Gathering(Struct):
    """What has been met so far; grows during a walk and never outlives it."""

    files: list[SourceFile] = []
    foreign: list[str] = []
    issues: list[Issue] = []
    ignored: set[tuple[str, str]] = set()
    """(project, session) of the session files that a person wants to be left alone."""
    links: set[str] = set()
    """Places of files that are links."""
    memory: SourceMemory = field(default_factory=SourceMemory)

    def add(
        self,
        place: Place,
        location: str,
        *,
        is_named: bool = False,
        is_link: bool | None = None,
    ) -> None:
        """Judge one `.jsonl` file; trouble with it is an issue and costs that file only.

        A file that a person named (`is_named`) is a session unless its content denies it.
        """
        # A Path for each of thousands of files takes longer than looking at them.
        if os.path.islink(location) if is_link is None else is_link:  # noqa: PTH114  (see above)
            self.links.add(location)
        name = location.rpartition(os.sep)[2]
        file = place.prefix + shown_name(name)
        if place.ignoring.leaves_out(location):
            if place.session is None and not name.startswith(_PREFIX):
                self.ignored.add((place.project, _stem(name)))
            return
        try:
            self._judge(place, location, name, file, is_named=is_named)
        except OSError as error:
            self.report(file, f"cannot read the file: {reason(error)}", place.session or "")

    def report(self, file: str, message: str, session: str = "") -> None:
        """Note that a file or folder could not be read."""
        self.issues.append(Issue(file, 0, IssueCode.UNREADABLE_FILE, message, session))

    def _judge(
        self, place: Place, location: str, name: str, file: str, *, is_named: bool
    ) -> None:
        try:
            _, status = self.memory.find(location)
        except OSError as error:
            if error.errno not in _NOWHERE:
                raise
            status = None
        if status is None or not stat.S_ISREG(status.st_mode):
            self.report(file, "not a regular file")
            return
        is_export = not is_named and name.lower().endswith(".json")
        met = SourceFile(
            project=place.project,
            file=file,
            place=location,
            session=place.session or _stem(name),
            role=Role.SESSION,
            size_bytes=status.st_size,
            tool_results_dir="",
        )
        if name.startswith(_PREFIX) and not is_export:
            self.files.append(self._as_agent(met, place, name))
            return
        if place.session is None:
            read = partial(_read_session, location, is_named, is_export)
            verdict = self.memory.judge(location, read)
            if verdict.is_session:
                session = verdict.session or met.session
                known = replace(
                    met,
                    project=slug(verdict.cwd) if verdict.cwd else met.project,
                    session=session,
                    tool_results_dir=_beside(met.place, name, session),
                    is_capture=verdict.is_capture,
                )
                self.files.append(known)
                return
        if not is_export:
            self.foreign.append(file)

    def _as_agent(self, met: SourceFile, place: Place, name: str) -> SourceFile:
        stem = _stem(name)
        if place.session is None:
            verdict = self.memory.judge(
                met.place,
                lambda: Verdict(session=lines.find_owner(lines.Head(met.location)) or ""),
            )
            session = shown_name(verdict.session or stem)
            results_dir = _beside(met.place, name, session)
        else:
            session = place.session
            above, _, _ = str(place.folder).rpartition(f"{os.sep}subagents")
            results_dir = f"{above}{os.sep}tool-results"
        agent = replace(
            met,
            session=session,
            role=Role.INTERNAL_AGENT if stem.startswith(_INTERNAL) else Role.AGENT,
            tool_results_dir=results_dir,
            agent_id=stem.removeprefix(_PREFIX),
        )
        return replace(agent, meta=self._meta(agent, place, name))

    def _meta(self, agent: SourceFile, place: Place, name: str) -> AgentMeta:
        suffix = name[len(_bare(name)) :]
        meta_name, meta_place, meta_file = (
            f"{one.removesuffix(suffix)}.meta.json"
            for one in (name, agent.place, agent.file)
        )
        if place.names is not None and meta_name not in place.names:
            return AgentMeta()
        try:
            known, _ = self.memory.find(meta_place)
            if known.meta is None:
                known = replace(known, meta=_read_meta(meta_place))
                self.memory.now[meta_place] = known
            return known.meta or AgentMeta()
        except FileNotFoundError:
            return AgentMeta()
        except OSError as error:
            said = f"cannot read the file: {reason(error)}"
        except ValueError:
            said = "no JSON object; the agent's facts are missing"
        self.report(meta_file, said, agent.session)
        return AgentMeta()


def _beside(location: str, name: str, session: str) -> str:
    """Return where outputs of `session` lie; what a record calls it may be no name."""
    is_name = session not in {"", ".", ".."} and os.path.basename(session) == session  # noqa: PTH119  (a Path takes longer)
    folder = location.removesuffix(name)
    return f"{folder}{session if is_name else _bare(name)}{os.sep}tool-results"


def _bare(name: str) -> str:
    """Return a name without its suffix, which every file that is looked at has."""
    return name.rpartition(".")[0] or name


def _stem(name: str) -> str:
    return shown_name(_bare(name))


def _read_session(location: str, is_named: bool, is_export: bool) -> Verdict:  # noqa: FBT001  (called as a part)
    """Return whether a file is a session, or an array, and what it says of itself."""
    head = lines.Head(Path(location))
    if not (
        lines.is_array(head) if is_export else lines.is_session(head, is_named=is_named)
    ):
        return Verdict(is_session=False)
    capture = lines.find_capture(head)
    if capture is not None:
        return Verdict(session=capture[0], cwd=capture[1], is_capture=True)
    # An export is called what people call it; its records know their session.
    return Verdict(session=lines.find_owner(head) or "" if lines.is_array(head) else "")


def _read_meta(location: str) -> AgentMeta:
    """Return what `agent-<id>.meta.json` says."""
    with Path(location).open("rb") as handle:
        value: object = orjson.loads(handle.read(_MOST_META_BYTES))
    if not isinstance(value, dict):
        raise orjson.JSONDecodeError("not a JSON object", "", 0)
    raw = cast("dict[str, object]", value)
    return AgentMeta(
        agent_type=lines.text_in(raw, "agentType"),
        description=lines.text_in(raw, "description"),
        tool_use_id=lines.text_in(raw, "toolUseId") or None,
        parent_agent_id=lines.text_in(raw, "parentAgentId") or None,
    )


def shown_name(name: str) -> str:
    """Return a name from disk as text; bytes that are no UTF-8 are replaced."""
    return name if name.isascii() else os.fsencode(name).decode(errors="replace")


def reason(error: OSError) -> str:
    """Return why the system refused, without the place (which may show a person's home)."""
    return error.strerror or type(error).__name__
