"""What goes wrong in a template, in words for the one who wrote it."""

from __future__ import annotations

import traceback

from jinja2 import TemplateError, TemplateNotFound, TemplateSyntaxError, UndefinedError

from everyleaf.errors import ThemeError


def explain(error: TemplateError, theme: str, asked: str) -> ThemeError:
    """Return `error`, met when `theme` drew the template `asked`, with a hint."""
    match error:
        case TemplateSyntaxError():
            return ThemeError(
                f"template {error.name or asked!r} of theme {theme!r} is broken",
                hint=f"line {error.lineno}: {error.message}",
            )
        case TemplateNotFound():
            user = f", which {asked!r} uses" if error.name != asked else ""
            return ThemeError(
                f"theme {theme!r} has no template {error.name!r}{user}",
                hint="a base's template is '<base>/<name>', as in 'default/base.html.j2'",
            )
        case UndefinedError():
            return ThemeError(
                f"template {asked!r} of theme {theme!r} uses what is not there: {error}",
                hint=f"{_place(error)}; see render/view.py for what a page has",
            )
        case _:
            return ThemeError(
                f"template {asked!r} of theme {theme!r} failed: {error}", hint=_place(error)
            )


def _place(error: TemplateError) -> str:
    """Return the template and line that `error` comes from, as far as Jinja tells."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename.endswith(".j2")]
    if not inside:
        return "the place is not known"
    return f"{inside[-1].filename.rsplit('templates/', 1)[-1]}, line {inside[-1].lineno}"
