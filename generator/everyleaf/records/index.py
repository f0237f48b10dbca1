"""Reading a file once for its index: what it holds, its facts, its keys to other files.

Two files touch where one names what the other holds: a record, by its uuid or as a parent,
an origin, a kept message; a session; a plan. All of that is compared by hashes, so that a
million records are 8 MB. Files that touch, directly or through others, are a session group:
no path or link of a session needs more than its group. A title may: some files hold
summaries of a thousand sessions. Those are facts of a file, and brought to whom they name.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from everyleaf.digest import digest_int
from everyleaf.grouping import DisjointSets
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION, Envelope, Kind, Marker, MarkerKind, SessionRecords
from everyleaf.records.asides import Asides, EmbeddedMessages
from everyleaf.records.captures import Arrivals, iter_partials
from everyleaf.records.envelope import FileScope, Span, make_envelope, say_anew
from everyleaf.records.folding import Folding, iter_unfolded, names_of
from everyleaf.records.kinds import KNOWN_FIELDS, KNOWN_TYPES
from everyleaf.records.recover import decode_line, span_of
from everyleaf.records.text import as_text
from everyleaf.sources.files import SourceFile
from everyleaf.sources.lines import Line, iter_entries, iter_lines, load_strict
from everyleaf.sources.projects import is_uuid, namesakes

if TYPE_CHECKING:
    from everyleaf.records.load import Redact

MayHold: TypeAlias = "Callable[[bytes], bool]"
"""Whether a line of a file may hold what is masked."""
Tally: TypeAlias = tuple[tuple[str, int], ...]
"""(name, how many), sorted by name."""

_MESSAGES = ("user", "assistant")
_SUMMARY = MarkerKind.SUMMARY
_ANSWERS = frozenset({Kind.REPLY, Kind.RESULT})


class Counts(Struct, frozen=True):
    """What a file holds: `lines` are `blank`, `unreadable`, or have objects."""

    lines: int = 0
    size_bytes: int = 0
    blank: int = 0
    unreadable: int = 0
    recovered: int = 0
    """Damaged lines that gave at least one object."""
    objects: int = 0
    """JSON objects; more than lines where objects were glued together."""
    types: Tally = ()
    """Objects by `type`; `?` where there is none."""
    unknown_fields: Tally = ()
    """`type.field`, for the types that are drawn."""
    redactions: Tally = ()
    """What was masked in its records, by kind."""


class Ending(Struct, frozen=True):
    """What is known at the end of a list of lines, and not told by its records."""

    offset: int
    """Of the first byte behind the last whole line."""
    plans: tuple[str, ...]
    """As the records name them."""
    asides: Asides


class Indexed(Struct, frozen=True):
    """One file, read."""

    records: SessionRecords
    issues: tuple[Issue, ...]
    """In the order of the file."""
    counts: Counts
    asides: tuple[Envelope, ...] = ()
    """Records beside the tree that are shown, in the order of the file."""
    ending: Ending | None = None
    """None where more bytes could change what these lines say: half a line, an array."""


def index_file(  # noqa: PLR0913  (what to read of it, what is known, and how)
    source: SourceFile,
    *,
    source_index: int,
    redact: Redact | None = None,
    may_hold: MayHold | None = None,
    before: Indexed | None = None,
    is_folding: bool = False,
) -> Indexed:
    """Return the envelopes of a file's records and everything that was odd about it.

    What is shown of a record here, its words and titles, is of the record as `redact`
    masked it; what records are compared by is of what stands on disk. All of a record is
    masked only where `may_hold` says that its line may hold a secret: that counts them.

    Reads the file once, line by line (of an array, element by element), as far as it went
    when it was found; of a capture also the pieces of messages that it never tells as a
    whole. A file that cannot be read is an issue and has no records; one that breaks off
    keeps those before. Pure but for the reading, so that it can run in another process.

    With `before`, which has an ending, the file is read on from there: who calls knows that
    the file begins with the bytes that `before` was made of, masked alike.

    With `is_folding`, records of a session's own file that are most likely to change
    nothing are folded, for `unfold` to look through: many of them take little memory.
    """
    reader = _Reader(source, redact, may_hold, before)
    reader.folding.is_on = is_folding and source.agent_id is None
    try:
        for line in reader.iter_lines():
            reader.read(line)
        reader.join_partials()
    except OSError as error:
        message = f"cannot read the file: {error.strerror or type(error).__name__}"
        reader.report(0, IssueCode.UNREADABLE_FILE, message)
        reader.following = None
    return reader.finish(source_index)


class _Reader:
    """What has been read of one file so far."""

    def __init__(
        self,
        source: SourceFile,
        redact: Redact | None,
        may_hold: MayHold | None,
        before: Indexed | None,
    ) -> None:
        """Begin at the start of the file, or behind what was read `before`."""
        self.source, self.redact, self.may_hold = source, redact, may_hold
        # Captures of several folders may have one name, and be of one project.
        name = f"{source.session}/{source.file}" if source.is_capture else source.file
        nothing = SessionRecords(source.session, source.project, source.file, ())
        known = before or Indexed(nothing, (), Counts())
        records, counts = known.records, known.counts
        self.scope = FileScope(name)
        self.arrivals = Arrivals(name) if source.is_capture else None
        """Takes the place of `folding` where the file is a capture."""
        self.folding = Folding(self.scope, [*records.records], [*records.folded])
        self.asides = known.ending.asides if known.ending else Asides(source.file)
        self.told = EmbeddedMessages(self.scope, source.agents)
        self.told.resume(records.told)
        self.markers = [*records.markers]
        self.issues = [*known.issues]
        self.cwds = dict.fromkeys(records.cwds)
        self.plans = dict.fromkeys(known.ending.plans if known.ending else ())
        self.types = Counter(dict(counts.types))
        self.fields = Counter(dict(counts.unknown_fields))
        self.lines, self.blank = counts.lines, counts.blank
        self.unreadable, self.recovered = counts.unreadable, counts.recovered
        self.size_bytes = counts.size_bytes
        self.following = known.ending.offset if known.ending else None
        """Where the next line would begin."""
        self.has_key = records.has_parents and bool(records.records)

    def iter_lines(self) -> Iterator[Line]:
        """Return all lines that have not been read."""
        location, end = self.source.location, self.source.size_bytes
        if self.following is None:
            return iter_entries(location, end=end)
        return iter_lines(location, offset=self.following, before=self.lines, end=end)

    def read(self, line: Line) -> None:
        self.lines += 1
        self.following = line.following
        if line.damage:
            self.unreadable += 1
            self.report(line.number, IssueCode.UNREADABLE_LINE, line.damage)
            return
        self.size_bytes = line.offset + len(line.data)
        raw = load_strict(line.data)
        if raw is not None:
            span = Span(line.number, line.offset, len(line.data), 0, line.data)
            self._take(raw, span, is_alone=True)
            return
        decoded = decode_line(line.data)
        if decoded.damage:
            self._note_damage(line, decoded.damage, len(decoded.objects))
        for piece, found in enumerate(decoded.objects):
            self._take(found.raw, span_of(line, found, piece))

    def join_partials(self) -> None:
        """Take up what a capture told in pieces alone."""
        if self.arrivals is None:
            return
        for raw, span, at in iter_partials(self.source.location, self.arrivals.partials):
            made = make_envelope(raw, span, self.scope)
            if self.redact is not None:
                made = say_anew(made, self.redact(raw, b""))
            if isinstance(made, Envelope):
                self.arrivals.insert(at, made, raw)

    def report(self, line: int, code: IssueCode, message: str) -> None:
        self.issues.append(
            Issue(self.source.file, line, code, message, self.source.session)
        )

    def finish(self, source_index: int) -> Indexed:
        source, folded = self.source, self.folding.finish()
        kept = tuple(self.folding.kept)
        records = SessionRecords(
            session=source.session,
            project=source.project,
            file=source.file,
            records=self.arrivals.linked() if self.arrivals else kept,
            markers=tuple(self.markers),
            told=self.told.found(),
            folded=folded,
            has_parents=bool(folded) or _are_linked(kept, has_key=self.has_key),
            is_capture=source.is_capture,
            cwds=tuple(self.cwds),
            plans=self._plans(),
            agent_id=source.agent_id,
            meta=source.meta,
            source=source_index,
        )
        return Indexed(
            records=records,
            issues=tuple(self.issues),
            counts=self._counts(),
            asides=self.asides.found(),
            ending=None
            if self.following is None or self.arrivals
            else Ending(self.following, tuple(self.plans), self.asides),
        )

    def _plans(self) -> tuple[str, ...]:
        if self.redact is None:
            return tuple(self.plans)
        shown = [self.redact({"slug": plan}, b"") for plan in self.plans]
        return tuple(dict.fromkeys(str(raw["slug"]) for raw in shown))

    def _counts(self) -> Counts:
        types = self.types
        return Counts(
            lines=self.lines,
            size_bytes=self.size_bytes,
            blank=self.blank,
            unreadable=self.unreadable,
            recovered=self.recovered,
            objects=types.total(),
            types=_tally(types),
            unknown_fields=_tally(self.fields),
        )

    def _note_damage(self, line: Line, damage: str, objects: int) -> None:
        if not line.data.strip():
            self.blank += 1
        elif objects:
            self.recovered += 1
            self.report(line.number, IssueCode.RECOVERED_LINE, f"recovered: {damage}")
        else:
            self.unreadable += 1
            self.report(line.number, IssueCode.UNREADABLE_LINE, damage)

    def _take(self, raw: dict[str, object], span: Span, *, is_alone: bool = False) -> None:
        arrivals = self.arrivals
        shown = raw if arrivals is None else arrivals.shown(raw, span)
        made = None if shown is None else make_envelope(shown, span, self.scope)
        self.asides.take(raw, span)
        kind = raw.get("type")
        told = self.told.find(raw) if kind == "progress" else None
        if cwd := as_text(raw.get("cwd")):
            self.cwds[cwd] = None
        if self.redact is not None and (
            told is not None or self._is_masked(made, raw, span)
        ):
            raw = self.redact(raw, span.body if is_alone and arrivals is None else b"")
            made = say_anew(made, raw)
        if told is not None:
            self.told.take(told, raw, span)
        self._note_type(span.line, raw)
        if isinstance(made, Envelope):
            self._add(made, raw, is_alone=is_alone)
        else:
            self.folding.add_other()
            if made is not None:
                self.markers.append(made)
            elif kind in _MESSAGES:
                message = "a record without a uuid and a message; nothing of it is shown"
                self.report(span.line, IssueCode.MISSING_UUID, message)
        if plan := as_text(raw.get("slug")):
            self.plans[plan] = None

    def _is_masked(
        self, made: Envelope | Marker | None, raw: dict[str, object], span: Span
    ) -> bool:
        """Return whether a record is to be masked.

        It is where words of it are kept, of itself, its type or its fields, or where
        something that is masked, and counted, may stand on its line.
        """
        is_said = made.words or made.asked if isinstance(made, Envelope) else made
        known = KNOWN_FIELDS.get(as_text(raw.get("type")) or "?")
        if is_said or known is None or not known.issuperset(raw):
            return True
        return (
            self.arrivals is not None or self.may_hold is None or self.may_hold(span.body)
        )

    def _add(self, envelope: Envelope, raw: dict[str, object], *, is_alone: bool) -> None:
        if self.arrivals is not None:
            self.arrivals.add(envelope, raw)
        else:
            self.folding.add(envelope, raw, is_alone=is_alone)
        self.has_key = self.has_key or "parentUuid" in raw
        if not as_text(raw.get("uuid")) and raw.get("type") in _MESSAGES:
            self.report(envelope.line, IssueCode.MISSING_UUID, "a message without a uuid")

    def _note_type(self, line: int, raw: dict[str, object]) -> None:
        kind = as_text(raw.get("type")) or "?"
        if kind not in KNOWN_TYPES and kind not in self.types:
            message = "no type" if kind == "?" else f"unknown type {kind[:40]!r}"
            self.report(line, IssueCode.UNKNOWN_TYPE, message)
        self.types[kind] += 1
        known = KNOWN_FIELDS.get(kind)
        if known is not None and not known.issuperset(raw):
            self.fields.update(f"{kind}.{name[:40]}" for name in raw if name not in known)


def _tally(counted: Mapping[str, int]) -> Tally:
    return tuple(sorted(counted.items()))


def _are_linked(records: Sequence[Envelope], *, has_key: bool) -> bool:
    """Return whether records name a parent, or may well have none.

    `has_key`: one of them has the key for it. Prompts alone may all be beginnings. An
    answer never is one: if one is here and no parent is named, all were left out.
    """
    if not records or any(record.parent_uuid for record in records):
        return True
    return has_key and not any(record.kind in _ANSWERS for record in records)


_PART_BYTES = 16_000_000
"""Of keys that are compared at once: as a table they take ten times as much."""
_HASHES = 1 << 64


class FileFacts(Struct, frozen=True):
    """What the process that drives a build knows of a file."""

    session: str
    project: str
    """Name of the project folder as on disk."""
    cwds: tuple[str, ...]
    """Working folders that its records name, in order of first appearance."""
    ended: tuple[bool, str]
    """(whether that is the main conversation's, timestamp) of its last message; the
    timestamp is empty where there is none."""
    counts: Counts
    issues: tuple[Issue, ...]
    """In the order of the file."""
    keys: bytes
    """Hashes, 8 bytes each and in order, of all that the file touches other files by."""
    summaries: tuple[SessionRecords, ...] = ()
    """Titles for the paths that hold what they name, wherever that is: each as a file."""


def facts_of(indexed: Indexed) -> FileFacts:
    """Return the facts of a file that was read. Linear in its records."""
    records = indexed.records
    said = (
        (not record.is_sidechain, record.timestamp)
        for record in records.records
        if record.kind in CONVERSATION and record.timestamp
    )
    where = (records.session, records.project, records.file)
    return FileFacts(
        session=records.session,
        project=records.project,
        cwds=records.cwds,
        ended=max(said, default=(False, "")),
        counts=indexed.counts,
        issues=indexed.issues,
        keys=array("Q", sorted({*map(key_of, _iter_names(records))})).tobytes(),
        summaries=tuple(
            SessionRecords(*where, (), (marker,))
            for marker in records.markers
            if marker.kind is _SUMMARY and marker.leaf_uuid
        ),
    )


def group_files(facts: Mapping[int, FileFacts]) -> list[list[int]]:
    """Return the files of each session group, by number; the largest group first.

    Near-linear in the number of keys, of which only a part is in a table at one time: 27
    million take 300 MB. Files, and groups of one size, stay in the order of `facts`.
    """
    order = list(facts)
    together = DisjointSets[int]()
    names = [namesakes(facts[number].session) for number in order]
    firsts = {name: place for place, (name, _) in enumerate(names)}
    several = {name for name, times in Counter(names).items() if times > 1}
    for place, name in enumerate(names):  # A second session may be called as another is.
        together.union(firsts.get(name[1], place), place)
    parts = 1 + sum(len(one.keys) for one in facts.values()) // _PART_BYTES
    for part in range(parts):
        first, last = (_HASHES * at // parts for at in (part, part + 1))
        holder: dict[int, int] = {}
        for place, number in enumerate(order):
            keys = memoryview(facts[number].keys).cast("Q")
            if parts > 1:  # They are in order.
                keys = keys[bisect_left(keys, first) : bisect_left(keys, last)]
            held = keys.tolist()
            if names[place] in several and not is_uuid(facts[number].session):
                # Which session of its name sums others up, only their group can tell.
                held += [
                    key_of(s.markers[0].leaf_uuid or "") for s in facts[number].summaries
                ]
            for other in {*map(holder.setdefault, held, repeat(place))} - {place}:
                together.union(other, place)
    groups = [
        [order[place] for place in places]
        for places in together.groups(range(len(order))).values()
    ]
    return sorted(
        groups, key=lambda group: -sum(facts[one].counts.size_bytes for one in group)
    )


def _iter_names(file: SessionRecords) -> Iterator[str]:
    """Yield the names of all that a file holds, and of all that it refers to."""
    yield f"session {file.session.casefold()}"
    if file.agent_id is None:
        yield from (f"plan {plan}" for plan in file.plans)
    unfolded = chain.from_iterable(map(iter_unfolded, file.folded))
    for record in chain(file.records, file.told, unfolded):
        yield record.uuid
        yield from names_of(record)
    onward = (one for one in file.markers if one.kind is MarkerKind.CONTINUED_IN)
    yield from (f"session {marker.text.casefold()}" for marker in onward)


def key_of(name: str) -> int:
    """Return the hash by which a name is compared: of a record, by its uuid."""
    return digest_int(name.encode("utf-8", "surrogatepass"))
