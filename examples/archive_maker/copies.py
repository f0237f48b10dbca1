"""The ways in which a conversation gets into a second file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from archive_maker.session import Session

if TYPE_CHECKING:
    from archive_maker.journal import Json, Mark


def history(source: Session, mark: Mark) -> list[Json]:
    """Return the tree records of `source` up to `mark`, without those that were left."""
    shown = set(mark.shown)
    dropped: set[str] = set()
    kept: list[Json] = []
    conversation = {uuid for played in source.paths for uuid in played.shown}
    for line in source.lines:
        record = json.loads(line)
        if "uuid" not in record or record["isSidechain"]:
            continue
        uuid, parent = record["uuid"], record["parentUuid"]
        if (uuid in conversation and uuid not in shown) or parent in dropped:
            dropped.add(uuid)
            continue
        kept.append(record)
        if uuid == mark.tip:
            break
    return kept


def resumed(source: Session, key: str, start: str) -> Session:
    """Resume `source` as versions up to 2.0.5x did: a new file that begins with a copy."""
    copy = successor(source, key, start)
    for line in source.lines:
        record = json.loads(line)
        if "uuid" in record:
            copy.put(record | {"sessionId": copy.session_id})
    copy.tip = source.tip
    copy.shown = list(source.shown)
    return copy


def branched(source: Session, mark: Mark, key: str, start: str) -> Session:
    """Copy `source` up to `mark` as `/branch` does: same uuids, one straight chain."""
    copy = successor(source, key, start)
    for record in history(source, mark):
        origin = {"sessionId": source.session_id, "messageUuid": record["uuid"]}
        changed = {
            "parentUuid": copy.tip,
            "sessionId": copy.session_id,
            "forkedFrom": origin,
        }
        copy.put(record | changed)
    copy.shown, copy.files = list(mark.shown), dict(mark.files)
    return copy


def sdk_forked(source: Session, mark: Mark, key: str, start: str) -> Session:
    """Copy `source` up to `mark` as the SDK's `forkSession()` does: fresh uuids throughout."""
    copy = successor(source, key, start)
    fresh: dict[object, object] = {None: None}
    for record in history(source, mark):
        if record["type"] == "progress":
            fresh[record["uuid"]] = fresh[record["parentUuid"]]
            continue
        fresh[record["uuid"]] = copy.ids.uuid()
        origin = {"sessionId": source.session_id, "messageUuid": record["uuid"]}
        changed: Json = {
            "uuid": fresh[record["uuid"]],
            "parentUuid": fresh[record["parentUuid"]],
        }
        if "sourceToolAssistantUUID" in record:
            changed["sourceToolAssistantUUID"] = fresh[record["sourceToolAssistantUUID"]]
        copy.put(record | changed | {"sessionId": copy.session_id, "forkedFrom": origin})
    copy.shown, copy.files = list(mark.shown), dict(mark.files)
    return copy


def carried_on(source: Session, key: str, start: str) -> Session:
    """Go on in a new file that names its parent in the old one and copies nothing."""
    copy = successor(source, key, start)
    copy.tip, copy.shown = source.tip, list(source.shown)
    return copy


def successor(source: Session, key: str, start: str) -> Session:
    return Session(
        key,
        source.project,
        source.version,
        start,
        model=source.model,
        branch=source.branch,
        slug=source.slug,
        files=dict(source.files),
        context=source.context,
    )
