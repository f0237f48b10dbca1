"""One file in, the envelopes of its records out: what a worker does for each source."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from everyleaf.issues import Issue, IssueCode
from everyleaf.model import Envelope, Marker, SessionRecords
from everyleaf.records.asides import Asides
from everyleaf.records.envelope import FileScope, Span, has_uuid, make_envelope
from everyleaf.records.folding import Folding
from everyleaf.records.indexed import (
    Counts,
    Ending,
    Indexed,
    are_linked,
    end_of_lines,
    tally,
)
from everyleaf.records.known import KNOWN_FIELDS, KNOWN_TYPES
from everyleaf.records.mending import load_strict
from everyleaf.records.partials import iter_partials
from everyleaf.records.recover import decode_line, span_of
from everyleaf.records.saying import keeps_words, say_anew
from everyleaf.records.stream import Arrivals
from everyleaf.records.text import as_text
from everyleaf.records.told import Told
from everyleaf.sources.lines import iter_entries, iter_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from everyleaf.records.load import Redact
    from everyleaf.sources.files import SourceFile
    from everyleaf.sources.lines import Line

MayHold: TypeAlias = "Callable[[bytes], bool]"
"""Whether a line of a file may hold what is masked."""
MESSAGE_TYPES = ("user", "assistant")


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
    # Captures of several folders may have one name, and be of one project.
    scope = f"{source.session}/{source.file}" if source.is_capture else source.file
    arrivals = Arrivals(scope) if source.is_capture else None
    shared, asides = FileScope(scope), Asides(source.file)
    told = Told(shared, source.agents)
    reader = _Reader(source, shared, asides, redact, may_hold, arrivals, told)
    if is_folding and arrivals is None and source.agent_id is None:
        reader.folding = Folding(shared, reader.records)
    try:
        for line in reader.lines_of(before):
            reader.read(line)
        reader.join_partials()
    except OSError as error:
        message = f"cannot read the file: {error.strerror or type(error).__name__}"
        reader.report(0, IssueCode.UNREADABLE_FILE, message)
    return reader.finish(source_index)


class _Reader(Struct):
    """What has been read of one file so far."""

    source: SourceFile
    scope: FileScope
    asides: Asides
    redact: Redact | None
    may_hold: MayHold | None
    arrivals: Arrivals | None
    """Takes the place of `records` where the file is a capture."""
    told: Told
    records: list[Envelope] = field(default_factory=list[Envelope])
    markers: list[Marker] = field(default_factory=list[Marker])
    issues: list[Issue] = field(default_factory=list[Issue])
    cwds: dict[str, None] = field(default_factory=dict[str, None])
    plans: dict[str, None] = field(default_factory=dict[str, None])
    types: Counter[str] = field(default_factory=Counter[str])
    fields: Counter[str] = field(default_factory=Counter[str])
    lines: int = 0
    blank: int = 0
    unreadable: int = 0
    recovered: int = 0
    size_bytes: int = 0
    has_key: bool = False
    folding: Folding | None = None

    def read(self, line: Line) -> None:
        self.lines += 1
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

    def lines_of(self, before: Indexed | None) -> Iterator[Line]:
        """Return all lines; those behind what was read `before`, which is taken up."""
        location, end = self.source.location, self.source.size_bytes
        if before is None:
            return iter_entries(location, end=end)
        offset, lines = self._take_up(before)
        return iter_lines(location, offset=offset, before=lines, end=end)

    def _take_up(self, before: Indexed) -> tuple[int, int]:
        """Know what was read `before`; return (offset of the rest, lines above it)."""
        known, counts, ending = before.records, before.counts, before.ending
        if ending is None:
            raise ValueError(self.source.file)
        self.asides.resume(ending.asides)
        self.told.resume(known.told)
        self.records.extend(known.records)
        if self.folding is not None:
            self.folding.resume(known.folded)
        self.markers.extend(known.markers)
        self.issues.extend(before.issues)
        self.cwds.update(dict.fromkeys(known.cwds))
        self.plans.update(dict.fromkeys(ending.plans))
        self.types.update(dict(counts.types))
        self.fields.update(dict(counts.unknown_fields))
        self.lines, self.blank = counts.lines, counts.blank
        self.unreadable, self.recovered = counts.unreadable, counts.recovered
        self.size_bytes = counts.size_bytes
        self.has_key = known.has_parents and bool(known.records)
        return ending.offset, counts.lines

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
        source, arrivals = self.source, self.arrivals
        folded = self.folding.finish() if self.folding else ()
        records = SessionRecords(
            session=source.session,
            project=source.project,
            file=source.file,
            records=tuple(self.records) if arrivals is None else arrivals.linked(),
            markers=tuple(self.markers),
            told=self.told.found(),
            folded=folded,
            has_parents=bool(folded) or are_linked(self.records, has_key=self.has_key),
            is_capture=source.is_capture,
            cwds=tuple(self.cwds),
            plans=self._plans(),
            agent_id=source.agent_id,
            agent_tool_use_id=source.meta.tool_use_id,
            agent_type=source.meta.agent_type,
            agent_description=source.meta.description,
            parent_agent_id=source.meta.parent_agent_id,
            source=source_index,
        )
        return Indexed(
            records=records,
            issues=tuple(self.issues),
            counts=self._counts(),
            asides=self.asides.found(),
            ending=self._ending(),
        )

    def _ending(self) -> Ending | None:
        offset = None if self.arrivals else end_of_lines(self.source, self.size_bytes)
        if offset is None:
            return None
        return Ending(offset, tuple(self.plans), self.asides.state())

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
            types=tally(types),
            unknown_types=tally({t: n for t, n in types.items() if t not in KNOWN_TYPES}),
            unknown_fields=tally(self.fields),
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
        shown = raw if self.arrivals is None else self.arrivals.shown(raw, span)
        made = None if shown is None else make_envelope(shown, span, self.scope)
        self.asides.take(raw, span)
        told = self.told.find(raw)
        if cwd := as_text(raw.get("cwd")):
            self.cwds[cwd] = None
        is_shown = told is not None or keeps_words(made, raw)
        if self.redact is not None and (is_shown or self._is_to_count(span.body)):
            raw = self.redact(raw, span.body if is_alone and self.arrivals is None else b"")
            made = say_anew(made, raw)
        if told is not None:
            self.told.take(told, raw, span)
        self._note_type(span.line, raw)
        if isinstance(made, Envelope):
            self._add(made, raw, is_alone=is_alone)
        else:
            self._add_other(made, raw, span)
        if plan := as_text(raw.get("slug")):
            self.plans[plan] = None

    def _is_to_count(self, line: bytes) -> bool:
        """Return whether something that is masked may stand on `line`."""
        return self.arrivals is not None or self.may_hold is None or self.may_hold(line)

    def _add_other(self, marker: Marker | None, raw: dict[str, object], span: Span) -> None:
        if self.folding is not None:
            self.folding.add_other()
        if marker is not None:
            self.markers.append(marker)
        elif raw.get("type") in MESSAGE_TYPES:
            message = "a record without a uuid and a message; nothing of it is shown"
            self.report(span.line, IssueCode.MISSING_UUID, message)

    def _add(self, envelope: Envelope, raw: dict[str, object], *, is_alone: bool) -> None:
        if self.arrivals is not None:
            self.arrivals.add(envelope, raw)
        elif self.folding is not None:
            self.folding.add(envelope, raw, is_alone=is_alone)
        else:
            self.records.append(envelope)
        self.has_key = self.has_key or "parentUuid" in raw
        if not has_uuid(raw) and raw.get("type") in MESSAGE_TYPES:
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
