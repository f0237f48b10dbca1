"""Each shape that the README names stands at the lines that it names."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


def results_are_out_of_order(p) -> object:
    asked = [b["id"] for b in p.blocks("tool_use")]
    answered = [b["tool_use_id"] for b in p.blocks("tool_result")]
    return sorted(asked) == sorted(answered) and asked != answered


def stop_hook_shares_the_parent(p) -> object:
    (reply,), (hook,) = p.of("assistant"), p.of("system")
    prompt = next(r for r in p.after if r.get("type") == "user")
    return (
        reply["parentUuid"] == hook["parentUuid"] and prompt["parentUuid"] == hook["uuid"]
    )


def goes_on_from_a_kept_record(p) -> object:
    (boundary,) = p.of("system", subtype="compact_boundary")
    kept = boundary["compactMetadata"]["preservedMessages"]["uuids"]
    prompt = p.of("user")[-1]
    earlier = {r.get("uuid") for r in p.before}
    is_auto = boundary["compactMetadata"]["trigger"] == "auto"
    return is_auto and prompt["parentUuid"] == kept[-1] and set(kept) <= earlier


def rewinds_before_the_boundary(p) -> object:
    order = [r.get("uuid") for r in p.before]
    (boundary,) = (r["uuid"] for r in p.before if r.get("subtype") == "compact_boundary")
    return order.index(p.of("user")[0]["parentUuid"]) < order.index(boundary)


def agents_are_beside(p, count: int, name: str) -> object:
    ids = [s["agentId"] for s in p.stored() if "agentId" in s]
    folder = p.file.parent / name.format(stem=p.file.stem)
    return len(ids) == count and all((folder / f"agent-{i}.jsonl").exists() for i in ids)


def an_agent_started_an_agent(p) -> object:
    metas = [json.loads(f.read_text()) for f in p.file.with_suffix("").rglob("*.meta.json")]
    (nested,) = (m for m in metas if "parentAgentId" in m)
    (outer,) = (s["agentId"] for s in p.stored())
    return nested["parentAgentId"] == outer and nested["spawnDepth"] == 2


def output_is_kept_beside(p) -> object:
    (stored,) = (s for s in p.stored() if "persistedOutputPath" in s)
    name = stored["persistedOutputPath"].rpartition("/")[2]
    place = p.file.with_suffix("") / "tool-results" / name
    return (
        place.stat().st_size == stored["persistedOutputSize"]
        and "<persisted-output>" in p.text()
    )


def is_refused_and_answered(p) -> object:
    (notice,) = p.of("system", subtype="model_refusal_fallback")
    refused, answer = p.of("assistant")
    return (
        notice["retractedMessageUuids"] == [refused["uuid"]] == answer["supersedes"]
        and refused["message"]["model"] == notice["originalModel"]
        and answer["message"]["model"] == notice["fallbackModel"]
    )


def a_sidechain_is_in_the_file(p) -> object:
    side = [r for r in p.records if r.get("isSidechain")]
    (task,) = p.calls("Task")
    return side[0]["parentUuid"] is None and (
        side[0]["message"]["content"] == task["input"]["prompt"]
    )


def summaries_name_other_files(p) -> object:
    own = {r["leafUuid"] for r in p.of("summary")}
    others = "".join(f.read_text() for f in p.file.parent.glob("*.jsonl") if f != p.file)
    return len(own) == 2 == len(p.records) and all(
        f'"uuid":"{leaf}"' in others for leaf in own
    )


CHECKS: dict[str, Callable[[Any], object]] = {
    "/branch copy: same uuids, forkedFrom on every record": lambda p: all(
        r["forkedFrom"]["messageUuid"] == r["uuid"] for r in p.records if "uuid" in r
    ),
    "ANSI colours in Bash output": lambda p: "\x1b[32m" in p.stored()[-1]["stdout"],
    "AskUserQuestion, answered": lambda p: len(p.stored()[0]["answers"]) == 2,
    "Grep that counts": lambda p: p.stored()[0]["numMatches"] == 9,
    "Grep that lists files": lambda p: p.stored()[0]["mode"] == "files_with_matches",
    "IDE selection before a prompt": lambda p: (
        "<ide_selection>" in p.blocks("text")[0]["text"]
    ),
    "JPEG and GIF returned by Read": lambda p: (
        [s["file"]["type"] for s in p.stored()] == ["image/jpeg", "image/gif"]
    ),
    "LS, a tool that answers with plain text": lambda p: (
        p.called() == ["LS"] and not p.stored()
    ),
    "LSP": lambda p: p.stored()[0]["operation"] == "findReferences",
    "MCP tool with structured content and an image": lambda p: (
        p.of("user")[0]["mcpMeta"]["structuredContent"]["part"] == "SHT45"
        and '"image/gif"' in p.text()
    ),
    "MultiEdit": lambda p: len(p.calls("MultiEdit")[0]["input"]["edits"]) == 2,
    "SDK fork: fresh uuids, forkedFrom on every record": lambda p: all(
        r["forkedFrom"]["messageUuid"] != r["uuid"] for r in p.records if "uuid" in r
    ),
    "Skill tool with its body": lambda p: (
        p.calls("Skill")[0]["id"] in [r.get("sourceToolUseID") for r in p.records]
    ),
    "TaskCreate, TaskUpdate, TaskList": lambda p: (
        {"TaskCreate", "TaskUpdate", "TaskList"} <= set(p.called())
    ),
    "TodoWrite in the 1.0 shape (id and priority)": lambda p: (
        {"id", "priority"} <= p.stored()[0]["newTodos"][0].keys()
    ),
    "ToolSearch": lambda p: (
        len(p.stored()[0]["matches"]) == 2 and '"tool_reference"' in p.text()
    ),
    "WebSearch with links, WebFetch": lambda p: (
        p.called() == ["WebSearch", "WebFetch"]
        and len(p.stored()[0]["results"][0]["content"]) == 3
    ),
    "`! shell` input": lambda p: "<bash-input>" in p.text() and "<bash-stdout>" in p.text(),
    "`#` memory": lambda p: "<user-memory-input>" in p.text(),
    "a hook that blocks, and hook_success": lambda p: (
        [a["type"] for a in p.attached()] == ["hook_blocking_error", "hook_success"]
        and len(p.errors()) == 1
    ),
    "a last line that was torn off": lambda p: (
        not p.records and p.lines[0].endswith("Good ni")
    ),
    "a record type that nobody has heard of": lambda p: p.of("greenhouse-event"),
    "a tool that nobody has heard of": lambda p: p.called() == ["WaterPlants"],
    "ai-title": lambda p: p.of("ai-title"),
    "an agent that starts an agent": an_agent_started_an_agent,
    "api_error run before a reply": lambda p: (
        [r["retryAttempt"] for r in p.of("system", subtype="api_error")] == [1, 2, 3]
    ),
    "automatic compaction; after a resume the next prompt hangs from a kept record": (
        goes_on_from_a_kept_record
    ),
    "background Bash, BashOutput, KillShell": lambda p: (
        p.called() == ["Bash", "BashOutput", "KillShell"]
    ),
    "background agent with its task notification": lambda p: (
        p.stored()[0]["status"] == "async_launched"
        and f"<task-id>{p.stored()[0]['agentId']}</task-id>" in p.text()
    ),
    "carriage-return progress bar": lambda p: p.stored()[0]["stdout"].count("\r") > 10,
    "carried on in a new file without its history (parent in the other file)": lambda p: (
        not p.before and p.of("user")[0]["parentUuid"] is not None
    ),
    "custom-title and agent-name": lambda p: p.of("custom-title") and p.of("agent-name"),
    "denied tool call with the person's words": lambda p: (
        "the user said:\nno. degrees" in p.errors()[0]["content"]
    ),
    "edited prompt: the same place, sent twice": lambda p: p.siblings() == 2,
    "file attached with @": lambda p: p.attached()[0]["displayPath"] == "CLAUDE.md",
    "first attempt at src/scale.ts": lambda p: (
        p.called().count("Edit") == 2 and "Write" in p.called()
    ),
    "fork: both sides edit src/scale.ts and src/scale.test.ts": lambda p: (
        p.of("user")[0]["parentUuid"] in [r.get("parentUuid") for r in p.before]
    ),
    "git commit, push and pull request (gitOperation, pr-link)": lambda p: (
        p.stored()[0]["gitOperation"].keys() == {"commit", "push", "pr"} and p.of("pr-link")
    ),
    "image returned by Read": lambda p: p.stored()[-1]["file"]["type"] == "image/png",
    "in-file sidechain (1.0)": a_sidechain_is_in_the_file,
    "manual compaction, same process": lambda p: (
        p.of("system")[0]["compactMetadata"]["trigger"] == "manual"
        and p.of("user")[0]["isCompactSummary"]
        and "<command-name>/compact" in p.text()
    ),
    "model refusal with its fallback": is_refused_and_answered,
    "notebook read and edited": lambda p: (
        [s.get("type") for s in p.stored()] == ["notebook", None]
        and p.stored()[1]["edit_mode"] == "replace"
    ),
    "output of more than 400 lines, with ANSI colours": lambda p: (
        p.stored()[0]["stdout"].count("\n") > 400
    ),
    "output persisted in tool-results/": output_is_kept_beside,
    "parallel calls of which one fails and one is cancelled": lambda p: (
        len(p.errors()) == 2 and "Cancelled: parallel tool call" in p.errors()[1]["content"]
    ),
    "parallel calls whose results were written in another order": results_are_out_of_order,
    "partial Read": lambda p: p.stored()[0]["file"]["startLine"] == 2,
    "pasted image ([Image #1])": lambda p: (
        p.blocks("image") and "[Image #1]" in p.blocks("text")[0]["text"]
    ),
    "plan accepted": lambda p: p.stored()[0]["plan"].startswith("# Shopping list"),
    "plan mode: plan rejected with the person's words": lambda p: (
        {"EnterPlanMode", "ExitPlanMode"} <= set(p.called()) and "no IndexedDB" in p.text()
    ),
    "progress record in the chain (2.0)": lambda p: (
        p.of("progress")[0]["uuid"] in [r.get("parentUuid") for r in p.after]
    ),
    "recap (away_summary)": lambda p: p.of("system", subtype="away_summary"),
    "reply interrupted by the person": lambda p: (
        "[Request interrupted by user]" in p.text()
    ),
    "resumed copy (1.0): same uuids, sessionId rewritten": lambda p: (
        {r["sessionId"] for r in p.records} == {p.file.stem}
    ),
    "rewind to before a compaction": rewinds_before_the_boundary,
    "skill started by its command; the reply hangs from the skill's body": lambda p: (
        "<command-name>/release-notes" in p.text()
        and p.of("user", isMeta=True)[0]["uuid"] == p.of("assistant")[0]["parentUuid"]
    ),
    "slash command (/model)": lambda p: "<command-name>/model" in p.text(),
    "steering while the model works, and a queued message taken back": lambda p: (
        [a["type"] for a in p.attached()] == ["queued_command"]
        and [r["operation"] for r in p.of("queue-operation")]
        == ["enqueue", "remove", "enqueue", "popAll"]
    ),
    "stop_hook_summary that shares the reply's parent and has the next prompt under it": (
        stop_hook_shares_the_parent
    ),
    "summary-only file; its leaves are in other files": summaries_name_other_files,
    "system reminder inside a result": lambda p: "<system-reminder>" in p.text(),
    "thinking of which only the signature was kept": lambda p: (
        p.blocks("thinking")[0]["thinking"] == ""
    ),
    "thinking with its text, and a Write": lambda p: (
        p.blocks("thinking")[0]["thinking"] and p.called() == ["Write"]
    ),
    "three parallel calls, results out of order": results_are_out_of_order,
    "three-way fork": lambda p: p.siblings() == 3,
    "tool error": lambda p: len(p.errors()) == 1,
    "tool use interrupted by the person": lambda p: (
        "[Request interrupted by user for tool use]" in p.text()
        and p.of("user")[0]["toolDenialKind"] == "user-rejected"
    ),
    "two agents at once (2.1 files with .meta.json)": lambda p: (
        agents_are_beside(p, 2, "{stem}/subagents") and results_are_out_of_order(p)
    ),
    "two agents at once, flat 2.0 files, results in the other order": lambda p: (
        agents_are_beside(p, 2, ".") and results_are_out_of_order(p)
    ),
    "two records glued together on one line": lambda p: (
        len(p.lines) == 1 and len(p.records) == 2
    ),
    "warm-up-only session": lambda p: (
        [r["message"]["content"] for r in p.of("user")] == ["Warmup"]
    ),
    "withdrawn prompt, retyped": lambda p: p.siblings() == 2 and not p.of("assistant"),
}

TOOLS = {
    *("Agent", "AskUserQuestion", "Bash", "BashOutput", "Edit", "EnterPlanMode"),
    *(
        "ExitPlanMode",
        "Glob",
        "Grep",
        "KillShell",
        "LS",
        "LSP",
        "MultiEdit",
        "NotebookEdit",
    ),
    *("Read", "Skill", "Task", "TaskCreate", "TaskList", "TaskUpdate", "TodoWrite"),
    *("ToolSearch", "WebFetch", "WebSearch", "Write", "mcp__parts__find_part"),
}


def test_the_readme_names_the_shapes_that_are_checked_here(named_shapes):
    assert named_shapes == set(CHECKS)


@pytest.mark.parametrize("shape", CHECKS)
def test_the_shape_stands_where_the_readme_says(shape, place):
    assert CHECKS[shape](place)


def test_the_readme_lists_every_common_tool(readme):
    named = set(re.findall(r"^\| `([\w]+)` \|", readme, re.MULTILINE))

    assert named == TOOLS | {"WaterPlants"}
