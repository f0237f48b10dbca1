"""What calls `everyleaf keep` by itself: a hook of Claude Code, or a system's scheduler.

The settings of Claude Code are a person's: no byte of them moves but those of our own
entry. Values are found with the standard library's JSON reader, which says where each one
ends.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast
from xml.sax.saxutils import escape

from msgspec import Struct

from everyleaf.errors import ConfigError, OutputError, refused
from everyleaf.records.text import as_list, as_object, as_text


def program() -> list[str]:
    """Return the words that start this program from anywhere."""
    started = shutil.which(sys.argv[0]) if sys.argv else None
    if started is None or Path(started).stem != "everyleaf":
        return [sys.executable, "-m", "everyleaf"]
    return [str(Path(started).absolute())]


def hook_command(store: Path) -> str:
    """Return the command of the hook, as a shell takes it."""
    words = [*program(), "keep", "--hook", "--to", str(store.absolute())]
    # On Windows, the shell that Claude Code takes would read backslashes otherwise.
    plain = [word.replace("\\", "/") if os.name == "nt" else word for word in words]
    return shlex.join(plain)


def iter_schedules(store: Path) -> Iterator[str]:
    """Yield lines for a systemd timer, launchd and cron, each of which keeps hourly."""
    words = [*program(), "keep", "--quiet", "--to", str(store.absolute())]
    yield "cron, in `crontab -e`:"
    line = shlex.join(words).replace("%", "\\%")  # A bare one ends a line of cron.
    yield f"  17 * * * * {line}"
    yield ""
    yield "systemd, ~/.config/systemd/user/everyleaf-keep.service:"
    yield "  [Service]"
    yield "  Type=oneshot"
    yield f"  ExecStart={' '.join(map(_systemd_word, words))}"
    yield "and everyleaf-keep.timer beside it, for `systemctl --user enable --now`:"
    yield from ("  [Timer]", "  OnCalendar=hourly", "  Persistent=true")
    yield from ("  [Install]", "  WantedBy=timers.target")
    yield ""
    yield "launchd, ~/Library/LaunchAgents/everyleaf-keep.plist, for `launchctl load`:"
    yield from (f"  {line}" for line in _plist(words))


def _systemd_word(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'.replace("%", "%%").replace("$", "$$")


def _plist(words: Sequence[str]) -> list[str]:
    said = "".join(f"<string>{escape(word)}</string>" for word in words)
    return [
        '<plist version="1.0"><dict>',
        "<key>Label</key><string>everyleaf-keep</string>",
        f"<key>ProgramArguments</key><array>{said}</array>",
        "<key>StartInterval</key><integer>3600</integer>",
        "</dict></plist>",
    ]


EVENTS = ("SessionEnd", "PreCompact")
TIMEOUT_S = 10
"""Without one of its own, a hook at a session's end gets 1.5 s together with all others.

