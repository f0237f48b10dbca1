"""Bash and what else runs commands: the command, its output, its end, what git did.

Background work has its output (BashOutput, TaskOutput), its end (KillShell), its watch
(Monitor); code runs in a REPL, and at the API.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.transcript.content import as_code, code, picture, prose, terminal
from everyleaf.transcript.document import PULL_REQUEST, Code, Commit, Outcome, Picture
from everyleaf.transcript.tools.call import (
    Answered,
    Tool,
    all_arguments,
    is_switch,
    size_words,
    telling_argument,
    text_parts,
    value_parts,
)
from everyleaf.transcript.values import (
    as_object,
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    word_at,
)
from everyleaf.transcript.words import (
    count_lines,
    counted,
    duration,
    first_line,
    joined,
    tag_body,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.records.schema import JsonObject, JsonValue
    from everyleaf.transcript.document import Part, Parts
    from everyleaf.transcript.tools.call import Call

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


def _command(call: Call) -> str:
    """Return the command on one line, without the way to the folder that it runs in."""
    command = text_at(call.input, "command")
    found = _CHANGE_FOLDER.match(command)
    rest = command[found.end() :].strip() if found else ""
    if found and rest and (found[1] or found[2] or found[3]).rstrip("/") == call.folder:
        return first_line(rest)
    return first_line(command)


def _command_asked(call: Call) -> Parts:
    """Return the command, with what the model said that it does."""
    caption = text_at(call.input, "description")
    if is_set(call.input, "run_in_background"):
        caption = joined(caption, "in the background")
    return (Code(text_at(call.input, "command"), language="bash", caption=caption),)


def _ran(call: Call) -> Answered:
    """Return the output and the exit; the exit code stands in the text alone."""
    found = _EXIT.match(call.text)
    text = call.text[found.end() :] if found else call.text
    if text.strip() in _NOTHING:
        text = ""
    is_interrupted = is_set(call.result, "interrupted")
    return Answered(
        text=_ending(call, found[1] if found else "", text),
        parts=(*_output(call, text), *call.media),
        outcome=Outcome.INTERRUPTED if is_interrupted else None,
        commits=find_commits(text_at(call.input, "command"), text, call.result),
    )


def _ending(call: Call, exit_code: str, text: str) -> str:
    result = call.result
    task = text_at(result, "backgroundTaskId")
    timeout = int_at(result, "timedOutAfterMs")
    is_moved = is_set(result, "backgroundedByUser") or is_set(
        result, "assistantAutoBackgrounded"
    )
    return joined(
        f"exit {exit_code}" if exit_code else "",
        text_at(result, "returnCodeInterpretation"),
        "interrupted" if is_set(result, "interrupted") else "",
        f"timed out after {duration(timeout)}" if timeout is not None else "",
        f"{'put ' * is_moved}in the background as {task}" if task else "",
        "outside of the sandbox" if is_set(result, "dangerouslyDisableSandbox") else "",
        counted(count_lines(text), "line") if text.strip() else "no output",
    )


def _output(call: Call, text: str) -> Parts:
    stdout = text_at(call.result, "stdout")
    if is_set(call.result, "isImage"):
        return () if call.media else (_picture(stdout),)
    parts: list[Part] = [*(terminal(text) or terminal(stdout))]
    stderr = text_at(call.result, "stderr")
    if stderr.strip() not in text:
        parts += terminal(stderr, caption="stderr")
    for key in ("ghRateLimitHint", "staleReadFileStateHint"):
        hint = text_at(call.result, key)
        if hint.strip() not in text:
            parts += code(hint, caption="hint to the model")
    return (*parts, *_structured(call, text))


def _structured(call: Call, text: str) -> Parts:
    """Return the blocks that the command's output was made into, unless `text` has them."""
    parts: list[Part] = []
    for block in objects_at(call.result, "structuredContent"):
        said = text_at(block, "text")
        if text_at(block, "type") == "image":
            if not call.media:
                parts.append(picture(object_at(block, "source"), alt="output"))
        elif not said:
            parts.append(as_code(block))
        elif said.strip() not in text:
            parts.append(Code(said, is_terminal=True))
    return tuple(parts)


