"""Passwords and tokens that sentences tell, whoever's, however, in whatever language."""

from __future__ import annotations

import json
from itertools import product

import pytest

from redact.keykinds import HEX
from redact.making import RANDOM, made, password, phrase, shown, spoken, token

WHOSE = ["", "wifi ", "db ", "MinIO ", "Jenkins ", "test user "]
NAMES = ["password", "Password", "pw", "passwd", "passphrase"]
TOLD = [
    "the {n} is {v}",
    "my {n} is now {v}.",
    "{n}: {v}",
    "{n} → {v}",
    "{n} (staging): {v}",
    "FYI: the {n} should be “{v}” for now",
    "we changed the {n} to **{v}**, ok?",
    "the {n} for ada is {v}",
    "{n} - {v}",
    "enter {v} as the {n}",
    "`{v}` is the {n}, please use it",
    "put '{v}' in as the {n}",
    "here's the {n}\n\n{v} (rotate later)",
    "the {n} ({v}) does not work",
    "I tried it with the {n} {v} and it fails",
    "the old {n} was x and the new one is {v}",
    "it asks for a {n}, type {v}",
]
LANGUAGES = [
    "поменял пароль на {v}",
    "пароль админа {v}",
    "パスワードを {v} に変更しました",
    "数据库密码是{v}",
    "비밀번호는 {v}",
    "Das Admin-Passwort wurde auf {v} geändert.",
    "le mot de passe a été changé en {v}",
    "cambié la contraseña a {v}",
    "kata sandi: {v}",
    "wachtwoord: {v}",
    "hasło: {v}",
    "şifre: {v}",
    "لكلمة السر {v}",
]
STYLES = {
    "mixed": lambda: f"{made(5)}{made(2, '23456789')}{made(3)}Kq{made(2)}",
    "signs": password,
    "words and a number": lambda: f"{spoken()}-{spoken()}-{spoken()}-{made(2, '3456789')}",
    "joined": lambda: f"{spoken()}_{spoken()}_{made(3, '23456789')}",
    "letters and a number": lambda: f"{spoken()}{spoken()}{made(4, '23456789')}",
}


PASSES = [
    "pass",
    "new pass",
    "db pass",
    "wifi pass",
    "Password",
    "sudo password",
    "root pwd",
]
LINKS = [
    "the {n} is: {v}.",
    "my {n} was {v}; then log in",
    "reset the {n} to {v}, ok?",
    "the {n}, which is {v} - thanks",
    "the {n}'s {v} btw",
    "the {n} set to {v}",
    "my {n} should be {v}.",
    "the {n} is now {v} btw",
    "the {n} for ada is {v}",
    "use the {n} for staging: {v}, ok?",
    "the {n} on prod: {v}",
    "my {n} here: {v}.",
    "the {n} used is {v} btw",
    "my {n} there is {v}, ok?",
    "my {n} → {v}",
    "the {n} — {v}.",
    "my {n} is:\n\n    {v}",
]
WEAK = {
    "letters": lambda: (
        f"B{made(2, 'WXZQ')}{made(3, 'bcdfg')}{made(2, 'HJKLP')}{made(4, 'vxzqj')}"
    ),
    "a number first": lambda: f"{made(3, '3456789')}{made(2, 'qxz')}{made(3, 'bdfgh')}",
    "two words, a number": lambda: (
        f"{spoken()}{RANDOM.choice('._-')}{spoken()}{made(2, '3456')}"
    ),
    "words": phrase,
}


@pytest.mark.parametrize("style", WEAK)
@pytest.mark.parametrize("told", LINKS)
def test_a_short_name_and_a_weak_password_are_enough_for_a_sentence(told, style, detector):
    missed = []
    for name in PASSES:
        value = WEAK[style]()
        text = told.format(n=name, v=value)
        missed += [text] if value in shown(detector, text) else []

    assert missed == []


