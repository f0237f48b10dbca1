"""Markdown of a transcript as HTML: nothing raw, nothing loaded, no dangerous links.

markdown-it-py parses it once for both formats: `everyleaf.render.markdown_text` asks the
same parser where blocks are. What makes it fit our pages stands here, as rules for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from everyleaf.render.highlight import code_block

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.parser_inline import RuleFuncInlineType
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_CHARS = 100_000
MAX_MARKS = 20_000
"""Beyond these, the parser takes seconds to make thousands of tiny elements of them."""
MAX_BRACKETS = 3_000
MAX_OPEN = 300
"""Each bracket that is never closed makes the parser look at the rest a hundred times."""
MAX_NESTING = 100
"""Levels of quotes and lists; the parser drops what is deeper, so that much is no prose."""
LEVELS_ABOVE = 2
"""Headings of a page that come before those of a transcript: its title and the prompt."""

_MOST_PARSED = 32
_LONG = 10_000
"""Characters of prose that is kept parsed alone: its tokens take many times its length."""
_LIVE = re.compile(r"(?i)https?://[^/?#]|mailto:[^?]|#m-")
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"'`|\\^{}]{1,2000}")
_TRAILING = "?!.,:;*_~"
_SENTENCE = re.compile(r"[A-Za-z](?:[\w ,.;'!?()/%$@\u2013-\u201d\u2026-]|:(?!//)){0,999}")
"""A line of characters that mean nothing to Markdown: most of what is said."""
_OPENS = re.compile(
    r"(?<![0-9A-Za-z/\\.$=@^)\]}])(?:\*{2,}(?!\*)|\*(?![*./,;:)\]}?!=>|&%+#@-])|_(?!_))"
)
_CLOSES = re.compile(
    r"(?<![\s/\\(\[{])(?:\*+(?!\*)|_(?!_))(?![0-9A-Za-z/\\]|[.-][0-9A-Za-z_*])"
)
"""Marks of emphasis around words that a person typed: of globs, sums and names none is."""
_TASK = re.compile(r"\[([ xX])\](?=\s)")


Parsed = tuple["list[Token]", "MutableMapping[str, object]"]
"""Prose as the parser reads it, and what that knows of footnotes, definitions of links."""
_PARSED: dict[tuple[str, bool], Parsed] = {}
"""The last texts: pages and Markdown files show the same ones, one soon after the other."""


def render_prose(text: str, *, keeps_breaks: bool = False) -> str | None:
    """Return `text` (Markdown, visible characters only) as HTML; None: too hard to parse.

    Tables, task lists, strikethrough, footnotes and bare web addresses are drawn as on a
    code host. With `keeps_breaks` it is what a person typed: breaks, indents, runs of
    blanks, backslashes and numbers of a list are kept, and so are stars and underscores
    that mark no words. Time is linear in `text`: what would take longer is refused.
    """
    text = text.rstrip()
    if _SENTENCE.fullmatch(text) and "_" not in text:
        return f"<p>{text}</p>\n"
    parsed = parse_prose(text, keeps_breaks=keeps_breaks)
    if parsed is None:
        return None
    parser = _parser(is_typed=keeps_breaks)
    tokens, known = parsed
    env = {**known, "keeps_breaks": keeps_breaks}
    rendered: str = parser.renderer.render(tokens, parser.options, env)
    return rendered


def parse_prose(text: str, *, keeps_breaks: bool = False) -> Parsed | None:
    """Return `text` parsed; None where that would take long or nests too deeply."""
    key = (text, keeps_breaks)
    known = _PARSED.get(key)
    if known is not None:
        return known
    opened = text.count("[")
    if (
        len(text) > MAX_CHARS
        or opened > MAX_BRACKETS
        or opened - text.count("]") > MAX_OPEN
        or sum(map(text.count, "*_~|<`\n")) > MAX_MARKS
    ):
        return None
    env: dict[str, object] = {}
    tokens = _parser(is_typed=keeps_breaks).parse(text, env)
    if any(token.block and token.level >= MAX_NESTING - 1 for token in tokens):
        return None
    if len(_PARSED) >= _MOST_PARSED or len(text) > _LONG:
        _PARSED.clear()
    _PARSED[key] = tokens, env
    return tokens, env


def known_tokens(text: str) -> list[Token] | None:
    """Return how `text` was parsed a moment ago; None: not lately, or not at all."""
    parsed = _PARSED.get((text, False)) or _PARSED.get((text, True))
    return parsed[0] if parsed else None


@lru_cache(maxsize=2)
def _parser(*, is_typed: bool) -> MarkdownIt:
    # Slow to import, and few commands draw prose.
    from markdown_it import MarkdownIt  # noqa: PLC0415
    from markdown_it.rules_inline.emphasis import tokenize  # noqa: PLC0415
    from mdit_py_plugins.footnote import footnote_plugin  # noqa: PLC0415

    options = {"html": False, "xhtmlOut": False, "maxNesting": MAX_NESTING}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    parser.core.ruler.after("inline", "fit", _fit)
    for kind, draw in _DRAWN.items():
        parser.add_render_rule(kind, draw)
    if is_typed:
        parser.disable(_NOT_TYPED)
        parser.inline.ruler.at("newline", _keep_line)
        parser.core.ruler.before("inline", "typed", _keep_indents)
        parser.inline.ruler.at("emphasis", partial(_mark_typed, tokenize))
    return parser


def is_live(url: str) -> bool:
    """Return whether a transcript's link may work: web, mail, or a message of the page."""
    return _LIVE.match(url) is not None


