"""Passwords that people choose, where commands, calls and sentences tell of them.

A word, a year and a sign; a name and digits; seven letters, one of which is a digit. And
tokens behind a type, an item of a list, a remark.
"""

from __future__ import annotations

from uuid import UUID

import pytest

from redact.keykinds import BASE32, HEX
from redact.making import RANDOM, made, shown, spoken, token

_DIGITS = "23456789"
SHAPES = {
    "a year, a sign and letters": lambda: (
        f"{spoken().title()}20{made(2, _DIGITS)}{made(1, '.+_#@-')}{made(2, 'kvxq')}"
    ),
    "a sign and digits": lambda: f"{spoken().title()}{made(1, '._-')}{made(4, _DIGITS)}",
    "a sign at the end": lambda: f"{spoken().title()}_{made(4, _DIGITS)}_",
    "a digit at the end": lambda: f"{made(2, 'bkmv')}{made(2, 'QXZKV')}kvXz"[:6] + "4",
    "two digits": lambda: f"q{made(2, 'bkmvz')}K{made(1, _DIGITS)}x{made(1, _DIGITS)}",
}
KEYS = {
    "a uuid": lambda: str(UUID(made(32, HEX))),
    "40 digits": lambda: made(40, HEX),
    "base32": f"{made(25, BASE32)}7{made(26, BASE32)}".lower,
    "random": token,
}
PLACES = [
    "curl -sku ada:{} https://redis.example.org/x",
    "impacket-psexec ada:{}@mysql-01",
    "secretsdump.py corp/ada:{}@mysql-01",
    'conn.Open "DSN=wiki", "ada", "{}"',
    "db_password = (sensitive) -> {}",
    "User created: ada:{}",
    "das neue Passwort soll {} sein",
    "le mdp root c'est {}",
    "read -s PW <<< {}",
    "NAME            READY\n# pw {}",
    "Log in with ada/{} on staging",
    "use ada:{} for basic auth",
    "utilise ada / {} pour te connecter",
    "unzip -P {} wiki.zip",
    "pass wiki/db\n{}",
    "gopass show wiki\n{}",
    "+ op read op://dev/wiki/password\n+ {}",
    (
        "2026-05-03 10:11:12,345 [main] DEBUG c.a.Conf - op read op://dev/wiki/password\n"
        "2026-05-03 10:11:12,345 [main] DEBUG c.a.Conf - {}"
    ),
    "sudo pw {}",
    "try {} as the password",
    "it is {} (the db password)",
    "server.login('ada', '{}')",
    'new UsernamePasswordToken("ada", "{}")',
    "ACL SETUSER ada on >{} ~* +@all",
    'administrator_login_password = "{}"',
    '  - name: DB_PASSWORD\n    value: "{}"\n  - name: TZ\n    value: UTC',
]
NAMED = [
    'let pagerduty_token = String::from("{}");',
    'env:\n  - name: RAILWAY_TOKEN\n    value: "{}"\n  - name: TZ\n    value: UTC',
    'builder.setMeadowKey("{}"); // TWILIO_AUTH_TOKEN',
    'name  = "/x/azure_devops_pat"\n  type  = "SecureString"\n  value = "{}"',
    "<key>azureDevopsPat</key>\n<string>{}</string>",
    "curl -u {}: https://api.example.org/v1/charges",
    "La cl\u00e9 twilio est : {}",
    'variable "azure_devops_pat" {\n  type = string\n  default = "{}"\n}',
    (
        "2026-05-03 10:11:12,345 [main] DEBUG c.a.Conf - $ openssl rand -hex 20\n"
        "2026-05-03 10:11:12,345 [main] DEBUG c.a.Conf - {}"
    ),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("place", PLACES)
def test_what_people_choose_is_found(place, shape, detector):
    value = SHAPES[shape]()

    assert value.rstrip("_") not in shown(detector, place.replace("{}", value))


@pytest.mark.parametrize("shape", KEYS)
@pytest.mark.parametrize("place", NAMED)
def test_a_key_that_is_named_is_found(place, shape, detector):
    value = KEYS[shape]()

    assert value not in shown(detector, place.replace("{}", value))


@pytest.mark.parametrize(
    "text",
    [
        "please set the password to {}",
        "the admin password is {}",
        "sign in as ada with {}",
        "creds are ada:{}",
    ],
)
def test_a_password_with_signs_of_sentences_in_it_is_found(text, detector):
    for sign in ",:;":
        value = f"{made(1, 'bkm')}Q{made(1, _DIGITS)}x{sign}{made(1, 'bkm')}Z{sign}vK4q"

        assert value not in shown(detector, text.replace("{}", value))


@pytest.mark.parametrize("begin", ["prod-", "prod_", "batch-", "file-", "ssh-"])
def test_a_password_that_begins_as_an_id_does_is_found(begin, detector):
    value = f"{begin}{made(1, 'bkm')}Q{made(2, _DIGITS)}vx{made(1, _DIGITS)}"

    assert value not in shown(detector, f"password: {value}")


def test_a_word_in_a_span_of_code_is_found(detector):
    assert "\u2022`" in shown(detector, f"see `Passwort: {spoken()}` there")


def test_a_word_a_year_and_a_sign_is_no_reference_and_no_sum(detector):
    for sign in "#+":
        value = f"{spoken().title()}2016{sign}{RANDOM.randrange(30, 99)}"

        assert value not in shown(detector, f"password = '{value}'")


@pytest.mark.parametrize(
    "text",
    [
        "the password check is in Budget2024.md, see Figure_1234 and useIPv6",
        "the token is fixed in acme/wiki2#12 and wiki#1234, run.Revision+1",
        "see `password: string` and `pwd: /home` there",
        "the login is logged at 12:30:45,123 with id:abc1,def2",
        "unzip -p dist/wiki-0.1.0-py3-none-any.whl wiki/pass/METADATA.2 | head",
        "pass wiki/db\nadd-login-form2",
        "# pw hashing needs getX509 or toUTF8",
        "login with http/json2xml on staging",
        "client.open 'en-us', 'name2', 'value3'",
        "let token_name = String::from('refresh-token-v2');",
        "file_pat: '*.py'\nglob_pattern = 'src/utf8/base64'",
        (
            "2026-05-03 10:11:12,345 [main] DEBUG c.a.Conf - password ok\n"
            "2026-05-03 10:11:12,345 [main] DEBUG c.a.Conf - loadUser2"
        ),
    ],
)
def test_names_in_such_places_stay(text, detector):
    assert shown(detector, text) == text


OPEN = "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQ\n"


@pytest.mark.parametrize(
    "before", [f"{OPEN}…\nAPI_TOKEN=", f"{OPEN}token: ", "/srv/tmp/", "a::"]
)
def test_what_an_id_may_follow_hides_no_key(before, detector):
    key = f"ghp_{made(36)}"

    assert key not in shown(detector, f"{before}{key}\n")


def test_a_password_below_the_begin_of_a_certificate_is_found(detector):
    value = made(16)

    assert value not in shown(detector, f"{OPEN}db password: {value}\n")


def test_a_password_that_begins_as_an_id_and_has_small_letters_is_found(detector):
    value = f"file-{spoken()}{made(4, _DIGITS)}{spoken()}{spoken()}"

    assert value not in shown(detector, f"password: {value}\n")
