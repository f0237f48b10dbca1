"""One row for each case of a tool: what its line says, and what kinds of parts it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from everyleaf.transcript.document import (
    AgentPage,
    Checklist,
    Chip,
    Code,
    Diff,
    Fold,
    Links,
    Outcome,
    Picture,
    Prose,
    Table,
    Task,
)
from everyleaf.transcript.tools.table import BY_NAME, find_tool
from transcript.written import shown_call

OK, ERROR, INTERRUPTED = Outcome.OK, Outcome.ERROR, Outcome.INTERRUPTED
PATCH = [
    {
        "oldStart": 3,
        "oldLines": 2,
        "newStart": 3,
        "newLines": 2,
        "lines": [" a", "-b", "+c"],
    }
]
FILE = "/home/ada/app/src/x.py"


@dataclass(frozen=True)
class Case:
    name: str
    arguments: Any
    content: Any
    structured: Any
    line: tuple[str, str, Outcome]
    """target, outcome text, outcome"""
    parts: tuple[type, ...] = ()
    """Types of the parts that the answer shows."""
    is_error: bool = False
    tasks: tuple[Task, ...] = ()


CASES = {
    "bash": Case(
        "Bash",
        {"command": "make test"},
        "all good\n2 passed",
        {"stdout": "x", "stderr": ""},
        ("make test", "2 lines", OK),
        (Code,),
    ),
    "bash in its folder": Case(
        "Bash",
        {"command": "cd /home/ada/app && make"},
        "",
        {"stdout": "", "stderr": ""},
        ("make", "no output", OK),
    ),
    "bash that printed nothing": Case(
        "Bash",
        {"command": "mkdir out"},
        "(Bash completed with no output)",
        {"stdout": "", "stderr": ""},
        ("mkdir out", "no output", OK),
    ),
    "bash in another folder": Case(
        "Bash",
        {"command": "cd /tmp && make"},
        "",
        None,
        ("cd /tmp && make", "no output", OK),
    ),
    "bash with several lines": Case(
        "Bash",
        {"command": "make\nmake lint"},
        "x",
        None,
        ("make …", "1 line", OK),
        (Code,),
    ),
    "bash that fails though its tests pass": Case(
        "Bash",
        {"command": "jest"},
        "Exit code 1\nTests:  5 passed, 5 total\nCoverage is too low",
        "Error: jest",
        ("jest", "exit 1 though 5 tests passed", ERROR),
        (Code,),
        is_error=True,
    ),
    "bash that fails": Case(
        "Bash",
        {"command": "make"},
        "Exit code 2\nno rule",
        "Error: no rule",
        ("make", "exit 2, 1 line", ERROR),
        (Code,),
        is_error=True,
    ),
    "bash cut short": Case(
        "Bash",
        {"command": "sleep 9"},
        "",
        {"stdout": "zz", "interrupted": True},
        ("sleep 9", "interrupted, no output", INTERRUPTED),
        (Code,),
    ),
    "bash in the background": Case(
        "Bash",
        {"command": "serve"},
        "Command running",
        {"backgroundTaskId": "b1"},
        ("serve", "in the background as b1, 1 line", OK),
        (Code,),
    ),
    "bash that runs out of time": Case(
        "Bash",
        {"command": "x"},
        "",
        {"timedOutAfterMs": 120_000, "stdout": ""},
        ("x", "timed out after 2 min, no output", OK),
    ),
    "bash with an exit that means something": Case(
        "Bash",
        {"command": "grep x"},
        "",
        {"returnCodeInterpretation": "No matches found"},
        ("grep x", "No matches found, no output", OK),
    ),
    "bash with a notice on stderr": Case(
        "Bash",
        {"command": "x"},
        "out",
        {"stdout": "out", "stderr": "Shell cwd was reset"},
        ("x", "1 line", OK),
        (Code, Code),
    ),
    "bash that prints a picture": Case(
        "Bash",
        {"command": "plot"},
        "",
        {"isImage": True, "stdout": "data:image/gif;base64,R0"},
        ("plot", "no output", OK),
        (Picture,),
    ),
    "powershell": Case(
        "PowerShell",
        {"command": "dir"},
        "x",
        None,
        ("dir", "1 line", OK),
        (Code,),
    ),
    "output of a shell": Case(
        "BashOutput",
        {"bash_id": "b1"},
        "",
        {
            "command": "serve",
            "status": "running",
            "exitCode": None,
            "stdout": "up",
            "stderr": "w",
        },
        ("b1, serve", "running, 2 lines", OK),
        (Code, Code),
    ),
    "output of a shell as tags": Case(
        "BashOutput",
        {"bash_id": "b1"},
        "<status>completed</status>\n<exit_code>1</exit_code>\n<stdout>\nup\n</stdout>",
        None,
        ("b1", "completed, exit 1, 1 line", OK),
        (Code,),
    ),
    "output of a task": Case(
        "TaskOutput",
        {"task_id": "t1"},
        "",
        {
            "retrieval_status": "success",
            "task": {
                "task_id": "t1",
                "status": "completed",
                "description": "Build",
                "output": "",
                "exitCode": 0,
                "result": "built",
            },
        },
        ("t1, Build", "completed, exit 0, no output", OK),
        (Prose,),
    ),
    "output of an agent, older": Case(
        "AgentOutputTool",
        {"agentId": "a1"},
        "plain words",
        None,
        ("a1", "1 line", OK),
        (Code,),
    ),
    "kill of a shell": Case(
        "KillShell",
        {"shell_id": "b1"},
        "",
        {"message": "Killed: b1", "shell_id": "b1"},
        ("b1", "Killed: b1", OK),
    ),
    "kill of a shell, older": Case(
        "KillBash",
        {"shell_id": "b1"},
        "Killed\nlong story",
        None,
        ("b1", "Killed …", OK),
        (Code,),
    ),
    "stop of a task": Case(
        "TaskStop",
        {"task_id": "t1"},
        "",
        {"message": "Stopped", "command": "./serve"},
        ("t1, ./serve", "Stopped", OK),
    ),
    "monitor": Case(
        "Monitor",
        {"command": "tail -f log", "description": "errors"},
        "ok",
        {"taskId": "m1", "timeoutMs": 60_000, "persistent": True},
        ("errors", "watching as m1, until stopped, for 1 min", OK),
        (Code,),
    ),
    "read": Case(
        "Read",
        {"file_path": FILE},
        "     1→a\n",
        {
            "type": "text",
            "file": {
                "filePath": FILE,
                "content": "a\nb\n",
                "numLines": 2,
                "startLine": 1,
                "totalLines": 2,
            },
        },
        ("src/x.py", "2 lines", OK),
        (Code,),
    ),
    "read of a part": Case(
        "Read",
        {"file_path": FILE, "offset": 5, "limit": 2},
        "",
        {
            "type": "text",
            "file": {
                "filePath": FILE,
                "content": "a\nb",
                "numLines": 2,
                "startLine": 5,
                "totalLines": 900,
                "truncatedByTokenCap": True,
            },
        },
        ("src/x.py, lines 5-6 of 900", "cut", OK),
        (Code,),
    ),
    "read without structure": Case(
        "Read",
        {"file_path": FILE, "limit": 10},
        "     7→a\n     8→\tb\n",
        None,
        ("src/x.py, first 10 lines", "2 lines", OK),
        (Code,),
    ),
    "read of nothing": Case(
        "Read",
        {"file_path": FILE, "offset": 3},
        "File is empty",
        None,
        ("src/x.py, from line 3", "File is empty", OK),
    ),
    "read of an image": Case(
        "Read",
        {"file_path": "/srv/a.png"},
        "",
        {
            "type": "image",
            "file": {
                "base64": "AA==",
                "type": "image/png",
                "originalSize": 1,
                "dimensions": {"originalWidth": 4, "originalHeight": 2},
            },
        },
        ("/srv/a.png", "image, 4 by 2", OK),
        (Picture,),
    ),
    "read of an image without structure": Case(
        "Read",
        {"file_path": "/srv/a.png"},
        [
            {
                "type": "image",
                "source": {"type": "base64", "data": "AA==", "media_type": "image/png"},
            }
        ],
        None,
        ("/srv/a.png", "image", OK),
        (Picture,),
    ),
    "read of a notebook": Case(
        "Read",
        {"file_path": "/srv/a.ipynb"},
        "",
        {
            "type": "notebook",
            "file": {
                "cells": [
                    {
                        "cellType": "code",
                        "source": ["a\n", "b"],
                        "cell_id": "c1",
                        "outputs": [{"text": "out"}, {"image": {"image_data": "AA=="}}],
                    },
                    {"cellType": "markdown", "source": "# t"},
                ]
            },
        },
        ("/srv/a.ipynb", "2 cells", OK),
        (Code, Code, Picture, Code),
    ),
    "read of a pdf": Case(
        "Read",
        {"file_path": "/srv/a.pdf", "pages": "1-3"},
        "",
        {"type": "pdf", "file": {"filePath": "/srv/a.pdf", "originalSize": 2048}},
        ("/srv/a.pdf, pages 1-3", "PDF, 2,048 bytes", OK),
        (Chip,),
    ),
    "read of pages": Case(
        "Read",
        {"file_path": "/srv/a.pdf"},
        "",
        {"type": "parts", "file": {"filePath": "/srv/a.pdf", "count": 3}},
        ("/srv/a.pdf", "PDF, 3 pages", OK),
        (Chip,),
    ),
    "read of what did not change": Case(
        "Read",
        {"file_path": FILE},
        "",
        {"type": "file_unchanged", "file": {"filePath": FILE}},
        ("src/x.py", "unchanged since it was read", OK),
    ),
    "read that fails": Case(
        "Read",
        {"file_path": FILE},
        "<tool_use_error>File does not exist.</tool_use_error>",
        "Error: File does not exist.",
        ("src/x.py", "File does not exist.", ERROR),
        (Code,),
        is_error=True,
    ),
    "edit": Case(
        "Edit",
        {"file_path": FILE, "old_string": "b", "new_string": "c", "replace_all": True},
        "done",
        {"filePath": FILE, "structuredPatch": PATCH, "userModified": True},
        ("src/x.py", "+1 -1, everywhere, changed by the user", OK),
        (Diff,),
    ),
    "edit without a patch": Case(
        "Edit",
        {"file_path": FILE, "old_string": "b\nx", "new_string": "c\nx"},
        "done",
        None,
        ("src/x.py", "+1 -1", OK),
        (Diff,),
    ),
    "multi-edit": Case(
        "MultiEdit",
        {
            "file_path": FILE,
            "edits": [
                {"old_string": "a", "new_string": "b"},
                {"old_string": "", "new_string": "x\ny"},
            ],
        },
        "done",
        None,
        ("src/x.py", "+3 -1", OK),
        (Diff,),
    ),
    "write of a new file": Case(
        "Write",
        {"file_path": FILE, "content": "a\nb\n"},
        "",
        {"type": "create", "content": "a\nb\n", "structuredPatch": []},
        ("src/x.py", "created, 2 lines", OK),
        (Code,),
    ),
    "write over a file": Case(
        "Write",
        {"file_path": FILE, "content": "a"},
        "",
        {"type": "update", "structuredPatch": PATCH},
        ("src/x.py", "+1 -1", OK),
        (Diff,),
    ),
    "write over a file, the old text kept": Case(
        "Write",
        {"file_path": FILE, "content": "a\nc\n"},
        "",
        {"type": "update", "structuredPatch": [], "originalFile": "a\nb\n"},
        ("src/x.py", "+1 -1", OK),
        (Diff,),
    ),
    "write of which little is known": Case(
        "Write",
        {"file_path": FILE, "content": "a"},
        "The file has been updated.",
        None,
        ("src/x.py", "written, 1 line", OK),
        (Code,),
    ),
    "edit of a notebook": Case(
        "NotebookEdit",
        {
            "notebook_path": "/srv/a.ipynb",
            "cell_id": "c1",
            "new_source": "b",
            "edit_mode": "insert",
        },
        "",
        {"old_source": "a", "new_source": "b"},
        ("/srv/a.ipynb, cell c1, insert", "+1 -1", OK),
        (Diff,),
    ),
    "edit of a notebook that fails": Case(
        "NotebookEdit",
        {"notebook_path": "/srv/a.ipynb", "edit_mode": "delete"},
        "",
        {"old_source": "a", "error": "no such cell"},
        ("/srv/a.ipynb, delete", "no such cell", ERROR),
        (Diff,),
    ),
    "glob": Case(
        "Glob",
        {"pattern": "**/*.py", "path": "/home/ada/app/src"},
        "",
        {"filenames": ["a.py", "b.py"], "numFiles": 2, "durationMs": 5, "truncated": True},
        ("**/*.py in src", "2 files, list cut", OK),
        (Code,),
    ),
    "glob that finds nothing": Case(
        "Glob",
        {"pattern": "*.zig"},
        "No files found",
        None,
        ("*.zig", "0 files", OK),
    ),
    "grep for lines": Case(
        "Grep",
        {"pattern": "x", "-i": True, "-A": 2, "output_mode": "content"},
        "",
        {
            "mode": "content",
            "numFiles": 0,
            "filenames": [],
            "content": "a:1:x",
            "numLines": 1,
            "appliedLimit": 250,
        },
        ("x", "1 line, cut at 250", OK),
        (Code,),
    ),
    "grep for files": Case(
        "Grep",
        {"pattern": "x", "glob": "*.py"},
        "",
        {"mode": "files_with_matches", "numFiles": 2, "filenames": ["a.py", "b.py"]},
        ("x in *.py", "2 files", OK),
        (Code,),
    ),
    "grep for counts": Case(
        "Grep",
        {"pattern": "x", "type": "py"},
        "",
        {
            "mode": "count",
            "numFiles": 1,
            "numMatches": 3,
            "filenames": [],
            "content": "a.py:3",
        },
        ("x in py", "3 matches, 1 file", OK),
        (Code,),
    ),
    "grep that finds nothing": Case(
        "Grep",
        {"pattern": "x"},
        "No matches found",
        None,
        ("x", "nothing found", OK),
    ),
    "grep without structure": Case(
        "Grep",
        {"pattern": "x"},
        "a.py\nb.py",
        None,
        ("x", "2 lines", OK),
        (Code,),
    ),
    "ls": Case(
        "LS",
        {"path": "/home/ada/app/src"},
        "- a\n- b",
        "- a\n- b",
        ("src", "2 lines", OK),
        (Code,),
    ),
    "lsp": Case(
        "LSP",
        {"operation": "hover", "filePath": FILE, "line": 3, "character": 1},
        "",
        {
            "operation": "hover",
            "result": "def x()",
            "filePath": FILE,
            "resultCount": 1,
            "fileCount": 1,
        },
        ("hover src/x.py:3:1", "1 result, 1 file", OK),
        (Code,),
    ),
    "tool search": Case(
        "ToolSearch",
        {"query": "select:WebFetch"},
        [{"type": "tool_reference", "tool_name": "WebFetch"}],
        {"matches": ["WebFetch"], "total_deferred_tools": 50, "pending_mcp_servers": ["x"]},
        ("select:WebFetch", "1 tool of 50", OK),
        (Chip, Chip),
    ),
    "tool search without structure": Case(
        "ToolSearch",
        {"query": "x"},
        [{"type": "tool_reference", "tool_name": "WebFetch"}],
        None,
        ("x", "1 tool", OK),
        (Chip,),
    ),
    "web page": Case(
        "WebFetch",
        {"url": "https://example.org", "prompt": "What?"},
        "",
        {
            "url": "https://example.org",
            "code": 200,
            "codeText": "OK",
            "bytes": 1024,
            "durationMs": 70,
            "result": "It says so.",
        },
        ("https://example.org", "200 OK, 1,024 bytes", OK),
        (Prose,),
    ),
    "web page without structure": Case(
        "WebFetch",
        {"url": "https://example.org"},
        "It says so.",
        None,
        ("https://example.org", "It says so.", OK),
        (Prose,),
    ),
    "web search": Case(
        "WebSearch",
        {"query": "leaf", "allowed_domains": ["a.org"], "blocked_domains": ["b.org"]},
        "",
        {
            "results": [{"content": [{"title": "A", "url": "https://a.org"}]}, "Said."],
            "durationSeconds": 1.5,
        },
        ("leaf, only a.org, not b.org", "1 link", OK),
        (Links, Prose),
    ),
    "web search as text": Case(
        "WebSearch",
        {"query": "leaf"},
        'Results\n\nLinks: [{"title":"A","url":"https://a.org"}]\n\nSaid.',
        None,
        ("leaf", "1 link", OK),
        (Links, Prose),
    ),
    "web search without links": Case(
        "WebSearch",
        {"query": "leaf"},
        "Links: [broken",
        None,
        ("leaf", "0 links", OK),
        (Prose,),
    ),
    "todos": Case(
        "TodoWrite",
        {
            "todos": [
                {"content": "A", "status": "completed"},
                {"content": "B", "status": "in_progress"},
            ]
        },
        "Todos have been modified",
        {
            "oldTodos": [{"content": "A", "status": "pending"}],
            "newTodos": [
                {"content": "A", "status": "completed"},
                {"content": "B", "status": "in_progress"},
            ],
        },
        ("B", "1 of 2 done", OK),
        (Checklist,),
    ),
    "todos emptied": Case(
        "TodoWrite", {"todos": []}, "ok", None, ("", "empty", OK), (Checklist,)
    ),
    "new task": Case(
        "TaskCreate",
        {"subject": "Build", "description": "all of it"},
        "",
        {"task": {"id": "1", "subject": "Build"}},
        ("#1 Build", "added", OK),
        (Checklist,),
    ),
    "changed task": Case(
        "TaskUpdate",
        {"taskId": "2", "status": "completed"},
        "",
        {
            "success": True,
            "taskId": "2",
            "updatedFields": ["status"],
            "statusChange": {"from": "pending", "to": "completed"},
        },
        ("#2 Test", "to do → done", OK),
        (Checklist,),
        tasks=(Task("1", "Build", "pending"), Task("2", "Test", "pending")),
    ),
    "task that waits for another": Case(
        "TaskUpdate",
        {"taskId": "2", "addBlockedBy": ["1"]},
        "",
        {"success": True, "taskId": "2", "updatedFields": ["blockedBy"]},
        ("#2", "blockedBy", OK),
        (Checklist,),
    ),
    "list of tasks": Case(
        "TaskList",
        {},
        "",
        {
            "tasks": [
                {"id": "1", "subject": "A", "status": "completed", "owner": "ann"},
                {"id": "2", "subject": "B", "status": "pending", "blockedBy": ["1"]},
            ]
        },
        ("", "1 of 2 done", OK),
        (Checklist,),
    ),
    "empty list of tasks": Case(
        "TaskList",
        {},
        "No tasks found",
        {"tasks": []},
        ("", "No tasks found", OK),
        (Code,),
    ),
    "one task": Case(
        "TaskGet",
        {"taskId": "1"},
        "",
        {"task": {"id": "1", "subject": "A", "status": "pending", "description": "do it"}},
        ("#1 A", "to do", OK),
        (Checklist, Prose),
    ),
    "task that is not there": Case(
        "TaskGet",
        {"taskId": "9"},
        "Task not found",
        {"task": None},
        ("#9", "Task not found", OK),
        (Code,),
    ),
    "todos read": Case("TodoRead", {}, "none", None, ("", "none", OK), (Code,)),
    "agent": Case(
        "Agent",
        {"description": "Look", "subagent_type": "Explore", "prompt": "Look around"},
        [
            {"type": "text", "text": "Found it."},
            {
                "type": "text",
                "text": "agentId: a1b2 (use SendMessage)\n<usage>tokens: 1</usage>",
            },
        ],
        {
            "status": "completed",
            "agentId": "a1b2",
            "content": [{"type": "text", "text": "Found"}],
            "totalDurationMs": 1000,
            "totalTokens": 1234,
            "totalToolUseCount": 2,
            "toolStats": {"readCount": 2, "linesAdded": 3},
            "usage": {"output_tokens": 5},
        },
        ("Look (Explore)", "2 tool calls, 1,234 tokens", OK),
        (AgentPage, Prose, Table),
    ),
    "task of an older version": Case(
        "Task",
        {"description": "Look", "prompt": "Look around"},
        "Found it.",
        {
            "content": [{"type": "text", "text": "Found it."}],
            "totalTokens": 9,
            "wasInterrupted": True,
        },
        ("Look", "9 tokens", INTERRUPTED),
        (Prose,),
    ),
    "agent without structure": Case(
        "Task",
        {"prompt": "Look around"},
        "Found it.\nagentId: a1b2 (for resuming)",
        None,
        ("Look around", "started", OK),
        (AgentPage, Prose),
    ),
    "agent in the background": Case(
        "Agent",
        {"description": "Look", "name": "bob"},
        "Async agent launched",
        {"status": "async_launched", "agentId": "a1", "resolvedModel": "haiku"},
        ("Look (bob)", "in the background", OK),
        (AgentPage, Table),
    ),
    "agent elsewhere": Case(
        "Agent",
        {"description": "Look"},
        "",
        {
            "status": "remote_launched",
            "taskId": "t",
            "sessionUrl": "https://claude.ai/code/x",
        },
        ("Look", "on a remote machine", OK),
        (Links,),
    ),
    "agent taken up again": Case(
        "Agent",
        {"description": "Look", "resume": "a1"},
        "Done.",
        {"status": "completed", "agentId": "a1"},
        ("Look (resumes a1)", "started", OK),
        (AgentPage, Prose),
    ),
    "teammate": Case(
        "Agent",
        {"description": "Look", "subagent_type": "critic"},
        "",
        {"status": "teammate_spawned", "agent_id": "c@t", "team_name": "t"},
        ("Look (critic)", "joined the team", OK),
        (AgentPage, Table),
    ),
    "message": Case(
        "SendMessage",
        {"to": "bob", "message": "Are you there?", "summary": "Ping"},
        "",
        {"success": True, "message": "Sent", "resumedAgentId": "a1"},
        ("to bob: Ping", "Sent", OK),
        (AgentPage,),
    ),
    "message that did not arrive": Case(
        "SendMessage",
        {"type": "broadcast", "content": {"type": "shutdown_request"}},
        "",
        {"success": False, "message": "Nobody there"},
        ('to everyone: {"type": "shutdown_request"}', "Nobody there", ERROR),
    ),
    "workflow": Case(
        "Workflow",
        {"script": "x()", "name": "review"},
        "",
        {"status": "async_launched", "runId": "r1", "summary": "Review it"},
        ("review", "in the background", OK),
        (Table,),
    ),
    "workflow that fails": Case(
        "Workflow",
        {"scriptPath": "/w.js"},
        "",
        {"status": "failed", "error": "bad script"},
        ("/w.js", "failed, bad script", ERROR),
        (Table,),
    ),
    "workflow without structure": Case(
        "Workflow",
        {"name": "x"},
        "Started",
        None,
        ("x", "Started", OK),
        (Code,),
    ),
    "question": Case(
        "AskUserQuestion",
        {
            "questions": [
                {
                    "question": "Which?",
                    "options": [{"label": "A", "description": "first"}, {"label": "B"}],
                }
            ]
        },
        "",
        {
            "questions": [],
            "answers": {"Which?": "B"},
            "annotations": {"Which?": {"notes": "because"}},
            "response": "go on",
        },
        ("Which?", "B", OK),
        (Prose, Checklist, Prose, Prose),
    ),
    "question without an answer": Case(
        "AskUserQuestion",
        {"questions": [{"question": "Which?"}]},
        "Answer questions?",
        "Error: Answer questions?",
        ("Which?", "nobody was there to answer", Outcome.DENIED),
        (Code,),
        is_error=True,
    ),
    "question answered as text": Case(
        "AskUserQuestion",
        {"questions": [{"question": "Which?"}]},
        'answered: "Which?"="B"',
        None,
        ("Which?", 'answered: "Which?"="B"', OK),
        (Code,),
    ),
    "plan": Case(
        "ExitPlanMode",
        {"plan": "# Plan\nDo it"},
        "User has approved",
        {"plan": "# Plan\nDo it", "isAgent": False, "planWasEdited": True},
        ("Plan …", "approved, changed by the user", OK),
        (Prose,),
    ),
    "plan of a file": Case(
        "ExitPlanMode",
        {"plan": "Do it", "planFilePath": "/home/me/plan.md"},
        "User has approved",
        {"plan": "Do it"},
        ("Do it", "approved", OK),
        (Prose,),
    ),
    "plan for the lead": Case(
        "ExitPlanMode",
        {},
        "waiting",
        {"plan": None, "awaitingLeaderApproval": True},
        ("", "waits for the lead", OK),
        (Code,),
    ),
    "plan, older name": Case(
        "exit_plan_mode",
        {"plan": "Do it"},
        "ok",
        None,
        ("Do it", "approved", OK),
        (Prose,),
    ),
    "plan mode": Case(
        "EnterPlanMode",
        {},
        "Entered.\n\nDo not",
        {"message": "Entered."},
        ("", "Entered", OK),
        (Code,),
    ),
    "skill": Case(
        "Skill",
        {"skill": "commit", "args": "-m x"},
        "Launching skill: commit",
        {"success": True, "commandName": "commit", "allowedTools": ["Bash"]},
        ("commit -m x", "Launching skill: commit, may use Bash", OK),
    ),
    "skill by itself": Case(
        "Skill",
        {"skill": "review"},
        "",
        {"success": True, "status": "forked", "agentId": "a1", "result": "Fine."},
        ("review", "forked", OK),
        (AgentPage, Prose),
    ),
    "slash command": Case(
        "SlashCommand",
        {"command": "/review 7"},
        "Launching\nmore",
        None,
        ("/review 7", "Launching …", OK),
        (Prose,),
    ),
    "skill that fails": Case(
        "Skill",
        {"skill": "x"},
        "no",
        {"success": False},
        ("x", "no", ERROR),
    ),
    "worktree": Case(
        "EnterWorktree",
        {"name": "fix"},
        "",
        {"worktreePath": "/w/fix", "worktreeBranch": "fix", "message": "Created"},
        ("fix", "Created", OK),
        (Table,),
    ),
    "end of a worktree": Case(
        "ExitWorktree",
        {"action": "keep"},
        "",
        {"action": "keep", "originalCwd": "/w"},
        ("", "keep", OK),
        (Table,),
    ),
    "schedule": Case(
        "CronCreate",
        {"cron": "0 9 * * *", "prompt": "Look"},
        "",
        {"id": "1", "recurring": True},
        ("0 9 * * *", "", OK),
        (Table,),
    ),
    "schedule, listed": Case(
        "CronList", {}, "none", {"jobs": []}, ("", "2 characters", OK), (Code,)
    ),
    "schedule, ended": Case(
        "CronDelete", {"id": "1"}, "Deleted", None, ("1", "Deleted", OK), (Code,)
    ),
    "notification": Case(
        "PushNotification",
        {"message": "done"},
        "",
        {"message": "done", "pushSent": True},
        ("done", "done", OK),
        (Table,),
    ),
    "wake-up": Case(
        "ScheduleWakeup",
        {"reason": "wait", "prompt": "go on"},
        "ok",
        {"scheduledFor": 1_781_682_360_000, "clampedDelaySeconds": 90},
        ("wait", "at 07:46 UTC, in 90 s", OK),
        (Code,),
    ),
    "wake-up at no time": Case(
        "ScheduleWakeup",
        {},
        "ok",
        {"scheduledFor": 10**30},
        ("", "ok", OK),
        (Code,),
    ),
    "mcp": Case(
        "mcp__linear__create_issue",
        {"title": "Bug", "labels": ["a"]},
        '{"id": "X-1"}',
        None,
        ("Bug", "13 characters", OK),
        (Table,),
    ),
    "mcp with structure": Case(
        "mcp__linear__get",
        {"id": "X-1"},
        "text",
        {"structuredContent": {"id": "X-1"}},
        ("X-1", "17 characters", OK),
        (Table,),
    ),
    "mcp with a picture": Case(
        "mcp__browser__shot",
        {},
        [
            {"type": "text", "text": "Took it"},
            {"type": "image", "source": {"data": "AA==", "media_type": "image/png"}},
        ],
        None,
        ("", "Took it", OK),
        (Code, Picture),
    ),
    "advice": Case("advisor", {}, "Do it.", None, ("", "Do it.", OK), (Prose,)),
    "advice that the API kept": Case(
        "advisor",
        {},
        "",
        {"content": {"type": "advisor_redacted_result"}},
        ("", "the advice was not recorded", OK),
    ),
    "code at the API": Case(
        "code_execution",
        {"code": "print(1)\n1/0"},
        "",
        {"content": {"stdout": "1\n", "stderr": "Zero!", "return_code": 1}},
        ("print(1) …", "exit 1, 2 lines", ERROR),
        (Code, Code),
    ),
    "command at the API": Case(
        "bash_code_execution",
        {"command": "true"},
        "",
        {"content": {"stdout": "", "stderr": "", "return_code": 0}},
        ("true", "no output", OK),
    ),
    "file at the API": Case(
        "text_editor_code_execution",
        {"command": "create", "path": "/srv/x"},
        "",
        {"content": {"type": "text_editor_code_execution_create_result", "is_new": True}},
        ("/srv/x", "", OK),
        (Table,),
    ),
    "code in the REPL": Case(
        "REPL",
        {"code": "await go()"},
        "",
        {"code": "await go()", "result": "7", "stdout": "", "error": "late"},
        ("await go()", "2 lines", ERROR),
        (Code, Code),
    ),
    "tool of a server that nobody knows": Case(
        "Oracle", {}, "", {"a": 1}, ("", "", OK), (Table,)
    ),
    "output of a background command, older name": Case(
        "BashOutputTool",
        {"bash_id": "b1"},
        "",
        {"status": "running", "stdout": "a", "exitCode": None},
        ("b1", "running, 1 line", OK),
        (Code,),
    ),
    "notebook, older name": Case(
        "NotebookRead",
        {"notebook_path": "/x.ipynb"},
        "cells",
        None,
        ("/x.ipynb", "cells", OK),
    ),
    "search, older name": Case(
        "Search", {"pattern": "a"}, "No matches found", None, ("a", "nothing found", OK)
    ),
    "edit, older name": Case(
        "Update",
        {"file_path": FILE, "old_string": "a", "new_string": "b"},
        "",
        None,
        ("src/x.py", "+1 -1", OK),
        (Diff,),
    ),
    "page fetched by the API": Case(
        "web_fetch",
        {"url": "https://a.org"},
        "Leaves.",
        None,
        ("https://a.org", "Leaves.", OK),
        (Prose,),
    ),
    "search by the API": Case(
        "web_search",
        {"query": "leaf"},
        "",
        {"content": [{"title": "A", "url": "https://a.org"}]},
        ("leaf", "1 link", OK),
        (Links,),
    ),
    "remote trigger": Case(
        "RemoteTrigger",
        {"action": "run", "id": "t1"},
        "",
        {"status": 200, "json": "{}", "summary": "Started"},
        ("t1", "Started", OK),
        (Table,),
    ),
    "resources of a server": Case(
        "ListMcpResourcesTool",
        {"server": "docs"},
        '[{"uri": "docs://a", "name": "A"}]',
        [{"uri": "docs://a", "name": "A"}],
        ("", "34 characters", OK),
        (Fold,),
    ),
    "resources of a server, newer name": Case(
        "ListMcpResources", {}, "none", None, ("", "none", OK), (Code,)
    ),
    "resource of a server": Case(
        "ReadMcpResourceTool",
        {"server": "docs", "uri": "docs://a"},
        "",
        {"contents": [{"uri": "docs://a", "text": "Hello"}]},
        ("docs://a", "54 characters", OK),
        (Fold,),
    ),
    "resource of a server, newer name": Case(
        "ReadMcpResource",
        {"uri": "docs://a"},
        "Hello",
        None,
        ("docs://a", "Hello", OK),
        (Code,),
    ),
    "findings": Case(
        "ReportFindings",
        {"title": "Review"},
        "",
        {"count": 1, "level": "high", "findings": [{"title": "Leak", "file": "a.py"}]},
        ("Review", "", OK),
        (Table, Fold),
    ),
    "structured output": Case(
        "StructuredOutput",
        {"answer": 7},
        "",
        {"data": {"answer": 7}},
        ("", "17 characters", OK),
        (Table,),
    ),
    "artifact": Case(
        "Artifact",
        {"path": "chart.html"},
        "",
        {"url": "https://a.org/c", "path": "chart.html", "title": "Chart"},
        ("chart.html", "Chart", OK),
        (Links, Table),
    ),
    "brief": Case(
        "Brief", {"message": "Done"}, "sent", None, ("Done", "sent", OK), (Code,)
    ),
    "file for the user": Case(
        "SendUserFile", {"path": "a.pdf"}, "sent", None, ("a.pdf", "sent", OK), (Code,)
    ),
    "message for the user": Case(
        "SendUserMessage", {"message": "Done"}, "sent", None, ("Done", "sent", OK), (Code,)
    ),
    "team": Case(
        "TeamCreate",
        {"name": "crew"},
        "",
        {"team_name": "crew", "status": "created"},
        ("crew", "created", OK),
        (Table,),
    ),
    "team dissolved": Case("TeamDelete", {}, "gone", None, ("", "gone", OK), (Code,)),
    "agents of the machine": Case(
        "ListAgents", {}, "", {"listing": "a\nb"}, ("", "2 lines", OK), (Code,)
    ),
    "projects": Case(
        "Projects", {"action": "list"}, "none", None, ("", "none", OK), (Code,)
    ),
    "bash, put in the background by the user": Case(
        "Bash",
        {"command": "sleep 9"},
        "",
        {"stdout": "", "backgroundTaskId": "b1", "backgroundedByUser": True},
        ("sleep 9", "put in the background as b1, no output", OK),
    ),
    "bash outside of the sandbox, with structure and a hint": Case(
        "Bash",
        {"command": "make"},
        "ok",
        {
            "dangerouslyDisableSandbox": True,
            "ghRateLimitHint": "Slow down.",
            "structuredContent": [
                {"type": "text", "text": "ok"},
                {"type": "text", "text": "more"},
                {"type": "image", "source": {"data": "AA==", "media_type": "image/png"}},
                {"type": "chart", "rows": 2},
            ],
        },
        ("make", "outside of the sandbox, 1 line", OK),
        (Code, Code, Code, Picture, Code),
    ),
    "edit of which git told the change": Case(
        "Edit",
        {"file_path": FILE, "old_string": "x", "new_string": "y"},
        "",
        {"gitDiff": {"patch": "--- a\n+++ b\n@@ -3,2 +3,3 @@ def f\n a\n-b\n+c\n+d\n"}},
        ("src/x.py", "+2 -1", OK),
        (Diff,),
    ),
    "input that is no JSON": Case(
        "Bash", {"__unparsedToolInput": '{"command": "ma'}, "", None, ("", "no output", OK)
    ),
    "workflow on another machine": Case(
        "Workflow",
        {"name": "review"},
        "",
        {"status": "remote_launched", "sessionUrl": "https://a.org/s"},
        ("review", "on a remote machine", OK),
        (Links,),
    ),
    "shell that was stopped": Case(
        "KillBash",
        {"shell_id": "b1"},
        "",
        {"message": "Successfully killed shell: b1 (sleep 9)", "shell_id": "b1"},
        ("b1", "stopped", OK),
        (Code,),
    ),
    "question that nobody answered in time": Case(
        "AskUserQuestion",
        {
            "questions": [
                {"question": "Which?", "options": [{"label": "A", "preview": "aa"}]}
            ]
        },
        "",
        {"answers": {"Which?": ""}, "afkTimeoutMs": 60_000},
        ("Which?", "no answer within 1 min", OK),
        (Prose, Checklist, Fold),
    ),
    "files as seen from the working folder": Case(
        "Glob",
        {"pattern": "*.py"},
        "",
        {"filenames": [FILE], "numFiles": 1, "totalMatches": 9, "truncated": True},
        ("*.py", "1 file of 9, list cut", OK),
        (Code,),
    ),
    "matches from further on": Case(
        "Grep",
        {"pattern": "a"},
        "",
        {"mode": "content", "content": "a", "numLines": 1, "appliedOffset": 20},
        ("a", "1 line, from 21 on", OK),
        (Code,),
    ),
    "unheard of": Case(
        "Teleport",
        {"to": "moon", "why": "x" * 300, "how": {"fast": True}},
        "there",
        None,
        ("", "there", OK),
        (Code,),
    ),
    "unheard of, a text for a result": Case(
        "Teleport",
        {"name": "moon"},
        "",
        "there",
        ("moon", "there", OK),
        (Code,),
    ),
}


def test_the_file_of_a_plan_is_named_in_words():
    given = {"plan": "Do it", "planFilePath": "plan.md"}

    entry = shown_call("ExitPlanMode", given, "User has approved", given)

    assert entry.asked == (Chip("plan file", "plan.md"),)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_line_of_a_call_tells_what_on_and_how_it_ended(case: Case):
    entry = shown_call(
        case.name,
        case.arguments,
        case.content,
        case.structured,
        is_error=case.is_error,
        tasks=case.tasks,
    )

    assert (entry.target, entry.outcome_text, entry.outcome) == case.line
    assert tuple(type(part) for part in entry.answered) == case.parts


def test_every_tool_with_a_module_has_a_case():
    assert BY_NAME.keys() - {case.name for case in CASES.values()} == set()


ODD_ARGUMENTS: list[Any] = [
    {},
    {"todos": 3, "questions": "x", "edits": [1], "command": None, "plan": {}},
]
ODD_RESULTS: list[tuple[Any, Any]] = [
    ("", None),
    ("text", "text"),
    ([], []),
    ("x", {"file": 1, "type": "text", "task": []}),
    ("[", {"tasks": [{}], "answers": {"a": [1]}, "results": [1], "structuredPatch": [{}]}),
]


@pytest.mark.parametrize("name", [*sorted(BY_NAME), "mcp__a__b", "Unheard"])
def test_no_tool_minds_what_it_is_given(name: str):
    entries = [
        shown_call(name, arguments, content, structured)
        for arguments in ODD_ARGUMENTS
        for content, structured in ODD_RESULTS
    ]

    assert {entry.name for entry in entries} == {name}


def test_unheard_of_tools_share_one_way_to_be_shown():
    assert find_tool("Unheard") is find_tool("Never heard of")
    assert find_tool("mcp__a__b") is find_tool("mcp__c__d")


def test_failed_call_shows_what_it_would_have_done():
    edit = shown_call(
        "Edit",
        {"file_path": FILE, "old_string": "a", "new_string": "b"},
        "no",
        is_error=True,
    )
    write = shown_call("Write", {"file_path": FILE, "content": "a"}, "no", is_error=True)
    todos = shown_call("TodoWrite", {"todos": [{"content": "A"}]}, "no", is_error=True)
    plan = shown_call("ExitPlanMode", {"plan": "Do it"}, "no", is_error=True)

    assert [type(entry.asked[0]) for entry in (edit, write, todos, plan)] == [
        Diff,
        Code,
        Checklist,
        Prose,
    ]
    assert all(not entry.changes for entry in (edit, write))


def test_read_text_loses_the_line_numbers_that_the_model_saw():
    entry = shown_call("Read", {"file_path": FILE}, "     7→a = 1\n     8→\tb\n")

    (part,) = entry.answered
    assert part == Code("a = 1\n\tb\n", language=FILE, first_line=7)


def test_changes_name_the_whole_file_and_the_diff_a_short_one():
    entry = shown_call("Edit", {"file_path": FILE}, "ok", {"structuredPatch": PATCH})

    (diff,) = entry.answered
    assert isinstance(diff, Diff)
    assert (diff.file, diff.hunks[0].old_start) == ("src/x.py", 3)
    assert [(c.file, c.added, c.removed) for c in entry.changes] == [(FILE, 1, 1)]


def test_chosen_options_are_ticked_and_an_own_answer_is_added():
    questions = {
        "questions": [
            {
                "question": "Two?",
                "options": [{"label": "A"}, {"label": "B"}, {"label": "C"}],
            },
            {"question": "Own?", "options": [{"label": "A"}]},
        ]
    }
    answers = {"answers": {"Two?": "A, C", "Own?": "neither"}}

    entry = shown_call("AskUserQuestion", questions, "", answers)

    lists = [part for part in entry.answered if isinstance(part, Checklist)]
    ticked = [[i.text for i in part.items if i.status == "chosen"] for part in lists]
    assert ticked == [["A", "C"], ["neither"]]


def test_mcp_call_is_named_by_server_and_tool():
    entry = shown_call("mcp__linear-server__create_issue", {"title": "Bug"}, "ok")

    assert entry.label == "linear-server: create_issue"


def test_structured_content_of_an_mcp_server_is_shown_before_its_text():
    entry = shown_call(
        "mcp__a__b",
        {},
        "as text",
        None,
        extra={"mcpMeta": {"structuredContent": {"rows": 2}}},
    )

    assert entry.answered == (Table((("rows", "2"),)),)


def test_agent_is_linked_by_the_id_that_its_result_names():
    entry = shown_call("Task", {"prompt": "x"}, "Done.\nagentId: a1b2 (for resuming)")

    assert entry.agent_id == "a1b2"
    assert Prose("Done.") in entry.answered


def test_json_is_drawn_as_tables_and_what_is_deep_in_it_as_json():
    rows = '[{"name": "x", "at": {"line": {"from": 1}}}, {"n": [1, 2]}]'
    entry = shown_call("Teleport", {}, f'{{"total": 2, "rows": {rows}}}')

    table, fold = entry.answered
    assert table == Table((("total", "2"),))
    assert fold == Fold(
        "rows",
        (
            Fold(
                "x",
                (
                    Table((("name", "x"),)),
                    Code('{\n  "line": {\n    "from": 1\n  }\n}', "json", caption="at"),
                ),
            ),
            Fold("item 2", (Table((("n", "1, 2"),)),)),
        ),
        is_open=True,
    )


@pytest.mark.parametrize("text", ["[1, 2]", '["a", {"b": 1}]', "[" + "{}," * 60 + "{}]"])
def test_list_that_is_no_list_of_a_few_objects_stays_json(text: str):
    (part,) = shown_call("Teleport", {}, text).answered

    assert isinstance(part, Code)
    assert part.language == "json"


def test_first_list_of_todos_marks_no_item_as_changed():
    todos = [{"content": "a", "status": "pending"}, {"content": "b", "status": "pending"}]

    (part,) = shown_call("TodoWrite", {"todos": todos}, "", {"newTodos": todos}).answered

    assert isinstance(part, Checklist)
    assert [item.is_changed for item in part.items] == [False, False]


def test_arguments_with_several_lines_stand_below_the_table():
    entry = shown_call(
        "Teleport", {"to": "moon", "why": "a\nb", "how": {"fast": True}}, "ok"
    )

    assert entry.asked == (
        Table((("to", "moon"),)),
        Code("a\nb", caption="why"),
        Code('{\n  "fast": true\n}', language="json", caption="how"),
    )
