"""What must not be committed, asked of the index and through the hook, with real git."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from everyleaf.audit import RAW, TORN, audit_staged
from everyleaf.build import build_site
from everyleaf.cli.command import everyleaf
from everyleaf.config import BuildOptions, Format, RedactOptions
from everyleaf.errors import SourceError
from everyleaf.scaffold import start
from redact.keykinds import make_keys

KEY = make_keys(7)["github-pat"][1]
RECORD = {
    "type": "user",
    "uuid": "u1",
    "parentUuid": None,
    "sessionId": "s1",
    "message": {"role": "user", "content": "Hello"},
}
LINE = json.dumps(RECORD) + "\n"
TALK = "# A talk\n\nHello.\n"
OUT = "docs/transcripts"


def git(folder, *arguments, check=True):
    settings = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    return subprocess.run(
        ["git", *settings, *arguments],
        cwd=folder,
        check=check,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    return folder


def put(repository, name, body):
    file = repository / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(body)
    git(repository, "add", "--all")


def found(repository):
    return {(one.file, one.kind) for one in audit_staged(repository)}


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.jsonl", LINE),
        ("a.ndjson", LINE),
        ("a.json", json.dumps([RECORD])),
        ("a.json", json.dumps({"loglines": [RECORD]}, indent=2)),
        ("a.txt", f"What was said:\n\n{LINE}"),
        ("A.TXT", LINE),
        ("deep/er/a session.jsonl", '{"torn":\n{"parentUuid":null,"sess\n'),
        ("a.jsonl.bak", LINE),
        ("no suffix", f"\n{LINE}"),
        ("late.txt", "word\n" * 400_000 + LINE),
    ],
)
def test_a_raw_session_is_known_by_what_is_in_it(repository, name, body):
    put(repository, name, body)

    assert found(repository) == {(name, RAW)}


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.jsonl", '{"name": "no session"}\n'),
        ("a.json", json.dumps({"sessionId": "abc", "parentUuid": None}, indent=2)),
        ("a.json", "[1, 2"),
        ("a.txt", 'The field "sessionId": "abc" names it.\n'),
        ("format.md", f"A record looks like this:\n\n    {LINE}\n"),
        ("empty.jsonl", ""),
        ("pack.bin", "\0 packed " + KEY),
        ("where.py", 'HOME = "/home/ada/code"  # ada@corp.io\n'),
    ],
)
def test_other_files_may_be_committed(repository, name, body):
    put(repository, name, body)

    assert found(repository) == set()


def test_what_is_staged_counts_and_not_what_lies_in_the_folder(repository):
    put(repository, "staged.md", f"{TALK}{KEY}\n")
    put(repository, "clean.md", TALK)
    (repository / "staged.md").write_text(TALK)
    (repository / "clean.md").write_text(KEY)
    (repository / "untracked.jsonl").write_text(LINE)

    assert found(repository) == {("staged.md", "github-token")}


def test_a_link_is_not_followed_and_what_goes_is_not_looked_at(repository, tmp_path):
    (tmp_path / "outside.jsonl").write_text(LINE + KEY)
    put(repository, "raw.jsonl", LINE)
    git(repository, "commit", "--quiet", "--message", "x")
    (repository / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (repository / "raw.jsonl").unlink()
    git(repository, "add", "--all")

    assert found(repository) == set()


def test_it_is_the_same_from_a_folder_below(repository):
    put(repository, "deep/a.jsonl", LINE)
    put(repository, "b.jsonl", LINE)

    assert found(repository / "deep") == {("deep/a.jsonl", RAW), ("b.jsonl", RAW)}


def test_a_name_is_printed_without_what_drives_a_terminal(repository, monkeypatch):
    put(repository, "red \x1b[31m\nline.jsonl", LINE)
    monkeypatch.chdir(repository)

    done = CliRunner().invoke(everyleaf, ["audit", "--staged"], standalone_mode=False)

    assert done.stdout.splitlines()[0] == (
        "red \\x1b[31m\\nline.jsonl: raw-session: commit what everyleaf builds of it"
    )
    assert done.return_value == 1


def test_nothing_is_said_of_a_commit_that_may_be_made(repository, monkeypatch):
    put(repository, "talk.md", TALK)
    monkeypatch.chdir(repository)

    done = CliRunner().invoke(everyleaf, ["audit", "--staged"], standalone_mode=False)

    assert (done.output, done.return_value) == ("", 0)


def test_what_the_settings_allow_may_be_committed(repository, monkeypatch):
    allowed = f'[redact]\nallow = [{{ value = "{KEY}", reason = "revoked" }}]\n'
    put(repository, "talk.md", KEY)
    (repository / "everyleaf.toml").write_text(allowed)
    monkeypatch.chdir(repository)

    done = CliRunner().invoke(everyleaf, ["audit", "--staged"], standalone_mode=False)

    assert (done.output, done.return_value) == ("", 0)


def test_a_source_beside_staged_is_wrong_usage():
    assert CliRunner().invoke(everyleaf, ["audit", "--staged", "x"]).exit_code == 2


def test_sources_that_settings_name_are_no_source_beside_staged(repository, monkeypatch):
    put(repository, "everyleaf.toml", 'source = ["logs"]\n')
    monkeypatch.chdir(repository)

    assert CliRunner().invoke(everyleaf, ["audit", "--staged"]).exit_code == 0


def test_a_folder_without_a_repository_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="git cannot read"):
        audit_staged(tmp_path)


@pytest.fixture
def published(repository, tmp_path):
    """A repository with a published folder, and the session that it was made of."""
    source = tmp_path / "archive"
    source.mkdir()
    (source / "s.jsonl").write_text(LINE)
    build(source, repository)
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message", "Publish")
    return repository


def build(source, repository):
    options = BuildOptions(
        sources=(source,), output_dir=repository / OUT, formats=(Format.MARKDOWN,), jobs=1
    )
    build_site(options, on_progress=lambda *_: None)


def grow(published):
    more = {**RECORD, "uuid": "u2", "parentUuid": "u1"}
    with (published.parent / "archive/s.jsonl").open("a") as file:
        file.write(json.dumps(more) + "\n")
    build(published.parent / "archive", published)


def test_a_key_in_a_transcript_is_found_though_its_manifest_is_not_staged(published):
    with (published / OUT / "transcript_s.md").open("a") as file:
        file.write(f"\n{KEY}\n")
    git(published, "add", f"{OUT}/transcript_s.md")

    assert (f"{OUT}/transcript_s.md", "github-token") in found(published)


def test_people_are_looked_for_only_in_what_is_published_for_everybody(published):
    put(published, f"{OUT}/notes.md", "Write to berthold@corp.io.\n")
    put(published, "notes.md", "Write to berthold@corp.io.\n")

    exposed = audit_staged(published, RedactOptions(is_public=True))

    assert {one.file for one in exposed} == {f"{OUT}/notes.md"}


def test_half_of_a_published_folder_is_found(published):
    grow(published)
    git(published, "add", f"{OUT}/transcript_s.md")

    half = found(published)
    git(published, "add", "--all")
    whole = found(published)

    assert half == {(f"{OUT}/transcript_s.md", TORN)}
    assert whole == set()


def test_a_published_folder_may_go(published):
    git(published, "rm", "-r", "--quiet", OUT)

    assert found(published) == set()


@pytest.fixture
def hooked(repository, monkeypatch):
    """A repository with the hook, and everyleaf on PATH."""
    start(repository, "pre-commit")
    git(repository, "config", "core.hooksPath", ".githooks")
    commands = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    git(repository, "add", "--all")
    assert commit(repository, "Hook").returncode == 0
    return repository


def commit(repository, message="x", *more):
    return git(repository, "commit", "--quiet", *more, "--message", message, check=False)


posix = pytest.mark.skipif(os.name == "nt", reason="the hook is a shell script")


@posix
def test_the_hook_lets_ordinary_files_pass_and_refuses_what_was_added(hooked):
    put(hooked, "talk.md", TALK)
    passed = commit(hooked)
    put(hooked, "talk.md", TALK + KEY)

    refused = commit(hooked)

    assert (passed.returncode, passed.stderr) == (0, "")
    assert refused.returncode == 1
    assert "talk.md:" in refused.stderr
    assert "github-token" in refused.stderr
    assert "git commit --no-verify" in refused.stderr
    assert KEY not in refused.stderr


@posix
def test_the_hook_looks_at_a_commit_of_all_and_of_one_file(hooked):
    put(hooked, "talk.md", TALK)
    put(hooked, "other.md", TALK)
    commit(hooked)
    (hooked / "talk.md").write_text(KEY)
    (hooked / "other.md").write_text(TALK * 2)

    everything = commit(hooked, "x", "--all")
    one = git(hooked, "commit", "-m", "x", "other.md", check=False)

    assert everything.returncode == 1
    assert "talk.md" in everything.stderr
    assert one.returncode == 0


@posix
def test_the_hook_looks_at_what_an_amended_commit_adds(hooked):
    put(hooked, "talk.md", TALK)
    commit(hooked)
    put(hooked, "raw.txt", LINE)

    refused = commit(hooked, "x", "--amend")

    assert refused.returncode == 1
    assert "raw.txt: raw-session" in refused.stderr
    assert "raw.txt" not in git(hooked, "ls-tree", "--name-only", "HEAD").stdout


@posix
def test_the_hook_looks_at_a_renamed_file(hooked):
    put(hooked, "raw.jsonl", LINE)
    commit(hooked, "x", "--no-verify")
    git(hooked, "mv", "raw.jsonl", "notes.txt")

    refused = commit(hooked)

    assert refused.returncode == 1
    assert "notes.txt: raw-session" in refused.stderr


@posix
def test_the_hook_looks_at_what_a_merge_brings(hooked):
    git(hooked, "switch", "--quiet", "--create", "side")
    put(hooked, "talk.md", KEY)
    commit(hooked, "x", "--no-verify")
    git(hooked, "switch", "--quiet", "main")
    put(hooked, "mine.md", TALK)
    commit(hooked)

    refused = git(hooked, "merge", "--no-edit", "side", check=False)

    assert refused.returncode != 0
    assert "talk.md" in refused.stderr
    assert "talk.md" not in git(hooked, "ls-tree", "--name-only", "HEAD").stdout


@posix
def test_a_merge_of_two_published_folders_is_let_pass(hooked, tmp_path):
    for number, branch in enumerate(("ada", "bob", "main")):
        if branch != "main":
            git(hooked, "switch", "--quiet", "--create", branch, "main")
            source = tmp_path / branch
            source.mkdir()
            text = LINE.replace("s1", branch).replace("u1", f"u{number}")
            (source / f"{branch}.jsonl").write_text(text)
            build(source, hooked)
            git(hooked, "add", "--all")
            assert commit(hooked).returncode == 0
    git(hooked, "switch", "--quiet", "ada")

    merged = git(hooked, "merge", "--no-edit", "bob", check=False)

    assert merged.returncode == 0, merged.stderr


@posix
def test_without_everyleaf_the_hook_says_what_to_do(hooked, tmp_path, monkeypatch):
    bare = tmp_path / "bin"
    bare.mkdir()
    for name in ("git", "sh", "cat"):
        (bare / name).symlink_to(shutil.which(name) or name)
    monkeypatch.setenv("PATH", str(bare))
    put(hooked, "talk.md", TALK)

    refused = commit(hooked)

    assert refused.returncode == 1
    assert "everyleaf is not on PATH" in refused.stderr
    assert "uv tool install" in refused.stderr
    assert "git commit --no-verify" in refused.stderr
