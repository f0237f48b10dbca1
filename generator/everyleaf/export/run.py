"""Exports: each path of a session or of an archive as a file, or as a row of a data set.

Session groups are read one at a time, by whichever process is free; what they write is
moved to its place when all of it is there, as pages are.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import orjson
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import Archive, ArchivePart, solve_part
from everyleaf.cachedir import default_cache_dir
from everyleaf.config import Detail, RedactOptions
from everyleaf.digest import digest_hex
from everyleaf.errors import RedactError, SourceError
from everyleaf.export import dataset
from everyleaf.export.atif import export_atif
from everyleaf.export.html import export_html
from everyleaf.export.session import export_session
from everyleaf.export.steps import GroupReader, Written
from everyleaf.graph.forest import ConversationPath, PathRef
from everyleaf.opening.named import Asked
from everyleaf.opening.reading import Scope, families_of, open_index
from everyleaf.outputs import Output, StagedFile
from everyleaf.publish.disk import EVERYBODY, OWNER_ALONE, StagingWriter
from everyleaf.publish.manifest import check_output_dir
from everyleaf.publish.site import Published, publish_site
from everyleaf.redact.lastlook import Guard, open_last_look
from everyleaf.workers import OnProgress, iter_done

Export = Callable[[GroupReader, ConversationPath], Iterator[Written]]
FORMATS: dict[str, tuple[Export, tuple[str, ...]]] = {
    "atif": (export_atif, ()),
    "messages": (dataset.export_messages, ("active.jsonl", "abandoned.jsonl")),
    "pairs": (dataset.export_pairs, ("pairs.jsonl",)),
    "session": (export_session, ()),
    "html": (export_html, ()),
}
"""What writes a path, and the files of a data set if it gives their rows, not a file."""


class ExportOptions(Struct, frozen=True):
    """What to write, and where."""

    form: str
    """One of `FORMATS`."""
    output_dir: Path
    redact: RedactOptions = RedactOptions()
    detail: Detail = Detail.FULL
    is_parquet: bool = False
    is_forced: bool = False

    def file_name(self, url: str) -> str:
        """Return what the file `url` is called in the folder: rows may be Parquet."""
        return f"{url.removesuffix('jsonl')}parquet" if self.is_parquet else url


class ExportedFile(Struct, frozen=True):
    """A file, or some rows of one."""

    url: str
    session: str
    number: int
    """Of the path."""
    staged: StagedFile | None = None
    """None: it is rows of a data set."""


class Exported(Struct, frozen=True):
    """What was exported."""

    published: Published
    files: tuple[ExportedFile, ...]
    """By session and path."""

    @property
    def sessions(self) -> int:
        """How many sessions it is of."""
        return len({file.session for file in self.files})

    @property
    def paths(self) -> int:
        """How many paths it is of."""
        return len({(file.session, file.number) for file in self.files})


class _Job(Struct, frozen=True):
    """What it takes to export a session group: picklable."""

    options: ExportOptions
    writer: StagingWriter
    guard: Guard
    wanted: frozenset[PathRef] | None = None
    """None: all."""


class _Done(Struct, frozen=True):
    first: str
    """What the files of the group are sorted by."""
    files: tuple[ExportedFile, ...]
    parts: dict[str, str]
    """File of a data set → name of some rows of it that were put aside."""


def export_named(
    asked: Asked, options: ExportOptions, *, places: Iterable[Path] = ()
) -> Exported:
    """Export the paths of the session that a person named, or the one that was named.

    Nothing is written into `places`, where the session was looked for.
    """
    archive, chosen = asked.archive, asked.path()
    paths = archive.description.paths
    whole = frozenset(ref for ref in paths if ref.session == chosen.session)
    wanted = whole if asked.number is None else frozenset({chosen.ref})
    sources = [*places, *(file.location for file in archive.files.values())]
    guard = Guard(options.redact, default_cache_dir(), archive.redaction.secrets)
    return _publish(
        options, guard, lambda job: [_export(archive, job)], sources, wanted=wanted
    )


def export_all(scope: Scope, on_progress: OnProgress, options: ExportOptions) -> Exported:
    """Export every path of the sessions that `scope` names, a session group at a time."""
    check_output_dir(options.output_dir, sources=scope.places, is_forced=options.is_forced)
    with open_index(scope, on_progress) as opened:
        index = opened.index
        parts = [index.part(numbers) for numbers in index.groups()]
        guard = Guard(options.redact, default_cache_dir(), index.redaction.secrets)

        def each(job: _Job) -> Iterator[_Done]:
            exported = iter_done(opened.executor, partial(_export_part, job), parts)
            for done, (_, one) in enumerate(exported, 1):
                on_progress("exporting", done, len(parts))
                yield one

        return _publish(options, guard, each, scope.places)


def _publish(
    options: ExportOptions,
    guard: Guard,
    each: Callable[[_Job], Iterable[_Done]],
    sources: Iterable[Path],
    *,
    wanted: frozenset[PathRef] | None = None,
) -> Exported:
    """Write what `each` session group gives, and put it into its place."""
    if options.is_parquet:
        dataset.check_parquet()
    folder, is_forced = options.output_dir, options.is_forced
    before = check_output_dir(folder, sources=sources, is_forced=is_forced)
    access = EVERYBODY if options.redact.is_on else OWNER_ALONE
    writer = StagingWriter(folder, access)
    done: list[_Done] = []
    owners: dict[str, set[str]] = {}

    def outputs() -> Iterator[Output | StagedFile]:
        for one in each(_Job(options, writer, guard, wanted)):
            done.append(one)
            for file in one.files:
                owners.setdefault(file.url, set()).add(file.session)
                if file.staged is not None:
                    yield file.staged
        if not any(one.files for one in done):
            raise SourceError(
                f"there is nothing to export as {options.form}",
                hint="`everyleaf list` shows the sessions, and how many paths each has",
            )
        if FORMATS[options.form][1]:
            yield from _join(options, writer, done)

    published = publish_site(
        folder,
        outputs(),
        owners=owners,
        is_vanished=lambda _: False,
        is_forced=is_forced,
        before=before,
        access=access,
    )
    files = [file for one in done for file in one.files]
    files.sort(key=lambda file: (file.session, file.number, file.url))
    return Exported(published, tuple(files))


def _join(
    options: ExportOptions, writer: StagingWriter, done: list[_Done]
) -> Iterator[Output | StagedFile]:
    """Yield the files of a data set, and its card."""
    counts: dict[str, int] = {}
    for url in FORMATS[options.form][1]:
        told = sorted(done, key=lambda one: one.first)
        parts = [writer.aside(one.parts[url]) for one in told if url in one.parts]
        if not parts:
            continue
        joined = dataset.join_parquet if options.is_parquet else dataset.join_rows
        name = options.file_name(url)
        counts[name] = sum(file.url == url for one in done for file in one.files)
        yield joined(writer, name, parts)
    yield dataset.write_card(counts, is_redacted=options.redact.is_on)


def _export_part(job: _Job, part: ArchivePart) -> _Done:
    return _export(solve_part(part, is_whole=True), job)


def _export(archive: Archive, job: _Job) -> _Done:
    """Write every path of `archive` that is wanted."""
    options = job.options
    export, splits = FORMATS[options.form]
    files: list[ExportedFile] = []
    rows: dict[str, list[bytes]] = {}
    for work in families_of(archive):
        reader = GroupReader(work, is_redacted=options.redact.is_on, detail=options.detail)
        for ref, path in work.paths().items():
            if job.wanted is not None and ref not in job.wanted:
                continue
            for written in export(reader, path):
                body, staged = _clean(written, job.guard), None
                if splits:
                    rows.setdefault(written.url, []).append(body)
                else:
                    staged = job.writer.put(written.url, body)
                files.append(ExportedFile(written.url, ref.session, ref.number, staged))
    first = min((session.name for session in archive.forest.sessions), default="")
    parts: dict[str, str] = {}
    for url, bodies in rows.items():
        parts[url] = f"rows-{digest_hex(first.encode())}-{url}"
        job.writer.put_aside(parts[url], b"".join(bodies))
    return _Done(first, tuple(files), parts)


def _clean(written: Written, guard: Guard) -> bytes:
    """Return a file after a last look for secrets, its pictures in their places."""
    is_data = written.url.endswith((".json", ".jsonl"))
    # What follows `pwd` in JSON is the name of the next field, and no password.
    guard = replace(guard, is_known_alone=is_data)
    body, kinds = open_last_look(guard).clean(written.url, written.body)
    if kinds and is_data:
        try:
            for line in body.splitlines() if written.url.endswith("l") else (body,):
                orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise RedactError(
                f"{written.url!r} held a secret that cannot be masked in it",
                hint="leave the session out, and please report this",
            ) from error
    for blob in written.inner:
        suffix = blob.name.rpartition(".")[2].replace("jpg", "jpeg")
        address = f"data:image/{suffix};base64,".encode() + b64encode(blob.body)
        body = body.replace(f'src="{blob.name}"'.encode(), b'src="' + address + b'"')
    return body