@pytest.mark.parametrize("style", ["letters", "a number first", "two words, a number"])
@pytest.mark.parametrize(
    "told",
    [
        "log in with ada / {v}",
        "the login is postgres and {v}",
        "logged in with {u}:{v}",
        "admin login → {u} | {v}",
        "creds {u}/{v}",
        "user {u} pass {v}",
        "db.local:5432:shop:{u}:{v}",
        "htpasswd -bc .ht {u} {v}",
        'expect "assword:" {{ send "{v}\\r" }}',
    ],
)
def test_a_weak_password_is_enough_beside_who_logs_in(told, style, detector):
    missed = []
    for user in ["ada", "svc-deploy", "ada.l", "ada@corp.io"]:
        value = WEAK[style]()
        text = told.format(u=user, v=value)
        missed += [text] if value in shown(detector, text) else []

    assert missed == []


@pytest.mark.parametrize(
    "text",
    [
        "the password was sha256 hashed, the next one is base64 encoded",
        "Do we hash passwords? (which algorithm - bcrypt, argon2?)",
        "the second pass - phase2.py, the new pass to the lexer, the first pass: 3x faster",
        "password set to NULL, password changed to varchar(255), password: ES2022",
        "Buffer.from(password, 'utf8').toString('base64'), hash(password, 'sha256', 'hex')",
        "the username and password to be used for authentication, a login to authenticate",
        "- [a module, password…](markdown/transcript_d6b9de01-bd25.md): 2026",
        "this pass is node18-only, my pass expires 2026-11-30, the pass on v8.3: ok",
        "the password's strength, the pass's name, the password -> users.password_hash",
    ],
)
def test_what_a_pass_or_a_password_is_besides_stays(text, detector):
    assert shown(detector, text) == text


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("told", TOLD)
def test_what_a_sentence_tells_is_found(told, style, detector):
    for whose, name in product(WHOSE, NAMES):
        value = STYLES[style]()

        said = told.format(n=f"{whose}{name}", v=value)

        assert value not in shown(detector, said), said


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("told", LANGUAGES)
def test_it_is_found_in_many_languages(told, style, detector):
    value = STYLES[style]()

    assert value not in shown(detector, told.format(v=value))


@pytest.mark.parametrize("told", TOLD[:10])
@pytest.mark.parametrize("name", ["password", "wifi passphrase", "admin pw"])
def test_a_word_of_letters_is_found_where_a_sentence_says_what_it_is(told, name, detector):
    value = f"{spoken()}{made(1, 'bdgkm')}{made(1, 'aio')}"

    assert value not in shown(detector, told.format(n=name, v=value))


@pytest.mark.parametrize("name", ["token", "Stripe secret", "service key", "app token"])
@pytest.mark.parametrize(
    "told", ["{n} is set to {v}", "the {n} was “{v}”", "{n} - {v}", "{n} for ada: {v}"]
)
def test_a_token_is_found(told, name, detector):
    for value in (token(), made(40, HEX)):
        assert value not in shown(detector, told.format(n=name, v=value))


@pytest.mark.parametrize(
    "said",
    [
        'if (password !== "{v}") return false',
        'assert verify_password("{v}", hashed)',
        'Buffer.from("{v}") // secret',
        'requests.post(u, auth=HTTPDigestAuth("ada", "{v}"))',
        'ldap.simple_bind_s("cn=admin", "{v}")',
        "const routerPw = '{v}';",
        "$dbpw='{v}';",
        "Trying admin:{v} ... failed",
        "(admin:{v})",
        "creds are ada {v}",
        '- textbox "Password" [active] [ref=e5]: "{v}"',
        "PASSWORD............: {v}",
    ],
)
def test_programs_and_logs_tell_as_sentences_do(said, detector):
    value = password()

    assert value not in shown(detector, said.replace("{v}", value))


