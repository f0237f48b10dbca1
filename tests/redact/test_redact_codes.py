"""Codes and words that open an account or a device, in sentences and lists."""

from __future__ import annotations

import string

import pytest

from redact.keykinds import HEX
from redact.making import RANDOM, made, password, shown

LOWER = "abcdefghjkmnpqrstuvwxyz"
TOLD = [
    *("my PIN is {}", "the pin for the door is {}.", "the code for the safe is {}"),
    *("sms code: {}", "car radio code {}", "the otp they sent me: {}", "gate code: #{}*"),
    "Your verification code is:\n\n{}",
    "the authenticator shows {}, use that 2FA code",
    "{} is your one-time code",
    "meine PIN ist {}",
    "il PIN è {}",
    "mon code secret est {}",
    "пин-код {}",
    "PIN码是{}",
    "验证码是 {}",
    "暗証番号は{}です",
    "인증번호: {}",
    "PIN kodum {}",
    "ADMIN_PIN={}",
]
LISTS = [
    "backup codes: {}, {} and {}",
    "my recovery codes are {} {} {}",
    "GitHub recovery codes: {} / {} / {}",
    "Save these codes somewhere safe:\n{}\n{}\n{}",
    '{"backup_codes": ["{}", "{}", "{}"]}',
    "backupCodes: ['{}', '{}']",
    "use the backup code {}",
    "Wiederherstellungscodes:\n- {}\n- {}\n- {}",
    "codes de secours : {}, {}, {}",
    "códigos de recuperación: {}, {}, {}",
    "codici di recupero: {}, {}, {}",
    "резервные коды: {}, {}, {}",
    "备用验证码:{} {} {}",
    "バックアップコード: {} {} {}",
    "복구 코드: {}, {}, {}",
    "kody zapasowe: {}, {}, {}",
    "yedek kodlar: {}, {}, {}",
]
CODES = {
    "in two halves": lambda: f"{made(4, HEX)}-7{made(3, HEX)}",
    "of letters and digits": lambda: f"{made(4, LOWER)}{made(6, '23456789')}",
    "of digits": lambda: f"{made(8, '123456789')}",
}
HARMLESS = [
    "Pin the version to 1622, see pin 7 and GPIO pin 17; ADR 0017 (pin) → 0018 (migrate)",
    "otherwise pin to\n1622\t\t// the Unix epoch",
    "the verification code expires after 3600 seconds and has 123456 users",
    "security code review of 20260102-beta, the access code has 4 digits",
    "recovery codes are hashed with bcrypt before they are stored in the database",
    "print these codes with --format json2 and look at backup code paths",
    "the status code is 1404",
]


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("length", [4, 6, 8])
def test_digits_that_open_something_are_found(told, length, detector):
    value = "".join(RANDOM.sample(string.digits, length))

    assert value not in shown(detector, told.replace("{}", value))


@pytest.mark.parametrize("head", ["HomeKit code is ", '"pin": "', "ssn: ", "Matter code "])
def test_digits_in_groups_are_found(head, detector):
    value = (
        f"747-3{made(1, '4689')}-779"
        if head[0] != "M"
        else f"9544-3{made(1, '4689')}5-6191"
    )

    assert value not in shown(detector, f"{head}{value}")


@pytest.mark.parametrize("told", LISTS)
@pytest.mark.parametrize("kind", CODES)
def test_recovery_codes_are_found_in_lists_and_sentences(told, kind, detector):
    values = [CODES[kind]() for _ in range(told.count("{}"))]
    for value in values:
        told = told.replace("{}", value, 1)

    hidden = shown(detector, told)

    assert not [value for value in values if value in hidden]


@pytest.mark.parametrize("said", HARMLESS)
def test_other_numbers_and_codes_stay(said, detector):
    assert shown(detector, said) == said


WIDE = {ord(sign): ord(sign) + 0xFEE0 for sign in string.printable if "!" <= sign <= "~"}


@pytest.mark.parametrize("name", ["password:", "PW=", "Password ", "ﾊﾟｽﾜｰﾄﾞ: "])
def test_a_name_in_letters_as_wide_as_those_of_japanese_is_one(name, detector):
    name, value = name.translate(WIDE), password()

    assert value not in shown(detector, f"{name}{value}")
    assert value.translate(WIDE) not in shown(detector, f"{name}{value.translate(WIDE)}")
