"""What directly follows the name of a password: a form that is public elsewhere, one word.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import pytest

from everyleaf.redact.talk import iter_talked
from redact.making import made, shown, spoken

DIGITS = "23456789"
LIKE_OTHERS = {
    "an issue": lambda: f"{spoken()}7#{made(4, DIGITS)}",
    "a size of a model": lambda: f"{made(3, DIGITS)}b-{spoken().title()}Nolu",
    "a protocol": lambda: f"LDAP-{spoken().title()}",
    "a test": lambda: f"{spoken()}_{made(2, DIGITS)}_{spoken()}_{made(2, DIGITS)}",
    "a style": lambda: f"{spoken().title()}__{made(5)}",
    "a file": lambda: f"{made(12)}.py",
    "a number": lambda: f"0x{made(8, 'abcdef')}{made(4, DIGITS)}",
    "a day": lambda: f"1{made(1, DIGITS)}.04.198{made(1, DIGITS)}",
    "text of an address": lambda: f"{spoken()}%20{spoken()}%20rex%20{made(4, DIGITS)}",
}
"""What it looks like where no password is named → a value."""


@pytest.mark.parametrize("like", LIKE_OTHERS)
@pytest.mark.parametrize("around", ['{"password": "{}"}', "passphrase: '{}'"])
def test_a_form_of_others_is_a_password_behind_its_name(like, around, detector):
    value = LIKE_OTHERS[like]()

    assert value not in shown(detector, around.replace("{}", value))


@pytest.mark.parametrize(
    "text",
    [
        '{"password": "LDAP-Auth"}',
        "password: !isValid",
        "'password' => 'required|string|min:8|confirmed'",
        "EnviarEmailSenha: usuario=1042 fila=emails",
        "cargo test password::tests::roundtrip_v2",
        'password: "{user.name}-{user.id}"',
    ],
)
def test_what_stands_for_a_password_stays(text, detector):
    assert shown(detector, text) == text


def _words_told(said: str) -> list[str]:
    return [said[start:stop] for start, stop in iter_talked(said, {})]


@pytest.mark.parametrize(
    ("around", "word"),
    [
        ("mot de passe : {}", "papillon"),
        ("Mot de passe wifi : {}", "tournesol"),
        ("la contrase\xf1a es {}", "mariposas"),
        ("senha: {}", "borboleta"),
        ("has\u0142o to {}", "motylek"),
        ("la password \xe8 {}", "farfalla"),
        ("Das WLAN-Passwort ist {} und die SSID Kiwi", "parrotengine"),
        ("пароль: {}", "ромашка"),
        ("wachtwoord: {}", "vlinder"),
        ("das Passwort lautet {}.", "schmetterling"),
        ("\u015fifre: {}", "kelebek"),
    ],
)
def test_one_word_of_another_language_is_a_password(around, word):
    assert word in _words_told(around.replace("{}", word))


@pytest.mark.parametrize(
    "said",
    [
        "Mot de passe : obligatoire",
        "Senha: obrigat\xf3ria",
        "Пароль: неверный",
        "has\u0142o: nieprawid\u0142owe",
        "wachtwoord: verplicht",
        "Passwort: unver\xe4ndert",
        "la contrase\xf1a es incorrecta",
        "Heslo je zbyte\u010dn\xe9",
        "salasana: my\xf6hemmin",
    ],
)
def test_what_is_said_of_a_password_stays(said):
    assert _words_told(said) == []
