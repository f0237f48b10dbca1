"""What a build was asked to do, checked once at the edge."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Struct

BASE_URL = r"^(?:https?://[^/?#\s]+/(?:[^?#\s]*/)?)?$"
ORIGIN = r"^https?://(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*(?::[0-9]{1,5})?$"
"""Nothing else: it stands in a header."""


class Format(StrEnum):
    """What is written for each path."""

    HTML = "html"
    MARKDOWN = "md"


class Detail(StrEnum):
    """How much of a conversation is shown."""

    FULL = "full"
    DIGEST = "digest"
    """Prompts, what was done for each in one line, and the answers."""
    TALK = "talk"
    """Prompts and replies; tool calls as one line each."""
    PROMPTS = "prompts"
    """The person's words alone."""


class Left(StrEnum):
    """What can be left out of every conversation."""

    THINKING = "thinking"
    TOOLS = "tools"
    """Calls, their results, and what is told of files because of them."""
    AGENTS = "agents"
    """The transcripts of subagents; the calls that started them stay."""
    IMAGES = "images"
    ABANDONED = "abandoned"
    """Every attempt that was left, and each fork that led to one."""


class Images(StrEnum):
    """What becomes of the pictures of a conversation."""

    KEEP = "keep"
    """Published, without the metadata in them."""
    PLACEHOLDER = "placeholder"
    """A line says that there was one."""
    DROP = "drop"
    """Left out, without a trace."""


class Mode(StrEnum):
    """How far a class of redactions goes."""

    ON = "on"
    OFF = "off"
    CUSTOM = "custom"
    """Only a person's own words and patterns."""


class Group(StrEnum):
    """The classes of redactions."""

    SECRETS = "secrets"
    """Keys, tokens, passwords, private ids."""
    PLACES = "places"
    """Home folders and user names in paths."""
    PEOPLE = "people"
    """E-mail addresses and hosts of private networks."""


class OwnRule(Struct, frozen=True):
    """Something that a person wants masked; just one of `word` and `pattern` is set."""

    kind: str
    """What the placeholder says: lower case, digits and `-`."""
    word: str = ""
    """Masked wherever it occurs, as it is written."""
    pattern: str = ""
    """Regular expression, matched in linear time; its first group, or all, is masked."""
    group: Group = Group.SECRETS


class Allowed(Struct, frozen=True):
    """A value that is published although a rule finds it."""

    value: str
    """As it stands in the source; shell patterns do."""
    reason: str


class RedactOptions(Struct, frozen=True):
    """What is masked before anything is drawn."""

    is_on: bool = True
    is_public: bool = False
    """The site is for everybody: people are masked, too, unless `people` says otherwise."""
    secrets: Mode = Mode.ON
    places: Mode = Mode.ON
    people: Mode | None = None
    """None: on for a public site, else off."""
    own: tuple[OwnRule, ...] = ()
    allow: tuple[Allowed, ...] = ()
    keep_emails: tuple[str, ...] = ()
    """Addresses to keep, as shell patterns."""
    images: Images = Images.KEEP

    def mode(self, group: Group) -> Mode:
        """Return how far `group` goes, all options taken together."""
        if not self.is_on:
            return Mode.OFF
        match group:
            case Group.SECRETS:
                return self.secrets
            case Group.PLACES:
                return self.places
            case Group.PEOPLE:
                return self.people or (Mode.ON if self.is_public else Mode.OFF)


REDACT_ALL = RedactOptions()
"""What is masked unless someone asks for less."""


TRIVIAL = ("y", "n", "continue", "resume", "g", "go")
"""Prompts that say nothing, in lower case: `everyleaf feedback` leaves them out."""


class SharedPrefix(StrEnum):
    """What the page of a path shows of what it shares with the path that took over."""

    FULL = "full"
    LINK = "link"
    """A link to it."""
    AUTO = "auto"
    """All, but a link for a withdrawn prompt, and where a session would repeat too much."""


