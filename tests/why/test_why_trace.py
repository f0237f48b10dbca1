"""From lines to prompts: what is known is told, what is not is never guessed."""

from __future__ import annotations

import random
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from everyleaf.opening.reading import Scope
from everyleaf.why.edits import Sureness
from everyleaf.why.history import asked_lines, lines_of_commit
from everyleaf.why.trace import trace
from why.made import BOT, World, answers_of

FILE = "src/read.py"
ONE = "66e54b32-0000-4000-8000-000000000001"
TWO = "77e54b32-0000-4000-8000-000000000002"
SURE = {Sureness.RECORDED, Sureness.REWRITTEN, Sureness.MATCHED}
MANUAL = Path(__file__).parents[2] / "generator" / "everyleaf" / "manual" / "tracing.md"


def calls(answers):
    """Return, line by line, the call that is told for sure; None: none is."""
    return [one.origins[0].uuid if one.sure in SURE else None for one in answers]


def sure(answers):
    return [str(one.sure) for one in answers]


def begun(world):
    """Return a session that wrote and committed two lines, and the call."""
    talk = world.session(ONE)
    talk.prompt("Read a file")
    call = talk.append(FILE, "def read_file(name):", "    return open(name).read()")
    talk.commit("Read files")
    return talk, call


def test_a_recorded_commit_leads_to_the_prompt_before_the_edit(world, ask):
    talk, call = begun(world)
    talk.prompt("Close it")
    later = talk.edit(FILE, "    return open(name).read()", "    with open(name) as it:")
    talk.commit("Close files")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["recorded", "recorded"]
    assert calls(answers) == [call, later]
    assert [one.origins[0].prompt for one in answers] == ["Read a file", "Close it"]
    assert answers[0].origins[0].url.endswith(f"_{ONE}.html#m-{call[:8]}")


@pytest.mark.parametrize("knows_contents", [True, False])
def test_a_commit_by_hand_is_matched_by_what_it_holds(world, ask, knows_contents):
    talk, call = begun(world)
    talk.knows_contents = knows_contents
    talk.prompt("Count them")
    later = talk.append(FILE, "", "\tcount_lines(name)")
    world.commit("Count lines")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["recorded", "recorded", "matched", "matched"]
    assert calls(answers) == [call, call, later, later]
    assert answers[3].said.endswith("(1 of its 1 line)")


def test_a_rebased_commit_is_known_again(world, ask):
    talk, call = begun(world)
    world.git("checkout", "-q", "-b", "count")
    talk.prompt("Count them")
    later = talk.append(FILE, "count_lines(name)")
    old = world.git("rev-parse", "HEAD")
    talk.commit("Count lines")
    world.git("checkout", "-q", "main")
    world.commit_file("LICENSE", "Do what you want.\n", "Add a licence")
    world.wait(600)
    world.git("rebase", "-q", "main", "count")

    _, answers = ask(world, FILE)

    assert world.git("rev-parse", "HEAD~1") != old
    assert sure(answers)[2] == "rewritten"
    assert calls(answers) == [call, call, later]


def test_of_a_squash_each_line_leads_to_its_own_session(world, ask):
    world.git("checkout", "-q", "-b", "both")
    _talk, call = begun(world)
    other = world.session(TWO)
    other.prompt("Count them")
    later = other.append(FILE, "count_lines(name)")
    other.commit("Count lines")
    world.git("checkout", "-q", "main")
    world.git("merge", "-q", "--squash", "both")
    world.commit("Read and count (#7)")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["matched"] * 3
    assert calls(answers) == [call, call, later]
    assert [one.origins[0].session for one in answers] == [ONE, ONE, TWO]


def test_a_picked_commit_is_known_again(world, ask):
    world.commit_file(FILE, "import sys\n", "Begin reading")
    world.git("checkout", "-q", "-b", "side")
    talk = world.session(ONE)
    talk.prompt("Count them")
    talk.append("NOTES.md", "Counting is not tested yet.")
    talk.commit("Take notes")
    call = talk.append(FILE, "count_lines(name)")
    talk.commit("Count lines")
    world.git("checkout", "-q", "main")
    world.wait(90)
    world.git("cherry-pick", "side")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["unknown", "rewritten"]
    assert calls(answers) == [None, call]


