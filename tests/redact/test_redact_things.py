"""What people take for passwords, said as they say it, and what must stay beside it.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from string import hexdigits

import pytest

from everyleaf.redact.gather import Look
from everyleaf.redact.words import THINGS
from everyleaf.sources.lines import Line
from redact.making import DIGITS, RANDOM, made, shown, spoken, token

_THINGS = sorted(word for word in THINGS if 5 <= len(word) <= 8)


def thing() -> str:
    """Return what lives, grows or is eaten."""
    return RANDOM.choice(_THINGS)


def counted() -> str:
    return f"{thing()}{made(2, DIGITS)}"


def dated() -> str:
    return f"{thing().title()}{made(4, DIGITS)}"


def joined() -> str:
    return f"{thing()}{thing()}"


def titled() -> str:
    return f"{thing().title()}{thing().title()}"


def row() -> str:
    return "_".join(RANDOM.sample(_THINGS, 3))


def chained() -> str:
    """Return words of any language with signs between that no names have."""
    return f"{thing()}={spoken()}={thing()}"


def spaced() -> str:
    return " ".join(RANDOM.sample(_THINGS, 4))


def digits() -> str:
    return f"4{made(5, DIGITS)}"


def sentence() -> str:
    """Return words that say something, each with a capital, and a number."""
    return f"My{thing().title()}AteThe{thing().title()}{made(3, DIGITS)}"


def walk() -> str:
    """Return keys that lie side by side."""
    keys = RANDOM.sample(["qwe", "asd", "fgh", "zxc", "rfv", "tgb", "yhn", "lkj", "poi"], 2)
    return f"{''.join(keys)}.{made(2, 'wxyz')}{made(2, DIGITS)}"


def short_digits() -> str:
    return f"4{made(4, DIGITS)}"


def hexadecimal() -> str:
    return made(64, hexdigits.lower()[:16])


def base64() -> str:
    return f"{token()}+{made(53)}=="


SAID = {
    "a jelszavam {}": counted,
    "puse {} de contraseña": counted,
    "ich hab al\x73 Passwort {} genommen": counted,
    "mein neues Passwort habe ich auf {} gesetzt": dated,
    "usa {} como clave de root": thing,
    "a szerver jelszava {}": thing,
    "mật khẩu: {}": thing,
    "steam password {}, guard code to follow": thing,
    "my wifi password it's {} nugg4959 all small letters": thing,
    "the password is {}, all lower case with spaces": spaced,
    "when it prompts for the passphrase enter {} and hit return": spaced,
    "you can take {}, that's the one for the ci user's sudo": row,
    "my db password is {} - user is root": row,
    "log in with ada@acme.example and {} please": dated,
    "für den Mandanten nimm ada@acme.example with {}": dated,
    "duplicati encryption passphrase Our popcorn eats 74 {}.": thing,
    "4{} is your Steam Guard code": digits,
    "la clé Azure storage : {}": base64,
    "logga in med anna och lösen {}": chained,
    "fyi the sudo pass on that box is \u6771\u4eac{} so pipe it in": digits,
    "lol the prod db password is literally {}, we should fix that": thing,
    "\u8bbf\u5ba2\u5bc6\u7801\u662f\u661f\u661f_{}": digits,
    "does the VPN still take {}? it told me my password had expired": sentence,
    "I changed my login to {} this morning": walk,
    "encrypt it with {} as the passphrase and send me the file": spaced,
    "our deploy key passphrase, without the quotes: '{}'": spaced,
    "use the credentials d.moreau/{} against staging": walk,
    "to disarm, enter {} within thirty seconds": short_digits,
    "for the service menu you key in {} while holding the light": short_digits,
    "the lockbox with the spare keys opens on {}": short_digits,
    "il faut taper le code {} puis \xe9toile": short_digits,
    "Koden til n\xf8kkelboksen er {}.": short_digits,
    "fetch the key from the box ({}), the door is green": short_digits,
    "router stickers say key 7{}0123, that's the wifi password": digits,
    "the magic word for the channel is {}": thing,
    "mother's maiden name on the form: I put {}, which isn't true": thing,
    "the answer to the security question: the name of my pet is {}": thing,
    "Das Codewort f\xfcr die Abholung lautet {}.": thing,
    "give them the password {}z.": lambda: thing().title(),
}
"""What somebody says in a chat."""

PRINTED = {
    "# Setup\n\nfyi the sudo pass on that box is {} so pipe it\n\nx = {a: b(c)}": dated,
    "the reader needs the 16-byte card key {} to open the sectors": lambda: made(
        32, "0123456789ABCDEF"
    ),
    "the key box is left of the entrance, its code is {}": short_digits,
    "the secret word for the rcon is {}.": thing,
    "FRONT DOOR ... {}\nHEATING ...... turn left": short_digits,
    "Start-PIN       {}": short_digits,
    "PIN puerta...: {}": short_digits,
    "HMI user: operator code: {}": short_digits,
    "[Supervisor]\nSupervisorPIN={}": short_digits,
    "| PUK | {} |": digits,
    "FTP pass      {}": token,
    "Password: {}": chained,
    "//INPUT DD *\npriya.n\n{}\nPUT 'PROD.DATA'": lambda: dated().upper(),
    "Pass phrase for the choir's archive:\n{}\nHint: none": spaced,
    "Enter passphrase for key '/home/a/.ssh/id': {} 29": spaced,
    'doc.decrypt("{}")': spaced,
    "anja 10:02 AM\nwhat's the pw of the nas?\nrob 10:04 AM\n{}\nanja 10:05 AM\nk": row,
    "12.05.25, 14:30 - A: code for the door?\n12.05.25, 14:31 - B: {}": short_digits,
}
"""What stands in notes, forms and chats that a command prints."""

STANDS = {
    "staging basic auth is shop:{}": joined,
    "wifi is CasaSol / {}": joined,
    "MQTT is mosquitto / {}*": counted,
    "user dana pass {} db shop": joined,
    "the JWT secret is just the word {} lol": joined,
    "snmp v3 auth pass x7 and priv pass {}": thing,
    "snmp community is {}": thing,
    "__pw__ __{}__": joined,
    "| box | root pw |\n|---|---|\n| a1 | {} |": counted,
    "name password host\nreporting {} mail.acme.example": row,
    "a@acme.example:{}\nb@acme.example:x": joined,
    "b@acme.example:maple\nc@acme.example:{}": joined,
    "dana: what is the grafana pw\n[10:15] mika: {}\n": joined,
    "password? me: {} bot: wrong": counted,
    'it was "old-Otter7" and i changed it to "{}" last week': row,
    'const char *pass PROGMEM = "{}";': titled,
    '{ user : "a", pass : Some "{}" }': counted,
    'const pwd = comptime "{}";': counted,
    'var creds = ("dana", "{}"); // user, password': counted,
    'keyring_set_with_value("db", "a", "{}")': row,
    'if (strcmp(input, "{}") == 0) unlock();': joined,
    'if code == "{}": open_door()': digits,
    "PASSWORDS = '''{}\nmaple8\n'''": counted,
    "PASSWORDS = '''maple8\n{}\n'''": counted,
    '<entry key="pass">{}</entry>': counted,
    "<tr><td>Password</td><td>{}</td></tr>": row,
    '{user:"readonly",pass:"{}"}': row,
    '{"pwd":"{}"}': thing,
    "MINIFLUX={}": hexadecimal,
    "tls.key: {}": base64,
    "privkey (hex) {}": hexadecimal,
    "SERVER_TRAFFIC_SECRET_0 " + "ab" * 32 + " {}": hexadecimal,
    "[+] 445/tcp SMB lena:{} (Pwn3d!)": titled,
    "PRIVMSG NickServ :IDENTIFY {}": counted,
    "john: {} (dana)": counted,
    "createuser -P app # typed {} twice": counted,
    "yes {} | head -2 | smbpasswd -s -a dana": counted,
    "bw login a@acme.example '{}'": spaced,
    "jupyter server --ServerApp.token='{}'": counted,
    "snmpwalk -v3 -u ops -l authPriv -a SHA -A {} h": row,
    "PS> $env:PAT\n{}": token,
    "$ heroku config:get SECRET\n{}": hexadecimal,
    "$ gopass show -o nas\n{}": spaced,
    "$ pass otp work/github\n{}": digits,
    "setadminpw {}\n": counted,
    '"dana" * "{}" *': counted,
    "password[^1]\n\n[^1]: it is {}": titled,
}
"""What stands in files, commands and outputs."""

STAYS = [
    "the password of user admin is older than 90 days",
    "the password cracker. it works",
    "the password manager, which is good",
    "a szerver jelszava rossz",
    "Passwort vergessen",
    "SHA256=" + "4f" * 32,
    "COMMIT=" + "4f" * 20,
    "the trace id is `" + "4f" * 16 + "`",
    "sed -i 's/password=.*/password=REDACTED/' app.log",
    "docker run --rm -e POSTGRES_PASSWORD postgres:17",
    "snmpwalk -v2c -c public 10.0.0.1",
    "db1 sudo: lena : TTY=pts/0 ; PWD=/srv ; USER=root",
    "# Run the default password hasher once",
    "BasicAuth{Username: user, Password: pass}https://acme.example/blob/6da1abe6",
    "sha256sum x.iso # " + "4f" * 32,
    "pass me the password\n[10:15] mika: done",
    '"passwort.vergessen39": "Passwort vergessen?", 12 words of an interface',
    "the password is hashed by\nhashlib.pbkdf2_hmac('sha256', password, salt, 600_000)",
    "a new session does not prove that the old one is dead\u2014we would have two",
    "Mar 1 10:00:00 h sshd[123]: Failed password for root from port 4242 over ssh",
    "the password is alphanumeric, the password manager is bitwardencli",
    "password: ENC[AES256_GCM,data:...]",
    "ED25519 key fingerprint is SHA256:NCGTcM98aqQElaORAlelSrrc2IZCPv5W1s+XLsIovcH=.",
    "# 0017. Pin MCP Extra Below 2.0 and Raise on Missing SDK",
    "Current Claude Code PID: 3796024",
    "Ski pass: Saisonkarte Zone 2",
    "pairings: board 1 Kowalski - Brandt, board 2 Osei - Lindqvist",
    "the password is checked with headless browser environments",
    "Lösenord: obligatoriskt. Lösenfras: valfri och kort nog.",
    "time=2026-05-04T20:17:25.873+02:00 the password was accepted",
    "Mar 02 09:05:12 web1 app[2331]: INFO  refresh token rotated for a user",
    "the router says that its MAC address is 3c:61:05:1a:2b:3c",
]


def _found(detector, record: dict[str, object]) -> set[str]:
    """Return what is found in a record of a session."""
    look = Look(detector, None)
    look.lines(Path("a.jsonl"), [Line(1, 0, json.dumps(record).encode())])
    return {finding.value for finding in look.finish(b"").findings}


def _block(kind: str, **fields: object) -> dict[str, object]:
    return {"type": "user", "message": {"content": [{"type": kind, **fields}]}}


@pytest.mark.parametrize("around", SAID)
def test_what_somebody_says_is_found(around, detector):
    value = SAID[around]()
    text = around.replace("{}", value)

    found = _found(detector, _block("text", text=text))

    assert any(value in one for one in found)


@pytest.mark.parametrize("around", STANDS)
def test_what_stands_in_files_and_outputs_is_found(around, detector):
    value = STANDS[around]()
    text = around.replace("{}", value, 1)

    assert any(value in one for one in _found(detector, _block("text", text=text)))


@pytest.mark.parametrize("around", PRINTED)
def test_what_notes_and_forms_tell_is_found_where_they_are_printed(around, detector):
    value = PRINTED[around]()
    text = around.replace("{}", value, 1)
    record = _block("tool_result", tool_use_id="a", content=text)

    assert any(value in one for one in _found(detector, record))


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text, detector):
    assert shown(detector, text) == text
    assert _found(detector, _block("tool_result", tool_use_id="a", content=text)) == set()


@pytest.mark.parametrize(
    "record",
    [
        {"type": "attachment", "attachment": {"type": "queued_command", "prompt": "{}"}},
        {"type": "summary", "summary": "{}"},
        {"type": "ai-title", "aiTitle": "{}"},
        {"type": "queue-operation", "operation": "enqueue", "content": "{}"},
        {"type": "user", "toolUseResult": {"answers": {"Which words?": "{}"}}},
        _block(
            "tool_use",
            name="TodoWrite",
            input={"todos": [{"content": "{}", "status": "x"}]},
        ),
        _block("tool_use", name="Write", input={"file_path": "/a/N.md", "content": "{}"}),
        _block("tool_use", name="Bash", input={"command": "cat > N.md <<'E'\n{}\nE"}),
    ],
)
def test_what_people_say_is_found_in_titles_prompts_answers_and_notes(record, detector):
    value = row()
    said = f"you can take {value}, that's the one for the ci user's sudo"

    found = _found(detector, json.loads(json.dumps(record).replace("{}", said)))

    assert value in found


def test_digits_that_a_tool_opens_a_lock_with_are_found(detector):
    code = made(4, DIGITS)
    asked = {"service": "alarm_control_panel.alarm_disarm", "data": {"code": code}}

    found = _found(detector, _block("tool_use", name="mcp__ha__call", input=asked))

    assert code in found


def test_a_private_key_without_its_first_line_is_found_whole(detector):
    lines = "\n".join(made(64) for _ in range(6))
    text = f"Your private key (I removed the header):\n\n```\n{lines}\n```\nDone."

    said = shown(detector, text)

    assert said.startswith("Your private key (I removed the header):")
    assert not any(line in said for line in lines.split("\n"))
    assert said.endswith("Done.")


def test_base64_of_a_login_below_the_command_that_makes_it_is_found(detector):
    value = b64encode(f"leila:{spoken()}{made(3, DIGITS)}".encode()).decode()

    assert value not in shown(detector, f"$ echo -n 'leila:x' | base64\n{value}")
