"""What asks for a secret, and what answers: questions, commands, calls of tools, fields.

An answer says nothing by itself: `hunter7f` alone, below `op read op://prod/db/password`.
"""

from __future__ import annotations

import re
from itertools import chain, islice, product
from typing import TYPE_CHECKING, NamedTuple, cast

from everyleaf.records.text import as_object, as_text, content_blocks, iter_texts, said_in
from everyleaf.redact import commands, talk
from everyleaf.redact.arguments import iter_typed
from everyleaf.redact.commands import asks_for_secret, names_secret, reads_secrets
from everyleaf.redact.engine import may_have
from everyleaf.redact.examples import is_example
from everyleaf.redact.judging import is_answer, is_answer_too, is_unlisted_token
from everyleaf.redact.neighbours import is_told
from everyleaf.redact.texts import iter_opened, iter_strings
from everyleaf.redact.words import are_everyday, is_sentence
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from everyleaf.redact.texts import Nested


FILES = frozenset({"file_path", "filePath", "filename"})
"""Fields that name a file."""
_OUTPUTS = frozenset({"stdout", "stderr", "output", "blockingError", "result", "log"})
"""Fields that hold what the `command` beside them printed."""
_HELD_BY = names("content newString new_string oldString old_string originalFile")
"""Fields that hold what is in a file."""
_MOST_HELD = 100
"""Lines of a file of secrets; more are something else."""
_SECRET_ASKED = lazily(
    r"(?i)passw|passphrase|passcode|\bpin\b|token|secret|\bkey\b|credential|\bcode\b"
)
_NOT_ASKED = lazily(
    r"(?i)(?:\b(?:what|which|when|how|does|should|do|is|are)\b[^?.,(;]{0,60}?"
    r"|\A(?:\w+[ ]){0,2})\b(?:prefix|leds?|gpio|column|expir(?:es?|y)|ttl|length)\b"
)
"""Asks for something of a secret, and for none."""
_ONE_WORD = lazily(r"[!-~\xc0-\u024f]+")
"""What is no sentence of those who were asked in another language."""
_OF_HASHING = lazily(r"(?i)\bpassword[ ](?:hash|encrypt|storage)")
"""Asks how passwords are kept, and for none."""
_ASKED_BACK = lazily(r"[^\W\d_ ]+(?: [^\W\d_ ]+)*\?")
_OPENS = lazily(r"(?i)alarm|(?:dis)?arm_|lock|door|gate")
_OF_LOCKS = names("code pin passcode otp")
"""What a tool opens, and fields with digits that it takes for it."""
_CODE = lazily(r"\d{4,8}|[0-9a-f]{16,128}")
_SLASH = lazily(
    r"<command-name>/?[\w:-]*(?:login|auth|pass|token|secret|key)[\w:-]*</command-name>[^<]{0,80}"
    r"(?:<command-message>[^<]{0,80}</command-message>[^<]{0,80})?<command-args>([^<]{6,400})<"
)
_LONGEST_ANSWER, _MOST_STRINGS, _MOST_LINES = 200, 12, 12
_FIELD = lazily(r"(?i)passw|passphrase|passcode|\botp\b")
_NAMES_FIELD = lazily(
    r"(?i)(?:passw(?:or)?d|passwort|passphrase|passcode|(?<![a-z])pass|pwd|contrase\xf1a"
    r"|mot de passe|密码|パスワード)"
    r"(?:[ _-]?(?:field|input|box|textbox))*(?:[ ](?:in|of|on|for)[ ].{1,40})?\W*\Z"
)
"""What a field of passwords is called."""
_REF = lazily(r"\b(?:uid=|ref=|(?=ref_\d))(\w+)")
"""What a browser knows a field by."""
_TYPABLE = lazily(r"[^\n]{4,100}")
NAMING = ("key", "name", "selector", "element", "label", "field", "placeholder", "ref")
"""Fields that name what another holds."""
_LINE = lazily(r"[^\n]+")
_FENCED = lazily(r"\s{1,3}`{3}")
_PARTED = lazily(r"\r?\n[ \t>]*(?:`{3}|\r?\n)")
_TAGS = r"(?:</?[a-z][\w-]*>|\x1b\[[\d;]*m)*"
_WRAPPING = lazily(
    rf"Exit code \d+|<\w+>[\w ]{{0,12}}</\w+>|{_TAGS}|Output too large.*"
    rf"|Preview \(.*|\.\.\.|{_TAGS}@@ .*|[ \t>+]*\u203a.*"
    r"|### Result|[ \t>]*(?:`{3}[^`]*)?[ \t]*|\W+|gpg: .*"
)
"""A line that stands around what a command prints."""
_ALONE = lazily(
    r"(?:[^\n]{0,60}\d\d:\d\d:\d\d[.\d]*Z[ \t](?:\[\w+\][ \t])?)?[ \t>|+]*"
    rf"(?:\d{{1,6}}(?:→|\t)|=>[ ]|[0-9a-f]{{7,8}}:?[ ])?{_TAGS}"
    rf"(?:\{{[\"\\\w:, {{]*\"\\*:[ ]?\\*(?=\"))?[\"'`]?"
    r"([^\s\"]{6,4000}?|(?=[a-z ]*[A-Z\d])[A-Za-z\d]{4}(?:[ ][A-Za-z\d]{4}){3,7})"
    rf"(?:[\"'`]|\\*\"\}}[\"\\\w:,}}]*)?{_TAGS}[ \t\r]*"
)
"""A line that is one value."""
_PHRASES = lazily(
    r"\b(?:bip39|diceware|xkcdpass|passphrase|mnemonic|op[ ]read|(?:go)?pass[ ]show)\b"
    r"|\br?bw[ ]get\b"
)
_PHRASE = lazily(rf"[ \t>]*{_TAGS}([a-z]{{2,12}}(?:[ -][a-z]{{2,12}}){{2,23}}){_TAGS}\s*")
"""What prints words, and words in a line of their own."""
_FEW_WORDS = 3
"""Fewer blanks may part words that tell why there is none."""
_CELLS, _WORDS = lazily(r"[^|\t\u2502]+"), lazily(r"\S+")
_ROW = lazily(r"(?:[ \t]*\d+(?:→|\t))?[ \t>]*[|\u2502]")
_COMMAND = lazily(
    r"`([^`\n]{4,300})`|(?:^|>)[ \t]*(?:[\w.@~:/-]{1,60}[ ]?)?[$%\u276f][ ](.{4,300})"
    r"|^(?:PS[^>\n]{0,80}>|[\w().:]{2,40}[ ]?>|\[?[\w.-]+@[^#%$\n]{1,80}[#%$])[ ](.{4,300})"
    r"|^\[(.{4,300})\](?=:[ ])|<summary>(.{4,300})</summary>"
    r"|\b(?:output|result)s?[ ]of[ ](.{4,300}?)(?:[ ](?:is|was))?:[ ]*$"
    r"|\bwhat[ ](.{4,300}?)[ ](?:print|give|return|show|say)s?(?:[ ]\w+)?:[ ]*$"
)
"""A command that someone tells of."""
_BARE = lazily(
    rf"(?:^|\b(?:in|from|r[au]n|with)[ ])(?=.*(?:[ ]-|{commands.MAKING}))"
    r"([a-z][\w.-]+[ ].{4,300}?):?[ ]*$"
)
"""The same without a sign of it: a fence or an empty line follows."""
_PRINTS = lazily(
    r"`?\]?[ ]{0,2}(?:(?:it|and|which|that)[ ]|[ ])?"
    r"(?:prints?|printed|gives?|gave|returns?|returned|outputs?|says?|said|shows?|showed|is"
    r"|was|[:=→⇒]|[=-]>)"
    r":?[ ]{1,2}[\"'`*]{0,3}(\S{6,4000}?)[\"'`*]{0,3}[.,;]?\s*"
)
"""What is said behind a command of what it prints."""
_TYPED = lazily(r"<bash-input>([^<>\n]+)</bash-input>")
_RUNS_BEHIND = lazily(r"\bbackground with ID: ([\w-]+)")
_NAMED = "password:"
"""Stands for a call that names a secret, or makes one."""
_HELD = "file:"
"""Stands before a call that prints a file of secrets."""
_TYPING = "#"
_FIELDS = "##"
_SHELL = "!"
_BEHIND = "&"
"""Stand among the ids of calls for a field of passwords that was looked for or clicked at
last, in front of what such fields are known by, for a command that a person ran, and in
front of the ids of what runs in the background."""
_MAY_SHOW = (
    r"(?im)(?:`|[$%\x{276f}] |s? of |\bwhat |<summary>|^\[|^(?:PS[^>\n]*|[\w().:]+) ?> "
    r"|^\S+@[^\n]*# |(?:^| (?:in|from|r[au]n|with) )[a-z][\w.-]+ )"
    rf"[^\n]*(?:{commands.ASKING}|\.users?`)[^\n]*"
    r"(?:\n(?:[ \t>]*(?:`{3}\w*)?\r?\n){0,2}"
    r"(?:[ \t]*>[ \t]*)?(?:(?:=> )?\S+(?: +\S{8,})*|\{[^\n]*\}"
    r"|[^\n]*Z[ \t](?:\[\w+\][ ])?\S+|(?:<result>)?@@ [^\n]*|[ \t]+\x{203a}[^\n]*"
    r"|[ \t]*[a-z]+(?:[ -][a-z]+)+|[a-z\d]{4}(?: [a-z\d]{4}){3,7}|gpg: [^\n]*)[ \t\r]*$"
    r"|(?:`|\]:)(?: +\S+){1,4}[ \t\r]*$)"
)


