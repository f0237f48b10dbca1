"""When the index is made again: only if something that can be found has changed."""

from __future__ import annotations

import json
import tempfile
from typing import TYPE_CHECKING

from everyleaf.digest import digest_hex
from everyleaf.outputs import Output
from everyleaf.search.index import INDEX_DIR, build_index
from everyleaf.search.pages import WORDS_DIR, parse_search_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Protocol, Self

    from everyleaf.search.pages import SearchPage

    class _Listed(Protocol):
        @property
        def digest(self) -> str: ...


SOURCE_URL = f"{INDEX_DIR}everyleaf-source.json"
"""Says what the index was made of: a digest of `data/search/`, which is published, too."""

_VERSION = 1
"""Of how an index is made of pages; a change makes every index anew."""


class Words:
    """What is found on all pages of a site, as they are drawn; on disk, not in memory.

    Use as `with Words(…)`.
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
