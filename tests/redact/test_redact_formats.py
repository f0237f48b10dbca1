"""Keys of vendors that say little by themselves, and what stands around what was typed."""

from __future__ import annotations

import json
import string

import pytest

from everyleaf.cachedir import default_cache_dir
from everyleaf.config import RedactOptions
from everyleaf.redact.lastlook import Guard, LastLook
from redact.keykinds import ALNUM, HEX, LOWER, UPPER
from redact.making import RANDOM, made, password, phrase, shown


def uuid():
    return "-".join(made(length, HEX) for length in (8, 4, 4, 4, 12))


def digits():
    return "".join(RANDOM.sample(string.digits, 4))


def with_year():
    return f"Wolke{RANDOM.randint(1950, 1999)}.1"


def in_bytes(count):
    return ", ".join(f"0x{made(2, HEX)}" for _ in range(count))


TOLD = {
    "okta {}": lambda: f"00{made(40)}",
    "our backblaze applicationKey {}": lambda: f"K005{made(27)}",
    "growthbook {}": lambda: f"secret_admin_{made(30)}",
    "onesignal {}": lambda: f"os_v2_app_{made(103, LOWER)}",
    "fullstory {}": lambda: f"na1.{made(70)}",
    "adyen {}": lambda: f"AQE{made(120)}",
    "infisical {}": lambda: f"st.{uuid()}.{made(32, HEX)}.{made(32, HEX)}",
    "etherscan key {}": lambda: made(34, UPPER),
    "the vultr key is {}": lambda: made(36, UPPER),
    "cloudflare global key {}": lambda: made(37, HEX),
    "pass oauth:{}": lambda: made(30, LOWER),
    "https://mainnet.infura.io/v3/{}": lambda: made(32, HEX),
    "https://eth-mainnet.g.alchemy.com/v2/{} works": lambda: made(32),
    "https://a-b.solana-mainnet.quiknode.pro/{}/": lambda: made(40, HEX),
    "https://calendar.example/ical/a%40b/private-{}/basic.ics": lambda: made(32, HEX),
    "my card is {} 12/28": lambda: f"{digits()} {digits()} {digits()} {digits()}",
    "pay with {}, exp 03/29, cvc 453": lambda: digits() + digits() + digits() + digits(),
    "key := []byte{ {} }": lambda: in_bytes(16),
    "const unsigned char AES_KEY[32] = { {} };": lambda: in_bytes(32),
    "I tried {}. It fails.": lambda: f"p8e-{made(32)}",
    "akamai: {}": lambda: f"akab-{made(16, LOWER)}-{made(16, LOWER)}",
    "set AZURE_DEVOPS_EXT_PAT to {} please": lambda: made(
        52, "abcdefghijkmnpqrstuvwxyz234567"
    ),
    "K={}": lambda: f"chpt_{made(15, HEX)}",
    "x={};y=2": lambda: f"eyJhIjoi{made(160)}",
    "/srv/{}/y": lambda: f"depot_project_{made(64, HEX)}",
    "is it {}?": lambda: f"SEC{made(64, HEX)}",
    "({})": lambda: f"sk-helicone-{'-'.join(made(7, LOWER) for _ in range(4))}",
    "first {}, then": lambda: f"pk_{made(34, HEX)}",
    "{}\u2026": lambda: f"sk-7R{made(20)}",
    "a={}": lambda: f"amzn1.oa2-cs.v1.{made(64, HEX)}",
    "**{}**": lambda: f"ory_pat_{made(32)}",
    "1,{}": lambda: f"web_{made(64, HEX)}",
    "P4_TICKET={}": lambda: made(32, "0123456789ABCDEF"),
    "PLEX_CLAIM={}": lambda: f"claim-q7R{made(17)}",
    "t={} dur=3": lambda: f"ptr_{made(43)}=",
    "-key: {}": lambda: f"token-{made(5, LOWER)}:{made(54, LOWER)}",
    "<p>{}</p>": lambda: (
        f"{made(10, HEX)}msh{made(15, HEX)}p1{made(5, HEX)}jsn{made(12, HEX)}"
    ),
    "ada:{}": lambda: f"testsk_{made(32)}.us",
    "here: {}": lambda: f"*:production.{made(56, HEX)}",
    "a\n{}\nb": lambda: f"AKLT{made(43)}",
    "ED25519-V3:{}": lambda: f"{made(86)}==",
    "comment: secret\n{}": lambda: f"RWRTY0Iy{made(180)}",
    "key without header:\n{}": lambda: (
        f"MIIEpAIBAAKCAQEA{made(48)}\n{made(64)}\n{made(22)}=="
    ),
    "privateExponent:\n    {}": lambda: ":\n    ".join(
        ":".join(made(2, HEX) for _ in range(15)) for _ in range(3)
    ),
    "PRIVATE KEY follows\nBEGIN RSA PRIVATE KEY\n{}": lambda: f"{made(64)}\n{made(64)}\n",
    'unseal_keys_b64":["VmFt7Q9mZ2xhc3Mgb2YgdGVhIGFuZCBhIGN1cCBvZiA=","{}"]': lambda: (
        made(43) + "="
    ),
    "secret_id             {}\nsecret_id_ttl  0s": uuid,
    "[{}]": lambda: ", ".join(str(ord(sign)) for sign in made(64, string.printable)),
    "k={}": lambda: f"kpat_{made(48)}",
    "r={}": lambda: f"sk_{made(28)}",
    "<v>{}</v>": lambda: f"sgamp_user_01{made(20, UPPER)}_{made(64, HEX)}",
    "f {}": lambda: f"fmu1-{made(8, HEX)}-{made(32, HEX)}-0-{made(32, HEX)}",
    "x {}": lambda: f"xaat-{uuid()}",
    "y {}": lambda: f"KGAT_{made(32, HEX)}",
    "b ({}) x": lambda: f"{made(33)}+AEh{made(6)}=",
    "s {}": lambda: f"sk-{made(16, LOWER[:26])}qzkxv{made(27, LOWER[:26])}",
    "https://{}:x-oauth-basic@github.com/": lambda: made(40, HEX),
    "https://{}:@api.example.org/v1": lambda: made(40, HEX),
    "dial sip:ada:{}@pbx.example.org": lambda: f"{made(12)}_7x4",
    'uri: "vmess://{}"': lambda: made(120),
    "ss://{}#home": lambda: made(48),
    "otpauth-migration://offline?data={}": lambda: made(60),
    "Secret key: {}": lambda: " ".join(made(4, "abcdefgh234567") for _ in range(8)),
    'users=ada:{}"': lambda: f"$$apr1$${made(8)}$${made(22)}",
    "eve:{}": lambda: f"{{SSHA}}{made(32)}",
    "hash {}": lambda: f"pbkdf2_sha256$870000${made(22)}${made(43)}=",
    'run --mnemonics "{}"': lambda: phrase(12).replace("-", " "),
    'AES.new(bytes.fromhex("{}"), m)': lambda: made(64, HEX),
    'expect "Password:"\nsend "{}\\r"': with_year,
    "01 WS-PASSWORD PIC X(20) VALUE '{}'.": with_year,
    'flag.StringVar(&pw, "password", "{}", "of the admin")': with_year,
    "about -u 'svc:{}@api.example.test'": lambda: f"{made(12)}4kD",
    "password: @{}!": lambda: f"mb3r{digits()}",
    "// deployer key: 0x{}": lambda: made(64, HEX),
    "Call API with key {}": lambda: made(40, HEX),
    '"sha1":"{}","token_last_eight":"c0ffee12"': lambda: made(40, HEX),
    "{cookie, '{}'}": lambda: made(20, string.ascii_uppercase),
    "https://a.example/join?invite_code={} x": lambda: made(22),
}
CHOSEN = [
    "tmux send-keys 'ssh ada@nas' Enter\nsleep 1\ntmux send-keys '{}' Enter",
    'getpass.getpass = lambda *_: "{}"',
    '#[arg(long, default_value = "{}")]\n    pub password: String,',
    '1\t<s name="A.value">{}</s>\n2\t<s name="A.name">password</s>',
    'resource "random_password" "a" {\n  length = 9\n  result = "{}"\n}',
    "JWT.encode payload, '{}', 'HS256'",
    'AUTH_USERS="eve:q7Rt2LmX9c,ada:{}"',
    "  - mssql # sa / {}",
]
HARMLESS = [
    "see https://example.org/private-1a2b3c/index.html and https://infura.io/v3/docs",
    "order 4225 2430 0404 5529 was shipped on 12/28",
    f"static const uint8_t sbox[16] = {{{in_bytes(16)}}};",
    f"key[16] = {{{', '.join(f'0x{at:02x}' for at in range(16))}}}",
    f"cloudflare deployed commit {made(40, HEX)}",
    "sk-toggleable__label sk-container-id-1 ptr_to_what_is_long_enough_to_be_one_of_them",
    f"token-count:{'words' * 12} depot_project_settings_page claim-based-authorization",
    f"SECTION-{made(64, HEX)} MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{made(32)}",
    f"serialNumber:\n    {':'.join(made(2, HEX) for _ in range(15))}",
    "sed -i 's/password=.*/password=${PASSWORD}/' a.ini",
    "  DB_PASSWORD: ${DB_PASSWORD:?set salmon}",
    "4fc2001 Add password reset to salmon",
    f'etag: W/"{made(8)}q7Rt2LmX9c{made(9)}"',
    "  ~ master_password = (sensitive value) # galaxy",
    "mysql -u root -p shopdata99 < a.sql",
    "use python3.12 to log in",
]


