"""Codes and words that open an account or a device: PINs, recovery codes, seeds, phrases.

My PIN is …            digits behind a name, to which words only lead on
Backup codes: …, …     a list of what is alike, or one of them
Seed phrase: …         twelve words and more
"""

from __future__ import annotations

import re
from itertools import groupby, islice, takewhile
from typing import TYPE_CHECKING

from everyleaf.redact import any_of, text_of, words
from everyleaf.redact.contexts import written
from everyleaf.redact.engine import compile_pattern
from everyleaf.redact.examples import PIECES
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.redact.views import View

_PIN = f"(?:{written(any_of('codes'), PIECES)})"
"""What is called a PIN, and its like."""
_DIGITS = r"\d{4,9}|[A-Z]\d{4,6}|\d{4}[ABK]|\d\d[A-FK]\d\d|\d(?:[ ]\d){3,7}|\d(?:-\d){3,8}|[LR]\d\d?(?:[ ,-]{1,2}[LR]\d\d?){2,3}|\d{5}-\d{5}|\d{4}(?:[ ]\d{4}){3,4}|[A-Z\d]{4}(?:-[A-Z\d]{4}){2,4}|(?=[A-Z-]*\d)(?=[\d-]*[A-Z])(?:[A-Z\d]{3,6}(?:-[A-Z\d]{3,6}){1,4}|[A-Z\d]{7,12})|\d{3}[ -]\d{3}|(?:\d\d[ -]){2,3}\d\d|\d{4}-\d{3}-\d{4}|(?:[013-9]\d|2[1-9])\d\d-\d{4}|\d{3}-\d\d-\d{3,4}"
_LISTABLE = r"(?!GPIO)(?:\d{4}[ -]\d{4}|\d{5}-\d{5}|\d{4,9}|(?=[A-Z-]*\d)(?=[\d-]*[A-Z])(?:[A-Z\d]{3,6}(?:-[A-Z\d]{3,6}){1,4}|[A-Z\d]{6,12})|[A-Z\d]{8})(?![\w%-])"
SIGNS = (
    rf"(?:^|[^a-z]){_PIN}(?:[^a-z\d][^\n\d]{{0,40}}(?:\d{{2,3}}[ A-FK-]?\d\d|\d[ -]\d[ -]\d|(?-i:[LR]\d\d?[ ,-]|[A-Z]{{1,5}}[\d-][A-Z\d]|\d[A-Z]))|[ ]?(?:is|are|from[ ]your[ ][\w ]{{2,20}})?[.:?]?[ ]*\r?$)",
    r"\b\d{4,8}[^\n\d]{1,24}(?:pin|puk|tan|2fa|otp|cod|kod|verif|ssn|social|door|box|garage|combination|geheim|adb|signal|palavra|laluan|sandi|parol|parool|geslo|tunnus|contrase|has.?o|mdp|lozin|senha|wachtw|adgang|passord|salasana|heslo|clave|passe|phrase|frase|passwort|kennwort|[^\x00-\x7f])",
)
"""What is in each line that digits are looked for in; all names twice would compile slowly."""
_NAMES = rf"(?i)(?:^|[^a-z])({_PIN})(?:[^a-z]|$)"
_BEHIND = lazily(
    rf"([^\d\n]{{0,40}}(?:\+\d{{6,15}}(?:[ ][a-z]{{2,4}}|:)[ ])?(?:\n[ \t>*`]{{0,12}}(?:\w{{1,12}}:[ ])?){{0,2}})(?:#(?=\d+\*)|(?<![\w.#$€£/-]))({_DIGITS})(?![\w%\t→]|[.:/,-]\d)",
    re.ASCII,
)
_IN_FRONT = lazily(
    rf"(?<![\w.#$€£/-])(?:G-)?(?:({_DIGITS})[\"'`*\u201d]{{0,3}},?(?:[ ](?:is|as|for|to|use|the|your|my|our|that|this|ist|est|es|\w+['\u2019]s|google|github)){{1,5}}[ ]|(\d{{6}})[ ]\()\Z",
    re.IGNORECASE | re.ASCII,
)
_TELLS = lazily(
    r"[:=]|\.{3}|[ ]\|[ ]|\">|\b(?:is|was|are|ist|lautet|est|es|\xe9|\xe8|\xe4r|be|to|jest|on|er|takes|says)\b|[^\W\x00-\u024f]|[ ][\u2013\u2014][ ]"
)
"""What says that a code follows: to pin a version `to` one, or `(pin) → 18`, does not."""
_SPEAKER = lazily(
    r"[ ][\w-]{2,14}(?:nya|ku|mu)\b|(?:[ ]from[ ]your[ ][\w ]{2,20}[.?])?\n\w{1,12}:[ ]|[ ](?:they|you|he|she|we)[ ](?:just[ ])?(?:sent|gave|texted|told|showed|set|chose)(?:[ ](?:me|us|you))?(?=:|[ ]is)|\+\d+|[ ]\([a-z][a-z ]{1,24}\)(?=:)|[ ]for[ ](?:my|our)[ ]\w+(?=[ ]\Z)|[ ]from[ ](?:the|my|our)[ ]\w+(?=:)|[\"'\\]{1,4}(?:\)?\.(?:fill|type|send_?keys)\(|,[ ]?)(?=[\"'\\]+\Z)"
)
_LEADS = lazily(r"(?:[ ][^\W\d]{1,14}){1,4}[ ](?:is|ist|lautet|est|es|\xe8|\xe9|jest)[ ]")
"""Of what the code is, and that it is."""
_VERB = lazily(r"[ ]to\b|[→)]")
_UNIT = lazily(
    r"\d[ ](?:ms|s|sec\w*|min\w*|hours?|days?|bytes?|bits?|char\w*|digits?|px|times|users?|requests?|attempts?|rows?|lines?|rounds?|iterations|tokens?|x)\b"
)
_FARTHEST = 60
_LONGEST_PHRASE = 180
RECOVERY = r"(?:(?:recovery|backup|back-up|guard|rescue|scratch|emergency|reserve|fallback|single-use|one-time|2fa|mfa|restore)[ _-]?codes?|codes?[ ]de[ ](?:secours|r\x{e9}cup\x{e9}ration|sauvegarde)|c(?:\x{f3}|o)digos?[ ]de[ ](?:recupera|respaldo|backup|emerg|reserva)|codic[ei][ ]di[ ](?:recupero|backup|emergenza|ripristino)|(?:wiederherstellungs|notfall|ersatz|sicherungs)-?codes?|резервны[ей][ ]код|код[ыа]?[ ]восстановления|(?:备用|恢复|备份|備用)(?:验证|代)?[码碼]|(?:バックアップ|リカバリー?|復旧|回復)コード|(?:백업|복구)[ ]?코드|kody[ ](?:zapasowe|odzyskiwania)|(?:yedek|kurtarma)[ ]kod|herstelcodes?|\x{e5}terst\x{e4}llningskod|(?:freischalt|aktivierungs)code|activation[ ]code|code[ ]d.activation|c(?:\x{f3}|o)digo[ ]de[ ](?:activaci\x{f3}n|ativa\x{e7}\x{e3}o)|codice[ ]di[ ]attivazione|kod[ ]aktywacyjny|код[ ]активации|激活[码碼]|activeringscode|aktiveringsko[dt]e?|aktivasyon[ ]kodu|(?:save|keep|store|print|write[ ]down)[ ](?:these|those|the[ ]following)[ ](?:\w+[ ])?codes)"
"""What codes are called that open an account when nothing else does."""
LISTED = rf"(?:^|[^\w-])(?:{any_of('listed')})\b"
"""What stands above a list of what opens something."""
_LISTED = lazily(rf"{LISTED}[^\n]{{0,60}}\n", re.IGNORECASE)
_CELL = lazily(_LISTABLE)
_ROW_OF_LIST = lazily(
    r"[ \t>*|\u2022\d.)\u2192-]{0,12}?(?:[^\W\d][^\n\d]{0,40}?[ :=|,;\t\u2013-]{1,4})?"
    rf"({_LISTABLE}(?:[ |,;\t]+(?:\d\d?[.)][ ])?{_LISTABLE})*)(?:[ ][(\u2013-][^\n]{{0,40}})?[ \t|]*(?:\n|\Z)"
)
_RECOVERY = lazily(
    re.sub(r"\\x\{(..)\}", lambda found: chr(int(found[1], 16)), RECOVERY), re.IGNORECASE
)
_TO_FIRST = lazily(
    r"[:=\[\n({\uff1a\u300c]|\b(?:are|is|were|was|sind|ist|lauten|sont|est|son|es|s\xe3o|\xe9|sono|\xe8|zijn|use|code)\b"
)
"""Behind what the first one may stand."""
_FARTHEST_FIRST = 80
_BETWEEN = r"(?:\[[x ]\][ ]|\x1b\[[\d;]*[mK]|\d{1,4}(?:\u2192|[.)|:\t])|\b(?:and|or|und|oder|y|et|e|i|и)[ ]|[\s\"'`,>|+\u2502*/\u00b7\u2022\u3001\[({-])*"
_CODE = lazily(
    rf"{_BETWEEN}([A-Za-z0-9]{{4,12}}(?:[ -][A-Za-z0-9]{{4,12}}){{1,3}}|[A-Za-z0-9]{{8,16}}|[0-9a-f]{{32,64}})"
    r"(?=[\s\"'`,.;/|\u2502\])}<\x1b\u3001\u3002]|\Z)"
)
_ONE = lazily(
    r"(?:[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,3}|[a-z0-9]{8,12}|[0-9a-f]{32,64}|\d{4,8}(?:[ ]\d{4,8})+)"
    r"(?:[ ](?:[a-z0-9]{4,8}-[a-z0-9]{4,8}|[a-z0-9]{8,12}))*",
    re.IGNORECASE,
)
"""One that is told, or some with a blank between them."""
_CODED = lazily(r".*\d.*|[A-Z]+(?:-[A-Z]+){2,}")
_FEWEST_CODES = 3
_MOST_CODES = 40
SEEDS = r"mnemonics?\b|frase[ ](?:de[ ]recupera|semilla|semente)|助[记記][词詞]|シードフレーズ|\bshamir\b|(?:seed|recovery|secret|wallet|backup)(?:[ _-]?|\.from_?)(?:phrase|words|w\S{1,2}rter)\b|\bseed\b[^\n]{0,12}[:=]|\b(?:wallet|my|our)[ ]seed\b|cipher[ ]seed\b|\b(?:12|24)[ -]words?\b"
_OF_SEED = r"(?i)(?:(?:seed|mnemonics?|frase[ ](?:de[ ]recupera\S{2,4}|semilla|semente)|shamir|(?:recovery|secret|wallet|backup)(?:[ _-]?|\.from_?)(?:phrase|words|w\S{1,2}rter)|\b(?:12|24)[ -]words?)\b|助[记記][词詞]|シードフレーズ)"
_SEED = lazily(
    rf"{_OF_SEED}[^\n]{{0,80}}?(?:\n\w{{1,12}}:[ ]|[:\uff1a=\[\n\"']|\b(?:is|are|was)\b.)"
)
_BETWEEN_WORDS = r"(?:[\s\"'`,<>(|+*\u201c\u201e\u2502\u300c\uff1a=:\[-]|\\[nt\"]|\d{1,2}[.):\u2192\t ]){1,24}"
_SEED_WORDS = lazily(
    rf"{_BETWEEN_WORDS}([a-z]{{3,8}}(?:{_BETWEEN_WORDS}[a-z]{{3,8}}){{11,23}})(?![A-Za-z_])"
)
_NO_SEED = lazily(r"\b(?:and|are|for|from|has|not|the|was|with|your)\b")
"""Words of prose that are in no list of the words that wallets know."""
_WORD = lazily(r"[a-z]{3,8}")
WORDS = r"(?:[a-z]{3,8},?[ ]){11,}[a-z]{3,8}"
"""Twelve words in a row, as those of wallets stand where nothing names them."""
_ROW = rf"(?:\\[nrt]|\b)({WORDS})"
NUMBERED = r"(?:^|[^\w.])\d[.)][ ]?[a-z]{3,8}(?:[ ]\d\d?[.)]|(?m:$))"
"""Words in an order that numbers tell."""
_WALLET = lazily(r"(?i)wallet|seed|mnemonic|metamask|ledger|recovery")
_NUMBERED = lazily(r"\W?(?:\d?\d[.)][ ]?[a-z]{3,8}(?:\s{1,3}|\Z)){6,24}")
_OF_WALLETS = names(text_of("seeds"))
"""The words of BIP 39: no sentence has twelve of them in a row, and no others."""
_FEWEST_WORDS = 12

