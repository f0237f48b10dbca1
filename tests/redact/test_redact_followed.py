"""Places that a suite found whose author read the README alone, and what must stay.

`{}` is the value; it is made when a test runs. What is said after a password was told of
stays, in whatever language: a whole message is a passphrase only if it may be one.
"""

from __future__ import annotations

from random import SystemRandom
from uuid import uuid4

import pytest

from everyleaf.cachedir import default_cache_dir
from everyleaf.config import RedactOptions
from everyleaf.redact.asked import Alone, Chosen, iter_answers, iter_said
from everyleaf.redact.lastlook import Guard, LastLook
from everyleaf.redact.words import is_compound, is_numbered
from redact.keykinds import HEX
from redact.making import made, shown

RANDOM = SystemRandom()
WORDS = (
    *("walrus", "marble", "orchid", "cheddar", "lantern", "saddle", "badger", "copper"),
    *("meadow", "velvet", "pretzel", "silver", "zebra", "mango", "otter", "thunder"),
)
ABROAD = ("Hausboot", "Kartoffel", "cachorro", "grenouille", "Fahrrad", "kartoshka")
LETTERS = "bcdfgkqvwxzBCDFGKQVWXZ"
DIGITS = "23456789"


def titled() -> str:
    return "".join(word.title() for word in RANDOM.sample(WORDS, 3))


def abroad() -> str:
    return f"{RANDOM.choice(ABROAD)}-{made(2, DIGITS)}"


def ending_with_a_sign() -> str:
    return f"x{made(3, LETTERS)}Ya_{made(6, LETTERS)}-"


def hexadecimal() -> str:
    return made(32, HEX)


def sha() -> str:
    return made(40, HEX)


def digits() -> str:
    return made(6, DIGITS)


def words() -> str:
    return " ".join(RANDOM.sample(WORDS, 5))


def dashed() -> str:
    return "-".join(RANDOM.sample(WORDS, 3))


