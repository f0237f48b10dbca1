"""Giving a session a title, the way the CLI's own list reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.errors import SourceError
from everyleaf.model import MarkerKind
from everyleaf.records.text import LONGEST_WORDS, one_line
from everyleaf.revise.claude import listed_title
from everyleaf.revise.edits import Change
from everyleaf.revise.lines import at_the_end, at_the_top, with_summary

if TYPE_CHECKING:
    from everyleaf.model import Marker
    from everyleaf.revise.edits import Edit
    from everyleaf.revise.session import OpenSession


def plan_rename(session: OpenSession, title: str) -> Change:
    """Return the change that gives `session` the title `title`.

    Claude Code's list reads a `custom-title` at the end, whichever version wrote the rest.
    The oldest versions read a `summary`: the session's own one changes its text only, else
    one at the top names the last record of the conversation. (At the end, it would also
    say what is ACTIVE.)

    Raises:
        SourceError: the title is empty or too long, or the file's last record has no uuid.
    """
    length, text = len(" ".join(title.split())), one_line(title)
    if not text or length > LONGEST_WORDS:
        raise SourceError(
            f"a title has 1 to {LONGEST_WORDS} characters, this one {length}",
            hint="control characters do not count",
        )
    edits = [edit for edit in (_summarise(session, text), _entitle(session, text)) if edit]
    return Change(f"rename session {session.name} to {text!r}", tuple(edits))


def _summarise(session: OpenSession, text: str) -> Edit | None:
    own = {record.uuid for record in session.conversation}
    markers = _markers(session, MarkerKind.SUMMARY)
    named = [marker for marker in markers if marker.leaf_uuid in own]
    if named and named[-1].text == text:
        return None
    if named:
        return with_summary(session.location, named[-1].line, text)
    leaf = session.last_uuid()
    record: dict[str, object] = {"type": "summary", "summary": text, "leafUuid": leaf}
    return at_the_top(session.location, record, f"a summary says {text!r} of {leaf}")


def _entitle(session: OpenSession, text: str) -> Edit | None:
    told = [marker.text for marker in _markers(session, MarkerKind.CUSTOM_TITLE)]
    if told[-1:] == [text] and listed_title(session) == text:
        return None
    record: dict[str, object] = {
        "type": "custom-title",
        "customTitle": text,
        "sessionId": session.name,
    }
    return at_the_end(session.location, [record], f"a custom title says {text!r}")


def _markers(session: OpenSession, kind: MarkerKind) -> list[Marker]:
    return [marker for marker in session.records.markers if marker.kind is kind]