def test_of_an_amended_commit_what_a_person_added_is_nobodys(world, ask):
    _talk, call = begun(world)
    world.append(FILE, "typed_by_a_person(name)")
    world.wait(30)
    world.git("commit", "-q", "-a", "--amend", "--no-edit")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["rewritten", "rewritten", "commit"]
    assert calls(answers) == [call, call, None]


def test_only_sessions_that_name_the_file_or_its_commits_are_parsed(world):
    _talk, _call = begun(world)
    committer = world.session(TWO)
    committer.prompt("Something else")
    world.append(FILE, "def write_file(name):")
    committer.commit("Write files")
    for number in range(20):
        other = world.session(f"88e54b32-0000-4000-8000-0000000000{number:02}")
        other.prompt(f"What does {FILE} do?")
        other.append("src/other.py", f"def other_{number}():")
    world.save()
    parsed = set()

    def follow(_stage, _done, total):
        parsed.add(total)

    lines = asked_lines(world.top, FILE)
    (found,) = trace(Scope((world.home.folder,)), follow, world.top, [lines])

    assert [str(one.sure) for one in found.answers] == ["recorded", "commit"]
    assert [one.origins[0].session for one in found.answers] == [ONE, TWO]
    assert max(parsed) == 2


def test_a_renamed_file_keeps_its_origins(world, ask):
    _talk, call = begun(world)
    world.git("mv", FILE, "src/load.py")
    world.commit("Rename it")

    _, answers = ask(world, "src/load.py")

    assert calls(answers) == [call, call]


def test_a_commit_by_a_bot_is_never_attributed(world, ask):
    talk, _ = begun(world)
    talk.prompt("Use a newer version")
    talk.append("requirements.txt", "tokenizer==2.0.1")
    world.commit("Bump tokenizer from 2.0.0 to 2.0.1", author=BOT)

    _, answers = ask(world, "requirements.txt")

    assert (sure(answers), answers[0].origins) == (["unknown"], ())


def test_what_a_person_wrote_again_is_not_the_sessions_that_wrote_it_first(world, ask):
    _talk, _ = begun(world)
    world.write(FILE, "")
    world.commit("Take it out")
    world.wait(60)
    world.write(FILE, "def read_file(name):\n")
    world.commit("Put it back")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["unknown"]


def test_what_a_person_typed_into_a_sessions_commit_is_no_edits(world, ask):
    talk, call = begun(world)
    talk.prompt("Count them")
    later = talk.append(FILE, "count_lines(name)")
    world.append(FILE, "typed_by_a_person(name)")
    talk.commit("Count lines")

    _found, answers = ask(world, FILE)

    assert calls(answers) == [call, call, later, None]
    assert answers[3].sure == Sureness.COMMIT
    assert answers[3].origins[0].prompt == "Count them"


def test_what_a_session_wrote_somewhere_else_is_not_meant(world, ask):
    talk = world.session(ONE, cwd="/home/ada/other")
    talk.prompt("Read a file")
    name = "/home/ada/other/src/read.py"
    result = {"type": "create", "filePath": name, "content": "read_file(name)\n"}
    talk.call("Write", {"file_path": name, "content": "read_file(name)\n"}, result=result)
    world.commit_file(FILE, "read_file(name)\n", "Read files")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["unknown"]


@pytest.mark.parametrize("is_deleted", [False, True])
def test_a_file_below_whose_name_ends_alike_is_not_meant(world, ask, is_deleted):
    talk = world.session(ONE)
    talk.prompt("Count lines in the library")
    talk.append(f"lib/{FILE}", "count_lines(name)", "count_words(name)")
    talk.commit("Count lines")
    if is_deleted:
        world.git("rm", "-q", f"lib/{FILE}")
        world.commit("Do without the library")
    world.commit_file(FILE, "count_lines(name)\n", "Count lines here")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["unknown"]


