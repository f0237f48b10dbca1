"""The table of goals says what was measured, and whether that is enough."""

from __future__ import annotations

import pytest

from bench.goals import Goal


@pytest.mark.parametrize(
    ("goal", "line"),
    [
        (Goal("again", 0.3, 0.3, "s"), "| again | 0.3 s | 0.3 s | met |"),
        (Goal("line", 0.6, 1.234, "s"), "| line | 0.6 s | 1.23 s | missed |"),
        (Goal("memory", 1_000, 1_160.6, "MB"), "| memory | 1,000 MB | 1,161 MB | missed |"),
        (
            Goal("peer", 0.7, 1.26, "x", "10.6 s, 8.4 s"),
            "| peer | 0.7 x | 1.26 x (10.6 s, 8.4 s) | missed |",
        ),
        (Goal("size", 20, 2.08, "x"), "| size | 20 x | 2.08 x | met |"),
    ],
)
def test_a_row_tells_goal_figure_and_verdict(goal: Goal, line: str) -> None:
    assert goal.line() == line
