"""Transcripts in a repository: small diffs, renames, and merges without a conflict."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from everyleaf.build import build_site
from everyleaf.config import BuildOptions, Format
from everyleaf.publish.site import verify_site
from sessions import append_prompt

EXAMPLE = Path(__file__).parents[2] / "examples/archive"
FORKED = "6df8cff4"
OUT = "docs/transcripts"


def git(folder, *arguments):
    settings = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    done = subprocess.run(
        ["git", *settings, *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def build(source, repository):
    options = BuildOptions(
        sources=(source,), output_dir=repository / OUT, formats=(Format.MARKDOWN,), jobs=1
    )
    return build_site(options, on_progress=lambda *_: None)


def commit(repository):
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "Publish")


@pytest.fixture
def source(tmp_path):
    return Path(shutil.copytree(EXAMPLE, tmp_path / "archive"))


@pytest.fixture
def repository(tmp_path, source):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    build(source, folder)
    commit(folder)
    return folder


def session_file(source, beginning):
    (found,) = source.rglob(f"{beginning}*.jsonl")
    return found


def say(file, uuid, parent, text):
    *_, last = (
        json.loads(line) for line in file.read_text().splitlines() if "uuid" in line
    )
    time = last.get("timestamp", "2026-05-01T00:00:00Z")
    append_prompt(file, last, text, uuid=uuid, parentUuid=parent, timestamp=time)


def messages(file):
    records = [json.loads(line) for line in file.read_text().splitlines()]
    return [each for each in records if each.get("type") in {"user", "assistant"}]


def changes(repository):
    git(repository, "add", "--all")
    lines = git(repository, "diff", "--cached", "--numstat", "-M").splitlines()
    counts = (line.split("\t") for line in lines)
    return {name.removeprefix(f"{OUT}/"): int(added) for added, _, name in counts}


@pytest.mark.parametrize("beginning", [FORKED, "66e54b32", "ce852c6e", "2d394510"])
def test_a_new_message_touches_its_transcript_and_its_data(repository, source, beginning):
    file = session_file(source, beginning)
    say(file, "ffff0001-0000-4000-8000-000000000000", messages(file)[-1]["uuid"], "Thanks!")

    build(source, repository)

    names = {
        name.removeprefix(f"{OUT}/"): count for name, count in changes(repository).items()
    }
    transcripts = {name for name in names if name.endswith(".md") and name != "index.md"}
    rest = names.keys() - transcripts
    assert len(transcripts) == 1
    assert len(rest) == 1
    assert {name.split("/")[0] for name in rest} == {"data"}
    assert verify_site(repository / OUT).is_whole


@pytest.mark.parametrize("beginning", [FORKED, "66e54b32", "ce852c6e", "2d394510"])
def test_a_new_message_changes_few_and_short_lines_of_its_data(
    repository, source, beginning
):
    file = session_file(source, beginning)
    say(file, "ffff0001-0000-4000-8000-000000000000", messages(file)[-1]["uuid"], "Thanks!")

    build(source, repository)

    diff = git(repository, "diff", "--unified=0", "--", f"{OUT}/data")
    changed = [line for line in diff.splitlines() if re.match(r"[+-] ", line)]
    assert 0 < len(changed) <= 24
    assert any("ffff0001-0000-4000-8000-000000000000" in line for line in changed)
    assert max(map(len, changed)) < 120


def test_a_new_title_touches_a_line_of_the_index(repository, source):
    file = session_file(source, FORKED)
    title = {"type": "custom-title", "customTitle": "Moon", "sessionId": file.stem}
    with file.open("a") as opened:
        opened.write(json.dumps(title) + "\n")

    build(source, repository)

    names = {
        name.removeprefix(f"{OUT}/"): count for name, count in changes(repository).items()
    }
    paths = len([name for name in names if name.startswith("transcript_")])
    assert names.keys() - {f"data/{file.stem}.json"} == {
        *(name for name in names if name.startswith("transcript_")),
        "index.md",
        "manifest.json",  # The digest of the index.
    }
    assert names["index.md"] == paths
    assert names["manifest.json"] == 1


@pytest.mark.parametrize(
    ("hurt", "expected"),
    [
        (lambda file: file.write_bytes(file.read_bytes() + b" "), "changed"),
        (lambda file: file.unlink(), "missing"),
    ],
    ids=["changed", "missing"],
)
@pytest.mark.parametrize("what", ["transcript_*.md", "data/*.json", "index.md"])
def test_every_change_by_hand_is_found(repository, what, hurt, expected):
    hurt_file = min((repository / OUT).glob(what))
    hurt(hurt_file)

    verdict = verify_site(repository / OUT)

    url = hurt_file.relative_to(repository / OUT).as_posix()
    assert getattr(verdict, expected) == (url,)
    assert not verdict.is_whole
    assert not {"changed": verdict.missing, "missing": verdict.changed}[expected]


def test_a_redo_renames_the_path_that_was_left_and_git_sees_it(repository, source):
    file = session_file(source, "217ffb9d")
    said = messages(file)
    prompts = [each for each in said if isinstance(each["message"]["content"], str)]
    say(file, "ffff0002-0000-4000-8000-000000000000", prompts[-1]["parentUuid"], "Again")

    build(source, repository)

    git(repository, "add", "--all")
    status = git(repository, "diff", "--cached", "--name-status", "-M").splitlines()
    renamed = [line.split("\t")[1:] for line in status if line.startswith("R")]
    assert [
        f"{OUT}/transcript_{file.stem}.md",
        f"{OUT}/transcript_{file.stem}_path1_abandoned.md",
    ] in renamed


def test_two_people_who_publish_their_own_sessions_merge_without_a_conflict(
    tmp_path, source
):
    start = tmp_path / "start"
    start.mkdir()
    git(start, "init", "--quiet", "--initial-branch=main")
    first, *others = sorted(
        file for file in source.rglob("*.jsonl") if "projects" in str(file)
    )
    sessions = [file for file in others if len(file.stem) == len(FORKED) + 28]
    people = {"ada": sessions[::2], "bob": sessions[1::2]}
    common = tmp_path / "common" / first.parent.name
    common.mkdir(parents=True)
    shutil.copy(first, common)
    build(common.parent, start)
    commit(start)

    for name, files in people.items():
        git(tmp_path, "clone", "--quiet", str(start), name)
        for file in files:
            target = tmp_path / f"{name}-logs" / file.parent.name
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
        build(tmp_path / f"{name}-logs", tmp_path / name)
        commit(tmp_path / name)
    ada = tmp_path / "ada"
    git(ada, "fetch", "--quiet", str(tmp_path / "bob"), "main")
    git(ada, "merge", "--quiet", "--no-edit", "FETCH_HEAD")
    report = build(tmp_path / "ada-logs", ada)

    published = {file.stem for file in (ada / OUT / "data").iterdir()}
    assert published >= {file.stem for file in sessions}
    assert report.deleted == 0
    assert verify_site(ada / OUT).is_whole
    listed = re.findall(r"\]\((.*?\.md)\)", (ada / OUT / "index.md").read_text())
    assert len(set(listed)) == len(listed)
    assert {file.name for file in (ada / OUT).glob("transcript_*.md")} == set(listed)


def test_a_checkout_that_would_turn_line_ends_changes_nothing(repository, source, tmp_path):
    git(tmp_path, "-c", "core.autocrlf=true", "clone", "--quiet", str(repository), "other")

    report = build(source, tmp_path / "other")

    assert report.wrote == 0
    assert git(tmp_path / "other", "status", "--porcelain") == ""


def test_names_differ_in_more_than_case(repository):
    names = [file.relative_to(repository).as_posix() for file in repository.rglob("*")]

    assert len({name.casefold() for name in names}) == len(names)
