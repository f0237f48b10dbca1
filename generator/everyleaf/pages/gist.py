"""What an answer says, in a few lines: what heads and lists say of a conversation."""

from __future__ import annotations

import re

from everyleaf.pages.wording import shortened
from everyleaf.search.pages import plain
from everyleaf.transcript.words import WORDS_LIMIT

GIST_LIMIT = 300
"""Characters: heads show two lines of them, lists one."""
_GIST_CHARS = 4_000
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})(?:.*\n)*?(?:[ \t]*\1|\Z)", re.MULTILINE)
_NO_PROSE = re.compile(
    r"\s*(?:[#|>{<✅✓❌⚠]|[-*_=]{3,}\s*$|[-*+•] |\d+[.)] "
    r"|\*\*[^*]+(?::\*\*|\*\*:|\*\*\s*$))"
)
"""Begins a line of a heading, a table, a list, a label: no sentence."""
_GAP = re.compile(r"\n{3,}")
_LEFT_OUT = re.compile(r"(?m)^(?:\|.*|[-*_=]{3,}|#{1,6} .*)$")
_ITEM = re.compile(r"\n{1,2}(?:[-*+•]|\d+[.)]) ")
"""Begins an item: it is set behind a semicolon, a paragraph behind a full stop."""
_BREAK = re.compile(r"(?<![\s.:;,!?\u2026\u3002\uff01\uff1a\uff1f])\n\n(?!\u2026)")
_GOES_ON = re.compile(r"[:\uff1a]?(?: ?\u2026) ?$|[:\uff1a] ?$")
_NEEDLESS = re.compile(
    r"(?<=[:.!?;\u3002\uff1a\u2026]);|(?: ?\u2026)+(?= ?\u2026)|\[[ x]\] "
)
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
    r"""Return what a reply says came of it, from the first sentence that does.

    Plain words, up to `GIST_LIMIT` characters; `…` stands for what follows, and for code
    and tables in between. Of a reply without a sentence, it is how it begins; empty where
    that says nothing.

    >>> gist("## Summary\n\nDone. Let me sum up:\n\nThe `lexer` is fast. It has tests.")
    'The lexer is fast. It has tests.'
    >>> gist("Two changes:\n\n- one\n- two\n\n```\ncode\n```\nNot tested.")
    'Two changes: one; two … Not tested.'
    >>> gist("```json\n[]\n```") or gist("Here is my review:\n\n---")
    ''
    """
    lines = _FENCED.sub("\n\n\u2026\n\n", reply[:_GIST_CHARS]).split("\n")
    beginning = _GAP.sub("\n\n", "\n".join(line.strip() for line in lines))
    spare = ""
    for block in beginning.split("\n\n"):
        prose = (line for line in block.split("\n") if not _NO_PROSE.match(line))
        for sentence in _SENTENCES.split(plain("\n".join(prose))):
            empty = _EMPTY.fullmatch(sentence)
            if empty is None:
                return _told_from(sentence, beginning)
            spare = spare or ("" if empty[1] else sentence.strip(" \u2026"))
    first = reply[:_GIST_CHARS].strip("`~- \n").partition("\n\n")[0]
    line = spare or shortened(_ITEM.sub("; ", first), WORDS_LIMIT)
    return "" if _NO_REPLY.fullmatch(line) else line


def _told_from(sentence: str, beginning: str) -> str:
    """Return `sentence` and what follows it; itself where lines were left out of it."""
    lines = _ITEM.sub("; ", _LEFT_OUT.sub("\u2026", beginning))
    whole = plain(_BREAK.sub(". ", lines))
    at = whole.find(sentence)
    said = _NEEDLESS.sub("", whole[at:] if at >= 0 else sentence)
    return shortened(_GOES_ON.sub("\u2026", said), GIST_LIMIT)
