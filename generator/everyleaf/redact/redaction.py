"""What is masked in an archive, session by session."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.config import Group, Mode
from everyleaf.grouping import grouped
from everyleaf.redact.gather import digest_text
from everyleaf.redact.kinds import best_kind, is_strong
from everyleaf.redact.masking import OPENING, Mask, Masked, SessionRedactor, Spot, open_mask

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from everyleaf.config import OwnRule, RedactOptions
    from everyleaf.redact.gather import Scanned
    from everyleaf.redact.kinds import Finding
    from everyleaf.sources.files import Found, SourceFile

Secret = tuple[str, str]
"""(kind, value)."""
_TOGETHER = 200
"""Files whose names are looked through at a time."""


class Redaction(Struct, frozen=True):
    """What is masked in each session of an archive."""

    masks: Mapping[str, Mask] = field(default_factory=dict[str, Mask])
    """By the session's name in the files; one that is not listed has nothing of its own."""
    common: Mask = field(default_factory=Mask)
    """For what belongs to no session."""
    secrets: tuple[Secret, ...] = ()
    """Every value that no page may hold, of all sessions, sorted."""
    is_on: bool = False

    def mask(self, session: str) -> Mask:
        """Return what is masked in `session`: to be sent to a worker."""
        return self.masks.get(session, self.common)

    def redactor(self, session: str) -> SessionRedactor:
        """Return what masks the records of `session`."""
        return open_mask(self.mask(session))

    def location(self, session: str, place: str) -> str:
        """Return a place on disk, for scripts: secrets masked, home folders not."""
        mask = replace(self.mask(session), has_places=False, users=())
        return open_mask(mask).text(place)

    def text(self, text: str) -> str:
        """Return a text that belongs to no one session, masked."""
        return open_mask(self.common).text(text)

    def masked_files(self, found: Found) -> Found:
        """Return `found` with names masked: sessions, files, what stands beside them.

        Where to read a file from stays. Two sessions whose names become equal get a number.
        """
        if not self.is_on:
            return found
        names: dict[str, str] = {}
        taken: Counter[str] = Counter()
        hidden = self._hidden(found.files)
        for session in dict.fromkeys(file.session for file in found.files):
            if session in hidden:
                name = self.redactor(session).text(session)
                if name != session:
                    taken[name] += 1
                    name = f"{name}-{taken[name]}" if taken[name] > 1 else name
                names[session] = name
        files = tuple(
            self._masked(file, names[file.session]) if file.session in names else file
            for file in found.files
        )
        issues = tuple(replace(issue, file=self.text(issue.file)) for issue in found.issues)
        foreign = tuple(self.text(name) for name in found.foreign)
        return replace(found, files=files, foreign=foreign, issues=issues)

    def renamed(self, found: Found, masked: Found) -> Redaction:
        """Return this redaction by the names that sessions have in `masked`."""
        masks = {
            after.session: self.mask(before.session)
            for before, after in zip(found.files, masked.files, strict=True)
        }
        return replace(self, masks=masks)

    def _hidden(self, files: Sequence[SourceFile]) -> set[str]:
        """Return the sessions in whose names something may be masked: few have any.

        Names are looked through together, for what is masked in any session; but for what
        is masked only where it was found.
        """
        spots = {name: {s.text for s in mask.spots} for name, mask in self.masks.items()}
        hidden = {
            file.session
            for file in files
            if (texts := spots.get(file.session))
            and not texts.isdisjoint(map(digest_text, told_of(file)))
        }
        for start in range(0, len(files), _TOGETHER):
            some = files[start : start + _TOGETHER]
            # What ends with a name ends with a folder, too, and nothing goes across lines.
            told = "".join(f"{one.rstrip()}/\n" for file in some for one in told_of(file))
            if self.text(told) != told:
                hidden.update(file.session for file in some)
        return hidden

    def _masked(self, file: SourceFile, session: str) -> SourceFile:
        meta, told = file.meta, told_of(file)[1:]
        shown = tuple(map(self.redactor(file.session).text, told))
        if session == file.session and shown == told:
            return file  # As nearly all are.
        name, agent_id, agent_type, description = shown
        return replace(
            file,
            session=session,
            file=name,
            agent_id=None if file.agent_id is None else agent_id,
            meta=replace(meta, agent_type=agent_type, description=description),
        )


