"""What a card does not draw, it lists: no word of an input is lost, in either format."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from everyleaf.render.entries import assign_anchors
from everyleaf.render.markdown import render_markdown
from everyleaf.transcript.document import Chip, Code, Fold
from everyleaf.transcript.tools.table import BY_NAME, find_tool
from render.drawn import render, uuids_of
from transcript.written import assistant, call, document, result, shown_call

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.outputs import Blob

NAMES = [*sorted(BY_NAME), "mcp__server__tool", "Unheard"]
COMMON = ("query", "url", "name", "message", "text", "id", "status", "to_come", "filter")
write = partial(render_markdown, blob_root="../blobs/", agent_url=lambda *_: None)


@dataclass
class Words:
    """Makes words that occur nowhere else, and remembers them."""

    made: list[str] = field(default_factory=list)
    numbers: count[int] = field(default_factory=lambda: count(70_001))

    def some(self, how_many: int, *, between: str = " ") -> str:
        words = [f"w{next(self.numbers)}x" for _ in range(how_many)]
        self.made += words
        return between.join(words)

    def number(self) -> int:
        number = next(self.numbers)
        self.made.append(str(number))
        return number


Shape = st.recursive(
    st.sampled_from(["word", "line", "long line", "lines", "many lines", "number", "yes"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3),
        st.lists(inner, min_size=1, max_size=3).map(tuple),
    ),
    max_leaves=5,
)
"""A list is a list; a tuple stands for an object whose fields have these shapes."""

LEAVES: dict[str, Callable[[Words], Any]] = {
    "word": lambda words: words.some(1),
    "line": lambda words: words.some(5),
    "long line": lambda words: words.some(80),
    "lines": lambda words: words.some(4, between="\n"),
    "many lines": lambda words: words.some(70, between="\n"),
    "number": Words.number,
    "yes": lambda _words: True,
}


def filled(shape: Any, fields: list[str], words: Words) -> Any:
    if isinstance(shape, str):
        return LEAVES[shape](words)
    if isinstance(shape, list):
        return [filled(inner, fields, words) for inner in shape]
    names = [*fields, *(words.some(1) for _ in shape[len(fields) :])]
    return {n: filled(inner, fields, words) for n, inner in zip(names, shape, strict=False)}


RESULTS: list[dict[str, Any] | None] = [
    None,
    {"content": "all is well"},
    {"content": "all is well", "structured": {"success": True}},
    {"content": "it did not work", "is_error": True},
    {"content": "The user doesn't want to proceed with this tool use.", "is_error": True},
]


def drawn_texts(name: str, arguments: Any, answer: dict[str, Any] | None) -> list[str]:
    """Return the text of a call's card as HTML and as Markdown, blobs included."""
    raws = [assistant(call(name, arguments), cwd="/w")]
    if answer is not None:
        content, structured = answer["content"], answer.get("structured")
        is_error = answer.get("is_error", False)
        raws.append(result(content, structured, is_error=is_error))
    made = document(*raws)
    anchors = assign_anchors(uuids_of(made.entries))
    page, text = render(made, anchors), write(made, anchors)
    return [
        with_blobs(html.unescape(re.sub(r"<[^>]*>", "", page.text)), page.blobs),
        with_blobs(text.text, text.blobs),
    ]


def with_blobs(text: str, blobs: tuple[Blob, ...]) -> str:
    kept = [blob.body.decode() for blob in blobs if blob.name.endswith(".txt")]
    return "\n".join([text, *kept])


@settings(deadline=None, max_examples=10)
@given(data=st.data())
@pytest.mark.parametrize("name", NAMES)
def test_every_word_of_an_input_is_in_html_and_in_markdown(name: str, data: st.DataObject):
    tool, words = find_tool(name), Words()
    known = sorted({*tool.draws, *tool.told, *COMMON})
    fields = st.lists(st.sampled_from(known), unique=True, max_size=6)
    arguments: dict[str, Any] = {}
    for each in [*data.draw(fields), words.some(1)]:
        arguments[each] = filled(data.draw(Shape), data.draw(fields), words)
    answer = data.draw(st.sampled_from(RESULTS))

    if "offset" in arguments and type(arguments.get("limit")) is int:
        words.made.remove(str(arguments["limit"]))  # "lines 5-9": where the last one is.
    for found in drawn_texts(name, arguments, answer):
        lost = [word for word in words.made if word not in found]
        assert [word for word in lost if not is_grouped(word, found)] == []


def is_grouped(word: str, text: str) -> bool:
    return word.isdigit() and f"{int(word):,}" in text


def test_what_a_card_does_not_draw_is_a_chip_or_stands_in_a_closed_fold():
    entry = shown_call(
        "ExitPlanMode",
        {"plan": "Do it", "mode": "auto", "allowedPrompts": [{"tool": "Bash"}]},
        "approved",
    )

    chip, fold = entry.asked
    assert chip == Chip("mode", "auto")
    assert isinstance(fold, Fold)
    assert not fold.is_open
    (listed,) = fold.parts
    assert isinstance(listed, Code)
    assert (listed.caption, '"tool": "Bash"' in listed.text) == ("allowedPrompts", True)


def test_input_of_a_wrong_shape_stands_open():
    (fold,) = shown_call(
        "TaskCreate", {"tasks": [{"subject": "A"}]}, "", is_error=True
    ).asked

    assert isinstance(fold, Fold)
    assert fold.is_open


def test_words_that_a_line_cuts_stand_whole_below_it():
    pattern = "|".join(f"name{number}" for number in range(60))

    (fold,) = shown_call("Grep", {"pattern": pattern}, "a.py").asked

    assert fold == Fold("more of what was asked", (Code(pattern, caption="pattern"),))


def test_what_is_drawn_is_not_listed_again():
    file, old, new = "/home/ada/app/x.py", "a\nb", "a\nc"
    calls = [
        shown_call("Read", {"file_path": file, "offset": 3, "limit": 8}, "x"),
        shown_call("Bash", {"command": "ls\npwd", "run_in_background": True}, "x"),
        shown_call(
            "Edit",
            {"file_path": file, "old_string": old, "new_string": new, "replace_all": False},
            "ok",
        ),
        shown_call("TodoWrite", {"todos": [{"content": "A", "status": "pending"}]}, "ok"),
    ]

    assert [len(entry.asked) for entry in calls] == [0, 1, 0, 0]
