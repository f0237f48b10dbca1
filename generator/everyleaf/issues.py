"""Trouble in one record or file: located, counted, fatal only with `--strict`.

Each code with what it means, and what to do about it.
"""

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
    # For these, `everyleaf check` alone looks.
    STRING_CONTENT = "string-content"
    CASE_OF_FOLDER = "case-of-folder"
    CASE_OF_CWD = "case-of-cwd"
    SHARED_UUIDS = "shared-uuids"
    COMPLETE_COPY = "complete-copy"
    DANGLING_PARENT = "dangling-parent"
    SEVERAL_ROOTS = "several-roots"
    LOST_SUMMARY = "lost-summary"
    CALL_WITHOUT_AGENT = "call-without-agent"
    EXPIRES_SOON = "expires-soon"


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
    IssueCode.STRING_CONTENT: "User messages whose content is a string, not a list"
    " of blocks.",
    IssueCode.CASE_OF_FOLDER: "A working folder that differs from its project's folder"
    " only in case.",
    IssueCode.CASE_OF_CWD: "Working folders that differ from each other only in case.",
    IssueCode.SHARED_UUIDS: "Files that hold copies of the same records: forks, or"
    " resumed sessions.",
    IssueCode.COMPLETE_COPY: "A file whose messages another file holds, all of them.",
    IssueCode.DANGLING_PARENT: "Records whose parent is in no file of the archive.",
    IssueCode.SEVERAL_ROOTS: "A session with several beginnings.",
    IssueCode.LOST_SUMMARY: "A summary that names a record which is in no file of"
    " the archive.",
    IssueCode.CALL_WITHOUT_AGENT: "A call of a subagent whose transcript is not in"
    " the archive.",
    IssueCode.EXPIRES_SOON: "Files that the CLI deletes within a week (cleanupPeriodDays).",
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


class Level(StrEnum):
    """How much it matters that something is odd."""

    WARNING = "warning"
    """Something is lost, damaged or in danger, or may be read in another way than meant."""
    NOTE = "note"
    """Sound archives look so, too."""


class Advice(Struct, frozen=True):
    """What a code means, and what to do."""

    means: str
    to_do: str
    level: Level


_TO_DO_ABOUT_WARNINGS: dict[IssueCode, str] = {
    IssueCode.UNREADABLE_FILE: "Check the file's permissions and the disk, then run again.",
    IssueCode.UNREADABLE_LINE: "Restore the file from a backup, if the line matters.",
    IssueCode.RECOVERED_LINE: "Compare with a backup; what was torn off is lost otherwise.",
    IssueCode.VARIANT: "Look at both contents on the page; the first that has one counts.",
    IssueCode.INFERRED_PARENT: "Look at the seam on the page; it may stand elsewhere.",
    IssueCode.CYCLE: "Look at the page; resuming the session may fail in the CLI.",
    IssueCode.AGENT_WITHOUT_CALL: "Add the session that called it, if you have it.",
    IssueCode.CASE_OF_FOLDER: "Start the CLI with the spelling on disk, or its list shows"
    " two projects.",
    IssueCode.CASE_OF_CWD: "Use one spelling: the CLI keeps a list of sessions for each.",
    IssueCode.DANGLING_PARENT: "Add the missing session, if you have it; else see the seams"
    " on the page.",
    IssueCode.CALL_WITHOUT_AGENT: "Copy the subagents/ folders along with the sessions.",
    IssueCode.EXPIRES_SOON: "Keep them (`everyleaf keep`), or raise cleanupPeriodDays in"
    " settings.json.",
}
_TO_DO_ABOUT_NOTES: dict[IssueCode, str] = {
    IssueCode.UNKNOWN_TYPE: "Nothing; a newer everyleaf may know the type.",
    IssueCode.MISSING_UUID: "Nothing; such records cannot be named by rename and goto.",
    IssueCode.REPEATED_UUID: "Nothing: the CLI writes history again; each counts once.",
    IssueCode.REPLAY: "Nothing: each counts once.",
    IssueCode.NOTES_ONLY: "Nothing: there is nothing to read in it.",
    IssueCode.FOREIGN_FILE: "Move it elsewhere, if it should not lie among sessions.",
    IssueCode.INTERNAL_AGENT: "Nothing: it repeats the conversation.",
    IssueCode.STUB: "Nothing, or delete the file: there is no conversation in it.",
    IssueCode.STRING_CONTENT: "Nothing; scripts of yours that read sessions must expect"
    " both forms.",
    IssueCode.SHARED_UUIDS: "Nothing: common paths are published once. Keep both files.",
    IssueCode.COMPLETE_COPY: "Nothing is lost if you archive the copy elsewhere; it adds"
    " no path.",
    IssueCode.SEVERAL_ROOTS: "Nothing: each is a path. A cleared or damaged session"
    " looks so.",
    IssueCode.LOST_SUMMARY: "Nothing; the title belongs to a session that has gone or"
    " lies elsewhere.",
}

ADVICE: dict[IssueCode, Advice] = {
    code: Advice(DESCRIPTIONS[code], to_do, level)
    for level, known in (
        (Level.WARNING, _TO_DO_ABOUT_WARNINGS),
        (Level.NOTE, _TO_DO_ABOUT_NOTES),
    )
    for code, to_do in known.items()
}
"""What `everyleaf check` says of each code."""
