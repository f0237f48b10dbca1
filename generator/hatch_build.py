"""Build hook: puts the themes into wheels, where the package finds them."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ThemesHook(BuildHookInterface[Any]):
    """Adds `themes/` to real wheels as `everyleaf/_themes`; editable installs need none."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Map `themes` to `everyleaf/_themes`, unless the wheel is an editable one."""
        if version != "editable":
            build_data["force_include"]["themes"] = "everyleaf/_themes"