class Alone(NamedTuple):
    """A value that stands alone in a text where someone asked for a secret."""

    text: str
    start: int
    end: int


class Chosen(Alone):
    """A password that a person was asked for: whatever it looks like."""


def iter_answers(
    raw: dict[str, object], calls: dict[str, str]
) -> Iterator[list[str] | Alone]:
    """Yield what answers what asks for a secret: alone, or both as texts of one text.

    A call and its result are two records, as are a question and its answer; `calls` has
    those of which no answer was seen.
    """
    yield from _iter_chosen(raw)
    for block in content_blocks(said_in(raw)):
        if said := as_text(block.get("text")):
            yield from iter_said(said, calls)
        elif thought := as_text(block.get("thinking")):
            yield from iter_said(thought, {**calls})
        if (asked := as_object(block.get("input"))) is not None:
            tool, call = str(block.get("name")), str(block.get("id"))
            yield from _iter_asked(tool, call, asked, calls)
        elif (of := as_text(block.get("tool_use_id"))) is not None:
            result = as_object(raw.get("toolUseResult")) or {}
            yield from _iter_result(of, result, block, calls)


def _iter_result(
    call: str, result: dict[str, object], block: dict[str, object], calls: dict[str, str]
) -> Iterator[list[str] | Alone]:
    """Yield what the result of a call tells that asked for a secret, if it did."""
    line = calls.pop(call, None)
    if not line and (command := as_text(result.get("command"))):
        line = _line_of([command]) or line  # Of what ran in the background.
    if line is None:
        return
    told = (
        *iter_texts(content_blocks(block.get("content"))),
        result.get("stdout"),
        (as_object(result.get("file")) or {}).get("content"),
        (as_object(result.get("task")) or {}).get("output"),
    )
    texts = [text for text in told if isinstance(text, str)]
    objects = [one for one in iter_opened([[*texts]]) if isinstance(one, dict)]
    texts += [inner for one in objects for inner in _outputs_of(one)]
    for text in texts:
        _keep_fields(text, calls)
        if line and (behind := _RUNS_BEHIND.search(text)) is not None:
            calls[f"{_BEHIND}{behind[1]}"] = line
    if any(len(text) <= _LONGEST_ANSWER and _FIELD.search(text) for text in texts):
        calls[_TYPING] = ""
    yield from _iter_told(line, texts)


