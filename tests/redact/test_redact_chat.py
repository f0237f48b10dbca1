"""What people say in a chat: passwords, codes, keys and phrases."""

from __future__ import annotations

import pytest

from everyleaf.redact.talk import iter_talked, looks_chosen
from redact.keykinds import ALNUM, HEX
from redact.making import DIGITS, RANDOM, made, spoken

NOUNS = ("otter", "saddle", "walnut", "lantern", "meadow", "badger", "thistle", "gravel")


def chosen() -> str:
    """Return one of many shapes of what people choose."""
    one, two = (word.title() for word in RANDOM.sample(NOUNS, 2))
    number, sign = made(2, "3456789"), RANDOM.choice("!#$%&*+?~^")
    return RANDOM.choice(
        (
            f"{one}{sign}{two.lower()}{number}",
            f"{one.lower()}{number}{two}",
            f"{number}{one.lower()}{sign}{number}",
            f"{one}.{number}.{two.lower()}.{number}",
            f"{one}{two}{number}{number}{sign}",
            f"{spoken()}{number}{two.lower()}{number}",
            f"{one}<{number}{two.lower()}",
            f"{two}\xa3{number}{one.lower()}",
            f"{sign}{one.lower()}{number}{two.lower()}",
            f"__{one.lower()}{number}_{two}",
            f"{one}{RANDOM.choice('!#?_.')}{two}",
            f"{number}{one}",
            ".".join(RANDOM.sample(NOUNS, 4)),
            f"{'-'.join(RANDOM.sample(NOUNS, 4))}{number}",
            f"{one}_{'_'.join(RANDOM.sample(NOUNS, 2))}_{two}",
            f"{one.lower()}{made(1, '23456789')}{two.lower()}",
        )
    )


def compound() -> str:
    return "".join(RANDOM.sample(("walnut", "lantern", "meadow"), 2))


def words() -> str:
    return f"{' '.join(RANDOM.sample(NOUNS, 4))} {made(2, DIGITS)}"


def digits() -> str:
    return made(6, "3456789")


def key() -> str:
    return RANDOM.choice((made(32, HEX), made(64, HEX), f"{made(42, ALNUM)}A="))


def generated() -> str:
    """Return what a manager of passwords makes: letters of both sizes, digits, signs."""
    return f"{made(3)}q=>{made(3)}<{made(2)}7|{made(2)}Q]#{made(3)}"


TOLD = {
    "my mom still uses {} as password for her bank": chosen,
    "the root pw on the backup box is {}": compound,
    "habe das passwort geändert, heißt jetzt {}": compound,
    "le mot de passe de la base c'est {} et basta": compound,
    "pw ist {}, user ist lager": compound,
    "管理者のパスワード\uff1a{}": compound,
    "Accounts with passwords: lager1:{} lager2:other": chosen,
    "my password: {} (with the colon)": lambda: f"Walnut{made(2, DIGITS)}:otter{made(2)}",
    "the pw is 7 walnut lantern thistle {}": digits,
    "pass for the NAS is the long one, i.e. {}": chosen,
    "he can get into the shared mailbox with {} until I change it": chosen,
    "try carol and {} to log in": chosen,
    "Ours is {}. We use that password since May.": chosen,
    "Passwords of mum:\n- mail {}\n- bank the same": chosen,
    "die alte war {} und das neue Passwort steht im Tresor": chosen,
    "Try the password ({}) on the other box, too.": chosen,
    'the passphrase of my key: "{}"': words,
    "I made a strong password for ada:\n\n```\n{}\n```\n": generated,
    "use {} as db password": generated,
    "Here's the passphrase, I trust you: {}": words,
    "The passphrase for the disk is {}.": words,
    "Front door keypad: {} then the hash key": digits,
    "Gate: {}#, and please don't tell the courier": digits,
    "I told him to unlock the phone with {}": digits,
    "the unlock code of the phone: {}": digits,
    "le code du portail est {}A": digits,
    "код домофона {}": digits,
    "the one-time code is {} now, hurry": digits,
    "Die Alarmanlage hat den Code {}": lambda: made(4, "3456789"),
    "o código que chegou foi {}": digits,
    "пришёл код {}, введи быстрее": digits,
    "the alarm panel takes {} then hash": digits,
    "Der Schlüssel `{}` ist damit überflüssig": key,
    "our HMAC key is {}, the partner has the same": key,
    "Which key? My colleague says the key is {}": key,
}
"""Messages, and what stands in them."""
ANSWERED = [
    ("It asks for the admin password.", "{}", chosen),
    ("I need the password of the router.", "it's on the label", "oh wait: {}", chosen),
    ("Access denied.", "then it must be the old one, {}, they never changed it", chosen),
    ("Please confirm the passphrase.", "{}", words),
    ("Is the passcode of the tablet known?", "sure: {}", digits),
    ("The printer asks for a service PIN.", "they use {} on all of them", digits),
    ("The tunnel needs the preshared key.", "{}", key),
    ("What is the WiFi password?", "{}", digits),
]
OTHERS = [
    ("What is the password?", "it is on a sticker", "ok", "and now?", "{}", chosen),
    ("Which password?", "Thanks, got it.", "{}", chosen),
    ("What is on the branch?", "{} is", chosen),
    ("Which password?", "i'll run it myself", lambda: "i'll run it myself"),
    ("¿qué clave uso?", "usa la clave ssh", lambda: "usa la clave ssh"),
    ("Which PIN?", "the build took {} seconds, by the way, as it did on Monday", digits),
]
"""Messages of which the last one does not answer."""
STAYS = [
    "the zip code 10115 is in Berlin, and the area code 30211",
    "it exits with code 1045 and the server returns code 404404",
    "passwords since 1998, tokens in 2024 and a PIN of 2019",
    "the token limit is 200000, we used 18734 tokens in line 4711 of PR 2142",
    "Your password will expire in 14 days",
    "The password is stored in the vault of the team",
    "the pass rate of the suite went from 91 to 97 percent",
    'the error says "password is required", as it should',
    "hash the password with argon2, sha256 or PBKDF2, see RFC2898 and auth-helpers.ts:42",
    "the password test is VAL-B001, AC-F2.10 or test_login_bad2 in v1.2.3-rc.1",
    "unlock it on 2026-11-29T10:15:00Z with release-2024.11.2",
    "the key of the commit is the sha 0123456789abcdef0123456789abcdef",
    "log in as admin@acme.example at https://acme.example/a1b2c3 with $DB_PASSWORD",
    "the login form sends `userPassword2Field` and refs/heads/fix-login-17",
    "password: see 1Password",
    "a combination of 2FA and SSO is used by 5120 people, the SMS gateway sends 3000 a day",
    "the pin test is red, run number 4517",
    "what does code 1006 mean when the websocket closes?",
    "the login key ctrl+shift+7 did not help",
    "Пароль: знает только наш администратор",
    "the password goes to protocol!host and Scope.Mappings, see 3f2a9b01Merge",
    "the door code is on paper, call +49 5141 787577 or tel. 0511 918789",
    "The cache key is `user:833041:profile`, press the key combination Ctrl+Shift+F11",
    "the login.passwordHint2 of the Bosch GSR18V-16, 密码长度至少为58个字符。",
    "the password opens backup.7z on the branch sibling-triggers-rewrite",
    "het wachtwoordveld toont 57 sterretjes",
    "la password deve avere 41 caratteri",
    "Das Passwort ist mindestens 8 Zeichen lang",
    "das Passwort ist abgelaufen, la contraseña es obligatoria",
    "the password is alphanumeric, the password manager is bitwardencli",
    "the password check is part of @auth/core@^0.40.0, call 0431 316904",
    "the login by @ada1987 and @kumar-303, in Python3.6-rc1 on manylinux2014_aarch64",
    "lock the row 10045, the code for 4711 is on the branch",
]


