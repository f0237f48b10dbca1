"""Puts the sessions together: the folder, the table of what it must contain, the README."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archive_maker import (
    garden,
    garden_dashboard,
    garden_tools,
    recipes,
    recipes_import,
    recipes_list,
    recipes_terminal,
    tides,
    tides_moon,
    tides_stations,
)

if TYPE_CHECKING:
    from archive_maker.journal import Json
    from archive_maker.session import Session


@dataclass(frozen=True)
class Archive:
    """Every file of the archive by its location, and the sessions they came from."""

    sessions: tuple[Session, ...]

    def files(self) -> dict[str, str]:
        """Return the text of each file under `projects/`."""
        found: dict[str, str] = {}
        for s in self.sessions:
            folder = f"projects/{s.project.slug}/"
            found[f"{folder}{s.session_id}.jsonl"] = "\n".join(s.lines) + "\n" * (
                not s.is_torn
            )
            for name, content in s.side_files.items():
                found[folder + name] = content
        return found


def archive() -> Archive:
    first = tides.original()
    second = tides.continued(first)
    warm_up = tides.warm_up()
    shopping, at_branch = recipes_list.shopping()
    dashboard, frost = garden_dashboard.dashboard()
    moon, mark = tides_moon.moon()
    return Archive(
        (
            first,
            second,
            tides.summaries(second, warm_up),
            warm_up,
            tides_stations.stations(),
            moon,
            tides_moon.forked(moon, mark),
            recipes_terminal.dark_mode(),
            recipes.fractions(),
            shopping,
            recipes_list.branch(shopping, at_branch),
            recipes_import.importing(),
            garden.review(),
            dashboard,
            frost,
            garden_tools.bench_day(),
        )
    )


def as_json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