def _outputs_of(fields: dict[str, object]) -> list[str]:
    return [one for key in sorted(_OUTPUTS) if (one := as_text(fields.get(key)))]


def iter_held(nested: Iterable[Nested]) -> Iterator[list[str] | Alone]:
    """Yield the values of a file of secrets in a record, and its lines below its name.

    Also what a command printed that stands beside it, as hooks tell.
    """
    for fields in iter_opened(nested):
        if isinstance(fields, dict):
            by = as_text(fields.get("command") or fields.get("cmd"))
            if by and (told := _outputs_of(fields)):
                yield from _iter_told(_line_of([by]), told)
            files = [f for key in (*FILES, "path") if (f := as_text(fields.get(key)))]
            if named := sorted(filter(names_secret, files)):
                head = re.sub("[-_.]+", " ", named[0].split("/")[-1].split(".")[0])
                for key, text in iter_strings(fields):
                    if "path" in fields and key not in _HELD_BY:
                        continue
                    yield from _iter_in(text)
                    yield from _iter_alone(text if key in _HELD_BY else "")
                    if text not in files:
                        yield [f"{head}:", text]


def _iter_in(text: str, start: int = 0, end: int | None = None) -> Iterator[Alone]:
    """Yield the values of a file of secrets that a part of a text holds."""
    if text.count("\n", start, end) <= _MOST_HELD:
        for first, last in iter_typed(text[start:end], is_held=True):
            yield Alone(text, start + first, start + last)


