"""All codes of `everyleaf check`, with what each means and what to do about it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from everyleaf.issues import DESCRIPTIONS, IssueCode


class Odd(StrEnum):
    """What is odd beside the issues that building a site reports, in one word."""

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


class Level(StrEnum):
    """How much an oddity matters."""

    WARNING = "warning"
    """Something is lost, damaged or in danger, or may be read in another way than meant."""
    NOTE = "note"
    """Sound archives look so, too."""


class Advice(Struct, frozen=True):
    """What an oddity means, and what to do."""

    means: str
    to_do: str
    level: Level


class Oddity(Struct, frozen=True, order=True):
    """One odd thing in its place."""

    code: str
    """Of `Odd` or `IssueCode`."""
    file: str
    """Name inside the project folder, `/`-separated."""
    line: int
    """1-based; 0 where the whole file is meant."""
    message: str
    session: str = ""


_MEANS: dict[Odd, str] = {
    Odd.STRING_CONTENT: "User messages whose content is a string, not a list of blocks.",
    Odd.CASE_OF_FOLDER: "A working folder that differs from its project's folder"
    " only in case.",
    Odd.CASE_OF_CWD: "Working folders that differ from each other only in case.",
    Odd.SHARED_UUIDS: "Files that hold copies of the same records: forks, or"
    " resumed sessions.",
    Odd.COMPLETE_COPY: "A file whose messages another file holds, all of them.",
    Odd.DANGLING_PARENT: "Records whose parent is in no file of the archive.",
    Odd.SEVERAL_ROOTS: "A session with several beginnings.",
    Odd.LOST_SUMMARY: "A summary that names a record which is in no file of the archive.",
    Odd.CALL_WITHOUT_AGENT: "A call of a subagent whose transcript is not in the archive.",
    Odd.EXPIRES_SOON: "Files that the CLI deletes within a week (cleanupPeriodDays).",
}

_TO_DO_ABOUT_WARNINGS: dict[Odd | IssueCode, str] = {
    IssueCode.UNREADABLE_FILE: "Check the file's permissions and the disk, then run again.",
    IssueCode.UNREADABLE_LINE: "Restore the file from a backup, if the line matters.",
    IssueCode.RECOVERED_LINE: "Compare with a backup; what was torn off is lost otherwise.",
    IssueCode.VARIANT: "Look at both contents on the page; the first that has one counts.",
    IssueCode.INFERRED_PARENT: "Look at the seam on the page; it may stand elsewhere.",
    IssueCode.CYCLE: "Look at the page; resuming the session may fail in the CLI.",
    IssueCode.AGENT_WITHOUT_CALL: "Add the session that called it, if you have it.",
    Odd.CASE_OF_FOLDER: "Start the CLI with the spelling on disk, or its list shows"
    " two projects.",
    Odd.CASE_OF_CWD: "Use one spelling: the CLI keeps a list of sessions for each.",
    Odd.DANGLING_PARENT: "Add the missing session, if you have it; else see the seams"
    " on the page.",
    Odd.CALL_WITHOUT_AGENT: "Copy the subagents/ folders along with the sessions.",
    Odd.EXPIRES_SOON: "Keep them (`everyleaf keep`), or raise cleanupPeriodDays in"
    " settings.json.",
}
_TO_DO_ABOUT_NOTES: dict[Odd | IssueCode, str] = {
    IssueCode.UNKNOWN_TYPE: "Nothing; a newer everyleaf may know the type.",
    IssueCode.MISSING_UUID: "Nothing; such records cannot be named by rename and goto.",
    IssueCode.REPEATED_UUID: "Nothing: the CLI writes history again; each counts once.",
    IssueCode.REPLAY: "Nothing: each counts once.",
    IssueCode.NOTES_ONLY: "Nothing: there is nothing to read in it.",
    IssueCode.FOREIGN_FILE: "Move it elsewhere, if it should not lie among sessions.",
    IssueCode.INTERNAL_AGENT: "Nothing: it repeats the conversation.",
    IssueCode.STUB: "Nothing, or delete the file: there is no conversation in it.",
    Odd.STRING_CONTENT: "Nothing; scripts of yours that read sessions must expect"
    " both forms.",
    Odd.SHARED_UUIDS: "Nothing: common paths are published once. Keep both files.",
    Odd.COMPLETE_COPY: "Nothing is lost if you archive the copy elsewhere; it adds"
    " no path.",
    Odd.SEVERAL_ROOTS: "Nothing: each is a path. A cleared or damaged session looks so.",
    Odd.LOST_SUMMARY: "Nothing; the title belongs to a session that has gone or"
    " lies elsewhere.",
}

ADVICE: dict[str, Advice] = {
    code: Advice(
        DESCRIPTIONS[code] if isinstance(code, IssueCode) else _MEANS[code], to_do, level
    )
    for level, known in (
        (Level.WARNING, _TO_DO_ABOUT_WARNINGS),
        (Level.NOTE, _TO_DO_ABOUT_NOTES),
    )
    for code, to_do in known.items()
}
"""By code: those of issues, which building a site reports too, and those of oddities."""
