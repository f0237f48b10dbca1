"""Keys of every kind, with every end and in every form that people meet them in."""

from __future__ import annotations

import base64
import json
import re
from random import Random
from urllib.parse import quote

import pytest

from everyleaf.cachedir import default_cache_dir
from everyleaf.config import RedactOptions
from everyleaf.redact.borrowed import borrowed_patterns
from everyleaf.redact.contexts import contexts
from everyleaf.redact.detect import _open_pattern, open_detector
from everyleaf.redact.engine import Gate
from everyleaf.redact.formats import formats
from everyleaf.redact.gather import Look
from everyleaf.redact.reading import (
    Shape,
    iter_bare,
    iter_cleaned,
    iter_levels,
    open_packed,
)
from everyleaf.redact.redaction import plan_redaction
from everyleaf.redact.views import View
from redact.keykinds import KINDS
from redact.making import made, token
from redact.passwords import PLACES

ENDS = {
    "alone": "{}",
    "full stop": "The value is {}. Use it.",
    "comma": "Take {}, then go on.",
    "brackets": "(see [{}])",
    "braces": "config {{{}}} here",
    "emphasis": "It is **{}** today, or *{}*.",
    "underscores": "It is _{}_ or __{}__ here.",
    "backticks": "Run with `{}`!",
    "arrow": "old → {} → new; a->{}->b",
    "CJK": "密钥是{}。请使用「{}」，谢谢",  # noqa: RUF001
    "table": "| name | {} |\n|---|---|\n|{}|x|",
    "quotes": "'{}' \"{}\" “{}” «{}»",
    "colon": "key: {}: done; {};",
    "question": "Is it {}? Or {}!",
    "tag": "<b>{}</b> &lt;{}&gt;",
    "listing": "    12→{}\n    13\t{}\n14|{}",
    "patch": "@@ -1,2 +1,2 @@\n-{}\n+{}\n {}",
    "quoted": "> {}\n>> {}",
    "comment": "# {}\n// {}\n/* {} */",
    "slash": "/{}/ \\{}\\ |{}|",
}
"""How a key stands in prose, in Markdown and in what tools print."""


def coloured(text: str, key: str) -> str:
    at = len(key) // 2
    return text.replace(key, f"\x1b[01;31m\x1b[K{key[:at]}\x1b[m\x1b[K{key[at:]}\x1b[0m")


def split_by(mark: str):
    def split(text: str, key: str) -> str:
        at = max(len(key) - 5, 1)
        return text.replace(key, f"{key[:at]}{mark}{key[at:]}")

    return split


FORMS = {
    "plain": lambda text, _: text,
    "JSON": lambda text, _: json.dumps({"a": f"A=1\n{text}\t"}),
    "JSON twice": lambda text, _: json.dumps(json.dumps({"a": f'"\n{text}'})),
    "JSON thrice": lambda text, _: json.dumps(json.dumps(json.dumps([f"\n{text}\n"]))),
    "written escapes": lambda text, _: f"A=1\\n{text}\\t\\u001b[0m\\r\\n",
    "ASCII JSON": lambda text, _: json.dumps(f"é\u200b\x1b[1m{text}"),
    "URL": lambda text, _: f"https://x.example/?q=a%0A{quote(text, safe='')}%0A",
    "base64": lambda text, _: base64.b64encode(f"config\n{text}\nend".encode()).decode(),
    "coloured": coloured,
    "zero width": split_by("\u200b"),
    "soft hyphen": split_by("\xad"),
    "bold": split_by("**"),
    "CRLF": lambda text, _: f"a\r\n{text}\r\nb",
}


def masked(text: str) -> str:
    look = Look(open_detector(default_cache_dir() / "rules"), None)
    look.text("", text, 1)
    plan = plan_redaction({"s": [look.finish(b"")]}, RedactOptions())
    return plan.redactor("s").text(text)


def is_shown(key: str, text: str) -> bool:
    """Return whether a reader or a program gets `key`, or half of it, out of `text`."""
    parts = [key] if "\n" not in key else key.split("\n")[1:-1]
    view = View(text)
    forms = [*iter_cleaned(view)]
    view.shapes = (
        {Shape.LINES, Shape.PACKED} if open_packed().match(view.body) else {Shape.LINES}
    )
    view.hiding = [*range(len(view.body) + 1)]
    forms += iter_bare(view)
    views = [level for one in forms for level in (one, *iter_levels(one))]
    return any(part in view.text for part in parts for view in views)


def test_all_of_a_text_is_looked_at_again_for_what_takes_many_lines_alone():
    view = View(
        "| user | pass**word** |\n|---|---|\n" + "| x | y |\n" * 9 + "api_key\n" * 9
    )
    forms = iter_cleaned(view)
    next(forms)
    view.shapes, view.unseen, view.signs = {Shape.TABLE}, [15], [*range(150, 180)]

    lines, whole = forms

    assert "password" in lines.text
    assert "api_key" not in lines.text
    assert "api_key" in whole.text
    assert (whole.shapes, whole.signs, whole.unseen) == ({Shape.TABLE}, [], [])


KEYS = {kind.name: (kind, kind.make(Random(number))) for number, kind in enumerate(KINDS)}  # noqa: S311  (keys that open nothing)
PASSWORDS = {
    f"{name}, {number}": (around, value)
    for name, around in PLACES.items()
    for number, value in enumerate(
        ("MyPass1234567", "pa$s(w[rd", "kHqZtrWmbeXoP", "t0p.Exam-ple")
    )
}


