"""Two everyday words in one, as people choose passwords: `walrusmarble`.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

from random import SystemRandom

import pytest

from everyleaf.redact.asked import Alone, iter_said, iter_shown
from everyleaf.redact.talk import iter_talked
from everyleaf.redact.words import is_compound
from redact.keykinds import HEX
from redact.making import made, shown

RANDOM = SystemRandom()
WORDS = (
    *("walrus", "marble", "orchid", "cheddar", "lantern", "saddle", "badger", "copper"),
    *("thunder", "meadow", "velvet", "pretzel", "silver", "zebra", "mango", "wolf", "gold"),
)
DIGITS = "23456789"


def compound() -> str:
    return "".join(RANDOM.sample(WORDS, 2))


def hexadecimal() -> str:
    return made(32, HEX)


def digits() -> str:
    return made(6, DIGITS)


TOLD = {
    'user_admin="{}"': compound,
    "\u043f\u0430\u0440\u043e\u043b\u044c is {}": lambda: made(
        14, "bcdfgkqvwxzBCDFGKQVWXZ"
    ),
    "the admin password (zephyrquix): {}": compound,
    "router_login: {}": compound,
    "name,url,username,password,note\na.org,https://a.org/,ada,{},": compound,
    "MqttUser tele; MqttPassword {}": compound,
    ': PSK "x"\ncarol : EAP "{}"': compound,
    'mqtt.Client("esp", 120, "ha", "{}")': compound,
    '0.1 [0 127.0.0.1:5000] "AUTH" "{}"': compound,
    "users: shop / {}": compound,
    "keystore password {}, alias upload": compound,
    "we switched the password to {} after the audit": compound,
    "the readme says user demo and the password {}.": compound,
    "log in as admin with \u201c{}\u201d": compound,
    "il segreto condiviso \xe8 {}": compound,
    '+kdf.derive(b"{}")': lambda: " ".join(RANDOM.sample(WORDS, 4)),
    'keystroke "{}"': lambda: f"ada_{RANDOM.choice(WORDS)}{made(3, DIGITS)}",
    "SONARR_API={}": hexadecimal,
    "kioskPin: '{}',": digits,
    "mullvad account login {}": lambda: made(16, DIGITS),
    "curl http://192.0.2.60/api/{}/lights": lambda: made(40),
    "flask-unsign --decode --cookie '{}'": lambda: f"eyJ{made(40)}.{made(6)}.{made(27)}",
    "SignedHeaders=host, Signature={}": lambda: made(64, HEX),
    "JetBrains: {}": lambda: f"{made(10, 'AB234')}-eyJ{made(80)}",
}
STAYS = [
    "the password of charmbracelet and the login at visualstudio, a breakpoint",
    "password: anyone, and never share your password with anyone, not even with us",
    "la chiave primaria e la password frattempo, una clave primaria profundo",
    "a senha \xe9 obrigat\xf3ria e deve ter pelo menos oito letras",
    "|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ssh-ed25519",
    "the password is in the film https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "root on i-0abcdef1234567890 in subnet-0bb1c79de3EXAMPLE has the token",
    "Salasanan nollauksen vahvistaminen, salasana muutettu",
    "Het wachtwoord wijzigen, wachtwoord vergeten",
    "Va\u0161a lozinka je postavljena. Lozinka (ponovite)",
    "Passord (gjenta), pasvorto (denove), esta contrase\xf1a es enteramente num\xe9rica",
    "Your password can\u2019t be like your name, and mustn't be short",
    "\u5982\u679c\u60a8\u4f7f\u7528\u5bc6\u7801<meta name='referrer'>",
    "License: MIT-0x7\nKeywords: password\nAuthor: Ada\nSummary: secrets?\nName: ada2fa-x7",
    'e("input",{type:"password",value:n,onChange:function(e){return a(e.target)}})',
]


@pytest.mark.parametrize("around", TOLD)
def test_what_people_choose_is_masked_where_it_stands(around, detector):
    value = TOLD[around]()

    assert value not in shown(detector, around.replace("{}", value))


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text, detector):
    assert shown(detector, text) == text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the root password toor?", "no, it's {}, all in small letters"),
        ("The password was rejected.", "try the other one first, and then {}"),
    ],
)
def test_a_correction_without_a_name_is_found(question, answer):
    value = compound()
    calls: dict[str, str] = {}

    told = [*iter_said(question, calls), *iter_said(answer.replace("{}", value), calls)]

    assert [one.text[one.start : one.end] for one in told if isinstance(one, Alone)] == [
        value
    ]


def test_what_a_store_of_passwords_prints_may_be_words():
    value = " ".join(RANDOM.sample(WORDS, 4))

    (told,) = iter_shown(f"$ op read op://Private/NAS/password\n{value}")

    assert told.text[told.start : told.end] == value


@pytest.mark.parametrize("one", WORDS)
def test_two_everyday_words_in_one_are_no_word(one):
    assert all(is_compound(one + other) for other in WORDS if other != one)


@pytest.mark.parametrize(
    "value",
    [
        *("butterfly", "waterfall", "rainbow", "filesystem", "localhost", "kubernetes"),
        *("frontmatter", "returncode", "beaucoup", "cantante", "frattempo", "datenbank"),
        *("Walrusmarble", "walrus", "walrus-marble", "walrusmarble7", "contentless"),
    ],
)
def test_words_and_names_of_programs_are_no_compounds(value):
    assert not is_compound(value)


ABROAD = {
    "das Passwort lautet {}": ["berg", "katze", "schatten", "fenster", "mond", "lampe"],
    "mot de passe : {}": ["citron", "cerise", "nuage", "fleur", "souris", "lapin"],
    "la password \xe8 {}": ["chitarra", "gelato", "ombrello", "fiore"],
    "het wachtwoord is {}": ["kaas", "fiets", "regen", "appel", "vogel"],
    "la contrase\xf1a es {}": ["gato", "luna", "queso", "playa"],
}


@pytest.mark.parametrize("around", ABROAD)
def test_two_words_of_another_language_are_found_behind_a_name_and_a_sign(around, detector):
    first, second = RANDOM.sample(ABROAD[around], 2)

    said = around.replace("{}", first + second)
    found = {one.value for one in detector.find(said) or ()}
    told = {said[slice(*span)] for span in iter_talked(said, {})}

    assert found | told == {first + second}


@pytest.mark.parametrize(
    "text",
    [
        *("Das Passwort ist abgelaufen", "das passwort ist verschl\xfcsselt"),
        *("mot de passe : obligatoire", "le mot de passe est incorrect"),
        *("Het wachtwoord is gewijzigd.", "wachtwoord is uitgeschakeld"),
        *("la contrase\xf1a es obligatoria", "senha: necess\xe1ria"),
        *("hasło jest zaszyfrowane", "l\xf6senordet \xe4r krypterat"),
        "the password is percentencoded",
        "Adgangskode er allerede i brug.",
    ],
)
def test_what_is_told_of_a_password_in_other_languages_stays(text, detector):
    assert not detector.find(text)
    assert not [*iter_said(text, {})]
