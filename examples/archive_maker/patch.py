"""The `structuredPatch` that Claude Code stores with an edit."""

from __future__ import annotations

from difflib import SequenceMatcher

Hunk = dict[str, object]


def structured_patch(old: str, new: str) -> list[Hunk]:
    """Return the hunks from `old` to `new` with three lines of context."""
    before, after = old.splitlines(), new.splitlines()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    hunks: list[Hunk] = []
    for group in matcher.get_grouped_opcodes(3):
        lines: list[str] = []
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [" " + line for line in before[i1:i2]]
                continue
            lines += ["-" + line for line in before[i1:i2]]
            lines += ["+" + line for line in after[j1:j2]]
        first, last = group[0], group[-1]
        hunks.append(
            {
                "oldStart": first[1] + 1,
                "oldLines": last[2] - first[1],
                "newStart": first[3] + 1,
                "newLines": last[4] - first[3],
                "lines": lines,
            }
        )
    return hunks


def numbered(text: str, first: int = 1) -> str:
    """Return `text` with the line numbers that Read puts in front."""
    return "\n".join(f"{n:>6}→{line}" for n, line in enumerate(text.splitlines(), first))


def snippet(content: str, new: str) -> str:
    """Return the numbered lines around `new` that an Edit result quotes."""
    lines = content.splitlines()
    start = content[: content.find(new)].count("\n") if new else 0
    stop = start + new.count("\n") + 1
    low, high = max(0, start - 4), min(len(lines), stop + 4)
    return numbered("\n".join(lines[low:high]), low + 1)
