"""What all pages of a site have in common."""

from __future__ import annotations

from dataclasses import dataclass

from everyleaf.config import Detail
from everyleaf.pages.addresses import MARKDOWN_DIR


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The title, the theme and the formats of a site."""

    title: str
    theme: str = "default"
    has_html: bool = True
    has_markdown: bool = True
    detail: Detail = Detail.FULL
    has_front_matter: bool = False
    """Markdown files begin with a block of YAML."""

    @property
    def markdown_dir(self) -> str:
        """Return the folder of the Markdown files: the root where there is no HTML."""
        return MARKDOWN_DIR if self.has_html else ""
