"""The index that a browser searches, made by Pagefind from the words of the pages.

Pagefind (a program in the package `pagefind_bin`) reads HTML, so every page becomes one or
more bare documents of words with an anchor before each message. Long pages are cut into
several, so that a reader who opens a result loads little. What stands in an anchor's id
(`page:`, `name:` and the like, then `prompt:`, `reply:`, `answer:`, `tool:`, `notice:`) is
not itself found, unlike metadata.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import cast
from urllib.parse import quote

from msgspec import Struct

from everyleaf.digest import digest_hex, digest_int, digest_value
from everyleaf.errors import ConfigError, refused
from everyleaf.grouping import grouped
from everyleaf.outputs import Output, StagedFile
from everyleaf.records.text import as_object
from everyleaf.search.pages import SearchPage
from everyleaf.sources.lines import load_strict

INDEX_DIR = "pagefind/"
MORE_DIR = f"{INDEX_DIR}more/"
"""Folder of all indexes but the first."""
INDEX_BYTES = 3_000_000
"""Of words in an index, at most: two seconds of work, which a message more makes anew."""
LONGEST = 50_000
"""Characters of a document: what a browser loads to show a result."""

_UNUSED = (
    "pagefind-ui",
    "pagefind-modular-ui",
    "pagefind-component-ui",
    "pagefind-highlight",
    "wasm.unknown",
)
_PROGRAM = ("pagefind.js", "pagefind-worker.js", "wasm.")
"""What an index that is added to another one does without."""
_HINT = "build with --no-search, or install everyleaf's dependencies again"
SOURCE_URL = f"{INDEX_DIR}everyleaf-source.json"
"""Says what indexes were made of: digests of `data/search/`, which is published, too."""

_VERSION = 11
"""Of how an index is made of pages; a change makes every index anew."""
ENTRY = "pagefind-entry.json"
SIGNATURE = b"pagefind_dcd"

_JOINER = "\u2060"
"""Where `spaced` made two words of one, and one of two."""
_WITHIN = re.compile(
    r"(?<=[^\s/\\])[/\\]+(?=[^\s/\\])"
    # Japanese, Chinese; Korean
    r"|(?<=[^\s/\\])(?=[\u3040-\u9fff])|(?<=[\u3040-\u9fff])(?=\w)"
    r"|(?<=[0-9A-Za-z])(?=[\uac00-\ud7a3])"
    # v1.24.0, mcp>=2.0
    r"|(?:(?<=[^\W\d_])|(?<=\w[=<>~@^:,+\u2192-])|(?<=\w[=<>~!]=))(?=[0-9]+\.[0-9])"
    # f(x), 1a2b..3c4d
    r"|(?:(?<=\w[(=>)])|(?<=\w(?:[-=]>|[=!:]=|\.\.)))(?=\w)|(?<=\w[:,])(?=[^\W\d_])"
    # id.checkpoint (files end in less than six letters), main.go:45
    r"|(?<=\w\.)(?=[^\W\d_]{6})|(?<=[A-Za-z]:)(?=[0-9])"
    # ADR-0018, 0018-move, #228-229
    r"|(?<=[^\W\d_]-)(?=[0-9]{4}(?!\w))|(?<=#[0-9]{3}-)(?=[0-9])"
    r"|(?<![0-9A-Za-z_][0-9]{4}-)(?<=[0-9]{4}-)(?=[^\W\d_])"
)
"""Where a word ends without a blank. `BETWEEN` in search.js parts what is asked for alike;
what is asked for may be in other letters, so that none may ask for case."""
_WORD = re.compile(r"\S+")
_BEFORE_SIGNS = re.compile(r" (?=\S)(?!\S*[^\W_])")
"""A blank, and behind it no letter or digit up to the next."""
_FILTERS = 3
"""Place of the filters in a `.pf_meta`."""


class SearchIndex(Struct, frozen=True):
    """An index of the words of some sessions, and what it is made of."""

    folder: str
    """Site-relative, with a slash at the end."""
    words: tuple[StagedFile, ...]
    """Files of `data/search/`, sorted by address."""
    size_bytes: int
    standing: Mapping[str, str] = {}
    """Files of the one before that may stay: url → digest."""

    @property
    def digest(self) -> str:
        """Return what changes with any of the words."""
        return digest_value([(one.url, one.digest) for one in self.words])


def split_words(words: Iterable[tuple[int, StagedFile]]) -> dict[str, SearchIndex]:
    """Return the indexes to make of `words`: the bytes and the file of each session.

    They are given by their folders, and a session stays in one while there are as many. The
    largest lies beside Pagefind's program, and a browser adds the rest to it.
    """
    there = sorted(words, key=lambda one: one[1].url)
    # Doubled as the words do, so that the next build finds most of them as they were.
    number = 1 << (sum(size for size, _ in there) // INDEX_BYTES).bit_length()
    parts = grouped((digest_int(one[1].url.encode()) % number, one) for one in there)
    sizes = {at: sum(size for size, _ in part) for at, part in sorted(parts.items())}
    first = max(sizes, key=lambda at: (sizes[at], at), default=0)
    indexes = [
        SearchIndex(
            INDEX_DIR if at == first else f"{MORE_DIR}{at}/",
            tuple(file for _, file in parts[at]),
            size,
        )
        for at, size in sizes.items()
    ]
    return {one.folder: one for one in indexes}


def index_of(url: str) -> str:
    """Return the folder of the index that a file of a site belongs to; empty: to none."""
    if url.startswith(MORE_DIR):
        return url[: url.find("/", len(MORE_DIR)) + 1]
    return INDEX_DIR if url.startswith(INDEX_DIR) and url != SOURCE_URL else ""


def source_of(indexes: Iterable[SearchIndex]) -> Output:
    """Return the file that says what `indexes` there are, and what each was made of.

    A browser reads it to find them, and the next build to see which of them stay.
    """
    made = {one.folder.removeprefix(INDEX_DIR): one.digest for one in indexes}
    body = json.dumps({"indexes": made, **_maker()}, sort_keys=True).encode()
    return Output(SOURCE_URL, body + b"\n")


def unchanged(indexes: Mapping[str, SearchIndex], before: bytes) -> set[str]:
    """Return which of `indexes` an earlier build made of the same words, by their folders.

    `before` is what `source_of` returned then; anything may stand in it.
    """
    then = load_strict(before) or {}
    known = as_object(then.get("indexes")) or {}
    is_same = _maker().items() <= then.items()
    return {
        folder
        for folder, one in indexes.items()
        if is_same and known.get(folder.removeprefix(INDEX_DIR)) == one.digest
    }


def _maker() -> dict[str, object]:
    from importlib import metadata  # noqa: PLC0415  (slow, and seldom needed)

    try:
        program = metadata.version("pagefind_bin")
    except metadata.PackageNotFoundError:
        program = ""  # It may come from elsewhere.
    return {"pagefind": program, "version": _VERSION}


def build_index(pages: Iterable[SearchPage], folder: str = INDEX_DIR) -> list[Output]:
    """Return the files of the index of `pages`, sorted by address; none without words.

    All lie in `folder`. The program that searches is only among those of the first.

    The same pages in the same order give the same bytes. Cost: about a second of CPU for
    each megabyte of words.

    Raises:
        ConfigError: Pagefind's program is missing, or failed.
    """
    with tempfile.TemporaryDirectory(prefix="everyleaf-search-") as place:
        site_dir, index_dir = Path(place, "pages"), Path(place, "index")
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
        unused = _UNUSED if folder == INDEX_DIR else (*_UNUSED, *_PROGRAM)
        files = {
            file.relative_to(index_dir).as_posix(): file.read_bytes()
            for file in sorted(index_dir.rglob("*"))
            if file.is_file() and not file.name.startswith(unused)
        }
    made = sorted(canonical(files).items())
    return [Output(f"{folder}{name}", body) for name, body in made]


def spaced(text: str) -> str:
    r"""Return `text` with blanks between its words, as Pagefind takes them, and no others.

    The names in a file's address are words, and so are characters of writing that puts no
    blanks between words. Signs alone are none: they belong to the word before, so that a
    phrase is found across them. Who shows what was found takes `_JOINER` for a blank inside
    of a word, and at its end for none behind it.

    >>> spaced("see a/b.py // now").replace(_JOINER, "+")
    'see a/+ b.py+// now'
    """
    return _BEFORE_SIGNS.sub(_JOINER, _WORD.sub(lambda word: _part(word[0]), text))


@lru_cache(maxsize=4_000)
def _part(word: str) -> str:
    """Return what has no blank in it as words; the same ones stand in most messages."""
    return _WITHIN.sub(rf"\g<0>{_JOINER} ", word)


def _documents(page: SearchPage) -> Iterator[str]:
    """Yield `page` as documents of about `LONGEST` characters, none without a message."""
    head = _head(page)
    title = escape(spaced(page.title))
    title = f'<a id="title:main"></a><p data-pagefind-weight="5">{title}</p>'
    pieces, size = ([title] if page.title else []), len(page.title)
    for said in page.said:
        if pieces and size + len(said.text) > LONGEST:
            yield f"{head}{''.join(pieces)}"
            pieces, size = [], 0
        text = escape(spaced(said.text.replace("\n", " ")))
        place = f"{said.kind}:{said.anchor}:{said.prompt}:{quote(said.at)}"
        # Pagefind ends a paragraph with a full stop that nobody wrote.
        pieces.append(f'<a id="{place}"></a><span>{text}</span> ')
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
    with refused(ConfigError, "Pagefind's program cannot be run", _HINT):
        # Our own arguments only, and the program of a dependency.
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, errors="replace", check=False
        )
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
