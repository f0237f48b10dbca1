"""A theme's static files as outputs of the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.outputs import Output

if TYPE_CHECKING:
    from everyleaf.theming.load import Theme


def theme_outputs(theme: Theme) -> list[Output]:
    """Return the static files of `theme`, by address (theming lies below outputs)."""
    return [Output(asset.url, asset.body) for asset in theme.assets()]
