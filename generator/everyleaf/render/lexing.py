"""Tokens of source code: those of Pygments, in two fifths of its time.

A lexer of Pygments tries the rules of a state one after the other, forty matches a token.
Here the rules of a state are one expression, whose groups tell which of them it was: 0.7 s
instead of 1.6 of the 6.5 s of CPU that the pages of 38 MB of sessions take.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from pygments.lexer import Lexer, RegexLexer
from pygments.token import Error, Whitespace

Kind = tuple[str, ...]
"""A token type."""
Token = tuple[int, Kind, str]
Matcher = Callable[[str, int], re.Match[str] | None]
Action = Kind | Callable[[Lexer, re.Match[str]], Iterable[Token]] | None
Rule = tuple[Matcher, Action, object]

_OWN_FLAGS = re.compile(r"\(\?([ims]+)\)")
_NEEDS_OWN_NUMBERS = re.compile(r"\\[1-9]|\(\?[P(]|\(\?[aiLmsux]+\)")
"""What would mean something else inside of a larger expression."""


class _Choice(NamedTuple):
    """Rules of a state as one expression."""

    match: Matcher
    rules: dict[int, Rule]
    """By the last group that matches if it was this rule."""
    alone: Rule | None = None
    """The only rule, whatever its groups."""


def iter_tokens(lexer: Lexer, text: str) -> Iterator[tuple[Kind, str]]:
    """Yield the tokens that `lexer` finds in `text`, as they are, in order.

    Lexers that are more than a table of rules do it themselves: some, as that of C#, have
    several, by their options.
    """
    made = type(lexer)
    is_plain = made.get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed
    if is_plain and "_tokens" in vars(made):
        return _iter_by_rules(lexer, text)
    return ((kind, value) for _, kind, value in lexer.get_tokens_unprocessed(text))


def _iter_by_rules(lexer: Lexer, text: str) -> Iterator[tuple[Kind, str]]:
    """Yield tokens. Source: `RegexLexer.get_tokens_unprocessed` of Pygments 2.21."""
    at, states = 0, ["root"]
    lexer_class = type(lexer)
    choices = _choices(lexer_class, "root")
    while True:
        for find, rules, alone in choices:
            match = find(text, at)
            if match is None:
                continue
            matcher, action, change = alone or rules[match.lastindex or 0]
            if isinstance(action, tuple):
                yield action, match[0]
            elif action is not None and (own := matcher(text, at)):
                for _, kind, value in action(lexer, own):
                    yield kind, value
            at = match.end()
            if change is not None:
                _change(states, change)
                choices = _choices(lexer_class, states[-1])
            break
        else:
            if at >= len(text):
                return
            is_end = text[at] == "\n"
            yield Whitespace if is_end else Error, text[at]
            at += 1
            if is_end:
                states = ["root"]
                choices = _choices(lexer_class, "root")


def _change(states: list[str], change: object) -> None:
    """Change the stack of states as a rule says; one always stays on it."""
    if isinstance(change, int):
        del states[max(1, len(states) - abs(change)) :]
        return
    for state in cast(
        "tuple[str, ...]", change if isinstance(change, tuple) else (change,)
    ):
        if state == "#pop":
            del states[max(1, len(states) - 1) :]
        else:
            states.append(states[-1] if state == "#push" else state)


@lru_cache(maxsize=512)
def _choices(lexer_class: type[RegexLexer], state: str) -> list[_Choice]:
    """Return the rules of a state, joined where they can be, in order."""
    choices: list[_Choice] = []
    joined: list[Rule] = []
    tables = cast("dict[str, list[Rule]]", vars(lexer_class)["_tokens"])
    for rule in tables[state]:
        if _is_joinable(rule):
            joined.append(rule)
            continue
        choices += [*_join(joined, lexer_class.flags), _Choice(rule[0], {}, rule)]
        joined = []
    return [*choices, *_join(joined, lexer_class.flags)]


def _pattern(rule: Rule) -> re.Pattern[str] | None:
    pattern: object = getattr(rule[0], "__self__", None)
    is_pattern = isinstance(pattern, re.Pattern)
    return cast("re.Pattern[str]", pattern) if is_pattern else None


def _is_joinable(rule: Rule) -> bool:
    pattern = _pattern(rule)
    if pattern is None or pattern.flags & re.VERBOSE:
        return False
    return _NEEDS_OWN_NUMBERS.search(_part(pattern)) is None


def _part(pattern: re.Pattern[str]) -> str:
    """Return `pattern` as a part of a larger expression, where its flags are its own."""
    flags = _OWN_FLAGS.match(pattern.pattern)
    return f"(?{flags[1]}:{pattern.pattern[flags.end() :]})" if flags else pattern.pattern


def _join(rules: list[Rule], flags: int) -> Iterator[_Choice]:
    if len(rules) == 1:
        yield _Choice(rules[0][0], {}, rules[0])
    elif rules:
        patterns = [pattern for rule in rules if (pattern := _pattern(rule))]
        groups: dict[int, Rule] = {}
        number = 0
        for rule, pattern in zip(rules, patterns, strict=True):
            number += pattern.groups + 1
            groups[number] = rule
        # The empty group says which it was; behind the rule, since in front of it it would
        # keep `re` from skipping rules by their first character.
        joined = re.compile(
            "|".join(f"(?:{_part(pattern)})()" for pattern in patterns), flags
        )
        yield _Choice(joined.match, groups)
