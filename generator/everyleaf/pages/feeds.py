"""What programs read of a site: its paths, sitemap, feed, and indexes of its Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import escape
from itertools import groupby, islice
from operator import attrgetter

import msgspec

from everyleaf.graph.forest import Status
from everyleaf.outputs import Output
from everyleaf.pages import facts, wording
from everyleaf.pages.addresses import SiteSettings, project_name, relative
from everyleaf.pages.listviews import LONG, split_list
from everyleaf.render.markdown_text import literal
from everyleaf.theming.formats import format_moment, visible

FEED_URL = "feed.xml"
FEED_LENGTH = 40
"""Sessions in the feed: who reads it looks for what is new."""
LLMS_URL = "llms.txt"
LLMS_LENGTH = 2_000
"""Paths that are listed for language models; the Markdown index has all."""
SITEMAP_URL = "sitemap.xml"
MAX_ADDRESSES = 50_000
"""In one file. Source: sitemaps.org, "Sitemap file requirements"."""
_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
_OF_PATH = (
    *("status", "title", "label", "started", "ended", "messages", "prompts"),
    *("compactions", "url", "markdown_url"),
)
"""What `paths.jsonl` tells of a path beside its place."""
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'


def paths_jsonl(ordered: Iterable[facts.SessionFacts]) -> bytes:
    """Return one JSON object a kept path, in the order of the lists: for scripts."""
    lines = (
        {
            "session": session.session,
            "project": session.project,
            "number": path.number,
            "of": session.of,
            **{name: getattr(path, name) for name in _OF_PATH},
        }
        for session in ordered
        for path in session.paths
    )
    return msgspec.json.Encoder().encode_lines(lines)


def feed(ordered: Sequence[facts.SessionFacts], settings: SiteSettings) -> list[Output]:
    """Return the Atom feed of the newest sessions; nothing without a base address."""
    if not (settings.base_url and settings.has_html):
        return []
    newest = [one for one in ordered if one.main and one.ended and not one.is_warmup]
    lines = [
        f'{_XML}<feed xmlns="http://www.w3.org/2005/Atom">',
        _element("title", settings.title),
        _element("id", settings.base_url),
        f'<link href="{escape(settings.base_url)}"/>',
        f'<link rel="self" href="{escape(settings.absolute(FEED_URL))}"/>',
        _element("updated", newest[0].ended if newest else "1970-01-01T00:00:00Z"),
        "<author><name>everyleaf</name></author>",
    ]
    for session in newest[:FEED_LENGTH]:
        url = settings.absolute(session.url)
        lines += [
            "<entry>",
            _element("title", wording.titled(session.title)),
            _element("id", url),
            f'<link href="{escape(url)}"/>',
            _element("updated", session.ended),
            _element("summary", wording.summed_up(session)),
            "</entry>",
        ]
    return [Output(FEED_URL, "\n".join([*lines, "</feed>\n"]).encode("utf-8", "replace"))]


def _element(name: str, text: str) -> str:
    return f"<{name}>{escape(visible(text), quote=False)}</{name}>"


def llms_txt(ordered: Sequence[facts.SessionFacts], settings: SiteSettings) -> str:
    """Return `llms.txt`: where the Markdown of the newest conversations stands.

    Source: llmstxt.org. Addresses are absolute where the site's own is known.
    """
    index = settings.markdown_index_url
    blocks = [
        f"# {literal(visible(settings.title))}",
        (
            "> Claude Code conversations, a Markdown file for every path that one took."
            f" All of them: [{index}]"
            f"({settings.absolute(index) or index})"
        ),
    ]
    paths = ((session, path) for session in ordered for path in session.paths)
    newest = islice((pair for pair in paths if pair[1].markdown_url), LLMS_LENGTH)
    projects: dict[str, list[str]] = {}
    for session, path in newest:
        title = literal(wording.titled(path.title or session.title))
        is_left = path.status is Status.ABANDONED
        left = f", {_standing(path).lower()}" if is_left else ""
        url = settings.absolute(path.markdown_url) or path.markdown_url
        projects.setdefault(session.project, []).append(
            f"- [{title}]({url}): {format_moment(path.ended)[:10]}{left}"
        )
    for project, lines in projects.items():
        blocks += [f"## {literal(visible(project))}", "\n".join(lines)]
    return "\n\n".join(blocks) + "\n"


def sitemaps(
    sessions: Iterable[facts.SessionFacts],
    settings: SiteSettings,
    *,
    most: int = MAX_ADDRESSES,
) -> list[Output]:
    """Return the sitemap of the pages of `sessions`; nothing without a base address.

    With more than `most` pages it names further files, `sitemap-1.xml` and so on.
    """
    if not (settings.base_url and settings.has_html):
        return []
    addresses = [settings.absolute(url) for url in _page_urls(sessions)]
    if len(addresses) <= most:
        return [_sitemap(SITEMAP_URL, "urlset", "url", addresses)]
    parts = [
        _sitemap(f"sitemap-{number}.xml", "urlset", "url", addresses[first : first + most])
        for number, first in enumerate(range(0, len(addresses), most), 1)
    ]
    names = [settings.absolute(part.url) for part in parts]
    return [_sitemap(SITEMAP_URL, "sitemapindex", "sitemap", names), *parts]


def _page_urls(sessions: Iterable[facts.SessionFacts]) -> list[str]:
    """Return the addresses of all pages that someone may look for, sorted."""
    sessions = facts.newest_first(sessions)
    urls = {part.url for part in split_list(sessions, None)}
    for project, some in facts.by_project(sessions):
        urls.update(part.url for part in split_list(some, project))
    for session in sessions:
        urls.add(session.url)
        urls.update(facts.file_urls(session).values())
        urls.update(url for path in session.paths for url in (path.url, path.compare_url))
        urls.update(agent.url for agent in session.agents)
    return sorted(urls - {""})


def _sitemap(url: str, outer: str, inner: str, addresses: Sequence[str]) -> Output:
    places = (escape(address, quote=False) for address in addresses)
    lines = (f"<{inner}><loc>{place}</loc></{inner}>" for place in places)
    first = f'{_XML}<{outer} xmlns="{_SCHEMA}">'
    return Output(url, "\n".join([first, *lines, f"</{outer}>\n"]).encode("ascii"))


MonthOfPaths = tuple[str, "list[facts.SessionFacts]", "Callable[[], bytes]"]
"""Url, the sessions that the file is made of, its body."""


def markdown_index(
    sessions: Iterable[facts.SessionFacts], settings: SiteSettings
) -> tuple[str, list[MonthOfPaths]]:
    """Return the index of the Markdown files: by project and month.

    One file with a line a path; of more than `LONG` sessions, it leads to one for each
    month of a project. By the time at which a path began, since another message would
    change the one at which it ended, and without counts: a new path adds a line, a new
    message changes none.
    """
    here = settings.markdown_index_url
    ordered = facts.newest_first(sessions, attrgetter("started"))
    blocks = [f"# {literal(visible(settings.title))}"]
    months: list[MonthOfPaths] = []
    for project, some in facts.by_project(ordered):
        name = literal(visible(project))
        blocks.append(f"## {name}")
        for key, group in groupby(
            some, key=lambda session: wording.month_key(session.started)
        ):
            of_month = list(group)
            if not any(path.markdown_url for one in of_month for path in one.paths):
                continue
            month = wording.month_of(of_month[0].started)
            if len(ordered) > LONG:
                name_of_file = f"index_{project_name(project)}_{key or 'unknown'}.md"
                url = f"{settings.markdown_dir}{name_of_file}"
                body = partial(_month_file, f"{name}, {month}", of_month, here)
                months.append((url, of_month, body))
                blocks.append(f"- [{month}]({relative(here, url)})")
            else:
                blocks.extend([f"### {month}", _index_lines(of_month, here)])
    return "\n\n".join(blocks) + "\n", months


def _month_file(title: str, sessions: Iterable[facts.SessionFacts], here: str) -> bytes:
    text = f"# {title}\n\n{_index_lines(sessions, here)}\n"
    return text.encode("utf-8", "replace")


def _standing(path: facts.PathFacts) -> str:
    return wording.standing(path.status, is_withdrawn=path.is_withdrawn)


def _index_lines(sessions: Iterable[facts.SessionFacts], here: str) -> str:
    lines: list[str] = []
    told = ((one, path) for one in sessions for path in one.paths if path.markdown_url)
    for session, path in told:
        title = literal(wording.titled(path.title or session.title))
        url = relative(here, path.markdown_url)
        line = f"- {format_moment(path.started)[:10]} [{title}]({url})"
        if path.status is Status.ABANDONED:
            label = wording.shortened(path.label)
            line += f" — {_standing(path)}{': ' + literal(label) if label else ''}"
        lines.append(line)
    return "\n".join(lines)
