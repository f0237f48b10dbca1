"""dewpoint: garden sensors, firmware in C and a dashboard in Go. Agents of every kind."""

from __future__ import annotations

from archive_maker import agents
from archive_maker.journal import Project, text
from archive_maker.session import Session
from archive_maker.tools import bash, edit, glob, grep, read

DEWPOINT = Project("dewpoint")

SENSOR_C = """#include "sensor.h"

#include <math.h>

#define RETRIES 3

/* Read the SHT31: temperature in centi-degrees, humidity in permille. */
int sensor_read(struct reading *out)
{
    unsigned char raw[6];

    for (int i = 0; i < RETRIES; i++) {
        if (i2c_read(SHT31_ADDR, raw, sizeof raw) == 0)
            break;
        delay_ms(10);
    }
    out->temp = -4500 + 17500 * ((raw[0] << 8) | raw[1]) / 65535;
    out->hum = 1000 * ((raw[3] << 8) | raw[4]) / 65535;
    return 0;
}
"""

SHOWER = """#!/bin/sh
# Feed recorded days to the simulator and compare what the dashboard shows.
for day in fixtures/*.csv; do
    ./sim "$day" | diff -u "${day%.csv}.want" -
done
"""


def review() -> Session:
    s = Session(
        "dewpoint-review",
        DEWPOINT,
        "2.1.231",
        "2026-03-22T10:05:00",
        model="claude-opus-4-8",
        branch="retry",
        slug="patient-sprouting-fern",
    )
    s.files = {f"{s.project.cwd}/firmware/sensor.c": SENSOR_C}
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
        durationMs=38,
    )
    s.prompt(
        "Some nights the greenhouse sensor reports 129.9 °C. Get to the bottom of it; have someone else look at the dashboard side at the same time."
    )
    two_at_once(s)
    s.say(
        "The two agree: the firmware sends a value it never read. `sensor_read()` falls out of its loop after three failures and converts **uninitialised bytes**; all ones give 130 °C. The dashboard passes it on because its range check is on the *daily mean*."
    )
    s.turn_done()
    s.prompt(
        "Fix the firmware. And let an agent go through the history in the background, I want to know since when."
    )
    background(s)
    one_inside_another(s)
    s.say(
        "Fixed, reviewed, and dated: wrong since `e19b7d0` of 8 January, when the loop replaced a `goto`."
    )
    s.last_prompt(
        "Fix the firmware. And let an agent go through the history in the background, I want to know since when."
    )
    s.state("ai-title", aiTitle="Find out why the greenhouse reports 129.9 °C")
    s.finish("one line, five agents")
    return s


def two_at_once(s: Session) -> None:
    first = s.next_line
    calls = s.reply(
        s.thought(
            "129.9 °C is close to -45 + 175 = 130, the largest value the SHT31 formula can give. So raw bytes are all ones or garbage. Firmware and dashboard can be examined separately."
        ),
        text(
            "Suspicious number: 130 °C is what the sensor's formula gives for all ones. Two agents, one for each side."
        ),
        s.call(
            "Agent",
            description="Examine firmware",
            subagent_type="Explore",
            prompt="Read firmware/sensor.c. When can temp become 13000 (centi-degrees)? Quote the lines.",
        ),
        s.call(
            "Agent",
            description="Examine dashboard",
            subagent_type="Explore",
            prompt="In dashboard/, follow a reading from the MQTT handler to the chart. Where is its range checked?",
        ),
    )
    firmware = agents.nested_file(s, calls[0])
    read(firmware, "firmware/sensor.c")
    firmware.say(
        "`sensor.c:12-16`: after RETRIES failures the loop ends without a result; `raw` is never written. Line 17 converts whatever is on the stack. All ones: -45 + 175 = **130.00 °C**."
    )
    dashboard = agents.nested_file(s, calls[1])
    grep(
        dashboard,
        "inRange",
        ["dashboard/ingest.go:88:\tif !inRange(day.Mean()) {"],
        mode="content",
        path="dashboard",
    )
    glob(dashboard, "dashboard/**/*_test.go", ["dashboard/ingest_test.go"])
    dashboard.say(
        "The only check is `ingest.go:88`, on the mean of the day. A single 130 °C among 1,440 readings moves the mean by 0.08 °C."
    )
    agents.report(
        s,
        calls[1],
        dashboard,
        "The range is checked on the mean of the day only (`dashboard/ingest.go:88`).",
    )
    agents.report(
        s,
        calls[0],
        firmware,
        "`raw` is used uninitialised after three failed reads (`firmware/sensor.c:12-17`).",
    )
    s.shape("two agents at once (2.1 files with .meta.json)", first)