def _fit(state: StateCore) -> None:
    """Give headings levels of which none is left out, styles classes, tasks their boxes."""
    above: list[str] = []
    for index, token in enumerate(state.tokens):
        match token.type:
            case "heading_open":
                while above and above[-1] >= token.tag:
                    above.pop()
                above.append(token.tag)
                token.tag = f"h{min(LEVELS_ABOVE + len(above), 6)}"
            case "heading_close":
                token.tag = f"h{min(LEVELS_ABOVE + len(above), 6)}"
            case "th_open" | "td_open" if "style" in token.attrs:
                side = str(token.attrs.pop("style")).removeprefix("text-align:")
                token.attrSet("class", f"to-{side}")
            case "inline" if token.children:
                if index >= 2 and state.tokens[index - 2].type == "list_item_open":
                    _fit_task(token.children, item=state.tokens[index - 2])
                token.children = list(_fitted(token.children))
            case _:
                pass


def _fit_task(children: list[Token], *, item: Token) -> None:
    found = _TASK.match(children[0].content) if children[0].type == "text" else None
    if found:
        # Its class is not imported: the parser takes long to load, and is seldom needed.
        task = type(item)("task", "", 0, meta={"is_done": found[1] != " "})
        children[0].content = children[0].content[found.end() :]
        children.insert(0, task)
        item.attrSet("class", "task-item")


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


def _keep_line(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
    """Take a line break and nothing around it, whatever stands before or after it."""
    if state.src[state.pos] != "\n":
        return False
    if not silent:
        state.push("softbreak", "br", 0)
    state.pos += 1
    return True


def _keep_indents(state: StateCore) -> None:
    """Give paragraphs the blanks they begin with, items of a list the number they have."""
    lines = state.src.split("\n")
    for token in state.tokens:
        match token.type:
            case "inline" if token.level == 1 and token.map:
                line = lines[token.map[0]]
                token.content = line[: len(line) - len(line.lstrip(" \t"))] + token.content
            case "list_item_open" if token.info:
                token.attrSet("value", token.info)
            case "paragraph_open" | "paragraph_close":
                token.hidden = False
            case _:
                pass


def _mark_typed(
    tokenize: RuleFuncInlineType,
    state: StateInline,
    silent: bool,  # noqa: FBT001
) -> bool:
    """Take marks of emphasis; of what a person types many are none: `src/*.py`."""
    start, known = state.pos, len(state.delimiters)
    if not tokenize(state, silent):
        return False
    opens, closes = (rule.match(state.src, start) for rule in (_OPENS, _CLOSES))
    for mark in state.delimiters[known:]:
        mark.open = mark.open and opens is not None
        mark.close = mark.close and closes is not None
    return True


def drawn_by(draw: Callable[[Token], str]) -> Callable[..., str]:
    """Return a rule of a parser that draws each token alone."""

    def rule(_renderer: object, tokens: Sequence[Token], index: int, *_: object) -> str:
        return draw(tokens[index])

    return rule


def _draw_code(token: Token) -> str:
    words = token.info.split(maxsplit=1)
    return code_block(token.content, words[0] if words else "")


def _draw_task(token: Token) -> str:
    if token.meta["is_done"]:
        return '<span class="task done" role="img" aria-label="done">☑</span>'
    return '<span class="task" role="img" aria-label="to do">☐</span>'


_NOT_TYPED = ("escape", "entity", "autolink", "footnote_inline", "reference")
"""What takes characters away that mean something else where a person types or pastes."""
_DRAWN: dict[str, Callable[..., str]] = {
    "fence": drawn_by(_draw_code),
    "code_block": drawn_by(_draw_code),
    "task": drawn_by(_draw_task),
    # Alone, as blanks of what was typed are kept.
    "softbreak": lambda *values: "<br>" if values[-1]["keeps_breaks"] else "\n",
    "table_open": lambda *_: (
        '<div class="table-scroll" tabindex="0"><table class="table">\n'
    ),
    "table_close": lambda *_: "</table></div>\n",
    # No link: its id would have to be unique on a page that this text knows nothing of.
    "footnote_ref": drawn_by(lambda token: f"<sup>[{token.meta['id'] + 1}]</sup>"),
    "footnote_block_open": lambda *_: '<section class="footnotes"><ol>',
    "footnote_block_close": lambda *_: "</ol></section>\n",
    "footnote_open": lambda *_: "<li>",
    "footnote_anchor": lambda *_: "",
}
"""What tokens become that are drawn in our own way."""