Source: Claude Code's hooks reference, as quoted in 2026 for 2.1.261.
"""
BACKUP_SUFFIX = ".before-everyleaf"
_OURS = " keep --hook "
_SPACE = re.compile(r"[ \t\r\n]*")


class _Item(Struct, frozen=True):
    """A member of an object, or an element of an array, in the text of a file."""

    key: str
    """Empty in an array."""
    begin: int
    """Where its key stands, or the value itself."""
    value_begin: int
    end: int
    value: object


class _Place(Struct, frozen=True):
    """An item in the text, among the others of its container."""

    items: list[_Item]
    at: int
    start: int
    """Where the container begins."""
    close: int
    """Where it is closed."""


def add_hook(text: str, command: str) -> str:
    """Return `text`, the settings, with `command` as a hook of both events.

    Raises:
        ValueError: it is no JSON, or hooks are written in a way that is not known.
    """
    if not text.strip("\ufeff \t\r\n"):
        text += "{}\n"
    if all(command in _commands(text, event) for event in EVENTS):
        return text
    text = remove_hook(text)
    for event in EVENTS:
        text = _with_event(text, event, command)
    return text


def remove_hook(text: str) -> str:
    """Return `text` without any hook of ours, and without what holds nothing else.

    Raises:
        ValueError: it is no JSON, or hooks are written in a way that is not known.
    """
    for event in EVENTS:
        while (way := _find_ours(text, event)) is not None:
            # The hook alone where others stand beside it, else what holds only it.
            place = next((each for each in way if len(each.items) > 1), way[-1])
            text = _without(text, place)
    return text


class SettingsChange(Struct, frozen=True):
    """What is to happen to the settings."""

    before: str | None
    """None: there is no such file."""
    bare: str | None
    """As they are without the hook."""
    after: str


def plan_install(file: Path, command: str) -> SettingsChange:
    """Return what adding `command` to the settings `file` comes to; nothing is written.

    Raises:
        ConfigError: the file is not written as JSON, or as nobody expects it.
    """
    before = load_text(file)
    with _understood(file):
        bare = _bare(file, before)
        return SettingsChange(before, bare, add_hook(bare or "", command))


def install(file: Path, change: SettingsChange) -> None:
    """Write the hook into the settings `file`, with a backup of what was there.

    Raises:
        OutputError: it cannot be written.
    """
    if change.bare is not None:
        _write(_backup(file), change.bare)
    _write(file, change.after)


def uninstall(file: Path) -> bool:
    """Take the hook out of the settings `file`; return whether there was one.

    Where nothing else changed since, every byte is as it was before.

    Raises:
        ConfigError: the file is not written as JSON.
        OutputError: it cannot be written.
    """
    now = load_text(file)
    with _understood(file):
        bare = _bare(file, now)
    if bare == now:
        return False
    if bare is None:
        file.unlink()
    else:
        _write(file, bare)
    _backup(file).unlink(missing_ok=True)
    return True


def _bare(file: Path, now: str | None) -> str | None:
    """Return the settings without the hook: the backup, if nothing else has changed."""
    commands = [one for event in EVENTS for one in _commands(now or "{}", event)]
    command = next((one for one in commands if _OURS in one), None)
    if command is None or now is None:
        return now
    backup = load_text(_backup(file))
    return backup if add_hook(backup or "", command) == now else remove_hook(now)


def _backup(file: Path) -> Path:
    return file.with_name(file.name + BACKUP_SUFFIX)


def load_text(file: Path) -> str | None:
    """Return the text of `file`, with its line ends; None: there is no such file.

    Raises:
        ConfigError: it cannot be read, or is no UTF-8.
    """
    try:
        with _understood(file):
            return file.read_bytes().decode()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"cannot read {str(file)!r}: {error.strerror}") from error


@contextmanager
def _understood(file: Path) -> Generator[None]:
    try:
        yield
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"the settings {str(file)!r} cannot be changed: {error}",
            hint="nothing was written; mend the file, or add the hook by hand",
        ) from error


def _write(file: Path, text: str) -> None:
    # Through a link: settings are often kept elsewhere, and linked.
    file = file.resolve()
    with refused(OutputError, f"cannot write {str(file)!r}"):
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("wb", dir=file.parent, delete=False) as handle:
            handle.write(text.encode())
        temporary = Path(handle.name)
        with suppress(FileNotFoundError):
            temporary.chmod(file.stat().st_mode & 0o777)
        temporary.replace(file)


def _with_event(text: str, event: str, command: str) -> str:
    hook = {"type": "command", "command": command, "timeout": TIMEOUT_S}
    entry: dict[str, object] = {"hooks": [hook]}
    root = _root(text)
    hooks = _member(text, root, "hooks")
    if hooks is None:
        return _inserted(text, root, {event: [entry]}, key="hooks")
    _check(text, hooks, "{", '"hooks" is no object')
    entries = _member(text, hooks.value_begin, event)
    if entries is None:
        return _inserted(text, hooks.value_begin, [entry], key=event)
    _check(text, entries, "[", f'"{event}" is no list')
    return _inserted(text, entries.value_begin, entry)


def _check(text: str, item: _Item, opening: str, what: str) -> None:
    if text[item.value_begin] != opening:
        raise ValueError(what)


def _commands(text: str, event: str) -> list[str]:
    settings: object = json.loads(text.removeprefix("\ufeff") or "{}")
    hooks = as_object((as_object(settings) or {}).get("hooks")) or {}
    entries = [as_object(entry) or {} for entry in as_list(hooks.get(event))]
    return [_command_of(one) for entry in entries for one in as_list(entry.get("hooks"))]


def _command_of(hook: object) -> str:
    return as_text((as_object(hook) or {}).get("command")) or ""


def _find_ours(text: str, event: str) -> list[_Place] | None:
    """Return the way to a hook of ours, from the inside out; None: there is none."""
    way: list[_Place] = []
    start = _root(text)
    for key in ("hooks", event):
        items, close = _items(text, start)
        member = _member(text, start, key)
        if member is None or text[member.value_begin] not in "{[":
            return None
        way.insert(0, _Place(items, items.index(member), start, close))
        start = member.value_begin
    entries, close = _items(text, start)
    for at, entry in enumerate(entries):
        inner = _member(text, entry.value_begin, "hooks")
        if inner is None or text[inner.value_begin] != "[":
            continue
        hooks, inner_close = _items(text, inner.value_begin)
        for number, hook in enumerate(hooks):
            if _OURS in _command_of(hook.value):
                own = _Place(hooks, number, inner.value_begin, inner_close)
                return [own, _Place(entries, at, start, close), *way]
    return None


def _without(text: str, place: _Place) -> str:
    """Return `text` without the item at `place`."""
    items, at = place.items, place.at
    if at:
        begin, end = items[at - 1].end, items[at].end
    elif len(items) > 1:
        begin, end = items[0].begin, items[1].begin
    else:
        begin, end = place.start + 1, place.close
    return text[:begin] + text[end:]


def _inserted(text: str, start: int, value: object, key: str = "") -> str:
    """Return `text` with `value` behind all else in the container at `start`."""
    items, _ = _items(text, start)
    line_end = "\r\n" if "\r\n" in text else "\n"
    outer = re.match(r"[ \t]*", text[text.rfind("\n", 0, start) + 1 :])
    outside = line_end + (outer[0] if outer else "")
    indented = re.search(r"[{\[]\r?\n([ \t]+)", text)
    unit = indented[1] if indented else "  "
    before = text[start + 1 : items[0].begin] if items else outside + unit
    is_short = "\n" not in before
    dumped = json.dumps(value, indent=None if is_short else unit, ensure_ascii=False)
    said = (f"{json.dumps(key)}: " if key else "") + dumped.replace("\n", before)
    if items:
        at = items[-1].end
        return f"{text[:at]},{before}{said}{text[at:]}"
    after = "" if "\n" in text[start + 1 : _items(text, start)[1]] else outside
    return f"{text[: start + 1]}{before}{said}{after}{text[start + 1 :]}"


def _root(text: str) -> int:
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    if text[start : start + 1] != "{":
        raise ValueError("it is no JSON object")
    json.loads(text[start:])
    return start


def _member(text: str, start: int, key: str) -> _Item | None:
    # Of several with one name the last counts, as everywhere.
    items = _items(text, start)[0] if text[start] == "{" else []
    return next((each for each in reversed(items) if each.key == key), None)


def _items(text: str, start: int) -> tuple[list[_Item], int]:
    """Return what is in the object or array at `start`, and where that is closed."""
    decode = json.JSONDecoder().raw_decode
    is_object = text[start] == "{"
    items: list[_Item] = []
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        begin, key = at, ""
        if is_object:
            key, at = cast("tuple[str, int]", decode(text, at))
            at = _skip(text, _skip(text, at) + 1)  # Behind the colon.
        value, end = cast("tuple[object, int]", decode(text, at))
        items.append(_Item(key, begin, at, end, value))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return items, at


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
