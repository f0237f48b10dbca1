"""`everyleaf keep`: sessions into a store that never forgets, and out of it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from everyleaf.cli import options
from everyleaf.cli.output import echo_json, echo_lines, json_line, printable, show_progress
from everyleaf.transcript.words import counted

if TYPE_CHECKING:
    from everyleaf.keep.stored import StoredSession
    from everyleaf.store import Store


@options.command()
@partial(options.sources, takes_settings=False)
@click.option(
    "--to",
    "target",
    type=options.FOLDER,
    metavar="DIR",
    help="The store; with --restore, where to write.  [default: in the user's data folder]",
)
@options.flag("--list", "is_list", help="List the sessions in the store SOURCE.")
@options.flag("--verify", "is_verify", help="Read all of the store SOURCE: is it whole?")
@click.option(
    "--restore",
    "wanted",
    metavar="SESSION[@WHEN]",
    help="Write a session of the store SOURCE to DIR, byte for byte; as it was at WHEN:"
    " 2026-11-20, 2026-11-20T10:15 or 7d.",
)
@options.flag(
    "--install",
    "is_install",
    help="Show a hook for the settings of Claude Code that keeps each session when it ends"
    " and before it is compacted, and lines for systemd, launchd and cron.",
)
@options.flag("-y", "--yes", "is_agreed", help="With --install: add the hook.")
@options.flag("--uninstall", "is_uninstall", help="Take the hook out again.")
@options.json
@options.flag("-v", "--verbose", "is_verbose", help="With --list: every state.")
@options.utc
@options.quiet
def keep(
    *,
    reading: options.Reading,
    target: Path | None,
    wanted: str | None,
    is_agreed: bool,
    is_verbose: bool,
    **modes: bool,
) -> int:
    """Keep sessions in a store from which nothing is ever deleted.

    Claude Code deletes sessions after 30 days. This takes sessions, their agents, large
    tool results and copies of edited files out of SOURCE (default: all of Claude Code's)
    into a store: compressed, each state once. A session that vanished, shrank or was
    rewritten stays as it was. What is kept is not masked: it is for you alone; every
    command reads the store as a source, and masks what it shows.
    """
    asked = [f"--{name.removeprefix('is_')}" for name, value in modes.items() if value]
    asked += ["--restore"] if wanted is not None else []
    if len(asked) > 1:
        raise click.UsageError(f"{asked[0]} and {asked[1]} exclude each other")
    mode = asked[0] if asked else ""
    if mode in {"--list", "--verify"}:
        store = _store(_one(reading.sources) or target)
        if mode == "--verify":
            return _verify(store, reading)
        return _list(store, reading, is_verbose=is_verbose)
    if wanted is not None:
        if target is None:
            raise click.UsageError("--restore needs --to DIR: ~/.claude puts it back")
        return _restore(_store(_one(reading.sources)), wanted, target, reading)
    if mode == "--install":
        store_dir = (target or _default_store()).expanduser()
        return _install(store_dir, is_agreed=is_agreed, is_json=reading.is_json)
    if mode:
        return _uninstall(is_json=reading.is_json)
    return _sweep(target, reading)


def _one(sources: tuple[Path, ...]) -> Path | None:
    if len(sources) > 1:
        raise click.UsageError("name one store")
    return sources[0] if sources else None


def _store(folder: Path | None) -> Store:
    from everyleaf.keep.stored import check_store
    from everyleaf.store import Store

    return check_store(Store(folder or _default_store()))


def _default_store() -> Path:
    from platformdirs import user_data_path

    return user_data_path("everyleaf", appauthor=False) / "kept"


def _sweep(target: Path | None, reading: options.Reading) -> int:
    from everyleaf.keep.stored import sweep
    from everyleaf.sources.discover import default_inputs
    from everyleaf.store import Store

    store = Store((target or _default_store()).expanduser())
    with show_progress(is_quiet=reading.is_quiet) as on_progress:
        swept = sweep(reading.sources or (default_inputs(),), store, on_progress)
    for name in swept.unread:
        click.echo(f"not kept, since it cannot be read: {printable(name)}", err=True)
    if reading.is_json:
        told = {"sessions": swept.sessions} | asdict(swept)
        echo_json(told | {"store": str(store.folder)}, is_sorted=False)
    else:
        click.echo(
            f"{counted(swept.sessions, 'session')}, {counted(swept.files, 'file')} new"
            f" or changed, {swept.size_bytes / 1e6:,.1f} MB added to"
            f" {printable(str(store.folder))}"
        )
    return int(bool(swept.unread))


def _list(store: Store, reading: options.Reading, *, is_verbose: bool) -> int:
    from everyleaf.keep.stored import list_sessions

    sessions = list_sessions(store)
    if reading.is_json:
        for one in sessions:
            states = [
                {"at": f"{_moment(kept_ms, UTC)}Z", "size_bytes": size_bytes}
                for kept_ms, size_bytes in one.states
            ]
            click.echo(json_line(asdict(one) | {"states": states}))
    else:
        echo_lines(_iter_lines(sessions, reading.zone, is_verbose=is_verbose))
        _tell_log(store)
    return 0


def _iter_lines(
    sessions: Iterable[StoredSession], zone: tzinfo | None, *, is_verbose: bool
) -> Iterator[str]:
    for one in sessions:
        moments = [_moment(kept_ms, zone) for kept_ms, _ in one.states]
        states = counted(len(one.states), "state")
        yield printable(
            f"{one.session}  {moments[-1]}  {states:>9}  {one.size_bytes:>13,} bytes"
            f"  {one.project}"
        )
        if is_verbose:
            for moment, (_, size) in zip(moments, one.states, strict=True):
                yield f"  @{moment}  {size:>13,} bytes"


def _moment(kept_ms: int, zone: tzinfo | None) -> str:
    return f"{datetime.fromtimestamp(kept_ms / 1000, zone):%Y-%m-%dT%H:%M:%S}"


def _tell_log(store: Store) -> None:
    logs = sorted((store.folder / "log").glob("*.txt"))
    if logs:
        said = logs[-1].read_text(errors="replace").splitlines()[-1:]
        where = f"hooks failed, see {logs[0].parent}; last: {''.join(said)}"
        click.echo(printable(where), err=True)


def _verify(store: Store, reading: options.Reading) -> int:
    from everyleaf.keep.stored import verify

    with show_progress(is_quiet=reading.is_quiet) as on_progress:
        found = verify(store, on_progress)
    echo_lines(map(printable, found.damages), err=True)
    _tell_log(store)
    if reading.is_json:
        echo_json(asdict(found) | {"whole": not found.damages}, is_sorted=False)
    else:
        sessions = counted(found.sessions, "session")
        states = counted(found.states, "state")
        verdict = counted(len(found.damages), "damage") if found.damages else "whole"
        objects = counted(found.objects, "object")
        click.echo(f"{sessions}, {states} of files, {objects}: {verdict}")
    return int(bool(found.damages))


def _restore(store: Store, wanted: str, target: Path, reading: options.Reading) -> int:
    from everyleaf.keep.stored import restore

    session, _, when = wanted.rpartition("@") if "@" in wanted else (wanted, "", "")
    until_ms = None
    if when:
        until = options.parse_moment(when, is_end=True, is_utc=reading.is_utc)
        # All of that second: what --list shows has none finer.
        until_ms = int(until.timestamp()) * 1000 + 999
    restored = restore(store, session, until_ms, target.expanduser())
    if reading.is_json:
        files = [{"file": str(place)} for place in restored.wrote]
        told = asdict(restored) | {"wrote": len(files), "files": files}
        echo_json(told, is_sorted=False)
        return 0
    echo_lines(f"wrote {printable(str(place))}" for place in restored.wrote)
    kept = f", {restored.kept:,} were there already" if restored.kept else ""
    click.echo(f"restored {restored.session}: {counted(len(restored.wrote), 'file')}{kept}")
    return 0


def _install(store: Path, *, is_agreed: bool, is_json: bool) -> int:
    from difflib import unified_diff

    from everyleaf.keep import settings

    file, command = _settings_file(), settings.hook_command(store)
    change = settings.plan_install(file, command)
    lines = (change.before or "").splitlines(), change.after.splitlines()
    difference = list(unified_diff(*lines, str(file), str(file), lineterm=""))
    is_written = is_agreed and change.after != change.before
    if is_written:
        settings.install(file, change)
    if is_json:
        told = {"file": str(file), "diff": "\n".join(difference), "written": is_written}
        echo_json(told, is_sorted=False)
        return 0
    echo_lines(map(printable, difference))
    if change.after == change.before:
        click.echo(f"{printable(str(file))} has the hook already")
    elif is_written:
        has_backup = change.bare is not None
        kept = f"; as it was: {file.name}{settings.BACKUP_SUFFIX}" if has_backup else ""
        click.echo(printable(f"wrote {file}{kept}"))
    else:
        click.echo("nothing was written: --yes adds this hook")
    click.echo("\nOr, without a hook, every hour:\n")
    echo_lines(map(printable, settings.iter_schedules(store)))
    return 0


def _uninstall(*, is_json: bool) -> int:
    from everyleaf.keep.settings import uninstall

    file = _settings_file()
    is_written = uninstall(file)
    if is_json:
        echo_json({"file": str(file), "written": is_written}, is_sorted=False)
    else:
        said = "the hook is out of" if is_written else "there is no hook of ours in"
        click.echo(f"{said} {printable(str(file))}")
    return 0


def _settings_file() -> Path:
    from everyleaf.sources.discover import default_inputs

    return default_inputs() / "settings.json"
