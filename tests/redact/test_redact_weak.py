"""Passwords that people choose, where commands, calls and sentences tell of them.

A word, a year and a sign; a name and digits; seven letters, one of which is a digit. And
tokens behind a type, an item of a list, a remark.
"""

from __future__ import annotations

from base64 import b64encode
from uuid import UUID

import pytest

from everyleaf.redact.asked import iter_shown
from everyleaf.redact.kinds import is_strong
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


def _coined():
    """Return four syllables that are no word."""
    return "".join(made(1, "bdfgkmpz") + made(1, "aiou") for _ in range(4)) + "n"


def _worded(sign="", end=""):
    """Return two words with capitals, and a year."""
    return f"{sign}{spoken().title()}{spoken().title()}19{made(2, _DIGITS)}{end}"


@pytest.mark.parametrize(
    "text",
    [
        "Mein Passwort ist {}",
        "verbinde dich mit Passwort {}",
        "la contrase\u00f1a es {}",
        "a senha \u00e9 {}",
        "le mot de passe est {}",
        "mot de passe : {}",
        "has\u0142o to {}",
        "\u043f\u0430\u0440\u043e\u043b\u044c: {}",
        "password is {}",
        "login demo password {}",
        "the password is {}, all lower case",
        "secret word: {}",
    ],
)
def test_a_word_that_no_language_has_is_found_in_a_sentence(text, detector):
    value = _coined()

    assert value not in shown(detector, text.replace("{}", value))


@pytest.mark.parametrize(
    "text",
    [
        "shared secret between the services = {}",
        "encryption key (AES-256, hex): {}",
        "keys: {}, {}",
        "try the key {} that the user gave me",
        "Rotate key {} for the weather API",
        (
            "\u0441\u0435\u043a\u0440\u0435\u0442\u043d\u044b\u0439"
            " \u043a\u043b\u044e\u0447: {}"
        ),
        "\u30b7\u30fc\u30af\u30ec\u30c3\u30c8\u30ad\u30fc: {}",
        "cl\u00e9 secr\u00e8te : {}",
        "sessionid q{} is still valid",
        "the session cookie is sid=q{}",
        "Bearer **{}**",
    ],
)
def test_a_hexadecimal_key_in_a_sentence_is_found(text, detector):
    value = made(32, HEX)

    assert value not in shown(detector, text.replace("{}", value))


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("ada@example.org:{}", lambda: _worded(end="=")),
        ("ada@example.org {}", lambda: _worded(end="=")),
        ("ada@example.org:{}", lambda: _worded("%")),
        ("password -> {}", lambda: f"{spoken().title()}=1955="),
        ("P/W: {}", lambda: f"{spoken().title()}?1955?"),
        ("password has to be {}, nothing else", lambda: f"{spoken()}={spoken().title()}88"),
        ("root@db1 {}", lambda: _worded("%")),
        ("login with ada/{}", lambda: _worded("$")),
        ("use {} for the staging db", lambda: _worded("#")),
        ("use {} for the staging db", lambda: f"{spoken().title()}?1956?"),
        ("It's {} as password", lambda: _worded("#")),
        (
            "the credentials are ada:{}, host db.example.org",
            lambda: f"{spoken()}-{spoken().title()}303",
        ),
        ("Basic auth is ada:{} on staging", lambda: f"{spoken()}-{spoken().title()}533"),
        ("smtp.example.org ada:{}", lambda: f"{spoken()}-{spoken().title()}337"),
        ("unlock code is {}", lambda: f"w2{spoken()}4k9"),
        (
            "Windows key: {}",
            lambda: "-".join(f"7{made(4, BASE32)}" for _ in range(4)),
        ),
        ("Twitch stream key live_586819221574_{}", lambda: made(30)),
        ("Authenticator key: {}", lambda: f"{made(12, 'BCDFGHJKLMQVXZ')}ZXQJ"),
        ("REGISTRY_AUTH_BASIC={}", lambda: b64encode(f"ada:{made(12)}".encode()).decode()),
    ],
)
def test_signs_and_forms_of_looser_sentences_hide_no_secret(text, make, detector):
    value = make()

    assert value.strip("=") not in shown(detector, text.replace("{}", value))


