"""The hook in the settings of Claude Code: no byte of a person's moves."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from everyleaf.errors import ConfigError
from everyleaf.keep.settings import (
    BACKUP_SUFFIX,
    EVENTS,
    add_hook,
    install,
    plan_install,
    remove_hook,
    uninstall,
)

COMMAND = "/usr/bin/everyleaf keep --hook --to /home/ada/kept"
OURS = {"hooks": [{"type": "command", "command": COMMAND, "timeout": 10}]}

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
entries = st.fixed_dictionaries(
    {
        "hooks": st.lists(
            st.fixed_dictionaries({"command": st.text(max_size=8)}), max_size=2
        )
    },
    optional={"matcher": st.text(max_size=4)},
)
hooks = st.dictionaries(
    st.sampled_from([*EVENTS, "Stop"]), st.lists(entries, max_size=2), max_size=3
)
settings = st.builds(
    lambda rest, own: rest | ({} if own is None else {"hooks": own}),
    st.dictionaries(st.text(max_size=6).filter(lambda key: key != "hooks"), values),
    st.none() | hooks,
)


@st.composite
def texts(draw):
    """Settings as people and programs write them."""
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    text = json.dumps(draw(settings), indent=indent, ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    mark = "\ufeff" if draw(st.booleans()) else ""
    return mark + draw(st.sampled_from(["", "\n", "  "])) + text + draw(st.just("\n"))


def without_byte_order_mark(text):
    return json.loads(text.removeprefix("\ufeff"))


@given(texts())
def test_a_hook_is_put_behind_those_that_are_there_and_nothing_else_changes(text):
    added = add_hook(text, COMMAND)

    wanted = without_byte_order_mark(text)
    for event in EVENTS:
        wanted.setdefault("hooks", {}).setdefault(event, []).append(OURS)
    assert without_byte_order_mark(added) == wanted
    # All bytes of before are there, in their order.
    rest = iter(added)
    assert all(character in rest for character in text)


@given(texts())
def test_it_is_added_once(text):
    added = add_hook(text, COMMAND)

    assert add_hook(added, COMMAND) == added


@given(texts())
def test_it_is_taken_out_with_what_holds_nothing_else(text):
    left = without_byte_order_mark(remove_hook(add_hook(text, COMMAND)))

    before = without_byte_order_mark(text)
    kept = {event: all_ for event, all_ in before.get("hooks", {}).items() if all_}
    for event, all_ in left.get("hooks", {}).items():
        assert all_ == before["hooks"][event]
    assert kept.items() <= left.get("hooks", {}).items()
    assert {**left, "hooks": None} == {**before, "hooks": None}


@given(texts())
def test_an_uninstalled_file_is_what_it_was_byte_for_byte(tmp_path_factory, text):
    file = tmp_path_factory.mktemp("claude") / "settings.json"
    file.write_bytes(text.encode())

    install(file, plan_install(file, COMMAND))
    install(file, plan_install(file, COMMAND + "-elsewhere"))

    assert uninstall(file)
    assert file.read_bytes() == text.encode()
    assert [each.name for each in file.parent.iterdir()] == ["settings.json"]


def test_what_a_person_changed_since_stays(tmp_path):
    file = tmp_path / "settings.json"
    file.write_text('{\n  "model": "opus"\n}\n')
    install(file, plan_install(file, COMMAND))
    file.write_text(file.read_text().replace("opus", "haiku"))

    assert uninstall(file)

    assert file.read_text() == '{\n  "model": "haiku"\n}\n'


def test_a_hook_among_others_of_its_entry_goes_alone(tmp_path):
    mine = {"type": "command", "command": "notify"}
    shared = {"hooks": {"SessionEnd": [{"hooks": [*OURS["hooks"], mine]}]}}

    left = json.loads(remove_hook(json.dumps(shared)))

    assert left == {"hooks": {"SessionEnd": [{"hooks": [mine]}]}}
    assert not uninstall(tmp_path / "settings.json")


def test_settings_are_made_where_there_are_none_and_deleted_again(tmp_path):
    file = tmp_path / ".claude" / "settings.json"

    install(file, plan_install(file, COMMAND))
    made = json.loads(file.read_text())
    is_out = uninstall(file)

    assert made == {"hooks": {event: [OURS] for event in EVENTS}}
    assert is_out
    assert list(file.parent.iterdir()) == []


def test_there_is_a_backup_and_a_link_stays_one(tmp_path):
    real, file = tmp_path / "dotfiles.json", tmp_path / "settings.json"
    real.write_text("{}")
    file.symlink_to(real)

    install(file, plan_install(file, COMMAND))

    assert file.is_symlink()
    assert COMMAND in real.read_text()
    assert (tmp_path / f"settings.json{BACKUP_SUFFIX}").read_text() == "{}"


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        '{"a": 1} x',
        '// mine\n{"a": 1}',
        '{"hooks": []}',
        '{"hooks": {"SessionEnd": {}}}',
        '{"hooks": 1}',
        '{"a":' + "[" * 100_000,
        '{"a": "\xff"}'.encode("latin-1"),
    ],
)
def test_what_is_no_settings_file_is_refused_and_left_alone(tmp_path, text):
    file = tmp_path / "settings.json"
    body = text if isinstance(text, bytes) else text.encode()
    file.write_bytes(body)

    with pytest.raises(ConfigError, match="cannot be changed"):
        plan_install(file, COMMAND)
    assert file.read_bytes() == body
