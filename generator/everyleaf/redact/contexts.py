r"""Places where passwords and tokens stand: strict about the place, free about the value.

A row of `contexts.txt` is a kind, who judges what stands there (`judging`), and a pattern of
RE2 whose first group that took part is the value; `{...}` stands for what `_PIECES` has
under that name. Behind `@` stands, without regard to case, what is in each line that one of
the rows below it begins in: only such lines are looked at closely, and by those rows alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact import commands, examples, judging, neighbours, text_of, words
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Callable


class Context(NamedTuple):
    """A place, and which values there are secrets."""

    sign: str
    """Pattern of what is in the line that it begins in, in small letters or large ones."""
    kind: str
    pattern: str
    is_secret: Callable[[str], bool]
    gate: str
    """Pattern of what is in each text in which the other one finds something."""


_PIECES = dict(
    row.split(maxsplit=1) for row in text_of("pieces").splitlines() if row[0] != "#"
) | {"foreign": f"(?:{examples.FOREIGN})"}
"""Parts of patterns, by the names that stand for them in braces."""
# Many may begin at once: counted, they would be many states of one automaton.
_PIECES["start"] = _PIECES["start"].replace(
    "{gutter}", _PIECES["gutter"].replace("{0,40}", "*").replace("{3,40}", "{3,}")
)
_PIECES.update(printing=commands.PRINTING, readers=commands.READERS)
_PIECES["quoted"] = "(?:{triple}|{double}|{single}|{tick})".format_map(_PIECES)
_PIECES["value"] = "(?:{double}|{single}|{env})".format_map(_PIECES)

_LOOSE = _PIECES | {
    "pass": r"\w*(?:pass|pw|psk|pswd?|kennwort|pre-?shared-?key|(?:wi-?fi|wlan)_?key"
    r"|(?:unlock|door|gate|alarm)_?code)(?:\w*|[ ]phrase)",
    "secret": r"(?:secret|token|key|credential|hmac|_auth|pat|pepper|salt)[\w-]*(?: \w{3,6})?",
    "SECRET": r"(?:SECRET|TOKEN|KEY|_SALT|CRED|_DSN|_AUTH|_COOKIE|_PAT|_SESSION|_SIGNING|_LICENSE)\w*",
    "strict": r"(?:secret|token|key)[\w-]*",
    "STRICT": r"(?:SECRET|TOKEN|KEY)\w*",
    "quoted": r"[\"'`][^\n]*",
    "double": r"\"[^\n]*",
    "single": r"'[^\n]*",
    **dict.fromkeys(("start", "gutter"), r"[^\n]*"),
    **dict.fromkeys(
        ("value", "env", "bare", "word", "letters", "mixed", "run"), r"\S[^\n]*"
    ),
    "N": "*",
}
"""What takes less time to compile, and finds more."""

_JUDGES = vars(words) | vars(judging) | vars(neighbours)
_WORD = lazily(r"\A(\(\?i\))?\\b")
_QUOTE = lazily(r"(\[(?:\\.|[^\]\\])*\])|\\\"")
_BEGINNING = lazily(r"(?<![^|])\\b")
_MOST_COLUMNS = 6
"""So many places in a row are tried for `{N}`: columns of a table, arguments of a call."""


def contexts() -> tuple[Context, ...]:
    """Return all rules, patterns written out."""
    made: list[Context] = []
    sign = ""
    for row in text_of("contexts").splitlines():
        if row.startswith("@ "):
            # A blank of a command may be escaped, as may be what stands before it.
            sign = (
                written(row.removeprefix("@ "), _PIECES)
                .replace(r"[ \t]", r"(?:[ \t]|%20)")
                .replace("[ _.-]?key", "(?:[ _.-]|%20)?key")
                .replace("<<<", "(?:<|&lt;|%3C){3}")
            )
            sign = _BEGINNING.sub("", sign)
            sign = _QUOTE.sub(lambda found: found[1] or r"(?:\"|&quot;|&#34;)", sign)
            continue
        kind, judge, pattern = row.split(maxsplit=2)
        pattern = _WORD.sub(r"\1{b}", pattern)
        is_secret = _JUDGES[f"is_{judge}"]
        gate = written(pattern, _LOOSE)
        pattern = written(pattern, _PIECES)
        for count in range(_MOST_COLUMNS if "{N}" in pattern else 1):
            counted = pattern.replace("{N}", f"{{{count}}}")
            made.append(Context(sign, kind, counted, is_secret, gate))
    return tuple(made)


def written(pattern: str, pieces: dict[str, str]) -> str:
    """Return a pattern with pieces in place of their names in braces."""
    for name, piece in pieces.items():
        pattern = pattern.replace("{" + name + "}", piece)
    return pattern
