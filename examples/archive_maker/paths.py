"""What the paths of the archive must be, from how its sessions were played."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archive_maker.journal import Json, Played
    from archive_maker.session import Session


def holder(played: Played, owner: Session, sessions: Sequence[Session]) -> Json | None:
    """Return the path that holds all records of `played`, if another one does."""
    ids = set(played.shown)
    for other in sessions:
        for path in other.paths:
            is_itself = other is owner and path.number == played.number
            if not is_itself and ids <= set(path.shown):
                return {"session": other.session_id, "number": path.number}
    return None


def expected(sessions: Sequence[Session]) -> Json:
    """Return the paths of each session, those that are dropped, and its agents."""
    listed: Json = {s.session_id: session_facts(s, sessions) for s in sessions}
    placed = set(chain.from_iterable(p.shown for s in sessions for p in s.paths))
    return {"conversation_records": len(placed), "sessions": listed}


def session_facts(s: Session, sessions: Sequence[Session]) -> Json:
    kept: list[Json] = []
    dropped: list[Json] = []
    for played in s.paths:
        by = holder(played, s, sessions)
        count: Json = {"number": played.number, "messages": len(played.shown)}
        if by:
            dropped.append(count | {"contained_by": by})
        else:
            kept.append(count | {"status": played.status, "ids": played.shown})
    facts: Json = {
        "story": s.key,
        "project": s.project.name,
        "paths": kept,
        "dropped": dropped,
    }
    facts["agents"] = s.agents
    changed = changed_files(s)
    if changed:
        facts["final_files"] = changed
    return facts


def changed_files(s: Session) -> Json:
    """Return the files that two paths of `s` end with differently, by path number and name."""
    names = sorted({name for played in s.paths for name in played.files})
    differing = [n for n in names if len({p.files.get(n) for p in s.paths}) > 1]
    return {
        str(played.number): {n: played.files[n] for n in differing if n in played.files}
        for played in s.paths
        if differing
    }
