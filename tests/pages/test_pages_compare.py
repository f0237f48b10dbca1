"""The page that holds two paths against each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import html5lib
import pytest
from msgspec.structs import replace

from everyleaf.compare.comparison import compare_chains
from everyleaf.compare.files import FileComparison, FileSide, FileVerdict, TurnFiles
from everyleaf.compare.split import Attempt, ForkSplit
from everyleaf.graph.forest import PathRef
from everyleaf.pages.addresses import SiteSettings, compare_url
from everyleaf.pages.comparewords import (
    change_words,
    file_notes,
    shared_words,
    verdict_words,
)
from everyleaf.pages.facts import parse_session_facts
from everyleaf.pages.sessionpage import session_view
from everyleaf.transcript import edits
from everyleaf.transcript.edits import text_diff
from pages.making import DrawnFamily, draw_family, families
from sessions import FORKED, call, prompt, reply, result, uuid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sessions import Record

SITE = SiteSettings("Archive")
PAGE = "compare/compare_s_1_2.html"
HOSTILE = "</pre></style><script>alert(1)</script> {{ 7*7 }} \x00\x1b[31m \u202e"


def render(
    folder: Path, files: Mapping[str, Sequence[Record]], settings: SiteSettings = SITE
) -> tuple[dict[str, str], DrawnFamily]:
    (work,) = families(folder, files)
    drawn = draw_family(work, settings)
    return {output.url: output.body.decode() for output in drawn.outputs}, drawn


def attempt(
    name: str, text: str, file: str, content: str, *, said: str = "Done."
) -> list[Record]:
    """A prompt after `r1`, a file that is written, and a last word."""
    made = call(f"{name}b", f"{name}a", "Write", file_path=file, content=content)
    given = {
        **result(f"{name}c", f"{name}b", "ok"),
        "toolUseResult": {
            "type": "create",
            "filePath": file,
            "content": content,
            "structuredPatch": [],
        },
    }
    return [
        prompt(f"{name}a", "r1", text),
        made,
        given,
        reply(f"{name}d", f"{name}c", said),
    ]


def forked(*attempts: list[Record]) -> list[Record]:
    shared = [prompt("p1", None, "Write a parser"), reply("r1", "p1", "Which kind?")]
    return shared + [record for one in attempts for record in one]


def test_an_abandoned_path_has_a_page_with_the_path_that_took_over(tmp_path):
    pages, drawn = render(tmp_path, {"s.jsonl": FORKED})

    assert [url for url in pages if url.startswith("compare/")] == [PAGE]
    assert drawn.owners[PAGE] == ("s",)
    assert "Comparison · Two attempts after the same 2 messages<" in pages[PAGE]


def test_how_far_two_paths_are_one_is_told_as_it_is():
    nothing = Attempt((), ())
    same = compare_chains(
        ForkSplit(nothing, nothing, 3),
        read_files=lambda _: TurnFiles("", ()),
        sketch=lambda _: pytest.fail("there is no turn"),
    )
    longer = replace(same, right=replace(same.right, messages=2))
    apart = replace(longer, left=replace(same.left, messages=1))

    assert [shared_words(each, "Path 1", "Path 2") for each in (same, longer, apart)] == [
        "Path 1 and path 2 are the same 3 messages.",
        "Path 1 and path 2 begin with the same 3 messages; path 1 ends there.",
        "Path 1 and path 2 begin with the same 3 messages, and then part.",
    ]


def test_a_page_leads_with_what_came_of_each_side_and_what_both_answered(tmp_path):
    records = forked(
        [
            *attempt("p", "Write one", "/home/me/parser/a.py", "one\n"),
            call("pe", "pd", "Bash", command="npx tsc --noEmit"),
            result("pf", "pe", "Exit code 2\nFound 3 errors in 2 files."),
        ],
        [
            *attempt("q", "Write two", "/home/me/parser/a.py", "two\n"),
            call("qe", "qd", "Bash", command="npx vitest run"),
            result("qf", "qe", "Tests 10 passed (10)"),
        ],
    )

    pages, _ = render(tmp_path, {"s.jsonl": records})
    said = "".join(html5lib.parse(pages[PAGE], namespaceHTMLElements=False).itertext())

    assert "<h1>Write a parser</h1>" in pages[PAGE]
    assert re.search(r"Abandoned( after \d+ \w+)?: type check failed, 2 files do not", said)
    assert "Taken: 10 tests passed." in said
    assert "(npx tsc --noEmit) failed, 2 files do not compile." in said
    assert "Checkstype check failed, 2 files do not compile10 tests passed" in said
    assert ">TAKEN<" not in pages[PAGE]  # The sentence says so.
    assert said.index("Taken: 10 tests passed.") < said.index("Write two")
    assert '<span class="changes"><span class="plus">+1</span></span>' in pages[PAGE]
    assert said.index("Taken: 10") < said.index("Which kind?") < said.index("Outcomes\n")


def test_an_abandoned_path_ends_with_the_check_that_failed(tmp_path):
    records = forked(
        [
            prompt("pa", "r1", "Write one"),
            call("pb", "pa", "Bash", command="npx tsc --noEmit"),
            result("pc", "pb", "Exit code 2\nFound 3 errors in 2 files."),
            reply("pd", "pc", "I stop here."),
        ],
        attempt("q", "Write two", "/home/me/parser/a.py", "two\n"),
    )

    pages, _ = render(tmp_path, {"s.jsonl": records})

    said = '<p class="ended">type check failed, 2 files do not compile</p>'
    assert [url for url in pages if said in pages[url]] == ["transcripts/transcript_s.html"]


def test_cells_are_drawn_and_the_shorter_column_has_an_end(tmp_path):
    one = attempt("p", "Write one", "/a.py", "one\n", said="See `a.py` and **this**.")
    other = [*attempt("q", "Do two", "/a.py", "two\n"), *attempt("x", "On", "/b.py", "b")]
    other[4]["parentUuid"] = other[3]["uuid"]

    pages, _ = render(tmp_path, {"s.jsonl": forked(one, other)})
    steps = pages[PAGE].split('id="steps"')[1]

    assert "See <code>a.py</code> and <strong>this</strong>." in steps
    assert steps.count("Abandoned ends here") == 1
    assert "Taken ends here" not in steps


def test_a_comparison_can_be_copied_as_markdown(tmp_path):
    pages, _ = render(tmp_path, {"s.jsonl": FORKED})
    text = pages[PAGE].split('id="as-markdown" hidden>')[1].split("</pre>")[0]

    assert text.startswith("## ")
    assert "| After the fork | Abandoned | Taken | Difference |" in text


def test_both_transcripts_the_fork_and_the_session_lead_to_the_page(tmp_path):
    pages, _ = render(tmp_path, {"s.jsonl": FORKED})
    facts = parse_session_facts(pages["data/s.json"].encode())
    assert facts is not None
    rows = session_view(facts).paths

    for number, other in (("", "the taken path"), ("_path2", "path 1")):
        page = pages[f"transcripts/transcript_s{number}.html"]
        assert (
            f'<a href="../{PAGE}">Compare<span class="wide"> with {other}</span></a>'
            in page
        )
        assert page.count(f'<a href="../{PAGE}">compare</a>') == 1
    assert [row.compare_url for row in rows] == ["", f"../{PAGE}"]


def test_links_to_messages_lead_to_their_anchors(tmp_path):
    pages, _ = render(tmp_path, {"s.jsonl": FORKED})

    links = re.findall(r'href="\.\./(transcripts/[^"#]+)#([^"]+)"', pages[PAGE])

    assert len({target for _, target in links}) == 5
    for url, anchor in links:
        assert f'id="{anchor}"' in pages[url]


def test_there_are_no_pages_without_html(tmp_path):
    pages, _ = render(tmp_path, {"s.jsonl": FORKED}, SiteSettings("A", has_html=False))

    assert not [url for url in pages if "compare" in url]
    assert '"compare_url": ""' in re.sub(r"\s*:\s*", ": ", pages["data/s.json"])


def test_a_path_without_a_rival_has_no_page(tmp_path):
    pages, _ = render(tmp_path, {"s.jsonl": FORKED[:4]})

    assert not [url for url in pages if url.startswith("compare/")]
    assert "Compare with" not in pages["transcripts/transcript_s.html"]


def test_a_withdrawn_prompt_is_held_against_the_prompt_alone(tmp_path):
    records = forked(
        [prompt("pa", "r1", "A slow parser, please")],
        attempt("q", "A fast parser, please", "/home/me/parser/a.py", "x\n"),
    )

    pages, _ = render(tmp_path, {"s.jsonl": records})

    assert "A <del>slow</del><ins>fast</ins> parser, please" in pages[PAGE]
    assert pages[PAGE].index("Struck</del>: withdrawn") < pages[PAGE].index("<del>slow")
    assert "withdrawn before Claude replied" in pages[PAGE]
    assert ">Comparison<" in pages[PAGE]
    assert re.search(">WITHDRAWN</span> <b><a [^>]+>Prompt 2</a></b> ", pages[PAGE])
    assert re.search(
        ">TAKEN</span> <b><a [^>]+>Asked instead: prompt 2</a></b> ", pages[PAGE]
    )
    for heading in ("Step by step", "How each ended", "After the fork", ">Files"):
        assert heading not in pages[PAGE]


def test_a_withdrawn_prompt_is_called_that_wherever_its_status_stands(tmp_path):
    records = forked(
        [prompt("pa", "r1", "A slow parser, please")],
        attempt("q", "A fast parser, please", "/home/me/parser/a.py", "x\n"),
    )

    pages, _ = render(tmp_path, {"s.jsonl": records})

    chips = [url for url, page in pages.items() if ">WITHDRAWN</span>" in page]
    assert sorted(chips) == [
        PAGE, "transcripts/transcript_s.html", "transcripts/transcript_s_path2.html",
    ]  # fmt: skip
    assert "(WITHDRAWN, [Path 1]" in pages["markdown/transcript_s_path2.md"]
    assert not [url for url, page in pages.items() if ">ABANDONED<" in page]
    assert "Status: ABANDONED" in pages["markdown/transcript_s_path1_abandoned.md"]


@pytest.mark.parametrize(
    ("day", "name"),
    [("2026-01-01", "Asked instead: prompt 2"), ("2026-03-01", "Prompt 2")],
)
def test_a_withdrawn_prompt_is_told_with_its_time_and_what_followed(tmp_path, day, name):
    asked = attempt("q", "A fast parser, please", "/home/me/parser/a.py", "x\n")
    later = [
        prompt("x", "qd", "And a slow one"),
        reply("y", "x", "Here it is."),
        call("ye", "y", "Bash", command="npx vitest run"),
    ]
    withdrawn = prompt("pa", "r1", "A slow one", timestamp=f"{day}T12:00:00Z")
    records = forked([withdrawn], [*asked, *later])

    pages, _ = render(tmp_path, {"s.jsonl": records})

    assert f'<span class="muted">{day} 12:00 UTC</span>' in pages[PAGE]
    taken = pages[PAGE].partition(">TAKEN</span>")[2]
    (then,) = re.findall(r"<b>Claude then:</b> <a [^>]+>(.+?)</a>", taken)
    assert then == '1 call · 1 file <span class="plus">+1</span> · Done.'
    assert f">{name}</a></b>" in taken


def test_the_two_outcomes_of_a_file_are_held_against_each_other(tmp_path):
    file = "/home/me/parser/a.py"
    records = forked(
        attempt("p", "Write one", file, "one\n"), attempt("q", "Write two", file, "two\n")
    )

    pages, _ = render(tmp_path, {"s.jsonl": records})

    assert '>a.py</a> <span class="chip">ended differently</span>' in pages[PAGE]
    assert re.search(r'<del class="sl" data-n="1">one', pages[PAGE])
    assert re.search(r'<ins class="sl" data-n="1">two', pages[PAGE])
    assert pages[PAGE].count("new file") == 2


def test_files_that_ended_the_same_or_were_changed_once_say_so(tmp_path):
    records = forked(
        attempt("p", "Write one", "/home/me/parser/a.py", "one\n"),
        [
            *attempt("q", "Write one", "/home/me/parser/a.py", "one\n"),
            call("qe", "qd", "Edit", file_path="/b.py", old_string="x", new_string="y"),
            result("qf", "qe", "edited"),
        ],
    )

    pages, _ = render(tmp_path, {"s.jsonl": records})

    assert "ended the same" in pages[PAGE]
    assert "changed on the attempt taken only" in pages[PAGE]
    assert "Taken: the contents cannot be reconstructed" in pages[PAGE]


def test_a_long_diff_is_cut_and_kept_as_a_blob_of_the_session(tmp_path):
    long = "".join(f"line {number}\n" for number in range(600))
    records = forked(
        attempt("p", "Write one", "/a.py", long),
        attempt("q", "Write two", "/a.py", "two\n"),
    )

    pages, drawn = render(tmp_path, {"s.jsonl": records})

    found = re.findall(r'href="\.\./(blobs/[^"]+)">Show all 60\d lines', pages[PAGE])
    assert found
    assert all(drawn.owners[url] == ("s",) for url in found)


def test_steps_that_both_took_are_folded(tmp_path):
    records = forked(
        attempt("p", "Write it", "/a.py", "x\n", said="Done."),
        attempt("q", "Write it", "/a.py", "x\n", said="Done."),
    )

    pages, _ = render(tmp_path, {"s.jsonl": records})

    assert "<summary>3 steps alike on both sides</summary>" in pages[PAGE]


def test_copies_that_went_on_in_two_sessions_have_one_page_together(tmp_path):
    copies = {
        "a.jsonl": [*FORKED[:2], prompt("pa", "r1", "On in a"), reply("ra", "pa", "A.")],
        "b.jsonl": [*FORKED[:2], prompt("pb", "r1", "On in b"), reply("rb", "pb", "B.")],
    }

    pages, drawn = render(tmp_path, copies)

    url = compare_url(PathRef("a", 1), PathRef("b", 1))
    assert url == compare_url(PathRef("b", 1), PathRef("a", 1))
    assert [one for one in pages if one.startswith("compare/")] == [url]
    assert drawn.owners[url] == ("a", "b")
    assert "Comparison · Two attempts after the same 2 messages<" in pages[url]
    assert (
        f'href="../{url}">Compare<span class="wide"> with session b, path 1<'
        in pages["transcripts/transcript_a.html"]
    )


@pytest.mark.parametrize("place", ["prompt", "content", "file", "reply"])
def test_what_a_transcript_says_stays_text(tmp_path, place):
    given = {"prompt": "Go", "content": "x\n", "file": "/a.py", "reply": "Done."}
    given[place] = f"{HOSTILE}\n" if place == "content" else HOSTILE
    one = attempt(
        "p", given["prompt"], given["file"], given["content"], said=given["reply"]
    )
    other = attempt("q", "Write another one", "/a.py", "y\n")

    pages, _ = render(tmp_path, {"s.jsonl": forked(one, other)})
    page = html5lib.parse(pages[PAGE], namespaceHTMLElements=False)

    assert not [script for script in page.iter("script") if not script.get("src")]
    assert "<script>alert(1)</script> {{ 7*7 }}" in "".join(page.itertext())
    assert not set("\x00\x1b\u202e") & set(pages[PAGE])


def test_a_compare_page_is_valid_and_has_one_heading(tmp_path):
    records = forked(
        attempt("p", "Write one", "/a.py", "one\n"), attempt("q", "Do it", "/a.py", "two\n")
    )

    pages, _ = render(tmp_path, {"s.jsonl": records})
    page = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(pages[PAGE])

    assert len(list(page.iter("h1"))) == 1
    ids = [element.get("id") for element in page.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert uuid("qa")[:8] in pages[PAGE]


def test_a_page_of_many_says_how_far_it_looks(tmp_path, monkeypatch):
    monkeypatch.setattr("everyleaf.pages.forks.COMPARED_BUDGET", 0)
    monkeypatch.setattr("everyleaf.pages.forks.REACH", 1)
    long = attempt("b", "Another way", "b.py", "b = 2\n", said="The very end.")
    pages, _ = render(tmp_path, {"s.jsonl": forked(attempt("a", "One", "a.py", "a"), long)})

    assert (
        "Of the attempt taken, this page looks at the first 1 message after the fork; it"
        " goes on for 3 more." in pages[PAGE]
    )
    assert "Goes on for 3 more messages." in pages[PAGE]
    assert "The very end." not in pages[PAGE]


def side(
    start: str,
    end: str | None,
    *,
    is_new: bool = False,
    has_foreign_changes: bool = False,
) -> FileSide:
    return FileSide(
        start=start,
        end=end,
        is_new=is_new,
        hunks=(),
        has_foreign_changes=has_foreign_changes,
        changed_by="",
        change=text_diff("a.py", start, end or ""),
        is_exact=end is not None,
    )


def compared(
    verdict: FileVerdict, left: FileSide | None, right: FileSide | None, **more: bool
) -> FileComparison:
    difference = None
    if left and right and left.end is not None and right.end is not None:
        difference = text_diff("a.py", left.end, right.end)
    return FileComparison("a.py", verdict, left, right, difference, **more)


ONE, TWO = side("a\n", "b\n"), side("a\n", "c\n")


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (FileVerdict.SAME, "ended the same"),
        (FileVerdict.DIFFERENT, "ended differently"),
        (FileVerdict.ONLY_LEFT, "changed on path 1 only"),
        (FileVerdict.ONLY_RIGHT, "changed on path 2 only"),
        (FileVerdict.UNKNOWN, "changed on both; how it ended cannot be told"),
    ],
)
def test_a_verdict_is_a_few_words(verdict, words):
    assert verdict_words(compared(verdict, ONE, TWO), "Path 1", "Path 2") == words


def notes(found: FileComparison) -> list[str]:
    return list(file_notes(found, "Path 1", "Path 2"))


def test_of_contents_that_are_known_there_is_nothing_to_note():
    assert notes(compared(FileVerdict.DIFFERENT, ONE, TWO)) == []


def test_what_cannot_be_told_is_said_of_the_side_that_it_is_about():
    lost, moved = side("a\n", None), side("a\n", "b\n", has_foreign_changes=True)

    first, second = notes(compared(FileVerdict.UNKNOWN, lost, moved))

    assert first.startswith("Path 1: the contents cannot be reconstructed")
    assert second.startswith("Path 2: something else changed the file")


def test_contents_that_were_not_put_back_are_noted():
    (note,) = notes(compared(FileVerdict.ONLY_LEFT, ONE, None, begins_apart=True))

    assert "did not put the file back" in note


def test_a_last_line_break_is_a_difference_that_is_named():
    (note,) = notes(compared(FileVerdict.DIFFERENT, side("", "b"), side("", "b\n")))

    assert note == "They differ in the line break at the end alone."


def test_a_file_too_long_to_compare_is_said_to_be_counted_roughly(monkeypatch):
    monkeypatch.setattr(edits, "MOST_CELLS", 0)
    long = replace(side("1\n2\n", "2\n1\n"), is_exact=False)

    first, second = notes(compared(FileVerdict.DIFFERENT, side("", "1\n2\n"), long))

    assert first.startswith("The difference: all lines from the first change")
    assert second.startswith("Path 2: all lines from the first change")
    assert change_words("Path 2", long) == "Path 2: net change"


def test_the_diff_of_a_side_says_what_it_is():
    assert change_words("Path 1", ONE) == "Path 1: net change"
    assert change_words("Path 1", side("", "x", is_new=True)) == "Path 1: new file"
    assert change_words("Path 1", side("", None)) == "Path 1: recorded edits"
