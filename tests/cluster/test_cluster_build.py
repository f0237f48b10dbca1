"""The same site from workers that share nothing with this process but two folders."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import dask.config
import pytest
from msgspec.structs import replace

from cluster.clusters import Cluster, CutSmall, NoScanner, running
from everyleaf.cluster.engine import check_address, sight_of
from everyleaf.cluster.jobs import describe as describe_worker
from everyleaf.errors import ClusterError, ConfigError, OutputError
from golden import archives
from redact.keykinds import make_keys
from sessions import write_session
from state.building import build, contents

if TYPE_CHECKING:
    from pathlib import Path


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
    # What lies beside the site, and what workers keep, tells no secret.
    kept = [*contents(tmp_path / ".there.everyleaf").values(), *cluster.kept().values()]
    keys = [key.encode() for _, key in make_keys(7).values()]
    assert any(key in body for body in contents(source).values() for key in keys)
    assert not any(key in body for body in kept for key in keys)
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


def test_nothing_is_published_where_a_worker_differs(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "logs"
    write_session(source, "s")
    describe = "everyleaf.cluster.jobs.describe"
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
    sight = "everyleaf.cluster.engine.sight_of"
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
    monkeypatch.setattr("everyleaf.cluster.engine.CONNECT_S", 0.2)

    with pytest.raises(ClusterError, match="no scheduler answers") as told:
        build(tmp_path / "logs", tmp_path / "site", cluster="tcp://127.0.0.1:1")

    assert "dask scheduler" in told.value.hint


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_a_cluster_behind_tls_is_for_those_who_have_its_certificate(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(source, tmp_path / "here")
    machines = tmp_path / "machines"
    machines.mkdir()
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=everyleaf"
    files = ["-out", str(certificate), "-keyout", str(key)]
    subprocess.run([*command.split(), *files], check=True, capture_output=True)
    tls = {"default-scheme": "tls", "tls.ca-file": str(certificate)}
    for role in ("client", "scheduler", "worker"):
        tls |= {f"tls.{role}.cert": str(certificate), f"tls.{role}.key": str(key)}
    for name, value in tls.items():
        variable = f"DASK_DISTRIBUTED.COMM.{name.upper()}"
        monkeypatch.setenv(variable.replace(".", "__").replace("-", "_"), value)
    settings = {f"distributed.comm.{name}": value for name, value in tls.items()}

    with dask.config.set(settings), running(machines) as cluster:
        build(source, tmp_path / "there", cluster=cluster.address)
        with (
            dask.config.set({"distributed.comm.tls.client.cert": None}),
            pytest.raises(ConfigError, match="takes a certificate") as told,
        ):
            build(source, tmp_path / "there", cluster=cluster.address)

    assert cluster.address.startswith("tls://127.0.0.1:")
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert "distributed.comm.tls" in told.value.hint


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
