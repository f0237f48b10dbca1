"""What records say about files, in each shape in which the CLI has written it."""

from __future__ import annotations

from everyleaf.compare.files import iter_touches
from everyleaf.records.schema import parse_record
from everyleaf.transcript.edits import FileTouch, Replacement
from transcript.written import assistant, attachment, call, result

FILE = "/home/ada/a.py"
PATCH = [{"oldStart": 1, "newStart": 1, "lines": ["-a", "+b"]}]


def touches(*raws) -> list[FileTouch]:
    return list(iter_touches(("", parse_record(raw)) for raw in raws))


def answered(name, asked, structured, **more) -> list[FileTouch]:
    return touches(assistant(call(name, asked)), result("done", structured, **more))


def test_an_edit_tells_what_it_replaced_and_where():
    (touch,) = answered(
        "Edit",
        {"file_path": FILE, "old_string": "asked", "new_string": "b"},
        {
            "filePath": FILE,
            "oldString": "a",
            "newString": "b",
            "replaceAll": True,
            "originalFile": "a\n",
            "structuredPatch": PATCH,
        },
    )

    assert (touch.file, touch.before) == (FILE, "a\n")
    assert touch.replacements == (Replacement("a", "b", is_everywhere=True),)
    assert len(touch.hunks) == 1


def test_an_edit_whose_result_is_a_text_is_taken_from_the_call():
    (touch,) = touches(
        assistant(call("Edit", {"file_path": FILE, "old_string": "a", "new_string": "b"})),
        result("The file was updated."),
    )

    assert touch == FileTouch(file=FILE, replacements=(Replacement("a", "b"),))


def test_an_original_that_does_not_hold_the_text_is_none():
    (touch,) = answered(
        "Edit",
        {},
        {"filePath": FILE, "oldString": "a", "newString": "b", "originalFile": ""},
    )

    assert touch.before is None


def test_what_a_person_changed_in_an_edit_stands_in_the_patch_alone():
    (touch,) = answered(
        "Edit",
        {},
        {
            "filePath": FILE,
            "oldString": "a",
            "newString": "c",
            "originalFile": "a\n",
            "structuredPatch": PATCH,
            "userModified": True,
        },
    )

    assert touch.replacements == ()
    assert touch.hunks


def test_all_edits_of_a_multi_edit_are_told_in_order():
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "b", "new_string": ""}]

    (touch,) = answered(
        "MultiEdit", {}, {"filePath": FILE, "edits": edits, "originalFileContents": "a"}
    )

    assert touch.before == "a"
    assert touch.replacements == (Replacement("a", "b"), Replacement("b", ""))


def test_a_new_file_has_no_contents_before_and_all_after():
    (touch,) = answered(
        "Write",
        {"file_path": FILE, "content": ""},
        {"type": "create", "filePath": FILE, "content": "", "structuredPatch": []},
    )

    assert touch == FileTouch(file=FILE, after="", is_new=True)


def test_an_empty_original_of_a_rewritten_file_says_nothing():
    (touch,) = answered(
        "Write",
        {},
        {"type": "update", "filePath": FILE, "content": "b", "originalFile": ""},
    )

    assert (touch.before, touch.after, touch.is_new) == (None, "b", False)


def test_a_write_without_a_structured_result_is_taken_from_the_call():
    (touch,) = touches(
        assistant(call("Write", {"file_path": FILE, "content": "b"})), result("written")
    )

    assert (touch.file, touch.after) == (FILE, "b")


def test_a_notebook_edit_holds_the_notebook_before_and_after():
    (touch,) = answered(
        "NotebookEdit",
        {},
        {"notebook_path": FILE, "original_file": "{}", "updated_file": "{1}"},
    )

    assert (touch.before, touch.after) == ("{}", "{1}")


def test_only_a_file_that_was_read_as_a_whole_is_known():
    def seen(start: int, lines: int, total: int) -> list[FileTouch]:
        file = {
            "filePath": FILE,
            "content": "a",
            "startLine": start,
            "numLines": lines,
            "totalLines": total,
        }
        return answered("Read", {}, {"type": "text", "file": file})

    assert seen(1, 2, 2) == [FileTouch(file=FILE, after="a", is_change=False)]
    assert seen(1, 1, 2) == seen(2, 2, 2) == []
    assert answered("Read", {}, {"type": "image", "file": {}}) == []


def test_a_call_that_failed_touched_nothing():
    assert answered("Edit", {"file_path": FILE}, {"filePath": FILE}, is_error=True) == []
    assert touches(assistant(call("Write", {"file_path": FILE, "content": "b"}))) == []


def test_other_tools_and_edits_of_no_file_touch_nothing():
    assert answered("Bash", {"command": "rm a.py"}, {"stdout": ""}) == []
    assert answered("Write", {"content": "b"}, None) == []


def test_a_result_whose_call_is_elsewhere_is_known_by_its_shape():
    (touch,) = touches(
        result("", {"filePath": FILE, "content": "b", "structuredPatch": []})
    )

    assert (touch.file, touch.after) == (FILE, "b")


def test_attached_files_are_read_and_files_that_changed_meanwhile_are_lost():
    file = {"filePath": FILE, "content": "a", "numLines": 1, "totalLines": 1}

    found = touches(
        attachment("file", content={"type": "text", "file": file}),
        attachment("file", content={"type": "image", "file": {}}),
        attachment("edited_text_file", filename=FILE, snippet="…"),
        attachment("todo", content=[]),
    )

    assert found == [
        FileTouch(file=FILE, after="a", is_change=False),
        FileTouch(file=FILE, is_change=False, is_foreign=True),
    ]