FRONT_MATTER = ("no", "yaml", "obsidian")
"""How Markdown files may begin."""


class SiteOptions(Struct, frozen=True, kw_only=True):
    """Options that pages depend on just as a person gave them."""

    theme: str = "default"
    """A built-in theme's name, or a folder."""
    detail: Detail = Detail.FULL
    without: tuple[Left, ...] = ()
    """What is left out of every conversation; sorted, each once."""
    has_front_matter: bool = False
    """Begin each Markdown file with a block of YAML."""
    has_note_links: bool = False
    """The block links the notes that a file relates to, as Obsidian does."""
    base_url: Annotated[str, msgspec.Meta(pattern=BASE_URL)] = ""
    """Where the site will stand, with a slash at the end; empty: not known."""
    frames: tuple[Annotated[str, msgspec.Meta(pattern=ORIGIN)], ...] = ()
    """Origins whose pages may show the site inside of theirs, sorted; none: nobody's."""
    is_public: bool = False
    """Search engines may list the site."""
    shared_prefix: SharedPrefix = SharedPrefix.AUTO


class BuildOptions(SiteOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The options of `everyleaf build`, ours: an unknown one is an error.

    msgspec and not pydantic: a build that finds nothing changed has no time to import it.
    """

    sources: tuple[Path, ...]
    output_dir: Path
    title: str = "Session archive"
    projects: tuple[str, ...] = ()
    """Publish only these projects (shell patterns on the name); empty: all."""
    exclude: tuple[str, ...] = ()
    """Leave out sessions and projects whose id or name fits one of these patterns."""
    sessions: tuple[str, ...] = ()
    """Publish only sessions whose id begins like this; empty: all."""
    since: datetime | None = None
    """Publish only sessions whose last message is not older than this."""
    until: datetime | None = None
    """The first moment that is too late for a last message."""
    formats: tuple[Format, ...] = (Format.HTML, Format.MARKDOWN)
    jobs: Annotated[int, msgspec.Meta(ge=0)] = 0
    """Worker processes; 0: one a core."""
    is_strict: bool = False
    is_forced: bool = False
    include_archive: bool = False
    strict_paths: bool = False
    is_private: bool = False
    """Only its owner may read the site's files, where files have modes."""
    has_search: bool = True
    """Make an index to search all messages; only with HTML."""
    redact: RedactOptions = REDACT_ALL
    is_pruned: bool = False
    """Delete the pages of sessions whose source has vanished."""
    is_preview: bool = False
    """Leave alone what the next whole build of a site wants back: the index of its search,
    and pages of projects and sessions that are not chosen."""
    has_cache: bool = True
    """Remember in the user's cache folder what was done, and use what was remembered."""

    cluster: str = ""
    """Where Dask runs the jobs: `local:N`, or a scheduler's address; empty: it does not."""
    cache_dir: Path | None = None
    """Where a cluster keeps what it remembers; None: beside the output folder."""
    is_network_trusted: bool = False
    """Secrets may go to a cluster without encryption."""

    def __post_init__(self) -> None:
        """Take files and folders as texts, too."""
        told: object = self.sources
        sources = (told,) if isinstance(told, str | Path) else self.sources
        msgspec.structs.force_setattr(self, "sources", tuple(map(Path, sources)))
        msgspec.structs.force_setattr(self, "output_dir", Path(self.output_dir))

    @classmethod
    def model_validate(cls, chosen: Mapping[str, object]) -> BuildOptions:
        """Return the options that `chosen` names, after checking each.

        Raises:
            ValueError: An option is unknown or has a value of another kind.
        """
        try:
            return msgspec.convert(chosen, cls, dec_hook=_as_path, from_attributes=True)
        except msgspec.ValidationError as error:
            raise ValueError(str(error)) from error


def _as_path(kind: type, value: object) -> object:
    if kind is Path and isinstance(value, str | Path):
        return Path(value)
    raise msgspec.ValidationError(f"expected a path, got {value!r}")
