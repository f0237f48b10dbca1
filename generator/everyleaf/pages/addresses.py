"""Where every page of the site lives, and what all pages have in common.

An address is site-relative and POSIX, without a leading slash. What comes from a transcript
(session, agent, project) is reduced to names that every file system and host accepts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.config import BuildOptions, Format, SiteOptions
from everyleaf.digest import digest_hex
from everyleaf.graph.forest import PathRef, Status
from everyleaf.outputs import join_encoded
from everyleaf.search.pages import WORDS_DIR
from everyleaf.theming.formats import visible
from everyleaf.theming.load import load_theme

if TYPE_CHECKING:
    from everyleaf.render.view import PageView

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


def month_url(key: str, number: int, project: str | None) -> str:
    """Return the page of a month of a long list: of one project, or of all.

    >>> month_url("2026-01", 1, None)
    'months/2026-01.html'
    """
    part = "" if number == 1 else f".{number}"
    suffix = "" if project is None else f"_{project_name(project)}"
    return f"months/{key or 'unknown'}{part}{suffix}.html"


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
    """Return the page of a subagent.

    Ids that differ in case alone, which is rare, are told apart by a digest: `file_url`.
    """
    name = agent_id if agent_id == agent_id.lower() else f"./{agent_id}"
    return f"agents/agent_{reduce_name(session)}_{reduce_name(name)}.html"


def agent_markdown_url(session: str, agent_id: str, *, folder: str = MARKDOWN_DIR) -> str:
    """Return the Markdown file of a subagent."""
    name = agent_url(session, agent_id).removeprefix("agents/").removesuffix("html")
    return f"{folder}{name}md"


def compare_url(one: PathRef, other: PathRef) -> str:
    """Return the page that compares two paths; the same in whatever order they are given.

    The lower one comes first, by session and number, so that a redo changes no address.
    """
    first, last = sorted((one, other))
    session = "" if first.session == last.session else f"_{reduce_name(last.session)}"
    name = reduce_name(first.session)
    return f"compare/compare_{name}_{first.number}{session}_{last.number}.html"


@lru_cache(maxsize=4096)
def file_url(project: str, file: str) -> str:
    """Return the page of a file of a project.

    It always ends in a digest: names that differ in case alone are one on some systems.
    """
    return f"files/{project_name(project)}--{reduce_name(f'./{file}')}.html"


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
    """Return the link from the page `here` to `target`, both site-relative; empty for none.

    >>> relative("transcripts/a.html", "blobs/b.png#x")
    '../blobs/b.png#x'
    """
    if "/" not in here or not target:
        return target
    folders, other = here.split("/")[:-1], target.split("/")
    shared = 0
    while shared < min(len(folders), len(other) - 1) and folders[shared] == other[shared]:
        shared += 1
    return "../" * (len(folders) - shared) + "/".join(other[shared:])


def root_of(url: str) -> str:
    """Return what leads from the page `url` to the root: `../` for each folder."""
    return "../" * url.count("/")


class SiteSettings(SiteOptions, frozen=True):
    """What all pages share: what a person says of them, the title, the formats."""

    title: str
    has_html: bool = True
    has_markdown: bool = True
    is_redacted: bool = True
    """Secrets were masked; without, every page says that they were not."""
    has_search: bool = False
    """Its messages can be searched."""

    @property
    def markdown_dir(self) -> str:
        """Return the folder of the Markdown files: the root where there is no HTML."""
        return MARKDOWN_DIR if self.has_html else ""

    @property
    def markdown_index_url(self) -> str:
        """Return where the index of the Markdown files stands."""
        return f"{self.markdown_dir}index.md"

    def absolute(self, url: str) -> str:
        """Return the absolute address of the page `url`; empty if it is not known.

        The first page is the folder itself.
        """
        shown = "" if url == INDEX_URL else quote(url)
        return f"{self.base_url}{shown}" if self.base_url else ""


def settings_of(options: BuildOptions) -> SiteSettings:
    """Return what all pages of the site that is asked for have in common."""
    told, has_html = fields_of(SiteSettings, options), Format.HTML in options.formats
    if options.has_search:
        told["has_search"] = has_html and load_theme(options.theme).has_scripts
    return SiteSettings(
        **told,
        has_html=has_html,
        has_markdown=Format.MARKDOWN in options.formats,
        is_redacted=options.redact.is_on,
    )


def fields_of(kind: type[Struct], *values: Struct) -> dict[str, Any]:
    """Return the fields of `values` that `kind` has, too; the first one counts."""
    wanted = frozenset(kind.__struct_fields__)
    found: dict[str, Any] = {}
    for value in reversed(values):
        names = wanted.intersection(value.__struct_fields__)
        found.update((name, getattr(value, name)) for name in names)
    return found


def draw_page(settings: SiteSettings, template: str, url: str, view: PageView) -> bytes:
    """Return the page `url` of the site as bytes: a template of its theme with `view`."""
    return join_encoded(page_pieces(settings, template, url, view))


def page_pieces(
    settings: SiteSettings, template: str, url: str, view: PageView
) -> Iterator[str]:
    """Return the same, piece by piece as it is drawn."""
    has_search = settings.has_search and url != SEARCH_URL
    # A host shows what is not found for addresses of any depth: without a base address, no
    # link is right from all.
    whole = replace(
        view,
        site_title=visible(settings.title),
        root=urlsplit(settings.base_url).path if url == NOT_FOUND_URL else root_of(url),
        is_public=settings.is_public,
        is_redacted=settings.is_redacted,
        canonical="" if url == NOT_FOUND_URL else settings.absolute(url),
        search_url=relative(url, SEARCH_URL) if has_search else "",
    )
    return load_theme(settings.theme).pieces(template, whole)