def iter_shown(text: str) -> Iterator[Alone]:
    """Yield the values that stand in a text behind a command that prints them. Linear."""
    if not may_have(_MAY_SHOW, text):
        return
    asked, is_file = "", False
    for line in _LINE.finditer(text):
        if is_file and ":" in line[0]:
            yield from _iter_in(text, *line.span())
            continue
        if _WRAPPING.fullmatch(line[0]):
            continue
        is_row = _ROW.match(line[0]) is not None
        values = _values_in(text, line, asked, is_row=is_row) if asked else []
        yield from _judged(text, values, is_answer)
        if values or (asked and is_row):
            continue
        asked, is_file = "", False
        for told in _COMMAND.finditer(line[0]):
            command = next(filter(None, told.groups()))
            is_file = " " not in command and names_secret(command)
            is_file = is_file and _FENCED.match(text, line.end()) is not None
            if not (is_file or asks_for_secret(command) or reads_secrets(command)):
                continue
            asked = "" if is_row else command  # No cell tells of those below.
            end = line.start() + told.end()
            if (value := _PRINTS.fullmatch(text, end, line.end())) is not None:
                yield from _judged(text, [(value, True)], is_answer)
                asked = ""
        if not asked and _PARTED.match(text, line.end()):
            bare = _BARE.search(line[0])
            asked = bare[1] if bare and asks_for_secret(bare[1]) else ""


def _values_in(
    text: str, line: re.Match[str], asked: str, *, is_row: bool = True
) -> list[tuple[re.Match[str], bool]]:
    """Return what is all of a line or, in a row, of its cells; whether it has one alone."""
    said = _PHRASES.search(asked) and _PHRASE.fullmatch(text, *line.span())
    if said and not (said[1].count(" ") < _FEW_WORDS and is_sentence(said[1])):
        return [(said, True)]
    parts = _WORDS if "pwgen" in asked else _CELLS if is_row else _LINE
    spans = [part.span() for part in parts.finditer(text, *line.span())]
    found = (_ALONE.fullmatch(text, *span) for span in spans)
    return [(value, len(spans) == 1) for value in found if value]


def _judged(
    text: str, values: list[tuple[re.Match[str], bool]], judge: Callable[[str], object]
) -> Iterator[Alone]:
    for value, is_alone in values:
        if " " in value[1] or (judge if is_alone else is_answer_too)(value[1]):
            yield Alone(text, *value.span(1))


def _iter_chosen(raw: dict[str, object]) -> Iterator[Alone]:
    """Yield what a person answered to a question for a secret, wherever it stands."""
    result = as_object(raw.get("toolUseResult")) or {}
    answers = as_object(result.get("answers")) or {}
    offered = {text for key, text in iter_strings(result) if key == "label"}
    for question, answer in answers.items():
        said = as_text(answer) or ""
        is_asked = talk.asks_for_password(question)
        if (said in offered or _NOT_ASKED.search(question)) or not (
            (is_asked and _ONE_WORD.fullmatch(said))
            or _SECRET_ASKED.search(question)
            or ("`" in question and asks_for_secret(question))
        ):
            continue
        if _OF_HASHING.search(question) and not is_asked:
            continue
        is_whole = is_answer(said)
        is_whole |= is_asked and (is_unlisted_token(said) or are_everyday(said))
        is_whole &= not talk.is_kept(said)
        is_whole |= _CODE.fullmatch(said) is not None
        values = [said] if is_whole else [*filter(is_told, said.split())]
        for value, (_, text) in product(values, iter_strings(raw)):
            if (at := text.find(value)) >= 0:
                yield Chosen(text, at, at + len(value))


def iter_said(said: str, calls: dict[str, str]) -> Iterator[list[str] | Alone]:
    """Yield what somebody says, or ran, gives away; `calls` keeps what it tells of."""
    question, _, tail = calls.pop(talk.ASKED, "").partition("\n")
    question = "" if talk.is_offered(said, tail) else question
    spans = talk.iter_talked(said, calls, is_asked=bool(question))
    talked = [Alone(said, *span) for span in spans]
    yield from talked
    may_answer = not (talked or _ASKED_BACK.fullmatch(said))
    if question and len(said) <= _LONGEST_ANSWER and may_answer:
        yield [question, said]
        if (span := talk.find_answer(said)) is not None:
            yield Alone(said, *span)
    if (slash := _SLASH.search(said)) is not None:
        yield from _iter_in(said, *slash.span(1))
        return
    if (typed := _TYPED.search(said)) is not None:
        if line := _line_of([typed[1]]):
            calls[_SHELL] = line
        return
    if (line := calls.pop(_SHELL, "")) and said.startswith("<bash-stdout>"):
        yield from _iter_told(line, [said])