def _picture(stdout: str) -> Picture:
    found = _DATA_URL.match(stdout)
    if found is None:
        return Picture(stdout, media_type="image/png", alt="output of the command")
    return Picture(stdout[found.end() :], media_type=found[1], alt="output of the command")


def find_commits(command: str, output: str, result: JsonValue) -> tuple[Commit, ...]:
    """Return what `command` did to git history: commits, pushes, pull requests.

    Read from `output`, in the order reported there; `gitOperation` in `result` says what
    kind of commit it was, and adds what the output does not tell.
    """
    recorded = list(_recorded(object_at(result, "gitOperation")))
    kinds = {commit.hash[:_SHORT_HASH]: commit.kind for commit in recorded if commit.hash}
    told = [
        replace(commit, kind=kinds.get(commit.hash[:_SHORT_HASH], commit.kind))
        for commit in _told(command, output)
    ]
    return (*told, *(one for one in recorded if not _is_told(one, told)))


def _told(command: str, output: str) -> Iterator[Commit]:
    """Yield what `output` tells, if `command` is one that says such things."""
    if _COMMITTING.search(command):
        for found in _REPORTED.finditer(output):
            yield Commit(found[2], found[3].strip(), found[1])
    if _PUSHING.search(command):
        yield from _pushes(output)
    if _REQUESTING.search(command):
        for found in _REQUESTED.finditer(output):
            yield Commit("", f"#{found[2]}", kind=PULL_REQUEST, url=found[1])


def _pushes(output: str) -> Iterator[Commit]:
    url = ""
    for line in output.split("\n"):
        remote = _REMOTE.fullmatch(line)
        pushed = _PUSHED.fullmatch(line)
        if line.startswith("To "):
            url = f"https://{remote[1]}/{remote[2]}".removesuffix(".git") if remote else ""
        elif pushed:
            yield Commit("", branch=pushed[1], kind="push", url=url)


def _is_told(commit: Commit, told: Sequence[Commit]) -> bool:
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


def _recorded(operation: JsonObject) -> Iterator[Commit]:
    commit = object_at(operation, "commit")
    if commit:
        kind = text_at(commit, "kind") or "commit"
        kind = "commit" if kind == "committed" else kind
        yield Commit(text_at(commit, "sha"), branch=text_at(commit, "branch"), kind=kind)
    push = object_at(operation, "push")
    if push:
        yield Commit("", branch=text_at(push, "branch"), kind="push")
    request = object_at(operation, "pr")
    if request:
        number = request.get("number")
        subject = f"#{number}" if isinstance(number, int) else ""
        url = text_at(request, "url")
        yield Commit("", subject=subject, kind=PULL_REQUEST, url=url)


def _task(call: Call) -> str:
    """Return which command or task, by its words where they are known."""
    task = object_at(call.result, "task")
    words = text_at(call.result, "command") or text_at(task, "description", "command")
    name = text_at(call.input, *_ID_KEYS) or text_at(task, "task_id")
    return joined(name, first_line(words))


def _task_output(call: Call) -> Answered:
    """Return the state and what the task has put out so far."""
    task = object_at(call.result, "task") or as_object(call.result)
    tagged = {
        name: tag_body(call.text, name)
        for name in (
            "status",
            "exit_code",
            "retrieval_status",
            "stdout",
            "output",
            "stderr",
        )
    }
    status = text_at(task, "status") or (tagged["status"] or "").strip()
    exit_code = word_at(task, "exitCode") or (tagged["exit_code"] or "").strip()
    stdout = text_at(task, "output", "stdout") or tagged["stdout"] or tagged["output"] or ""
    stderr = text_at(task, "stderr") or tagged["stderr"] or ""
    shown = (
        *terminal(stdout.strip("\n")),
        *terminal(stderr.strip("\n"), caption="stderr"),
    )
    result = text_at(task, "result")
    report = prose(result) if result.strip() != stdout.strip() else ()
    plain = text_parts(call.text) if tagged["status"] is None else ()
    parts = (*shown, *report) or plain
    lines = sum(count_lines(part.text) for part in parts if isinstance(part, Code))
    return Answered(
        joined(
            status or (tagged["retrieval_status"] or "").strip(),
            f"exit {exit_code}" if exit_code not in {"", "None"} else "",
            counted(lines, "line") if lines else "no output",
        ),
        parts,
    )


