"""A comparison as a page that needs no other file."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from markupsafe import Markup
from msgspec.structs import replace

from everyleaf.pages.compare import Contender, Ground, compare_view, path_labels
from everyleaf.pages.comparefiles import inside
from everyleaf.render.parts import Canvas
from everyleaf.theming.load import load_theme
from everyleaf.theming.manifest import PageKind

if TYPE_CHECKING:
    from everyleaf.compare.comparison import Comparison
    from everyleaf.graph.forest import ConversationPath
    from everyleaf.outputs import Blob
    from everyleaf.theming.load import Theme

TEMPLATE = "comparealone.html.j2"


def lone_page(
    comparison: Comparison,
    left: ConversationPath,
    right: ConversationPath,
    *,
    files_only: bool = False,
    theme_name: str = "default",
) -> str:
    """Return one HTML page with its style inside, without links to a site.

    Its policy allows the style by its digest, and nothing else.
    """
    theme = load_theme(theme_name)
    labels = path_labels(left, right)
    title = f"{labels[0]} and {inside(labels[1])} compared"
    canvas = _LoneCanvas(theme.template("parts.html.j2").module, _nowhere)
    ground = Ground(canvas, title, title, "")
    view = compare_view(
        comparison,
        Contender(left, labels[0], _no_url),
        Contender(right, labels[1], _no_url),
        ground,
    )
    if files_only:
        view = replace(view, facts=(), groups=(), words=())
    style = _style(theme)
    digest = b64encode(sha256(style.encode("utf-8")).digest()).decode("ascii")
    with theme.explaining(TEMPLATE):
        return theme.template(TEMPLATE).render(
            page=view,
            files_only=files_only,
            is_cut=bool(canvas.blobs),
            # The theme's own file, in which nothing of a transcript stands.
            style=Markup(style),  # noqa: S704
            policy=f"default-src 'none'; style-src 'sha256-{digest}'",
        )


class _LoneCanvas(Canvas):
    """Where there is no folder beside the page: what is long is cut."""

    def keep(self, blob: Blob) -> str:
        """Take note of `blob`, and lead nowhere."""
        self.blobs[blob.name] = blob
        return "#main"


def _style(theme: Theme) -> str:
    """Return the theme's style sheets as they may stand in a `style` element."""
    sheets = theme.stylesheets(PageKind.COMPARE_ALONE)
    return "\n".join(sheet.body.decode("utf-8") for sheet in sheets).replace("</", "<\\/")


def _nowhere(_agent_id: str) -> None:
    """Link to no agent."""


def _no_url(_uuid: str) -> str:
    return ""
