"""Blocks of preformatted text: their frame, in which long lines scroll."""

from __future__ import annotations

from markupsafe import escape

from everyleaf.render.highlight import highlight, highlight_lines

WIDE = 80
"""Characters of a line that may not fit the page: its block can be reached by keyboard."""


def code_block(text: str, language: str = "", *, first_line: int | None = None) -> str:
    """Return `text` (visible characters only) as a `pre`; `first_line` numbers its lines.

    The text of the element equals `text`, but for a last line break.
    """
    text = text.removesuffix("\n")
    if first_line is None:
        return framed(highlight(text, language), text, language)
    return framed(
        "".join(
            f'<span class="ln" data-n="{first_line + index}">{line}\n</span>'
            for index, line in enumerate(highlight_lines(text, language))
        ),
        text,
        language,
        extra_class="numbered",
    )


def framed(drawn: str, text: str, language: str = "", *, extra_class: str = "") -> str:
    """Return `drawn`, the HTML of `text`, in a frame; its widest line decides on focus."""
    classes = f"code {extra_class}".strip()
    label = f' data-lang="{escape(language)}"' if language.isidentifier() else ""
    focus = ' tabindex="0"' if max(map(len, text.split("\n"))) > WIDE else ""
    return (
        f'<div class="code-box"><pre class="{classes}"{label}{focus}>'
        f"<code>{drawn}</code></pre></div>\n"
    )
