"""slackwater, 2.1: a compaction, a rewind to before it, and a fork made by the SDK."""

from __future__ import annotations

from archive_maker.copies import sdk_forked
from archive_maker.journal import Mark, image, text
from archive_maker.pictures import line_chart
from archive_maker.session import Session
from archive_maker.tides import SLACKWATER
from archive_maker.tools import (
    answer_bash,
    answer_grep,
    answer_read,
    bash,
    bash_call,
    edit,
    grep,
    read,
    write,
)

MOON = '''"""The age of the moon, for spring and neap tides."""

from datetime import datetime

SYNODIC = 29.530588861
NEW_MOON = datetime(2026, 1, 18, 19, 52)


def age(when: datetime) -> float:
    """Return the days since new moon."""
    return (when - NEW_MOON).total_seconds() / 86400 % SYNODIC
'''

SPRINGS = '''

def is_spring(when: datetime, lag: float = 1.5) -> bool:
    """Tell whether the range is near its largest: `lag` days after new and full moon."""
    return min((age(when) - lag) % (SYNODIC / 2), (lag - age(when)) % (SYNODIC / 2)) < 1.5
'''

SUMMARY = """Analysis:
The person maintains slackwater, a tide table for a boat's Pi Zero (no numpy).

Summary:
1. Primary request: mark spring and neap tides in the table.
2. Files: src/slackwater/moon.py (new; `age()`), src/slackwater/cli.py.
3. Decisions: mean synodic month is good enough (error under 14 hours); the lag of springs is a
   parameter because it depends on the harbour.
4. Pending: `is_spring()` and a mark in the printed table.
5. Current work: comparing the curve with the harbour's own chart."""


def moon() -> tuple[Session, Mark]:
    """Return the session and the place from which the SDK forks it."""
    s = Session(
        "slackwater-moon",
        SLACKWATER,
        "2.1.136",
        "2026-02-19T06:30:12",
        slug="brisk-turning-tern",
    )
    s.state("permission-mode", permissionMode="default")
    s.attach(
        "hook_success",
        hookName="SessionStart:startup",
        toolUseID=s.ids.uuid(),
        hookEvent="SessionStart",
        content="",
        stdout="",
        stderr="",
        exitCode=0,
        command="~/.claude/hooks/notify.sh",
        durationMs=41,
    )
    s.prompt(
        "Mark spring and neap tides in the table. I only need to know which days, not an almanac."
    )
    write(
        s,
        "src/slackwater/moon.py",
        MOON,
        s.thought(
            "Springs follow new and full moon. The mean synodic month is off by at most about 14 hours from the true phase, and the lag at Skerry Sound is one and a half days, so a mean month is plenty."
        ),
        text(
            "The mean month is enough for that; the true phase is never more than 14 hours away."
        ),
    )
    s.shape("thinking with its text, and a Write", s.next_line - 4)
    s.say(
        "`age()` is there. Springs come one to two days after new and full moon, depending on the harbour. Do you know the lag at Skerry Sound?"
    )
    s.state("ai-title", aiTitle="Mark spring and neap tides in the table")
    s.shape("ai-title", s.next_line - 1)
    chart = line_chart(
        [4.6, 4.7, 4.8, 4.8, 4.7, 4.4, 4.1, 3.8, 3.6, 3.5, 3.6, 3.9, 4.2, 4.5, 4.7],
        (38, 70, 83),
    )
    first = s.next_line
    s.prompt(
        [text("This is what the harbour office has: [Image #1]"), image(chart)],
        imagePasteIds=[1],
    )
    s.shape("pasted image ([Image #1])", first)
    s.say(
        "The curve peaks on the third and fourth day, so the lag is about a day and a half. I'll make it a parameter with that default."
    )
    for_fork = s.mark()
    before_boundary = s.mark()
    first = s.next_line
    s.prompt("yes. and plot it so I can compare")
    read(s, "src/slackwater/moon.py")
    bash(
        s,
        "python tools/plot.py --days 15 --out build/range.png",
        "wrote build/range.png (400x240)",
        about="Plot the range",
    )
    (call,) = s.reply(s.call("Read", file_path=f"{s.project.cwd}/build/range.png"))
    plotted = line_chart(
        [4.5, 4.7, 4.8, 4.8, 4.6, 4.3, 4.0, 3.7, 3.5, 3.5, 3.7, 4.0, 4.3, 4.5, 4.7],
        (193, 88, 62),
    )
    stored = {
        "type": "image",
        "file": {
            "base64": plotted,
            "type": "image/png",
            "originalSize": len(plotted) * 3 // 4,
            "dimensions": {
                "originalWidth": 400,
                "originalHeight": 240,
                "displayWidth": 400,
                "displayHeight": 240,
            },
        },
    }
    s.result(call, [image(plotted)], stored)
    s.shape("image returned by Read", first)
    s.say("The shapes agree to a decimetre; ours turns half a day early.")
    first = s.next_line
    s.compact(SUMMARY, trigger="manual")
    s.attach(
        "compact_file_reference",
        filename=f"{s.project.cwd}/src/slackwater/moon.py",
        displayPath="src/slackwater/moon.py",
    )
    s.command("compact", output="\u001b[2mCompacted (ctrl+o to see full summary)\u001b[22m")
    s.shape("manual compaction, same process", first)
    s.prompt("shift it by half a day then")
    s.say(
        "I would rather not: the half day comes from the mean month and has the other sign next month. Shifting fits one fortnight and spoils the other."
    )
    first = s.next_line
    s.rewind(before_boundary, "with the manual compaction")
    s.wait(240)
    s.prompt("yes. no plot, just mark the days")
    s.shape("rewind to before a compaction", first)
    settle(s)
    s.finish("after the rewind to before the boundary")
    return s, for_fork