@pytest.mark.parametrize("told", TOLD)
def test_keys_are_found_by_their_form_or_by_whose_they_are(told, detector):
    value = TOLD[told]()

    assert value not in shown(detector, told.replace("{}", value))


@pytest.mark.parametrize("told", CHOSEN)
def test_what_people_choose_is_found_in_code_and_commands(told, detector):
    value = f"{phrase(1).title()}@{digits()}"

    assert value not in shown(detector, told.replace("{}", value))


@pytest.mark.parametrize("said", HARMLESS)
def test_what_is_like_them_stays(said, detector):
    assert shown(detector, said) == said


@pytest.mark.parametrize(
    "around",
    [
        "<command-name>/deploy</command-name>\n<command-args>{}</command-args>",
        "<user-memory-input>{}</user-memory-input>",
        "<bash-input>{}</bash-input>",
        "<bash-stdout>{}</bash-stdout><bash-stderr></bash-stderr>",
        "<local-command-stdout>{}</local-command-stdout>",
    ],
)
@pytest.mark.parametrize(
    ("told", "make"),
    [
        (
            "when it asks for the passphrase type {}",
            lambda: "kitten saddle thunder umbrella",
        ),
        ("heres the api key\n\n{}\n\nadd it", lambda: made(40)),
        ("the admin password is now {}", password),
    ],
)
def test_what_was_typed_is_looked_at_as_it_stands_on_a_page(around, told, make, detector):
    value = make()

    assert value not in shown(detector, around.replace("{}", told.replace("{}", value)))