def _keep_fields(text: str, calls: dict[str, str]) -> None:
    """Keep what a browser knows the fields of passwords by that it tells of."""
    if _REF.search(text) is None:
        return
    for known in [name for name in calls if name.startswith(_FIELDS)]:
        del calls[known]  # Of the page before.
    for line in text.split("\n"):
        if _FIELD.search(line) and ("textbox" in line or "input" in line):
            calls.update({f"{_FIELDS}{ref}": "" for ref in _REF.findall(line)})


def _iter_filled(asked: dict[str, object], calls: dict[str, str]) -> Iterator[Alone]:
    """Yield what is filled into fields of passwords: whatever it is."""
    lists = (cast("list[object]", one) for one in asked.values() if isinstance(one, list))
    forms = map(as_object, chain([asked], *lists))
    for form in filter(None, forms):
        typed = as_text(form.get("text")) or as_text(form.get("value")) or ""
        refs = (form.get("ref"), form.get("uid"))
        names = (as_text(form.get(name)) or "" for name in NAMING)
        is_password = any(f"{_FIELDS}{ref}" in calls for ref in refs) or any(
            map(_NAMES_FIELD.search, names)
        )
        if is_password and _TYPABLE.fullmatch(typed) and not is_example(typed):
            yield Alone(typed, 0, len(typed))


def _iter_asked(
    tool: str, call: str, asked: dict[str, object], calls: dict[str, str]
) -> Iterator[Alone]:
    """Yield what a call gives away itself, and keep what it asks for."""
    file = as_text(asked.get("file_path")) or ""
    yield from _iter_filled(asked, calls)
    are_known = any(name.startswith(_FIELDS) for name in calls)
    if calls.pop(_TYPING, None) is not None and not are_known:
        typed = as_text(asked.get("text")) or as_text(asked.get("value")) or ""
        yield from _iter_alone(typed)
    fields = [*islice(iter_strings(asked), _MOST_STRINGS)]
    texts = [text for _, text in fields]
    if any(map(_OPENS.search, texts)):
        codes = (text for key, text in fields if key in _OF_LOCKS and _CODE.fullmatch(text))
        yield from (Alone(text, 0, len(text)) for text in codes)
    if file:
        line = f"{_NAMED}\n" if names_secret(file) else ""
    else:
        line = _line_of([tool, *texts])
    for name in map(as_text, asked.values()):
        line = line or calls.get(f"{_BEHIND}{name}", "")
    if line or tool.startswith("mcp__"):  # A browser may tell of a field.
        calls[call] = line


def _line_of(texts: Sequence[str]) -> str:
    """Return what is kept of a call with these texts; empty: it asks for no secret."""
    line = next((one for text in texts if (one := commands.printing_line(text))), "")
    if any(map(asks_for_secret, texts)):
        line = f"{_NAMED}\n{line}"
    return f"{_HELD}{line}" if any(map(reads_secrets, texts)) else line


def _iter_told(line: str, told: list[str]) -> Iterator[list[str] | Alone]:
    """Yield what a result tells, if something was kept of its call."""
    is_held = line.startswith(_HELD)
    line = line.removeprefix(_HELD)
    asked = line.removeprefix(f"{_NAMED}\n")
    for text in told:
        if is_held:
            yield from chain(_iter_in(text), _iter_alone(text))
        if asked != line:
            yield from _iter_alone(text, asked)
        if asked:
            yield [asked, text]


def _iter_alone(text: str, asked: str = "") -> Iterator[Alone]:
    """Yield the values of an answer that stand alone in its lines, or in cells of one."""
    lines = (line for line in _LINE.finditer(text) if not _WRAPPING.fullmatch(line[0]))
    few = list(islice(lines, _MOST_LINES + 1))
    if len(few) > _MOST_LINES:
        return
    judge: Callable[[str], object] = is_answer if len(few) == 1 else is_answer_too
    if "oathtool" in asked:
        judge = _CODE.fullmatch
    for line in few:
        yield from _judged(text, _values_in(text, line, asked), judge)
