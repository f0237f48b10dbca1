"""`everyleaf diff`: what it prints, and the exit code, which is that of diff."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path

import html5lib
import pytest

from sessions import call as making_call, prompt, reply, result, write_records

EXAMPLE = Path(__file__).parents[2] / "examples/archive"
FRACTIONS = "66e54b32"


@pytest.fixture
def diff(call, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)  # Some set it, and lines would be broken.

    def run_diff(*arguments):
        return call("diff", *arguments, "--source", EXAMPLE, "-q")

    return run_diff


def test_the_text_holds_both_prompts_the_steps_and_the_final_difference(diff):
    code, out, err = diff(f"{FRACTIONS}:1", f"{FRACTIONS}:2")

    assert (code, err) == (1, "")
    assert out.startswith("Path 1 and path 2 begin with the same 10 messages")
    assert "\n< Path 1, ABANDONED: " in out
    assert "\n> On second thought: round when writing." in out
    assert "\n< Bash npx tsc --noEmit --pretty (exit 2, 5 lines)" in out
    assert (
        "\n--- src/scale.test.ts (Path 1)\n+++ src/scale.test.ts (Path 2)\n@@ -1,7" in out
    )
    assert "\n+  expect(format(0.2)).toBe" in out
    assert "Tests 10 passed (10)" in out
    assert "\x1b" not in out


def test_a_path_does_not_differ_from_itself(diff):
    code, out, _ = diff(f"{FRACTIONS}:2", FRACTIONS)

    assert code == 0
    assert out.startswith("Path 2 and path 2 are the same 22 messages.\n")
    assert "part" not in out
    assert "fork" not in out


def test_files_only_leaves_out_the_conversation(diff):
    code, out, _ = diff(f"{FRACTIONS}:1", f"{FRACTIONS}:2", "--files-only")
    same, nothing, _ = diff(FRACTIONS, FRACTIONS, "--files-only")

    assert (code, same) == (1, 0)
    assert "Step by step" not in out
    assert out.count("ended differently") == 2
    assert nothing == "Neither path changed a file.\n"


def test_words_are_marked_on_request(diff):
    _, out, _ = diff(f"{FRACTIONS}:1", f"{FRACTIONS}:2", "--files-only", "--word")

    assert "const flour = { amount: [-new Rational(-]1[-)-], unit:" in out
    assert "\n{+  expect(format(0.2))" in out


def test_json_has_the_documented_keys_in_order(diff, call):
    code, out, _ = diff(f"{FRACTIONS}:1", f"{FRACTIONS}:2", "--json")
    _, help_text, _ = call("diff", "--help")
    found = json.loads(out)

    assert code == 1
    assert list(found) == sorted(found)
    assert set(found) == {
        "same", "shared", "left", "right", "files", "prompt_words", "steps",
    }  # fmt: skip
    assert [each["verdict"] for each in found["files"]] == ["different", "different"]
    assert found["right"]["test_run"]["outcome"] == "ok"
    words = set(re.findall(r"\w+", help_text))
    assert {*found, *found["left"], *found["files"][0], *found["files"][0]["left"]} <= words
    assert {key for row in found["steps"] for step in row if step for key in step} <= words


def test_json_of_files_only_says_whether_files_are_the_same(diff):
    code, out, _ = diff(FRACTIONS, FRACTIONS, "--json", "--files-only")

    assert (code, json.loads(out)) == (0, {"same": True, "shared": 22, "files": []})


def test_html_of_a_path_beside_itself_says_so_and_no_more(diff):
    code, out, _ = diff(FRACTIONS, FRACTIONS, "--format", "html")

    assert code == 0
    assert "Path 2 and path 2 are the same 22 messages." in out
    assert not re.search(r"<h2|<table|the fork", out)


@pytest.mark.parametrize("more", [(), ("--files-only",)])
def test_html_is_one_page_that_needs_nothing_else(diff, more):
    code, out, _ = diff(f"{FRACTIONS}:1", f"{FRACTIONS}:2", "--format", "html", *more)
    page = html5lib.HTMLParser(strict=True).parse(out)

    assert code == 1
    assert page is not None
    (style,) = re.findall(r"<style>(.*?)</style>", out, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in unescape(out)
    assert not re.search(r"<(?:link|script|img)\b|\bhref=\"(?!#|https:)", out)
    assert ("Step by step" in out) is (more == ())


def test_a_file_stands_for_its_session(call):
    (file,) = EXAMPLE.glob(f"projects/*/{FRACTIONS}*.jsonl")

    code, out, _ = call("diff", f"{file}:1", file, "-q", "--json")

    assert code == 1
    assert (json.loads(out)["left"]["number"], json.loads(out)["right"]["number"]) == (1, 2)


def test_a_leaf_stands_for_its_path(diff):
    _, listed, _ = diff(f"{FRACTIONS}:1", f"{FRACTIONS}:2", "--json")
    last = [row[0]["uuid"] for row in json.loads(listed)["steps"] if row[0]][-1]

    code, out, _ = diff(last, f"{FRACTIONS}:1")

    assert code == 0, out


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("nothing", "no session fits 'nothing'", "--source says where to look"),
        (f"{FRACTIONS}:9", "has no path 9", "it has 1, 2"),
        ("2", "fits ", "say 2"),
    ],
)
def test_trouble_ends_with_two_and_a_hint(diff, name, message, hint):
    code, out, err = diff(name, FRACTIONS)

    assert (code, out) == (2, "")
    assert message in err
    assert hint in err.split("hint: ")[1]


def test_a_withdrawn_prompt_is_told_in_words(diff):
    code, out, _ = diff("79ed1050:3", "79ed1050:4")

    assert code == 1
    assert "<   Withdrawn: the prompt never got a reply." in out


def test_two_sessions_are_called_by_their_ids(diff):
    _, out, _ = diff("2d394510", "6df8cff4")

    assert out.startswith(
        "Session 2d394510, path 1 and session 6df8cff4, path 2 begin with"
    )


def test_the_command_ends_with_its_code_in_a_real_process():
    command = [sys.executable, "-m", "everyleaf", "diff", FRACTIONS, FRACTIONS]
    done = subprocess.run(
        [*command, "--source", EXAMPLE, "--files-only"],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stdout) == (0, "Neither path changed a file.\n")


def test_other_shapes_of_difference_are_told_as_well(tmp_path, call):
    first, other = write_sessions(tmp_path)

    code, out, _ = call("diff", first, other, "-q")
    _, words, _ = call("diff", first, other, "-q", "--word", "--files-only")
    _, data, _ = call("diff", first, other, "-q", "--json")

    assert code == 1
    assert "Change [-one-]{+two+} of the lines now" in out
    assert "= 1 step alike on both sides" in out
    assert "changed on session b, path 1 only" in out
    assert "the contents cannot be reconstructed" in out
    assert "(session b" not in out
    assert "\n \tsame\u3000\n" in out
    assert "\n\tsame\u3000\n[-old-]\n{+new+}" in words
    assert json.loads(data)["files"][0]["left"] is None


def test_sessions_without_a_common_message_can_be_compared(tmp_path, call):
    first, _ = write_sessions(tmp_path)
    (other,) = EXAMPLE.glob(f"projects/*/{FRACTIONS}*.jsonl")

    code, out, _ = call("diff", first, other, "-q")

    _, page, _ = call("diff", first, other, "-q", "--format", "html")

    assert code == 1
    assert "have no message in common" in out
    assert "\nIn figures\n" in out
    assert "fork" not in out
    assert ">In figures</th>" in page
    assert "After the fork" not in page


def write_sessions(folder: Path) -> tuple[Path, Path]:
    """Write two sessions that begin alike; the second one edits a file."""
    shared = [
        prompt("p1", None, "Hello"),
        reply("r1", "p1", "Hello."),
    ]
    edit = {
        "filePath": "/a.py",
        "oldString": "old",
        "newString": "new",
        "structuredPatch": [
            {"oldStart": 1, "newStart": 1, "lines": [" \tsame\u3000", "-old", "+new"]}
        ],
    }
    first = [*shared, prompt("pa", "r1", "Change one of the lines now")]
    first += [reply("ra", "pa", "As you wish.")]
    other = [
        *shared,
        prompt("pb", "r1", "Change two of the lines now"),
        reply("rb", "pb", "As you wish."),
        making_call("cb", "rb", "Edit", file_path="/a.py"),
        {**result("sb", "cb", "ok"), "toolUseResult": edit},
    ]
    files = folder / "a.jsonl", folder / "b.jsonl"
    for file, records in zip(files, (first, other), strict=True):
        write_records(file, records)
    return files
