from __future__ import annotations

import pytest

from everyleaf.config import Allowed, Group, Mode, OwnRule, RedactOptions

SETTINGS = """
[redact]
places = "off"
people = "on"
keep-emails = ["*@example.org"]

[[redact.mask]]
kind = "customer"
word = "Acme"
class = "people"

[[redact.allow]]
value = "AKIA*"
reason = "from the documentation"
"""


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path / "everyleaf.toml"


def test_the_table_reaches_the_build(call, stand_in, settings):
    settings.write_text(SETTINGS)

    assert call("build", "logs", "--images", "drop")[0] == 0

    (options,) = stand_in.asked
    assert options.redact.places is Mode.OFF
    assert options.redact.people is Mode.ON
    assert options.redact.secrets is Mode.ON
    assert options.redact.keep_emails == ("*@example.org",)
    assert options.redact.own == (OwnRule("customer", word="Acme", group=Group.PEOPLE),)
    assert options.redact.allow == (Allowed("AKIA*", "from the documentation"),)
    assert options.redact.images == "drop"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[redact]\nplace = 'on'", "did you mean 'places'?"),
        ("[redact]\nzzz = 1", "there are: secrets"),
        ("[redact]\nplaces = 'of'", "must be one of on, off, custom"),
        ("redact = 1", "must be a table"),
        ("[redact]\nkeep-emails = 'x'", "must be a list"),
        ("[redact]\nkeep-emails = [1]", "must be a text"),
        ("[[redact.allow]]\nvalue = 'x'", "needs a value and a reason"),
        ("[[redact.mask]]\nkind = 'x'", "needs a word or a pattern"),
        ("[[redact.mask]]\nwords = 'x'", "did you mean 'word'?"),
        ("[[redact.mask]]\nword = ''", "would mask nothing"),
        ("[[redact.mask]]\nkind = 'A ]'\nword = 'x'", "is not lower case"),
        ("[[redact.mask]]\nkind = 'acme'\nword = 'acme'", "would show the word itself"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(
    call, stand_in, settings, written, said
):
    settings.write_text(written)

    code, _, err = call("build", "logs")

    assert code == 1
    assert said in err
    assert "everyleaf.toml: redact" in err
    assert stand_in.asked == []


@pytest.fixture
def looked(monkeypatch):
    asked: list[RedactOptions] = []

    def look(*_places: object, options: RedactOptions, **_: object) -> list[object]:
        asked.append(options)
        return []

    monkeypatch.setattr("everyleaf.audit.audit", look)
    return asked


def test_the_table_reaches_an_audit_and_the_other_settings_do_not(call, looked, settings):
    settings.write_text(f"out = 'docs'\nformat = 'md'\n{SETTINGS}")

    assert call("audit", "logs")[0] == 0

    (options,) = looked
    assert options.own == (OwnRule("customer", word="Acme", group=Group.PEOPLE),)
    assert options.allow == (Allowed("AKIA*", "from the documentation"),)
    assert not options.is_public


@pytest.mark.parametrize("said", [("--public",), ()])
def test_a_site_that_is_built_for_everybody_is_audited_as_one(call, looked, settings, said):
    settings.write_text("" if said else "public = true")

    call("audit", "logs", *said)

    assert [options.is_public for options in looked] == [True]


def test_an_audit_takes_another_file_of_settings(call, looked, settings):
    settings.write_text(SETTINGS)
    other = settings.with_name("other.toml")
    other.write_text("[redact]\nsecrets = 'off'")

    call("audit", "logs", "--config", other)

    assert [options.secrets for options in looked] == [Mode.OFF]


def test_an_audit_without_settings_looks_for_what_is_always_masked(call, looked, settings):  # noqa: ARG001  (an empty folder)
    call("audit", "logs")

    assert looked == [RedactOptions()]
