"""Sums as a bar chart: one svg element that can stand inline in a page, or alone."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from everyleaf.survey.stats import By

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.survey.stats import Sums

WIDTH = 720
ROW = 24
LABEL_WIDTH = 210
LABEL_CHARS = 30
VALUE_WIDTH = 110
_TOP = 40
_TITLES = {
    By.PROJECT: "Output tokens by project",
    By.DAY: "Output tokens by day (UTC)",
    By.WEEK: "Output tokens by week (UTC)",
    By.MONTH: "Output tokens by month (UTC)",
    By.MODEL: "Output tokens by model",
}


def draw_chart(sums: Sequence[Sums], by: By) -> str:
    """Return `sums` as an svg with a bar a row; the same sums give the same bytes.

    It names itself and says its numbers in words for who cannot see it, takes its colours
    from the text around it, and holds no style sheet, no script and no link.
    """
    height = _TOP + ROW * max(len(sums), 1) + 8
    title = _TITLES[by]
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' width="{WIDTH}" height="{height}" role="img" fill="currentColor"'
            f' aria-labelledby="stats-{by}-title stats-{by}-desc"'
            ' font-family="system-ui, sans-serif" font-size="13">'
        ),
        f'<title id="stats-{by}-title">{title}</title>',
        f'<desc id="stats-{by}-desc">{_text(_words(sums))}</desc>',
        f'<text x="8" y="24" font-size="16" font-weight="600">{title}</text>',
        *_rows(sums),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _words(sums: Sequence[Sums]) -> str:
    if not sums:
        return "No session has any."
    return "; ".join(f"{one.name}: {one.usage.output:,}" for one in sums)


def _rows(sums: Sequence[Sums]) -> Iterator[str]:
    if not sums:
        yield f'<text x="8" y="{_TOP + 16}">Nothing to show</text>'
    most = max((one.usage.output for one in sums), default=0) or 1
    room = WIDTH - LABEL_WIDTH - VALUE_WIDTH
    for number, one in enumerate(sums):
        top = _TOP + ROW * number
        size = max(1, one.usage.output * room // most)
        name = one.name
        label = name if len(name) <= LABEL_CHARS else f"{name[: LABEL_CHARS - 1]}…"
        middle = top + 16
        yield (
            f'<text x="{LABEL_WIDTH - 8}" y="{middle}" text-anchor="end">'
            f"{_text(label)}</text>"
        )
        yield (
            f'<rect x="{LABEL_WIDTH}" y="{top + 3}" width="{size}" height="{ROW - 8}"'
            ' rx="2" fill-opacity="0.55"/>'
        )
        yield (
            f'<text x="{LABEL_WIDTH + size + 8}" y="{middle}">{one.usage.output:,}</text>'
        )


def _text(text: str) -> str:
    """Return `text` for an element: what XML forbids is shown as a mark."""
    shown = "".join(
        c if c.isprintable() or c == " " else "\N{REPLACEMENT CHARACTER}" for c in text
    )
    return escape(shown)
