"""dewpoint: trouble with the API, and a conversation carried on in another file."""

from __future__ import annotations

from archive_maker.copies import carried_on
from archive_maker.garden import DEWPOINT
from archive_maker.journal import text
from archive_maker.session import Session
from archive_maker.tools import bash, edit, write


def dashboard() -> tuple[Session, Session]:
    """API trouble in one file, and the conversation carried on in another without its history."""
    s = Session(
        "dewpoint-dashboard",
        DEWPOINT,
        "2.1.231",
        "2026-03-25T22:14:09",
        model="claude-opus-4-8",
        slug="humble-watering-can",
    )
    s.prompt("Show frost risk on the dashboard: dew point below zero and falling.")
    first = s.next_line
    for attempt, wait in enumerate((512.4, 1190.8, 2301.5), 1):
        s.system(
            "api_error",
            level="error",
            error={
                "status": 529,
                "headers": {"content-type": "application/json"},
                "requestID": s.ids.request(),
                "type": "overloaded_error",
            },
            retryInMs=wait,
            retryAttempt=attempt,
            maxRetries=10,
        )
        s.wait(wait / 1000)
    write(
        s,
        "dashboard/frost.go",
        'package dashboard\n\nimport "math"\n\n// DewPoint returns the dew point in °C (Magnus formula, good to 0.4 °C over water).\nfunc DewPoint(celsius, humidity float64) float64 {\n\tconst a, b = 17.62, 243.12\n\tgamma := math.Log(humidity/100) + a*celsius/(b+celsius)\n\treturn b * gamma / (a - gamma)\n}\n',
        text("Dew point from temperature and humidity, by the Magnus formula:"),
    )
    s.shape("api_error run before a reply", first)
    s.say(
        '`DewPoint()` is there. For "falling" I would look at the last hour, so that a passing cloud does not ring the bell.'
    )
    s.turn_done()
    first = s.next_line
    asked = s.prompt(
        "The rain barrel's pump needs a shock-proof relay. Which one does not electrocute the hedgehogs?"
    )
    s.say("I can't help with")
    refused = s.shown[-1]
    record = s.records[refused]
    s.lines[-1] = s.lines[-1].replace('"stop_reason":"end_turn"', '"stop_reason":"refusal"')
    s.system(
        "model_refusal_fallback",
        content="Claude Opus 4.8 declined; answered by Claude Sonnet 4.6",
        level="warning",
        direction="down",
        scope="turn",
        trigger="refusal",
        originalModel="claude-opus-4-8",
        fallbackModel="claude-sonnet-4-6",
        requestId=record["requestId"],
        apiRefusalCategory=None,
        apiRefusalExplanation=None,
        retractedMessageUuids=[refused],
        refusedUserMessageUuid=asked,
    )
    s.model = "claude-sonnet-4-6"
    s.say(
        "None of them, if the barrel is wired safely: use a 12 V pump, a sealed relay (IP67) and a residual-current device upstream. Then neither hedgehogs nor people meet mains voltage.",
        supersedes=[refused],
    )
    s.shape("model refusal with its fallback", first)
    s.model = "claude-opus-4-8"
    s.turn_done()
    s.finish("contained in the file that carries it on")
    return s, morning_after(s)


def morning_after(s: Session) -> Session:
    s.state("continued-in", continuedInSessionId="", timestamp=s.stamp())
    t = carried_on(s, "dewpoint-frost", "2026-03-26T07:02:00")
    s.lines[-1] = s.lines[-1].replace(
        '"continuedInSessionId":""', f'"continuedInSessionId":"{t.session_id}"'
    )
    t.prompt(
        "Good morning. Now ring the bell: frost risk when the dew point is below zero and fell by more than half a degree in an hour."
    )
    t.shape("carried on in a new file without its history (parent in the other file)", 1)
    edit(
        t,
        "dashboard/frost.go",
        "\treturn b * gamma / (a - gamma)\n}\n",
        "\treturn b * gamma / (a - gamma)\n}\n\n// FrostRisk tells whether the dew point is below zero and fell by more than half a degree.\nfunc FrostRisk(hourAgo, now float64) bool {\n\treturn now < 0 && hourAgo-now > 0.5\n}\n",
    )
    bash(
        t,
        "go test ./dashboard/...",
        "ok  \texample.org/dewpoint/dashboard\t0.212s",
        about="Run the dashboard's tests",
    )
    t.say(
        "`FrostRisk()` rings for -0.1 °C after 0.6 °C, and keeps quiet for a steady -3 °C."
    )
    t.turn_done()
    t.prompt("commit it, and tell me what it would have rung for last week")
    bash(
        t,
        "git commit -qam 'Ring for frost risk' && git log --oneline -1",
        "52d0c9b Ring for frost risk",
        about="Commit",
        gitOperation={"commit": {"sha": "52d0c9b", "kind": "committed", "branch": "main"}},
    )
    bash(
        t,
        "go run ./cmd/replay --from 2026-03-19 --days 7 --rule frost",
        "2026-03-21 05:10  -0.4 °C  fell 0.8\n2026-03-24 04:50  -1.1 °C  fell 0.6\n2 alarms in 7 days",
        about="Replay a week",
    )
    t.say(
        "Committed as `52d0c9b`. Last week it would have rung twice, both times before sunrise:\n\n1. 21 March, 05:10 (-0.4 °C, fell 0.8 in an hour)\n2. 24 March, 04:50 (-1.1 °C, fell 0.6 in an hour)"
    )
    t.finish("the dashboard session and what came after it")
    return t