def test_what_search_finds_is_looked_at_in_its_lines():
    look = LastLook(Guard(RedactOptions(), default_cache_dir()))
    value = made(40)
    texts = ["Here is it", f'heres the api key\n{value}\nadd "it"', "thanks a lot, really"]
    said = [["prompt", f"m-{made(8, HEX)}", text, 1, "2026-01-31T14:05"] for text in texts]
    page = {"url": "transcripts/password=x1y2z3w4.html", "title": "Deploy", "said": said}
    body = json.dumps({"pages": [page], "version": 1}).encode()

    cleaned, kinds = look.clean("data/search/a.json", body)

    (then,) = json.loads(cleaned)["pages"]
    assert kinds == ("secret",)
    assert value not in cleaned.decode()
    assert (then["url"], then["said"][0], then["said"][2]) == (
        page["url"],
        said[0],
        said[2],
    )


def test_words_below_a_name_stay_where_each_is_a_text_of_its_own():
    look = LastLook(Guard(RedactOptions(), default_cache_dir()))
    said = [["reply", "m-1", "What is the password?"], ["prompt", "m-2", made(12, ALNUM)]]
    body = json.dumps({"said": said}).encode()

    assert look.clean("data/search/a.json", body) == (body, ())


def test_addresses_in_the_site_stay_and_others_are_looked_at():
    look = LastLook(Guard(RedactOptions(), default_cache_dir()))
    value = made(12)
    own = '<p><a href="../agents/agent_PW.html#m-ddb3ac55">x</a></p>'
    other = f'<p><a href="https://ada.example/?password={value}!" title="x">x</a></p>'

    assert look.clean("a.html", own.encode()) == (own.encode(), ())
    assert value.encode() not in look.clean("a.html", other.encode())[0]
