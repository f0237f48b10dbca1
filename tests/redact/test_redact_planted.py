"""Keys of every kind, in every field and encoding: none may be in any byte of a site."""

from __future__ import annotations

import gzip
import html
import re
import subprocess
import sys
from random import Random
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from everyleaf.build import build_site
from everyleaf.cli.command import everyleaf
from everyleaf.config import BuildOptions, Format
from everyleaf.redact.kinds import forms_of
from redact.planting import STEM, plant

ASKED: dict[str, dict[str, object]] = {
    "plainly": {},
    "by two workers, in the plain theme": {"jobs": 2, "theme": "plain"},
    "as Markdown alone": {"formats": (Format.MARKDOWN,)},
}


@pytest.fixture(scope="module", params=ASKED.values(), ids=list(ASKED))
def planted(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted")
    keys, places = plant(folder / "projects", seed=20260504)
    asked = {"jobs": 1} | request.param
    options = BuildOptions(
        sources=(folder / "projects",), output_dir=folder / "site", **asked
    )
    report = build_site(options, on_progress=lambda *_: None)
    return folder / "site", keys, places, report


def test_sixty_kinds_stand_in_two_hundred_places(planted):
    _, keys, places, report = planted

    assert len(keys) >= 60
    assert places >= 200
    assert report.abandoned


def test_no_byte_of_the_site_holds_a_planted_key(planted):
    site, keys, _, _ = planted

    forms = all_forms(keys)
    leaked = set()
    for file in sorted(site.rglob("*")):
        if file.is_file():
            body = file.read_bytes()
            leaked |= {(name, file.name) for name in leaks(forms, body)}
            leaked |= {(name, file.name) for name in leaks(forms, file.name.encode())}
    assert not leaked


def all_forms(keys):
    return {
        form.encode(): name
        for name, key in keys.items()
        for value in (key, *(line for line in key.split("\n") if len(line) > 40))
        for form in (*forms_of(value), html.escape(value))
    }


def leaks(forms, body):
    """Return the names of the keys that stand in `body`, unpacked and without tags."""
    if body.startswith(b"\x1f\x8b"):
        body = gzip.decompress(body)
    bodies = (body, re.sub(rb"<[^<>]*>", b"", body))
    return {forms[form] for form in forms for each in bodies if form in each}


def test_the_search_index_is_among_what_was_looked_into(planted):
    site, _, _, report = planted

    packed = list(site.glob("pagefind/fragment/*"))
    if (site / "search.html").exists():
        assert packed
        assert all(file.read_bytes().startswith(b"\x1f\x8b") for file in packed)
    assert report.sessions == 2


@pytest.mark.parametrize("seed", range(3))
def test_no_byte_holds_a_key_when_what_is_remembered_was_damaged(
    seed, tmp_path, monkeypatch
):
    """Built, grown, built again; a bit was flipped, or a file put for another one."""
    random = Random(seed)  # noqa: S311  (keys that open nothing)
    cache = tmp_path / "cache"
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(cache))
    monkeypatch.setattr(
        "everyleaf.redact.find.default_memory", lambda place: place / "found"
    )
    keys, _ = plant(tmp_path / "projects", seed=seed)
    options = BuildOptions(
        sources=(tmp_path / "projects",), output_dir=tmp_path / "site", jobs=1
    )
    build_site(options, on_progress=lambda *_: None)
    assert any((cache / "found").iterdir())
    for file in (tmp_path / "projects").rglob("*.jsonl"):
        with file.open("a") as out:
            out.write('\n{"type": "summary", "summary": "one line more"}\n')
    remembered = sorted(file for file in cache.rglob("*") if file.is_file())
    for file in remembered:
        body = bytearray(file.read_bytes())
        if random.random() < 0.5 and body:
            body[random.randrange(len(body))] ^= 1 << random.randrange(8)
            file.write_bytes(body)
        elif random.random() < 0.5:
            file.write_bytes(random.choice(remembered).read_bytes())

    build_site(options, on_progress=lambda *_: None)

    forms = all_forms(keys)
    site = (file for file in (tmp_path / "site").rglob("*") if file.is_file())
    assert not {(one, f.name) for f in site for one in leaks(forms, f.read_bytes())}