def test_an_edit_after_the_commit_is_not_its_origin(world, ask):
    world.commit_file(FILE, "count_lines(name)\n", "Count lines")
    talk = world.session(ONE)
    talk.prompt("Count them")
    world.write(FILE, "")
    talk.append(FILE, "count_lines(name)")

    _, answers = ask(world, FILE)

    assert sure(answers) == ["unknown"]


def forked(world):
    """Return the calls of an attempt that was left, and of the one that took over."""
    talk, _ = begun(world)
    fork, before = talk.last, world.read(FILE)
    talk.prompt("Count them in a loop")
    left = talk.append(FILE, "for line in lines_of(name):", "    count_lines(name)")
    world.write(FILE, before)
    talk.prompt("No, count them at once", parent=fork)
    taken = talk.append(FILE, "total = sum_lines(name)", "    count_lines(name)")
    talk.commit("Count lines")
    return left, taken


def test_an_abandoned_attempt_stands_behind_the_one_that_took_over(world, ask):
    left, taken = forked(world)

    _found, answers = ask(world, FILE)

    assert calls(answers)[2:] == [taken, taken]
    assert [one.uuid for one in answers[3].abandoned] == [left]
    assert answers[3].abandoned[0].status == "ABANDONED"
    assert answers[0].abandoned == ()


def test_two_sessions_that_wrote_the_same_are_both_told(world, ask):
    wrote = []
    for name in (ONE, TWO):
        talk = world.session(name)
        talk.knows_contents = False
        talk.prompt("Count them")
        world.write(FILE, "import sys\n")
        wrote.append(talk.append(FILE, "count_lines(name)"))
    world.commit("Count lines")

    _, answers = ask(world, FILE)

    assert (sure(answers)[1], calls(answers)[1]) == ("several", None)
    assert [one.uuid for one in answers[1].origins] == wrote


def test_what_a_subagent_wrote_leads_to_the_prompt_that_called_it(world, ask):
    talk, _ = begun(world)
    talk.prompt("Have them counted")
    result = {"agentId": "a1", "status": "completed"}
    talk.call("Agent", {"description": "Help", "prompt": "Count"}, result=result)
    agent = world.agent("a1", talk)
    agent.add("user", "Count")
    call = agent.append(FILE, "count_lines(name)")
    talk.commit("Count lines")

    _, answers = ask(world, FILE)

    (origin,) = answers[2].origins
    assert (origin.uuid, origin.agent_id, origin.path) == (call, "a1", 1)
    assert origin.prompt == "Have them counted"
    assert origin.url.startswith("agents/")


def test_what_is_not_committed_is_told_and_what_nothing_holds(world, ask):
    talk, _ = begun(world)
    talk.prompt("Count them")
    gone = talk.append(FILE, "count_everything(name)")
    later = talk.edit(FILE, "count_everything(name)", "count_lines(name)")

    found, answers = ask(world, FILE)

    assert (answers[2].commit, calls(answers)[2]) == ("", later)
    assert [one.uuid for one in found.loose] == [gone]


def test_the_lines_of_a_commit_are_told_as_it_left_them(world):
    _, call = begun(world)
    commit = world.git("rev-parse", "HEAD").strip()
    world.commit_file(FILE, "nothing_of_it(name)\n", "Begin anew")
    world.save()

    asked = list(lines_of_commit(world.top, commit))
    (found,) = trace(Scope((world.home.folder,)), lambda *_: None, world.top, asked)

    assert found.answers[0].spans == ((1, 2),)
    assert found.answers[0].origins[0].uuid == call


SEEDS = range(12)


