"""How a build grows, as a picture: an SVG without a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH, HEIGHT, EDGE = 640, 400, 56
TITLE = "Cold build: CPU seconds over input; dashed: linear"
INK, PALE, LINE = "#222", "#999", "#0b63c5"


def growth_svg(points: Sequence[tuple[float, float]]) -> str:
    """Return a plot of seconds over megabytes, and of what would be linear.

    `points` are (MB, seconds), the smallest first; both axes begin at 0. The dashed line
    goes from the origin through the first point.
    """
    most_mb = max(mb for mb, _ in points)
    linear = points[0][1] / points[0][0] * most_mb
    most_s = max(linear, *(seconds for _, seconds in points))

    def place(mb: float, seconds: float) -> tuple[float, float]:
        x = EDGE + mb / most_mb * (WIDTH - 2 * EDGE)
        return round(x, 1), round(HEIGHT - EDGE - seconds / most_s * (HEIGHT - 2 * EDGE), 1)

    shapes = [
        _line([place(0, 0), place(most_mb, 0)], PALE),
        _line([place(0, 0), place(0, most_s)], PALE),
        _line([place(0, 0), place(most_mb, linear)], PALE, dashes="4 4"),
        _line([place(*point) for point in points], LINE),
        *_labels([(place(*point), point) for point in points]),
        f'<text x="{EDGE}" y="24" fill="{INK}">{TITLE}</text>',
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="13">'
        '<rect width="100%" height="100%" fill="#fff"/>' + "".join(shapes) + "</svg>\n"
    )


def _line(places: Sequence[tuple[float, float]], colour: str, dashes: str = "") -> str:
    points = " ".join(f"{x},{y}" for x, y in places)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{points}" fill="none" stroke="{colour}"{dashed}/>'


def _labels(
    placed: Sequence[tuple[tuple[float, float], tuple[float, float]]],
) -> Iterator[str]:
    for (x, y), (mb, seconds) in placed:
        yield f'<circle cx="{x}" cy="{y}" r="4" fill="{LINE}"/>'
        yield f'<text x="{x}" y="{HEIGHT - EDGE + 18}" text-anchor="middle" fill="{INK}">'
        yield f"{mb:.0f} MB</text>"
        yield f'<text x="{x}" y="{y - 10}" text-anchor="middle" fill="{INK}">'
        yield f"{seconds:.1f} s</text>"
