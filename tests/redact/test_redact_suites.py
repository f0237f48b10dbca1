"""Places that some suites found, written from the README alone, and what must stay.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import base64
import uuid
from string import ascii_lowercase

import pytest

from everyleaf.redact.asked import iter_answers, iter_shown
from everyleaf.redact.gather import Look
from redact.keykinds import HEX
from redact.making import RANDOM, made, password, phrase, shown, spoken, token

_DIGITS = "23456789"


def short() -> str:
    """Return four letters and three digits."""
    return f"{spoken()[:4]}{made(3, _DIGITS)}"


def counted() -> str:
    """Return a word and four digits."""
    return f"{spoken()}{made(4, _DIGITS)}"


def dotted() -> str:
    """Return two words and a number, with signs that names of files have."""
    return f"{phrase(1)}_{spoken()}.{made(3, _DIGITS)}"


def packed() -> str:
    """Return a word, a number and what looks like a version."""
    return f"{spoken()}{made(4, _DIGITS)}@9"


def base() -> str:
    """Return 32 bytes as base64."""
    return base64.b64encode(RANDOM.randbytes(32)).decode()


def some_id() -> str:
    return str(uuid.UUID(int=RANDOM.getrandbits(128), version=4))


def usual() -> str:
    """Return a usual word with a large letter, and a number that is no year."""
    return f"{RANDOM.choice(('Staging', 'Server', 'Office'))}{made(2, _DIGITS)}"


def with_role() -> str:
    """Return a word, and what the password is for with a number."""
    return f"{spoken()[:9].title()}_root{made(3, _DIGITS)}"


def four() -> str:
    return phrase().replace("-", " ")


def mailed() -> str:
    """Return sixteen letters, as mail servers make them."""
    return f"{made(8, ascii_lowercase)}{made(8, 'jkqvwxz')}"


def digits() -> str:
    return f"4{made(5, _DIGITS)}"


FOUND = {
    "Zoom passcode {}": short,
    "root@h.example pw {}": short,
    "pass is {} fyi": short,
    "the note says: user ada pass {}": short,
    "PW für den Drucker: {}": short,
    "log in to the router (admin/{})": short,
    "IPMI: ADMIN / {}": short,
    "camera login: admin {}": short,
    "onvif-cli devicemgmt -u ada -a '{}' --host x": short,
    "virsh qemu-monitor-command vm 'set_password vnc {}'": short,
    "SIP account 4912345 / secret {}": counted,
    "radtest ada {} h.example 0 x": counted,
    "radtest ada x h.example 0 {}": dotted,
    "lftp -e 'open -u ada,{} h.example'": counted,
    "davfs2 <<< 'https://10.0.0.1/dav ada {}'": counted,
    "new Sequelize('db', 'ada', '{}', {})": counted,
    "hash {} with bcrypt and put it into the table": counted,
    "composer config http-basic.repo.example.io ada {}": dotted,
    "bundle config set --global gems.example.io ada:{}": dotted,
    "curl -E client.pem:{} https://x.example": dotted,
    "pk12util -i a.p12 -W {} -d db": dotted,
    "Steps: 1. open it 2. enter ada and {} 3. 500": dotted,
    "wordpress: wp-admin, ada, {}": packed,
    "the combo for admin is {}, do not write it down": packed,
    '{"Smtp": {"Pass": "{}"}}': packed,
    "docker hub: ada, {}": password,
    "I use {} for everything": password,
    "p a s s w o r d: {}": password,
    "пасс: {}": password,
    'auth_basic "x"; # ada:{}': password,
    "how do I escape {}, it is the db password": lambda: f"{made(4)}&{made(3)}/{made(5)}1",
    "the vault opens with {}": phrase,
    "passphrase: {}": lambda: phrase().replace("-", "."),
    "try password {}": spoken,
    "the xor key is {}": lambda: made(16, HEX),
    "the salt is {}, and so on": lambda: f"{made(30, HEX)}7a",
    "jenkins → ada:{} (api token)": lambda: f"{made(30, HEX)}7a",
    '{"id": "x", "key": "{}"}': token,
    '{"keys": {"primary": "{}"}}': base,
    '{"session_id":"{}"}': lambda: f"{made(30, 'xkqz23456789')}7k",
    "vault operator unseal {}": base,
    '{"kty":"EC","d":"{}"}': lambda: base().rstrip("=")[:40],
    "https://h.example/t/{}/channel": lambda: f"{made(9)}qX7{made(8)}",
    'acl { tokens { agent = "{}" } }': some_id,
    "I made it. Generated secret for you:\n```\n{}\n```": lambda: f"{made(62, HEX)}7a",
    "steam guard code {}": lambda: f"{made(4, HEX)}7-{made(4, HEX)}k",
    "apple app-specific: {}": lambda: " ".join(made(4, "qxzjkvw") for _ in "1234"),
    "bw login a@b.example --method 0 --code {}": lambda: f"4{made(5, _DIGITS)}",
    "signal-cli -u +49155 verify {}": lambda: f"4{made(5, _DIGITS)}",
    "el código es {} (verificación en dos pasos)": lambda: f"4{made(5, _DIGITS)}",
    "the backup is encrypted, passphrase {}": four,
    "use my password, its {}": four,
    "frase de contraseña {}": four,
    "wachtwoordzin: {}": four,
    "кодовая фраза {}": four,
    "wallet wörter: {}": lambda: " ".join(phrase().replace("-", " ") for _ in "123"),
    "smtp user is ada@example.org, smtp pass {}": mailed,
    "tan ist {}": digits,
    "the code i got by sms: {}": digits,
    "unlock code for my phone {}": digits,
    "Passcode: 358638\nHost key: {}": digits,
    "await page.locator('#pin').fill('{}');": digits,
    'pin: str = os.getenv("ADMIN_PIN", "{}")': digits,
    "ww is {}": counted,
    "ww: {}": usual,
    "bei mir funktioniert {} al\x73 passwort": with_role,
    "test account is a@example.org with {}": with_role,
    "usa {} para entrar": with_role,
    "usa {} per entrare": with_role,
    "nimm {} zum einloggen": with_role,
    "gebruik {} om in te loggen": dotted,
    "E..:..@.@...PASS {}": counted,
    "npx supabase db push -p {}": counted,
    "the alarm pin is 661218, the door one is {}": digits,
    "you can ssh in with root and {}": counted,
    "password: &anchor {}": dotted,
    'smtp_password: SecretStr = SecretStr("{}")': usual,
    "base64 -d gives `{}`, so that is the database password.": counted,
    "la contraseña antigua era {}": lambda: f"window-{phrase(4)}",
    "cuando pida la contraseña, escribe {}": lambda: f"window-{phrase(4)}",
    "unlock the zip with {}": lambda: f"window-{phrase(4)}",
    "Setze bitte {} al\x73 Root-Passwort": lambda: f"window-{phrase(4)}",
    "use Paris{}? to log in": lambda: made(2, _DIGITS),
    "curl -u {}:X https://ada.example.com/api": lambda: made(20, f"{ascii_lowercase}7"),
    "accounts: ['0x6d94661741233abb1032dd1a', '{}']": lambda: made(64, HEX),
    "alarm_control_panel:\n  - name: x\n    code: {}": lambda: f"4{made(5, _DIGITS)}",
}  # fmt: skip


@pytest.mark.parametrize("around", FOUND)
def test_a_value_is_found_there(around, detector):
    value = FOUND[around]()

    assert value not in shown(detector, around.replace("{}", value, 1))


def test_the_mark_at_the_end_of_a_password_is_hidden_with_it(detector):
    value = f"{spoken().title()}-{made(4, _DIGITS)}!"

    assert "!" not in shown(detector, f"SMTP_PASS={value}\n")


@pytest.mark.parametrize("value", [counted, short])
def test_what_is_decoded_is_found_where_it_is_a_password(value, detector):
    said = base64.b64encode(f"{value()}Q7".encode()).decode().rstrip("=")

    assert said not in shown(detector, f"echo {said} | base64 -d")


def test_what_logs_in_to_a_store_is_found_as_base64(detector):
    said = base64.b64encode(f"ada:{counted()}".encode()).decode()

    assert said not in shown(detector, f"    npmAuthIdent: {said}\n")


@pytest.mark.parametrize("text", ["pinecone_key = {b}", "Pinecone key: {b}"])
def test_a_key_is_found_by_the_name_of_its_vendor(text, detector):
    said = "-".join(made(size, "0123456789abcdef") for size in (8, 4, 4, 4, 12))

    assert said not in shown(detector, text.replace("{b}", said))


def test_a_file_of_users_is_found_in_an_answer():
    value = counted()

    (told,) = iter_shown(f"Here is `a.user`:\n\n```user\nada:{value}\n```\n\nMore?")

    assert told.text[told.start : told.end] == value


@pytest.mark.parametrize("before", ["me: ", "> [10:02] Zoë: ", "**Анна:** "])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the passphrase of the backup?", "{}"),
        ("Which password should I use for it? I wait.", "take {} please"),
        ("Какой пароль от базы?", "no, {}"),
    ],
)
def test_what_answers_in_a_pasted_chat_is_found(before, question, answer, detector):
    value = f"{spoken()}.{spoken()}{made(3, _DIGITS)}"
    look = Look(detector, None)

    look.text("text", f"Look:\n{before}{question}\n{before}{answer.format(value)}\n", 1)

    assert value in {one.value for one in look.finish(b"").findings}


def test_what_answers_in_a_long_pasted_chat_is_found(detector):
    value = f"{spoken()}.{spoken()}{made(3, _DIGITS)}"
    said = ["hi", "hello", "it is down", "I see", "Which password has the base?", value]
    look = Look(detector, None)

    turns = [f"[10:0{at}] {'AZ'[at % 2]}da: {one}" for at, one in enumerate(said * 2)]
    look.text("text", "\n".join(turns), 1)

    assert value in {one.value for one in look.finish(b"").findings}


def test_a_description_behind_a_question_of_a_form_is_no_answer(detector):
    look = Look(detector, None)

    look.text("text", "title: Forgot your password?\nbutton: Send a sign-in2 link", 1)

    assert not look.finish(b"").findings


def test_a_code_that_a_command_prints_is_found():
    calls: dict[str, str] = {}
    code = f"4{made(5, _DIGITS)}"
    asked = {"command": "oathtool --totp -b x"}
    call = {"type": "tool_use", "id": "a", "name": "Bash", "input": asked}
    result = {
        "type": "tool_result",
        "tool_use_id": "a",
        "content": [{"type": "text", "text": code}],
    }

    told = [
        one
        for block in (call, result)
        for one in iter_answers({"message": {"content": [block]}}, calls)
    ]

    assert (code, 0, 6) in told


@pytest.mark.parametrize(
    "text",
    [
        "PublicKey = {b}",
        "the release is left-pad2020@9",
        "12abcdef34567890@v1",
        "all tests pass is12done",
        "ssh-keygen -t ed25519 -N '' -f id",
        "password hashing with sha256",
        "main / a1b2c3d",
        "two of 2023 (verification pending)",
        "docker run --user ada -t node18 sh",
        "echo aGVsbG8gd29ybGQ= | base64 -d",
        '{"key": "feature.someFlagWithNumber2"}',
        "export SIZE=1280x720x24",
        "token float64",
    ],
)
def test_names_versions_and_what_is_public_stay(text, detector):
    said = text.replace("{b}", f"{base()[:30]}+{base()}")

    assert shown(detector, said) == said
