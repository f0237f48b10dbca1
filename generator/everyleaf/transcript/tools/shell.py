"""Bash and what else runs commands: the command, its output, its end, what git did.

Background work has its output (BashOutput, TaskOutput), its end (KillShell), its watch
(Monitor); code runs in a REPL, and at the API.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from everyleaf.transcript import document as doc
from everyleaf.transcript.content import Json, as_code, code, picture, prose, terminal
from everyleaf.transcript.testruns import TestRun, find_test_run
from everyleaf.transcript.tools import call as cards
from everyleaf.transcript.tools.call import Call, Card, Tool, text_parts, value_parts
from everyleaf.transcript.words import (
    count_lines,
    counted,
    duration,
    first_line,
    joined,
    tag_body,
)

_NOTHING = ("(Bash completed with no output)", "Tool ran without output or errors")
"""What the model is told of a command that printed nothing."""
_EXIT = re.compile(r"\s*(?:Error: )?Exit code (\d{1,10})(?:\n|$)")
_CHANGE_FOLDER = re.compile(
    r"""\s*cd (?:"([^"\n]{1,1000})"|'([^'\n]{1,1000})'|([^\s;&"']{1,1000}))\s*(?:&&|;)"""
)
_DATA_URL = re.compile(r"data:(image/[\w.+-]{1,40});base64,")
_ID_KEYS = ("task_id", "bash_id", "shell_id", "agentId", "agent_id", "taskId", "shellId")
_LANGUAGES = {"bash_code_execution": "bash", "REPL": "javascript"}
_REPORTED = re.compile(
    r"^\[([^\s\[\]]{1,200})(?: \(root-commit\))? ([0-9a-f]{7,40})\] ([^\n]{0,500})",
    re.MULTILINE,
)
"""What `git commit` prints: `[branch abc1234] subject`."""
_COMMITTING = re.compile(r"\bgit\b[^\n|;&]{0,200}?\b(commit|merge|cherry-pick|revert)\b")
_PUSHING = re.compile(r"\bgit\b[^\n|;&]{0,200}?\bpush\b")
_REMOTE = re.compile(
    r"To (?:https?://|ssh://)?(?:[^@\s/]{1,200}@)?([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)"
    r"(?::[0-9]{1,5})?[:/]([\w.~-]{1,100}(?:/[\w.~-]{1,100}){1,5})/?\s*"
)
"""Where `git push` says that it went; its groups are the host and the repository. What
may stand before an `@` is a person's name or worse, and left out."""
_PUSHED = re.compile(r" [ +*] .{1,300}? -> ([^\s]{1,200})(?:\s.*)?")
_REQUESTING = re.compile(r"\bgh\b[^\n|;&]{0,200}?\bpr\b[^\n|;&]{0,50}?\bcreate\b")
_REQUESTED = re.compile(
    r"^(https://[A-Za-z0-9.-]+/[\w.-]+/[\w.-]+/pull/([0-9]+))\s*$", re.MULTILINE
)
_SHORT_HASH = 7


def _ran(call: Call) -> Card:
    """Return the command, its output and how it ended."""
    asked, result = call.input, call.result
    command, caption = asked.text("command"), asked.text("description")
    if asked.is_set("run_in_background"):
        caption = joined(caption, "in the background")
    found = _EXIT.match(call.text)
    text = call.text[found.end() :] if found else call.text
    if text.strip() in _NOTHING:
        text = ""
    is_interrupted = result.is_set("interrupted")
    tests = find_test_run(text, command)
    return Card(
        _short_command(command, call.folder),
        _ending(result, found[1] if found else "", text, tests),
        (*_output(call, text), *call.media),
        (doc.Code(command, language="bash", caption=caption),),
        doc.Outcome.INTERRUPTED if is_interrupted else None,
        commits=find_commits(command, text, result),
        tests=tests,
        about=asked.text("description"),
    )


def _short_command(command: str, folder: str) -> str:
    """Return a command on one line, without the way to the folder that it runs in."""
    found = _CHANGE_FOLDER.match(command)
    rest = command[found.end() :].strip() if found else ""
    if found and rest and (found[1] or found[2] or found[3]).rstrip("/") == folder:
        return first_line(rest)
    return first_line(command)