def _stopped_task(call: Call) -> str:
    name = text_at(call.input, *_ID_KEYS)
    return joined(name, first_line(text_at(call.result, "command")))


def _stopped(call: Call) -> Answered:
    """Return what the CLI said to it."""
    said = text_at(call.result, "message") or call.text
    words = "stopped" if said.startswith("Successfully ") else first_line(said)
    return Answered(words, () if words == said.strip() else text_parts(said))


def _watched(call: Call) -> str:
    """Return what is watched for."""
    command = text_at(call.input, "command")
    return first_line(text_at(call.input, "description") or first_line(command))


def _watching(call: Call) -> Answered:
    """Return the task that watches, and for how long."""
    limit = int_at(call.result, "timeoutMs")
    task = text_at(call.result, "taskId")
    said = joined(
        f"watching as {task}" if task else "",
        "until stopped" if is_set(call.result, "persistent") else "",
        f"for {duration(limit)}" if limit else "",
    )
    return Answered(said or size_words(call.text), text_parts(call.text))


def _program(call: Call) -> str:
    """Return the code or the command that was to run; "" for what edits a file."""
    return "" if "path" in call.input else text_at(call.input, "code", "command")


def _program_asked(call: Call) -> Parts:
    language = _LANGUAGES.get(call.name, "python")
    program = _program(call)
    return (Code(program, language=language),) if program else all_arguments(call)


def _program_ran(call: Call) -> Answered:
    """Return what the code put out and how it ended."""
    content = object_at(call.result, "content") or as_object(call.result)
    exit_code = int_at(content, "return_code")
    parts = tuple(
        part
        for key in ("stdout", "result", "stderr", "error")
        for part in terminal(text_at(content, key), caption="" if key == "stdout" else key)
    )
    if exit_code is None and not parts:
        return Answered(size_words(call.text), value_parts(content))
    lines = sum(count_lines(part.text) for part in parts if isinstance(part, Code))
    return Answered(
        joined(
            f"exit {exit_code}" if exit_code else "",
            counted(lines, "line") if lines else "no output",
        ),
        (*parts, *call.media),
        Outcome.ERROR if exit_code or text_at(content, "error") else None,
    )


TOOLS = (
    Tool(
        ("Bash", "PowerShell"),
        _command,
        _command_asked,
        _ran,
        draws=frozenset({"command", "description"}),
        told={"run_in_background": is_switch},
        reads_errors=True,
    ),
    Tool(
        ("BashOutput", "TaskOutput", "AgentOutputTool", "BashOutputTool"),
        _task,
        answered=_task_output,
        draws=frozenset(_ID_KEYS),
    ),
    Tool(
        ("KillShell", "KillBash", "TaskStop"),
        _stopped_task,
        answered=_stopped,
        draws=frozenset(_ID_KEYS),
    ),
    Tool(
        ("Monitor",),
        _watched,
        lambda call: code(text_at(call.input, "command"), language="bash"),
        _watching,
        draws=frozenset({"command", "description"}),
    ),
    Tool(
        ("code_execution", "bash_code_execution", "text_editor_code_execution", "REPL"),
        lambda call: first_line(_program(call)) or telling_argument(call),
        _program_asked,
        _program_ran,
        draws=frozenset({"code", "command"}),
    ),
)
