"""Lines and modules of each package, and whether they are more than they may be.

`just size` prints them. The limits are what there is: a change that needs more of them says
why, and one that takes less lowers them. What the design asks for is `GOAL`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

PACKAGE = Path(__file__).parents[2] / "generator" / "everyleaf"
MOST_LINES = 57_121
MOST_MODULES = 239
MOST_IN_A_MODULE = 400
"""Lines that are not blank."""
GOAL = "25,000 lines in 120 modules"


def main() -> int:
    """Print the sizes; return 1 if one is over its limit."""
    lines: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    too_long: list[str] = []
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
        text = file.read_text("utf-8").splitlines()
        place = name if (PACKAGE / name).is_dir() else "(top)"
        lines[place] += len(text)
        modules[place] += 1
        if sum(1 for line in text if line.strip()) > MOST_IN_A_MODULE:
            too_long.append(str(file.relative_to(PACKAGE)))
    for place, count in lines.most_common():
        click.echo(f"{place:12} {count:7,} {modules[place]:5}")
    total, many = lines.total(), modules.total()
    click.echo(f"{'all':12} {total:7,} {many:5}   (goal: {GOAL})")
    for name in too_long:
        click.echo(f"{name}: more than {MOST_IN_A_MODULE} lines")
    if total > MOST_LINES or many > MOST_MODULES:
        click.echo(f"more than {MOST_LINES:,} lines or {MOST_MODULES} modules")
        return 1
    return int(bool(too_long))


if __name__ == "__main__":
    sys.exit(main())
