"""Passwords and tokens that are letters alone, short, in a table; and what looks so."""

from __future__ import annotations

import base64

import pytest

from everyleaf.cachedir import default_cache_dir
from everyleaf.redact.detect import open_detector
from redact.making import RANDOM


def word(syllables: int) -> str:
    return "".join(
        RANDOM.choice("bdfgklmnprtvz") + RANDOM.choice("aeiou") for _ in range(syllables)
    )


WORDS = {
    "a word": lambda: word(5),
    "two in one": lambda: word(3).title() + word(3).title(),
    "with dashes": lambda: f"{word(3)}-{word(3)}-{word(2)}",
    "no word": lambda: "".join(RANDOM.choice("bcdfgjkqvwxz") for _ in range(12)),
}
SHORT = {
    "with a dot": lambda: f"{word(2)}{RANDOM.randrange(10, 99)}.x",
    "with a sign": lambda: f"{word(2)}{RANDOM.randrange(10, 99)}!{word(1)}",
}
ASSIGNED = (
    "DB_PASSWORD={}",
    "DB_PASS = {}",
    "db:\n  password: {}\n",
    "POSTGRES_PASSWORD: {}",
    "pwd={}",
    "- Password: {}",
    "JWT_SECRET={} ./run",
    "      API_KEY: {}",
    "ENV API_SECRET={}",
    "ENCRYPTION_KEY={}; next",
    "secret: {}",
    'secret_key = "{}"',
    "self.api_token = '{}'",
    '"client_secret": "{}",',
    "private readonly secret: string = '{}';",
    "setx API_SECRET {}",
    'cli --client-secret "{}"',
    "| user | password |\n|---|---|\n| ada | {} |\n",
    " user | password \n------+----------\n ada  | {}\n",
    "+----+----+\n| id | secret_key |\n+----+----+\n| 1 | {} |\n+----+----+",
)
"""Where letters alone are a secret, and few characters are."""
TABLES = (
    "| db_password | {} |",
    "| **password** | `{}` |",
    "smtp_pass\t{}",
    "password | {}",
    "USER    PASSWORD    AGE\nada     {}    5d\n",
    "user,password,role\nada,{},admin\n",
    "name\tapi_key\nada\t{}\n",
    "| Password | {} |",
    "-[ RECORD 1 ]\nuser     | ada\npassword | {}\n",
)
OTHER = (
    'expect "assword:"\nsend "{}\\r"',
    "src/a.exp:1:expect 'assword:'\nsrc/a.exp:2:send \"{}\\r\"",
    "[DB_PASSWORD={}](https://example.org)",
    "q=docker%20login%20-u%20ada%20-p%20{}%20registry.example.org",
    "__redis-cli AUTH {}__",
    "a\\nmc alias set minio http://localhost:9000 admin {}\\nb",
    'requests\\.get\\(u, auth=\\("ada", "{}"\\)\\)',
    'echo "DB_PASSWORD={}"',
    "sqlplus scott/{}@orcl",
    "rabbitmqctl add_user ada {}",
    "cqlsh -u ada -p {}",
    "lftp -u ada,{} sftp://h",
    "cmdkey /add:srv /user:ada /pass:{}",
    "ssh-keygen -t ed25519 -N '{}' -f k",
    "cargo login {}",
    "poetry config pypi-token.pypi {}",
    "aws secretsmanager put-secret-value --secret-id x --secret-string '{}'",
    'dotnet user-secrets set "Db:Password" "{}"',
    "sudo -S <<< '{}' ls",
    'db.auth("ada", "{}")',
    'bcrypt.hash("{}", 10)',
    'password := []byte("{}")',
    'password <- "{}"',
    '.withPassword("{}")',
    "cy.get('#password').type('{}')",
    'driver.find_element(By.ID, "password").send_keys("{}")',
    "await page.fill('#password', '{}')",
    "username ada password 0 {}",
    "olcRootPW: {}",
    "ENV APP_PASSWORD {}",
    "ARG DB_PASS {}",
    "setenv MYSQL_PWD {}",
    "gh secret set DB_PASSWORD --body {}",
    "API_TOKEN ?= {}",
    "JWT_SECRET?={}",
    "WIFI_PSK={}",
    "Le mot de passe est {}",
    "Passwort f\xfcr den Server: {}",
    "credentials: admin:{}",
    "password \u2192 {}",
)


def found(text: str) -> str:
    detector = open_detector(default_cache_dir() / "rules")
    return " ".join(hit.value for hit in detector.find(text) or ())


@pytest.mark.parametrize("around", ASSIGNED)
@pytest.mark.parametrize("make", [*WORDS.values(), *SHORT.values()], ids=[*WORDS, *SHORT])
def test_a_word_or_little_more_is_masked_where_a_secret_is_assigned(make, around):
    value = make()

    assert value in found(around.replace("{}", value))


@pytest.mark.parametrize("around", [*TABLES, *OTHER])
def test_a_mixed_value_is_masked_in_a_table_and_behind_escapes(around):
    value = f"{word(2)}4{word(2)}9{word(1).upper()}"

    assert value in found(around.replace("{}", value))


