"""What templates print: escaped, and made visible, in one call for each expression.

Jinja prints `escape(finalize(value))`, where most values are markup already, for which to
escape them takes four calls. Here `finalize` does all of it, and is all that is called. The
seam is the one that Jinja's own native templates use: another generator of code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2.compiler import CodeGenerator
from markupsafe import Markup, escape

from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from jinja2.compiler import Frame
    from jinja2.nodes import Expr


def printed(value: object) -> Markup:
    """Return what an expression of a template prints; markup was looked at when made."""
    if type(value) is Markup:
        return value
    return escape(visible(value) if type(value) is str else value)


class Printing(CodeGenerator):
    """Compiles templates of an environment whose `finalize` is `printed`."""

    # Which expression it is does not matter: their arguments are those of the class above.
    # ruff: noqa: ARG002
    def _output_child_pre(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        self.write("environment.finalize(")

    def _output_child_post(
        self, node: Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo
    ) -> None:
        self.write(")")
