"""slackwater, 2.0: harbours in a file. Progress records, flat agent files, an edited prompt."""

from __future__ import annotations

from archive_maker import agents
from archive_maker.journal import Json, text
from archive_maker.session import Session
from archive_maker.tides import SLACKWATER
from archive_maker.tides_sources import LOADER, STATIONS_PY, TOML
from archive_maker.tools import (
    bash,
    bash_call,
    deny,
    edit,
    edit_call,
    grep,
    read,
    todo,
    write,
)


def stations() -> Session:
    s = Session(
        "slackwater-stations",
        SLACKWATER,
        "2.0.76",
        "2026-02-11T19:20:44",
        model="claude-opus-4-5-20251101",
        slug="misty-humming-heron",
    )
    s.files = {f"{s.project.cwd}/src/slackwater/stations.py": STATIONS_PY}
    progress(s, "SessionStart:startup", hookEvent="SessionStart")
    s.shape("progress record in the chain (2.0)", 1)
    s.prompt(
        "Skerry Sound is built in. I want more harbours without touching code. "
        "Find out what we have and what others do, ultrathink, then propose one format.",
        thinkingMetadata={
            "level": "high",
            "disabled": False,
            "triggers": [{"start": 90, "end": 100, "text": "ultrathink"}],
        },
        todos=[],
    )
    look_around(s)
    s.say(
        "Two sensible formats:\n\n1. **One file a station** (`stations/skerry-sound.toml`): easy to "
        "share a single harbour, more files to install.\n2. **One `stations.toml`**: one thing to "
        "ship and to read, and a diff shows what changed.\n\nBoth are `tomllib` from the standard "
        "library, so the Pi stays happy. I lean to the second."
    )
    before = s.mark()
    first = s.next_line
    s.prompt("ok do one file a station")
    write(
        s, "src/slackwater/data/skerry-sound.toml", TOML.split("\n\n", maxsplit=1)[0] + "\n"
    )
    s.say(
        "The first harbour has its file. Next I would write the loader, which has to walk the folder, and then"
    )
    s.interrupt()
    s.shape("reply interrupted by the person", s.next_line - 2)
    s.rewind(before, "the edited prompt's first version, interrupted")
    s.wait(95)
    s.prompt("ok do ONE stations.toml, like you said. I read that backwards")
    s.shape("edited prompt: the same place, sent twice", first)
    build(s)
    s.finish("after the edited prompt")
    return s


def progress(s: Session, name: str, **data: object) -> None:
    """A hook reports; such records stood in the chain up to 2.1.81."""
    hook = {
        "type": "hook_progress",
        "hookName": name,
        "command": "~/.claude/hooks/notify.sh",
    }
    ids = {"parentToolUseID": s.ids.uuid(), "toolUseID": s.ids.uuid()}
    s.put(s.envelope("progress", s.tip, data=hook | data, **ids))


def look_around(s: Session) -> None:
    """Two agents at once; each has a flat file beside the session."""
    first = s.next_line
    calls = s.reply(
        s.thought(
            "Two separate questions: what does this repository have, and what do other tide programs use? They do not depend on each other, so both can run at once."
        ),
        text("Two agents can look into this at the same time."),
        s.call(
            "Task",
            description="Survey station data",
            subagent_type="Explore",
            prompt="List every place in this repository where station data is written down, with file and line.",
        ),
        s.call(
            "Task",
            description="Compare formats",
            subagent_type="general-purpose",
            prompt="Which plain-text formats do tide programs use for harmonic constituents? Compare three by size, readability and tooling.",
        ),
    )
    survey = agents.flat_file(s, calls[0])
    grep(
        survey,
        "Constituent\\(",
        ["src/slackwater/stations.py:16:SKERRY = Station(…)"],
        mode="content",
    )
    survey.say(
        "Only `src/slackwater/stations.py:16`. `docs/skerry-2026.txt` is the printed table."
    )
    compare = agents.flat_file(s, calls[1])
    page = "Three formats are in common use: XML with one element a constituent, the binary TCD, and plain columns."
    compare.use(
        "WebFetch",
        {
            "url": "https://tides.example.org/formats",
            "prompt": "Which formats do tide programs read?",
        },
        page,
    )
    compare.say(
        "XML (verbose, no comments in practice), a binary TCD file (compact, needs its own library), and hand-made text tables. None of them reads well in a diff."
    )
    for call, agent in zip(calls, (survey, compare), strict=True):
        data: Json = {
            "type": "agent_progress",
            "agentId": agent.agent_id,
            "prompt": call.asked["prompt"],
            "normalizedMessages": [],
        }
        s.put(
            s.envelope(
                "progress",
                s.tip,
                data=data,
                toolUseID=f"agent_{agent.ids.message()}",
                parentToolUseID=call.id,
            )
        )
    agents.report(
        s,
        calls[1],
        compare,
        "XML is verbose, TCD is binary and needs a library, hand-made tables have no tooling. TOML would be new but reads best in a diff.",
    )
    agents.report(
        s,
        calls[0],
        survey,
        "Station data stands in one place: `src/slackwater/stations.py:16`.",
    )
    s.shape("two agents at once, flat 2.0 files, results in the other order", first)


