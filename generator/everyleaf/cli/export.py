"""`everyleaf export`: paths in the formats of other programs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyleaf.cli import options
from everyleaf.cli.options import Reading
from everyleaf.cli.output import Json, echo_json, echo_lines, path_name, pick, printable
from everyleaf.config import Detail
from everyleaf.transcript.words import counted

if TYPE_CHECKING:
    from everyleaf.export.run import Exported, ExportOptions


@options.command()
@options.session("name", "[SESSION[:N]]", required=False)
@options.flag("--all", "is_all", help="Export every session, not one.")
@options.one_of(
    "--as",
    "form",
    known=["atif", "messages", "pairs", "session", "html"],
    help="The format.  [required]",
)
@click.option(
    "-o",
    "--out",
    "output_dir",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder to write into; made if there is none.",
)
@options.one_of(
    "--detail", known=Detail, help="With html: how much of it, as for `everyleaf show`."
)
@options.flag(
    "--parquet",
    "is_parquet",
    help="With messages and pairs: Parquet, not JSON lines (needs everyleaf[parquet]).",
)
@options.flag("--force", "is_forced", help="Write into a folder that holds other files.")
@options.json
@options.source
@options.archives
def export(
    *,
    reading: Reading,
    name: str | None,
    is_all: bool,
    form: str | None,
    output_dir: Path,
    detail: str | None,
    is_parquet: bool,
    is_forced: bool,
) -> None:
    """Write each path of a session, or of all, in the format of another program.

    SESSION is an id, the beginning of one, a session's file, latest, or a title. What
    pages mask is masked here.
    """
    if form is None:
        raise click.UsageError("say which format with --as")
    if name and is_all:
        raise click.UsageError(
            "name a session, or say --all; where all are says --source SOURCE"
        )
    if not name and not is_all:
        raise click.UsageError("name a session, or say --all")
    if detail and form != "html":
        raise click.UsageError("--detail is for html")
    if is_parquet and form not in {"messages", "pairs"}:
        raise click.UsageError("--parquet is for messages and pairs")
    from everyleaf.export.run import ExportOptions, export_all, export_named
    from everyleaf.opening.reading import Scope

    asked = ExportOptions(
        form=form,
        output_dir=output_dir,
        redact=reading.redact,
        detail=Detail(detail or Detail.FULL),
        is_parquet=is_parquet,
        is_forced=is_forced,
    )
    if name:
        exported = export_named(
            reading.open(name), asked, places=Scope(reading.sources).places
        )
    else:
        exported = reading.look(partial(export_all, options=asked))
    if reading.is_json:
        echo_json(_to_json(exported, asked), is_sorted=False)
    else:
        echo_lines(_lines(exported, output_dir, is_told=bool(name)))


def _to_json(exported: Exported, options: ExportOptions) -> Json:
    counts = "sessions paths wrote=published.wrote kept=published.kept"
    files = [
        {
            "file": str(options.output_dir / options.file_name(one.url)),
            "session": one.session,
            "path": path_name(one.session, one.number),
        }
        for one in exported.files
    ]
    return pick(exported, f"{counts} deleted=published.deleted") | {"files": files}


def _lines(exported: Exported, output_dir: Path, *, is_told: bool) -> Iterator[str]:
    """Yield the files, if there are few, and what was done."""
    if is_told:
        files = (file for file in exported.files if file.staged is not None)
        yield from dict.fromkeys(printable(str(output_dir / file.url)) for file in files)
    done = exported.published
    yield (
        f"{counted(exported.sessions, 'session')}, {counted(exported.paths, 'path')};"
        f" wrote {done.wrote}, kept {done.kept}, deleted {done.deleted} files"
    )
