"""Names of passwords, PINs and keys in many languages, and values as people choose them.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import pytest

from everyleaf.redact.asked import Alone, iter_said
from redact.making import made, phrase, shown, spoken

_DIGITS = "23456789"
_HEX = "0123456789abcdef"


def dated() -> str:
    """Return a day and a name."""
    return f"1902198{made(1, _DIGITS)}{spoken().title()}"


def counted() -> str:
    """Return a name and a number."""
    return f"{spoken()}{made(4, _DIGITS)}"


def typed() -> str:
    """Return a beginning that keyboards have, a word, and a number."""
    return f"qw3rty{spoken()}{made(2, _DIGITS)}"


def dashed() -> str:
    return f"{phrase(3)}{made(2, _DIGITS)}"


def digits() -> str:
    return made(6, _DIGITS)


def hexadecimal() -> str:
    return f"{made(38, _HEX)}7a"


def sha() -> str:
    return made(40, _HEX)


def base64() -> str:
    return f"{made(42)}A="


def mixed() -> str:
    """Return what a manager of passwords makes, with signs that end other values."""
    return f"{made(3)}#<{made(2)}7|{made(2)}Q];{made(3)}"


def cyrillic() -> str:
    return f"{made(8, 'дзмпфгел')}{made(3, _DIGITS)}"


def words() -> str:
    return phrase(4).replace("-", " ")


SAID = [
    (counted, "Datubāzes parole ir {}"),
    (typed, "pakeičiau slaptažodį į {}"),
    (dated, "lépj be mint app, a jelszó {}"),
    (dashed, "άλλαξα τον κωδικό σε {}"),
    (counted, "سرور کا پاس ورڈ {} ہے"),
    (dated, "ডাটাবেসের পাসওয়ার্ড হলো {}"),
    (dated, "đổi pass thành {} rồi nhé"),
    (dated, "Kata sandi databasenya {}"),
    (dashed, "Nenosiri la seva ni {}"),
    (dated, "Die wagwoord vir die bediener is {}"),
    (counted, "O contrasinal do servidor é {}"),
    (counted, "მონაცემთა ბაზის პაროლია {}"),
    (typed, "Տվյալների բազայի գաղտնաբառն է {}"),
    (cyrillic, "зайди под billing, пароль {}"),
    (cyrillic, "кодовое слово для банка — {}"),
    (hexadecimal, "Секретный ключ приложения: {}"),
    (words, "Vaultin tunnuslause on {}"),
    (digits, "Il PIN della firma è {}, non dirlo a nessuno"),
    (digits, "A riasztó kódja {}, titkos"),
    (digits, "הקוד הסודי של האזעקה הוא {}"),
    (digits, "PIN ATM-nya {}, jangan kasih tahu"),
    (lambda: "-".join(made(2, _DIGITS) for _ in "1234"), "Our safe's combination is {}"),
    (dated, "I always use {} as the password there"),
    (dashed, "we rotated it, the old one was Quux-1234-zz!, new one {}"),
]
SET = [
    (dated, 'Dim strPwd As String = "{}"'),
    (typed, '-const PASS = "{}";'),
    (dashed, 'src/a.ts:4:const pass = "{}"'),
    (dated, "db_pass     {}"),
    (dated, "app:{}:1001:1001::/srv/x:/bin/sh"),
    (dashed, "./steamcmd.sh +login svc {} +quit"),
    (lambda: made(32, "0123456789ABCDEF"), "+sv_setsteamaccount {} +map de_dust2"),
    (typed, "ss-local -k {} -m aes-256-gcm -s 192.0.2.1"),
    (words, 'cfg["motDePasse"] = "{}"'),
    (counted, "wifiKey ........: {}"),
    (digits, 'TRACE sms to +46 70 611 92 59: "Din kod är {}"'),
    (digits, "Votre code de vérification est : {}."),
    (words, '"SigningKey": "{}"'),
    (sha, "[token] {}"),
    (sha, "API tokens: deploy `{}`."),
    (words, '- WLAN "HQ": {}'),
    (counted, "sed -i 's/{}/${DB_PASSWORD}/g' compose.yml"),
    (counted, '{"login": "ada", "pw_plain": "{}"}'),
    (base64, "wg0\t{}\tGjEQHpEana3S+1Y6u3zFeGioRZ2PSrds2aKKh042swI=\t51820\toff"),
    (mixed, "SSH_PASSWORD: {}"),
    (mixed, "- [ ] Set DB password to {} in prod"),
    (typed, '<entry key="unlockCode">{}</entry>'),
    (lambda: f"PLAK{made(32, _HEX)}", "refused: {}"),
    (lambda: f"pylf_v1_eu_{made(44)}", "Your old one ({}) can go."),
    (lambda: f"mka_{made(40)}", "| k | {} |"),
    (
        lambda: ", ".join(f"0x{made(1, '89ABCDEF')}{made(1, _HEX)}" for _ in range(16)),
        "#define LORA_APPKEY {{}}",
    ),
]
STAYS = [
    'TOKENIZER_SHA = "ce6fe27efa54465ca3e03e830a76d9566e840c210fa4454c72cb8697c8ce9069"',
    "LoadCredential=db-password:/etc/creds/db54",
    "\u2713 resets the password (4516 ms)",
    '"login.passwordLabel3": "Password",\n"login.passwordHint40": "Password must be long",',
    "password: de_DE.UTF-8",
    "a.token=function(b){return b&&b.key?b.key:void 0},a.secret=null;",
    "the release 20240131Alpha of the manual",
    "what the password is of, ada1987 does not say",
    "const rows = [12, 40, 77, 3, 9, 81, 22, 54, 90, 2, 33, 61, 7, 18, 29, 44];",
]


@pytest.mark.parametrize(("make", "around"), [*SAID, *SET])
def test_what_is_named_is_masked_in_any_language(make, around, detector):
    value = make()

    assert value not in shown(detector, around.replace("{}", value, 1))


@pytest.mark.parametrize("text", STAYS)
def test_what_nothing_names_stays(text, detector):
    assert shown(detector, text) == text


@pytest.mark.parametrize(
    "turns",
    [
        ("Quel est le code secret ?", "{}", digits),
        ("Ποιον κωδικό βάζω;", "{}", counted),
        ("What is the passphrase?", "one moment", 'he says it is "{}"', words),
        ("Which password should I use for the database?", "let me look", "{}", typed),
    ],
    ids=lambda turns: turns[0],
)
def test_an_answer_is_found_in_any_language_and_some_turns_away(turns):
    *texts, make = turns
    value = make()
    calls: dict[str, str] = {}

    told = [one for text in texts for one in iter_said(text.replace("{}", value), calls)]

    assert any(
        value in one.text[one.start : one.end]
        if isinstance(one, Alone)
        else value in one[-1]
        for one in told
    )