@pytest.mark.parametrize(
    "text",
    [
        "das Passwort ist falsch",
        "das Passwort ist hexadezimal",
        "le mot de passe est obligatoire",
        "mot de passe : minimale",
        "la contrase\u00f1a es obligatoria",
        "la contrase\u00f1a es modificada",
        "contrase\u00f1a: recuperar",
        "a senha \u00e9 utilizada",
        "la password \u00e8 generata",
        "has\u0142o to minimum",
        "password is dedicated, all lower case",
        "use the password generator",
        "the password basename is gone",
        "login demo password hexadecimal",
        "secret word: minimal",
        f"key {'7730cf04' * 5} of the cache",
        f"use the cache key {'7730cf04' * 4}",
        f"the encryption key fingerprint (SHA-256, hex): {'7730cf04' * 8}",
        "session id 31417c7f-afd1-4093-9f63-02905beb6301 is still valid",
        "the session cookie is sid=sessionid",
        "Bearer **authentication** is used",
        "see the card #BlackFriday and $FooBarBaz",
        "Foo=2022 and the year=2022= there",
        "image smtp.example.org:5000/robot:latest",
        "the credentials are app:service-account, host db",
        "the unlock code is generated in unlock2.py",
        "Authenticator key: REQUIREDFIELDNAM",
        "Windows key: HKEY-LOCAL-MACHINE",
        "stream key live_2024_summary",
        "REGISTRY_AUTH_BASIC=enabled",
    ],
)
def test_words_and_names_in_such_sentences_stay(text, detector):
    assert shown(detector, text) == text


STAYS = [
    ("2026-05-05T09:00:04Z [w] Authorization: Basic {b}\n2026-05-05T09:00:05Z ok", "2026-"),
    (
        '[{"text": "nimm {}, Passwort f\u00fcr den Server", "ts": "1767000000.1"}]',
        "1767",
    ),
    ("ssh deploy@web2 (pw: {})", "deploy@web2"),
    ("API_SECRET=\nDB_PASSWORD={}", "DB_PASSWORD="),
    ("\x1b[36mapi-9  |\x1b[0m   password: {}\n\x1b[36mapi-9  |\x1b[0m ok", "36mapi-9"),
    (
        r'"\u001b[36mapi-9  |\u001b[0m password: {}\n\u001b[36mapi-9 |\u001b[0m ok"',
        "36mapi-9",
    ),
    ('Passwort: "{}"}]}', '"}]}'),
    (r'{"content": "API Key\n{k}"}', r"\n"),
]


@pytest.mark.parametrize(("text", "beside"), STAYS)
def test_what_stands_beside_a_password_stays(text, beside, detector):
    value = f"{spoken()}{made(4, _DIGITS)}"
    basic = b64encode(f"ada:{made(14)}".encode()).decode()
    said = text.replace("{b}", basic).replace("{k}", f"q{made(39)}").replace("{}", value)
    seen = shown(detector, said)

    assert value not in seen
    assert basic not in seen
    assert seen.count(beside) == said.count(beside)


@pytest.mark.parametrize(
    "value",
    [
        *("2026-05-05T09", "2026-05-05 09:00:04.123", "1767000000.1", "DB_PASSWORD="),
        *("ada@web2", 'falcon4821"}]}'),
    ],
)
def test_what_any_text_may_say_is_masked_nowhere_else(value):
    assert not is_strong("api-key-header", value)


DIALOGS = [
    "(dlv) p token\n{q}",
    "(gdb) p cfg->api_key\n$2 = {q}",
    "expect(client.token).to eq(nil)\n   expected: nil\n   got: {q}",
    "  APP_SECRET      n/a                      {q}",
    "create table api_keys(id int, key text);\ninsert into api_keys values(1, '{}');",
]
COMMANDS = [
    "lftp -u root,{} sftp://host",
    "irssi -c irc.example.org -w {}",
    'https://cloud.example.org/dav   "ada"   "{}"',
    "- fill({q})\n  Error: Timeout\n  Call log:\n    - waiting for getByLabel('Password')",
]


