"""Workers, schedulers and builds that end in the middle of the work."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import psutil
import pytest

from cluster.clusters import Cluster, Poison, PoisonIndex, running
from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from everyleaf.errors import ClusterError, LostJobError
from golden import archives
from sessions import write_session
from state.building import build, contents

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.long


def test_a_site_is_the_same_when_workers_are_killed_meanwhile(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    build(source, tmp_path / "here", has_search=False)
    pids, killed = cluster.pids(), threading.Event()

    def kill(stage: str, done: int, _total: int) -> None:
        if stage == "drawing sessions" and done and not killed.is_set():
            killed.set()
            for pid in pids:
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


def test_a_site_is_the_same_when_workers_are_killed_at_ten_random_moments(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    build(source, tmp_path / "here")
    asked = {"sources": (source,), "cluster": cluster.address, "has_cache": False}
    stages: list[str] = []
    quiet = BuildOptions.model_validate({**asked, "output_dir": tmp_path / "first"})
    build_site(quiet, on_progress=lambda stage, _done, _total: stages.append(stage))
    chosen = random.Random(17)  # noqa: S311  (no secret)
    moments = set(chosen.sample(range(len(stages)), 10))
    told: list[str] = []

    def kill(stage: str, _done: int, _total: int) -> None:
        if len(told) in moments:
            cluster.kill_worker(chosen.randrange(2))
        told.append(stage)

    options = BuildOptions.model_validate({**asked, "output_dir": tmp_path / "there"})
    report = build_site(options, on_progress=kill)

    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert report.lost == ()
    assert max(moments) < len(told)


def test_an_index_of_words_that_no_worker_survives_leaves_the_last_site(
    cluster: Cluster, source: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    write_session(tmp_path / "logs", "s")
    build(tmp_path / "logs", site, cluster=cluster.address)
    before = contents(site)
    archives.append_line(source)

    with cluster.client() as client:
        client.register_plugin(PoisonIndex())
        with pytest.raises(LostJobError, match="workers were lost") as told:
            build(source, site, cluster=cluster.address, is_forced=True)
        left = contents(site)
        client.unregister_worker_plugin(PoisonIndex.name)
    build(source, site, cluster=cluster.address, is_pruned=True)
    build(source, tmp_path / "here")

    assert told.value.hint
    assert left == before
    assert contents(site) == contents(tmp_path / "here")


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
    assert err.endswith("interrupted; what was there before is still there\n")
    assert "Traceback" not in err
    assert len(children) >= 2
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert (len(gone), alive) == (len(children), [])
    assert not (tmp_path / "site").exists()
