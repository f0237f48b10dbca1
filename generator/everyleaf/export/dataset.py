"""A data set out of rows: one file a split, and the card that says what stands in it."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyleaf.digest import open_digest
from everyleaf.errors import ConfigError
from everyleaf.outputs import Output, StagedFile
from everyleaf.publish.disk import located

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from everyleaf.publish.disk import StagingWriter

CARD_URL = "README.md"
_BATCH_BYTES = 8_000_000
META = {
    **dict.fromkeys(("session", "status", "title", "project"), "text"),
    **dict.fromkeys(("started", "ended", "version"), "text"),
    "models": "texts",
    **dict.fromkeys(("path", "of", "prompts", "compactions"), "count"),
    **dict.fromkeys(("calls", "unanswered_calls"), "count"),
    **dict.fromkeys(("input_tokens", "output_tokens"), "count"),
    **dict.fromkeys(("cache_read_tokens", "cache_written_tokens"), "count"),
    "is_redacted": "flag",
}
"""What is told of each row, and what it is."""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def check_parquet() -> None:
    """Check that Parquet can be written.

    Raises:
        ConfigError: the library for it is not installed.
    """
    try:
        import_module("pyarrow.parquet")
    except ImportError as error:
        raise ConfigError(
            "Parquet needs pyarrow, which is not installed",
            hint="pip install 'everyleaf[parquet]', or leave out --parquet",
        ) from error


def join_rows(writer: StagingWriter, url: str, parts: Sequence[Path]) -> StagedFile:
    """Return the JSONL file `url` of the rows in `parts`, one behind the other.

    Memory holds a few megabytes, however many rows there are.
    """
    digest = open_digest()
    place = writer.aside(f"joined-{url}")
    with located(url), place.open("wb") as file:
        for piece in _iter_pieces(parts):
            digest.update(piece)
            file.write(piece)
    return StagedFile(url, digest.hexdigest(length=10), place.name)


def join_parquet(writer: StagingWriter, url: str, parts: Sequence[Path]) -> StagedFile:
    """Return the same rows as a Parquet file, compressed."""
    # It has no types, and is an extra.
    arrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    place, digest = writer.aside(f"joined-{url}"), open_digest()
    schema = _schema(arrow, has_pairs=url.startswith("pairs"))
    with (
        located(url),
        parquet.ParquetWriter(str(place), schema, compression="zstd") as file,
    ):
        for lines in _iter_pieces(parts):
            rows = [json.loads(line) for line in lines.splitlines()]
            file.write_batch(arrow.RecordBatch.from_pylist(rows, schema=schema))
    with located(url), place.open("rb") as made:
        while piece := made.read(_BATCH_BYTES):
            digest.update(piece)
    return StagedFile(url, digest.hexdigest(length=10), place.name)


def _iter_pieces(parts: Sequence[Path]) -> Iterator[bytes]:
    """Yield whole lines of `parts`, some megabytes at a time."""
    for part in parts:
        with part.open("rb") as file:
            while lines := file.readlines(_BATCH_BYTES):
                yield b"".join(lines)


def _schema(arrow: Any, *, has_pairs: bool) -> Any:  # noqa: ANN401  (a module without types)
    """Return the columns: fixed, so that no row decides what another one may hold."""
    text, texts = arrow.string(), arrow.list_(arrow.string())
    known = {"text": text, "texts": texts, "count": arrow.int64(), "flag": arrow.bool_()}
    function = arrow.struct([("name", text), ("arguments", text)])
    call = arrow.struct([("id", text), ("type", text), ("function", function)])
    said = [(name, text) for name in ("role", "content", "reasoning_content")]
    answers = [("tool_call_id", text), ("name", text)]
    message = arrow.struct([*said, ("tool_calls", arrow.list_(call)), *answers])
    meta = [(name, known[kind]) for name, kind in META.items()]
    if has_pairs:
        meta += [("chosen_path", known["count"]), ("chosen_status", text), ("fork", text)]
    columns = ("prompt", "chosen", "rejected") if has_pairs else ("messages",)
    talks = [(name, arrow.list_(message)) for name in columns]
    return arrow.schema([*talks, ("tools", text), ("meta", arrow.struct(meta))])


def write_card(rows: Mapping[str, int], *, is_redacted: bool) -> Output:
    """Return the card of a data set; `rows` has the number of rows in each file."""
    has_pairs = any(url.startswith("pairs") for url in rows)
    total = sum(rows.values())
    size = next((name for most, name in _SIZES if total < most), "100K<n<1M")
    splits = "".join(
        f"      - split: {url.partition('.')[0]}\n        path: {url}\n" for url in rows
    )
    counted = "".join(f"| `{url}` | {count:,} |\n" for url, count in rows.items())
    masked = _REDACTED if is_redacted else _UNREDACTED
    template = (Path(__file__).parent / "card.md").read_text("utf-8")
    text = template.format(
        size=size,
        splits=splits,
        counted=counted,
        about=_PAIRS if has_pairs else _MESSAGES,
        masked=masked,
    )
    return Output(CARD_URL, text.encode())


_MESSAGES = """\
`messages` are in the form of chat templates: `user`, `assistant` with
`reasoning_content` and `tool_calls`, and `tool`. `active` are the paths that a session
ended on, `abandoned` those that were left for another. Paths of one session share their
beginning: keep a session on one side when you split.
"""
_PAIRS = """\
`prompt` is what both sides share, `chosen` what the session went on with, `rejected` what
was left there; `chosen` may have been left itself, further up: `meta.chosen_status`.
`meta.fork` says what they begin with: `reply` (the same prompt, answered twice), `prompt`
(the prompt itself was edited), or `mixed`. That a branch was left says that the person
went another way there, not that it was bad.
"""
_REDACTED = "Secrets, and home folders in paths, were masked before anything was written."
_UNREDACTED = "**Not redacted.** Nobody looked for secrets. Do not publish it."
