"""Pages of an earlier build, whose session is gone, are held to the rules of today."""

from __future__ import annotations

import json

import pytest

from everyleaf.build import build_site
from everyleaf.config import Allowed, BuildOptions, OwnRule, RedactOptions
from everyleaf.errors import RedactError
from everyleaf.redact import kept
from redact.keykinds import make_keys

pytestmark = pytest.mark.usefixtures("scanner")

GONE = "11111111-0000-4000-8000-000000000000"
HERE = "22222222-0000-4000-8000-000000000000"
KEY = make_keys(11)["github-pat"][1].removeprefix("ghp_")
"""Without what tells that it is one, and found only where something else tells."""
CASES = OwnRule("case", pattern=r"AC-\d{4}")
TODAY = RedactOptions(own=(CASES,))


def say(folder, session, text):
    # So far behind that it stands in no title, and in no list.
    said = {"role": "user", "content": f"{'Good morning. ' * 40}\n\n{text}"}
    record = {"type": "user", "uuid": f"{session[:8]}-u", "parentUuid": None}
    file = folder / "projects/-srv-work" / f"{session}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(record | {"sessionId": session, "message": said}))
    return file


def build(folder, redact=None, **asked):
    options = BuildOptions(
        sources=(folder / "projects",),
        output_dir=folder / "site",
        redact=redact or RedactOptions(),
        has_search=False,
        jobs=1,
        **asked,
    )
    return build_site(options, on_progress=lambda *_: None)


def pages(folder, session):
    found = (folder / "site/markdown").glob(f"transcript_{session}*")
    return [file.read_text() for file in found]


@pytest.fixture
def folder(tmp_path):
    """A site that shows a session which is gone since."""
    file = say(tmp_path, GONE, f"We name it {KEY} and see AC-1234")
    say(tmp_path, HERE, "Hello")
    build(tmp_path)
    file.unlink()
    build(tmp_path)
    return tmp_path


def test_a_new_rule_that_finds_something_in_a_kept_page_stops_the_build(folder):
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    with pytest.raises(RedactError, match=rf"that are gone.*{GONE}.*: case") as raised:
        build(folder, TODAY)

    assert "--exclude" in raised.value.hint
    assert "AC-1234" not in raised.value.message
    assert before == {file: file.read_bytes() for file in before}


def test_a_value_that_another_session_betrays_stops_the_build_of_a_kept_page(folder):
    say(folder, HERE, f"GITHUB_TOKEN=ghp_{KEY} and API_TOKEN={KEY}")

    with pytest.raises(RedactError, match=f"that are gone.*{GONE}"):
        build(folder)


def test_a_value_that_another_session_betrays_is_masked_in_pages_that_stand(tmp_path):
    say(tmp_path, GONE, f"We name it {KEY}")
    say(tmp_path, HERE, "Hello")
    build(tmp_path)
    say(tmp_path, HERE, f"API_TOKEN={KEY}")

    build(tmp_path)

    assert not [
        f for f in (tmp_path / "site").rglob("*.*") if KEY.encode() in f.read_bytes()
    ]
    assert "redacted" in pages(tmp_path, GONE)[0]


@pytest.mark.parametrize(
    "asked",
    [
        {"exclude": (GONE,)},
        {"is_pruned": True},
        {"redact": RedactOptions(own=(CASES,), allow=(Allowed("AC-*", "public"),))},
    ],
    ids=["excluded", "pruned", "allowed"],
)
def test_a_person_can_take_a_kept_page_down_or_allow_what_it_holds(folder, asked):
    build(folder, **{"redact": TODAY} | asked)

    assert bool(pages(folder, GONE)) == ("redact" in asked)


def test_kept_pages_are_looked_through_once_for_the_same_rules(folder, monkeypatch):
    looked: list[object] = []

    def look(files, _options):
        looked.append(files)
        return set()

    monkeypatch.setattr(kept, "audit_files", look)
    for text in ("Good", "day", "Ada"):
        say(folder, HERE, text)
        build(folder, TODAY)

    assert len(looked) == 1
    assert GONE in str(looked)


def test_without_redaction_nothing_is_looked_for(folder):
    say(folder, HERE, "Hello again")

    build(folder, RedactOptions(is_on=False, own=(CASES,)))

    assert "AC-1234" in pages(folder, GONE)[0]