@pytest.mark.parametrize("text", DIALOGS)
@pytest.mark.parametrize("size", [32, 40])
def test_what_a_program_shows_of_a_secret_is_found(text, size, detector):
    value = f"7{made(size - 1, HEX)}"

    assert value not in shown(detector, text.replace("{q}", '"{}"').replace("{}", value))


@pytest.mark.parametrize("text", COMMANDS)
def test_a_password_among_arguments_is_found(text, detector):
    value = f"{spoken().title()}{spoken()}{made(4, _DIGITS)}"

    assert value not in shown(detector, text.replace("{q}", '"{}"').replace("{}", value))


def test_a_pin_in_a_store_and_a_token_of_copilot_are_found(detector):
    pin, token = made(8, _DIGITS), f"tid={made(32, HEX)};exp=1;sku=free:{made(64, HEX)}"

    assert pin not in shown(detector, f"Key            Value\npin            {pin}")
    assert token not in shown(detector, f'"access": "{token}"')


@pytest.mark.parametrize(
    "text",
    [
        'The output of `openssl rand -hex 32`:\n\n```\n{"ok": true, "content": "{}"}\n```',
        "$ argocd admin initial-password\n2026-05-02T09:00:00.123Z [web1] {}\n",
        "here is what cat /srv/secrets/password prints:\n{}",
        "<summary>bw unlock --raw</summary>\n<result>{}</result>",
        "$ heroku auth:token\n \u203a   Warning: it expires today\n{}</x>",
        "<summary>heroku auth:token</summary>\n<result>@@ -0,0 +1 @@\n+{}</result>",
    ],
)
def test_what_a_told_command_prints_is_found(text):
    value = token()
    said = text.replace("{}", value)

    assert value in {said[one.start : one.end] for one in iter_shown(said)}


COINED = "password is {w}|la contrase\u00f1a es {w}|the password is {w}, all lower case"
AWAY = [
    "la contrase\u00f1a es recuperar|the password is tokenizer|the password is pedagogical",
    "331 files checked\nPASS src/cart.test.ts|331 Give it\nPASS ********",
    '"bcrypt_hash": "$2a$10$x"\n"count": 2|"length": 24,\n"result": "Cart_is_empty"',
    "<p>the passphrase for the key: see it in the vault</p>|It's $MAIN1 as password",
]


@pytest.mark.parametrize("ending", ["nar", "ral", "dos", "ger"])
def test_a_coined_word_with_an_ending_of_words_is_found(ending, detector):
    word = "".join(made(1, "kzg") + made(1, "ou") for _ in range(4)) + ending

    assert all(word not in shown(detector, one.format(w=word)) for one in COINED.split("|"))


@pytest.mark.parametrize(
    "text",
    [
        "331 Please specify the password.\nPASS {}\n230 Login successful.",
        '{\n  "bcrypt_hash": "$2a$10$x",\n  "length": 24,\n  "result": "{}"\n}',
        "try again. It's ${} as password",
    ],
)
def test_what_a_server_and_a_plan_tell_is_found(text, detector):
    value = f"{spoken().title()}{spoken().title()}{made(2, _DIGITS)}"

    assert value not in shown(detector, text.replace("{}", value))


def test_a_phrase_that_an_element_ends_is_found(detector):
    phrase = " ".join(spoken() for _ in range(5))

    assert phrase not in shown(detector, f"<code>passphrase for the key: {phrase}</code>")


@pytest.mark.parametrize("text", [one for texts in AWAY for one in texts.split("|")])
def test_what_looks_like_them_stays(text, detector):
    assert shown(detector, text) == text


def test_a_password_of_words_in_large_letters_is_found(detector):
    value = f"{spoken()}_{spoken()}".upper()

    assert value not in shown(detector, f'password: "{value}"')
