"""slackwater: a command line tide table in Python, started with the oldest CLI."""

from __future__ import annotations

from archive_maker import agents
from archive_maker.copies import resumed
from archive_maker.journal import Project, dump, text
from archive_maker.session import Session
from archive_maker.tides_sources import (
    CLI,
    EXTREMES,
    FAILED,
    HARMONICS,
    LISTING,
    PYPROJECT,
    REFINE,
    TEST,
)
from archive_maker.tools import bash, edit, glob, grep, multi_edit, read, todo, write

SLACKWATER = Project("slackwater")


def original() -> Session:
    """1.0: high water for one harbour, with an agent whose records stand in the file."""
    s = Session(
        "slackwater-extremes",
        SLACKWATER,
        "1.0.112",
        "2026-02-03T08:41:10",
        model="claude-sonnet-4-20250514",
    )
    cwd = s.project.cwd
    s.files = {
        f"{cwd}/src/slackwater/harmonics.py": HARMONICS,
        f"{cwd}/pyproject.toml": PYPROJECT,
    }
    s.prompt(
        "I have the harmonic constituents of Skerry Sound in stations.py, and harmonics.py adds them up. "
        "Add something that gives me the **times of high and low water** for a day, to the "
        "minute. No numpy please, this has to run on the boat's Pi Zero."
    )
    first = s.next_line
    s.use("LS", {"path": cwd}, LISTING, LISTING, text("I'll look at what is there first."))
    s.shape("LS, a tool that answers with plain text", first)
    glob(
        s,
        "src/**/*.py",
        [f"src/slackwater/{name}.py" for name in ("__init__", "harmonics", "stations")],
    )
    read(s, "src/slackwater/harmonics.py")
    s.shape("system reminder inside a result", s.next_line - 1)
    first = s.next_line
    plan = todo(
        s,
        [],
        [
            "> Write extremes() over the predicted curve",
            "- Test it against the printed table",
            "- Print a day on the command line",
        ],
    )
    s.shape("TodoWrite in the 1.0 shape (id and priority)", first)
    research(s)
    write(
        s,
        "src/slackwater/extremes.py",
        EXTREMES,
        text(
            "A turning point is where the slope changes sign. I'll step through the curve in six-minute steps, which is a tenth of a degree of the fastest constituent."
        ),
    )
    write(s, "tests/test_extremes.py", TEST)
    bash(
        s,
        "python -m pytest -q tests/test_extremes.py",
        FAILED,
        about="Run the new tests",
        code=1,
    )
    first = s.next_line
    multi_edit(
        s,
        "src/slackwater/extremes.py",
        [
            (
                "            found.append((when, here))\n",
                "            found.append(refine(curve, when - step, when + step))\n",
            ),
            ("    return found\n", REFINE),
        ],
        text(
            "Six minutes is as good as the step, not as the curve: the test is right to ask for one minute. The turning point lies between the neighbours, so a ternary search there is enough."
        ),
    )
    s.shape("MultiEdit", first)
    bash(
        s,
        "python -m pytest -q",
        "......                                                                   [100%]\n6 passed in 0.21s",
        about="Run all tests",
    )
    todo(
        s,
        plan,
        [
            "x Write extremes() over the predicted curve",
            "x Test it against the printed table",
            "> Print a day on the command line",
        ],
    )
    s.say(
        "`extremes()` now finds turning points to the minute, and the six tests pass.\n\n"
        "| Water | Predicted | Printed table | Difference |\n|---|---|---|---|\n"
        "| Low | 03:12, 0.9 m | 03:11 | 1 min |\n| High | 09:24, 4.6 m | 09:24 | 0 min |\n"
        "| Low | 15:38, 1.1 m | 15:40 | 2 min |\n| High | 21:49, 4.4 m | 21:48 | 1 min |\n\n"
        "What is left is the command line. Shall it print today only, or take a date?"
    )
    first = s.next_line
    s.user(
        "<user-memory-input>No numpy: this runs on a Pi Zero with 512 MB.</user-memory-input>"
    )
    s.shape("`#` memory", first)
    s.finish("contained in the resumed copy")
    return s