def build(s: Session) -> None:
    plan = todo(
        s,
        [],
        ["> Write stations.toml", "- Load it", "- Try it in the browser page"],
        text("One file it is."),
    )
    write(s, "src/slackwater/stations.toml", TOML)
    read(s, "src/slackwater/stations.py")
    write(s, "src/slackwater/stations.py", LOADER)
    todo(s, plan, ["x Write stations.toml", "x Load it", "> Try it in the browser page"])
    first = s.next_line
    (run,) = s.reply(
        bash_call(
            s,
            "python -m slackwater.serve --port 8765",
            "Serve the page",
            run_in_background=True,
        )
    )
    s.result(
        run,
        "Command running in background with ID: b41f07",
        {
            "stdout": "",
            "stderr": "",
            "interrupted": False,
            "isImage": False,
            "backgroundTaskId": "b41f07",
        },
    )
    served = "Serving on http://127.0.0.1:8765\n127.0.0.1 - GET /gannet-head 200"
    stored = {
        "shellId": "b41f07",
        "command": "python -m slackwater.serve --port 8765",
        "status": "running",
        "exitCode": None,
        "stdout": served,
        "stderr": "",
        "stdoutLines": 2,
        "stderrLines": 0,
        "timestamp": s.stamp(),
    }
    s.use(
        "BashOutput",
        {"bash_id": "b41f07"},
        f"<status>running</status>\n\n<stdout>\n{served}\n</stdout>\n\n<timestamp>{s.stamp()}</timestamp>",
        stored,
    )
    s.use(
        "KillShell",
        {"shell_id": "b41f07"},
        '{"message":"Successfully killed shell: b41f07 (python -m slackwater.serve --port 8765)","shell_id":"b41f07"}',
        {
            "message": "Successfully killed shell: b41f07 (python -m slackwater.serve --port 8765)",
            "shell_id": "b41f07",
        },
    )
    s.shape("background Bash, BashOutput, KillShell", first)
    first = s.next_line
    (call,) = s.reply(
        text(
            "Both harbours answer. The phases could be radians in the file, which saves a conversion for every call:"
        ),
        edit_call(
            s, "src/slackwater/stations.toml", "M2 = [1.61, 203.0]", "M2 = [1.61, 3.543]"
        ),
    )
    deny(
        s,
        call,
        "no. degrees, that's what every printed table has. convert when loading if you must",
    )
    s.shape("denied tool call with the person's words", first)
    edit(
        s,
        "src/slackwater/stations.toml",
        'name = "Gannet Head"\n',
        'name = "Gannet Head"  # phases in degrees, as printed\n',
        text("Degrees stay, and the file says so."),
    )
    tip = s.tip
    first = s.next_line
    s.say(
        "`stations.toml` holds two harbours, `load()` reads them, and the page shows both. Phases are in degrees."
    )
    s.tip = tip
    s.system(
        "stop_hook_summary",
        hookCount=1,
        hookInfos=[{"command": "~/.claude/hooks/notify.sh"}],
        hookErrors=[],
        preventedContinuation=False,
        stopReason="",
        hasOutput=False,
        level="suggestion",
        toolUseID=s.ids.uuid(),
    )
    s.shape(
        "stop_hook_summary that shares the reply's parent and has the next prompt under it",
        first,
    )
    s.prompt("great, commit", todos=[])
    bash(
        s,
        "git add -A && git commit -qm 'Read stations from stations.toml' && git log --oneline -1",
        "7c1e0a4 Read stations from stations.toml",
        about="Commit",
        gitOperation={"commit": {"sha": "7c1e0a4", "kind": "committed", "branch": "main"}},
    )
    s.say("Committed as `7c1e0a4`.")
