"""Finds what is to be masked in all sources of an archive, before anything is drawn."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.config import Group, Mode
from everyleaf.digest import digest_hex
from everyleaf.errors import RedactError
from everyleaf.grouping import grouped
from everyleaf.redact.borrowed import scanner_version
from everyleaf.redact.detect import open_detector
from everyleaf.redact.engine import rules_digest
from everyleaf.redact.masking import Mask
from everyleaf.redact.redaction import Redaction, own_rules, plan_redaction
from everyleaf.redact.sources import (
    RULES,
    LookTask,
    iter_sources,
    look_through,
    recall,
    remember,
)
from everyleaf.workers import Engine, InProcess, Load, iter_done

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.config import RedactOptions
    from everyleaf.redact.gather import Scanned
    from everyleaf.redact.sources import LookSource
    from everyleaf.sources.files import Found
    from everyleaf.workers import OnProgress

_STAGE = "looking for secrets"
SECOND_BYTES = 10_000_000
"""As many bytes are looked through in about a second."""
_KEPT_DAYS = 30
"""As long as the CLI keeps a session, what was found in it is remembered."""


def find_secrets(  # noqa: PLR0913  (what to read, by whom, and what of it is known)
    found: Found,
    options: RedactOptions,
    executor: Executor,
    on_progress: OnProgress,
    *,
    cache_dir: Path,
    contents: Mapping[int, str] | None = None,
) -> Redaction:
    """Return what is to be masked in the sessions of `found`.

    Only what is new since the last time is looked through; what was found in the rest is
    remembered in `cache_dir`, by content. Reads every source once, but for those of which
    `contents` has the digest of the bytes and nothing is new.

    Raises:
        RedactError: the rules are not there, or one cannot be used: nothing may be
            published.
    """
    if not options.is_on:
        return Redaction(common=Mask(images=options.images))
    sources = list(iter_sources(found, contents or {}))
    scanned = _look_through(sources, options, executor, on_progress, cache_dir)
    sessions = (source.session for source in sources)
    return plan_redaction(grouped(zip(sessions, scanned, strict=True)), options)


def scan_sources(
    found: Found,
    options: RedactOptions,
    executor: Executor,
    on_progress: OnProgress,
    *,
    cache_dir: Path,
) -> list[tuple[Path, Scanned]]:
    """Return what each file of `found`, spilled outputs included, holds.

    Raises:
        RedactError: as `find_secrets` does.
    """
    sources = list(iter_sources(found, {}))
    scanned = _look_through(sources, options, executor, on_progress, cache_dir)
    return list(zip((source.location for source in sources), scanned, strict=True))


def default_memory(cache_dir: Path) -> Path | None:
    """Return where findings are remembered."""
    return cache_dir / "found"


def open_task(options: RedactOptions, cache_dir: Path) -> LookTask:
    """Return what a look for what `options` mask takes.

    Raises:
        RedactError: the rules are not there, or one cannot be used.
    """
    own = tuple(rule for rule in own_rules(options) if rule.pattern)
    has_secrets = options.mode(Group.SECRETS) is Mode.ON
    is_people = options.mode(Group.PEOPLE) is Mode.ON
    keep_emails = options.keep_emails if is_people else None
    borrowed = scanner_version() if has_secrets else ""
    named = repr((rules_digest(), borrowed, own, has_secrets, keep_emails))
    rules_dir = cache_dir / RULES
    task = LookTask(
        memory_dir=default_memory(cache_dir),
        rules_dir=rules_dir,
        version=digest_hex(named.encode(errors="replace")),
        own=own,
        has_secrets=has_secrets,
        keep_emails=keep_emails,
    )
    if own:
        open_detector(rules_dir, own, is_own_only=True)  # What is wrong is said once, now.
    return task


def _look_through(
    sources: Sequence[LookSource],
    options: RedactOptions,
    executor: Executor,
    on_progress: OnProgress,
    cache_dir: Path,
) -> list[Scanned]:
    task = open_task(options, cache_dir)
    memo = task.memo()
    ready = recall(task, sources, memo)
    missing = [place for place, one in enumerate(ready) if one is None]
    is_far = isinstance(executor, Engine)
    # Findings are secrets: what remembers them is on this machine, and nowhere else.
    there = replace(task, memory_dir=None, rules_dir=None) if is_far else task
    unread = [sources[place] for place in missing]
    if unread and not isinstance(executor, Engine | InProcess):
        task.detector()  # Rules are compiled once, and not by each process.
    total = sum(source.size_bytes for source in unread)
    load = Load(_STAGE, attrgetter("size_bytes"), SECOND_BYTES, total)
    looked = iter_done(
        executor, partial(look_through, there), unread, load=load, lost=_stop
    )
    for done, (at, one) in enumerate(looked, 1):
        ready[missing[at]] = one
        if is_far:
            remember(task, unread[at], one, memo)
        on_progress(_STAGE, done, len(missing))
    memo.drop_older(_KEPT_DAYS)
    return [one for one in ready if one is not None]


def _stop(source: LookSource) -> Scanned:
    """Refuse to go on: what is in `source` may stand in other files, too."""
    raise RedactError(
        f"workers were lost again and again while they looked for secrets in"
        f" {source.place!r}; nothing was published",
        hint="give workers more memory, or leave the session out with --exclude",
    )
