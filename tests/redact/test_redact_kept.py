"""Pages of an earlier build, whose session is gone, are held to the rules of today."""

from __future__ import annotations

import pytest

from everyleaf.build import build_site
from everyleaf.config import Allowed, BuildOptions, OwnRule, RedactOptions
from everyleaf.redact.lastlook import LastLook
from redact.keykinds import make_keys
from sessions import nth, write_records

GONE = "11111111-0000-4000-8000-000000000000"
HERE = "22222222-0000-4000-8000-000000000000"
KEY = make_keys(11)["github-pat"][1].removeprefix("ghp_")
"""Without what tells that it is one, and found only where something else tells."""
CASES = OwnRule("case", pattern=r"AC-\d{4}")
TODAY = RedactOptions(own=(CASES,))


def say(folder, session, text):
    # So far behind that it stands in no title, and in no list.
    said = {"type": "text", "text": f"{'Good morning. ' * 40}\n\n{text}"}
    record = nth(1, "user", said, uuid=f"{session[:8]}-u", sessionId=session)
    return write_records(folder / "projects/-srv-work" / f"{session}.jsonl", [record])


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


def bodies(folder):
    return b"".join(f.read_bytes() for f in (folder / "site").rglob("*") if f.is_file())


def test_what_a_new_rule_finds_in_a_kept_page_is_masked_and_told(folder):
    report = build(folder, TODAY)

    assert b"AC-1234" not in bodies(folder)
    assert "redacted: case" in pages(folder, GONE)[0].replace("\\", "")
    assert "case" in dict(report.masked_late)
    assert build(folder, TODAY).wrote == 0


def test_a_value_that_another_session_betrays_is_masked_in_kept_pages(folder):
    say(folder, HERE, f"GITHUB_TOKEN=ghp_{KEY} and API_TOKEN={KEY}")

    build(folder)

    assert KEY.encode() not in bodies(folder)


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
    looked: list[str] = []
    clean = LastLook.clean

    def look(self, url, body):
        looked.append(url)
        return clean(self, url, body)

    monkeypatch.setattr(LastLook, "clean", look)
    for text in ("Good", "day", "Ada"):
        say(folder, HERE, text)
        build(folder, TODAY)

    assert sum(f"markdown/transcript_{GONE}" in url for url in looked) == 1


def test_without_redaction_nothing_is_looked_for(folder):
    say(folder, HERE, "Hello again")

    build(folder, RedactOptions(is_on=False, own=(CASES,)))

    assert "AC-1234" in pages(folder, GONE)[0]
