"""What a build was asked to do, checked once at the edge."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class Format(StrEnum):
    """What is written for each path."""

    HTML = "html"
    MARKDOWN = "md"


class Detail(StrEnum):
    """How much of a conversation is shown."""

    FULL = "full"
    TALK = "talk"
    """Prompts and replies; tool calls as one line each."""
    PROMPTS = "prompts"
    """The person's words alone."""


class BuildOptions(BaseModel):
    """The options of `everyleaf build`, ours: an unknown one is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sources: tuple[Path, ...]
    output_dir: Path
    title: str = "Session archive"
    projects: tuple[str, ...] = ()
    """Publish only these projects (shell patterns on the name); empty: all."""
    exclude: tuple[str, ...] = ()
    """Leave out sessions and projects whose id or name fits one of these patterns."""
    formats: tuple[Format, ...] = (Format.HTML, Format.MARKDOWN)
    jobs: int = Field(default=0, ge=0)
    """Worker processes; 0: one a core."""
    theme: str = "default"
    """A built-in theme's name, or a folder."""
    is_strict: bool = False
    is_forced: bool = False
    include_archive: bool = False
    strict_paths: bool = False
    detail: Detail = Detail.FULL
    has_front_matter: bool = False
    """Begin each Markdown file with a block of YAML."""
    base_url: str = Field(default="", pattern=r"^(?:https?://[^/?#\s]+/(?:[^?#\s]*/)?)?$")
    """Where the site will stand, with a slash at the end; empty: not known."""
    is_public: bool = False
    """Search engines may list the site."""
    has_search: bool = True
    """Make an index to search all messages; only with HTML."""
