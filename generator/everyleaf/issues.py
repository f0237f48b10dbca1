"""Trouble in one record or file: located, counted, fatal only with `--strict`."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class IssueCode(StrEnum):
    """What is wrong, in one word that the report, the manual and scripts can rely on."""

    UNREADABLE_FILE = "unreadable-file"
    UNREADABLE_LINE = "unreadable-line"
    RECOVERED_LINE = "recovered-line"
    UNKNOWN_TYPE = "unknown-type"
    MISSING_UUID = "missing-uuid"
    REPEATED_UUID = "repeated-uuid"
    VARIANT = "variant"
    REPLAY = "replay"
    INFERRED_PARENT = "inferred-parent"
    CYCLE = "cycle"
    NOTES_ONLY = "notes-only"
    FOREIGN_FILE = "foreign-file"
    INTERNAL_AGENT = "internal-agent"
    AGENT_WITHOUT_CALL = "agent-without-call"
    STUB = "stub"


DESCRIPTIONS: dict[IssueCode, str] = {
    IssueCode.UNREADABLE_FILE: "The file could not be read; nothing of it is published.",
    IssueCode.UNREADABLE_LINE: "A line is no record; nothing of it could be recovered.",
    IssueCode.RECOVERED_LINE: "The line was damaged; what could be recovered is published.",
    IssueCode.UNKNOWN_TYPE: "A record of an unknown type; kept as a note.",
    IssueCode.MISSING_UUID: "A message without a uuid; it was given one by its place.",
    IssueCode.REPEATED_UUID: "A record was written again with equal content; shown once.",
    IssueCode.VARIANT: "A record was written again with other content; both are shown.",
    IssueCode.REPLAY: "A record was written again under another uuid; shown once.",
    IssueCode.INFERRED_PARENT: "What a message follows is missing; its place was inferred.",
    IssueCode.CYCLE: "Records follow each other in a circle; the first begins anew.",
    IssueCode.NOTES_ONLY: "Notes of the CLI with no message among them; not published.",
    IssueCode.FOREIGN_FILE: "A .jsonl file that is no session; left alone.",
    IssueCode.INTERNAL_AGENT: "A helper of the CLI that copies a session; not published.",
    IssueCode.AGENT_WITHOUT_CALL: "A subagent whose call is not in this archive.",
    IssueCode.STUB: "A session file without any conversation.",
}
"""What each code means, as the report and the manual say it."""


class Issue(Struct, frozen=True, order=True):
    """One located message, printed as `file:line: code: message`."""

    file: str
    """Name of the file inside its project folder, `/`-separated; no machine's folders."""
    line: int
    """1-based; 0 where the whole file is meant."""
    code: IssueCode
    message: str
    session: str = ""
    """Id of the session that the file belongs to, if any."""

    def __str__(self) -> str:
        """Return the message with its place, in the form that editors and greps expect."""
        return f"{self.file}:{self.line}: {self.code}: {self.message}"
