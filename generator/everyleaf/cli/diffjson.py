"""A comparison as JSON, as `everyleaf diff --help` describes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from everyleaf.render.diffs import diff_text

if TYPE_CHECKING:
    from everyleaf.attempts import Attempts
    from everyleaf.compare.comparison import Side
    from everyleaf.compare.files import FileComparison, FileSide
    from everyleaf.compare.sketch import Passage, Step
    from everyleaf.graph.forest import ConversationPath
    from everyleaf.transcript.document import Diff

    Json = dict[str, object]


def to_json(attempts: Attempts, *, files_only: bool) -> str:
    """Return the comparison as one indented object of ASCII, its keys sorted."""
    comparison = attempts.comparison
    whole: Json = {
        "same": comparison.has_same_files if files_only else comparison.is_same,
        "shared": comparison.shared,
        "files": [_file(each) for each in comparison.files],
    }
    if not files_only:
        prompts = comparison.prompts
        whole |= {
            "left": _side(attempts.left, comparison.left, prompts.left),
            "right": _side(attempts.right, comparison.right, prompts.right),
            "prompt_words": [[piece.sign, piece.text] for piece in prompts.words],
            "steps": [[_step(row.left), _step(row.right)] for row in comparison.rows],
        }
    return json.dumps(whole, indent=2, sort_keys=True)


def _side(path: ConversationPath, side: Side, prompt: Passage | None) -> Json:
    usage, ending = side.usage, side.ending
    run = ending.test_run
    return {
        "session": path.session,
        "number": path.number,
        "status": path.status,
        "title": path.title,
        "messages": side.messages,
        "prompts": side.prompts,
        "replies": side.replies,
        "calls": side.calls,
        "tools": dict(side.tools),
        "usage": {
            "input": usage.input,
            "output": usage.output,
            "cache_read": usage.cache_read,
            "cache_written": usage.cache_written,
        },
        "errors": ending.errors,
        "wall_s": side.wall_s,
        "working_s": side.working_s,
        "commits": [commit.hash or commit.subject for commit in side.commits],
        "prompt": prompt.text if prompt else None,
        "last_reply": ending.reply.text if ending.reply else None,
        "test_run": {"command": run.command, "outcome": run.outcome, "said": run.said}
        if run
        else None,
        "interrupted": ending.is_interrupted,
        "withdrawn": ending.is_withdrawn,
    }


def _file(each: FileComparison) -> Json:
    return {
        "file": each.file,
        "verdict": each.verdict,
        "diff": _unified(each.difference),
        "left": _change(each.left),
        "right": _change(each.right),
    }


def _change(side: FileSide | None) -> Json | None:
    if side is None:
        return None
    return {
        "added": side.change.added,
        "removed": side.change.removed,
        "diff": _unified(side.change),
        "exact": side.is_exact,
        "new": side.is_new,
        "changed_elsewhere": side.has_foreign_changes,
    }


def _unified(diff: Diff | None) -> str | None:
    return diff_text(diff) if diff is not None and diff.hunks else None


def _step(step: Step | None) -> Json | None:
    if step is None:
        return None
    return {
        "kind": step.kind,
        "name": step.name,
        "words": step.words,
        "ending": step.ending,
        "outcome": step.outcome,
        "uuid": step.uuid,
    }
