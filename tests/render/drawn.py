"""Turns drawn with the default theme, and pages read back with a real HTML parser."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import html5lib
from markupsafe import Markup
from msgspec.structs import replace

from everyleaf.render.entries import Fragment, assign_anchors
from everyleaf.render.html import NUMBER_MARK, Canvas, draw_parts, render_html
from everyleaf.render.view import OutlineItem, OutlineKind
from everyleaf.theming.load import load_theme
from everyleaf.transcript.document import (
    AnyEntry,
    Part,
    Reply,
    Rewritten,
    TurnDocument,
    TurnFacts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from xml.etree.ElementTree import Element

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mNQSFgAQQxwFgBAlAbBcOch"
    "UAAAAABJRU5ErkJggg=="
)
"""A picture of 3 by 2 pixels, as its header says."""

HANDLERS_AND_CO = ("srcdoc", "style", "formaction", "xlink:href", "action")


def agent_url(session: str, agent_id: str) -> str | None:
    return None if agent_id == "lost" else f"../agents/agent_{session}_{agent_id}.html"


def render(made: TurnDocument, anchors: Mapping[str, str]) -> Fragment:
    return render_html(made, anchors, theme=load_theme("default"), agent_url=agent_url)


def document(*entries: AnyEntry) -> TurnDocument:
    return TurnDocument("s1", 0, entries, TurnFacts(), ())


def uuids_of(entries: tuple[AnyEntry, ...]) -> Iterator[str]:
    for entry in entries:
        yield from (entry.uuid, *entry.also)
        if isinstance(entry, Rewritten):
            yield from uuids_of(entry.entries)


def draw(*entries: AnyEntry) -> Fragment:
    return render(document(*entries), assign_anchors(uuids_of(entries)))


def number_prompts(turn: Fragment, first: int) -> tuple[Markup, list[OutlineItem]]:
    """Return the HTML and the outline of `turn` with its prompts numbered from `first`."""
    start, *pieces = turn.text.split(NUMBER_MARK)
    html = start + "".join(f"{first + n}{piece}" for n, piece in enumerate(pieces))
    numbers = count(first)
    outline = [
        replace(item, number=next(numbers)) if item.kind is OutlineKind.PROMPT else item
        for item in turn.outline
    ]
    return Markup(html), outline  # noqa: S704


def draw_part(*parts: Part) -> str:
    canvas = Canvas(
        macros=load_theme("default").template("parts.html.j2").module,
        find_agent=lambda agent_id: agent_url("s1", agent_id),
    )
    return str(draw_parts(parts, canvas))


def reply(*parts: Part) -> Reply:
    return Reply(uuid="0a1b2c3d-0000", parts=parts)


def parse(html: str) -> Element:
    """Return the body of `html` as a browser would build it."""
    parsed: Element = html5lib.parse(html, namespaceHTMLElements=False)
    body = parsed.find("body")
    assert body is not None
    return body


def text_of(element: Element) -> str:
    return "".join(element.itertext())


def texts(html: str, *, tag: str, css_class: str = "") -> list[str]:
    """Return the text of each element with that tag and class, in page order."""
    return [
        text_of(element)
        for element in parse(html).iter(tag)
        if not css_class or css_class in element.get("class", "").split()
    ]


def dangers(html: str) -> list[str]:
    """Return what no page may hold, whatever a transcript says."""
    found: list[str] = []
    for element in parse(html).iter():
        tag = str(element.tag)
        if tag in {"script", "style", "iframe", "object", "embed", "base", "form", "link"}:
            found.append(f"<{tag}>")
        for name, value in element.attrib.items():
            if name.startswith("on") or name in HANDLERS_AND_CO:
                found.append(f"<{tag} {name}>")
            if name in {"href", "src"} and not is_ours_or_live(value):
                found.append(f"{name}={value}")
    return found


def is_ours_or_live(url: str) -> bool:
    return url.lower().startswith(
        ("http://", "https://", "mailto:", "#m-", "../blobs/", "../agents/agent_s1_")
    )


_NUMBERS = count(1)


def fresh_uuid() -> str:
    return f"{next(_NUMBERS):08x}-0000-4000-8000-000000000000"
