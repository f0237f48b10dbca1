"""Passwords that look like words, in commands, settings and programs; and what must stay.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import pytest

from redact.keykinds import HEX
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


def words() -> str:
    """Return five words with blanks between them, the last of which is none."""
    return f"{phrase(4).replace('-', ' ')} {spoken()}"


def bytes_of(said: str) -> str:
    return ", ".join(str(ord(sign)) for sign in said)


def signs_of(said: str) -> str:
    return ",".join(f"'{sign}'" for sign in said)


def some_id() -> str:
    return "-".join(made(size, HEX) for size in (8, 4, 4, 4, 12))


_SHOUTED = (
    "esxctl -s h -u root -p {} version get",
    "./add-user.sh ada {} --silent",
    "admin upwd ada '{}'",
    'Map.of("user", "ada", "pass", "{}")',
    "btoa('ada:{}')",
    'reader.decrypt("{}")',
    ":Password: ``{}``",
    "list: |\nchpasswd:\n  list: |\n    root:{}\n",
)
_ANY = (
    "export KEYPW={}",
    "  PGPW: {}",
    "PWD_ADMIN={}",
    "- name: sqlPw\n  value: '{}'",
    "AUTHINFO(A) LDAPPWD('{}')",
    "$c['Servers'][$i]['controlpass'] = '{}';",
    "-[ RECORD 1 ]---\nlogin | ada\npasswd| {}",
    "passw       {}",
    "users:\n- [ada, {}]\n",
    "snmp_rw: {}",
    "set device snmp-community-string {}",
    "# original value: {}\n",
    'p: {{ .Values.p | default "{}" | b64enc }}',
    "$USER3$={}",
    "*.mx.example:ada:{}",
    '["-u", "ada", "-p", "{}", "--db"]',
    "PROD = ada / {} @ db1",
    'sk = "{}"',
    "* phrase: {}\n",
    '$u = "app"; $p = "{}";',
    "open h\nuser ada\n{}\nput x",
    "UPDATE u SET pass=MD5('{}') WHERE id=1",
    "my %c = (pass => q{{{}}});",
    '"imap://mx","ada","{}"',
    "SSID: Home\nKey: {}",
    "  991  su - ada\n  992  {}\n",
    "'{}'.crypt('ab')",
    'imap.login("ada", r"{}")',
    'Sql.newInstance(url, "ada", "{}")',
    'login.assert_called_with("ada", "{}")',
    'Signer("{}")',
    "xdotool type '{}'   # into the password box",
    "send-keys -t 0 '{}' Enter  # sudo prompt",
    "tpm2_create -p {} -c p.ctx",
    "Use svc_test with {} to see it",
    "log in with {} as admin",
    "denied for user (using password: {})",
    "vault kv put secret/app db=x mail={}",
    "smtp_maps = static:ada:{}",
    "; local secret {}\n",
    "Password1 {}\n",
    "<<E\na login ada {}\nE",
)
_PHRASES = (
    "./backup.sh --user ada --pass-phrase '{}'",
    "echo 'pass_phrase={}' >> config",
    "bw unlock --raw '{}'",
    "zfs load-key tank <<< '{}'",
    "keygen --passphrased; echo {}",
    "password: !vault-plain |\n  {}\n",
    "| host | key phrase |\n| --- | --- |\n| a1 | {} |\n",
)
_SPELT = (
    "pw = bytes([{}]).decode()",
    "const PASSWORD = String.fromCharCode({});",
    "char tok[] = {{{}}};",
    'token = "".join([{}])',
)
_KEYS = (
    ("<master>{}=</master>", lambda: made(40)),
    ("Username ada\nPassNTLMv2 {}", lambda: made(32, HEX.upper())),
    ("principal ada@X key(aes256): {}", lambda: made(64, HEX)),
    ("Private-key-format: v1.3\nAlgorithm: 157 (HMAC)\nKey: {}==", lambda: made(24)),
    ('"clients":[{{"id":"{}","flow":"x"}}]', some_id),
    (":rubygems_api_key: x\n:acme: {}", lambda: made(32, HEX)),
    ("dev:$7$101${}==", lambda: f"{made(16)}${made(86)}"),
    ("untrusted comment: secret key\n{}", lambda: f"RWRCSwAA{made(120)}"),
    ("{}\n^ my search secret key", lambda: made(32, HEX)),
    ('put "{}" into the music secret field', token),
    ("railway token → {}", some_id),
    ("const pin = env.PIN ?? '{}'", lambda: made(6, DIGITS)),
    ("pin: int = {}", lambda: made(6, DIGITS)),
    ("adb shell input text {}   # unlock pin", lambda: made(6, DIGITS)),
)


def _leaks(detector, place, make) -> bool:
    value = make()
    text = place.replace("{{", "\x01").replace("}}", "\x02").replace("{}", value)
    text = text.replace("\x01", "{").replace("\x02", "}")
    return value in shown(detector, text)


@pytest.mark.parametrize("place", [*_SHOUTED, *_ANY])
def test_two_words_and_a_mark_are_a_password(detector, place):
    leaks = [_leaks(detector, place, shouted) for _ in range(5)]

    assert not any(leaks)


@pytest.mark.parametrize("make", [lined, dashed])
@pytest.mark.parametrize("place", _ANY)
def test_a_password_of_words_is_masked_where_its_name_is_a_rare_one(detector, place, make):
    assert not _leaks(detector, place, make)


@pytest.mark.parametrize("place", _PHRASES)
def test_a_phrase_is_masked_where_a_password_may_stand(detector, place):
    assert not _leaks(detector, place, words)


@pytest.mark.parametrize("spell", [bytes_of, signs_of])
@pytest.mark.parametrize("place", _SPELT)
def test_a_password_is_masked_that_a_program_spells(detector, place, spell):
    said = f"{spoken()[:4].title()}{made(2, DIGITS)}{RANDOM.choice('!?')}"

    assert not _leaks(detector, place, lambda: spell(said))


@pytest.mark.parametrize(("place", "make"), _KEYS)
def test_a_key_is_masked_where_a_program_keeps_it(detector, place, make):
    assert not _leaks(detector, place, make)


@pytest.mark.parametrize(
    "text",
    [
        "password: !vault_ref secret/app#password",
        "the password manager is written in JavaScript!",
        "tokens = [101, 2023, 102, 7592, 999]",
        "key = ['a', 'b', 'c', 'd', 'e', 'f']",
        "key = [72, 101, 108, 108, 111]",
        "-- users: [admin, editor, viewer]",
        "users:\n- [ada, editor]\n",
        "PWD_MAX_LENGTH=64",
        "auth: required-for-all",
        "SELECT count(*) FROM pw WHERE community = 'public'",
        "kubectl unlock --help  # prints what may be unlocked by whom",
        "wc -w <<< 'the quick brown fox jumps'",
        "community: open and friendly to all",
    ],
)
def test_what_only_looks_like_such_a_place_stays(detector, text):
    assert shown(detector, text) == text