def research(s: Session) -> None:
    """An agent of 1.0 looks for the printed table."""
    first = s.next_line
    (call,) = s.reply(
        text("While I write it, an agent can find figures to test against."),
        s.call(
            "Task",
            description="Find printed tide table",
            prompt="Look in docs/ and tests/ for a printed tide table of Skerry Sound and report the times of high and low water on 3 February 2026.",
            subagent_type="general-purpose",
        ),
    )
    agent = agents.in_file(s, call)
    grep(agent, "high water|low water", ["docs/skerry-2026.txt"], mode="files_with_matches")
    agent.say(
        "3 February 2026: low 03:11, high 09:24, low 15:40, high 21:48 (docs/skerry-2026.txt, page 4)."
    )
    agents.report(
        s,
        call,
        agent,
        "3 February 2026: low 03:11, high 09:24, low 15:40, high 21:48 (docs/skerry-2026.txt, page 4).",
    )
    s.shape("in-file sidechain (1.0)", first)


def continued(first_part: Session) -> Session:
    """1.0: the next day, resumed into a new file that begins with a copy of the first."""
    s = resumed(first_part, "slackwater-resumed", "2026-02-04T18:02:33")
    s.shape("resumed copy (1.0): same uuids, sessionId rewritten", 1)
    s.prompt("take a date, today if there is none")
    write(s, "src/slackwater/cli.py", CLI)
    bash(
        s,
        "python -m slackwater.cli 2026-02-05",
        "04:28   0.7 m\n10:39   4.8 m\n16:55   0.8 m\n23:02   4.6 m",
        about="Try a day",
    )
    s.say(
        "`slackwater 2026-02-05` prints that day, `slackwater` alone prints today:\n\n```console\n$ slackwater 2026-02-05\n04:28   0.7 m\n10:39   4.8 m\n16:55   0.8 m\n23:02   4.6 m\n```"
    )
    s.prompt("Neighbour says springs are on the 5th. Does 4.8 m agree?")
    s.say(
        "Yes. Full moon was on 1 February, and springs follow it by one and a half to two days here; at Skerry Sound the age of the tide is a little longer because of the sill. 4.8 m is 0.2 m above the 3rd and the highest of the week."
    )
    edit(
        s,
        "src/slackwater/cli.py",
        '        print(f"{when:%H:%M}  {metres:4.1f} m")\n',
        '        print(f"{when:%H:%M} {metres:5.1f} m")\n',
        text("One thing I noticed while checking: the column was one space too wide."),
    )
    s.say("Done.")
    s.finish("the first session and what came after it")
    return s


def summaries(resumed_session: Session, warm_up: Session) -> Session:
    """A file with nothing but summaries of conversations in other files."""
    s = Session("slackwater-summaries", SLACKWATER, "1.0.112", "2026-02-06T07:00:00")
    for words, leaf in (
        ("High and low water to the minute, without numpy", resumed_session.shown[-1]),
        ("Assistant ready for codebase exploration", warm_up.shown[-1]),
    ):
        s.lines.append(dump({"type": "summary", "summary": words, "leafUuid": leaf}))
    s.shape("summary-only file; its leaves are in other files", 1)
    return s


def warm_up() -> Session:
    """2.0: nothing but the CLI warming up."""
    s = Session(
        "slackwater-warmup",
        SLACKWATER,
        "2.0.28",
        "2026-02-05T21:15:02",
        model="claude-haiku-4-5-20251001",
    )
    first = s.next_line
    s.prompt("Warmup")
    s.say("I'm ready to help with the slackwater project. What would you like to work on?")
    s.shape("warm-up-only session", first)
    s.finish("warm-up only")
    return s
