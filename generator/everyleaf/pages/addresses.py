"""Where every page of the site lives: the only place that builds addresses.

An address is site-relative and POSIX, without a leading slash. What comes from a transcript
(session, agent, project) is reduced to names that every file system and host accepts.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from everyleaf.digest import digest_hex
from everyleaf.graph.forest import Status
from everyleaf.search.pages import WORDS_DIR

if TYPE_CHECKING:
    from everyleaf.graph.forest import PathRef

INDEX_URL = "index.html"
REPORT_URL = "report.html"
NOT_FOUND_URL = "404.html"
PATHS_URL = "paths.jsonl"
SEARCH_URL = "search.html"
MARKDOWN_DIR = "markdown/"

NAME_LENGTH = 80
"""Longest reduced name: two of them, a prefix and a suffix stay below 255 bytes."""

_FOREIGN = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)")
_LOOKS_LIKE_PATH = re.compile(r"_path[0-9]+(?:_abandoned)?$")


def reduce_name(text: str) -> str:
    """Return `text` as a part of a file name, from `[A-Za-z0-9._-]` only.

    A name that had to be changed ends in a digest of the original, so that different texts
    stay different. Never empty, never reserved on Windows, at most `NAME_LENGTH` long.

    >>> reduce_name("0b3f4c2e-5f0a-4a51-9d6b-1c2d3e4f5a6b")
    '0b3f4c2e-5f0a-4a51-9d6b-1c2d3e4f5a6b'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = _FOREIGN.sub("-", plain).strip(".-") or "x"
    if name != text or len(name) > NAME_LENGTH or _LOOKS_LIKE_PATH.search(name):
        digest = digest_hex(text.encode("utf-8", "surrogatepass"), size=4)
        name = f"{name[: NAME_LENGTH - 9].rstrip('.-')}-{digest}"
    return f"_{name}" if _RESERVED.match(name) else name


def project_name(project: str) -> str:
    """Return the file name part of a project; a parent in front is set off by `--`."""
    return "--".join(reduce_name(part) for part in project.split("/") if part) or "x"


def transcript_url(session: str, number: int) -> str:
    """Return the page of a path; path 1 has the short address."""
    suffix = "" if number == 1 else f"_path{number}"
    return f"transcripts/transcript_{reduce_name(session)}{suffix}.html"


def markdown_url(
    session: str, number: int, of: int, status: Status, *, folder: str = MARKDOWN_DIR
) -> str:
    """Return the Markdown file of a path; `folder` is empty where there is no HTML.

    Of several paths, the name says the number, and which of them were left.
    """
    suffix = "" if of == 1 else f"_path{number}"
    if of > 1 and status is Status.ABANDONED:
        suffix += "_abandoned"
    return f"{folder}transcript_{reduce_name(session)}{suffix}.md"


def session_url(session: str) -> str:
    """Return the page of a session."""
    return f"sessions/session_{reduce_name(session)}.html"


def project_url(project: str) -> str:
    """Return the page of a project."""
    return f"projects/{project_name(project)}.html"


def agent_url(session: str, agent_id: str) -> str:
    """Return the page of a subagent."""
    return f"agents/agent_{reduce_name(session)}_{reduce_name(agent_id)}.html"


def agent_markdown_url(session: str, agent_id: str, *, folder: str = MARKDOWN_DIR) -> str:
    """Return the Markdown file of a subagent."""
    return f"{folder}agent_{reduce_name(session)}_{reduce_name(agent_id)}.md"


def compare_url(one: PathRef, other: PathRef) -> str:
    """Return the page that compares two paths; the same in whatever order they are given.

    The lower one comes first, by session and number, so that a redo changes no address.
    """
    first, last = sorted((one, other))
    session = "" if first.session == last.session else f"_{reduce_name(last.session)}"
    name = reduce_name(first.session)
    return f"compare/compare_{name}_{first.number}{session}_{last.number}.html"


def facts_url(session: str) -> str:
    """Return the file with a session's public facts."""
    return f"data/{reduce_name(session)}.json"


def words_url(session: str) -> str:
    """Return the file with what search finds of a session."""
    return f"{WORDS_DIR}{reduce_name(session)}.json"


def blob_url(name: str) -> str:
    """Return the address of a blob."""
    return f"blobs/{name}"


def relative(here: str, target: str) -> str:
    """Return the link from the page `here` to `target`, both site-relative.

    >>> relative("transcripts/a.html", "blobs/b.png#x")
    '../blobs/b.png#x'
    """
    folders, other = here.split("/")[:-1], target.split("/")
    shared = 0
    while shared < min(len(folders), len(other) - 1) and folders[shared] == other[shared]:
        shared += 1
    return "../" * (len(folders) - shared) + "/".join(other[shared:])


def root_of(url: str) -> str:
    """Return what leads from the page `url` to the root: `../` for each folder."""
    return "../" * url.count("/")
