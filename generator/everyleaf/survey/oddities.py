"""Everything that `everyleaf check` knows to be odd, with what to do about it."""

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
    level: Level = Level.NOTE


class Finding(Struct, frozen=True, order=True):
    """One odd thing in its place."""

    code: Odd | IssueCode
    file: str
    """Name inside the project folder, `/`-separated."""
    line: int
    """1-based; 0 where the whole file is meant."""
    message: str
    session: str = ""


_TO_DO: dict[IssueCode, str] = {
    IssueCode.UNREADABLE_FILE: "Check the file's permissions and the disk, then run again.",
    IssueCode.UNREADABLE_LINE: "Restore the file from a backup, if the line matters.",
    IssueCode.RECOVERED_LINE: "Compare with a backup; what was torn off is lost otherwise.",
    IssueCode.UNKNOWN_TYPE: "Nothing; a newer everyleaf may know the type.",
    IssueCode.MISSING_UUID: "Nothing; such records cannot be named by rename and goto.",
    IssueCode.REPEATED_UUID: "Nothing: the CLI writes history again; each counts once.",
    IssueCode.VARIANT: "Look at both contents on the page; the first that has one counts.",
    IssueCode.REPLAY: "Nothing: each counts once.",
    IssueCode.INFERRED_PARENT: "Look at the seam on the page; it may stand elsewhere.",
    IssueCode.CYCLE: "Look at the page; resuming the session may fail in the CLI.",
    IssueCode.NOTES_ONLY: "Nothing: there is nothing to read in it.",
    IssueCode.FOREIGN_FILE: "Move it elsewhere, if it should not lie among sessions.",
    IssueCode.INTERNAL_AGENT: "Nothing: it repeats the conversation.",
    IssueCode.AGENT_WITHOUT_CALL: "Add the session that called it, if you have it.",
    IssueCode.STUB: "Nothing, or delete the file: there is no conversation in it.",
}

_WARNINGS = frozenset(
    {
        IssueCode.UNREADABLE_FILE,
        IssueCode.UNREADABLE_LINE,
        IssueCode.RECOVERED_LINE,
        IssueCode.VARIANT,
        IssueCode.INFERRED_PARENT,
        IssueCode.CYCLE,
        IssueCode.AGENT_WITHOUT_CALL,
    }
)

ADVICE: dict[str, Advice] = {
    **{
        code: Advice(
            means,
            _TO_DO.get(code, "See the report of the site."),
            Level.WARNING if code in _WARNINGS else Level.NOTE,
        )
        for code, means in DESCRIPTIONS.items()
    },
    Odd.STRING_CONTENT: Advice(
        "User messages whose content is a string, not a list of blocks.",
        "Nothing; scripts of yours that read sessions must expect both forms.",
    ),
    Odd.CASE_OF_FOLDER: Advice(
        "A working folder that differs from its project's folder only in case.",
        "Start the CLI with the spelling on disk, or its list shows two projects.",
        Level.WARNING,
    ),
    Odd.CASE_OF_CWD: Advice(
        "Working folders that differ from each other only in case.",
        "Use one spelling: the CLI keeps a list of sessions for each.",
        Level.WARNING,
    ),
    Odd.SHARED_UUIDS: Advice(
        "Files that hold copies of the same records: forks, or resumed sessions.",
        "Nothing: common paths are published once. Keep both files.",
    ),
    Odd.COMPLETE_COPY: Advice(
        "A file whose messages another file holds, all of them.",
        "Nothing is lost if you archive the copy elsewhere; it adds no path.",
    ),
    Odd.DANGLING_PARENT: Advice(
        "Records whose parent is in no file of the archive.",
        "Add the missing session, if you have it; else see the seams on the page.",
        Level.WARNING,
    ),
    Odd.SEVERAL_ROOTS: Advice(
        "A session with several beginnings.",
        "Nothing: each is a path. A cleared or damaged session looks so.",
    ),
    Odd.LOST_SUMMARY: Advice(
        "A summary that names a record which is in no file of the archive.",
        "Nothing; the title belongs to a session that has gone or lies elsewhere.",
    ),
    Odd.CALL_WITHOUT_AGENT: Advice(
        "A call of a subagent whose transcript is not in the archive.",
        "Copy the subagents/ folders along with the sessions.",
        Level.WARNING,
    ),
    Odd.EXPIRES_SOON: Advice(
        "Files that the CLI deletes within a week (cleanupPeriodDays).",
        "Copy them, build the site now, or raise cleanupPeriodDays in settings.json.",
        Level.WARNING,
    ),
}
