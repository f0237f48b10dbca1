"""Files in whose records no value stands: their lines are not looked at for one again."""

from __future__ import annotations

import json

import pytest

from everyleaf.archive import Choice, index_archive, solve_all
from everyleaf.redact.masking import Mask, Masked
from everyleaf.redact.redaction import Redaction
from everyleaf.sources.discover import find_sources
from everyleaf.workers import open_executor, say_nothing
from sessions import call, prompt, result, write_records

KEY = "q7Rz" + "2mXv9LbT4kWd8Ns"
"""Random, and of no provider."""
MASK = Mask(others=(Masked(KEY, "[redacted: secret]"),), has_places=True, users=("ada",))


def clear(folder):
    """Return the names of the sessions in `folder` that are clear."""
    with open_executor(1) as executor:
        found = find_sources([folder], include_archive=False)
        redaction = Redaction(common=MASK)
        archive = solve_all(
            index_archive(
                found, executor, say_nothing, choice=Choice(), redaction=redaction
            ),
            say_nothing,
        )
    return {archive.files[number].session for number in archive.clear}


@pytest.mark.parametrize(
    "told",
    [
        json.dumps(result("r1", "c1", f"it says {KEY}.")),
        json.dumps(result("r1", "c1", f"it says {KEY[:9]}**{KEY[9:]}.")),
        json.dumps(result("r1", "c1", f"{'lorem ' * 60}{KEY}\n")),
        json.dumps({**result("r1", "c1", ""), "toolUseResult": {f"/a/{KEY}": "b"}}),
        json.dumps({**result("r1", "c1", ""), "someField": {"a": [KEY]}}),
        json.dumps(result("r1", "c1", KEY)) * 2,
        f"{json.dumps(result('r1', 'c1', KEY))} and more",
        json.dumps({"type": "progress", "data": KEY}),
    ],
    ids=["text", "split", "long", "name", "field", "glued", "damaged", "progress"],
)
def test_a_file_with_a_value_is_not_clear(tmp_path, told):
    begun = [prompt("p1", None, "/home/ada/x"), call("c1", "p1", "Bash", command="ls")]
    for name in ("with", "without"):
        write_records(tmp_path / "project" / f"{name}.jsonl", begun)
    with (tmp_path / "project" / "with.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{told}\n")

    assert clear(tmp_path) == {"without"}
