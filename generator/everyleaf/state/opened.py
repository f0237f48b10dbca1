"""Everything that is known when a build begins: what there was, and what there is now."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from everyleaf.fingerprint import digest_value
from everyleaf.memo import Memo, open_archive_memo
from everyleaf.sharedmemo import SharedMemo
from everyleaf.sources.files import number_files
from everyleaf.state.contents import digest_drawing, read_contents
from everyleaf.state.index import index_scope
from everyleaf.state.lastbuild import (
    LastBuild,
    find_last_build,
    keep_last_build,
    open_files,
    stands,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from everyleaf.config import BuildOptions
    from everyleaf.publish.disk import SiteFiles
    from everyleaf.sources.files import Found, SourceFile
    from everyleaf.state.contents import Contents

EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"
LITTLE_BYTES = 2_000_000
"""Less than this much new input is no work for more than one process."""


class BuildState(Struct):
    """What one build needs to know of the one before."""

    store: Memo
    """What earlier builds of this site drew."""
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
    files: SiteFiles
    """Of the output folder."""
    last: LastBuild | None

    def find_report(self) -> bytes | None:
        """Return the report of the last build, if this one would do nothing else."""
        last = self.last
        is_same = last is not None and last.input_digest == self.input_digest
        return last.report if last and is_same and stands(last, self.files) else None

    @property
    def is_drawing_known(self) -> bool:
        """Return whether the last build used the same code and theme."""
        return self.last is not None and self.last.drawing == self.drawing

    def is_little_new(self, found: Found) -> bool:
        """Return whether little of what was `found` is new or changed, and nothing else."""
        if self.last is None or not self.is_drawing_known:
            return False
        if self.last.options != self.options:
            return False
        known = set(self.last.contents)
        files = zip(found.files, self.contents.values(), strict=True)
        new = sum(file.size_bytes for file, content in files if content not in known)
        return new < LITTLE_BYTES

    @property
    def audited(self) -> str:
        """Return the digest of the kept pages that the last build found to be fit."""
        return self.last.audited if self.last else ""

    def finish(
        self, urls: Sequence[str], report: bytes, *, audited: str = "", is_whole: bool
    ) -> None:
        """Remember of what `urls` the site is, and whether `is_whole`; drop the rest."""
        last = LastBuild(
            input_digest=self.input_digest if is_whole else "",
            drawing=self.drawing,
            options=self.options,
            contents=tuple(self.contents.values()),
            files=self.files.seen(urls),
            report=report,
            audited=audited,
        )
        keep_last_build(self.store, last)
        self.store.drop_unused()
        self.index.drop_unused()


def open_state(
    options: BuildOptions,
    found: Found,
    *,
    folder: Path | None = None,
    read: Callable[[Sequence[SourceFile]], Contents] = read_contents,
) -> BuildState:
    """Return what is known before anything is built; reads every byte of the input once.

    Without a cache folder, or where `options` ask for none, nothing is known. A cluster
    shares a `folder` instead, and its workers `read`.
    """

    def memo(scope: str) -> Memo:
        if folder is not None:
            return SharedMemo(folder, scope)
        return open_archive_memo(scope, options.sources)

    is_kept = options.has_cache or folder is not None
    store = memo(f"site {options.output_dir.resolve()}") if is_kept else Memo(None)
    last = find_last_build(store)
    files = open_files(options.output_dir, last)
    if store.folder is None:
        return BuildState(store, store, "", "", "", {}, {}, files, None)
    contents = read(found.files)
    drawing = digest_drawing(options.theme)
    numbers = list(number_files(found.files))
    asked = _asked(options)
    return BuildState(
        store=store,
        index=memo(index_scope(options.redact)),
        input_digest=digest_value([asked, *_circumstances(found), drawing, contents]),
        drawing=drawing,
        options=asked,
        contents=dict(zip(numbers, contents.files, strict=True)),
        spills=dict(zip(numbers, contents.spills, strict=True)),
        files=files,
        last=last,
    )


def _asked(options: BuildOptions) -> str:
    """Return a digest of what a person asked for; how it is done is not in it."""
    asked = repr(
        msgspec.structs.replace(
            options, jobs=0, cluster="", cache_dir=None, is_network_trusted=False
        )
    )
    return digest_value([asked, os.environ.get(EPOCH_VARIABLE, "")])


def _circumstances(found: Found) -> list[object]:
    """Return what goes into a build beside the bytes of files."""
    return [
        [_facts(file) for file in found.files],
        found.foreign,
        found.issues,
    ]


def _facts(file: SourceFile) -> list[object]:
    return [file.project, file.file, file.session, file.role, file.agent_id, file.meta]
