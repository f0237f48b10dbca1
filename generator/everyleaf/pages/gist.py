"""What an answer says, in a sentence: what heads and lists say of a conversation."""

from __future__ import annotations

import re

from everyleaf.pages.wording import shortened
from everyleaf.search.pages import plain
from everyleaf.transcript.words import WORDS_LIMIT

_GIST_CHARS = 4_000
_SHORT = 16
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})(?:.*\n)*?(?:[ \t]*\1|\Z)", re.MULTILINE)
_NO_PROSE = re.compile(
    r"\s*(?:[#|>{<✅✓❌⚠]|[-*_=]{3,}\s*$|[-*+•] |\d+[.)] "
    r"|\*\*[^*]+(?::\*\*|\*\*:|\*\*\s*$))"
)
"""Begins a line of a heading, a table, a list, a label: no sentence."""
_SENTENCES = re.compile(
    r"(?<=[^\d\s][.!?])\s+(?=\W*(?:[^\Wa-z]|$))|(?<=[\u3002\uff01\uff1f])"
)
_EMPTY = re.compile(
    r"(?:\W*(?:all )?(?:done|perfect|great|excellent|fixed|yes|ok(?:ay)?|now|so"
    r"|(?:\d+ )?(?:(?:tests|checks) )?(?:now )?pass(?:ed)?)\b)*\W*"
    r"((?:let me|let's|i'll|i will|now i|i now have|here(?:.s| is| are))\b.*)?",
    re.IGNORECASE,
)
"""A sentence that says no more than that it worked, or (group 1) what follows."""
_NO_REPLY = re.compile(r"(?:json )?[\W_]*|.*:")
"""Says nothing by itself: an empty value, or that something follows."""


def gist(reply: str) -> str:
    r"""Return the first sentence of a reply that says what came of it, in plain words.

    One of a word or two (`Good work.`) has the next behind it; `…` stands for what follows
    a colon.
    Of one without a sentence, it is how it begins; empty where that says nothing.

    >>> gist("## Summary\n\nDone. Let me sum up:\n\nThe `lexer` is fast. It has tests.")
    'The lexer is fast.'
    >>> gist("```json\n[]\n```") or gist("Here is my review:\n\n---")
    ''
    """
    beginning = reply[:_GIST_CHARS]
    said = spare = ""
    for block in _FENCED.sub("\n\n", beginning).split("\n\n"):
        lines = (line for line in block.split("\n") if not _NO_PROSE.match(line))
        for sentence in _SENTENCES.split(plain("\n".join(lines))):
            empty = _EMPTY.fullmatch(sentence)
            if empty is not None:
                spare = spare or ("" if empty[1] else sentence)
                continue
            said = f"{said} {sentence}".strip()
            if said[-1] in ":\uff1a":
                return shortened(said[:-1].rstrip(), WORDS_LIMIT - 1) + "\u2026"
            if len(said) >= _SHORT or not said.isascii():
                return shortened(said, WORDS_LIMIT)
    first = beginning.strip("`~- \n").partition("\n\n")[0]
    line = shortened(said, WORDS_LIMIT) or spare or shortened(first, WORDS_LIMIT)
    return "" if _NO_REPLY.fullmatch(line) else line