def test_there_are_kinds_enough():
    assert len(KINDS) + len(PLACES) >= 110


@pytest.mark.long
@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_masked_with_any_end_in_any_form(name):
    kind, key = KEYS[name]
    shown = kind.around.format(key=key)
    left: list[tuple[str, str]] = []
    for end, around in ENDS.items():
        for form, written in FORMS.items():
            if "\n" in key and (form in {"coloured", "bold"} or end != "alone"):
                continue  # As a whole file it stands between no marks.
            text = written(around.format(*[shown] * 4), key)
            if is_shown(key, masked(text)):
                left.append((end, form))
    assert not left


@pytest.mark.parametrize("name", PASSWORDS)
def test_a_password_is_masked_by_its_place_in_any_form(name):
    around, value = PASSWORDS[name]
    if any(mark in value for mark in "$([") and around.endswith("/free"):
        pytest.skip("such a password cannot be written there")
    text = around.removesuffix("/free").replace("{}", value)
    left = [
        form
        for form in ("plain", "JSON", "JSON twice", "written escapes", "CRLF")
        if re.search(re.escape(value), masked(FORMS[form](text, value)))
    ]
    assert not left


@pytest.mark.parametrize(
    "lines",
    [
        lambda key: [f"+{line}" for line in key.split("\n")],
        lambda key: [f"-{line}" for line in key.split("\n")],
        lambda key: [f" {line}" for line in key.split("\n")],
        lambda key: [f"{n:6}→{line}" for n, line in enumerate(key.split("\n"), 1)],
        lambda key: [f"{line}\n" for line in key.split("\n")],
        lambda key: [{"content": line, "status": "pending"} for line in key.split("\n")],
    ],
    ids=["added", "removed", "kept", "numbered", "notebook", "todos"],
)
@pytest.mark.parametrize("name", ["private-key-rsa", "private-key-openssh"])
def test_a_private_key_in_a_list_of_lines_is_masked(name, lines):
    key = KEYS[name][1]
    raw: dict[str, object] = {
        "toolUseResult": {"structuredPatch": [{"lines": lines(key)}], "source": "x"}
    }
    look = Look(open_detector(default_cache_dir() / "rules"), None)
    look._record(raw, 1)
    redactor = plan_redaction({"s": [look.finish(b"")]}, RedactOptions()).redactor("s")

    told = json.dumps(redactor.record(json.loads(json.dumps(raw))))

    assert not [line for line in key.split("\n")[1:-1] if line in told]


def test_each_part_of_a_key_that_lines_cut_is_masked_where_it_stands_alone():
    key = f"sk-ant-api03-{made(93)}AA"
    look = Look(open_detector(default_cache_dir() / "rules"), None)
    look.text("", f"it is {key[:60]}\n{key[60:]} here", 1)
    redactor = plan_redaction({"s": [look.finish(b"")]}, RedactOptions()).redactor("s")

    assert key[60:] not in redactor.text(f"+{key[60:]}")
    assert key[:60] not in redactor.text(f"| {key[:60]} |")


def test_a_table_whose_rows_are_todos_is_looked_at_as_one():
    value = token()
    rows = ["| id | secret_key |", "+----+----+", f"|  1 | {value} |"]
    raw: dict[str, object] = {"todos": [{"content": row} for row in rows]}
    look = Look(open_detector(default_cache_dir() / "rules"), None)
    look._record(raw, 1, json.dumps(raw).encode())
    redactor = plan_redaction({"s": [look.finish(b"")]}, RedactOptions()).redactor("s")

    assert value not in json.dumps(redactor.record(json.loads(json.dumps(raw))))


def test_the_gate_lets_through_whatever_a_pattern_finds():
    rules_dir = default_cache_dir() / "rules"
    patterns = [
        *(pattern for _, pattern, _ in formats()),
        *(one.pattern for one in contexts()),
        *(pattern for _, pattern in borrowed_patterns(rules_dir)),
        "(?i)gr\u00fcn[^x]{3,5}\\p{Lu}",
        "a{3}b?c{2,}",
    ]
    gate = Gate(patterns)
    compiled = [_open_pattern(pattern) for pattern in patterns]
    texts = [
        *(kind.around.format(key=key) for kind, key in KEYS.values()),
        *(
            around.removesuffix("/free").replace("{}", value)
            for around, value in PASSWORDS.values()
        ),
        *(around.replace("{}", "p\u00e4$s \u2192W0rt") for around in PLACES.values()),
        "GR\u00dcN\u4e2d\u4e2d\u4e2d\u00c4, aaabcc",
    ]

    passed = {text: gate.match(text.encode()) for text in texts}
    lost = {
        (patterns[number], text)
        for text in texts
        for number, pattern in enumerate(compiled)
        if number not in passed[text] and pattern.search(text.encode())
    }

    assert not lost
    assert gate.match(b"what holds nothing") == set(), "a pattern is tried on every text"


def test_bytes_are_characters_in_whatever_order_they_are_asked_for() -> None:
    text = "né ключ: 値 🔑 = x"
    view = View(text)
    places = [(text.index(sign), text.index(sign) + 1) for sign in "x値🔑éк"]

    spans = [tuple(len(text[:at].encode()) for at in (start, end)) for start, end in places]

    assert [view.span(*span) for span in spans] == places
