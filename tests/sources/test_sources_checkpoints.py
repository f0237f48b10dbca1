"""Checkpoints of Entire are read out of a git repository, which stays as it is."""

from __future__ import annotations

import json
import subprocess

import pytest

from everyleaf import build_site
from everyleaf.cli.command import everyleaf, run
from everyleaf.errors import SourceError
from everyleaf.sources import unpacked
from everyleaf.sources.checkpoints import find_lacking, unpack_checkpoints
from everyleaf.sources.discover import find_sources
from sessions import nth

ONE = "0a7a5869-8ef3-45f9-a914-9d9a2634effa"
TWO = "8ff21ea1-e320-4771-a636-a6590f0b5080"
V1 = "refs/heads/entire/checkpoints/v1"


@pytest.fixture(autouse=True)
def _own_place(tmp_path, monkeypatch):
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    unpacked.unpack_dir.cache_clear()
    yield
    unpacked.unpack_dir.cache_clear()


class Repository:
    """A git repository without a work tree, filled through git's plumbing."""

    def __init__(self, folder):
        self.folder = folder
        subprocess.run(["git", "init", "-q", "--bare", folder], check=True)

    def git(self, *arguments, told=b""):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        command = ["git", "-C", str(self.folder), *who, *arguments]
        return subprocess.run(command, input=told, capture_output=True, check=True).stdout

    def commit(self, ref, files):
        """Let `ref` point to a commit of `files` alone."""
        listing = b""
        for name, body in files.items():
            blob = self.git("hash-object", "-w", "--stdin", told=body).decode().strip()
            listing += f"100644 {blob}\t{name}\n".encode()
        self.git("read-tree", "--empty")
        self.git("update-index", "--index-info", told=listing)
        tree = self.git("write-tree").decode().strip()
        made = self.git("commit-tree", "-m", "checkpoint", tree).decode().strip()
        self.git("update-ref", ref, made)

    def found(self):
        """Return what is found in it: session → bytes."""
        folder = unpack_checkpoints(self.folder)
        lacking = find_lacking(folder)
        assert not lacking
        return {
            (file.project, file.session, file.agent_id): file.location.read_bytes()
            for file in find_sources([folder]).files
        }


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repo.git")


def line(number, session=ONE, **more):
    said = {"type": "text", "text": f"words {number}"}
    told = {"sessionId": session, "cwd": "/home/ada/parser"} | more
    return json.dumps(nth(number, "user", said, **told)).encode() + b"\n"


def metadata(session=ONE, minute=0, **more):
    created = f"2026-02-03T10:{minute:02}:00.123456Z"
    told = {"session_id": session, "created_at": created, "agent": "Claude Code"}
    return json.dumps(told | more).encode()


def test_a_session_is_there_once_however_many_checkpoints_hold_it(repository):
    grown = line(1) + line(2) + line(3)
    repository.commit(
        V1,
        {
            "aa/0000000001/0/full.jsonl": line(1),
            "aa/0000000001/0/metadata.json": metadata(),
            "aa/0000000001/metadata.json": b"{}",
            "bb/0000000002/0/full.jsonl": grown,
            "bb/0000000002/0/metadata.json": metadata(minute=2),
            "bb/0000000002/0/transcript.jsonl": b'{"v": 1}\n',
            "bb/0000000002/0/prompt.txt": b"words 1",
            "bb/0000000002/1/full.jsonl": line(1, TWO),
            "bb/0000000002/1/metadata.json": metadata(f"2026-02-03-{TWO}", minute=1),
        },
    )

    assert repository.found() == {
        ("-home-ada-parser", ONE, None): grown,
        ("-home-ada-parser", TWO, None): line(1, TWO),
    }


def test_newer_refs_hold_one_checkpoint_each(repository):
    for number, ref in enumerate(("refs/entire/checkpoints/2Y/01K2Y", V1), start=1):
        repository.commit(
            ref,
            {
                "0/full.jsonl": b"".join(map(line, range(1, number + 1))),
                "0/metadata.json": metadata(minute=number),
            },
        )
    repository.commit(
        "refs/remotes/origin/entire/checkpoints/v1",
        {"a/b/0/full.jsonl": line(1, TWO), "a/b/0/metadata.json": metadata(TWO)},
    )
    repository.commit(
        "refs/entire/checkpoints/v2/full/current", {"a/b/0/full.jsonl": line(1) + line(9)}
    )
    repository.commit("refs/heads/main", {"0/full.jsonl": line(5, "other")})

    found = repository.found()

    assert found == {
        ("-home-ada-parser", ONE, None): line(1) + line(2),
        ("-home-ada-parser", f"{ONE}.until-19700101T000000Z", None): line(1) + line(9),
        ("-home-ada-parser", TWO, None): line(1, TWO),
    }