TOLD = {
    "the password: {}": ending_with_a_sign,
    '{"email": "a@b.example", "password": "{}"}': ending_with_a_sign,
    'rcon_password "{}"': titled,
    "crypto isakmp key {} address 203.0.113.77": titled,
    "config mgmtuser add lobby {} lobby-admin": titled,
    "app.use(cookieParser('{}'))": titled,
    "(0) Login OK: [ada/{}] (from client ap2 port 0)": titled,
    "impacket-psexec CORP/Administrator:'{}'@10.0.0.2": titled,
    "- pw for the migration user is {}": abroad,
    "l: ada p: {}": abroad,
    "DEBUG AuthService - authenticate(ada, {}) -> OK": abroad,
    "log in as tester2/{} and take a screenshot": abroad,
    "domain admin CORP\\adm-ada {}": dashed,
    "is {} a good password?": dashed,
    "La contrase\xf1a en el fichero es `{}`.": dashed,
    'shared-secret "{}";': lambda: f"puzzle.candle{made(2, DIGITS)}",
    "configuration: password........................{}": lambda: f"M{made(5, 'aiou')}_43",
    "set system tacplus-server 10.2.2.2 secret '{}'": lambda: f"mnbvcxz{made(2, DIGITS)}",
    "kaggle key {} user ada": hexadecimal,
    "coinmarketcap key {}": lambda: str(uuid4()),
    "wandb {}": sha,
    "PUSHER={}": lambda: made(20, HEX),
    "BUNNY: {}": lambda: str(uuid4()),
    'password = "{}"': lambda: f"{RANDOM.choice(WORDS).title()}Backend",
    "password: {}": lambda: f"20240101_{RANDOM.choice(WORDS)}",
    "AGORA_CERT={}": hexadecimal,
    "SLACK_SIGNING: {}": hexadecimal,
    '"S2_Unauthenticated": "{}"': lambda: hexadecimal().upper(),
    "localclient:{}:10": sha,
    'TelegramClient("s", 1234567, "{}")': hexadecimal,
    'export const SIGN = process.env.SIGN || "{}"': hexadecimal,
    'BACKUP_PHRASE="{}"': words,
    "here is the privkey 0x{} for testing": lambda: made(64, HEX),
    '[passwords]\nada = "Kiwi-7751aB"\nbob = "{}"': lambda: "".join(WORDS[:2]),
    "  userpass:\n    ada: {}": abroad,
    "chpasswd:\n  list: |\n    root:Kiwi-7751aB\n    ubuntu:{}": lambda: "".join(
        WORDS[2:4]
    ),
    "users ada:CL:Kiwi-7751aB guest:CL:{}": lambda: "".join(WORDS[4:6]),
    "Heroku wants it, the key is {} (from the account page)": lambda: str(uuid4()),
    "DATABASE_URL:     postgres://db\nSLACK_SIGNING:    {}": hexadecimal,
    "pdf opens with {}": digits,
    "pdftk a.pdf input_pw {} output b.pdf": digits,
    "local-user 0755 password simple {}": digits,
    "pin | {}": digits,
    'otp: Optional("{}")': digits,
    'And I enter the code "{}"': digits,
    "Ihre mobileTAN lautet {} fuer den Auftrag": digits,
    "kids tablet pin {}": digits,
    "the wlan key on the back says {}": lambda: made(20, DIGITS),
    "the cookie is session={}": lambda: f"eyJ{made(18)}.{made(6)}.{made(27)}",
    "SIP=sip:6001:{}@pbx.corp.example": lambda: f"{made(11)}7",
    '- heading "Recovery codes"\n- listitem: aaaaa-bbbbb\n- listitem: {}': lambda: (
        f"{made(5, 'bcdfg23')}-{made(5, 'bcdfg45')}"
    ),
}
STAYS = [
    "remote: Support for password authentication was removed on August 13, 2021.",
    "cache key 981d7a3f40bea9c8a12b6b06d229a1b4",
    "duplicate key 863fd94c-3443-464b-ac8c-279093b232ef",
    "Cache restored from key: 981d7a3f40bea9c8a12b6b06d229a1b4",
    "the token of the CheckpointCount and the secret MermaidDiagram",
    "password: glpat- or sk-ant- is how they begin",
    "SENTRY_RELEASE=981d7a3f40bea9c8a12b6b06d229a1b4",
    "pod crashloops after i moved the db password to a secret",
    'then commit as "login: fix password field width"',
    "The Wi-Fi password is in `sdkconfig` now, so keep that file out of git.",
    "use MD5PasswordHasher in tests, or subclass `PBKDF2PasswordHasher` for the password",
    "No LICENSE file yet for the login. MIT or Apache-2.0?",
    "`login` tries CRAM-MD5, PLAIN, LOGIN in this order, so the password is hidden",
    "pon `current-password` en el login y `new-password` en el registro.",
    "Migration `20260302_renomme_mdp_hash`.",
    'Ja: "Gebruik minstens 10 tekens. Een zin mag ook." staat bij wachtwoord',
    'hiba\xfczenet: "A jelsz\xf3 legal\xe1bb 10 karakter."',
    '{"virhe": "uusi salasana on sama kuin vanha"}',
    "ERROR secret not found name=smtp-password backend=vault status=404",
    "  -W, --password           force password prompt (should happen automatically)",
    " -pass val           Passphrase source",
    "user_pass = '%s:%s' % (unquote(user),",
    "hasattr(self.passwd, 'is_authenticated')",
]
SENTENCES = [
    "bitte Tabelle umbenennen",
    "Fehler tritt weiterhin auf",
    "klucz obcy wskazuje z\u0142\u0105 kolumn\u0119",
    "popraw nazw\u0119 kolumny",
    "anahtar kelimeleri g\xfcncelle",
    "\u30c8\u30fc\u30af\u30f3\u306e\u6709\u52b9\u671f\u9650\u306f15\u5206\u3067\u3059",
    "\u518d\u8dd1\u4e00\u6b21\u6d4b\u8bd5",
    "lance les tests encore une fois",
    "revisa los registros por favor",
    "non funziona ancora",
    "werkt nog steeds niet",
    "k\xf6r testerna igen",
    "jalankan tes lagi",
    "rulează testele din nou",
    "make margins smaller",
    "move helpers into utils",
    "GPIO pin 4 is the LED and pin 18 the fan",
    "increase timeout to 3000",
]


def alone(turns: list[str]) -> list[str]:
    """Return what stands alone in the messages of a chat, one behind the other."""
    calls: dict[str, str] = {}
    told = [one for said in turns for one in iter_said(said, calls)]
    return [one.text[one.start : one.end] for one in told if isinstance(one, Alone)]


@pytest.mark.parametrize("around", TOLD)
def test_what_people_choose_is_masked_where_it_stands(around, detector):
    value = TOLD[around]()

    seen = [shown(detector, around.replace("{}", value))]
    said = alone([around.replace("{}", value)])

    assert value not in seen[0] or value in said


@pytest.mark.parametrize("text", STAYS)
def test_what_is_no_secret_stays(text, detector):
    assert shown(detector, text) == text
    assert alone([text]) == []


