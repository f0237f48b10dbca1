r"""The table `[redact]` of a settings file: what is masked, and what is not.

[redact]
people = "on"                       secrets, places, people: on, off, custom
keep-emails = ["*@example.org"]

[[redact.mask]]
kind = "customer"                   what the placeholder says
word = "Acme"                       or: pattern = 'AC-\d+'

[[redact.allow]]
value = "AKIAIOSFODNN7EXAMPLE"
reason = "from the documentation"
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast

from everyleaf.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.config import Allowed, OwnRule, RedactOptions

Table = dict[str, object]

MODES = ("secrets", "places", "people")
KEYS = (*MODES, "keep-emails", "mask", "allow")
MASK_KEYS = ("kind", "word", "pattern", "class")
ALLOW_KEYS = ("value", "reason")


def redact_options(table: object, where: str) -> RedactOptions:
    """Return what `table`, which stands at `where`, says of what is masked.

    Raises:
        ConfigError: a key is not known, or a value makes no sense.
    """
    from everyleaf.config import Mode, RedactOptions  # noqa: PLC0415  (slow to import)

    keys = _checked(table, KEYS, where)
    modes = {
        name: Mode(_among(keys[name], tuple(Mode), f"{where}.{name}"))
        for name in MODES
        if name in keys
    }
    emails = _items(keys.get("keep-emails", []), f"{where}.keep-emails")
    return RedactOptions(
        secrets=modes.get("secrets", Mode.ON),
        places=modes.get("places", Mode.ON),
        people=modes.get("people"),
        keep_emails=tuple(_text(each, f"{where}.keep-emails") for each in emails),
        own=tuple(
            _own_rule(each, f"{where}.mask")
            for each in _items(keys.get("mask", []), f"{where}.mask")
        ),
        allow=tuple(
            _allowed(each, f"{where}.allow")
            for each in _items(keys.get("allow", []), f"{where}.allow")
        ),
    )


def _own_rule(table: object, where: str) -> OwnRule:
    from everyleaf.config import Group, OwnRule  # noqa: PLC0415  (slow to import)

    keys = _checked(table, MASK_KEYS, where)
    if ("word" in keys) == ("pattern" in keys):
        raise ConfigError(f"{where} needs a word or a pattern, and not both")
    kind = _text(keys.get("kind", "own"), f"{where}.kind")
    word = _text(keys.get("word", ""), f"{where}.word")
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", kind):
        raise ConfigError(f"{where}: kind {kind!r} is not lower case, digits and '-'")
    if not any(keys.get(key) for key in ("word", "pattern")):
        raise ConfigError(f"{where} would mask nothing at all")
    if word and word in f"redacted: {kind} 0123456789":
        raise ConfigError(
            f"{where}: the placeholder of kind {kind!r} would show the word itself",
            hint="name the kind otherwise: it stands on the pages",
        )
    return OwnRule(
        kind=kind,
        word=word,
        pattern=_text(keys.get("pattern", ""), f"{where}.pattern"),
        group=Group(_among(keys.get("class", "secrets"), MODES, f"{where}.class")),
    )


def _allowed(table: object, where: str) -> Allowed:
    from everyleaf.config import Allowed  # noqa: PLC0415  (slow to import)

    keys = _checked(table, ALLOW_KEYS, where)
    value = _text(keys.get("value", ""), f"{where}.value")
    reason = _text(keys.get("reason", ""), f"{where}.reason")
    if not value or not reason.strip():
        raise ConfigError(
            f"{where} needs a value and a reason",
            hint="whoever reads it later must know why it may be published",
        )
    return Allowed(value, reason)


def _checked(table: object, known: Iterable[str], where: str) -> Table:
    if not isinstance(table, dict):
        raise ConfigError(f"{where} must be a table, not {table!r}")
    keys = cast("Table", table)
    for key in keys:
        if key not in known:
            close = get_close_matches(key, list(known), n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are: {_list(known)}"
            raise ConfigError(f"{where}: there is no setting {key!r}", hint=hint)
    return keys


def _among(value: object, known: Iterable[str], where: str) -> str:
    if isinstance(value, str) and value in known:
        return value
    raise ConfigError(f"{where} must be one of {_list(known)}, not {value!r}")


def _items(value: object, where: str) -> list[object]:
    if isinstance(value, list):
        return cast("list[object]", value)
    raise ConfigError(f"{where} must be a list, not {value!r}")


def _text(value: object, where: str) -> str:
    if isinstance(value, str):
        return value
    raise ConfigError(f"{where} must be a text, not {value!r}")


def _list(names: Iterable[str]) -> str:
    return ", ".join(str(name) for name in names)
