"""What makes Markdown of a transcript fit our pages: rules for the parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.render.highlight import code_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

LEVELS_ABOVE = 2
"""Headings of a page that come before those of a transcript: its title and the prompt."""

TABLE_OPEN = '<div class="table-scroll" tabindex="0"><table class="table">'
TABLE_CLOSE = "</table></div>"

_LIVE = re.compile(r"(?i)https?://[^/?#]|mailto:[^?]|#m-")
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}]{1,2000}")
_TRAILING = "?!.,:;*_~"
_TASK = re.compile(r"\[([ xX])\](?=\s)")


def is_live(url: str) -> bool:
    """Return whether a transcript's link may work: web, mail, or a message of the page."""
    return _LIVE.match(url) is not None


def install(parser: MarkdownIt) -> None:
    """Add all rules of this module to `parser`, which must not allow raw HTML."""
    parser.core.ruler.after("inline", "fit_headings", _fit_headings)
    parser.core.ruler.after("inline", "fit_blocks", _fit_blocks)
    parser.core.ruler.after("fit_blocks", "fit_links", _fit_links)
    parser.add_render_rule("fence", _render_code)
    parser.add_render_rule("code_block", _render_code)
    parser.add_render_rule("task", _render_task)
    parser.add_render_rule("table_open", _always(f"{TABLE_OPEN}\n"))
    parser.add_render_rule("table_close", _always(f"{TABLE_CLOSE}\n"))
    parser.add_render_rule("footnote_ref", _render_footnote_ref)
    parser.add_render_rule(
        "footnote_block_open", _always('<section class="footnotes"><ol>')
    )
    parser.add_render_rule("footnote_block_close", _always("</ol></section>\n"))
    parser.add_render_rule("footnote_open", _always("<li>"))
    parser.add_render_rule("footnote_anchor", _always(""))


class Outline:
    """Gives headings the levels of an outline below ours, in which none is left out."""

    def __init__(self) -> None:
        """Begin a text."""
        self._above: list[str] = []

    def tag(self, written: str) -> str:
        """Return the tag of the next heading, which was `written` as `h1` to `h6`."""
        while self._above and self._above[-1] >= written:
            self._above.pop()
        self._above.append(written)
        return self.last_tag()

    def last_tag(self) -> str:
        """Return the tag of the heading that was met last."""
        return f"h{min(LEVELS_ABOVE + len(self._above), 6)}"


def _fit_headings(state: StateCore) -> None:
    outline = Outline()
    for token in state.tokens:
        if token.type == "heading_open":
            token.tag = outline.tag(token.tag)
        elif token.type == "heading_close":
            token.tag = outline.last_tag()


def _fit_blocks(state: StateCore) -> None:
    """Turn inline styles into classes, find the items of task lists."""
    for index, token in enumerate(state.tokens):
        if token.type in {"th_open", "td_open"} and "style" in token.attrs:
            side = str(token.attrs.pop("style")).removeprefix("text-align:")
            token.attrSet("class", f"to-{side}")
        elif token.type == "inline" and index >= 2:
            _fit_task(token, item=state.tokens[index - 2])


def _fit_task(token: Token, *, item: Token) -> None:
    children = token.children
    if item.type != "list_item_open" or not children or children[0].type != "text":
        return
    found = _TASK.match(children[0].content)
    if found:
        # Its class is not imported: the parser takes long to load, and is seldom needed.
        task = type(token)("task", "", 0, meta={"is_done": found[1] != " "})
        children[0].content = children[0].content[found.end() :]
        children.insert(0, task)
        item.attrSet("class", "task-item")


def _fit_links(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = list(_fitted(token.children))


def _fitted(children: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens of a line of prose: links live or inert, pictures as links."""
    tags: list[str] = []
    for token in children:
        match token.type:
            case "link_open":
                tags.append(_fit_link(token))
                yield token
            case "link_close":
                token.tag = tags.pop()
                yield token
            case "image":
                yield from _fit_image(token, is_in_link=bool(tags))
            case "text" if not tags and "://" in token.content:
                yield from _autolinked(token)
            case _:
                yield token


def _fit_link(token: Token) -> str:
    """Make `token` a live link, or text that says where it would lead; return its tag."""
    url = str(token.attrGet("href") or "")
    if is_live(url):
        token.attrSet("rel", "nofollow noopener")
    else:
        token.tag = "span"
        token.attrs = {"class": "ref", "title": url} if url else {}
    return token.tag


def _fit_image(token: Token, *, is_in_link: bool) -> Iterator[Token]:
    """Yield a link to a picture: nothing is loaded from another host."""
    url = str(token.attrGet("src") or "")
    make = type(token)
    text = make("text", "", 0, content=token.content or url)
    if is_in_link:
        yield text
    else:
        opening = make("link_open", "a", 1, attrs={"href": url})
        yield opening
        _fit_link(opening)
        yield text
        yield make("link_close", opening.tag, -1)


def _autolinked(token: Token) -> Iterator[Token]:
    """Yield `token` with its web addresses as links."""
    at, text, make = 0, token.content, type(token)
    for found in _WEB_ADDRESS.finditer(text):
        url = _without_tail(found[0])
        if not is_live(url):
            continue
        yield make("text", "", 0, content=text[at : found.start()])
        at = found.start() + len(url)
        yield make("link_open", "a", 1, attrs={"href": url, "rel": "nofollow noopener"})
        yield make("text", "", 0, content=url)
        yield make("link_close", "a", -1)
    yield make("text", "", 0, content=text[at:])


def _without_tail(url: str) -> str:
    """Return `url` without the punctuation of the sentence that it ends."""
    while True:
        url = url.rstrip(_TRAILING)
        closing = next((pair for pair in ("()", "[]") if url.endswith(pair[1])), "")
        if not closing or url.count(closing[0]) >= url.count(closing[1]):
            return url
        url = url[:-1]


def _render_code(
    _renderer: object, tokens: Sequence[Token], index: int, *_rest: object
) -> str:
    words = tokens[index].info.split(maxsplit=1)
    return code_block(tokens[index].content, words[0] if words else "")


def _render_task(
    _renderer: object, tokens: Sequence[Token], index: int, *_rest: object
) -> str:
    if tokens[index].meta["is_done"]:
        return '<span class="task done" role="img" aria-label="done">☑</span>'
    return '<span class="task" role="img" aria-label="to do">☐</span>'


def _render_footnote_ref(
    _renderer: object, tokens: Sequence[Token], index: int, *_rest: object
) -> str:
    # No link: its id would have to be unique on a page that this text knows nothing of.
    return f"<sup>[{tokens[index].meta['id'] + 1}]</sup>"


def _always(html: str) -> Callable[..., str]:
    return lambda *_: html
