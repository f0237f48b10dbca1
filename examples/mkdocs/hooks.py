"""Draws the transcripts of a MkDocs site with everyleaf's own Markdown parser.

Python-Markdown, which MkDocs draws pages with, reads a fence in a list and code inside of
`<details>` in another way than code hosts do: what is code there can become markup.
"""

from typing import Any

from everyleaf.export.html import draw_block

FOLDER = "transcripts/"
"""In docs/, where `everyleaf build --format md` wrote to."""


def on_page_content(html: str, page: Any, **_: object) -> str:  # noqa: ANN401  (MkDocs's)
    """Return the page as everyleaf draws it, if it is one of its."""
    is_ours = page.file.src_uri.startswith(FOLDER)
    return draw_block(page.markdown, is_in_site=True) if is_ours else html
