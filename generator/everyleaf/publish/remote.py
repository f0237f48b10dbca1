"""Sites at an address: built in a copy, and sent in an order that no reader falls through.

New files go first, for nothing links to them yet; then pages that changed, then lists, then
the manifest. Deleted is last. So a reader in between sees the old site or the new one, page
by page, and never a link to nothing.

Workers on other machines do not see that copy: they write what they draw beside the site,
and who publishes fetches it from there.
"""

from __future__ import annotations

import hmac
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from everyleaf import storage
from everyleaf.digest import digest_hex, marks_of
from everyleaf.errors import OutputError, StorageError
from everyleaf.outputs import LongBody, StagedFile, join_encoded
from everyleaf.publish.disk import ASIDE, STAGING, StagingWriter
from everyleaf.publish.manifest import NAME, Listed, Manifest, load_manifest, parse_manifest

BY_CONTENT = ("assets/", "blobs/")
"""Folders of files that are named by their content: what links to them comes later."""
_STAGE = "stage"
_AT_ONCE = 200
_SEAL_BYTES = 32
_fetched: list[TemporaryDirectory[str]] = []
"""Where this process has what it fetched for a job."""


@contextmanager
def open_site(
    address: str, *, sources: Iterable[Path] = (), is_forced: bool = False
) -> Generator[Path]:
    """Yield a folder that holds what `address` does of ours; afterwards, send what changed.

    Nothing is sent where an exception ends the work on the folder.

    Raises:
        OutputError: what lies there is not ours (unless `is_forced`), or lies in one of
            the `sources`, or around it; or another build has sent something meanwhile.
        StorageError: the store does not answer, or refuses.
    """
    for source in map(storage.address_of, sources):
        _check_apart(address, source)
    copy = storage.open_copy(address, "site")
    there = copy.storage.versions()
    _fetch(copy, there, is_forced=is_forced)
    looks, known = dict(_look(copy.folder, copy.known)), copy.known
    # Held while the site is built: no more than it takes, for there are many files.
    foreign, version = there.keys() - looks.keys(), there.get(NAME)
    del there
    # What breaks off leaves a copy of nothing, which is fetched again.
    copy.known = {}
    copy.keep()
    try:
        yield copy.folder
    except BaseException:
        if dict(_look(copy.folder, looks)) == looks:
            copy.known = known
            copy.keep()
        raise
    after = load_manifest(copy.folder) or Manifest()
    now = dict(_look(copy.folder, [NAME, *after.files]))
    changed = {url for url, look in now.items() if looks.get(url) != look}
    strangers = sorted(changed & foreign)
    if strangers and not is_forced:
        raise OutputError(
            f"{address!r} holds files that everyleaf did not write and would overwrite:"
            f" {', '.join(map(repr, strangers))}",
            hint="move them away, or add --force to overwrite them",
        )
    gone = sorted(looks.keys() - now.keys())
    if changed or gone:
        _claim(copy, after, [*changed, *gone], version)
        _send(copy, after, changed, {*looks}, gone)
        del looks, after, changed
        there = copy.storage.versions()
        known = {url: there[url] for url in now if url in there}
    copy.known = known
    copy.keep()


def _check_apart(address: str, source: str) -> None:
    one, two = f"{address}/", f"{source}/"
    if source and (one.startswith(two) or two.startswith(one)):
        raise OutputError(
            f"the output {address!r} and the source {source!r} lie in one another",
            hint="choose an --out outside the source: the input is never written to",
        )


def _fetch(copy: storage.Copy, there: Mapping[str, str], *, is_forced: bool) -> None:
    """Bring `copy` up to date with what is ours `there`."""
    copy.update({url: there[url] for url in [NAME, *copy.known] if url in there})
    manifest = None
    if NAME in there:
        manifest = parse_manifest((copy.folder / NAME).read_bytes())
    if manifest is None:
        copy.clear()
        if there and not is_forced:
            raise OutputError(
                f"{copy.storage.address!r} is not empty and was not made by everyleaf",
                hint="choose another --out, or add --force to write into it all the same"
                " (nothing in it is deleted)",
            )
    else:
        copy.update({url: there[url] for url in (NAME, *manifest.files) if url in there})


