"""Ways in which people leak secrets, written down from the README before any rule was read.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import html
import string
from uuid import UUID

import pytest

from redact.keykinds import HEX
from redact.making import made, password, phrase, shown, spoken, token

PLACES = {
    "Terraform, a token": (token, 'variable "registry_token" {\n  default = "{}"\n}'),
    "Terraform, a list": (
        token,
        'variable "api_tokens" {\n  default = [\n    "x",\n    "{}"\n  ]\n}',
    ),
    "a list of tokens": (token, 'api_tokens = [\n  "abc",\n\n\n\n  "{}",\n]'),
    "a JSON list": (token, '{"tokens": ["abc", "{}"]}'),
    "a YAML list": (password, "passwords:\n  - {}\n"),
    "value before name": (password, '[{"value": "{}", "name": "DB_PASSWORD"}]'),
    "value below a name": (password, '{"password": {"value": "{}"}}'),
    "a cookie in a HAR": (token, '{"name": "Cookie", "value": "sid={}"}'),
    "Composer": (token, '{"bearer": {"repo.acme.dev": "{}"}}'),
    "an escaped quote": (password, 'DB_PASSWORD="ab\\"{}"'),
    "a bind password": (password, "LDAP_BIND_PW={}"),
    "basic auth": (password, "BASIC_AUTH=admin:{}"),
    "a PIN": (lambda: made(6, string.digits), "ADMIN_PIN={}"),
    "a default of a shell": (password, "DB_PASSWORD=${DB_PASSWORD:-{}}"),
    "properties": (lambda: "zumogaripek", "db.password: {}\n"),
    "logfmt": (lambda: "zumogaripek", "level=info password={} user=bob"),
    "Redis, a prompt": (password, "127.0.0.1:6379> AUTH {}"),
    "gh": (lambda: made(40, HEX), "echo {} | gh auth login --with-token"),
    "openssl": (password, "openssl enc -d -aes-256-cbc -k {} -in a"),
    "keytool": (password, "keytool -list -storepass x2y3z4 -keypass {}"),
    "a key vault": (password, "az keyvault secret set --name n --value '{}'"),
    "snmpwalk": (password, "snmpwalk -v3 -u bob -A x2y3z4w5 -X {} host"),
    "net use": (password, "net use \\\\srv\\share {} /user:bob"),
    "arguments": (password, '["mysql", "-uroot", "-p{}"]'),
    "basic auth, Python": (password, "HTTPBasicAuth('bob', '{}')"),
    "basic auth, Go": (password, 'req.SetBasicAuth("bob", "{}")'),
    "a login": (password, 'server.login("bob@acme.dev", "{}")'),
    "getenv or": (password, 'password = os.getenv("DB_PASSWORD") or "{}"'),
    "Ruby": (password, 'ENV["DB_PASSWORD"] ||= "{}"'),
    "pydantic": (password, "Settings(host='db', password=SecretStr('{}'), port=1)"),
    "two strings": (password, 'password = "begin" + "{}"'),
    "jwt": (token, "jwt.sign(payload, '{}', { expiresIn: '1h' })"),
    "var_dump": (password, '["password"]=>\n  string(14) "{}"'),
    "print_r": (password, "    [password] => {}"),
    "Clojure": (password, '{:user "app" :password "{}"}'),
    "an array of C": (password, 'char pass[] = "{}";'),
    "Arduino": (password, 'WiFi.begin("home", "{}");'),
    "zod": (token, 'API_KEY: z.string().default("{}")'),
    "a form": (password, '<input type="password" name="pw" value="{}">'),
    "a meta element": (token, '<meta name="api-key" content="{}">'),
    "an element of XML": (lambda: "zumogaripek", "<password>{}</password>"),
    "an element": (password, "<b>Password:</b> {}<br>"),
    "a table in a frame": (password, "│ DB_PASSWORD │ {} │"),
    "a table of keys": (token, "| API key | `{}` |"),
    "prose": (password, "The root password has been set to {}."),
    "prose, quoted": (lambda: "zumogaripek", 'use the password "{}" for the admin'),
    "prose, a name and a password": (password, "user/pass is bob/{}"),
    "Russian": (password, "пароль: {}"),
    "Japanese": (password, "パスワード: {}"),
    "Portuguese": (password, "senha: {}"),
    "MySQL": (password, "A temporary password is generated for root@localhost: {}"),
    "Elasticsearch": (password, "Password for the elastic user (reset with `x`):\n  {}\n"),
    "Jenkins": (
        lambda: made(32, HEX),
        "the following password to proceed:\n\n{}\n",
    ),
    "shown once": (token, "Token created. Copy it now:\n\n  {}\n"),
    "netsh": (password, "    Key Content            : {}"),
    "an inline map": (password, "AUTHENTICATION: {user: ada, secret: {}}"),
    "Junos": (password, 'set security pre-shared-key ascii-text "{}"'),
    "a comment between": (password, "password: # of prod\n  {}\n"),
    "Oracle, the old one": (password, "IDENTIFIED BY x2y3z4w5 REPLACE {};"),
    "CSV, a PIN": (lambda: made(6, string.digits), "account,pin\n3727,{}\n"),
    "CSV, a seed": (
        lambda: made(32, "ABCDEFGHJKMNPQRTUVWXYZ234567"),
        "name,login_totp\nwiki,{}\n",
    ),
    "a wallet": (lambda: "0x" + made(64, HEX), "Private key: {}"),
    "anvil": (lambda: "0x" + made(64, HEX), "(0) {}\n"),
    "htpasswd": (lambda: f"$apr1${made(8)}${made(22)}", "admin:{}"),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("form", ["plain", "numbered"])
def test_what_stands_there_is_found(name, form, detector):
    make, place = PLACES[name]
    value = make()
    lines = place.replace("{}", value)
    if form == "numbered":
        lines = "\n".join(f"{n:6}→{line}" for n, line in enumerate(lines.split("\n"), 1))

    assert value not in shown(detector, lines)


def hexadecimal() -> str:
    return made(64, HEX)


def code() -> str:
    return made(6, "23456789")


def camel() -> str:
    return f"{spoken().title()}{spoken().title()}{made(1, '23456789')}"


def words() -> str:
    return phrase().replace("-", " ")


def escaped() -> str:
    """Return a password that looks as if a letter of it were escaped for an address."""
    return f"{spoken().title()}%{made(1, '24')}{made(1, '1234567')}&{spoken()}"


SAID = [
    (hexadecimal, "here is the signing key for the webhooks {}"),
    (lambda: made(32, HEX), "zigbee network key {}"),
    (lambda: made(32, HEX), "telegram api_hash {}"),
    (lambda: made(32, HEX), "the salt is short, the pepper {}"),
    (hexadecimal, "clave privada {}"),
    (hexadecimal, "私钥: {}"),
    (lambda: f"{made(4)}7/{made(17)}4/{made(19)}=", "Fernet key: {}"),
    (lambda: f"{made(4)}7+{made(17)}4/{made(19)}=", "aes-256 key in base64: {}"),
    (lambda: str(UUID(made(32, HEX))), "Secret ID    = {}"),
    (lambda: spoken() + spoken(), "snmpwalk -v2c -c {} 10.0.0.1"),
    (lambda: spoken() + spoken(), "his password was simply {}"),
    (password, "Timeout: No Response from 10.0.0.1 community {}"),
    (lambda: f"{spoken()}{made(1, '23456789')}", "  auth_type PASS\n  auth_pass {}"),
    (camel, "ich habe das DB-Passwort auf {} geändert"),
    (camel, "login details for the vps\n\nroot\n{}"),
    (lambda: f"{spoken()}{spoken()}4160", "ssh bob@10.0.0.4 ({})"),
    (escaped, "Logins:\nann - {}\n"),
    (words, '{"pass_phrase":"{}"}'),
    (words, "パスフレーズは「{}」です"),
    (words, "la phrase secrète est « {} »"),
    (lambda: phrase().replace("-", "_"), "the borg passphrase is {}"),
    (lambda: " ".join(phrase(12).split("-")), 'my mnemonic is "{}"'),
    (lambda: " ".join(phrase(12).split("-")), "12 words: {}"),
    (token, "APP_KEYS={},abc"),
    (token, "ifttt https://maker.ifttt.com/trigger/x/with/key/{}"),
    (lambda: "-".join(made(4) for _ in range(4)), "rtmp://a.example/live2/{}"),
    (lambda: f"K{made(51)}", "wif: {}"),
    (lambda: phrase().replace("-", "_"), "SESSION_SECRET = {}"),
    (lambda: f"{made(9)}4{made(12)}+{made(9)}", "the signing secret is {}"),
    (lambda: " ".join(made(4, "abcdefgh234567") for _ in range(8)), "Setup key (2FA): {}"),
    (code, "{} is your acme code."),
    (code, "Use {} to verify your account."),
    (code, "use code {} for the 2fa prompt"),
    (code, "it works: user ann, 2FA {}."),
    (code, "Freischaltcode: {}"),
    (code, "TAN {}"),
    (code, "código de verificação {}"),
    (code, "A: What's your PIN?\nB: {}"),
]


@pytest.mark.parametrize(("make", "told"), SAID)
def test_what_is_said_so_is_found(make, told, detector):
    value = make()

    assert value not in shown(detector, told.replace("{}", value))


@pytest.mark.parametrize("name", ["Terraform, a token", "Terraform, a list", "a JSON list"])
def test_it_is_found_behind_entities(name, detector):
    make, place = PLACES[name]
    value = make()

    assert value not in shown(detector, html.escape(place.replace("{}", value)))


CUT = {
    "anthropic": lambda: f"sk-ant-api03-{made(93)}AA",
    "github": lambda: f"ghp_{made(36)}",
    "gitlab": lambda: f"glpat-{made(20)}",
    "slack": lambda: f"xoxb-{made(12, string.digits)}-{made(13, string.digits)}-{made(24)}",
    "google": lambda: f"AIza{made(35)}",
    "pypi": lambda: f"pypi-AgEIcHlwaS5vcmc{made(150)}",
}


@pytest.mark.parametrize("name", CUT)
@pytest.mark.parametrize("frame", ["{}", "  {}", "│ {} │"])
def test_a_key_that_a_terminal_broke_is_found_whole(name, frame, detector):
    key = CUT[name]()
    before = 79 - min(len(key) // 2, 40)
    text = "The command printed this, and I copied it from the terminal: it is"
    text = f"{text[:before]:{before}} {key} and more"
    lines = [frame.format(text[at : at + 80]) for at in range(0, len(text), 80)]

    masked = shown(detector, "\n".join(lines))

    assert not any(key[at : at + 9] in masked for at in range(len(key) - 9))


def test_lines_below_a_key_are_not_taken_for_its_rest(detector):
    key = CUT["anthropic"]()
    text = f"ANTHROPIC_API_KEY={key}\nDATABASE_HOST=db1\nthe next line"

    assert "DATABASE_HOST=db1" in shown(detector, text)