@pytest.mark.parametrize("said", SENTENCES)
@pytest.mark.parametrize(
    "before",
    ["the db password is in the vault", "the PIN is on the door", "a login form, please"],
)
def test_what_is_said_next_is_no_phrase(before, said):
    told = alone([before, said])

    assert said not in told


@pytest.mark.parametrize(
    "turns",
    [
        ["the passphrase please", "{}"],
        ["the phrase is wrong, try the old one", "{}"],
        ["I changed the password of the router", "{}"],
        ["match passphrase {}"],
        ["pw 7 {}"],
    ],
    ids=lambda turns: turns[0],
)
def test_words_alone_are_one_where_a_chat_tells_of_it(turns):
    value = words()

    told = alone([turn.replace("{}", value) for turn in turns])

    assert any(value in one for one in told)


def test_a_month_and_a_code_are_told_apart():
    assert alone(["the 2fa code is on my phone", "code: 086 314"]) == ["086 314"]
    assert alone(["that pw was wrong", "Done, see above.", "try cavallo92"]) == [
        "cavallo92"
    ]


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        ("tulpe42", ["tulpe42"]),
        ("mnbvcxz#787", ["mnbvcxz#787"]),
        ("user ada with velvetotter", ["velvetotter"]),
        ("a random one", []),
    ],
)
def test_what_a_person_answers_is_masked_as_it_is(answer, values):
    question = "Which password should the admin account get?"
    raw: dict[str, object] = {"toolUseResult": {"answers": {question: answer}}}

    told = [one for one in iter_answers(raw, {}) if isinstance(one, Chosen)]

    assert [one.text[one.start : one.end] for one in told] == values


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which password hashing should we use?", "bcrypt"),
        ("Which password hashing \ud800 should we use?", "bcrypt"),
        ("What prefix should the session key have?", "marmot:sess:"),
        ("Which PIN should the status LED use?", "GPIO 25, the onboard one"),
    ],
)
def test_what_is_asked_about_is_no_answer(question, answer):
    raw: dict[str, object] = {"toolUseResult": {"answers": {question: answer}}}

    assert [*iter_answers(raw, {})] == []


@pytest.mark.parametrize(
    "turns",
    [
        ["Which pin is the LED on?", "GPIO17"],
        ["Which seed do you pass?", "1337"],
        ["the db password is in the vault", "raise to 1200 for team plan"],
        ["Why are there cached tokens?", "price?"],
    ],
    ids=lambda turns: turns[0],
)
def test_what_answers_another_question_stays(turns):
    assert alone(turns) == []


def test_a_page_has_facts_below_what_ends_with_a_name_of_passwords():
    look = LastLook(Guard(RedactOptions(), default_cache_dir(), is_drawn=True))
    facts = "".join(
        f"<span>{one}</span>" for one in ("1 call", "main", "claude-sonnet-4-5")
    )
    named = str(uuid4())
    page = (
        f"<p>it is called newPassword</p>\n<time>20:10:15</time>\n<p>{facts}</p>\n"
        f"<p>the kennwort</p>\n<footer>motdepasse-appli \xb7 session {named}</footer>\n"
    )

    assert [*look.find("sessions/a.html", page)] == []


def test_a_password_across_elements_is_found_on_a_page():
    look = LastLook(Guard(RedactOptions(), default_cache_dir(), is_drawn=True))
    first, last = f"{made(4, LETTERS)}7", f"4{made(8, LETTERS)}9"
    page = f'<p>password: <span class="s">{first}</span><span class="n">{last}</span></p>\n'

    assert {one.value for one in look.find("a.html", page)} == {first + last}


def test_three_everyday_words_with_capitals_are_a_password():
    assert all(is_compound(titled()) for _ in range(20))
    assert not is_compound("MermaidDiagram")
    assert not is_compound("TokenPasswordField")


@pytest.mark.parametrize("value", ["worker-12", "issue-42", "python-39", "node-07"])
def test_names_with_a_number_are_no_passwords(value):
    assert not is_numbered(value)


@pytest.mark.parametrize("is_drawn", [True, False])
def test_a_weak_password_is_found_on_a_page_that_was_not_drawn_today(is_drawn):
    look = LastLook(Guard(RedactOptions(), default_cache_dir(), is_drawn=is_drawn))
    value = "".join(RANDOM.sample(WORDS, 2))

    found = look.find("a.html", f"<p>the password is {value}</p>\n")

    assert any(one.value == value for one in found) is not is_drawn