_PHRASE = lazily(
    r"(?:[^\n]{1,80}?|[^\n]{0,80}:[ ]?\r?\n[ \t>]*)((?:\b[a-z]|(?<=[\"'`\u201c])[A-Z])[a-z]{2,9}\d{0,4}[ ](?:(?:[a-z]{3,10}\d{0,4}|\d{1,3})[ ]){2,8}(?:[a-z]{3,10}\d{0,4}|\d{1,3}))(?=[.,;!?\"'`*\u201d\u00bb\u300d)]|[ ][(\u2013\u2014]|</|[ \t\u00a0]*(?:\u00bb|\r?\n|\Z))"
)
_OF_PHRASE = lazily(r"(?i)(?:phrase(?:[ ]\w+)?|frase[ ]de[ ]\w+|zin|фраз\w)\Z")
_FEWEST_PHRASE = 4


def iter_digits(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where digits stand that a name says to open something, and their kind."""
    text = view.text
    for found in compile_pattern(_NAMES).finditer(view.body):
        start, at = view.span(*found.span(1))
        before = max(start - _FARTHEST, text.rfind("\n", 0, start) + 1)
        for said in (
            _BEHIND.match(text, at, at + _FARTHEST),
            _IN_FRONT.search(text, before, start),
        ):
            if said is None:
                continue
            first, last = said.span(said.lastindex or 0)
            gap = _SPEAKER.sub("\n:", text[at:first]) if first > at else "is"
            leads = words.leads_on(gap) or _LEADS.fullmatch(gap)
            is_told = leads is not None and (
                _TELLS.search(gap) or (gap and not gap.strip(" #\u3000\"'`*\u201c\u201e"))
            )
            is_told = is_told and ("\n" not in gap or ":" in gap)
            is_mine = text.endswith(("my ", "our "), 0, start)
            is_verb = text[start:at] == "pin" and not is_mine
            is_told = is_told and not (_VERB.match(gap) and is_verb)
            is_told = is_told and not text.endswith(("zip ", "postal ", "post "), 0, start)
            if is_told and len({*text[first:last]}) > 1 and not _UNIT.match(text, last - 1):
                yield first, last, "password"


def iter_phrase(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield where, behind a name, four words and more stand that are no sentence."""
    found = _PHRASE.match(text, at, at + _LONGEST_PHRASE)
    if found is None:
        return
    parts = found[1].split(" ")
    while parts and parts[0] in words.LEADING:
        del parts[0]
    start = found.end(1) - len(" ".join(parts))
    gap = text[at:start]
    is_whole = found.end() in {len(text), text.find("\n", start)}
    is_row = phrase_length(parts, digits=True) == len(parts)
    if is_whole and is_row and gap.rstrip()[-1:] == ":":
        yield start, found.end(1)
        return
    is_bare = gap == " " and _OF_PHRASE.search(text, max(at - _FARTHEST, 0), at)
    is_told = words.has_sign(gap) or is_bare or gap in {" '", ' "', ", its ", ", it's "}
    if len(parts) >= _FEWEST_PHRASE and words.leads_on(gap) and is_told:
        said = sum(words.is_listed(w) or w.endswith(("ed", "ing", "ly")) for w in parts)
        is_prose = gap[-1:] == " " and words.is_sentence(" ".join(parts))
        is_prose |= gap == " " and not all(map(words.is_english, parts))
        is_prose |= _UNIT.search(found[1]) is not None
        if said <= 1 and words.LEADING.isdisjoint(parts) and not is_prose:
            yield start, found.end(1)


def phrase_length(parts: list[str], *, digits: bool = False) -> int:
    """Return with how many words a passphrase begins that a sentence goes on behind.

    >>> phrase_length("gravel otter melon dusk as the new one".split())
    4
    """
    row = [*takewhile(lambda p: (digits and p.isdigit()) or _is_remembered(p), parts)]
    abroad = (words.is_abroad(part.lower()) for part in row if not words.is_english(part))
    is_row = len(row) >= _FEWEST_PHRASE and sum(abroad) * 2 <= len(row)
    return len(row) if is_row else 0


def _is_remembered(word: str) -> bool:
    is_usual = words.is_common(word) or word.lower().endswith(("ed", "ing", "ly", "ion"))
    return word.isascii() and words.is_unusual(word) and not is_usual


def iter_lists(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where recovery codes and seed phrases stand, and the kind of each. Linear."""
    text, at = view.text, 0
    heads = [*view.found(f"(?i){RECOVERY}", _RECOVERY)]
    starts = [*(head.start() for head in heads), len(text)]
    for number, head in enumerate(heads, 1):
        if head.start() < at:
            continue
        codes = _codes_behind(text, head.end(), starts[number])
        at = codes[-1][1] if codes else at
        yield from ((*code, "recovery-code") for code in codes)
    yield from _iter_numbered(view)
    for head in view.found(f"(?i){LISTED}", _LISTED):
        rows = [*_iter_run(text, head.end(), _ROW_OF_LIST)]
        for row in rows if len(rows) > 1 else ():
            for cell in _CELL.finditer(text, *row.span(1)):
                if is_code(cell[0]):
                    yield *cell.span(), "password"
    for head in view.found(_OF_SEED, _SEED):
        parts = _SEED_WORDS.match(text, head.end() - 1)
        prose = parts and _NO_SEED.search(text, parts.start(1), parts.end())
        end = prose.start() if prose else parts.end() if parts else 0
        if (
            parts is not None
            and len(_WORD.findall(text, parts.start(1), end)) >= _FEWEST_WORDS
        ):
            yield parts.start(1), end, "seed-phrase"


def iter_phrases(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where twelve words of wallets and more stand in a row, named or not. Linear."""
    for row in compile_pattern(_ROW).finditer(view.body):
        at, end = row.span(1)
        parts = view.body[at:end].decode().split(" ")
        if sum(map(_is_of_wallet, parts)) < _FEWEST_WORDS:
            continue
        at, _ = view.span(at, end)
        for is_known, group in groupby(parts, _is_of_wallet):
            said = [*group]
            start, at = at, at + len(" ".join(said)) + 1
            # Those of the list itself are printed in its order.
            if is_known and len(said) >= _FEWEST_WORDS and said != sorted(said):
                yield start, at - 1, "seed-phrase"


def is_code(value: str) -> bool:
    """Judge what stands in a list or a column of codes: digits, large letters, no word."""
    is_word = value.isalpha() and words.is_english(value.lower())
    return _CELL.fullmatch(value) is not None and not is_word


def _iter_numbered(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where words of wallets stand in a numbered list, six and more."""
    for row in view.found(NUMBERED, _NUMBERED):
        parts = [*_WORD.finditer(view.text, *row.span())]
        known = sum(part[0] in _OF_WALLETS for part in parts)
        is_whole = len(parts) >= _FEWEST_WORDS and known * 4 >= len(parts) * 3
        before = max(row.start() - _LONGEST_PHRASE, 0)
        is_named = _WALLET.search(view.text, before, row.start()) is not None
        if is_whole or (is_named and known == len(parts)):
            yield parts[0].start(), parts[-1].end(), "seed-phrase"


def _is_of_wallet(word: str) -> bool:  # A comma may part it from the next one.
    return word.rstrip(",") in _OF_WALLETS


def _codes_behind(text: str, at: int, stop: int) -> list[tuple[int, int]]:
    """Return where codes stand behind their name: several, or one that is told.

    What leads to the first stands in front of `stop`, where the next name begins.
    """
    end = text.rfind("\n", at, at + _FARTHEST_FIRST) + 1 or at + _FARTHEST_FIRST
    end = min(end, stop)
    opens = (found.end() for found in _TO_FIRST.finditer(text, at, end))
    for start in (at, *opens):
        codes = [found.span(1) for found in islice(_iter_run(text, start), _MOST_CODES)]
        values = [text[slice(*span)] for span in codes]
        are_codes = [_CODED.fullmatch(value) is not None for value in values]
        if len(codes) >= _FEWEST_CODES and sum(are_codes) * 2 > len(codes):
            return codes
        first = codes[: [*are_codes, False].index(False)]
        if first and all(map(_ONE.fullmatch, values[: len(first)])):
            return first
    return []


def _iter_run(
    text: str, at: int, pattern: re.Pattern[str] = _CODE
) -> Iterator[re.Match[str]]:
    while (code := pattern.match(text, at)) is not None:
        yield code
        at = code.end()