def _ending(result: Json, exit_code: str, text: str, tests: TestRun | None) -> str:
    told = counted(count_lines(text), "line") if text.strip() else "no output"
    told = tests.words if tests else told
    ended = f"exit {exit_code}" if exit_code else ""
    if ended and tests and not tests.failed:
        ended, told = f"{ended} though {told}", ""
    task = result.text("backgroundTaskId")
    timeout = result.number("timedOutAfterMs")
    moved = ("backgroundedByUser", "assistantAutoBackgrounded")
    is_moved = any(result.is_set(key) for key in moved)
    return joined(
        ended,
        result.text("returnCodeInterpretation"),
        "interrupted" if result.is_set("interrupted") else "",
        f"timed out after {duration(timeout)}" if timeout is not None else "",
        f"{'put ' * is_moved}in the background as {task}" if task else "",
        "outside of the sandbox" if result.is_set("dangerouslyDisableSandbox") else "",
        told,
    )


def _output(call: Call, text: str) -> doc.Parts:
    result = call.result
    stdout, stderr = result.text("stdout"), result.text("stderr")
    if result.is_set("isImage"):
        found = _DATA_URL.match(stdout)
        data = stdout[found.end() if found else 0 :]
        media = found[1] if found else "image/png"
        shown = doc.Picture(data, media_type=media, alt="output of the command")
        return () if call.media else (shown,)
    parts: list[doc.Part] = [*(terminal(text) or terminal(stdout))]
    if stderr.strip() not in text:
        parts += terminal(stderr, caption="stderr")
    for key in ("ghRateLimitHint", "staleReadFileStateHint"):
        hint = result.text(key)
        if hint.strip() not in text:
            parts += code(hint, caption="hint to the model")
    # The blocks that the output was made into, unless `text` has them.
    for block in result.each("structuredContent"):
        said = block.text("text")
        if block.text("type") == "image":
            if not call.media:
                parts.append(picture(block.at("source"), alt="output"))
        elif not said:
            parts.append(as_code(block.raw))
        elif said.strip() not in text:
            parts.append(doc.Code(said, is_terminal=True))
    return tuple(parts)


def find_commits(command: str, output: str, result: Json) -> tuple[doc.Commit, ...]:
    """Return what `command` did to git history: commits, pushes, pull requests.

    Read from `output`, in the order reported there; `gitOperation` in `result` says what
    kind of commit it was, and adds what the output does not tell.
    """
    recorded = list(_recorded(result.at("gitOperation")))
    kinds = {commit.hash[:_SHORT_HASH]: commit.kind for commit in recorded if commit.hash}
    told = [
        replace(commit, kind=kinds.get(commit.hash[:_SHORT_HASH], commit.kind))
        for commit in _told(command, output)
    ]
    return (*told, *(one for one in recorded if not _is_told(one, told)))


def _told(command: str, output: str) -> Iterator[doc.Commit]:
    """Yield what `output` tells, if `command` is one that says such things."""
    if _COMMITTING.search(command):
        for found in _REPORTED.finditer(output):
            yield doc.Commit(found[2], found[3].strip(), found[1])
    if _PUSHING.search(command):
        yield from _pushes(output)
    if _REQUESTING.search(command):
        for found in _REQUESTED.finditer(output):
            yield doc.Commit("", f"#{found[2]}", kind=doc.PULL_REQUEST, url=found[1])


def _pushes(output: str) -> Iterator[doc.Commit]:
    url = ""
    for line in output.split("\n"):
        remote = _REMOTE.fullmatch(line)
        pushed = _PUSHED.fullmatch(line)
        if line.startswith("To "):
            url = f"https://{remote[1]}/{remote[2]}".removesuffix(".git") if remote else ""
        elif pushed:
            yield doc.Commit("", branch=pushed[1], kind="push", url=url)


def _is_told(commit: doc.Commit, told: Sequence[doc.Commit]) -> bool:
    """Return whether one of `told` is `commit`, which was recorded beside the output."""
    if commit.hash:
        return any(
            one.hash[:_SHORT_HASH] == commit.hash[:_SHORT_HASH] for one in told if one.hash
        )
    return any(
        one.kind == commit.kind
        and one.subject == commit.subject
        and (one.branch == commit.branch or not commit.branch)
        for one in told
    )


def _recorded(operation: Json) -> Iterator[doc.Commit]:
    commit, push, request = (operation.at(kind) for kind in ("commit", "push", "pr"))
    if commit:
        kind = commit.text("kind") or "commit"
        kind = "commit" if kind == "committed" else kind
        yield doc.Commit(commit.text("sha"), branch=commit.text("branch"), kind=kind)
    if push:
        yield doc.Commit("", branch=push.text("branch"), kind="push")
    if request.text("action") in {"", "created"} and request:  # Else closed, edited, …
        number = request.value("number")
        subject = f"#{number}" if isinstance(number, int) else ""
        yield doc.Commit("", subject, kind=doc.PULL_REQUEST, url=request.text("url"))


