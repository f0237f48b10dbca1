"""dewpoint: one long bench day that uses every tool once, in a file that was damaged."""

from __future__ import annotations

from archive_maker.garden import DEWPOINT, SHOWER
from archive_maker.garden_lookups import calibrate, damage, lookups, strange
from archive_maker.identity import fraction_of
from archive_maker.journal import image, text
from archive_maker.pictures import gif, jpeg
from archive_maker.session import Session
from archive_maker.tools import answer_bash, bash, bash_call, read

LOG_LINES = 460


def bench_day() -> Session:
    s = Session(
        "dewpoint-bench",
        DEWPOINT,
        "2.1.231",
        "2026-04-02T13:20:00",
        model="claude-opus-4-8",
        branch="bench",
        slug="steady-dripping-hose",
    )
    s.files = {f"{s.project.cwd}/tools/shower.sh": SHOWER}
    s.state("mode", mode="normal")
    s.prompt(
        "Bench day. Run the simulator against all fixtures, then help me calibrate the soil probes. Photos of the rig are in bench/."
    )
    photo(s)
    long_output(s)
    parallel_trouble(s)
    stopped(s)
    calibrate(s)
    lookups(s)
    strange(s)
    s.say(
        "All fixtures pass, the probes are calibrated (offsets in `calibration.ipynb`), and the day's log is in `tool-results/`. What is left: probe 3 drifts, so I would replace it."
    )
    s.state("ai-title", aiTitle="Bench day: simulator and soil probes")
    damage(s)
    s.finish("one line in a damaged file")
    return s


def photo(s: Session) -> None:
    """Pictures in the two other formats."""
    first = s.next_line
    grey = jpeg([[40 + 6 * abs(x - 6) + 14 * y for x in range(12)] for y in range(8)])
    (call,) = s.reply(
        text("I'll look at the rig and at the animation that the simulator wrote."),
        s.call("Read", file_path=f"{s.project.cwd}/bench/rig.jpg"),
    )
    stored = {
        "type": "image",
        "file": {"base64": grey, "type": "image/jpeg", "originalSize": len(grey) * 3 // 4},
    }
    s.result(call, [image(grey, "image/jpeg")], stored)
    dial = gif(
        48,
        48,
        lambda x, y: (
            abs((x - 24) ** 2 + (y - 24) ** 2 - 400) < 40 or (x == 24 and 8 < y < 26)
        ),
    )
    (call,) = s.reply(s.call("Read", file_path=f"{s.project.cwd}/bench/dial.gif"))
    s.result(
        call,
        [image(dial, "image/gif")],
        {
            "type": "image",
            "file": {
                "base64": dial,
                "type": "image/gif",
                "originalSize": len(dial) * 3 // 4,
            },
        },
    )
    s.shape("JPEG and GIF returned by Read", first)
    first = s.next_line
    read(
        s,
        "tools/shower.sh",
        text("And the script, from its second line."),
        first=2,
        count=3,
    )
    s.shape("partial Read", first)


def log_lines() -> list[str]:
    lines: list[str] = []
    for n in range(LOG_LINES):
        hour, minute = divmod(n * 3, 60)
        temp = 8.5 + 6 * fraction_of(f"temp/{n // 12}")
        hum = 70 + 25 * fraction_of(f"hum/{n // 20}")
        mark = (
            "\u001b[33mwarn\u001b[0m retry"
            if fraction_of(f"warn/{n}") > 0.97
            else "\u001b[2minfo\u001b[0m ok"
        )
        lines.append(
            f"{hour % 24:02d}:{minute:02d} probe{n % 4 + 1} {temp:5.2f} °C {hum:4.1f} % {mark}"
        )
    return lines


def long_output(s: Session) -> None:
    lines = log_lines()
    first = s.next_line
    bash(
        s,
        "./sim fixtures/2026-03-31.csv",
        "\n".join(lines),
        about="Play back the last day of March",
    )
    s.shape("output of more than 400 lines, with ANSI colours", first)
    first = s.next_line
    everything = (
        "\n".join(f"{day:02d} {line}" for day in range(1, 5) for line in lines) + "\n"
    )
    (call,) = s.reply(bash_call(s, "./sim --all fixtures/", "Play back everything"))
    s.wait(52)
    name = f"{call.id}.txt"
    s.side_files[f"{s.session_id}/tool-results/{name}"] = everything
    place = (
        f"/home/ada/.claude/projects/{s.project.slug}/{s.session_id}/tool-results/{name}"
    )
    size = len(everything.encode())
    preview = everything[:1400]
    words = f"<persisted-output>\nOutput too large ({size / 1024:.1f}KB). Full output saved to: {place}\n\nPreview (first 2KB):\n{preview}\n...\n</persisted-output>"
    stored = {
        "stdout": preview,
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "persistedOutputPath": place,
        "persistedOutputSize": size,
    }
    s.result(call, words, stored)
    s.shape("output persisted in tool-results/", first)
    first = s.next_line
    progress = "".join(
        f"\rflashing {n:3d} % [{'#' * (n // 5):<20}]" for n in range(0, 101, 5)
    )
    bash(
        s,
        "make -C firmware flash",
        f"avrdude: device ready\n{progress}\n\u001b[1;32mverified\u001b[0m 14,336 bytes",
        about="Flash the board",
    )
    s.shape("carriage-return progress bar", first)


def parallel_trouble(s: Session) -> None:
    """One of three parallel calls fails; the one after it is cancelled."""
    first = s.next_line
    calls = s.reply(
        text("Fixtures, lint and a size report at once."),
        bash_call(s, "sh tools/shower.sh", "Compare all fixtures"),
        bash_call(s, "make -C firmware lint", "Lint the firmware"),
        bash_call(s, "make -C firmware size", "Report sizes"),
    )
    answer_bash(s, calls[0], "", code=0)
    answer_bash(
        s,
        calls[1],
        "i2c.c:33: warning: result of i2c_stop() unused\nmake: *** [lint] Error 1",
        code=2,
    )
    s.result(
        calls[2],
        "<tool_use_error>Cancelled: parallel tool call Bash(make -C firmware lint) errored</tool_use_error>",
        "Error: Cancelled: parallel tool call Bash(make -C firmware lint) errored",
        is_error=True,
    )
    s.shape("parallel calls of which one fails and one is cancelled", first)


def stopped(s: Session) -> None:
    first = s.next_line
    (call,) = s.reply(
        text("The lint warning is a real one. I'll rewrite the driver's error handling."),
        s.call(
            "Write",
            file_path=f"{s.project.cwd}/firmware/i2c.c",
            content="/* rewritten */\n",
        ),
    )
    words = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed."
    s.result(
        call, words, "User rejected tool use", is_error=True, toolDenialKind="user-rejected"
    )
    s.interrupt(for_tool=True)
    s.shape("tool use interrupted by the person", first)
    s.prompt([text("Not today. The probes please: readings are in calibration.ipynb")])