def told_of(file: SourceFile) -> tuple[str, ...]:
    """Return the names that a site shows of a file, its session's first."""
    meta = file.meta
    return file.session, file.file, file.agent_id or "", meta.agent_type, meta.description


def plan_redaction(
    scanned: Mapping[str, Sequence[Scanned]], options: RedactOptions
) -> Redaction:
    """Return what is masked, from what was found in the sources of each session.

    Sources stand in their order: the session's own file first. Placeholders are numbered
    in the order in which values were found, kind by kind, session by session.
    """
    rules = own_rules(options)
    told_kinds = {"email", *(rule.kind for rule in rules)}
    found: dict[str, tuple[dict[Secret, Masked], list[Spot]]] = {}
    secrets: set[Secret] = set()
    for session, sources in scanned.items():
        by_value = grouped(
            (finding.value, finding)
            for source in sources
            for finding in source.findings
            if is_wanted(finding, options)
        )
        found[session] = _number(by_value, told_kinds)
        secrets.update(found[session][0])
    kinds = {value: kind for kind, value in sorted(secrets)}
    everywhere = tuple(Masked(v, f"{OPENING}{kind}]") for v, kind in kinds.items())
    masks: dict[str, Mask] = {}
    common = Mask(
        values=tuple(_own_words(rules)),
        others=everywhere,
        has_places=options.mode(Group.PLACES) is Mode.ON,
        images=options.images,
    )
    # Most sessions have one in common; `others` are many, and not to be compared.
    same: dict[tuple[object, ...], Mask] = {}
    for session, (own, spots) in found.items():
        values = (*common.values, *own.values())
        users = tuple(sorted({u for source in scanned[session] for u in source.users}))
        told = (values, tuple(spots), users)
        if told not in same:
            same[told] = replace(common, values=values, spots=told[1], users=users)
        masks[session] = same[told]
    users = tuple(sorted({u for mask in masks.values() for u in mask.users}))
    common = replace(common, users=users)
    listed = secrets | {(rule.kind, rule.word) for rule in rules if rule.word}
    return Redaction(masks, common, tuple(sorted(listed)), is_on=options.is_on)


def own_rules(options: RedactOptions) -> list[OwnRule]:
    """Return what of their own a person wants masked."""
    return [rule for rule in options.own if options.mode(rule.group) is not Mode.OFF]


def _own_words(rules: Sequence[OwnRule]) -> Iterator[Masked]:
    """Yield a person's own words with their placeholders, numbered as they stand."""
    counts: Counter[str] = Counter()
    for rule in rules:
        if rule.word:
            counts[rule.kind] += 1
            yield Masked(rule.word, f"{OPENING}{rule.kind} {counts[rule.kind]}]")


def is_wanted(finding: Finding, options: RedactOptions) -> bool:
    """Return whether a finding is of a class that `options` mask, and not allowed."""
    if any(fnmatchcase(finding.value, allowed.value) for allowed in options.allow):
        return False
    if finding.kind in {rule.kind for rule in own_rules(options)}:
        return True
    group = Group.PEOPLE if finding.kind in {"email", "host"} else Group.SECRETS
    return options.mode(group) is Mode.ON


def _number(
    by_value: Mapping[str, Sequence[Finding]], told: Container[str]
) -> tuple[dict[Secret, Masked], list[Spot]]:
    """Return what is masked wherever it occurs, and where the weak values were found.

    Of a kind that was `told`, none is weak.
    """
    counts: Counter[str] = Counter()
    own: dict[Secret, Masked] = {}
    spots: list[Spot] = []
    for value, findings in by_value.items():
        kinds = {finding.kind for finding in findings}
        kind = best_kind(kinds)
        counts[kind] += 1
        shown = f"{OPENING}{kind} {counts[kind]}]"
        is_everywhere = any(one in told or is_strong(one, value) for one in kinds)
        if is_everywhere:
            own[kind, value] = Masked(value, shown)
        # A value that is split up, or hidden in an encoding, is not found by itself.
        spots += [
            Spot(f.text, f.start, f.end, shown, f.seen or value)
            for f in findings
            if f.text and (f.seen or not is_everywhere)
        ]
    return own, list(dict.fromkeys(spots))