def _task_output(call: Call) -> Card:
    """Return which command or task, its state, and what it has put out so far."""
    task = call.result.at("task")
    words = call.result.text("command") or task.text("description", "command")
    name = call.input.text(*_ID_KEYS) or task.text("task_id")
    task = task or Json(call.result.fields)
    named = ("status", "exit_code", "retrieval_status", "stdout", "output", "stderr")
    tagged = {name: tag_body(call.text, name) or "" for name in named}
    is_tagged = tag_body(call.text, "status") is not None
    exit_code = task.word("exitCode") or tagged["exit_code"].strip()
    stdout = task.text("output", "stdout") or tagged["stdout"] or tagged["output"]
    stderr = task.text("stderr") or tagged["stderr"]
    report = task.text("result")
    parts = (
        *terminal(stdout.strip("\n")),
        *terminal(stderr.strip("\n"), caption="stderr"),
        *(prose(report) if report.strip() != stdout.strip() else ()),
    )
    parts = parts or (() if is_tagged else text_parts(call.text))
    status = task.text("status") or tagged["status"].strip()
    return Card(
        joined(name, first_line(words)),
        joined(
            status or tagged["retrieval_status"].strip(),
            f"exit {exit_code}" if exit_code not in {"", "None"} else "",
            _lines_of(parts),
        ),
        parts,
    )


def _lines_of(parts: doc.Parts) -> str:
    lines = sum(count_lines(part.text) for part in parts if isinstance(part, doc.Code))
    return counted(lines, "line") if lines else "no output"


def _stopped(call: Call) -> Card:
    said = call.result.text("message") or call.text
    words = "stopped" if said.startswith("Successfully ") else first_line(said)
    name = joined(call.input.text(*_ID_KEYS), first_line(call.result.text("command")))
    return Card(name, words, () if words == said.strip() else text_parts(said))


def _watching(call: Call) -> Card:
    """Return what is watched for, the task that does, and for how long."""
    command, limit = call.input.text("command"), call.result.number("timeoutMs")
    task = call.result.text("taskId")
    said = joined(
        f"watching as {task}" if task else "",
        "until stopped" if call.result.is_set("persistent") else "",
        f"for {duration(limit)}" if limit else "",
    )
    return Card(
        first_line(call.input.text("description") or first_line(command)),
        said or cards.size_words(call.text),
        text_parts(call.text),
        code(command, language="bash"),
    )


def _program_ran(call: Call) -> Card:
    """Return the code or the command, what it put out and how it ended."""
    asked, content = call.input, call.result.at("content")
    content = content or Json(call.result.fields)
    # What has a path edits a file.
    program = "" if "path" in asked.fields else asked.text("code", "command")
    code_run = (doc.Code(program, language=_LANGUAGES.get(call.name, "python")),)
    target = first_line(program) or cards.telling(asked.raw)
    shown = code_run if program else cards.argument_parts(asked.fields)
    exit_code = content.number("return_code")
    parts = tuple(
        part
        for key in ("stdout", "result", "stderr", "error")
        for part in terminal(content.text(key), caption="" if key == "stdout" else key)
    )
    if exit_code is None and not parts:
        return Card(target, cards.size_words(call.text), value_parts(content.raw), shown)
    return Card(
        target,
        joined(f"exit {exit_code}" if exit_code else "", _lines_of(parts)),
        (*parts, *call.media),
        shown,
        doc.Outcome.ERROR if exit_code or content.text("error") else None,
    )


TOOLS = (
    Tool(
        ("Bash", "PowerShell"),
        _ran,
        draws=("command", "description"),
        told={"run_in_background": cards.is_switch},
        reads_errors=True,
    ),
    Tool(
        ("BashOutput", "TaskOutput", "AgentOutputTool", "BashOutputTool"),
        _task_output,
        draws=_ID_KEYS,
    ),
    Tool(("KillShell", "KillBash", "TaskStop"), _stopped, draws=_ID_KEYS),
    Tool(("Monitor",), _watching, draws=("command", "description")),
    Tool(
        ("code_execution", "bash_code_execution", "text_editor_code_execution", "REPL"),
        _program_ran,
        draws=("code", "command"),
    ),
)