def happen(world, seed):  # noqa: C901  (a case a thing that happens)
    """Do things at random for a while; return the lines at the end, each with its call.

    A line that says something stands once; one that was taken out, and was so when all was
    committed, may be written again, by whomever.
    """
    chance = random.Random(seed)  # noqa: S311
    lines, fresh, gone = list[Any](), list[bool](), list[str]()
    talks = [world.session(ONE), world.session(TWO)]
    for talk in talks:
        talk.knows_contents = chance.random() < 0.5
        talk.prompt("Begin")
    for step in range(40):
        talk = chance.choice(talks)
        does = chance.choice("eeeeeehhxxpccCsarb")
        if does in "ehx":
            at = chance.randint(0, len(lines))
            until = min(at + chance.choice((0, 0, 1, 2)), len(lines))
            some = [f"write_line_{step}_{number}" for number in range(chance.randint(1, 4))]
            some.insert(chance.randint(0, 2), chance.choice(("", "else:", "})")))
            standing = {text for text, _ in lines}
            if does == "x":
                some = [text for text in gone[-2:] if text not in standing]
            body = [*(t for t, _ in lines[:at]), *some, *(t for t, _ in lines[until:])]
            text = "".join(f"{line}\n" for line in body)
            if text == world.read(FILE):
                continue
            is_talk = does == "e" or (does == "x" and chance.random() < 0.5)
            call = talk.rewrite(FILE, text) if is_talk else world.write(FILE, text)
            lines[at:until] = [(line, call) for line in some]
            fresh[at:until] = [True] * len(some)
        elif does == "p":
            talk.prompt(f"Prompt {step}")
        elif does in "cCb" and world.git("status", "--porcelain"):
            if does == "b":
                bots = zip(lines, fresh, strict=True)
                lines = [
                    (text, None if is_bots else call) for (text, call), is_bots in bots
                ]
            author = {"author": BOT} if does == "b" else {}
            by = talk.commit if does == "c" else partial(world.commit, **author)
            by(f"Step {step}")
            fresh = [False] * len(lines)
            written = {f"write_line_{old}_{n}" for old in range(step) for n in range(4)}
            gone = sorted(written - {text for text, _ in lines})
            chance.shuffle(gone)
        elif does in "sar" and world.git("log", "--format=%h").count("\n") > 3:
            world.git("stash", "-q", "-u")
            rewrite(world, does, step)
            if world.git("stash", "list"):
                world.git("stash", "pop", "-q")
    if world.git("status", "--porcelain"):
        world.commit("At last")
    return lines


def rewrite(world, how, step):
    """Squash the last two commits, amend the last, or rebase both."""
    world.wait()
    if how == "a":
        world.git("commit", "-q", "--amend", "-m", f"Amend {step}", "--allow-empty")
    elif how == "r":
        world.git("rebase", "-q", "-f", "HEAD~2")
    elif BOT not in world.git("log", "-2", "--format=%an <%ae>"):
        world.git("reset", "-q", "--soft", "HEAD~2")
        world.git("commit", "-q", "-m", f"Squash {step}", "--allow-empty")


@pytest.fixture(scope="module")
def histories(tmp_path_factory):
    """Return, of each history, the lines that say something: (call, answer)."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    made = []
    for seed in SEEDS:
        world = World(tmp_path_factory.mktemp("history"))
        lines = happen(world, seed)
        _, answers = answers_of(world, FILE)
        told = zip(lines, answers, strict=True)
        made.append([(by, one) for (text, by), one in told if len(text) > len("else:")])
    return made


def test_no_line_is_ever_attributed_to_who_did_not_write_it(histories):
    told = [(by, one) for made in histories for by, one in made if one.sure in SURE]

    wrong = [(by, one) for by, one in told if one.origins[0].uuid != by]
    assert (len(told) > 100, wrong) == (True, [])


def test_the_manual_says_how_many_lines_are_attributed(histories):
    by_session = [one for made in histories for by, one in made if by]
    told = sum(one.sure in SURE for one in by_session)

    said = f"{told} of the {len(by_session)} lines that sessions wrote are attributed"
    assert said in " ".join(MANUAL.read_text("utf-8").split())
