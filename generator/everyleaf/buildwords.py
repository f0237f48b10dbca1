"""The options of a build by the names that they have on the command line."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict, cast

from msgspec.structs import replace

from everyleaf.clock import parse_day
from everyleaf.config import FRONT_MATTER, REDACT_ALL, BuildOptions, Images, RedactOptions
from everyleaf.errors import ConfigError
from everyleaf.sources.discover import default_inputs


class BuildWords(TypedDict, total=False):
    """The options of `everyleaf build`; what may be repeated is a text, or a sequence."""

    title: str
    git: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
    project: str | Sequence[str]
    session: str | Sequence[str]
    exclude: str | Sequence[str]
    since: str | datetime | None
    """A day, or `7d`: days back; without a zone, in the machine's."""
    until: str | datetime | None
    format: str | Sequence[str]
    detail: str
    shared_prefix: str
    without: str | Sequence[str]
    theme: str | os.PathLike[str]
    front_matter: bool | str
    """True, or `obsidian`: with links that it reads."""
    base_url: str
    allow_frames: str | Sequence[str]
    no_search: bool
    jobs: int
    prune: bool
    cache: bool
    strict: bool
    force: bool
    public: bool
    private: bool
    no_redact: bool
    images: str
    include_archive: bool
    cluster: str
    cache_dir: str | os.PathLike[str] | None
    trust_network: bool
    redact: RedactOptions
    """What the table `[redact]` of a settings file says."""


_FIELDS = {
    "project": "projects",
    "session": "sessions",
    "format": "formats",
    "allow_frames": "frames",
    "prune": "is_pruned",
    "cache": "has_cache",
    "strict": "is_strict",
    "force": "is_forced",
    "public": "is_public",
    "private": "is_private",
    "trust_network": "is_network_trusted",
}
"""Option → the field of `BuildOptions`, where that is called otherwise."""
_PATTERNS = ("project", "session", "exclude")
_LISTS = frozenset({"format", "without", "allow_frames"})
_DAYS = frozenset({"since", "until"})


def options_of(
    sources: Sequence[Path], out: str | os.PathLike[str], words: BuildWords
) -> BuildOptions:
    """Return the options of a build that `words` ask for.

    Without `sources` and repositories, those of the CLI.

    >>> from pathlib import Path
    >>> options = options_of([Path("logs")], "site", {"format": "md", "project": "a"})
    >>> options.formats, options.projects
    ((<Format.MARKDOWN: 'md'>,), ('a',))

    Raises:
        ConfigError: there is no such option, or a value does not fit it.
        SourceError: a git repository holds no sessions.
    """
    chosen: dict[str, object] = {**words}
    chosen.pop("git", None)
    git = words.get("git", ())
    if repositories := [git] if isinstance(git, str | os.PathLike) else git:
        from everyleaf.sources.checkpoints import unpack_checkpoints  # noqa: PLC0415  (seldom)

        sources = (*sources, *map(unpack_checkpoints, map(Path, repositories)))
    sources = sources or (default_inputs(),)
    redact = words.get("redact", REDACT_ALL)
    is_on = redact.is_on and not chosen.pop("no_redact", False)
    chosen["has_search"] = not chosen.pop("no_search", False)
    front = chosen.pop("front_matter", False)
    chosen["has_front_matter"] = front not in {False, FRONT_MATTER[0]}
    chosen["has_note_links"] = front == FRONT_MATTER[-1]
    for name in _PATTERNS:
        value = chosen.pop(name, ())
        chosen[name] = (value,) if isinstance(value, str) else value
    for name in _LISTS & chosen.keys():
        # In one order, so that the same site has the same notes.
        chosen[name] = sorted(_listed(cast("str | Sequence[str]", chosen[name])))
    if not words.get("title", "").strip():
        chosen.pop("title", None)  # Every page has a heading: the usual one.
    if "theme" in words:
        chosen["theme"] = os.fspath(words["theme"])
    if base_url := words.get("base_url"):
        chosen["base_url"] = base_url.removesuffix("/") + "/"
    try:
        if front not in {True, False, *FRONT_MATTER}:
            raise ValueError(f"front_matter is none of {', '.join(FRONT_MATTER)}")  # noqa: TRY301  (as others)
        for name in _DAYS & set(chosen):
            day = chosen[name]
            chosen[name] = day and _moment(day, is_end=name == "until")
        images = Images(str(chosen.pop("images", redact.images)))
        fields = {_FIELDS.get(name, name): value for name, value in chosen.items()}
        fields |= {"sources": sources, "output_dir": out}
        fields["redact"] = replace(redact, is_on=is_on, images=images)
        return BuildOptions.model_validate(fields)
    except ValueError as error:
        raise ConfigError(
            f"the options of the build make no sense: {error}",
            hint="they are called as in `everyleaf build --help`, with _ for -",
        ) from error


def _moment(day: object, *, is_end: bool) -> datetime:
    """Return the moment that `day` names, a text as on the command line."""
    if isinstance(day, datetime):
        return day.astimezone(UTC)
    # Nothing published depends on the time but which sessions are chosen.
    now = datetime.fromtimestamp(time.time(), UTC).astimezone()
    return parse_day(str(day), now, is_end=is_end).astimezone(UTC)


def _listed(value: str | Sequence[str]) -> set[str]:
    """Return what a list holds, or a text with commas, as on the command line."""
    words = value.split(",") if isinstance(value, str) else value
    return {word.strip() for word in words} - {""}
