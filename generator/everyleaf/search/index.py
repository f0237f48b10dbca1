"""The index that a browser searches, made by Pagefind from the words of the pages.

Pagefind (a program in the package `pagefind_bin`) reads HTML, so every page becomes one or
more bare documents of words with an anchor before each message. Long pages are cut into
several, so that a reader who opens a result loads little. What stands in an anchor's id
(`page:`, `name:`, then `prompt:`, `reply:`, `tool:`) is not itself found, unlike metadata.
"""

from __future__ import annotations

import subprocess
import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from everyleaf.digest import digest_hex
from everyleaf.errors import ConfigError
from everyleaf.outputs import Output
from everyleaf.search.canonical import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.search.pages import Said, SearchPage

INDEX_DIR = "pagefind/"
LONGEST = 50_000
"""Characters of a document: what a browser loads to show a result."""

_UNUSED = (
    "pagefind-ui",
    "pagefind-modular-ui",
    "pagefind-component-ui",
    "pagefind-highlight",
    "wasm.unknown",
)
_HINT = "build with --no-search, or install everyleaf's dependencies again"


def build_index(pages: Iterable[SearchPage]) -> list[Output]:
    """Return the files of the index of `pages`, sorted by address; none without words.

    The same pages in the same order give the same bytes. Cost: about a second of CPU for
    each megabyte of words.

    Raises:
        ConfigError: Pagefind's program is missing, or failed.
    """
    with tempfile.TemporaryDirectory(prefix="everyleaf-search-") as folder:
        site_dir, index_dir = Path(folder, "pages"), Path(folder, "index")
        site_dir.mkdir()
        for page in pages:
            # Named by the page, so that a new one changes no document of another.
            name = digest_hex(page.url.encode("utf-8", "replace"))
            for number, document in enumerate(_documents(page), 1):
                body = document.encode("utf-8", "replace")
                (site_dir / f"{name}-{number}.html").write_bytes(body)
        if not any(site_dir.iterdir()):
            return []
        _run(site_dir, index_dir)
        files = {
            file.relative_to(index_dir).as_posix(): file.read_bytes()
            for file in sorted(index_dir.rglob("*"))
            if file.is_file() and not file.name.startswith(_UNUSED)
        }
    return [
        Output(f"{INDEX_DIR}{name}", body)
        for name, body in sorted(canonical(files).items())
    ]


def _documents(page: SearchPage) -> Iterator[str]:
    """Yield `page` as documents of about `LONGEST` characters, none without a message."""
    head = _head(page)
    title = f'<a id="title:main"></a><p data-pagefind-weight="5">{escape(page.title)}</p>'
    pieces, size = ([title] if page.title else []), len(page.title)
    for said in page.said:
        if pieces and size + len(said.text) > LONGEST:
            yield f"{head}{''.join(pieces)}"
            pieces, size = [], 0
        pieces.append(_message(said))
        size += len(said.text)
    if pieces:
        yield f"{head}{''.join(pieces)}"


def _head(page: SearchPage) -> str:
    filters = (
        ("project", page.project),
        ("status", page.status),
        ("month", page.month),
    )
    metas = "".join(
        f'<meta data-pagefind-filter="{name}[content]" content="{escape(value)}">'
        for name, value in filters
        if value
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{metas}</head>'
        f'<body data-pagefind-body><a id="page:{quote(page.url)}"></a>'
        f'<a id="name:{quote(page.title.encode("utf-8", "replace"))}"></a>'
    )


def _message(said: Said) -> str:
    return f'<a id="{said.kind}:{said.anchor}"></a><p>{escape(said.text)}</p>'


def _run(site_dir: Path, index_dir: Path) -> None:
    from pagefind.service import get_executable  # noqa: PLC0415  (asyncio: slow to import)

    program = get_executable()
    if program is None:
        raise ConfigError("search needs Pagefind, and its program is missing", hint=_HINT)
    # One language for all: a conversation mixes them, and one index finds everything.
    command = [
        *(str(program), "--site", str(site_dir), "--output-path", str(index_dir)),
        *("--force-language", "en", "--silent"),
    ]
    try:
        # Our own arguments only, and the program of a dependency.
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise ConfigError(
            f"Pagefind's program cannot be run: {error.strerror}", hint=_HINT
        ) from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["it said nothing"]
        raise ConfigError(f"Pagefind failed: {said[-1]}", hint=_HINT)
