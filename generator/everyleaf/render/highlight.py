"""Source code and terminal output as HTML: a class for each look, never a style.

Rich reads the colours of a terminal. What writes HTML of such output (`ansi2html`, rich
itself) gives each of the 16 million a style of its own, which our content security policy
forbids and no theme can keep readable in light and dark; here each becomes the nearest of
sixteen. Of progress bars the last state is shown.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from markupsafe import escape
from pygments import token as tokens
from pygments.lexer import Lexer, RegexLexer
from pygments.lexers import find_lexer_class, get_all_lexers

from everyleaf.records.text import ESCAPES
from everyleaf.theming.formats import visible

if TYPE_CHECKING:
    from rich.style import Style

Run = tuple[str, str]
"""Characters of one look, none of them a control character, and its CSS classes."""
Listed = tuple[str, Sequence[str], Sequence[str], Sequence[str]]
"""Of a lexer: name, aliases, patterns of file names, media types."""

LONGEST_CODES = 200
"""Characters of a sequence that sets colours; a longer one is nonsense."""

_SPECIAL = re.compile("[&<>]")
_SHORT = {"k": "b", "c": "i"}
"""Elements of the commonest: a `span` with a class took a sixth of a long page."""


def terminal_runs(text: str) -> list[Run]:
    """Return what a terminal would show of `text`, in runs.

    Of a line that carriage returns rewrote, only the last state stays; escape sequences
    other than colours and styles are dropped. Linear in `text`.
    """
    shown = text
    if "\r" in text:
        lines = (line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n"))
        shown = "\n".join(lines)
    if "\x1b" not in shown and "\x9b" not in shown:
        plain = visible(shown)
        return [(plain, "")] if plain else []
    return list(_iter_runs(shown))


def plain_text(runs: Iterable[Run]) -> str:
    """Return the characters of `runs` alone."""
    return "".join(text for text, _ in runs)


def slice_runs(runs: Iterable[Run], start: int, end: int) -> Iterator[Run]:
    """Yield what stands between two offsets of the plain text."""
    at = 0
    for text, classes in runs:
        piece = text[max(start - at, 0) : max(end - at, 0)]
        if piece:
            yield piece, classes
        at += len(text)


def render_runs(runs: Iterable[Run]) -> str:
    """Return `runs` as HTML."""
    drawn = (
        (escaped(text), tags(classes) if classes else ("", "")) for text, classes in runs
    )
    return "".join(f"{begin}{text}{end}" for text, (begin, end) in drawn)


def escaped(text: str) -> str:
    """Return `text` as HTML for between tags, where quotes need no escape."""
    return html.escape(text, quote=False) if _SPECIAL.search(text) else text


@lru_cache(maxsize=256)
def tags(css_classes: str) -> tuple[str, str]:
    """Return what begins and ends an element of these classes."""
    if element := _SHORT.get(css_classes):
        return f"<{element}>", f"</{element}>"
    quote = '"' * (" " in css_classes)
    return f"<span class={quote}{css_classes}{quote}>", "</span>"


def _iter_runs(shown: str) -> Iterator[Run]:
    # Few outputs have colours, and rich takes longer to import than all of them to read.
    from rich.ansi import AnsiDecoder  # noqa: PLC0415

    decoder = AnsiDecoder()
    begun, classes = "", ""
    at = 0
    for found in ESCAPES.finditer(shown):
        begun += visible(shown[at : found.start()])
        at = found.end()
        if found["final"] == "m" and len(found["codes"]) <= LONGEST_CODES:
            decoder.decode_line(f"\x1b[{found['codes'].replace(':', ';')}m")
            changed = _classes(decoder.style)
            if changed != classes and begun:
                yield begun, classes
                begun = ""
            classes = changed
    begun += visible(shown[at:])
    if begun:
        yield begun, classes


def _classes(style: Style) -> str:
    """Return the names of the CSS classes of `style`, with blanks between."""
    from rich.color import ColorSystem  # noqa: PLC0415

    colours = [
        f"{kind}{colour.downgrade(ColorSystem.STANDARD).number}"
        for kind, colour in (("ink", style.color), ("paper", style.bgcolor))
        if colour is not None and not colour.is_default
    ]
    flags = {
        "bold": style.bold,
        "dim": style.dim,
        "inverse": style.reverse,
        "italic": style.italic,
        "struck": style.strike,
        "under": style.underline,
    }
    return " ".join([*colours, *(name for name, is_on in flags.items() if is_on)])


MAX_LINES = 200
MAX_CHARS = 20_000
MAX_LINE_CHARS = 2_000
"""Beyond any of these, text stays plain: nobody reads it in colour, and lexers are slow."""
WIDE = 80
"""Characters of a line that may not fit the page: its block can be reached by keyboard."""
NARROW = 40
"""Characters of a line that may not fit a phone."""
FEW_LINES = 4

_EXPLICIT_BONUS = 0.5
"""What Pygments adds to the priority of a pattern without a star."""
_KINDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "c": (tokens.Comment, tokens.Generic.Prompt),
    "k": (tokens.Keyword, tokens.Operator.Word),
    "s": (tokens.String,),
    "m": (tokens.Number, tokens.Keyword.Constant, tokens.Name.Constant),
    "f": (tokens.Name.Function, tokens.Name.Decorator),
    "t": (tokens.Name.Class, tokens.Name.Exception, tokens.Name.Tag),
    "b": (tokens.Name.Builtin, tokens.Name.Attribute, tokens.Name.Variable),
    "gd": (tokens.Generic.Deleted,),
    "gi": (tokens.Generic.Inserted,),
    "gh": (tokens.Generic.Heading, tokens.Generic.Subheading),
}
_CLASSES = {kind: css_class for css_class, kinds in _KINDS.items() for kind in kinds}
"""What the theme tells apart; other tokens get no element, which halves the HTML."""


def code_block(text: str, language: str = "", *, first_line: int | None = None) -> str:
    """Return `text` (visible characters only) as a `pre`; `first_line` numbers its lines.

    The text of the element equals `text`, but for a last line break.
    """
    text = text.removesuffix("\n")
    drawn = highlight(text, language)
    if first_line is None:
        return framed(drawn, text, language)
    numbered = "".join(
        f"<i data-n={number}>{line}\n</i>"
        for number, line in enumerate(drawn.split("\n"), first_line)
    )
    return framed(numbered, text, language, extra_class="numbered")


def framed(drawn: str, text: str, language: str = "", *, extra_class: str = "") -> str:
    """Return `drawn`, the HTML of `text`, in a frame.

    A few wide lines are wrapped, as they are mostly sentences; more of them are scrolled,
    for which the frame takes the focus.
    """
    lines = text.split("\n")
    width = max(map(len, lines))
    is_few = len(lines) <= FEW_LINES
    classes = f"code {extra_class}".strip() + " wrapped" * (is_few and width > NARROW)
    label = f' data-lang="{escape(language)}"' if language.isidentifier() else ""
    focus = " tabindex=0" if width > WIDE and not is_few else ""
    return f'<pre class="{classes}"{label}{focus}><code>{drawn}</code></pre>\n'


def highlight(text: str, language: str) -> str:
    """Return `text` as HTML, in colour where `language` is known and the bounds allow it.

    `language` is the name of a lexer or of a file. The text of the HTML equals `text`; no
    element spans two lines.
    """
    is_plain = not language or not _is_small(text)
    return escaped(text) if is_plain else _highlight(text, language)


def highlight_lines(text: str, language: str) -> list[list[Run]]:
    """Return each line of `text` in runs of one colour, as `highlight` draws them."""
    pieces = _pieces(text, language) if language and _is_small(text) else [("", text)]
    lines: list[list[Run]] = [[]]
    for css_class, value in pieces:
        first, *others = value.split("\n")
        lines[-1].append((first, css_class))
        lines += [[(other, css_class)] for other in others]
    return [[run for run in line if run[0]] for line in lines]


def _is_small(text: str) -> bool:
    if len(text) > MAX_CHARS or text.count("\n") >= MAX_LINES:
        return False
    return max(map(len, text.split("\n"))) <= MAX_LINE_CHARS


@lru_cache(maxsize=256)
def _highlight(text: str, language: str) -> str:
    pieces = _pieces(text, language)
    return "".join([_element(css_class, value) for css_class, value in pieces])


def _pieces(text: str, language: str) -> list[tuple[str, str]]:
    """Return `text` cut where its class changes, as (class, text), or whole.

    Whole where there is no lexer, or where one finds another text.
    """
    lexer = _lexer(language)
    if lexer is None:
        return [("", text)]
    pieces: list[tuple[str, str]] = []
    before, values = "", list[str]()
    known: dict[tuple[str, ...], str] = {}
    for kind, value in iter_tokens(lexer, text):
        css_class = known.get(kind)
        if css_class is None:
            css_class = known[kind] = _css_class(kind)
        if css_class != before:
            pieces.append((before, "".join(values)))
            before, values = css_class, []
        values.append(value)
    pieces.append((before, "".join(values)))
    is_same = "".join([value for _, value in pieces]) == text
    return pieces if is_same else [("", text)]


def _element(css_class: str, value: str) -> str:
    """Return `value` in one element a line, so that lines can be told apart afterwards."""
    drawn = escaped(value)
    if not css_class:
        return drawn
    begin, end = tags(css_class)
    return "\n".join(f"{begin}{line}{end}" if line else "" for line in drawn.split("\n"))


@lru_cache(maxsize=256)
def _css_class(kind: tuple[str, ...]) -> str:
    ancestors = (kind[:length] for length in range(len(kind), 0, -1))
    return next((_CLASSES[kind] for kind in ancestors if kind in _CLASSES), "")


@lru_cache(maxsize=1024)
def _lexer(language: str) -> Lexer | None:
    lexer_class = find_lexer(language)
    return lexer_class() if lexer_class else None


class _Lexers(NamedTuple):
    """The names of all lexers by what may lead to them."""

    aliases: Mapping[str, str]
    endings: Mapping[str, Sequence[str]]
    """By what follows the star of a pattern such as `*.py`."""
    patterns: Sequence[tuple[str, str]]
    """(pattern, lexer) of all others."""


def find_lexer(language: str) -> type[Lexer] | None:
    """Return the lexer for a name, else for a file's name; None where there is none.

    It is what Pygments says, which itself compares a file's name with every pattern of
    every lexer, a millisecond a name, and looks for plug-ins each time: what is installed
    must not change a site. None guesses from the text.
    """
    lexers = _lexers()
    alias = lexers.aliases.get(language.lower())
    if alias is not None:
        return find_lexer_class(alias)
    file = language.rpartition("/")[2]
    rated = [
        (lexer.priority + bonus, lexer.__name__, lexer)
        for name, bonus in _iter_fitting(lexers, file)
        if (lexer := find_lexer_class(name)) is not None
    ]
    return max(rated, key=lambda one: one[:2])[2] if rated else None


def _iter_fitting(lexers: _Lexers, file: str) -> Iterator[tuple[str, float]]:
    """Yield the names of the lexers with a pattern that `file` fits, each with a bonus."""
    at = file.find(".")
    while at >= 0:
        for name in lexers.endings.get(file[at:], ()):
            yield name, 0
        at = file.find(".", at + 1)
    for pattern, name in lexers.patterns:
        if fnmatchcase(file, pattern):
            yield name, 0 if "*" in pattern else _EXPLICIT_BONUS


@lru_cache(maxsize=1)
def _lexers() -> _Lexers:
    aliases: dict[str, str] = {}
    endings: defaultdict[str, list[str]] = defaultdict(list)
    patterns: list[tuple[str, str]] = []
    for listed in get_all_lexers(plugins=False):
        name, own, files, _ = cast("Listed", listed)
        for alias in own:
            aliases.setdefault(alias, name)
        for pattern in files:
            if pattern.startswith("*.") and not set(pattern[1:]) & set("*?["):
                endings[pattern[1:]].append(name)
            else:
                patterns.append((pattern, name))
    return _Lexers(aliases, endings, patterns)


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
    """Yield the tokens that `lexer` finds in `text`, in two fifths of its time.

    A lexer tries the rules of a state one after the other, forty matches a token. Here the
    rules of a state are one expression, whose groups tell which of them it was: 0.7 s
    instead of 1.6 of the 6.5 s of CPU that the pages of 38 MB of sessions take. Lexers that
    are more than a table of rules do it themselves: some, as that of C#, have several, by
    their options.
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
            yield tokens.Whitespace if is_end else tokens.Error, text[at]
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
