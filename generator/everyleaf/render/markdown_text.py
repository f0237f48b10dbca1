"""Text from a transcript as Markdown for a code host: nothing reaches beyond itself.

Short texts become words, code spans, fences and links. Prose keeps its own markup: its
source is edited where the parser sees what may not stay, and looked at again afterwards.
What is not provably harmless then is shown as plain text in a fence.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from pyromark import reference_definitions

from everyleaf.render.prose import (
    MARKDOWN,
    MAX_NESTING,
    apply_edits,
    cut,
    edit,
    html_edits,
    is_live,
    quoted,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.render.prose import Edit, Piece

DEMOTED_BY = 2
"""A transcript's first-level heading becomes our third level: the first two are ours."""
MAX_PROSE = 400_000
"""Characters; longer prose is shown as plain text."""

_MARKUP = re.compile(
    r"[\\`*\[\]$]"  # always markup
    r"|(?<![^\W_])_|_(?![^\W_])"  # not inside a word, where it is none
    r"|<(?=[A-Za-z/!?])"
    r"|~(?=~)|(?<=~)~"
    r"|&(?=#|\w+;)"
)
_LINE_MARKER = re.compile(r"[-+=#>]|[0-9]{1,9}[.)]")
_RUNS = re.compile(r"`+")
_LANGUAGE = re.compile(r"[A-Za-z0-9+#_-]{1,30}")
_SETEXT = re.compile(rb"\n[^\n]*?(=+|-+)[ \t]*$")
_TAG = re.compile(rb"<(?=[A-Za-z/!?])")
_FENCE = re.compile(rb"(`{3,}|~{3,})")


def one_line(text: str) -> str:
    """Return `text` without line breaks; what stands around them becomes one space."""
    return " ".join(filter(None, map(str.strip, text.split("\n"))))


def literal(text: str, *, starts_block: bool = False) -> str:
    r"""Return Markdown that shows `text` as it is, on one line.

    `starts_block` says that nothing stands before it in its paragraph or list item.

    >>> literal("a <b> *c* snake_case")
    'a &lt;b> \\*c\\* snake_case'
    """
    line = _MARKUP.sub(_escape, one_line(text))
    marker = _LINE_MARKER.match(line) if starts_block else None
    if marker is None:
        return line
    return f"{line[: marker.end() - 1]}\\{line[marker.end() - 1 :]}"


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return {"<": "&lt;", "&": "&amp;"}.get(character, f"\\{character}")


def code_span(text: str) -> str:
    """Return `text` as inline code, on one line; nothing where there is nothing."""
    line = one_line(text)
    if not line:
        return ""
    ticks = "`" * (_longest_run(line) + 1) if "`" in line else "`"
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence(text: str, language: str = "") -> str:
    """Return `text` as a fenced block that nothing inside can close.

    `language` may be a file name; what is no plain word is left out.
    """
    ticks = "`" * max(3, _longest_run(text) + 1)
    name = language.rsplit("/", 1)[-1].rsplit(".", 1)[-1]
    info = name if _LANGUAGE.fullmatch(name) else ""
    body = text.rstrip("\n")
    return f"{ticks}{info}\n{body}\n{ticks}" if body else f"{ticks}{info}\n{ticks}"


def _longest_run(text: str) -> int:
    return max(map(len, _RUNS.findall(text)), default=0)


def link(text: str, url: str) -> str:
    """Return a link where the scheme of `url` is allowed, else both as text."""
    if not is_live(url):
        shown = literal(text, starts_block=True)
        return f"{shown} ({code_span(url)})" if url != text else shown
    return f"[{literal(text)}](<{quoted(one_line(url))}>)"


def in_html(text: str) -> str:
    """Return `text` for the inside of an HTML tag that we write, on one line."""
    return html.escape(one_line(text), quote=False)


def cell(text: str) -> str:
    """Return `text` for a table cell: no pipe ends it, line breaks are kept as `<br>`."""
    lines = (literal(line).replace("|", "\\|") for line in text.strip("\n").split("\n"))
    return "<br>".join(lines)


def prose(text: str, *, keeps_breaks: bool = False) -> str:
    """Return `text` (Markdown) with the same look, and nothing that reaches beyond it.

    Raw HTML, definitions of links and footnotes, pictures and unsafe links become text;
    headings are demoted by two levels; an open fence is closed. With `keeps_breaks` every
    line break of a paragraph stays one. Time is linear in `text`.
    """
    text = text.rstrip()
    edited = edit(text, _harmful) if len(text) <= MAX_PROSE else None
    if edited is None:
        return fence(text, "text")
    source, pieces = edited
    fitted = apply_edits(source, _fitting(source, pieces, keeps_breaks=keeps_breaks))
    fitted += _closing(fitted, pieces if fitted == source else cut(fitted))
    if fitted != source:
        source, pieces = fitted, cut(fitted)
        if any(True for _ in _harmful(source, pieces)):
            return fence(text, "text")
    return source.decode() if _is_contained(source, pieces) else fence(text, "text")


