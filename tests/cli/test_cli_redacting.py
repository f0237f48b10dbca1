from __future__ import annotations

import pytest

from everyleaf.config import Allowed, Group, Mode, OwnRule

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
