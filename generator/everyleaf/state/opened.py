"""Everything that is known when a build begins: what there was, and what there is now."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.config import BuildOptions
from everyleaf.digest import digest_value
from everyleaf.memo import Memo, SharedMemo, open_archive_memo

# msgspec reads the annotations, so their names must exist when the module runs.
from everyleaf.publish.disk import SiteFiles
from everyleaf.publish.manifest import FileDigest
from everyleaf.sources.files import Found, KnownFile, SourceFile, SourceMemory
from everyleaf.sources.gathering import shown_name
from everyleaf.state.contents import Contents, digest_drawing, read_contents
from everyleaf.storage import address_of

_LAST = "last-build"
EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"


class LastBuild(Struct, frozen=True):
    """What a build was made of, and what it left."""

    input_digest: str
    """Digest of everything that went into it."""
    drawing: str
    """Digest of what turned records into pages."""
    report: bytes
    """What it reported, as its maker encoded it."""
    options: str = ""
    """Digest of what a person asked for."""
    guard: str = ""
    """Digest of what was looked for in its files."""
    groups: dict[str, str] = field(default_factory=dict[str, str])
    """Session → name of the group that accounts for its files, if no group was lost."""
    source_parts: list[str] = field(default_factory=list[str])
    sources: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])
    """Every file that was read, by its place; kept in parts, as they are many."""
    file_parts: list[str] = field(default_factory=list[str])
    files: dict[str, FileDigest] = field(default_factory=dict[str, FileDigest])
    """Every file of the site, the manifest too; likewise."""


class BuildMemory(Struct):
    """What is known before anything was looked at."""

    store: Memo
    """What earlier builds of this site drew."""
    open: Callable[[str], Memo]
    """Opens a scope of the same memo."""
    last: LastBuild | None
    sources: SourceMemory
    files: SiteFiles
    """Of the output folder."""


class BuildState(BuildMemory):
    """What one build needs to know of the one before."""

    index: Memo
    """What was read of each file: builds and commands share it."""
    input_digest: str
    """Digest of everything that goes into this build."""
    drawing: str
    """Digest of what turns records into pages."""
    options: str
    """Digest of what a person asked for."""
    contents: Mapping[int, str]
    """Source → digest of its bytes; empty where it cannot be read."""
    spills: Mapping[int, str]
    """Source → digest of the outputs that lie beside it."""

    def find_report(self) -> bytes | None:
        """Return the report of the last build, if this one would do nothing else."""
        last = self.last
        is_same = last is not None and last.input_digest == self.input_digest
        return last.report if last and is_same and self.files.look() else None

    @property
    def is_drawing_known(self) -> bool:
        """Return whether the last build used the same code and theme."""
        return self.last is not None and self.last.drawing == self.drawing

    def new_bytes(self, found: Found, *, has_site: bool) -> int:
        """Return how much of what was `found` is to be worked on: what is new or changed.

        That is all of it where the last build used another code or theme, was asked for
        something else, or left a site that is not there any more.
        """
        last = self.last
        if not (
            last and has_site and self.is_drawing_known and last.options == self.options
        ):
            return found.size_bytes
        known = {one.digest for one in last.sources.values()}
        files = zip(found.files, self.contents.values(), strict=True)
        return sum(file.size_bytes for file, content in files if content not in known)

    def was_looked_through(self, guard: str, url: str, digest: str) -> bool:
        """Return whether the last build left these bytes, and looked for the same."""
        last = self.last
        seen = last.files.get(url) if last and last.guard == guard else None
        return seen is not None and seen.digest == digest

    def finish(
        self,
        urls: Sequence[str],
        report: bytes,
        *,
        guard: str,
        groups: dict[str, str],
        is_whole: bool,
    ) -> None:
        """Remember of what `urls` the site is, and whether `is_whole`; drop the rest."""
        last, save = self.last or LastBuild("", "", b""), self.store.save_parts
        # A name that is no UTF-8 cannot be kept: such a file is read again each time.
        sources = {at: one for at, one in self.sources.now.items() if shown_name(at) == at}
        last = LastBuild(
            input_digest=self.input_digest if is_whole else "",
            drawing=self.drawing,
            options=self.options,
            source_parts=save(sources, last.sources, last.source_parts),
            file_parts=save(self.files.seen(urls), last.files, last.file_parts),
            report=report,
            guard=guard,
            groups=groups if is_whole else {},
        )
        self.store.save(_LAST, last)
        self.store.drop_unused()
        self.index.drop_unused()


def open_memory(
    options: BuildOptions, folder: Path | None = None, *, site: Path | None = None
) -> BuildMemory:
    """Return what the last build left for this one.

    Without a cache folder, or where `options` ask for none, nothing is known. A cluster
    shares a `folder` instead. `site` is what the output folder stands for, where that is a
    copy.
    """
    output_dir = options.output_dir

    def memo(scope: str) -> Memo:
        if folder is not None:
            shared = SharedMemo(folder, scope)
            shared.look()
            return shared
        return open_archive_memo(scope, options.sources)

    is_kept = options.has_cache or folder is not None
    scope = f"site {address_of(site or output_dir) or output_dir.resolve().as_uri()}"
    store = memo(scope) if is_kept else Memo(None)
    last = store.load(_LAST, LastBuild)
    if last is not None:
        sources = store.load_parts(last.source_parts, dict[str, KnownFile])
        files = store.load_parts(last.file_parts, dict[str, FileDigest])
        is_whole = sources is not None and files is not None
        last = replace(last, sources=sources, files=files) if is_whole else None
    there = SiteFiles(output_dir, last.files if last else {})
    return BuildMemory(store, memo, last, SourceMemory(last.sources if last else {}), there)


def open_state(
    options: BuildOptions,
    found: Found,
    memory: BuildMemory,
    *,
    read: Callable[[Sequence[SourceFile], SourceMemory], Contents] = read_contents,
) -> BuildState:
    """Return what is known before anything is built; every file is read that has changed.

    Where the workers of a cluster `read`, all are.
    """
    known = (memory.store, memory.open, memory.last, memory.sources, memory.files)
    if memory.store.folder is None:
        return BuildState(*known, memory.store, "", "", "", {}, {})
    contents = read(found.files, memory.sources)
    drawing, asked = digest_drawing(options.theme), _asked(options)
    # What goes into a build beside the bytes of files.
    told = [[f.project, f.file, f.session, f.role, f.agent_id, f.meta] for f in found.files]
    beside = (told, found.foreign, found.issues)
    return BuildState(
        *known,
        index=memory.open("index, masked" if options.redact.is_on else "index, raw"),
        input_digest=digest_value([asked, *beside, drawing, contents]),
        drawing=drawing,
        options=asked,
        contents=dict(zip(found.numbers, contents.files, strict=True)),
        spills=dict(zip(found.numbers, contents.spills, strict=True)),
    )


def _asked(options: BuildOptions) -> str:
    """Return a digest of what a person asked for; how it is done is not in it."""
    asked = repr(
        replace(options, jobs=0, cluster="", cache_dir=None, is_network_trusted=False)
    )
    return digest_value([asked, os.environ.get(EPOCH_VARIABLE, "")])
