"""A path as one HTML file: style and pictures inside, no script, nothing fetched.

It is the Markdown file of the path, drawn: what transcripts say is harmless there even to
a reader that allows HTML, and of that only our own tags are let through. Long outputs show
both ends, as on pages; links to files that are not there are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from everyleaf.export.steps import GroupReader, Written, file_name
from everyleaf.graph.forest import ConversationPath
from everyleaf.pages.markdown import markdown_page
from everyleaf.pages.pathpage import GroupContext, path_page
from everyleaf.pages.sourcing import open_alone
from everyleaf.render.prose import drawn_by, is_live
from everyleaf.theming.formats import visible
from everyleaf.theming.headers import style_digest

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

_BLOBS = "blobs/"
_MARKDOWN_END = re.compile(r"\.md(?=#|$)")
_OURS = re.compile(
    r'<a id="[\w.-]+"></a>|</?(?:a|summary|b|code|br)>|<details(?: open)?>|</details>'
    r'|<a id="[\w.-]+">|<!-- -->'
)
"""The tags that our Markdown is written with."""
_HEAD = (
    "<!doctype html><html lang=en><meta charset=utf-8>"
    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none';{sources}"
    "base-uri 'none';form-action 'none'\">"
    '<meta name=viewport content="width=device-width">'
    "<meta name=robots content=noindex>"
    "<title>{title}</title>{style}\n"
)
"""Short, since many paths are; a reader's own colours, dark ones as well."""


def export_html(reader: GroupReader, path: ConversationPath) -> Iterator[Written]:
    """Yield the page of `path`, with as much of it as the group's detail says.

    It has a style of its own, unless that made a short one larger than twice its Markdown.
    """
    group = _open_group(reader)
    page = markdown_page(path_page(group, reader.sessions[path.session], path))
    blocks = [b if isinstance(b, str) else group.drawer.markdown(b) for b in page.blocks]
    body = "".join(map(draw_block, blocks))
    title = visible(path.label or path.title) or "Untitled"
    blobs = sorted(group.drawer.blobs.items())
    shown = tuple(blob for name, blob in blobs if f'src="{name}"' in body)
    always, rules = _rules()
    # Of what is in it: the first tag of a rule says what that is for.
    style = always + "".join(one for tag, one in rules.items() if f"<{tag}" in body)
    whole = _whole(title, body, style)
    if len(whole) > 2 * len("".join(blocks).encode("utf-8", "replace")):
        whole = _whole(title, body, "")
    yield Written(f"{file_name(path)}.html", whole, shown)


def _whole(title: str, body: str, style: str) -> bytes:
    styles = f"style-src '{style_digest(style)}';" if style else ""
    pictures = "img-src data:;" if "<img" in body else ""
    head = _HEAD.format(
        sources=styles + pictures,
        title=escape(title),
        style=f"<style>{style}</style>" if style else "",
    )
    return f"{head}{body}".encode("utf-8", "replace")


@lru_cache(maxsize=1)
def _open_group(reader: GroupReader) -> GroupContext:
    """Return what the pages of a session group share: each turn is drawn once."""
    return open_alone(reader.work, reader.detail, is_redacted=reader.is_redacted)


def draw_block(text: str, *, is_in_site: bool = False) -> str:
    """Return our Markdown as HTML, of which no tag is anybody else's.

    Pictures have their names as addresses, and links to other files are text; `is_in_site`
    keeps both, `.md` as `.html`: for a site generator whose own Markdown is another one.
    """
    drawn: str = _parser(is_in_site=is_in_site).render(text)
    return drawn


@lru_cache(maxsize=1)
def _rules() -> tuple[str, dict[str, str]]:
    """Return the rule for all pages, and those for what only some have, by tag."""
    always, *lines = (Path(__file__).parent / "page.css").read_text("utf-8").splitlines()
    return always, {re.split(r"\W", one, maxsplit=1)[0]: one for one in lines}


@lru_cache(maxsize=2)
def _parser(*, is_in_site: bool) -> MarkdownIt:
    # Slow to import, and few commands draw prose.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    parser = MarkdownIt("commonmark", {"html": True, "xhtmlOut": False})
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.after("inline", "fit", _fit_into_site if is_in_site else _fit)
    for kind in ("html_inline", "html_block"):
        parser.add_render_rule(kind, drawn_by(_draw_html))
    parser.add_render_rule("fence", drawn_by(_draw_fence))
    # End tags that HTML need not have: whatever follows is their end.
    for kind in () if is_in_site else ("paragraph_close", "list_item_close"):
        parser.add_render_rule(kind, drawn_by(lambda token: "" if token.hidden else "\n"))
    return parser


def _fit(state: StateCore) -> None:
    """Make text of links to other files, and of pictures their names.

    Columns of tables get their side by an attribute: the page's policy allows no style.
    """
    for token in state.tokens:
        if token.type in {"th_open", "td_open"} and "style" in token.attrs:
            side = str(token.attrs.pop("style")).removeprefix("text-align:")
            token.attrSet("align", side)
        if token.children:
            token.children = list(_fitted(token.children))


def _fit_into_site(state: StateCore) -> None:
    """Lead links to other Markdown files to the pages that are made of them."""
    for token in (child for block in state.tokens for child in block.children or ()):
        url = str(token.attrGet("href") or "")
        if token.type == "link_open" and not is_live(url):
            token.attrSet("href", _MARKDOWN_END.sub(".html", url))


def _fitted(children: Sequence[Token]) -> Iterator[Token]:
    are_live: list[bool] = []
    for token in children:
        match token.type:
            case "link_open":
                are_live.append(is_live(str(token.attrGet("href") or "")))
                token.attrSet("rel", "nofollow noreferrer")
                if are_live[-1]:
                    yield token
            case "link_close":
                if are_live.pop():
                    yield token
            case "image":
                token.attrSet("src", str(token.attrGet("src")).removeprefix(_BLOBS))
                yield token
            case _:
                yield token


def _draw_html(token: Token) -> str:
    return escape(token.content) if "<" in _OURS.sub("", token.content) else token.content


def _draw_fence(token: Token) -> str:
    lines = escape(token.content, quote=False).split("\n")
    if token.info.strip() == "diff":
        marks = {"+": "ins", "-": "del"}
        tags = (marks.get(line[:1]) for line in lines)
        pairs = zip(tags, lines, strict=True)
        lines = [f"<{tag}>{line}</{tag}>" if tag else line for tag, line in pairs]
    return "<pre>" + "\n".join(lines) + "</pre>\n"
