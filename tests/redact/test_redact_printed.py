"""What a command prints, where the call and its result are two records."""

from __future__ import annotations

import json

import pytest

from everyleaf.config import RedactOptions
from everyleaf.redact.find import scan_sources
from everyleaf.sources.discover import find_sources
from everyleaf.workers import InProcess
from redact.keykinds import HEX
from redact.making import made
from sessions import nth


def call(command: str) -> str:
    block = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": command}}
    return json.dumps(nth(1, "assistant", block))


def result(text: str) -> str:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    told = {"stdout": f"{text}\n", "stderr": ""}
    return json.dumps(nth(2, "user", block, toolUseResult=told))


@pytest.fixture
def found(tmp_path, monkeypatch):
    monkeypatch.setattr("everyleaf.redact.find.default_memory", lambda _: tmp_path / "m")
    file = tmp_path / "-w" / "s.jsonl"
    file.parent.mkdir()

    def scan(*lines: str) -> list[str]:
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        sources = find_sources([file.parent])
        ((_, scanned),) = scan_sources(
            sources, RedactOptions(), InProcess(), lambda *_: None, cache_dir=tmp_path
        )
        return [one.value for one in scanned.findings]

    return scan


@pytest.mark.parametrize(
    "command",
    [
        "openssl rand -hex 32",
        "cd app && cat secrets/token.txt",
        "make\necho $API_TOKEN",
        "kubectl get secret db -o jsonpath='{.data.password}' | base64 -d",
        "gh auth token",
    ],
)
def test_what_a_command_prints_is_found_in_its_result(command, found):
    value = made(40, HEX)

    assert value in found(call(command), result(value))


def test_it_is_found_where_the_result_comes_later(found):
    value = made(40, HEX)

    assert found(call("gh auth token")) == []
    assert value in found(call("gh auth token"), result(value))


def test_what_other_commands_print_stays(found):
    assert found(call("git rev-parse HEAD"), result(made(40, HEX))) == []
    assert found(call("gh auth token"), result("no oauth token found")) == []
