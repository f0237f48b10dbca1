"""Codes of locks, lists of codes and of accounts, and numbers that open nothing.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from everyleaf.redact.codes import is_code
from everyleaf.redact.gather import Look
from everyleaf.sources.lines import Line
from redact.making import DIGITS, RANDOM, made, phrase, spoken

_LARGE = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_DIGITS = ["three", "seven", "eight", "two", "nine", "four"]
_SEED = ["adjust", "comfort", "rhythm", "involve", "radar", "ostrich", "walnut", "dragon"]


def pin() -> str:
    """Return four digits that are no year."""
    return f"{made(1, '345678')}{made(3, DIGITS)}"


def six() -> str:
    return made(6, DIGITS)


def mixed() -> str:
    """Return eight large letters and digits."""
    return f"{made(3, _LARGE)}{made(2, DIGITS)}{made(3, _LARGE)}"


def grouped() -> str:
    return f"{made(4, _LARGE)}-{made(3, DIGITS)}{made(1, _LARGE)}-{made(4, _LARGE)}"


def chosen() -> str:
    """Return a word and a number."""
    return f"{phrase(1)}{spoken()}{made(2, DIGITS)}"


def said() -> str:
    return " ".join(RANDOM.sample(_DIGITS, 5))


def numbered() -> str:
    """Return a list of words of wallets."""
    words = RANDOM.sample(_SEED, 6)
    return "\n".join(f"{at}. {word}" for at, word in enumerate(words, 1))


STANDS = {
    "Garage keypad: {}": pin,
    "gym locker 22: {}": pin,
    "Alarm off: {}": pin,
    "caja fuerte: {}": pin,
    "Kofferschlo\xdf: {}": pin,
    "coffre : {}": pin,
    "kod do furtki: {}": pin,
    "Portkod serverhall: {}": pin,
    "PUK2: {}": lambda: made(8, DIGITS),
    "unlock pattern (dots): {}": lambda: "-".join(made(6, DIGITS)),
    "Ihre Geheimzahl (PIN) lautet:\n\n        {}\n": lambda: " ".join(pin()),
    "Der Abrufcode aus dem Brief lautet {}; er gilt bis Montag.": grouped,
    "Anmelde-Code von Kim ist {} (im M\xe4ppchen)": grouped,
    "use linkage key {} and come by": mixed,
    "Please link yourself with the parent code {} by Friday.": mixed,
    "users:\n  - name: cleaner\n    keypad_code: {}\n": six,
    "| Guest | Door code | From |\n|---|---|---|\n| Kim | {} | Fri |": six,
    "| Lock | Combination |\n|---|---|\n| green | {} |": pin,
    "||Room||Door code||\n|UPS|{}|": six,
    "|a||password|\n|-||--------|\n|x||{}|": chosen,
    "lock_id,room,code,valid_to\nL82,204,{},2026-07-10": six,
    "Name,Klasse,Startpasswort\nKim,4b,{}": chosen,
    "Till PINs\nHelga {}\nNuno 8608\n": pin,
    "iTAN-Liste Nr. 3\n01 {}\n02 106393\n": six,
    "Zugangscodes (einmal)\nKim: {}\nOle: 5VQPNR72\n": mixed,
    "Hotspot vouchers, 7 days\nVoucher code: {}\nVoucher code: 85315-22291\n": (
        lambda: f"{made(5, DIGITS)}-{made(5, DIGITS)}"
    ),
    "SAVE YOUR BACKUP CODES\n(kim)\n1. {}   2. 1849 2474\n3. 3220 7806\n": (
        lambda: f"{pin()} {pin()}"
    ),
    "Cold wallet, part A\n{}\n": numbered,
    "my note: netflix -> {}": chosen,
    "- Spotify: {}": chosen,
    "gmail: {}": chosen,
    "it's kim with {}! until monday": lambda: f"Mulberry{made(2, DIGITS)}",
    "SSHPASS='{}' sshpass -e ssh a": lambda: f"*{spoken()}{spoken()}_{made(2, DIGITS)}",
}
"""What stands in notes, tables, pages and commands → what makes its value."""
SAID = {
    "the code for the side gate is {} and then you pull": said,
    "memorable word {}": lambda: RANDOM.choice(["kaleidoscope", "macadamia", "isinglass"]),
    "Two wifi passwords are in your notes, which one?\n1. {} (old)": chosen,
    "here are the logins: ebay {}, otto more9later": chosen,
}
"""What only people say → the same."""
STAYS = [
    "the SMS gateway sends 3000 a day",
    "Pattern found in 259-270",
    "the zip code of the office is 60311",
    "MySQL Error Code: 1045",
    "Opening hours: 0900-1730. Lock the back door and set the alarm.",
    "| Error | Code |\n|---|---|\n| denied | 1045 |",
    "status codes\nlogin 4031\nlogout 4032\n",
    "`max_tokens` is 8670843 now.",
    "vault: 8200",
    "we're on Windows11! and later",
    "1. open the page 2. click on it 3. wait for it 4. close it 5. run it 6. end it",
    "a job in redis: fetch_items_2",
    "The steps:\n1. design\n2. build\n3. test\n4. review\n5. release\n6. monitor\n",
    "redis: redis:7.2-alpine",
    "switch: sw-core-01\nrouter: rt-edge-02",
    "poort: 8080",
    "building code: 2018",
    "phone numbers\nKim 0171 2345678\nOle 0171 2345679\n",
    "| Signal | Pin |\n|---|---|\n| SDA | GPIO21 |",
    "Pins\nSDA GPIO21\nSCL GPIO22\n",
    "block,code\nA,4417\n",
    "Access codes\nAdmin: REQUIRED\nGuest: OPTIONAL\n",
    "release number: 20241105",
    "customer number 48213344",
    'password = getpass.getpass("DB password: ")',
]


def _found(detector, block: dict[str, object]) -> set[str]:
    look = Look(detector, None)
    record = {"type": "user", "message": {"content": [block]}}
    look.lines(Path("a.jsonl"), [Line(1, 0, json.dumps(record).encode())])
    return {finding.value for finding in look.finish(b"").findings}


def _text(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def _result(text: str) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": "a", "content": text}


@pytest.mark.parametrize("around", STANDS)
@pytest.mark.parametrize("block", [_text, _result])
def test_codes_and_rows_are_found_wherever_they_stand(block, around, detector):
    value = STANDS[around]()

    found = _found(detector, block(around.replace("{}", value, 1)))

    assert any(value.removeprefix("1. ") in one for one in found)


@pytest.mark.parametrize("around", SAID)
def test_what_people_say_of_codes_and_words_is_found(around, detector):
    value = SAID[around]()

    found = _found(detector, _text(around.replace("{}", value, 1)))

    assert any(value in one for one in found)


@pytest.mark.parametrize("text", STAYS)
@pytest.mark.parametrize("block", [_text, _result])
def test_numbers_and_names_that_open_nothing_stay(block, text, detector):
    assert _found(detector, block(text)) == set()


@pytest.mark.parametrize("tool", ["questions", "todos"])
def test_questions_and_todos_are_looked_through(tool, detector):
    value = chosen()
    said = {"question": f"Shall I set the wifi password to {value} as in your list?"}
    fields = said if tool == "questions" else {"content": said["question"], "status": "x"}
    asked: dict[str, object] = {
        "type": "tool_use",
        "name": "Ask",
        "input": {tool: [fields]},
    }

    assert value in _found(detector, asked)


def test_what_is_a_code_has_digits_or_is_no_word():
    codes = ("4417", "AB12CD", "XKCDEQRD", "REQUIRED", "QUITE", "17", "GPIO21")

    assert [one for one in codes if is_code(one)] == ["4417", "AB12CD", "XKCDEQRD"]
