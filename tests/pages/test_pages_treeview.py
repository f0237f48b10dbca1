"""The tree of a session as a picture, and as the same in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.graph.forest import Diverged, PathRef, Status
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import RunFacts
from everyleaf.pages.sessionpage import session_view
from everyleaf.pages.treeview import AGENT_SQUARES, MAX_LANES, tree_view
from everyleaf.theming.load import load_theme
from hanging import ends_soon
from pages.making import path_facts, session_facts

if TYPE_CHECKING:
    from everyleaf.pages.facts import PathFacts, SessionFacts
    from everyleaf.pages.treeview import TreeItem, TreeView

SITE = SiteSettings("Archive")


def run(number: int, parent: int, path: int, **changes: object) -> RunFacts:
    values: dict[str, object] = {
        "number": number,
        "parent": parent,
        "path": path,
        "status": Status.ACTIVE if path == 2 else Status.ABANDONED,
        "words": f"words {number}",
        "anchor": f"m-{number}",
        "messages": 2,
        "prompts": 1,
    }
    return RunFacts(**{**values, **changes})  # type: ignore[arg-type]


def left(number: int, **changes: object) -> PathFacts:
    return path_facts(number, status=Status.ABANDONED, **changes)


def forked(**changes: object) -> SessionFacts:
    """Path 1 was left for path 2 after a run of two messages."""
    values: dict[str, object] = {
        "paths": (left(1), path_facts(2)),
        "runs": (run(1, 0, 2), run(2, 1, 1), run(3, 1, 2)),
    }
    return session_facts("s", **{**values, **changes})


def view_of(session: SessionFacts) -> TreeView:
    view = tree_view(session)
    assert view is not None
    return view


def told(items: tuple[TreeItem, ...]) -> list[object]:
    return [(it.words, [told(lane) for lane in it.left]) for it in items]


def test_a_single_path_has_no_picture() -> None:
    assert tree_view(session_facts(runs=(run(1, 0, 1),))) is None


def test_facts_without_runs_have_no_picture() -> None:
    assert tree_view(forked(runs=())) is None


def test_pieces_lead_to_their_first_messages() -> None:
    view = view_of(forked(runs=(run(1, 0, 2, anchor=""), run(2, 1, 1), run(3, 1, 2))))

    assert [node.url for node in view.nodes] == [
        "../transcripts/transcript_s_2.html",
        "../transcripts/transcript_s_1.html#m-2",
        "../transcripts/transcript_s_2.html#m-3",
    ]


def test_the_active_line_is_straight_and_branches_leave_it() -> None:
    view = view_of(forked())

    active, abandoned = view.strokes
    assert (active.kind, abandoned.kind) == ("ACTIVE", "ABANDONED")
    assert re.fullmatch(r"M14 \d+V\d+", active.d)
    assert "Q14 " in abandoned.d
    assert [mark.kind for mark in view.marks] == ["fork"]


def test_everything_stands_inside_the_picture() -> None:
    view = view_of(forked())

    assert all(0 < node.x < node.label_x < view.width for node in view.nodes)
    assert all(0 < node.y < view.height for node in view.nodes)
    assert len({node.y for node in view.nodes}) == len(view.nodes)


def test_compactions_agents_and_copies_are_marked_and_told() -> None:
    copied = path_facts(2, diverged=(Diverged(PathRef("t", 1), 2),))
    runs = (run(1, 0, 2, agents=9, compactions=1), run(2, 1, 1), run(3, 1, 2, prompts=2))

    view = view_of(forked(paths=(left(1, is_withdrawn=True), copied), runs=runs))

    kinds = [mark.kind for mark in view.marks]
    assert kinds == ["compaction", "elsewhere", *["agent"] * AGENT_SQUARES, "fork"]
    assert [node.meta for node in view.nodes] == [
        "9 agents · 2 messages · 1 compaction · 1 copy went on elsewhere",
        "2 messages · withdrawn",
        "2 messages · 2 prompts",
    ]
    assert all(word in view.key for word in ("fork", "compaction", "agent", "copy"))


def test_the_key_explains_only_what_is_there() -> None:
    assert "compaction" not in view_of(forked()).key


def test_a_copy_that_shares_more_is_marked_further_down() -> None:
    copied = path_facts(2, diverged=(Diverged(PathRef("t", 1), 3),))

    view = view_of(forked(paths=(left(1), copied)))

    assert "copy" not in view.nodes[0].meta
    assert "1 copy went on elsewhere" in view.nodes[2].meta


def test_what_was_carried_on_says_from_where() -> None:
    runs = (run(1, 0, 2, origin="elsewhere"), run(2, 1, 1), run(3, 1, 2))

    assert "from session elsewhere" in view_of(forked(runs=runs)).nodes[0].meta


def test_the_list_says_the_same_and_nests_what_left() -> None:
    runs = (run(1, 0, 2), run(2, 1, 1), run(4, 2, 1), run(5, 2, 3), run(3, 1, 2))
    paths = (left(1), path_facts(2), left(3))

    view = view_of(forked(paths=paths, runs=runs))

    inner: list[object] = [("words 2", [[("words 5", [])]]), ("words 4", [])]
    assert told(view.items) == [("words 1", [inner]), ("words 3", [])]
    assert view.items[0].place == "Path 2, ACTIVE"


def many(count: int) -> SessionFacts:
    """Return a session whose last path took over from all others, fork after fork."""
    paths = (*(left(n) for n in range(1, count)), path_facts(count))
    runs = [run(1, 0, count)]
    for number in range(1, count):
        above = runs[-1].number
        runs.append(run(2 * number, above, number))
        runs.append(run(2 * number + 1, above, count))
    return session_facts(paths=paths, runs=tuple(runs), of=count)


def test_a_session_of_hundreds_of_forks_shows_some_and_counts_the_rest() -> None:
    with ends_soon():
        view = view_of(many(800))
        page = load_theme("default").render("session.html.j2", session_view(many(800)))

    assert view.hidden == 800 - MAX_LANES
    assert len(view.nodes) == 2 * (MAX_LANES - 1) + 1
    assert "780 more paths" in page


def test_words_from_outside_become_no_markup() -> None:
    runs = (run(1, 0, 2, words="<b>\x00</title>"), run(2, 1, 1, words=""), run(3, 1, 2))

    page = load_theme("default").render("session.html.j2", session_view(forked(runs=runs)))

    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "(no words)" in page
    assert not re.search(r"<svg[^>]* style=|</title></title>", page)


def test_a_copy_elsewhere_is_linked_from_its_path() -> None:
    copied = path_facts(2, diverged=(Diverged(PathRef("t", 1), 3),))

    view = session_view(forked(paths=(left(1), copied)))

    (other,) = view.paths[1].diverged
    assert other.text == "Shares its first 3 messages with session t"
    assert other.url == "../transcripts/transcript_t.html"