@pytest.mark.parametrize("value", ["data4fozo9KU", "zota4nuri9KI", "node4kepu9VA"])
def test_a_value_that_begins_with_a_usual_word_is_masked_in_a_record(value):
    assert value in found(f"-[ RECORD 1 ]\nuser     | ada\npassword | {value}\n")


@pytest.mark.parametrize("names", ['password: "{}"', "'db_password' => '{}',"])
def test_a_phrase_of_words_alone_is_masked_beside_a_password(names):
    # Two syllables are a usual word now and then ("repo"), of which messages are made.
    value = f"{word(3)} {word(4)} {word(3)}"

    assert value in found(names.replace("{}", value))


def test_base64_that_is_piped_to_its_program_is_looked_into_however_short():
    key = "AKIA" + "".join(RANDOM.choice("ABCDEFGHJKLMNPQR234567") for _ in range(16))

    text = f"echo {base64.b64encode(key.encode()).decode()} | base64 -d"

    assert key in found(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("DB_PASSWORD={}", "qqqwwweee"),
        ("DB_PASSWORD={}", "kaktus-0000"),
        ("DB_PASSWORD={}", "Kaktus_"),
        ("DB_PASSWORD={}", "12121212"),
        ("DB_PASSWORD={}", "MY-DOG-REX"),
        ("DB_PASSWORD={}", "your_mother_smells"),
        ("DB_PASSWORD={}", "$UPERMAN99"),
        ("DB_PASSWORD={}", "%Kaktus99%"),
        ("DB_PASSWORD={}", "&xK9f2mQ7vL&"),
        ("DB_PASSWORD={}", "[^9fKd3mQ7vL"),
        ("DB_PASSWORD={}", "vault:Kaktus99"),
        ("DB_PASSWORD={}", "gemini-castor-pollux"),
        ("DB_PASSWORD={}", "o8-kaktus-regen"),
        ("DB_PASSWORD={}", "MasterOfNone"),
        ("DB_PASSWORD={}", "TheMissingKey"),
        ("password: {}", "@regen2024"),
        ("password: {}", "string-Bean77"),
        ("password: {}", "any.Body77x"),
        ("password: {}", "kaktus->regen99"),
        ("password: {}", "DasBoot"),
        ("the admin password is {}", "Regen(2024)"),
        ("the admin password is {}", "xK9f2(mQ7vL)"),
        ("connect using password: {}", "Kaktus-Regen-77"),
        ("please type passcode: {}", "Kaktus-Regen-77"),
        ("  existing_password: {}", "Kaktus-Regen-77"),
        ("the password of our vault item is {}", "gato-verde-lluvia"),
        ("password {} created", "Kaktus-Regen-77"),
        ("the wifi password {} unchanged", "Kaktus-Regen-77"),
        ("our S3 key: {}", "q7Rt2LmX9cVb"),
        ("group_key={}", "q7Rt2LmX9cVb"),
        ("Please fix the password change to {}", "Drachenfels77"),
        ('password = (sensitive value) -> "{}"', "Drachenfels77"),
        ("Passwort::{}", "gato-verde-lluvia"),
        ("root pw::{}", "gato-verde-lluvia"),
        ("the pw on my account is {}", "tapu196"),
        ("the secret word of the account is {}", "tapu196"),
        ("admin / {}", "2024sommer"),
        ("admin / {}", "1987Berlin"),
        ("admin / {}", "2024WHISKEY"),
        ("postgres://app:{}@db.local/x", "%s9fKd3"),
    ],
)
def test_a_password_is_masked_that_looks_like_what_is_none(text, value):
    assert value in found(text.replace("{}", value))


@pytest.mark.parametrize(
    "text",
    [
        "password: string",
        "password: required",
        "password = hashedPassword",
        "password: PasswordInput,",
        "Password: must be at least eight characters",
        "The password is incorrect.",
        "the password is case-sensitive",
        'password: "wrong password"',
        'password: "Neues Passwort"',
        '"password": "Passwort"',
        "password = newPassword",
        "token = NextMarker",
        "token = Keyword.Type",
        "token: Incomplete | None = ...,",
        'type_token: "keyword.control"',
        "secret: provider.clientSecret,",
        "api_key: settings.key",
        "secret: db-credentials",
        "private_key = server.pem",
        "access_key = resolve_access_key",
        'client_secret: "aaaabbbb-cccc-dddd"',
        "API_KEY=required",
        "SECRET_NAME=sunshine",
        'checkPasswordStrength("lowercase")',
        'self.find_user_pass("b", "h.example.com")',
        "(pass --include-all to see more)",
        "cli --token flag",
        "| Field | Type |\n|---|---|\n| password | string |\n| nickname | string |\n",
        "| Name | Password | Type |\n|---|---|---|\n| a | required | str |\n",
        "| Token | Effect |\n|---|---|\n| `mode:agent` | Report only |\n",
        "user, password,\nhost, port,\n",
        "* **auth:** username:password ([011c9a2](https://example.org/commit/011c9a2))",
    ],
)
def test_names_types_and_prose_stay(text):
    assert found(text) == ""