@pytest.mark.parametrize(
    "said",
    [
        "the tests pass on 3f2a1b9c0d4e5f60718293a4b5c6d7e8f9a0b1c2",
        "First pass to determine free symbols; the second-pass review of chunkRefUpdates",
        "la contraseña es demasiado corta; das Passwort ist ungenügend lang",
        "def timeit_gathen_poly_f10_zassenhaus():\n    pass_it(method='password')",
        "def _configure_s3_limited_user(s3_server, policy, username, password):",
        "la contraseña es incorrecta",
        "hasło: wymagane",
        "mot de passe : obligatoire",
        '密码不能为空\n\n<a id="m-4cc9b94d"></a>\n',
        "1f2a3b4c Fix password reset\n9f21f81f77e573acf2a9f09e61041fb6df1cf15d Add it",
        '<div class="css-1q2w3e password-field">',
        "echo -n hello | sha256sum  # admin password",
        "Additional arguments to pass to `target`, or to Graphviz",
        "We pass uint32_t as int64_t, GO_TEST_EXIT=0 and ubuntu-22.04",
        "Use bcrypt for password hashing, argon2id is better",
        "the password is hashed, the passphrase was expired",
        "checkPasswordStrength('x') takes a string",
        '"sessionId": "8f76b0e8-1234-5678-abcd-123456789abc", "session": "2026-01-21-beta"',
        '{"message": "Invalid authentication credentials"}, "request_id": "x"',
        "aria-invalid={!!errors.password}\n  aria-describedby={errors.password}",
        "    'encodepassword',\n    'encodeqp',\n",
        "refs/heads/fix-checkpoint-token\n22f35dac11ec5ef02986d4fdce2e60418a536347\tx",
    ],
)
def test_what_only_stands_near_such_a_name_stays(said, detector):
    assert shown(detector, said) == said


def test_a_picture_behind_a_password_in_json_ends_it(detector):
    value = password()
    said = json.dumps({"text": f"password:{value}🔑"})

    masked = [hit.value for hit in detector.find(said)]

    assert value not in shown(detector, said)
    assert all(one.encode() for one in masked)


def test_a_long_line_of_names_is_cut_into_whole_values(detector):
    value = f"{made(30)}7K{made(20)}"
    before = " ".join(RANDOM.choices(["of", "the", "for"], k=18))

    for at in range(60):
        said = f"password {before[:at]} {value} and more"
        hidden = shown(detector, said)

        assert value not in hidden or hidden == said
        assert not any(value[n : n + 20] in hidden for n in range(32)) or hidden == said


PAIRS = [
    "Admin login: ada {v}",
    "test account — ada@h.example — {v}",
    "Wifi: Guest / {v}",
    "VNC: box.example | ada | {v}",
    "logging in as ada with {v}",
    'I logged in with "ada" and "{v}" again',
    "basic auth is ada {v}",
    "here you go: ada / {v} 🙂",
    "auth: ada / {v}",
    "the header decodes to `ada:{v}`",
    "My credentials are\nada\n{v}\n",
    "staging: ada / {v}",
    "use ada / {v} to log in to files.h.example",
    "you can log in to the router (admin/{v})",
    "inicia sesión con ada y {v}",
    "Anmelden mit ada und {v}",
    "accedi con ada e {v}",
    "ssh to 10.0.0.4 as ada with {v}",
    "u: ada p: {v}",
    "the zip is encrypted with {v}",
]


@pytest.mark.parametrize("told", PAIRS)
@pytest.mark.parametrize("make", [password, STYLES["mixed"]])
def test_a_password_beside_who_logs_in_with_it_is_found(told, make, detector):
    value = make()

    assert value not in shown(detector, told.replace("{v}", value))


@pytest.mark.parametrize(
    "told",
    [
        "the password is {v}, not {w}",
        'the old password was "{v}" and the new one is "{w}"',
        "the passphrase was rotated from {v} to {w}",
        'password mismatch: got "{v}" expected "{w}"',
        "the live key is {k}, staging uses {l}",
        "both keys: `{k}` and `{l}`",
        "API keys: {k}, {l}",
    ],
)
def test_the_second_value_of_a_sentence_is_found_too(told, detector):
    keys = [f"{made(14)}{made(1, 'xyz')}7{made(1, 'XYZ')}{made(14)}" for _ in range(2)]
    values = dict(zip("vwkl", (password(), password(), *keys), strict=True))

    hidden = shown(detector, told.format(**values))

    assert not any(value in hidden for value in values.values())


