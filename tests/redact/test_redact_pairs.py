"""Accounts as people note them down, PINs, and two words with a sign between.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

from random import SystemRandom

import pytest

from redact.keykinds import HEX
from redact.making import made, shown

RANDOM = SystemRandom()
DIGITS = "23456789"
WORDS = ("walrus", "orchid", "cheddar", "lantern", "saddle", "badger", "thunder", "mango")


def pair() -> str:
    """Return two everyday words with a sign between."""
    return RANDOM.choice("._").join(RANDOM.sample(WORDS, 2))


def short() -> str:
    """Return four letters and three digits."""
    return f"{RANDOM.choice(WORDS)[:4]}{made(3, DIGITS)}"


def pin() -> str:
    return f"0{made(3, DIGITS)}"


def row() -> str:
    return " ".join(RANDOM.sample(WORDS, 4))


def some_uuid() -> str:
    return "-".join(made(size, HEX) for size in (8, 4, 4, 4, 12))


def apple() -> str:
    """Return what Apple gives to a program."""
    return "-".join(made(4, "bcdfgjkqvwxz") for _ in range(4))


FOUND = [
    (pair, "la parola d'ordine del NAS \xe8 {}"),
    (pair, 'credentialSecret: "{}",'),
    (pair, "zfs load-key tank/enc <<< '{}'"),
    (pair, "mach die Datenbank auf: postgres, {}"),
    (pair, "password: {}"),
    (short, "Claves\n- router: {}\n- impresora: no hay"),
    (short, "## Mots de passe\n\n- imprimante : {}"),
    (short, "# Passwords\n* nas: {}"),
    (short, "ssh to 10.0.0.4 (pi / {}) and find out why"),
    (short, "it's the old router, admin and {}. use paramiko"),
    (short, 'the client wants basic auth "preview" + "{}" on the staging'),
    (short, '{"rows": [{"user": "anna", "pass": "{}", "id": 1}]}'),
    (short, "if ($_POST['pass'] === '{}') {"),
    (short, "netcam_userpass admin:{}"),
    (short, "vpnuser  l2tpd  {}  *"),
    (short, "register => 4930155:{}@sip.provider.example/4930155"),
    (short, "| user | plain |\n|------|-------|\n| anna | {} |"),
    (lambda: f"zxcvbn#{made(4, DIGITS)}", "mysql -h db -u shop -p'{}' shop"),
    (lambda: f"{made(6)}J_kYulza_", "rclone config create nas webdav user=lukas pass={}"),
    (row, "nextcloud admin: ncadmin, {}"),
    (row, "const key = crypto.scryptSync('{}', salt, 32);"),
    (row, ': RSA vpnkey.pem "{}"'),
    (pin, "lock_code: {}"),
    (pin, "ChefPin={}"),
    (pin, 'SerialAT.println("AT+CPIN={}");'),
    (pin, "asterisk -rx 'database put pin 201 {}'"),
    (pin, "INSERT INTO staff (name, pin) VALUES ('Ada', '{}');"),
    (pin, " name | pin  \n------+------\n Ada  | {}\n"),
    (pin, "koden til alarmen er {}"),
    (pin, "Admin code: {}"),
    (some_uuid, "consul acl bootstrap: SecretID {}"),
    (
        lambda: "-".join(made(4, f"{DIGITS}bcdfg") for _ in range(4)),
        '{"server": "rtmp://a.rtmp.youtube.com/live2", "key": "{}"}',
    ),
    (apple, "for icloud caldav I generated {}, put it in vdirsyncer"),
    (lambda: made(60, HEX), "Cookie from my browser: session={}"),
    (lambda: made(48), "https://app.example/auth/magic?t={}&email=jo"),
    (lambda: made(32, "ABCDEFGH234567"), "my firefox sync recovery key: {}"),
]


@pytest.mark.parametrize(("make", "around"), FOUND, ids=[one[1] for one in FOUND])
def test_what_people_note_down_is_found(make, around, detector):
    value = make()

    assert value not in shown(detector, around.replace("{}", value, 1))


@pytest.mark.parametrize(
    "text",
    [
        "Logins\n- open the page: index.html\n- click: Submit",
        "Passwords\n- minimum length: 12 characters\n- reset: by mail",
        "INSERT INTO sensors (name, pin) VALUES ('led', '13');",
        "ledPin = 13",
        "| user | plain |\n|------|-------|\n| anna | yes |",
        "the admin and operators may sign in",
        "pi, raspberry and others",
    ],
)
def test_what_is_noted_beside_accounts_stays(text, detector):
    assert shown(detector, text) == text
