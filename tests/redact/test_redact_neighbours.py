"""What stands out by its shape is found, however the sentence around it is built."""

from __future__ import annotations

import string

import pytest

from redact.keykinds import HEX
from redact.making import RANDOM, made, phrase, shown, token

SOUNDS = [
    "ba",
    "de",
    "fi",
    "go",
    "ku",
    "la",
    "me",
    "ni",
    "po",
    "ru",
    "sa",
    "vi",
    "wo",
    "xu",
]
SIGNS = "!@#$%"
HEADS = [
    "pw?",
    "Logins:",
    "Handover notes, root first:",
    "ログイン情報: ",
    "sudo -S ls <<EOF",
]
FILLERS = ["", "- ann / ", "* kibana — ", "Bob: sure: deploy, ", "1. `"]


def word(sounds: int = 3) -> str:
    return "".join(RANDOM.choice(SOUNDS) for _ in range(sounds))


def signed() -> str:
    sign = RANDOM.choice(SIGNS[:3])
    return f"{word().title()}{sign}{word(2).title()}{made(2, '23456789')}"


def numbered() -> str:
    ways = (
        f"{word(4)}{made(4, string.digits[2:])}",
        f"{word().title()}{word().title()}19{made(2, '56789')}",
        f"{word()}_{word(2)}.{made(3, '23456789')}",
    )
    return RANDOM.choice(ways)


@pytest.mark.parametrize("around", ["{}", "use {} there", "a\n({})\nb", "x: `{}`,"])
def test_words_and_digits_with_a_sign_between_are_found_anywhere(around, detector):
    value = signed()

    assert value not in shown(detector, around.format(value))


def scrambled() -> str:
    """Return letters of both sizes and digits that follow each other."""
    parts = (string.ascii_lowercase, string.ascii_uppercase, "23456789")
    return "".join(made(1, part) for _ in range(5) for part in parts)


def chosen() -> str:
    ways = (
        f"{word()}.{word()}5{made(3, '3456789')}",
        f"{word().title()}{word().title()}7{made(3, '3456789')}",
        f"{word()}6{made(3, '3456789')}{word(2)}",
        f"{word().title()}-{word().title()}{made(2, '3456789')}",
    )
    return RANDOM.choice(ways)


PLACES = [
    *("{}", "use {} there", "a\n({})\nb", '{{"x": "{}"}}', "run.sh bob '{}' now"),
    *("P={}", "took “{}”.", "- {}\n- b", "<b>{}</b>", "x, {}; y"),
]


@pytest.mark.parametrize("around", PLACES)
@pytest.mark.parametrize("make", [scrambled, chosen])
def test_what_no_word_and_no_name_looks_like_is_found_anywhere(around, make, detector):
    for value in (make() for _ in range(8)):
        assert value not in shown(detector, around.format(value))


@pytest.mark.parametrize(
    "text",
    [
        "the id is {}, look",
        '{{"fileId": "{}", "a": 1}}',
        "toolu_{} and req_{}",
        "-----BEGIN PGP SIGNATURE-----\n\n{}\n-----END PGP SIGNATURE-----",
        "see dist/index-{}.js and a/{}/b",
        "h1:{}= sha256-{}",
        "style-src 'sha256-{}+b/Z=';",
    ],
)
def test_ids_and_digests_that_look_like_it_stay(text, detector):
    shape = text.replace("{}", value := scrambled()).replace("{{", "{").replace("}}", "}")

    assert value in shown(detector, shape)


@pytest.mark.parametrize(
    "name",
    [
        *("Ed25519PublicKey", "CoordSys3D", "validate_rfc3339", "VisualStudio2022"),
        *("M4 10.5h2V3.5H2z", "2*R.y*R.z*R.j", "hashlib.sha256", "GitHub-500", "win-arm64"),
        *(
            "e6b8e1b",
            "2026-01-31T10:00:00Z",
            "x86_64",
            "os.Exit(0",
            "U0001f7e2",
            "K8sPodV1",
        ),
    ],
)
def test_names_with_digits_stay_anywhere(name, detector):
    assert name in shown(detector, f"it says {name} here\n{name}")


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("filler", FILLERS)
def test_words_and_digits_are_found_below_what_tells_of_secrets(head, filler, detector):
    value = numbered()

    assert value not in shown(detector, f"{head}\nfirst\n{filler}{value}")


