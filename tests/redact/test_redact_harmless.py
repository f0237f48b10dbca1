"""Texts that look like secrets and are none, each in a session of its own.

`harmless.txt` was written by someone who knew the manual alone. A line says where a text
stands, of what sort it is, and the text, behind `⇒` what a command printed or what is
answered; what is in `⟦…⟧` is made when a test runs.
"""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from everyleaf.config import RedactOptions
from everyleaf.redact.find import scan_sources
from everyleaf.sources.discover import find_sources
from everyleaf.workers import InProcess
from redact.keykinds import HEX
from redact.making import made
from sessions import nth

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = Path(__file__).with_name("harmless.txt").read_text("utf-8").splitlines()
BASE64 = f"{string.ascii_letters}{string.digits}+/"
DIGESTS = {"sha7": 7, "md5": 32, "sha1": 40, "sha256": 64}
SLOT = re.compile(r"⟦([^⟧]+?)(?:\.\d)?⟧")
SIGNS = re.compile(r"g:(\w*)(\[.+\])\{(\d+)\}")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "\\": "\\"}


def make(slot: re.Match[str]) -> str:
    name = slot[1]
    if size := DIGESTS.get(name):
        return made(size, HEX)
    if signs := SIGNS.fullmatch(name):
        taken = "".join(re.findall(signs[2], string.printable))
        return signs[1] + made(int(signs[3]), taken)
    if name.startswith("bl:"):
        return made(int(name[3:]), BASE64)
    return {
        "uuid": str(UUID(made(32, HEX))),
        "b256": f"{made(43, BASE64)}=",
        "sha512": f"{made(86, BASE64)}==",
        "n": made(4, "123456789"),
        "user": "ada",
    }[name]


def records(place: str, text: str) -> Iterator[dict[str, object]]:
    told, _, printed = text.partition(" ⇒ ")
    if place == "T":
        yield nth(1, "assistant", {"type": "text", "text": told})
        yield nth(2, "user", {"type": "text", "text": printed})
        return
    if not printed and not place.startswith("R:"):
        role = "user" if place == "U" else "assistant"
        yield nth(1, role, {"type": "text", "text": text})
        return
    asked = {"command": told} if printed else {"file_path": place[2:]}
    call = {"type": "tool_use", "id": "t1", "name": "Bash" if printed else "Read"}
    yield nth(1, "assistant", {**call, "input": asked})
    said = {"type": "tool_result", "tool_use_id": "t1", "content": printed or text}
    yield nth(2, "user", said, toolUseResult={"stdout": printed or text})


def test_what_only_looks_like_a_secret_stays(tmp_path, monkeypatch):
    monkeypatch.setattr("everyleaf.redact.find.default_memory", lambda _: tmp_path / "m")
    folder = tmp_path / "-w"
    folder.mkdir()
    for number, line in enumerate(TEXTS):
        place, _, text = line.split("|", 2)
        text = re.sub(r"\\([ntre\\])", lambda found: ESCAPES[found[1]], text)
        lines = map(json.dumps, records(place, SLOT.sub(make, text)))
        (folder / f"s{number}.jsonl").write_text("\n".join([*lines, ""]), "utf-8")

    scanned = scan_sources(
        find_sources([folder]),
        RedactOptions(),
        InProcess(),
        lambda *_: None,
        cache_dir=tmp_path,
    )

    found = [(one.name, hit.value) for one, told in scanned for hit in told.findings]
    assert found == []