@pytest.mark.parametrize(
    "told",
    [
        "I typed `{v}` into the password field",
        "make {v} the new password",
        "it works with {v} as its password",
        "Replace `{v}` with a variable, it's our db password",
        "when asked for the password enter “{v}”",
        "the secret is\n\n    {k}",
        "the leaked key {k} is still in use",
        "I got token {k} back",
    ],
)
def test_what_is_done_with_a_value_tells_what_it_is(told, detector):
    values = {"v": STYLES["words and a number"](), "k": f"{made(16)}7xY{made(14)}"}

    hidden = shown(detector, told.format(**values))

    assert not any(value in hidden for value in values.values())


@pytest.mark.parametrize(
    "told",
    [
        "The passphrase is {}, type it when the script asks.",
        "The master password of the vault is {}.",
        "the secret is {}",
    ],
)
def test_a_phrase_of_words_is_found(told, detector):
    words = ["silver", "pirate", "lemon", "sodium", "kernel", "tulip"]
    phrase = " ".join(RANDOM.sample(words, 4))

    assert phrase not in shown(detector, told.replace("{}", phrase))


def test_a_token_before_more_of_the_sentence_is_found(detector):
    value = made(40, HEX)

    assert value not in shown(detector, f"token {value} should work, try again")


@pytest.mark.parametrize(
    "said",
    [
        "the password is stored hashed and salted before anything else happens",
        "The secret is keeping functions small, pure and simple.",
        "the data is encrypted with AES-256-GCM, and ChaCha20 as fallback",
        "sign in with GitHub / Google to log in to the console",
        "Managing accounts: https://h.example/en/blog/headlesschrome-in-docker",
        "your account (in interactive sessions, while non-interactive mode posts)",
        'x: str = auth.get("PASSWORD")  # type: ignore[assignment]',
        "from pygments.lexers.basic import CbmBasicV2Lexer",
        "login with GitHub / Google, or sign in with OAuth2",
        "the keys `claude-history-controls-state` and `ephemeral_1h_input_tokens`",
        "We log in with bcrypt as password hasher and Argon2 as fallback",
        "github.com/acme/token v1.2.3 h1:zIcWgu36EkPCYsLE8LK3yiKixrKGRNFE7QtDG0NSTZg=",
        "the account is locked since 2026-01-02 and user 4711 waits",
        "log in with Chrome / Firefox120, and with Safari / Edge",
        "the login / Ticket1234 waits",
        "the password form is PythonModule3, see login / Sprint12",
    ],
)
def test_words_near_accounts_and_keys_stay(said, detector):
    assert shown(detector, said) == said


TABLES = [
    "COPY people (id, mail, password, made) FROM stdin;\n1\ta@h.example\t{v}\t2024\n",
    "   id  user  password\n0   1  ada  {v}\n1   2  bob  x\n",
    "No  Name   Pass\n2   ADMIN  {v}\n",
    '- cell "DB_PASSWORD" [ref=e9]\n- cell "{v}" [ref=e10]',
    "key1       FULL           {b}",
]


@pytest.mark.parametrize("table", TABLES)
def test_a_column_of_passwords_is_found(table, detector):
    value = f"{made(20)}7xY{made(19)}" * 3
    words = {"v": STYLES["mixed"](), "b": value[:86] + "=="}

    hidden = shown(detector, table.format(**words))

    assert not any(word in hidden for word in words.values())


@pytest.mark.parametrize(
    "vendor", ["Stripe", "OpenAI", "eleven labs", "together ai", "Sentry"]
)
@pytest.mark.parametrize(
    "told",
    [
        "{n} key {v}",
        "the {n} key here: {v}.",
        "our {n} key, which is {v}, ok?",
        "{n} live key on prod: {v}",
        "the {n} key:\n{v}",
    ],
)
def test_a_key_is_found_behind_who_gave_it(vendor, told, detector):
    for value in (token(), made(32, HEX), f"{made(10)}-{made(12)}_{made(8)}7"):
        text = told.format(n=vendor, v=value)

        assert value not in shown(detector, text), text


@pytest.mark.parametrize(
    "text",
    [
        "the stripe key rotation is in 4f5e6d7c8b9a, OpenAI key: see docs/keys2.md",
        "azure key vault kv-prod-westeurope-01, the linear key function of the list",
    ],
)
def test_what_is_said_of_such_keys_stays(text, detector):
    assert shown(detector, text) == text