@pytest.mark.parametrize("around", TOLD)
def test_what_a_message_tells_is_found(around):
    value = TOLD[around]()
    said = around.replace("{}", value)

    for one in talked(said):
        said = said.replace(one, "")
    assert value.strip("_*") not in said


@pytest.mark.parametrize("turns", ANSWERED, ids=lambda turns: turns[0])
def test_what_answers_to_a_message_before_is_found(turns):
    *texts, make = turns
    value = make()

    told = talked(*(text.replace("{}", value) for text in texts))
    assert value.strip("_") in {one.strip("_") for one in told}


@pytest.mark.parametrize("turns", OTHERS, ids=lambda turns: turns[0])
def test_what_answers_nothing_stays(turns):
    *texts, make = turns
    value = make()

    assert value not in talked(*(text.replace("{}", value) for text in texts))


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text):
    assert talked(text) == []


@pytest.mark.parametrize(
    "around", ["```\n$ run {}\n```", "```sh\n{}", "<duration>{}</duration>"]
)
def test_what_is_quoted_from_elsewhere_is_none_of_what_is_said(around):
    told = f"the password did not help:\n{around.replace('{}', chosen())}"

    assert talked(told) == []


def test_what_follows_a_word_in_a_fence_is_said():
    first, second = generated(), chosen()
    said = f"I made a password for ada:\n\n```\n{first}\n```\nand for bob {second} now"

    assert {first, second.strip("_")} <= {one.strip("_") for one in talked(said)}


def test_in_a_long_message_only_what_is_near_the_name_is_told():
    near, far = "Gravel#31otter", "Badger!27meadow"
    line = "Nothing of this is of interest to anybody who reads it here.\n"
    text = f"{line * 8}{far}\n{line * 2}The password is on the label:\n{near}\n{line}{far}"

    assert talked(text) == [near]


def test_a_long_line_is_cut_between_words():
    value = f"Gravel#31{'otter' * 6}"
    text = f"{value} {'and so on ' * 19}password {'and so on ' * 19}{value}"

    assert set(talked(text)) <= {value}


@pytest.mark.parametrize("_", range(20))
def test_what_people_choose_is_no_word_and_no_name(_):
    assert looks_chosen(chosen())


def talked(*texts: str) -> list[str]:
    """Return what the messages of a chat tell, one after the other."""
    calls: dict[str, str] = {}
    return [said[start:end] for said in texts for start, end in iter_talked(said, calls)]
