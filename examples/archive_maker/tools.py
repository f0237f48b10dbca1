"""The common tools, each with the result shape that Claude Code stores for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archive_maker.patch import numbered, snippet, structured_patch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archive_maker.journal import Block, Call, Json
    from archive_maker.session import Session

REMINDER = (
    "\n\n<system-reminder>\nWhenever you read a file, you should consider whether it would be "
    "considered malware. You CAN and SHOULD provide analysis of malware, what it is doing. But "
    "you MUST refuse to improve or augment the code.\n</system-reminder>\n"
)
UPDATED = (
    "The file {file} has been updated. Here's the result of running `cat -n` on a snippet of "
    "the edited file:\n{snippet}"
)
TODOS_DONE = (
    "Todos have been modified successfully. Ensure that you continue to use the todo list to "
    "track your progress. Please proceed with the current tasks if applicable"
)


def at(s: Session, file: str) -> str:
    return file if file.startswith("/") else f"{s.project.cwd}/{file}"


def bash(
    s: Session,
    command: str,
    output: str = "",
    *before: Block,
    about: str = "",
    code: int = 0,
    **more: object,
) -> Call:
    """Run a shell command; `more` goes into the stored result (`gitOperation`, …)."""
    (call,) = s.reply(*before, bash_call(s, command, about))
    s.spend(0.3, 9)
    answer_bash(s, call, output, code=code, **more)
    return call


def bash_call(s: Session, command: str, about: str = "", **asked: object) -> Block:
    described: Json = {"description": about} if about else {}
    return s.call("Bash", command=command, **described, **asked)


def answer_bash(
    s: Session, call: Call, output: str, *, code: int = 0, **more: object
) -> None:
    if code:
        words = f"Exit code {code}\n{output}" if not s.version.startswith("1.") else output
        s.result(call, words, f"Error: {words}", is_error=True)
        return
    stored: Json = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    s.result(call, output, stored | more)


def read(s: Session, file: str, *before: Block, first: int = 1, count: int = 0) -> Call:
    """Read a file of the played working folder, whole or in part."""
    asked: Json = {"file_path": at(s, file)}
    if count:
        asked |= {"offset": first, "limit": count}
    (call,) = s.reply(*before, s.call("Read", **asked))
    answer_read(s, call, first=first, count=count)
    return call


def answer_read(s: Session, call: Call, *, first: int = 1, count: int = 0) -> None:
    file = str(call.asked["file_path"])
    lines = s.files[file].splitlines()
    part = lines[first - 1 : first - 1 + count] if count else lines
    stored = {
        "filePath": file,
        "content": "\n".join(part) + ("\n" if not count else ""),
        "numLines": len(part),
        "startLine": first,
        "totalLines": len(lines),
    }
    shown = numbered("\n".join(part), first) + ("" if s.is_new else REMINDER)
    s.result(call, shown, {"type": "text", "file": stored})


def write(s: Session, file: str, content: str, *before: Block) -> Call:
    (call,) = s.reply(*before, s.call("Write", file_path=at(s, file), content=content))
    full = at(s, file)
    old = s.files.get(full)
    s.files[full] = content
    stored: Json = {
        "type": "create" if old is None else "update",
        "filePath": full,
        "content": content,
        "structuredPatch": [] if old is None else structured_patch(old, content),
        "originalFile": old,
    }
    if old is None:
        s.result(call, f"File created successfully at: {full}", stored)
    else:
        words = UPDATED.format(file=full, snippet=snippet(content, content))
        s.result(call, words, stored)
    return call


def edit_call(s: Session, file: str, old: str, new: str) -> Block:
    return s.call("Edit", file_path=at(s, file), old_string=old, new_string=new)


def edit(s: Session, file: str, old: str, new: str, *before: Block) -> Call:
    """Replace `old`, which must stand in the file once."""
    (call,) = s.reply(*before, edit_call(s, file, old, new))
    answer_edit(s, call)
    return call


def answer_edit(s: Session, call: Call) -> None:
    file, old, new = (str(call.asked[k]) for k in ("file_path", "old_string", "new_string"))
    original = s.files[file]
    if original.count(old) != 1:
        raise ValueError(f"{old!r} stands {original.count(old)} times in {file}")
    s.files[file] = original.replace(old, new)
    stored = {
        "filePath": file,
        "oldString": old,
        "newString": new,
        "originalFile": original,
        "structuredPatch": structured_patch(original, s.files[file]),
        "userModified": False,
        "replaceAll": False,
    }
    s.result(call, UPDATED.format(file=file, snippet=snippet(s.files[file], new)), stored)


def multi_edit(
    s: Session, file: str, changes: Sequence[tuple[str, str]], *before: Block
) -> Call:
    edits = [{"old_string": old, "new_string": new} for old, new in changes]
    full = at(s, file)
    (call,) = s.reply(*before, s.call("MultiEdit", file_path=full, edits=edits))
    original = content = s.files[full]
    for old, new in changes:
        if content.count(old) != 1:
            raise ValueError(f"{old!r} stands {content.count(old)} times in {full}")
        content = content.replace(old, new)
    s.files[full] = content
    stored = {
        "filePath": full,
        "edits": [e | {"replace_all": False} for e in edits],
        "originalFileContents": original,
        "structuredPatch": structured_patch(original, content),
        "userModified": False,
    }
    done = "\n".join(
        f'{n}. Replaced "{old[:50]}" with "{new[:50]}"'
        for n, (old, new) in enumerate(changes, 1)
    )
    s.result(call, f"Applied {len(edits)} edits to {full}:\n{done}", stored)
    return call


def grep(
    s: Session,
    pattern: str,
    hits: Sequence[str],
    *before: Block,
    mode: str,
    **asked: object,
) -> Call:
    """Search; `hits` are files, `file:line:text` or `file:count` by `mode`."""
    (call,) = s.reply(*before, s.call("Grep", pattern=pattern, output_mode=mode, **asked))
    answer_grep(s, call, hits)
    return call


def answer_grep(s: Session, call: Call, hits: Sequence[str]) -> None:
    joined = "\n".join(hits)
    mode = call.asked["output_mode"]
    if mode == "files_with_matches":
        head = (
            f"Found {len(hits)} file{'s' * (len(hits) != 1)}\n"
            if hits
            else "No files found"
        )
        stored: Json = {"mode": mode, "filenames": list(hits), "numFiles": len(hits)}
        s.result(call, head + joined, stored)
        return
    stored = {"mode": mode, "numFiles": 0, "filenames": [], "content": joined}
    if mode == "count":
        total = sum(int(hit.rpartition(":")[2]) for hit in hits)
        stored |= {"numFiles": len(hits), "numMatches": total}
        joined += f"\n\nFound {total} total occurrences across {len(hits)} files."
    else:
        stored["numLines"] = len(hits)
    s.result(call, joined or "No matches found", stored)


def glob(s: Session, pattern: str, names: Sequence[str], *before: Block) -> Call:
    (call,) = s.reply(*before, s.call("Glob", pattern=pattern))
    answer_glob(s, call, names)
    return call


def answer_glob(s: Session, call: Call, names: Sequence[str]) -> None:
    full = [at(s, name) for name in names]
    stored = {
        "filenames": full,
        "durationMs": 6 + int(40 * s.ids.fraction()),
        "numFiles": len(full),
        "truncated": False,
    }
    s.result(call, "\n".join(full) or "No files found", stored)


def todo(s: Session, old: Sequence[str], new: Sequence[str], *before: Block) -> list[str]:
    """Write the todo list; items are `- pending`, `> in progress`, `x done`."""
    todos = [todo_item(s, n, item) for n, item in enumerate(new, 1)]
    stored = {
        "oldTodos": [todo_item(s, n, item) for n, item in enumerate(old, 1)],
        "newTodos": todos,
    }
    s.use("TodoWrite", {"todos": todos}, TODOS_DONE, stored, *before)
    return list(new)


STATUS = {"-": "pending", ">": "in_progress", "x": "completed"}


def todo_item(s: Session, number: int, item: str) -> Json:
    sign, _, words = item.partition(" ")
    if s.version.startswith("1."):
        plain: Json = {"content": words, "status": STATUS[sign]}
        return plain | {"priority": "medium", "id": str(number)}
    verb, _, rest = words.partition(" ")
    stem = verb.removesuffix("e")
    return {"content": words, "status": STATUS[sign], "activeForm": f"{stem}ing {rest}"}


def task_create(
    s: Session, number: int, subject: str, description: str, *before: Block
) -> None:
    asked = {"subject": subject, "description": description, "activeForm": subject}
    stored = {"task": {"id": str(number), "subject": subject}}
    s.use(
        "TaskCreate",
        asked,
        f"Task #{number} created successfully: {subject}",
        stored,
        *before,
    )


def task_update(s: Session, number: int, before: str, after: str, *said: Block) -> None:
    stored = {
        "success": True,
        "taskId": str(number),
        "updatedFields": ["status"],
        "statusChange": {"from": before, "to": after},
    }
    asked = {"taskId": str(number), "status": after}
    s.use("TaskUpdate", asked, f"Updated task #{number} status", stored, *said)


REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it "
    "was a file edit, the new_string was NOT written to the file). To tell you how to proceed, "
    "the user said:\n"
)


def deny(s: Session, call: Call, words: str) -> None:
    """Answer a call with the person's refusal and their words."""
    more: Json = (
        {"toolDenialKind": "user-rejected", "userFeedback": words} if s.is_new else {}
    )
    s.result(call, REJECTED + words, f"Error: {REJECTED}{words}", is_error=True, **more)
