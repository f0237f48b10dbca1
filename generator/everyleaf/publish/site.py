"""Publishes a site: takes every output, plans, moves what changed into place.

`verify_site` says afterwards whether a folder still holds what was published into it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import digest_hex
from everyleaf.errors import OutputError, refused
from everyleaf.outputs import Output, StagedFile
from everyleaf.publish import disk, manifest as manifests

Approve = Callable[[Mapping[str, Path]], None]


class Published(Struct, frozen=True):
    """What publishing did, counted in files; the manifest itself is not counted."""

    wrote: int
    kept: int
    """Files that stayed as they were, those of vanished sessions included."""
    deleted: int
    edited: tuple[str, ...] = ()
    """Files that someone had changed by hand, and that were overwritten or deleted."""
    urls: tuple[str, ...] = ()
    """All files of the site, sorted; the manifest is one of them."""


def publish_site(  # noqa: PLR0913  (half of them are seldom given)
    output_dir: Path,
    outputs: Iterable[Output | StagedFile],
    *,
    owners: Mapping[str, Collection[str]],
    is_vanished: Callable[[str], bool],
    standing: Mapping[str, manifests.Listed] = {},
    is_forced: bool = False,
    before: manifests.Manifest | None = None,
    files: disk.SiteFiles | None = None,
    approve: Approve | None = None,
    access: disk.Access = disk.EVERYBODY,
    has_checksums: bool = False,
) -> Published:
    """Make `output_dir` hold `outputs`, and say how many files that took.

    `outputs` is gone through once, with one body in memory at a time; the site changes
    only after the last of them. One url may come twice with the same bytes. `standing` says
    what is to be listed of further files, by url, which stand in their place, as `before`
    says of what bytes. `owners` names the sessions that account for an output (none: the
    site itself). Both are asked only after all outputs were taken. An older file that is
    not among them is deleted, unless one of its sessions `is_vanished`: gone from the input
    without a person's asking for it.

    `before` is what `check_output_dir` says of the folder, if it was asked. `files` knows
    what the folder holds, and learns what it holds afterwards. While outputs are taken, a
    `StagingWriter` of the folder may be used.

    `approve` is asked when everything is staged and nothing was moved yet: it gets every
    file of the site, by url, with the place where its bytes are, and may raise.

    The manifest is written last; before the first new file, one that also lists what is
    about to be written, so that the folder is ours whenever the build is killed.

    With `has_checksums`, the digests of a session's own files stand in its data file, which
    must hold them, and not in the manifest.

    With `OWNER_ALONE` as `access`, what stays is closed to others, too. A folder that was
    made for a site which then fails is removed again.

    Raises:
        OutputError: if the folder is not ours (unless `is_forced`), if another build
            writes to it or did meanwhile, if outputs collide, or if the disk refuses.
    """
    if before is None:
        before = manifests.check_output_dir(output_dir, is_forced=is_forced)
    files = files or disk.SiteFiles(output_dir)
    with _made_folder(output_dir, access), disk.open_stage(output_dir, access) as stage:
        _check_unchanged(output_dir, before)
        if access == disk.OWNER_ALONE:
            with disk.located(manifests.NAME):
                disk.close_to_others(output_dir, [manifests.NAME, *before.files])
        digests = _stage_outputs(stage, files, outputs, standing)
        if not digests.keys() <= before.files.keys():
            # Else they stand side by side already.
            manifests.check_urls({**standing, **digests})
        wanted = _list_files(digests, owners, before, standing, has_checksums=has_checksums)
        listed = before.files.items()
        old = {url: one for url, one in listed if url in wanted or url not in standing}
        on_disk = files.digests({**old, **wanted})
        plan = plan_writes(
            wanted,
            before=manifests.Manifest(old),
            same=standing,
            on_disk=on_disk,
            is_vanished=is_vanished,
        )
        if plan.strangers and not is_forced:
            raise OutputError(
                "the output folder holds files that everyleaf did not write and would"
                f" overwrite: {', '.join(map(repr, plan.strangers))}",
                hint="move them away, or add --force to overwrite them",
            )
        if approve is not None:
            approve({url: stage.location(url) for url in sorted(plan.manifest.files)})
        _apply(stage, files, plan, before=before)
    return Published(
        wrote=len(plan.write),
        kept=len(plan.keep) + sum(url not in wanted for url in standing),
        deleted=len(plan.delete),
        edited=plan.edited,
        urls=tuple(sorted([manifests.NAME, *plan.manifest.files])),
    )


def _list_files(
    digests: Mapping[str, str],
    owners: Mapping[str, Collection[str]],
    before: manifests.Manifest,
    standing: Mapping[str, manifests.Listed],
    *,
    has_checksums: bool,
) -> dict[str, manifests.Listed]:
    """Return what a manifest says of each file of which it does not say so `before`."""
    wanted = {url: one for url, one in standing.items() if before.files[url] is not one}
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    for url, digest in digests.items():
        others = standing[url].sessions if url in standing else ()
        names = tuple(sorted({*owners.get(url, ()), *others}))
        is_in_data = has_checksums and manifests.may_be_in_data(url, names)
        wanted[url] = manifests.Listed(digest, same.setdefault(names, names), is_in_data)
    return wanted


def _check_unchanged(output_dir: Path, before: manifests.Manifest) -> None:
    """Check that no other build has published since `before` was read."""
    place = output_dir / manifests.NAME
    body = place.read_bytes() if place.is_file() else b""
    if body and digest_hex(body) == before.read_from:
        return
    files = (manifests.parse_manifest(body) or manifests.Manifest()).files
    is_same = files.keys() == before.files.keys() and all(
        listed.is_in_data or listed.digest == before.files[url].digest
        for url, listed in files.items()
    )
    if not is_same:
        raise OutputError(
            f"another build published to {str(output_dir)!r} meanwhile", hint="build again"
        )


def _stage_outputs(
    stage: disk.Stage,
    files: disk.SiteFiles,
    outputs: Iterable[Output | StagedFile],
    standing: Mapping[str, manifests.Listed],
) -> dict[str, str]:
    """Stage what differs from the disk; return the digests of all outputs."""
    digests: dict[str, str] = {}
    clashes: set[str] = set()
    for output in outputs:
        digest = digest_hex(output.body) if isinstance(output, Output) else output.digest
        if output.url in digests:
            clashes |= {output.url} if digests[output.url] != digest else set()
            continue
        digests[output.url] = digest
        if isinstance(output, Output) or output.is_staged:
            manifests.check_urls([output.url])
        if files.digest(output.url) == digest:
            continue
        if isinstance(output, Output):
            stage.add(output.url, output.body)
        else:
            stage.take(output)
    both = digests.keys() & standing.keys()
    clashes |= {url for url in both if digests[url] != standing[url].digest}
    if clashes:
        raise OutputError(
            f"pages would overwrite each other: {', '.join(map(repr, sorted(clashes)))}",
            hint="leave one of the sessions out with --exclude, and please report this",
        )
    return digests


def _apply(
    stage: disk.Stage, files: disk.SiteFiles, plan: Plan, *, before: manifests.Manifest
) -> None:
    if not plan.manifest.files.keys() <= before.files.keys():
        coming = {url: replace(plan.manifest.files[url], digest="") for url in plan.write}
        _write_manifest(stage, files, manifests.Manifest({**before.files, **coming}))
    disk.delete_files(stage.output_dir, sorted(plan.clear))
    for url in plan.write:
        stage.place(url)
        files.note(url, plan.manifest.files[url].digest)
    disk.delete_files(
        stage.output_dir, [url for url in plan.delete if url not in plan.clear]
    )
    _write_manifest(stage, files, plan.manifest)


def _write_manifest(
    stage: disk.Stage, files: disk.SiteFiles, manifest: manifests.Manifest
) -> None:
    body = manifest.to_json()
    digest = digest_hex(body)
    if files.digest(manifests.NAME) != digest:
        stage.add(manifests.NAME, body)
        stage.place(manifests.NAME)
        files.note(manifests.NAME, digest)


@contextmanager
def _made_folder(output_dir: Path, access: disk.Access) -> Generator[None]:
    """Have the folder there; if what follows fails, remove what had to be made."""
    new = [place for place in (output_dir, *output_dir.parents) if not place.exists()]
    hint = "check the permissions of the folder around it, or choose another --out"
    with refused(OutputError, f"cannot make the output folder {str(output_dir)!r}", hint):
        for place in reversed(new):
            place.mkdir(access.folder if place == output_dir else 0o777, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):  # Not empty: then part of a site stands there already.
            for place in new:
                place.rmdir()
        raise


class SiteDifference(Struct, frozen=True):
    """How a folder differs from its manifest; urls, sorted."""

    files: int
    """How many the manifest lists."""
    missing: tuple[str, ...]
    changed: tuple[str, ...]
    extra: tuple[str, ...]
    """Files that nobody published, and those of a build that was killed; no hidden ones."""

    @property
    def is_whole(self) -> bool:
        """Return whether all that was published is there, as it was written."""
        return not self.missing and not self.changed


def verify_site(output_dir: Path) -> SiteDifference:
    """Return how the files in `output_dir` differ from those that were published there.

    Reads every file once.

    Raises:
        OutputError: the folder has no manifest of ours, or a file cannot be read.
    """
    manifest = manifests.load_manifest(output_dir)
    if manifest is None:
        lacks = f"was not made by everyleaf: no {manifests.NAME} of ours in it"
        raise OutputError(
            f"{str(output_dir)!r} {lacks if output_dir.is_dir() else 'is no folder'}",
            hint="name the folder that was given to `everyleaf build --out`",
        )
    found = disk.SiteFiles(output_dir).digests(sorted(manifest.files))
    listed = manifest.files
    places = sorted(
        place.relative_to(output_dir)
        for place in output_dir.rglob("*")
        if not place.is_dir()
    )
    left = disk.STAGING
    visible = (p for p in places if "/." not in f"/{p.as_posix()}".removeprefix(f"/{left}"))
    extra = {place.as_posix() for place in visible} - listed.keys() - {manifests.NAME}
    return SiteDifference(
        files=len(listed),
        missing=tuple(url for url in sorted(listed) if url not in found),
        changed=tuple(url for url in sorted(found) if _is_changed(listed[url], found[url])),
        extra=tuple(sorted(extra)),
    )


def _is_changed(listed: manifests.Listed, found: str) -> bool:
    if listed.is_in_data and not listed.digest:
        return False  # Its data file is missing, and told as that.
    return found != listed.digest


ASSETS = "assets/"
"""Named by their content, so that an old one never stands in the way of a new one."""


class Plan(Struct, frozen=True):
    """What has to happen to a folder; sorted urls, each in one of the first three."""

    write: tuple[str, ...]
    keep: tuple[str, ...]
    """Unchanged, or of a session whose source has vanished."""
    delete: tuple[str, ...]
    clear: frozenset[str]
    """Those of `delete` that must go first: on some disks a new file takes their place."""
    edited: tuple[str, ...]
    """Those of `write` and `delete` that someone changed since we wrote them."""
    strangers: tuple[str, ...]
    """Those of `write` that would replace a file which we never wrote."""
    manifest: manifests.Manifest
    """What is true once all of it has happened."""


def plan_writes(
    wanted: Mapping[str, manifests.Listed],
    *,
    before: manifests.Manifest,
    on_disk: Mapping[str, str],
    is_vanished: Callable[[str], bool],
    same: Mapping[str, manifests.Listed] = {},
) -> Plan:
    """Return what to do so that a folder holds `wanted` and what has to stay of `before`.

    A file of `before` that is not wanted any more stays only for a session of its own that
    `is_vanished`: gone from the input, and not because a person excluded it. The assets
    stay with such pages, which still link to them. `on_disk` gives the digest of each file
    of `wanted` and `before` that exists. Changes by hand are overwritten. Files that stay
    the `same`, unless they are wanted, are in neither, and in the manifest.
    """
    owners = {listed.sessions for listed in before.files.values()}
    gone_of = {
        names: gone for names in owners if (gone := tuple(filter(is_vanished, names)))
    }
    vanished = {
        url: gone_of[listed.sessions]
        for url, listed in before.files.items()
        if listed.sessions in gone_of
    }
    old = before.files.keys() - wanted.keys()
    blocked = manifests.find_obstacles(old, {**same, **wanted}) if old else set[str]()
    stay = (old & vanished.keys() & on_disk.keys()) - blocked
    if stay:
        stay |= {url for url in old & on_disk.keys() if url.startswith(ASSETS)}
    write = {url for url, one in wanted.items() if on_disk.get(url) != one.digest}
    delete = old - stay
    kept_pages = {
        url: replace(before.files[url], sessions=vanished.get(url, ())) for url in stay
    }
    fresh = {
        url: replace(wanted[url], sessions=tuple(sorted({*wanted[url].sessions, *gone})))
        for url, gone in vanished.items()
        if url in wanted
    }
    return Plan(
        write=tuple(sorted(write)),
        keep=tuple(sorted(url for url in (*wanted, *stay) if url not in write)),
        delete=tuple(sorted(delete & on_disk.keys())),
        clear=frozenset(blocked),
        edited=tuple(
            url
            for url in sorted((write | delete) & before.files.keys() & on_disk.keys())
            if before.files[url].digest not in {"", on_disk[url]}
        ),
        # What stands there may be a folder of ours, or ours under another spelling.
        strangers=tuple(
            url
            for url in sorted(write & on_disk.keys() - before.files.keys())
            if not manifests.find_obstacles(blocked, [url])
        ),
        manifest=manifests.Manifest({**same, **kept_pages, **wanted, **fresh}),
    )
