"""Columns, files and questions that name a password in other words and languages."""

from __future__ import annotations

import base64
import json

import pytest

from everyleaf.redact.asked import iter_answers
from everyleaf.redact.commands import asks_for_secret, names_secret, reads_secrets
from everyleaf.redact.talk import iter_talked
from redact.making import DIGITS, made, phrase, shown, spoken
from sessions import nth


def mixed() -> str:
    return f"{spoken().title()}{phrase(1)}{made(2, DIGITS)}"


def joined() -> str:
    return f"{spoken()}{phrase(1)}"


COLUMNS = [
    "| usuario | contraseña |\n|---|---|\n| ana | {} |\n| eva | {} |",
    "| compte | mot de passe |\n|---|---|\n| ana | {} |\n| eva | {} |",
    "| user | password (old) |\n|---|---|\n| ana | {} |\n| eva | {} |",
    "| user | pwd_plain |\n|---|---|\n| ana | {} |\n| eva | {} |",
    "+---+---+\n| user | pass |\n+---+---+\n| ana | {} |\n| eva | {} |\n+---+---+",
    "INSERT INTO leute (login, kennwort) VALUES ('ana', '{}'), ('eva', '{}');",
    "kind: Secret\nstringData:\n  db: {}\n  other: {}\n  username: shopdb\n",
]
FILES = [
    "Raum;SSID;WLAN-Schlüssel\n101;Haus;{}\n102;Gast;{}\n",
    "host,user,pw\npi1,pi,{}\npi2,pi,{}\n",
    "user,pass\nana,{}\neva,{}\n",
    "Benutzer;Kennwort\nana;{}\neva;{}\n",
]


@pytest.mark.parametrize(
    ("text", "make"),
    [*((one, mixed) for one in COLUMNS), *((one, joined) for one in FILES)],
)
def test_each_row_below_such_a_name_is_found(text, make, detector):
    values = make(), make()

    left = shown(detector, text.format(*values))

    assert not any(value in left for value in values)
    assert text.split("\n")[0].split("{}")[0] in left


def test_digits_that_open_a_card_again_are_found(detector):
    value = made(8, DIGITS)

    assert value not in shown(detector, f"imei,sim_pin,puk\n490154203237518,4981,{value}\n")


@pytest.mark.parametrize(
    "text",
    [
        "| Cuenta | Quién | Contraseña |\n|---|---|---|\n| Prensa | nadie | perdida |",
        "| Konto | Wer | Passwort |\n|---|---|---|\n| Bank | Uwe | hat nur Uwe |",
        "| Person | Pass | Login |\n|---|---|---|\n| Obi | crew pass | weekly |",
        "clave,nombre,precio\nAB1023,taza,12\nAB1024,plato,9\n",
        "INSERT INTO productos (clave, nombre) VALUES ('AB1023', 'taza');",
        "kind: Secret\nstringData:\n  username: shopdb\n  host: db.local\n",
        '"password": "doit contenir au moins 8 caract\xe8res",',
        "wifi_password: ask the owner for it",
        "token: UmVwb3NpdG9yeTpyanZtdmxy",
    ],
)
def test_words_and_codes_of_other_columns_stay(text, detector):
    assert shown(detector, text) == text


@pytest.mark.parametrize(
    "command",
    [
        *("cat passwort.txt", "cat ~/kennwort.txt", "cat contraseña.txt", "cat mdp.txt"),
        *("cat pw.txt", "docker exec db cat /run/secrets/db", "cat password.txt >&2"),
        *(
            "cat ~/.vault_pass; echo",
            "cat password.txt && echo ok",
            "cat secret.txt || true",
        ),
    ],
)
def test_files_of_passwords_are_known_in_other_languages_and_before_an_echo(command):
    assert reads_secrets(command)


@pytest.mark.parametrize(
    "command",
    [
        r"find . -name password.txt -exec cat {} \;",
        *("grep -h . secret.txt", "rg . secret.txt", "git show HEAD~3:config/secret.txt"),
    ],
)
def test_what_prints_all_of_a_file_asks_for_it(command):
    assert asks_for_secret(command)


@pytest.mark.parametrize(
    "command",
    ["git show HEAD", "find . -name password.txt", "rg -n token src", "grep -rn secret ."],
)
def test_what_only_looks_for_a_name_asks_for_nothing(command):
    assert not asks_for_secret(command)
    assert not names_secret("parole.txt")


def answered(question: str, answer: str) -> list[object]:
    block = {
        "type": "tool_result",
        "tool_use_id": "c",
        "content": f'"{question}"="{answer}"',
    }
    raw = nth(2, "user", block, toolUseResult={"answers": {question: answer}})
    return [*iter_answers(json.loads(json.dumps(raw)), {})]


@pytest.mark.parametrize(
    "question",
    [
        "Which password should the database have (length 12 or more)?",
        "What is the password? It expires never.",
        "¿Qué contraseña usas?",
    ],
)
def test_a_question_for_a_password_may_tell_of_its_length(question):
    assert answered(question, joined())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which TTL should the token have?", joined()),
        ("What prefix should the API token have?", joined()),
        ("¿Qué contraseña uso?", "usa la del gestor"),
        ("デモ用のパスワードはどうしますか？", "保管庫のものを使ってください"),  # noqa: RUF001
    ],
)
def test_a_question_for_something_else_gets_no_password(question, answer):
    assert not answered(question, answer)


@pytest.mark.parametrize(
    "said",
    ["ana:{}", "{} {} {}".replace("{}", "{0}"), "Eva:{}"],
    ids=["pair", "row", "Eva"],
)
def test_names_and_words_in_base64_of_a_secret_are_found(said, detector):
    value = base64.b64encode(said.format(joined()).encode()).decode()

    assert value not in shown(detector, f"kind: Secret\ndata:\n  db: {value}\n")


@pytest.mark.parametrize("value", ["1987", "8093"])
@pytest.mark.parametrize(
    "text",
    ["{} opens the front door", "{} unlocks the garage", "the PIN of my mother is {}"],
)
def test_digits_that_open_something_may_be_a_year(text, value, detector):
    said = text.format(value)

    assert [said[slice(*span)] for span in iter_talked(said, {})] == [value]
    assert value not in shown(detector, f"I set my pin to {value}")


@pytest.mark.parametrize(
    "text",
    [
        '"password": "Roter fuchs {} 7",',
        '"password": "2 {} katzen!",',
        "wifi_password: mein {} heisst rex",
        "passphrase = gravel otter {} dusk",
    ],
)
def test_words_of_a_password_are_found_with_a_mark_or_without_quotes(text, detector):
    value = spoken()

    assert value not in shown(detector, text.format(value))
