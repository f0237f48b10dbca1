"""The index that a browser searches, made by Pagefind from the words of the pages.

Pagefind (a program in the package `pagefind_bin`) reads HTML, so every page becomes one or
more bare documents of words with an anchor before each message. Long pages are cut into
several, so that a reader who opens a result loads little. What stands in an anchor's id
(`page:`, `name:` and the like, then `prompt:`, `reply:`, `tool:`) is not itself found,
unlike metadata.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import tempfile
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast
from urllib.parse import quote

from everyleaf.digest import digest_hex
from everyleaf.errors import ConfigError
from everyleaf.outputs import Output
from everyleaf.search.pages import (
    WORDS_DIR,
    SearchPage,
    parse_search_pages,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Self

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
SOURCE_URL = f"{INDEX_DIR}everyleaf-source.json"
"""Says what the index was made of: a digest of `data/search/`, which is published, too."""

_VERSION = 3
"""Of how an index is made of pages; a change makes every index anew."""
ENTRY = "pagefind-entry.json"
SIGNATURE = b"pagefind_dcd"

_SLASH = re.compile(r"[/\\](?<=[^\s/\\].)(?=[^\s/\\])")
"""Between two names; who shows what was found joins them again. What is looked for begins
with the slash itself, which is found soonest."""
_FILTERS = 3
"""Place of the filters in a `.pf_meta`."""


class _Listed(Protocol):
    @property
    def digest(self) -> str: ...


class SearchWords:
    """What is found on all pages of a site, as they are drawn; on disk, not in memory.

    Use as `with SearchWords(…)`.
    """

    def __init__(self, output_dir: Path) -> None:
        """Begin with nothing; what stays of an earlier build stands in `output_dir`."""
        self._output_dir = output_dir
        # Removed by the system when nobody holds it any more.
        self._file = tempfile.TemporaryFile(prefix="everyleaf-words-")  # noqa: SIM115
        self._spans: dict[str, tuple[int, int]] = {}
        self._digests: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def keep(self, urls: Iterable[str]) -> None:
        """Take the files `urls` of an earlier build."""
        for url in urls:
            body = self._standing(url)
            if body is not None:
                self.take(Output(url, body))

    def take(self, output: Output) -> None:
        """Take `output` if it holds what is found of a session."""
        if output.url.startswith(WORDS_DIR):
            self._spans[output.url] = (self._file.seek(0, 2), len(output.body))
            self._file.write(output.body)
            self._digests[output.url] = digest_hex(output.body)

    def index(self, before: Mapping[str, _Listed]) -> Iterator[Output]:
        """Yield the files of the index.

        `before` is what an earlier build wrote: if its index is whole and was made of the
        same words, it is yielded again.

        Raises:
            ConfigError: Pagefind's program is missing, or failed.
        """
        source = self._source()
        kept = self._kept(source, before)
        if kept is not None:
            yield from kept
            return
        outputs = build_index(self._iter_pages())
        yield from outputs
        if outputs:
            yield source

    def _source(self) -> Output:
        """Return what says which words an index was made of, and how."""
        listing = json.dumps(sorted(self._digests.items())).encode()
        record = {
            "digest": digest_hex(listing),
            "pagefind": _pagefind_version(),
            "version": _VERSION,
        }
        return Output(SOURCE_URL, json.dumps(record, sort_keys=True).encode() + b"\n")

    def _kept(self, source: Output, before: Mapping[str, _Listed]) -> list[Output] | None:
        """Return the earlier index if it is whole and was made of `source`, else None."""
        listed = before.get(SOURCE_URL)
        if listed is None or listed.digest != digest_hex(source.body):
            return None
        outputs: list[Output] = []
        for url, entry in sorted(before.items()):
            if not url.startswith(INDEX_DIR):
                continue
            body = self._standing(url)
            if body is None or digest_hex(body) != entry.digest:
                return None
            outputs.append(Output(url, body))
        return outputs

    def _standing(self, url: str) -> bytes | None:
        try:
            return (self._output_dir / url).read_bytes()
        except OSError:
            return None  # Someone deleted it.

    def _iter_pages(self) -> Iterator[SearchPage]:
        for _, (offset, size) in sorted(self._spans.items()):
            self._file.seek(offset)
            yield from parse_search_pages(self._file.read(size))


def _pagefind_version() -> str:
    from importlib import metadata  # noqa: PLC0415  (slow, and seldom needed)

    try:
        return metadata.version("pagefind_bin")
    except metadata.PackageNotFoundError:
        return ""  # Its program may come from elsewhere.


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
        # A word stands between blanks: so the names in a file's address are words.
        text = escape(_SLASH.sub("/ ", said.text))
        place = f"{said.kind}:{said.anchor}:{said.prompt}:{quote(said.at)}"
        pieces.append(f'<a id="{place}"></a><p>{text}</p>')
        size += len(said.text)
    if pieces:
        yield f"{head}{''.join(pieces)}"


def _head(page: SearchPage) -> str:
    metas = "".join(
        f'<meta data-pagefind-filter="{name}[content]" content="{escape(value)}">'
        for name in ("project", "status", "month")
        if (value := getattr(page, name))
    )
    told = {
        "page": page.url,
        "name": page.title,
        "ended": page.ended,
        "path": page.path,
        "session": page.session,
    }
    anchors = "".join(
        f'<a id="{name}:{quote(value.encode("utf-8", "replace"))}"></a>'
        for name, value in told.items()
        if value
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{metas}</head>'
        f"<body data-pagefind-body>{anchors}"
    )


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


def canonical(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of an index, by name, with filters in order and named anew.

    Pagefind's filters come in the order of a hash map. A `.pf_filter` holds `[name,
    [[value, [page, …]], …]]` and is named by its content; the `.pf_meta` lists filters by
    name, and `pagefind-entry.json` names the `.pf_meta`. All else is the same each time
    already. Source: Pagefind 1.5.2, files compared over many runs. Its reader takes files
    without compression, which no version of zlib can change.
    """
    made = {name: body for name, body in files.items() if not name.endswith(".pf_filter")}
    entry = json.loads(made.pop(ENTRY))
    for language, listed in sorted(entry["languages"].items()):
        meta = _decode(made.pop(f"pagefind.{listed['hash']}.pf_meta"))
        filters: list[list[str]] = []
        for name, old in sorted(cast("list[list[str]]", meta[_FILTERS])):
            title, values = _decode(files[f"filter/{old}.pf_filter"])
            pages = cast("list[list[object]]", values)
            body = _encode([title, sorted(pages, key=lambda entry: str(entry[0]))])
            new = f"{language}_{digest_hex(body, size=5)}"
            made[f"filter/{new}.pf_filter"] = body
            filters.append([name, new])
        meta[_FILTERS] = filters
        body = _encode(meta)
        listed["hash"] = f"{language}_{digest_hex(body, size=5)}"
        made[f"pagefind.{listed['hash']}.pf_meta"] = body
    made[ENTRY] = json.dumps(entry, sort_keys=True).encode()
    return made


def _decode(body: bytes) -> list[object]:
    import cbor2  # noqa: PLC0415  (only where an index is made)

    plain = gzip.decompress(body).removeprefix(SIGNATURE)
    return cast("list[object]", cbor2.loads(plain))


def _encode(value: list[object]) -> bytes:
    import cbor2  # noqa: PLC0415  (only where an index is made)

    return SIGNATURE + cbor2.dumps(value)