def _harmful(source: bytes, pieces: list[Piece]) -> Iterator[Edit]:
    """Yield what makes text of all that may not be markup.

    What begins like a tag is none for the parser if it never ends; other programs may see
    that differently.
    """
    if b"]:" in source:
        known = reference_definitions(source.decode(), options=MARKDOWN)
        for definition in known.values():
            at = source.index(b"[", definition["span"]["start"])
            yield at, at, b"\\"
    is_code = False
    for piece in pieces:
        start, end = piece.start, piece.end
        if piece.element == "CodeBlock":
            is_code = piece.kind == "Start"
        elif piece.kind == "Text":
            if not is_code and source.find(b"<", start, end) >= 0:
                yield from _tag_edits(source, start, end)
        elif piece.kind == "InlineHtml" or piece.element == "HtmlBlock":
            yield from html_edits(source, piece)
        elif piece.kind == "Start":
            yield from _element_edits(source, piece)


def _tag_edits(source: bytes, start: int, end: int) -> Iterator[Edit]:
    for tag in _TAG.finditer(source, start, end + 1):
        at = tag.start()
        if source[at - 1 : at] != b"\\":
            yield at, at + 1, b"&lt;"


def _element_edits(source: bytes, piece: Piece) -> Iterator[Edit]:
    start = piece.start
    match piece.element:
        case "Image":
            yield start, start, b"\\"
        case "FootnoteDefinition":
            at = source.index(b"[", start)
            yield at, at, b"\\"
        case "Link" if not is_live(piece.value["dest_url"]):
            if piece.value["link_type"] == "Autolink":
                yield start, start + 1, b"&lt;"
            elif piece.value["link_type"] == "Inline":
                yield start, start, b"\\"
        case _:
            pass


def _fitting(source: bytes, pieces: list[Piece], *, keeps_breaks: bool) -> Iterator[Edit]:
    """Yield what makes headings ours to place, and keeps the breaks of paragraphs."""
    hashes = b""
    is_broken = False
    for kind, element, value, start, end in pieces:
        if is_broken and hashes:
            yield start, start, hashes
        is_broken = kind in {"SoftBreak", "HardBreak"}
        if element == "Heading" and kind == "Start":
            level = int(value["level"][1])
            heading = source[start:end].rstrip()
            underline = _SETEXT.search(heading)
            if underline is None:
                yield start, start, b"#" * min(DEMOTED_BY, 6 - level)
            else:
                hashes = b"#" * (DEMOTED_BY + level) + b" "
                yield start, start, hashes
                yield start + underline.start(1), start + len(heading), b""
        elif element == "Heading":
            hashes = b""
        elif kind == "SoftBreak" and keeps_breaks and not hashes:
            at = source.index(b"\n", start)
            yield at, at, b"  "


def _closing(source: bytes, pieces: list[Piece]) -> bytes:
    """Return what closes the last fence, if it reaches the end of the text unclosed."""
    last = next((at for at in range(len(pieces) - 1, -1, -1) if _is_block(pieces[at])), -1)
    if last < 0 or pieces[last].value == "Indented":
        return b""
    block = pieces[last]
    opening = _FENCE.match(source, block.start)
    if opening is None or source[block.end :].strip():
        return b""
    text_end = source.find(b"\n", block.start, block.end)
    for inside in pieces[last + 1 :]:
        if inside.kind != "Text":
            break
        text_end = inside.end
    closed_by = source[text_end : block.end] if text_end >= 0 else b""
    is_closed = closed_by.strip(b" \t\n>").startswith(opening[1])
    return b"" if is_closed else b"\n" + opening[1]


def _is_block(piece: Piece) -> bool:
    return piece.element == "CodeBlock" and piece.kind == "Start"


def _is_contained(source: bytes, pieces: list[Piece]) -> bool:
    """Return whether nothing reaches beyond `source`: no heading of ours, no open fence."""
    depth = 0
    for piece in pieces:
        if piece.kind == "Start":
            depth += 1
            is_ours = piece.element == "Heading" and piece.value["level"] in {"H1", "H2"}
            if is_ours or depth > MAX_NESTING:
                return False
        elif piece.kind == "End":
            depth -= 1
    return not _closing(source, pieces)
