"""Secrets that sentences of many languages, and dialogs, tell without the usual words.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

from uuid import uuid4

import pytest

from everyleaf.redact.asked import Alone, iter_answers, iter_said
from everyleaf.redact.codes import iter_phrases
from everyleaf.redact.views import View
from redact.keykinds import BASE32, HEX
from redact.making import (
    DIGITS,
    RANDOM,
    dashed,
    lined,
    made,
    phrase,
    shouted,
    shown,
    spoken,
    token,
)

_LISTED = [
    "rely", "pistol", "apart", "dust", "logic", "child", "essay", "donor", "inmate", "kick",
    "bring", "tornado",
]  # fmt: skip


def word() -> str:
    """Return a word with a large letter, a sign of mails, and a number."""
    return f"{spoken().title()}@{made(3, DIGITS)}"


def small() -> str:
    """Return a word and two digits."""
    return f"{spoken()}{made(2, DIGITS)}"


def tiny() -> str:
    """Return five letters and two digits."""
    return f"{spoken()[:5]}{made(2, DIGITS)}"


def plain_key() -> str:
    """Return small letters with a digit in them."""
    return f"{made(9, 'bcdfghklm')}3{made(9, 'npqrstvxz')}"


def dated() -> str:
    """Return a word, a year, and what is asked for besides."""
    return f"{spoken().title()}{RANDOM.choice(('1987', '2031'))}.1"


def leet() -> str:
    """Return a word whose vowels are signs, and a number."""
    return f"@mb3r{made(3, DIGITS)}!"


def digits() -> str:
    return made(8, DIGITS)


def hexadecimal() -> str:
    return made(32, HEX)


def seed() -> str:
    """Return twelve words that wallets know."""
    return " ".join(RANDOM.sample(_LISTED, 12))


def words() -> str:
    return phrase(5).replace("-", " ")


def base32() -> str:
    return f"{made(30, BASE32)}A7"


def groups() -> str:
    """Return four groups of large letters, one of them with digits."""
    return "-".join(
        (made(4, "BCDFG"), made(4, "K3M4"), made(4, "QRSTV"), f"X{made(3, '27')}")
    )


def django() -> str:
    return f"{made(40, 'abcdefghijk23456')}#(=%){made(5, 'xyz+-')}"


FOUND = {
    "log: connected, then {} was typed": word,
    "x {} y": leet,
    "senha: {}": leet,
    "vaihdoin salasanaksi {}": dated,
    "prova con `{}` come password": dated,
    "Please type `{}` when sudo asks for the password.": dated,
    "die PIN fürs Token ist *{}*": digits,
    "il codice di sblocco è **{}**": digits,
    "код доступа — {}": digits,
    "The printer takes admin with the PIN `{}`": digits,
    "seed words {}": seed,
    "metamask phrase for the test wallet: {}": seed,
    "la frase semilla: {}": seed,
    'forge script D --mnemonics "{}"': seed,
    "ssh key passphrase → {} — the rest is in the ticket.": words,
    "veracrypt: {}": words,
    "here's the totp seed so you can generate them yourself: **{}**": base32,
    "Freischaltcode {}": groups,
    "- Freischaltcode {}\n- Everything else is as before.": groups,
    "код активации {}": groups,
    'django secret key on prod is "{}"': django,
    "la contra es “{}”": small,
    "合言葉は {}": small,
    "lösen: {}": small,
    "log ind med anna og koden {}": small,
    "logga in so\x6d svc med *{}*": small,
    "Unzip the dump with -P, the word is **{}**": small,
    "the bundle is encrypted, use {} to open it": small,
    "Zip ist mit '{}' verschlüsselt": small,
    "bcrypt this for me please: `{}`": small,
    "sftp ada@files.example.com, it will ask, type {}": small,
    "I typed {} and it said authentication failed": small,
    "n8n is at https://n.example with ada@acme.example and *{}*": small,
    'bob set it to "{}" \u2013 without the quotes obviously': small,
    'The wifi here is "Cafe", key "{}", in case': small,
    "alias upload, storepass x, keypass “{}”": small,
    "2. le mdp root de la préprod c'est toujours **{}**": tiny,
    "join here: https://acme.example/join?invite_code={}": token,
    "la chiave API è questa: {}": plain_key,
    "la clé d'API c'est **{}**": plain_key,
    "ключ API вот: {}": plain_key,
    "das secret dazu wäre **{}**": plain_key,
    "redis requirepass is **{}** there": token,
    "2. key is “{}”": hexadecimal,
    "Call API with key {}": hexadecimal,
    "der geheime Schlüssel für die Wolke lautet {}": hexadecimal,
}
NOUNS = ("otter", "saddle", "walnut", "lantern", "meadow", "badger", "thistle")


def dotted() -> str:
    """Return a word with digits for vowels, a word and a digit."""
    return f"{spoken().translate(_LEET)}.{RANDOM.choice(NOUNS)}{made(1, DIGITS)}"


def capital() -> str:
    return f"{spoken().title()}{made(4, '3456789')}"


def spaced() -> str:
    """Return two words and a number, with blanks between them."""
    return f"{RANDOM.choice(NOUNS).title()} {spoken()} {made(2, DIGITS)}"


def coined() -> str:
    return spoken()


def row() -> str:
    return " ".join((*RANDOM.sample(NOUNS, 4), spoken()))


_LEET = str.maketrans("aeio", "4310")
SHAPES = (shouted, dashed, lined, dotted, capital)
PLACES = [
    "The kiosk lets you in with {} as long as you are on site",
    "sign in as carol, {} is what it asks",
    "It used to be something else, now it is {}.",
    "rack-switch admin -> carol / {}",
    "https://wiki.acme.example/ (carol, {})",
    "the archive b.zip opens with {}",
    "mosquitto broker auth: dan and {}",
    "connecte-toi: root puis {}; accès root, avec {}",
    "geslo za tiskalnik je {}",
    "şifresi yeni {}",
]
"""Places of an account, in none of which a name of a password need stand."""
TOLD = {
    "the luks container opens with {}": row,
    "vault.kdbx ← {}": row,
    "the note says {} as the passphrase for it": row,
    "password (mind the blanks): {}": spaced,
    "WiFi 密碼\uff1a{}": spaced,
    "my mother's maiden name? I answered {}": coined,
    "Sicherheitsfrage, erstes Haustier: {}": coined,
    "recovery: words 1-6 {}, and so on": lambda: " ".join(_LISTED[:6]),
    "助记词\uff1a{}": seed,
    "the safe has a padlock: {}, left first": lambda: made(4, DIGITS),
    "her tablet unlocks with {} by the way": lambda: made(6, DIGITS),
    "dørkoden er {}": lambda: made(4, DIGITS),
    "the management key {} of the token": lambda: made(48, HEX),
    "webhook: https://hooks.acme.example/in/{}": token,
    "пароль: {}": lambda: f"{spoken()}{made(3, DIGITS)}лес",
}
STAYS = [
    "connect to the pod checkout-worker-404, it is for users of the network",
    "log in to GitHub! Then open JavaScript! with the new one",
    "the admin sees uint32_fields and route53_zones, user: base64.decoder2",
    "the lock file opens with the usual words of the build and no more",
    "it asks for a code word or a safe word, whichever is configured",
    "the gate needs 12 approvals, the panel takes 300 ms, the phone takes 2000 ms",
    "npm install Foo@12 and foo@1234",
    "thanks @maria123!",
    " ".join(sorted(_LISTED)),
    " ".join(_LISTED[:11]),
    "the file is encrypted, use gpg2.4.1 to open it",
    "the disk is encrypted with AES256, the word is python3",
    "I used macos-14 and the build failed: invalid",
    "hash this for me: hello",
    "Zip ist mit AES-256 verschlüsselt",
    "with foo@example.com and bar@example.com",
    'set version to "v2.1.0" without the quotes',
    "bitlocker: recovery pending reboot required soon",
    "activation code: EXPIRED, the backup codes are NOT SHOWN AGAIN",
    "vi måste lösen 2 problem, contra la red32",
    'the password is in 1Password, item "Staging sapphire"',
    'the password is in Bitwarden under "Team fjord"',
]


@pytest.mark.parametrize("around", FOUND)
def test_what_a_sentence_tells_is_found(around, detector):
    value = FOUND[around]()

    assert value not in shown(detector, around.replace("{}", value, 1))


@pytest.mark.parametrize("make", SHAPES)
@pytest.mark.parametrize("around", PLACES)
def test_what_people_choose_is_found_where_a_chat_tells_of_access(around, make, detector):
    value = make()
    said = around.replace("{}", value)

    told = _told([*iter_said(said, {})], detector)

    assert any(value in one for one in told) or value not in shown(detector, said)


@pytest.mark.parametrize("around", TOLD)
def test_words_and_digits_are_found_that_open_something(around, detector):
    value = TOLD[around]()

    assert value not in shown(detector, around.replace("{}", value))


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text, detector):
    assert shown(detector, text) == text


def test_a_project_key_of_posthog_is_public(detector):
    text = f"phc_{made(43)} is the public posthog key"

    assert shown(detector, text) == text


def test_twelve_words_of_wallets_are_found_within_others():
    said = seed()
    text = f"so she wrote {said} on a sheet of paper"

    found = [text[start:end] for start, end, _ in iter_phrases(View(text))]

    assert found == [said]


DIALOGS = [
    ("The vault wants an unseal key.", "{}", token),
    ("The password was rejected.", "hm, then try {}", small),
    ("Please confirm the password you want for the new user.", "yes, {}", small),
    ("db password coming", "Ready.", "{}\n\nand now go on", small),
    ("I'll send you the password in the next message", "OK, waiting for it.", "{}", small),
    ("The old password is wrong.", "sorry, I meant {} of course", lined),
    ("Incorrect password, once more.", "{}", shouted),
    ("Which community string does the switch take?", "{}", small),
    ("And the password?", "{}", spaced),
    ("The export needs a password for the .p12.", "take {}", capital),
    ("I can't open it without its master password.", "{}", row),
    ("What was the answer to the security question?", "it was {}", coined),
    ("请输入密码。", "{}", dashed),
    ("Wie lautet das Passwort?", "{}", lambda: "eYkBnLc-LjOno-n"),
    ("Which access key?", "{}", lambda: made(40, HEX)),
    ("What should ADMIN_TOKEN be set to?", "sure: {}", lambda: made(16, HEX)),
    ("Quel est le mot de passe ?", "sure: {}", lambda: made(20, "bcdfgkqvwxzBCDFGKQVWXZ")),
    ("I need `STRIPE_SECRET_KEY`.", "{}", lambda: made(12, "bcdfgkqvwxz")),
    ("What is the API key?", "it's {}", lambda: str(uuid4())),
    ("otp?", "{} now", lambda: made(6, DIGITS)),
    ("Please read me the backup codes.", "{}", lambda: made(8, DIGITS)),
    ("What is your password?", "same as always", "No. What is it?", "{}", small),
]


@pytest.mark.parametrize("turns", DIALOGS, ids=lambda turns: turns[0])
def test_what_answers_is_found_some_turns_away(turns, detector):
    *texts, make = turns
    value = make()
    calls: dict[str, str] = {}

    told = [one for text in texts for one in iter_said(text.replace("{}", value), calls)]

    assert value in _told(told, detector)


@pytest.mark.parametrize("answer", ["use Keycloak", "it's Tuesday", "use pytest8"])
def test_a_name_answers_no_question_about_passwords(answer):
    calls: dict[str, str] = {}

    told = [*iter_said("Which password hashing should I use?", calls)]

    assert [*told, *iter_said(answer, calls)] == []


def test_what_is_said_after_an_answer_answers_nothing(detector):
    value = small()
    calls: dict[str, str] = {}
    turns = ["What is the password?", "hunter", "Thanks. Is it on the branch?", value]

    told = [one for text in turns for one in iter_said(text, calls)]

    assert value not in _told(told, detector)


def test_a_question_is_answered_in_thoughts_too_and_stays_open(detector):
    value, calls = small(), {"told": "password  "}
    block = {"type": "thinking", "thinking": value}

    told = [*iter_answers({"message": {"content": [block]}}, calls)]

    assert value in _told(told, detector)
    assert calls == {"told": "password  "}


def _told(told: list[list[str] | Alone], detector) -> list[str]:
    """Return what a dialog tells, alone or below what asks for it."""
    alone = [one.text[one.start : one.end] for one in told if isinstance(one, Alone)]
    joined = ["\n".join(one) for one in told if isinstance(one, list)]
    return alone + [hit.value for text in joined for hit in detector.find(text) or ()]
