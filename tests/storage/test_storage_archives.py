"""Whatever the archive, a cluster makes the site that one machine makes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from golden import archives
from state.building import build, contents
from storage.buckets import BUCKET, at, held

if TYPE_CHECKING:
    from pathlib import Path

    from s3fs import S3FileSystem

    from cluster.clusters import Cluster
    from golden.archives import WriteArchive

SMALL = ("--sessions", "6", "--turns", "8", "--profile")
ARCHIVES: dict[str, WriteArchive] = {
    "example": archives.write_example,
    "mixed": archives.write_mixed,
    "first version": lambda folder: archives.simulate(folder, *SMALL, "v1"),
    "second version": lambda folder: archives.simulate(folder, *SMALL, "v2"),
    "last version": lambda folder: archives.simulate(folder, *SMALL, "v21"),
    "real": archives.write_real,
}


@pytest.mark.long
@pytest.mark.parametrize("write", ARCHIVES.values(), ids=ARCHIVES)
def test_a_cluster_makes_the_site_of_one_machine_from_a_folder_and_from_a_bucket(
    bucket: S3FileSystem, cluster: Cluster, tmp_path: Path, write: WriteArchive
) -> None:
    source = tmp_path / "logs"
    write(source)
    there = partial(build, cluster=cluster.address)

    drawn: list[int] = []
    for _ in ("cold", "one line more"):
        bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
        build(source, tmp_path / "here")
        by_folder = there(source, tmp_path / "there")
        by_bucket = there(at("logs"), at("site"))

        site = contents(tmp_path / "here")
        assert any(name.startswith("pagefind/fragment/") for name in site)
        assert contents(tmp_path / "there") == site
        assert held(bucket, "site") == site
        assert by_folder.counts.families == by_bucket.counts.families
        drawn.append(by_folder.counts.families)
        archives.append_line(source)
    assert 0 < drawn[1] < drawn[0]