def test_parts_are_put_together_and_agents_belong_to_their_session(repository):
    agent = line(1, agentId="a1", isSidechain=True)
    repository.commit(
        V1,
        {
            "aa/1/0/full.jsonl": line(1).rstrip(b"\n"),
            "aa/1/0/full.jsonl.001": line(2),
            "aa/1/0/full.jsonl.002": line(3),
            "aa/1/0/metadata.json": metadata(),
            "aa/1/tasks/toolu_01/agent-a1.jsonl": agent,
            "aa/1/tasks/toolu_01/task.json": b"{}",
        },
    )

    assert repository.found() == {
        ("-home-ada-parser", ONE, None): line(1) + line(2) + line(3),
        ("-home-ada-parser", ONE, "a1"): agent,
    }
    folder = unpack_checkpoints(repository.folder)
    (found,) = [file for file in find_sources([folder]).files if file.agent_id]
    assert found.meta.tool_use_id == "toolu_01"


def test_transcripts_of_other_agents_are_left_out(repository):
    repository.commit(
        V1,
        {
            "aa/1/0/full.jsonl": line(1),
            "aa/1/0/metadata.json": b"no json",
            "aa/1/1/full.jsonl": b'{"type": "session_meta", "payload": {}}\n',
            "aa/1/1/metadata.json": metadata(TWO, agent="Codex"),
            "aa/1/2/full.jsonl": b"",
        },
    )

    assert repository.found() == {("-home-ada-parser", ONE, None): line(1)}


def test_hostile_names_lead_nowhere(repository, tmp_path):
    repository.commit(
        V1,
        {
            "aa/1/0/full.jsonl": line(1, "../../../x", cwd="/../../y"),
            "aa/1/0/metadata.json": metadata("../../z"),
        },
    )

    unpack_checkpoints(repository.folder)

    made = list(tmp_path.rglob("*.jsonl"))
    assert all(each.is_relative_to(tmp_path / "cache" / "unpacked") for each in made)


def test_what_a_clone_lacks_is_named(repository):
    repository.commit(
        V1,
        {"aa/1/0/full.jsonl": line(1), "bb/2/0/full.jsonl": line(1, TWO)},
    )
    blob = repository.git("rev-parse", f"{V1}:bb/2/0/full.jsonl").decode().strip()
    (repository.folder / "objects" / blob[:2] / blob[2:]).unlink()

    folder = unpack_checkpoints(repository.folder)
    lacking = find_lacking(folder)

    assert lacking == ("bb/2/0/full.jsonl",)
    assert [file.session for file in find_sources([folder]).files] == [ONE]


def test_a_checkpoint_that_is_added_is_read(repository):
    repository.commit(V1, {"aa/1/0/full.jsonl": line(1)})
    before = repository.found()

    repository.commit(V1, {"aa/1/0/full.jsonl": line(1), "bb/1/0/full.jsonl": line(1, TWO)})

    assert len(before) == 1
    assert len(repository.found()) == 2


def test_a_folder_without_checkpoints_is_refused(repository, tmp_path):
    repository.commit("refs/heads/main", {"a.txt": b"a"})

    with pytest.raises(SourceError, match="holds no checkpoints"):
        unpack_checkpoints(repository.folder)
    (tmp_path / "plain").mkdir()
    with pytest.raises(SourceError, match="git cannot read"):
        unpack_checkpoints(tmp_path / "plain")


def test_a_site_is_built_of_a_repository(repository, tmp_path, monkeypatch, capsys):
    repository.commit(V1, {"aa/1/0/full.jsonl": line(1) + line(2)})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "everyleaf.toml").write_text('source = "elsewhere"\n')
    before = repository.git("for-each-ref"), sorted(repository.folder.rglob("*"))

    code = run(everyleaf, ["build", "--git", "repo.git", "-o", "site", "-q", "--no-search"])

    assert code == 0
    assert "1 session, 1 path" in capsys.readouterr().out
    assert before == (repository.git("for-each-ref"), sorted(repository.folder.rglob("*")))


def test_python_takes_a_repository_like_the_command_line(repository, tmp_path):
    repository.commit(V1, {"aa/1/0/full.jsonl": line(1) + line(2)})

    report = build_site(
        git=repository.folder, out=tmp_path / "site", no_search=True, jobs=1
    )

    assert (report.sessions, report.paths) == (1, 1)


@pytest.mark.parametrize(
    "asked",
    [["list"], ["paths"], ["show", ONE], ["find", "words 1"], ["feedback"], ["stats"]],
)
def test_commands_read_a_repository_like_a_source(repository, capsys, asked):
    files = {"aa/1/0/full.jsonl": line(1), "aa/1/0/metadata.json": metadata()}
    repository.commit(V1, files)

    code = run(everyleaf, [*asked, "--git", str(repository.folder), "-q"])

    out, _ = capsys.readouterr()
    assert code == 0
    assert "words 1" in out or "parser" in out


def test_commands_that_write_to_sessions_take_no_repository(repository, capsys):
    assert run(everyleaf, ["rename", ONE, "A", "--git", str(repository.folder)]) == 2
    assert "No such option" in capsys.readouterr().err