def settle(s: Session) -> None:
    first = s.next_line
    calls = s.reply(
        text("Then two small changes. Let me see both files and the tests together."),
        s.call(
            "Grep", pattern="print\\(f", output_mode="content", path="src", **{"-n": True}
        ),
        s.call("Read", file_path=f"{s.project.cwd}/src/slackwater/moon.py"),
        bash_call(s, "ls tests", "List the tests"),
    )
    answer_bash(s, calls[2], "test_extremes.py\ntest_harmonics.py\ntest_stations.py")
    answer_grep(
        s,
        calls[0],
        ['src/slackwater/cli.py:15:        print(f"{when:%H:%M} {metres:5.1f} m")'],
    )
    answer_read(s, calls[1])
    s.shape("three parallel calls, results out of order", first)
    edit(
        s,
        "src/slackwater/moon.py",
        "    return (when - NEW_MOON).total_seconds() / 86400 % SYNODIC\n",
        "    return (when - NEW_MOON).total_seconds() / 86400 % SYNODIC\n" + SPRINGS,
    )
    grep(
        s,
        "def test_",
        [
            "tests/test_extremes.py:4",
            "tests/test_harmonics.py:3",
            "tests/test_stations.py:2",
        ],
        mode="count",
        path="tests",
    )
    s.shape("Grep that counts", s.next_line - 2)
    bash(
        s,
        "python -m pytest -q",
        "...........                                                              [100%]\n11 passed in 0.34s",
        about="Run all tests",
    )
    s.say(
        "`is_spring()` is in `moon.py`, with a lag of a day and a half. Days near springs can now carry a mark; shall it be an `S` behind the height?"
    )
    s.turn_done()
    s.prompt("S is fine")
    s.say("Done: `10:39   4.8 m S`.")
    s.last_prompt("S is fine")


def forked(source: Session, mark: Mark) -> Session:
    """The harbour office's tool forks the session by the SDK and asks something else."""
    s = sdk_forked(source, mark, "slackwater-moon-fork", "2026-02-20T09:12:00")
    s.state("custom-title", customTitle="Mark spring and neap tides in the table (fork)")
    s.shape("SDK fork: fresh uuids, forkedFrom on every record", 1)
    s.prompt(
        "For the office: what would it take to show neaps on the harbour website instead?"
    )
    s.say(
        "Very little: `moon.age()` has no dependencies, so it can be ported to about ten lines of JavaScript. The website needs only the date. The lag should come from the station's entry, so that Gannet Head can differ."
    )
    s.prompt("Write that up in three sentences for the board.")
    s.say(
        "> The tide table can mark spring and neap tides on the website without any new service. The calculation needs only the date and a lag that is known for each harbour. It is accurate to within half a day, which is less than the spread that weather causes."
    )
    s.finish("the SDK fork goes its own way")
    return s
