"""The same site from workers that share nothing with this process but two folders."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import psutil
import pytest
from msgspec.structs import replace

from cluster.clusters import Cluster, CutSmall, NoScanner, Poison, running
from everyleaf.build import build_site
from everyleaf.cluster.connect import check_address, sight_of
from everyleaf.cluster.jobs import describe as describe_worker
from everyleaf.config import BuildOptions
from everyleaf.errors import ClusterError, ConfigError, OutputError
from golden import archives
from state.building import build, contents, write_session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    # The rules of secrets are compiled once, here.
    write_session(folder / "logs", "s")
    build(folder / "logs", folder / "site")
    with running(folder) as cluster:
        yield cluster


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return forks, agents, oddities, and secrets that several sessions tell."""
    archives.write_secrets(tmp_path / "logs")
    return tmp_path / "logs"


def test_a_cluster_makes_the_same_site_and_later_reads_only_what_changed(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    build(source, here)

    cold = build(source, there, cluster=cluster.address)
    first = contents(there)
    same = build(source, there, cluster=cluster.address)
    archives.append_line(source)
    more = build(source, there, cluster=cluster.address)

    assert first == contents(here)
    assert cold.cluster is not None
    assert cold.cluster.retries == 0
    assert len(cold.cluster.busy) == 2
    kinds = {kind.name: kind.size_bytes for kind in cold.cluster.kinds}
    assert kinds["reading"] == cold.counts.bytes_read
    assert (same.wrote, same.counts.families) == (0, 0)
    build(source, here)
    assert contents(there) == contents(here)
    assert 0 < more.counts.bytes_read < cold.counts.bytes_read / 5
    assert more.counts.families == 1


def test_long_groups_are_drawn_by_several_workers(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    asked = {"has_cache": False, "has_search": False}
    build(source, tmp_path / "here", **asked)

    with cluster.client() as client:
        client.register_plugin(CutSmall())
        told = build(source, tmp_path / "there", cluster=cluster.address, **asked)
        client.unregister_worker_plugin(CutSmall.name)

    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert told.cluster is not None
    jobs = {kind.name: kind.jobs for kind in told.cluster.kinds}
    assert jobs["drawing sessions"] > 2 * told.counts.families
    assert [place.name for place in tmp_path.glob(".there*")] == []


def test_a_site_is_the_same_when_workers_are_killed_meanwhile(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    build(source, tmp_path / "here", has_search=False)
    over = threading.Event()

    def kill(stage: str, done: int, _total: int) -> None:
        if stage == "drawing sessions" and done and not over.is_set():
            over.set()
            for pid in cluster.pids():
                os.kill(pid, signal.SIGKILL)

    options = BuildOptions(
        sources=(source,),
        output_dir=tmp_path / "there",
        cluster=cluster.address,
        has_search=False,
    )
    told = build_site(options, on_progress=kill)

    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert told.cluster is not None
    assert told.cluster.retries > 0
    assert told.lost == ()


def test_a_group_that_no_worker_survives_is_left_as_it_was_and_named(
    cluster: Cluster, tmp_path: Path
) -> None:
    source, site = tmp_path / "logs" / "-w-app", tmp_path / "site"
    write_session(source, "good", prefix="a")
    write_session(source, "poisoned", prefix="b")
    build(source, site, cluster=cluster.address)
    page = site / "data" / "poisoned.json"
    before = page.read_bytes()
    write_session(source, "good", 2, prefix="a")
    write_session(source, "poisoned", 2, prefix="b")

    with cluster.client() as client:
        client.register_plugin(Poison("poisoned"))
        told = build(source, site, cluster=cluster.address)
        left = page.read_bytes()
        client.unregister_worker_plugin(Poison.name)
        again = build(source, site, cluster=cluster.address)

    assert told.lost == ("poisoned.jsonl",)
    assert told.wrote > 0
    assert left == before
    assert (again.lost, again.sessions) == ((), 2)
    assert page.read_bytes() != before


def test_a_scheduler_that_is_gone_leaves_the_last_site(
    source: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    write_session(tmp_path / "first", "s")
    build(tmp_path / "first", site, has_search=False)
    before = contents(site)
    (tmp_path / "other").mkdir()
    with running(tmp_path / "other", 1) as other:

        def kill(stage: str, done: int, _total: int) -> None:
            if stage == "drawing sessions" and done:
                other.scheduler.kill()

        options = BuildOptions(
            sources=(source,), output_dir=site, cluster=other.address, is_forced=True
        )
        with pytest.raises(ClusterError, match="scheduler of the cluster is gone") as told:
            build_site(options, on_progress=kill)

    assert told.value.hint
    assert contents(site) == before


def test_nothing_is_published_where_a_worker_differs(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "logs"
    write_session(source, "s")
    describe = "everyleaf.cluster.connect.describe"
    here = describe_worker("default")
    for changed, said in (
        (replace(here, python="3.99.1"), "runs Python"),
        (replace(here, drawing="other"), "has another version"),
    ):
        monkeypatch.setattr(describe, lambda *_, changed=changed: changed)
        with pytest.raises(ClusterError, match=said):
            build(source, tmp_path / "site", cluster=cluster.address)
    monkeypatch.setattr(describe, describe_worker)
    with cluster.client() as client:
        client.register_plugin(NoScanner())
        with pytest.raises(ClusterError, match="lacks the secret scanner"):
            build(source, tmp_path / "site", cluster=cluster.address)
        client.unregister_worker_plugin(NoScanner.name)
    # What workers see of it is another file.
    sight = "everyleaf.cluster.connect.sight_of"
    monkeypatch.setattr(
        sight, lambda *_: sight_of("default", [(str(source), 1 << 60)], tmp_path)
    )
    with pytest.raises(ClusterError, match="does not see"):
        build(source, tmp_path / "site", cluster=cluster.address)

    assert not (tmp_path / "site").exists()


def test_a_cluster_that_is_not_there_is_an_error_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_session(tmp_path / "logs", "s")
    monkeypatch.setattr("everyleaf.cluster.connect.CONNECT_S", 0.2)

    with pytest.raises(ClusterError, match="no scheduler answers") as told:
        build(tmp_path / "logs", tmp_path / "site", cluster="tcp://127.0.0.1:1")

    assert "dask scheduler" in told.value.hint


def test_what_is_remembered_lies_where_it_is_told_to(
    cluster: Cluster, tmp_path: Path
) -> None:
    write_session(tmp_path / "logs", "s")
    asked = {"cluster": cluster.address, "cache_dir": tmp_path / "notes"}
    build(tmp_path / "logs", tmp_path / "site", has_search=False, **asked)

    again = build(tmp_path / "logs", tmp_path / "site", has_search=False, **asked)
    (tmp_path / "notes").chmod(0o777)
    with pytest.raises(OutputError, match="others may write") as told:
        build(tmp_path / "logs", tmp_path / "site", has_search=False, **asked)

    assert again.counts.bytes_read == 0
    assert told.value.hint
    names = {place.name for place in tmp_path.iterdir()}
    assert names == {"logs", "site", "notes"}


def test_interrupting_a_build_ends_its_workers(source: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "everyleaf", "build", str(source), "--out"]
    process = subprocess.Popen(
        [*command, str(tmp_path / "site"), "--cluster", "local:2"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    said = process.stderr.readline()
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)

    assert said == "2 workers\n"
    assert (process.returncode, out) == (130, "")
    assert err == "interrupted; what was there before is still there\n"
    assert len(children) >= 2
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert (len(gone), alive) == (len(children), [])
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    "address", ["local:0", "local:", "tcp://", "tcp://h", "http://h:1", "tcp://a/b:1", ""]
)
def test_an_address_is_one_of_a_cluster(address: str) -> None:
    with pytest.raises(ConfigError, match="no address of a cluster"):
        check_address(address, is_trusted=True)


@pytest.mark.parametrize("host", ["10.0.0.1", "dask.example", "[fd00::1]", "127.0.0.1.x"])
def test_secrets_go_to_another_machine_only_by_consent(host: str) -> None:
    with pytest.raises(ConfigError, match="secrets") as told:
        check_address(f"tcp://{host}:8786", is_trusted=False)

    assert "--trust-network" in told.value.hint
    check_address(f"tcp://{host}:8786", is_trusted=True)
    check_address(f"tls://{host}:8786", is_trusted=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.1.2.3"])
def test_this_machine_is_trusted(host: str) -> None:
    check_address(f"tcp://{host}:8786", is_trusted=False)