def test_no_page_that_is_served_while_a_session_grows_holds_a_key(tmp_path):
    keys, _ = plant(tmp_path / "projects", seed=20260506)
    growing = next((tmp_path / "projects").rglob(f"{STEM}.jsonl"))
    body = growing.read_bytes()
    # In the middle of a line, as whoever reads while it is written finds it.
    growing.write_bytes(body[: len(body) // 2])
    command = ["serve", "site", "--watch", "--source", "projects", "--port", "0"]
    leaked: set[tuple[str, str]] = set()
    forms = all_forms(keys)

    with subprocess.Popen(
        [sys.executable, "-m", "everyleaf", *command],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        address = server.stderr.readline().split()[0]
        for share in (3, 4):
            assert any("wrote" in line for line in server.stderr)
            leaked |= {
                (key, file.name)
                for file in (tmp_path / "site").rglob("*.*")
                for key in leaks(forms, seen(address, tmp_path / "site", file))
            }
            growing.write_bytes(body[: len(body) * share // 4])
        server.terminate()

    assert not leaked


def seen(address, site, file):
    """Return what a file holds, and a page as a browser gets it."""
    if file.suffix != ".html":
        return file.read_bytes()
    url = quote(file.relative_to(site).as_posix())
    with urlopen(address + url, timeout=20) as answer:  # noqa: S310  (our own server)
        return answer.read()


COMMANDS = {
    "paths": "paths {folder} -q",
    "list": "list {folder} -q --warmup",
    "list as JSON": "list {folder} -q --json",
    "find": "find --regex . --limit 0 --source {folder} -q",
    "find as JSON": "find --regex . --limit 0 --json --source {folder} -q",
    "show the kept path": "show {stem}:2 --no-pager --source {folder} -q",
    "show the path that was left": "show {stem}:1 --no-pager --source {folder} -q",
    "show as text": "show {stem}:1 --format text --no-pager --source {folder} -q",
    "show as JSON": "show {stem}:2 --json --no-pager --source {folder} -q",
    "diff": "diff {stem}:1 {stem}:2 --word --source {folder} -q",
    "diff as JSON": "diff {stem}:1 {stem}:2 --json --source {folder} -q",
    "diff as HTML": "diff {stem}:1 {stem}:2 --format html --source {folder} -q",
    "tree": "tree {stem} --source {folder} -q",
    "tree as JSON": "tree {stem} --json --source {folder} -q",
    "agents": "agents {stem} --json --source {folder} -q",
    "feedback": "feedback {folder} -q",
    "files": "files {folder} --json -q",
    "check": "check {folder} --json -q",
    "stats": "stats {folder} --json -q",
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked")
    keys, _ = plant(folder, seed=20260505)
    with pytest.MonkeyPatch.context() as patch:
        # Scanned once for all commands.
        patch.setattr("everyleaf.redact.find.default_memory", lambda place: place / "found")
        yield folder, all_forms(keys)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=list(COMMANDS))
def test_no_command_prints_a_planted_key(asked, command):
    folder, forms = asked

    words = command.format(folder=folder, stem=STEM).split()
    result = CliRunner().invoke(everyleaf, words, standalone_mode=False)

    assert result.exception is None
    # Pages alone are masked by their own names; the folder is what the person typed.
    printed = result.output.replace(str(folder), "").encode()
    assert len(printed) > 40
    assert not leaks(forms, printed)
    assert b"berthold" not in printed


def test_the_owner_of_the_home_folder_is_on_no_page(planted):
    site, _, _, _ = planted

    assert not [f for f in site.rglob("*") if f.is_file() and b"berthold" in f.read_bytes()]


def test_placeholders_and_the_report_say_what_was_there(planted):
    site, _, _, _ = planted

    text = next(site.rglob("transcript_*.md")).read_text(encoding="utf-8")
    assert re.search(r"redacted: github-token \d", text.replace("\\", ""))
    for report in site.glob("report.html"):
        assert "github-token" in report.read_text(encoding="utf-8")