def test_words_and_digits_stay_far_from_it_and_in_another_block(detector):
    value = numbered()

    assert value in shown(detector, f"The login is broken.\n\nRelease {value}")
    assert value in shown(detector, "login\n" + "one more line\n" * 9 + value)


@pytest.mark.parametrize(
    "name",
    [
        "left-pad@1.3.0", "24*time.Hour", "batchedUpdates$1", "a.md#L12", "me@host.dev",
        "Static%20content", "%s-run-%03d", "@media", "22434baaaaaaa627@v1", "**KB-B009",
        "&amp;Foo1", "x5t#S256", "checkout@v5", "if(lo&1073741824)", "phase8-html",
        "claude-3-5-sonnet-20241022", "AggregatorV2", "ppc_fp128", "secp256r1",
        "gpt-5.6-terra", "1.26+toolchain", "_3_packs", "claude-sonnet-4-5-20250929",
        'ID:            "def456ghi789"', 'checkpointID := "multi12345678"',
    ],
)  # fmt: skip
def test_names_with_digits_and_signs_stay(name, detector):
    assert name in shown(detector, f"The secrets are kept: see\n{name} there.")


def test_a_fingerprint_stays_beside_a_login(detector):
    said = f"1 sudo login\n2 the host key fingerprint is SHA256:{made(43)}\n3 password?"

    assert shown(detector, said) == said


def test_a_public_key_stays(detector):
    value = f"age1{made(58, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l')}"

    assert value in shown(detector, f"the public key is {value}")


@pytest.mark.parametrize(
    "said",
    [
        "Redirects on the auth path \u2192 fixed in {} (gated on a flag).",
        "login fixed in {}",
        "login flow \u2192 {}",
        "The tests pass, see {}",
        "grep -E '(PASS|FAIL)' in the background as b{}",
        "auth: read the log of {}",
    ],
)
def test_revisions_and_names_of_work_stay_in_sentences_on_logging_in(said, detector):
    revision = f"{made(1, 'abcdef')}{made(6, string.digits)}{made(1, 'abcdef')}"

    assert shown(detector, said.format(revision)) == said.format(revision)


@pytest.mark.parametrize(
    "told",
    [
        "use admin / {} there", "u: ann p: {}", "log in as ann (pw {})",
        "[user: ann][pass: {}]", "connect with user ann and pass {}",
        "router login is admin/{}", "ann@x.example / {}", "用户名ann 密码{} 。",
        "usa admin / {} para probar", "mysql on 3307, root / {}",
        "change the password from {} to another", "db user app / {}",
        "account 49 / secret {}", '2. Enter "ann" and "{}"', "is {} the right password?",
        "bob: what's the db password?\nann: {}\nbob: thanks", "smtp_password | {}",
        "│ DB_PASSWORD  │ {} │", '"Smtp": { "User": "ann", "Pass": "{}" }',
        'smtp_password: SecretStr = SecretStr("{}")', 'let password = String::from("{}");',
        'const [password, setPassword] = useState("{}");',
        "await page.type('#pass', '{}');",
        '<Key>Password</Key><Value ProtectInMemory="True">{}</Value>',
        '"Cmd": ["redis-server","--requirepass","{}"]',
        'create_user("ann", "a@x.io", "{}")',
    ],
)  # fmt: skip
def test_words_in_a_row_are_found_where_passwords_are_told_of(told, detector):
    value = phrase()

    assert value not in shown(detector, told.replace("{}", value))


