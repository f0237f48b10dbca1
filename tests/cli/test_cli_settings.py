"""A settings file says what the command line leaves open; slips are named."""

from __future__ import annotations

from pathlib import Path

import pytest

OWN = "everyleaf.toml"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(stand_in):
    (options,) = stand_in.asked
    return options


def test_a_file_in_the_working_folder_is_read(folder, call, stand_in):
    (folder / OWN).write_text(
        'title = "Ours"\nout = "docs"\nformat = ["md"]\nexclude = ["*a*", "*b*"]\n'
        'front-matter = true\njobs = 1\nsource = ["logs"]\n'
    )

    code, _, _ = call("build")

    options = asked(stand_in)
    assert code == 0
    assert (options.title, options.output_dir) == ("Ours", folder / "docs")
    assert (options.formats, options.exclude) == (("md",), ("*a*", "*b*"))
    assert (options.has_front_matter, options.jobs) == (True, 1)
    assert options.sources == (folder / "logs",)


def test_the_command_line_wins(folder, call, stand_in):
    (folder / OWN).write_text('title = "Ours"\nsource = ["logs"]\n')

    call("build", "elsewhere", "--title", "Mine")

    assert asked(stand_in).title == "Mine"
    assert asked(stand_in).sources == (Path("elsewhere"),)


def test_a_project_file_may_hold_the_settings(folder, call, stand_in):
    (folder / "pyproject.toml").write_text('[tool.everyleaf]\ntitle = "Ours"\n')

    call("build", "logs")

    assert asked(stand_in).title == "Ours"


def test_a_project_file_without_them_changes_nothing(folder, call, stand_in):
    (folder / "pyproject.toml").write_text('[tool.other]\ntitle = "Ours"\n')

    call("build", "logs")

    assert asked(stand_in).title == "Session archive"


def test_a_named_file_is_read_instead_and_its_places_are_seen_from_it(
    folder, call, stand_in
):
    (folder / OWN).write_text('title = "Ours"\n')
    (folder / "conf").mkdir()
    (folder / "conf/site.toml").write_text('out = "../docs"\n')

    call("build", "logs", "--config", "conf/site.toml")

    assert asked(stand_in).title == "Session archive"
    assert asked(stand_in).output_dir.resolve() == folder / "docs"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ('titel = "x"', "everyleaf.toml: there is no setting 'titel'", "'title'"),
        ("zzz = 1", "there is no setting 'zzz'", "there are: allow-frames, base-url"),
        ("force = true", "there is no setting 'force'", ""),
        ('strict = "yes"', "strict must be true or false, not 'yes'", ""),
        ("title = true", "title must be a text or a list of texts, not True", ""),
        ("exclude = [1.5]", "exclude must be a text or a list of texts", ""),
        ("title = ", "is not written as TOML", "a setting is a line like"),
    ],
)
def test_a_slip_is_an_error_that_says_where(folder, call, text, message, hint):
    (folder / OWN).write_text(text)

    code, _, err = call("build", "logs")

    assert code == 1
    assert message in err
    assert hint in err


def test_a_value_that_does_not_fit_is_a_usage_error(folder, call):
    (folder / OWN).write_text('format = "pdf"\n')

    code, _, err = call("build", "logs")

    assert code == 2
    assert "pdf" in err


def test_a_file_that_is_not_there_is_an_error(folder, call):  # noqa: ARG001  (its folder)
    code, _, err = call("build", "logs", "--config", "none.toml")

    assert code == 1
    assert "cannot read the settings 'none.toml'" in err
