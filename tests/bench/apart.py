"""A build by machines that share nothing but a network, as far as one machine has them.

    PYTHONPATH=tests uv run python -m bench.apart ARCHIVE [--keep-workers]

Needs root on Linux. Store, scheduler, driver and two workers are each in a network of their
own, behind one bridge, and see nothing of ARCHIVE nor of each other's folders. Sessions are
read from a bucket and the site is written to one; when half of the sessions are drawn, a
worker is killed. Then the same is built again, and once by two processes from the folder:
the sites have to be the same. Prints seconds, memory, retries and the digests of the sites.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import psutil

from bench.rows import say
from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from everyleaf.digest import open_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

ROLES = ("store", "scheduler", "driver", "w0", "w1")
BUCKET = "team"
STORE, SCHEDULER = "http://10.77.0.1:5000", "tcp://10.77.0.2:8786"
IN_PLACE = 'mount --bind "$0" /mnt; for f in "$1" "$2"; do mount -t tmpfs tmpfs "$f"; done'
"""A role is at home in /mnt, and the folders of all, and the archive, are empty to it."""


class Machines:
    """The roles, each with its network and its folder; they end with `running`."""

    def __init__(self, folder: Path, archive: Path, running: ExitStack) -> None:
        """Give each role a network."""
        self._folder, self._archive, self._running = folder, archive, running
        name = f"leaf{os.getpid()}"
        self._nets = {role: f"{name}-{role}" for role in ("hub", *ROLES)}
        for net in self._nets.values():
            ip("netns", "add", net)
            running.callback(ip, "netns", "del", net)
        hub = self._nets["hub"]
        ip("-n", hub, "link", "add", "br0", "type", "bridge")
        ip("-n", hub, "link", "set", "br0", "up")
        for number, role in enumerate(ROLES, 1):
            net = self._nets[role]
            ip("-n", net, "link", "set", "lo", "up")
            ip("-n", net, "link", "add", "eth0", "type", "veth")
            ip("-n", net, "link", "set", "veth0", "netns", hub, "name", f"port{number}")
            ip("-n", hub, "link", "set", f"port{number}", "master", "br0", "up")
            ip("-n", net, "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
            ip("-n", net, "link", "set", "eth0", "up")
            (folder / role).mkdir()

    def start(self, role: str, *words: str, sees: bool = False) -> psutil.Popen:
        """Run Python with `words` as `role`; it `sees` the archive only where told."""
        environment = os.environ | {
            "PYTHONPATH": str(Path(__file__).parents[1]),
            "EVERYLEAF_CACHE_DIR": "/mnt/cache",
            "AWS_ENDPOINT_URL": STORE,
            "AWS_ACCESS_KEY_ID": "ada",
            "AWS_SECRET_ACCESS_KEY": "no secret",
            "AWS_DEFAULT_REGION": "us-east-1",
            "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
        }
        hidden = self._folder if sees else self._archive
        python = f'{IN_PLACE}; cd /mnt; shift 2; exec "$@"'
        command = ["ip", "netns", "exec", self._nets[role], "bash", "-ec", python]
        command += [str(self._folder / role), str(self._folder), str(hidden)]
        with Path(self._folder, f"{role}.log").open("ab") as log:
            process = psutil.Popen(
                [*command, sys.executable, "-m", *words],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._running.callback(end, process)
        return process


def ip(*words: str) -> None:
    """Set up a network."""
    subprocess.run(["ip", *words], check=True)


def end(process: psutil.Popen) -> None:
    """End a process and its children."""
    if process.poll() is None:
        for child in (*process.children(recursive=True), process):
            child.kill()
        process.wait()


def digest(files: Iterable[tuple[str, bytes]]) -> str:
    """Return what names a site."""
    made = open_digest()
    for name, body in files:
        made.update(f"{name}\0{len(body)}\0".encode())
        made.update(body)
    return made.hexdigest(length=16)


def ask_store(what: str, archive: str) -> None:
    """Fill the bucket, or print the digest of the site in it."""
    from s3fs import S3FileSystem  # noqa: PLC0415  (of this role)

    files = S3FileSystem()
    if what == "fill":
        files.mkdir(BUCKET)
        files.put(f"{archive}/", f"{BUCKET}/logs/", recursive=True)
        return
    start = f"{BUCKET}/site/"
    names = sorted(files.find(start))
    held = ((name.removeprefix(start), files.cat_file(name)) for name in names)
    say(json.dumps({"files": len(names), "digest": digest(held)}))


def drive() -> None:
    """Build from the bucket, and tell when half of the sessions are drawn."""
    half: list[bool] = []

    def follow(stage: str, done: int, total: int) -> None:
        if stage == "drawing sessions" and 2 * done >= total and not half:
            half.append(True)
            say("half")
            sys.stdout.flush()

    options = BuildOptions(
        sources=(Path(f"s3://{BUCKET}/logs"),),
        output_dir=Path(f"s3://{BUCKET}/site"),
        cluster=SCHEDULER,
        is_network_trusted=True,
    )
    report = build_site(options, on_progress=follow)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    own = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    work = report.cluster
    kinds = [str(kind) for kind in work.kinds] if work else []
    told: dict[str, object] = {"seconds": report.seconds, "driver_mb": most}
    told |= {"driver_cpu_s": own}
    if work:
        told |= {"retries": work.retries, "busy_s": work.busy, "kinds": kinds}
    say(json.dumps(told | {"wrote": report.wrote}))


def build_apart(archive: Path, *, is_killing: bool) -> None:
    """Build from a bucket to a bucket, twice, and print what that took."""
    with TemporaryDirectory(prefix="apart-") as folder, ExitStack() as running:
        machines = Machines(Path(folder), archive, running)
        machines.start("store", "moto.server", "-H", "0.0.0.0", "-p", "5000")  # noqa: S104
        time.sleep(5)
        filling = ["bench.apart", "fill", str(archive)]
        machines.start("store", *filling, sees=True).wait()
        dask = "distributed.cli.dask_"
        machines.start("scheduler", f"{dask}scheduler", "--port", "8786", "--no-dashboard")
        one = ("--nthreads", "1", "--no-dashboard", "--local-directory", "/mnt")
        workers = [machines.start(w, f"{dask}worker", SCHEDULER, *one) for w in ROLES[3:]]
        time.sleep(5)
        for turn in range(2):
            driver = machines.start("driver", "bench.apart", "drive", str(archive))
            most = [0.0, 0.0]
            while driver.poll() is None:
                for place, worker in enumerate(workers):
                    most[place] = max(most[place], *map(resident_mb, tree(worker)))
                if turn == 0 and is_killing and tell_half(driver):
                    is_killing = False
                    tree(workers[0])[-1].send_signal(signal.SIGKILL)
                time.sleep(0.5)
            if driver.returncode:
                raise SystemExit(Path(folder, "driver.log").read_text())
            say(f"{driver.stdout.read().strip()} workers' MB: {most}")
        looking = machines.start("store", "bench.apart", "look", str(archive))
        say(looking.communicate()[0].strip())


def tell_half(driver: psutil.Popen) -> bool:
    """Return whether the driver says that half of the sessions are drawn."""
    os.set_blocking(driver.stdout.fileno(), False)
    return "half" in (driver.stdout.readline() or "")


def tree(process: psutil.Popen) -> list[psutil.Process]:
    """Return a process and what it started, innermost last."""
    return [process, *process.children(recursive=True)]


def resident_mb(process: psutil.Process) -> float:
    """Return what a process has in memory; nothing if it has ended."""
    try:
        return float(process.memory_info().rss) / 1e6
    except psutil.Error:
        return 0.0


def build_here(archive: Path) -> None:
    """Build from the folder by two processes, and print what that took."""
    with TemporaryDirectory(prefix="here-") as folder:
        site = Path(folder, "site")
        options = BuildOptions(sources=(archive,), output_dir=site, jobs=2, has_cache=False)
        report = build_site(options, on_progress=lambda *_: None)
        files = sorted(file for file in site.rglob("*") if file.is_file())
        names = sorted((file.relative_to(site).as_posix(), file) for file in files)
        held = ((name, file.read_bytes()) for name, file in names)
        told = {"files": len(files), "digest": digest(held), "seconds": report.seconds}
        say(json.dumps(told))


def main() -> None:
    """Do what the command line asks, as one of the roles or for all."""
    if sys.argv[1] == "drive":
        drive()
    elif sys.argv[1] in {"fill", "look"}:
        ask_store(*sys.argv[1:])
    else:
        archive = Path(sys.argv[1]).resolve()
        build_apart(archive, is_killing="--keep-workers" not in sys.argv)
        build_here(archive)


if __name__ == "__main__":
    main()