@pytest.mark.parametrize(
    "told",
    [
        "u: ann p: {}", "the site has basic auth: acme / {}", "- Staging login: ann / {}",
        '2. Enter "ann" and "{}"', '"Cmd": ["redis-server","--requirepass","{}"]',
        "admin | {} | staging", "ann@x.example:{}", "creds:\nann\n{}",
    ],
)  # fmt: skip
def test_words_and_a_number_are_found_behind_who_logs_in(told, detector):
    camel = f"{word(2).title()}{word(2).title()}{made(1, '3456789')}"
    single = f"{word()}{made(3, '23456789')}"

    for value in (camel, single):
        assert value not in shown(detector, told.replace("{}", value))


@pytest.mark.parametrize(
    "said",
    [
        "git@x.example:Acme2024/it.git", "login page: ParserState2, LexerState3",
        "user: ann, plan: Premium2024", "| admin | Chapter12 | done |",
        "Authorization: `Bearer ${token}`",
        "GET /verify/3f2b1c4d-8d1e-4a22-8333-944445555666",
        "src/confirm/ConfirmationDialogContainerOfUsers2",
        "see dns cloudflare for the-zone-of-it",
    ],
)  # fmt: skip
def test_names_and_numbers_stay_where_nobody_logs_in_with_them(said, detector):
    assert shown(detector, said) == said


@pytest.mark.parametrize(
    "told",
    [
        "h['Authorization'] = `Token {}`;", "Reset link: https://x.example/reset/{}",
        "tls {\n  dns cloudflare {}\n}",
    ],
)  # fmt: skip
def test_tokens_in_links_and_settings_are_found(told, detector):
    value = token()

    assert value not in shown(detector, told.replace("{}", value))


@pytest.mark.parametrize("told", ["admin / {}", "login: ann / {}", '"Pass": "{}"'])
def test_three_words_are_found_where_a_password_is_named(told, detector):
    value = phrase(3)

    assert value not in shown(detector, told.format(value))


@pytest.mark.parametrize(
    "said",
    [
        "use the secret-manager-prod-reader role to log in",
        "the password-reset-flow fails, see password-reset-email-template",
        "git checkout fix-login-redirect-loop as admin", "login: see {}.md and {}/src",
        "token missing in package {}", '<div class="login-card {}">', '{"login": "{}"}',
        "the login page uses the class {} for its head", "kubectl logs {} -c auth",
        "admin: docker run -e PASSWORD=$PW acme/{}", "https://{}.example.org/login",
        'password = read(path / "{}")', "login with the skill {} first",
        "npm login; npm i {}@2",
        "Secrets of it:\nmail-relay-out\nweb-tls-acme\n{}\nlog-sink-key\nbus-end-let",
        "The names of all releases: {}",
    ],
)  # fmt: skip
def test_words_in_a_row_that_name_something_stay(said, detector):
    text = said.replace("{}", phrase())

    assert shown(detector, text) == text


@pytest.mark.parametrize(
    "command",
    ["secret-tool store --label=x a b", "docker secret create pg -", "pass insert -e work",
     "ansible-vault encrypt_string --stdin-name db", "openssl passwd -6 -stdin"],
)  # fmt: skip
def test_words_that_a_command_reads_as_a_secret_are_found(command, detector):
    value = phrase(4)

    assert value not in shown(detector, f'echo -n "{value}" | {command}')


@pytest.mark.parametrize(
    "told",
    ["API Key\n\n{}\n", "App secret\n{}\nSave", "API Key *\n{}", "the key is {} for now"],
)
def test_a_hexadecimal_key_is_found_that_is_all_below_its_name(told, detector):
    value = made(32, HEX)

    assert value not in shown(detector, told.format(value))


@pytest.mark.parametrize("told", ["The key\n{} Fix the token", "token\n{} on main"])
def test_a_revision_below_a_name_stays(told, detector):
    said = told.format(made(40, HEX))

    assert shown(detector, said) == said