def background(s: Session) -> None:
    first = s.next_line
    (call,) = s.reply(
        text("The history first, in the background; meanwhile the fix."),
        s.call(
            "Agent",
            description="Date the bug",
            subagent_type="general-purpose",
            run_in_background=True,
            prompt="Use git log -L on sensor_read() to find the commit that made the retry loop fall through without a result.",
        ),
    )
    agent = agents.nested_file(s, call)
    output = f"/home/ada/.cache/claude/{s.project.slug}/tasks/{agent.agent_id}.output"
    launched = f"Async agent launched successfully.\nagentId: {agent.agent_id} (internal ID - do not mention to user. Use SendMessage with to: '{agent.agent_id}' to continue this agent.)\nThe agent is working in the background. You will be notified automatically when it completes.\noutput_file: {output}"
    stored = {
        "isAsync": True,
        "status": "async_launched",
        "agentId": agent.agent_id,
        "description": "Date the bug",
        "resolvedModel": "claude-haiku-4-5-20251001",
        "prompt": call.asked["prompt"],
        "outputFile": output,
        "canReadOutputFile": True,
    }
    s.result(call, [text(launched)], stored)
    edit(
        s,
        "firmware/sensor.c",
        "    unsigned char raw[6];\n\n    for (int i = 0; i < RETRIES; i++) {\n        if (i2c_read(SHT31_ADDR, raw, sizeof raw) == 0)\n            break;\n        delay_ms(10);\n    }\n",
        "    unsigned char raw[6];\n    int failed = 1;\n\n    for (int i = 0; failed && i < RETRIES; i++) {\n        failed = i2c_read(SHT31_ADDR, raw, sizeof raw);\n        if (failed)\n            delay_ms(10);\n    }\n    if (failed)\n        return -1;\n",
    )
    bash(
        s,
        "make -C firmware check",
        "cc -Wall -Wextra -Os -c sensor.c\n./test_sensor\nok 1 - reads a plausible value\nok 2 - gives up after three failures\n1..2",
        about="Build and test the firmware",
    )
    s.say(
        "The firmware now returns -1 after three failures instead of converting garbage. Waiting for the history."
    )
    agent.model = "claude-haiku-4-5-20251001"
    bash(
        agent,
        "git log --oneline -L '/sensor_read/,/^}/:firmware/sensor.c' | head -3",
        "e19b7d0 Retry without goto\n4bd2a66 Read humidity too\n09c5f11 First reading",
        about="History of the function",
    )
    agent.say(
        'The fall-through came with `e19b7d0` (8 January, "Retry without goto"). Before it, `goto fail` returned -1.'
    )
    agents.close(s, agent)
    notification = f'<task-notification>\n<task-id>{agent.agent_id}</task-id>\n<tool-use-id>{call.id}</tool-use-id>\n<output-file>{output}</output-file>\n<status>completed</status>\n<summary>Agent "Date the bug" completed</summary>\n<result>The fall-through came with `e19b7d0` (8 January, "Retry without goto"). Before it, `goto fail` returned -1.</result>\n<usage><total_tokens>11840</total_tokens><tool_uses>1</tool_uses><duration_ms>9120</duration_ms></usage>\n</task-notification>'
    s.user(notification, origin={"kind": "task-notification"}, promptSource="remote")
    s.shape("background agent with its task notification", first)


def one_inside_another(s: Session) -> None:
    first = s.next_line
    (call,) = s.reply(
        text("That dates it. One more pair of eyes on the change before I call it done."),
        s.call(
            "Agent",
            description="Review the fix",
            subagent_type="code-reviewer",
            prompt="Review the uncommitted change in firmware/sensor.c. If you need the data sheet, ask another agent to find the CRC rule.",
        ),
    )
    reviewer = agents.nested_file(s, call)
    bash(
        reviewer,
        "git diff --stat",
        " firmware/sensor.c | 11 +++++++----\n 1 file changed, 7 insertions(+), 4 deletions(-)",
        about="See the change",
    )
    (inner,) = reviewer.reply(
        reviewer.call(
            "Agent",
            description="Find CRC rule",
            subagent_type="general-purpose",
            prompt="How does the SHT31 protect each 16-bit word? Polynomial and start value, from docs/sht31.txt.",
        )
    )
    finder = agents.nested_file(s, inner, outer=reviewer)
    grep(
        finder,
        "0x31",
        [
            "docs/sht31.txt:212:CRC-8, polynomial 0x31 (x8 + x5 + x4 + 1), initialization 0xFF"
        ],
        mode="content",
    )
    finder.say("CRC-8, polynomial 0x31, start value 0xFF (docs/sht31.txt:212).")
    agents.close(s, finder)
    reviewer.result(
        inner,
        [
            text("CRC-8, polynomial 0x31, start value 0xFF (docs/sht31.txt:212)."),
            text(f"agentId: {finder.agent_id}"),
        ],
    )
    reviewer.say(
        "The change is right. Bytes 2 and 5 are CRCs that nobody checks; a flipped bit would still pass. Worth a follow-up, not a blocker."
    )
    agents.report(
        s,
        call,
        reviewer,
        "The change is right. Follow-up: check the two CRC bytes (CRC-8, 0x31, start 0xFF).",
    )
    s.shape("an agent that starts an agent", first)