def _look(folder: Path, urls: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield what tells each file that is there from one moved to its place since."""
    for url in urls:
        file = folder / url
        if file.is_file():
            yield url, marks_of(file.stat(), sys.maxsize)


def _claim(
    copy: storage.Copy, after: Manifest, moving: Sequence[str], version: str | None
) -> None:
    """Put a manifest that also lists what is `moving` in the place of the `version` there.

    If sending breaks off, all that was sent, and was to go, is known to be ours.
    """
    none = Listed("")
    coming = {u: replace(after.files.get(u, none), digest="") for u in moving if u != NAME}
    claim = Manifest({**after.files, **coming}).to_json()
    if not copy.storage.replace(NAME, claim, version):
        raise OutputError(
            f"another build published to {copy.storage.address!r} meanwhile",
            hint="build again",
        )


def _send(
    copy: storage.Copy,
    after: Manifest,
    changed: set[str],
    standing: set[str],
    gone: Sequence[str],
) -> None:
    """Send `changed` files, and delete those that are `gone`; `after` lists the site."""
    coming = changed - {NAME}
    rest = {url for url in coming if not url.startswith(BY_CONTENT)}
    pages = {url for url in rest & standing if after.files[url].sessions}
    steps = [coming - rest, rest - standing, pages, rest & standing - pages]
    storage.send_all(copy, steps)
    copy.storage.delete(gone)
    storage.send_all(copy, [{NAME}])


class FarWriter(StagingWriter, frozen=True, kw_only=True):
    """Writes bodies to an address, from any machine; `gather` brings them to one."""

    site: str
    """Address of the site."""
    stage: str
    """Address of what is drawn, until it is published."""
    key: bytes
    """Seals what one worker reads of another: whoever may write to a bucket could else
    have workers run code."""

    def put_aside(self, name: str, body: bytes) -> None:
        """Write what is no file of the site, for other work of the same build."""
        super().put_aside(name, self._seal(name, body) + body)

    def aside(self, name: str) -> Path:
        """Return where it was fetched to; it goes at the end of the job."""
        body = memoryview(storage.open_storage(self.stage).read(f"{ASIDE}{name}") or b"")
        seal, body = body[:_SEAL_BYTES], body[_SEAL_BYTES:]
        if not hmac.compare_digest(seal, self._seal(name, body)):
            raise self._torn(name)
        if not _fetched:
            _fetched.append(TemporaryDirectory(prefix="everyleaf-"))
        place = Path(_fetched[0].name, name)
        place.write_bytes(body)
        return place

    def find(self, url: str) -> bytes | None:
        """Return the bytes of a file that stands in its place; None if none does."""
        body = super().find(url)
        return storage.open_storage(self.site).read(url) if body is None else body

    def read_all(self, files: Iterable[StagedFile]) -> Iterator[bytes]:
        """Yield the bytes of files that any worker put, or that stand in their place."""
        waiting = iter(files)
        while some := list(islice(waiting, _AT_ONCE)):
            staged = [one.name for one in some if one.is_staged]
            bodies = storage.open_storage(self.stage).read_all(staged) if staged else {}
            for one in some:
                body = bodies.get(one.name) if one.is_staged else self.find(one.url)
                if body is None or digest_hex(body) != one.digest:
                    raise self._torn(one.url)
                yield body

    def spool(self, url: str, texts: Iterable[str]) -> bytes:  # noqa: ARG002
        """Return the texts as bytes: a worker may not see the output folder."""
        return join_encoded(texts)

    def write(self, name: str, body: bytes | LongBody) -> None:
        """Write a file of the stage; it may wait for `flush`."""
        storage.open_storage(self.stage).write(name, body[:])

    def flush(self) -> None:
        """Have all that was written where other machines find it."""
        storage.open_storage(self.stage).write_waiting()

    def gather(self, drawn: Iterable[StagedFile]) -> Iterator[StagedFile]:
        """Yield `drawn`, each when it is in the stage of this machine."""
        folder, waiting = self.output_dir / STAGING, iter(drawn)
        while some := list(islice(waiting, _AT_ONCE)):
            staged = {one.name: one.digest for one in some if one.is_staged}
            self.flush()
            if staged:
                storage.open_storage(self.stage).fetch(sorted(staged), folder)
            for name, digest in staged.items():
                if digest_hex((folder / name).read_bytes()) != digest:
                    raise self._torn(name)
            yield from some

    def _seal(self, name: str, body: bytes | memoryview) -> bytes:
        made = hmac.new(self.key, f"{name}\0".encode(), "sha256")
        made.update(body)
        return made.digest()

    def _torn(self, name: str) -> StorageError:
        return StorageError(
            f"{name!r} in {self.stage!r} is not what a worker wrote there",
            hint="build again; nobody else may write there meanwhile",
        )


@contextmanager
def open_far_writer(output_dir: Path, site: str, folder: Path) -> Generator[FarWriter]:
    """Yield what workers draw the `site` with; what they write lies in `folder` meanwhile.

    `output_dir` is the copy of the site on this machine.

    Raises:
        StorageError: the store does not answer, or refuses.
    """
    stage = storage.address_of(folder / _STAGE)
    there = storage.open_storage(stage)
    there.clear()  # What a build left that was killed.
    try:
        yield FarWriter(output_dir, site=site, stage=stage, key=token_bytes(_SEAL_BYTES))
    finally:
        there.clear()


@contextmanager
def far_work() -> Generator[None]:
    """Write in the end what work wrote to addresses; forget what was fetched for it.

    Raises:
        StorageError: a store does not answer, or refuses.
    """
    try:
        yield
        storage.write_waiting()
    finally:
        storage.drop_waiting()
        while _fetched:
            _fetched.pop().cleanup()
