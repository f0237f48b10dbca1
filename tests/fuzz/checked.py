"""A build of hostile input, and everything that must hold of what came out."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from everyleaf.errors import SourceError
from hanging import HANG_S

if TYPE_CHECKING:
    from collections.abc import Mapping

LIMIT_S = float(os.environ.get("EVERYLEAF_FUZZ_LIMIT_S", HANG_S))
"""CPU seconds that a dozen records may take, whatever they hold: 1 finds what is slow."""

PROJECT = "-home-ada-code-x"
_SCHEMES = ("http://", "https://", "mailto:", "#")
_BLOBS = {".png", ".jpg", ".gif", ".webp", ".txt"}
_FORBIDDEN = {"iframe", "object", "embed", "base", "style", "applet", "frame", "portal"}
_LINKS = {"href", "src", "action", "formaction", "xlink:href", "srcset", "poster", "data"}


def check_build(files: Mapping[str, bytes]) -> None:
    """Build `files` (name in the project folder → bytes) and check the whole site."""
    with tempfile.TemporaryDirectory(prefix="everyleaf-fuzz-") as place:
        top = Path(place)
        project = top / "in" / "projects" / PROJECT
        for name, body in files.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_bytes(body)
        before = _listing(top / "in")
        output_dir = top / "out"
        options = BuildOptions(
            sources=(project.parent,), output_dir=output_dir, theme="plain", jobs=1
        )
        took_s = _build(options)
        # Tried again: the first build of a process loads modules, and machines are busy.
        if took_s >= LIMIT_S:
            shutil.rmtree(output_dir, ignore_errors=True)
            took_s = _build(options)
        assert took_s < LIMIT_S
        assert _listing(top / "in") == before
        assert {entry.name for entry in top.iterdir()} <= {"in", "out"}
        _check_site(output_dir)


def _build(options: BuildOptions) -> float:
    """Return the CPU seconds that a build took."""
    begun = time.process_time()
    # Nothing in it is a record: that is said in one line, without a traceback.
    with suppress(SourceError):
        build_site(options, on_progress=lambda _stage, _done, _total: None)
    return time.process_time() - begun


def _listing(folder: Path) -> list[tuple[str, int, int]]:
    return sorted(
        (str(each), each.lstat().st_size, each.lstat().st_mtime_ns)
        for each in folder.rglob("*")
        if each.is_file()
    )


def _check_site(output_dir: Path) -> None:
    for location in sorted(output_dir.rglob("*")):
        assert not location.is_symlink()
        if not location.is_file():
            continue
        if location.parent.name == "blobs":
            assert location.suffix in _BLOBS
        elif location.suffix == ".html":
            check_page(location.read_text(encoding="utf-8"), output_dir, location)
        elif location.suffix == ".md":
            text = location.read_text(encoding="utf-8")
            check_page(MarkdownIt().render(text), output_dir, location)


def check_page(text: str, output_dir: Path, location: Path) -> None:
    """Check that nothing in a page runs, is framed, or leads where no link may lead."""
    tags = _Tags(output_dir, location)
    tags.feed(text)
    tags.close()


class _Tags(HTMLParser):
    """Looks at every tag of a page."""

    def __init__(self, output_dir: Path, location: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.output_dir = output_dir
        self.location = location

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # A page for addresses of any depth brings its style along; its policy names it.
        is_own_style = tag == "style" and self.location.name == "404.html"
        assert is_own_style or tag not in _FORBIDDEN, tag
        given = {name: value or "" for name, value in attrs}
        assert not any(name.startswith("on") for name in given), given
        assert "style" not in given
        assert "srcdoc" not in given
        if tag == "script":
            assert self._is_own(given["src"])
        if tag == "meta" and given.get("http-equiv", "").lower() == "refresh":
            # A page that leads on: only within the site.
            assert self._is_inside(given["content"].partition("url=")[2])
        for name in _LINKS & given.keys():
            # An icon of nothing, on the page that may stand at any depth.
            is_no_icon = tag == "link" and given[name] == "data:,"
            assert is_no_icon or self._may_lead_to(given[name]), given[name]

    def _may_lead_to(self, link: str) -> bool:
        return link.startswith(_SCHEMES) or self._is_inside(link)

    def _is_own(self, link: str) -> bool:
        return ":" not in link and "assets" in link and self._is_inside(link)

    def _is_inside(self, link: str) -> bool:
        """Return whether a link without a scheme stays in the site."""
        bare = link.partition("#")[0].partition("?")[0]
        if ":" in bare or "\\" in bare or bare.startswith("//"):
            return False
        # The page for dead links is served at any depth, most often below a folder.
        is_for_dead = self.location.name == "404.html"
        if bare.startswith("/"):
            return is_for_dead
        folder = self.location.parent / ("below" if is_for_dead else "")
        target = os.path.normpath(folder / bare)
        return Path(target).is_relative_to(self.output_dir)
