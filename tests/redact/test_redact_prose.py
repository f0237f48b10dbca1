"""Places that a fourth suite found, written from the README alone: prose of many languages,
commands and what they print, cells and sentences apart from a name, keys in pieces.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import base64
import json

import pytest

from everyleaf.sources.lines import names
from hanging import ends_soon
from redact.keykinds import HEX
from redact.making import RANDOM, made, password, shown, spoken, token


def typed() -> str:
    """Return a password as people type them: two runs of letters, a number between."""
    return f"{made(4, 'bcdfgkxz')}{made(3, '23456789')}-{made(3, 'jkqvxz')}"


PASSWORDS = {
    "German": "Das Passwort ist {}.",
    "German, of what": 'das Passwort für die Datenbank ist "{}"',
    "German, whose": "Passwort von root: {}",
    "French": "le mot de passe de la base est « {} »",
    "Spanish": "usuario bob, contraseña {}",
    "Spanish, key": "la clave es {}",
    "Italian": "La password è {}.",
    "Portuguese": "a senha do banco é {}",
    "Swedish": "Lösenordet är {}.",
    "Czech": "heslo je {}",
    "Turkish": "şifre {}",
    "Vietnamese": "mật khẩu là {}",
    "Russian": "пароль от базы {}",
    "Korean": "비밀번호는 {} 입니다",
    "Arabic": "كلمة المرور هي {}",
    "Hindi": "पासवर्ड {} है",
    "changed": "I changed the password to {}",
    "use": "use {} as the password",
    "with a name": "you can log in with bob and {}",
    "credentials": "credentials are bob / {}",
    "German credentials": "Zugangsdaten: bob / {}",
    "a program's login": "jenkins: admin / {}",
    "an address": "Admin login: ada@example.com / {}",
    "of the key": "The passphrase of the key is `{}`.",
    "pw": '{"email": "ada@example.com", "pw": "{}"}',
    "user and pass": "user: bob / pass: {}",
    "a row without a head": "| ada@example.com | {} | admin |",
    "any host": "*:*:*:postgres:{}",
    "this host": "localhost:5432:*:app:{}",
    "ssh asks": "Enter passphrase for key '/home/ada/.ssh/id_ed25519': {}",
    "Bundler": 'BUNDLE_GEMS__ACME__COM: "ada:{}"',
    "cypher-shell": "cypher-shell -u neo4j -p {}",
    "snowsql": "snowsql -a acct -u bob -p {}",
    "useradd": "useradd -p {} bob",
    "a keychain": "security unlock-keychain -p {} login.keychain",
    "altool": "xcrun altool --upload-app -u ada@example.com -p {}",
    "etcdctl": "etcdctl --user root:{} get x",
    "sftp": "sftp bob:{}@files.example.com",
    "passwd": 'echo -e "{}\\n{}" | passwd bob',
    "wpa_passphrase": "wpa_passphrase Home {}",
    "restic": "restic -r s3:x --password-command 'echo {}' backup",
    "rsync": "rsync --password-file=<(echo {}) a b",
    "a community": "snmpwalk -v2c -c {} 10.0.0.1",
    "a store": "-storepass {} -keypass x",
    "a call": 'login("bob", "{}")',
    "Django": "User.objects.create_superuser('admin', 'a@x.org', '{}')",
    "Laravel": "User::first()->update(['password' => Hash::make('{}')])",
    "Flask": 'generate_password_hash("{}")',
    "a trace": "PDO->__construct('mysql:host=db', 'root', '{}')",
    "SQL in SQL": "INSERT INTO log VALUES ('export PGPASSWORD=''{}''');",
    "a shell in a shell": "bash -c 'gpg --passphrase '\\''{}'\\'' -d f.gpg'",
    "CSV": 'id,text\n1,"{""email"":""a@x.org"",""password"":""{}""}"',
    "Polish, escaped": '{"out": "Has\\u0142o to {}"}',
    "Russian, escaped": '{"out": "\\u041f\\u0430\\u0440\\u043e\\u043b\\u044c: {}"}',
    "Russian, small": '{"out": "\\u043f\\u0430\\u0440\\u043e\\u043b\\u044c: {}"}',
    "Russian, in a URL": "q=%D0%9F%D0%B0%D1%80%D0%BE%D0%BB%D1%8C:%20{}",
    "Russian, in bytes": r"b'\xd0\x9f\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c: {}'",
    "Russian, in a mail": "=D0=9F=D0=B0=D1=80=D0=BE=D0=BB=D1=8C: {}",
    "Chinese, half of it escaped": '{"out": "\u5bc6\\u7801\\uff1a{}"}',
    "Spanish, escaped": '{"out": "contrase\\u00f1a: {}"}',
    "Turkish, escaped": '{"out": "\\u015fifre: {}"}',
    "Laravel in a shell": "bash -c 'Hash::make('\\''{}'\\'')'",
    "SQL in SQL, a call": "INSERT INTO log VALUES ('login(''bob'', ''{}'')');",
    "two lines to passwd": 'echo -e "{}\n{}" | passwd bob',
    "a router, in JSON": '{"out": "enable secret 0 {}"}',
    "a table in a string": ('f("| User | Password |\\n|---|---|\\n| bob | {} |")'),
    "a table in a log": (
        "app-1  | | User | Password |\napp-1  | |---|---|\napp-1  | | bob | {} |"
    ),
    "a table that grep found": (
        "a.md-1-| User | Password |\na.md-2-|---|---|\na.md-3-| bob | {} |"
    ),
}
TOKENS = {
    "a cell": "| `DD_API_KEY` | `{}` |",
    "a tab": "ZENDESK_API_TOKEN\t{}",
    "brackets": "[CF_API_TOKEN] {}",
    "two strings": '"RAILS_MASTER_KEY" "{}"',
    "an attribute": '@WEBHOOK_SECRET "{}"',
    "R": 'SEGMENT_WRITE_KEY <- "{}"',
    "set to": "I set `DATADOG_APP_KEY` to `{}`.",
    "set": "set SESSION_SECRET to {} and try again",
    "should be": 'JWT_SECRET should be "{}"',
    "behind a name": "the Algolia admin key ({}) stopped working",
    "with blanks": "The secret key base is {}.",
    "plist": "<key>API_SECRET</key>\n<string>{}</string>",
    "Terraform, optional": 'api_token = optional(string, "{}")',
    "netlify": "netlify env:set POLYGON_API_KEY {}",
    "convex": "npx convex env set CLERK_SECRET_KEY {}",
    "pulumi": "pulumi config set --secret PLAID_SECRET {}",
    "eas": "eas secret:create --name SENTRY_AUTH_TOKEN --value {}",
    "piped to vercel": 'echo -n "{}" | vercel env add IBM_API_KEY production',
    "below a name": '{"out": "DD_APP_KEY:\\n\\n    {}"}',
    "below a name that grep found": ".env-7-- name: TMDB_API_KEY\n.env-8-  value: {}",
    "an anchor": "x-env:\n  APP_SECRET: &s {}\n",
    "printed": "$ openssl rand -hex 32\n{}",
    "printed, JSON": '{"out": "$ cat config/master.key\\n{}"}',
    "echoed": "$ echo $API_TOKEN\n{}",
    "read": '$ op read "op://prod/db/password"\n{}',
    "a parameter": '{"Type": "SecureString", "Value": "{}"}',
    "a Kubernetes secret": '{"kind": "Secret", "apiVersion": "v1", "data": {"db": "{}"}}',
    "a key of tokens": '{"Jwt": {"Issuer": "x", "Key": "{}"}}',
    "a jar": ".example.com\tTRUE\t/\tTRUE\t1900000000\tsession_id\t{}",
    "Playwright's jar": '{"cookies": [{"name": "session", "value": "{}"}]}',
    "a session": "li_at={}",
    "a jar, escaped": '{"out": ".x.org\\tTRUE\\t/\\tTRUE\\t1900000000\\tsid\\t{}"}',
    "sed": 'sed -i "s|API_TOKEN=.*|API_TOKEN={}|" .env',
    "masked by CI": "echo ::add-mask::{}",
    "refused": 'panic: invalid token "{}"',
    "written to a file": 'echo "{}" > token.txt',
    "a vendor's name": '<add key="mistralKey" value="{}" />',
    "in brackets": "the PagerDuty token ({}) stopped working",
    "a log": "26-03-04T05:06:07.1Z [out] $ op read x\n26-03-04T05:06:07.2Z [out] {}",
}


@pytest.mark.parametrize("make", [password, typed])
@pytest.mark.parametrize("name", PASSWORDS)
def test_a_password_is_found(name, make, detector):
    value = make()

    assert value not in shown(detector, PASSWORDS[name].replace("{}", value))


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_is_found(name, detector):
    value = token()

    assert value not in shown(detector, TOKENS[name].replace("{}", value))


FORMS = {
    "aiven": lambda: f"AVNS_{made(19)}",
    "azure functions": lambda: f"{made(44)}AzFu{made(6)}==",
    "azure registry": lambda: f"{made(42)}+ACR{made(6)}",
    "azure, mixed case": lambda: f"{made(52)}JQQJ99B{made(25)}",
    "browserbase": lambda: f"bb_live_{made(27)}",
    "composio": lambda: f"ak_{made(20)}",
    "facebook": lambda: f"EAA{made(180)}",
    "google, in parts": lambda: f"ya29.c.c0A{made(180)}",
    "inngest": lambda: f"signkey-prod-{made(64, HEX)}",
    "mandrill": lambda: f"md-{made(22)}",
    "ngrok": lambda: f"2{made(26)}_{made(21)}",
    "openvsx": lambda: f"ovsxp_{made(8, HEX)}-{made(27, HEX)}",
    "packagist": lambda: f"packagist_uut_{made(64, HEX)}",
    "trello": lambda: f"ATTA{made(72, HEX)}",
    "trigger.dev": lambda: f"tr_prod_{made(20)}",
    "turnstile": lambda: f"0x4AAAAAAA{made(25)}",
    "twitter": lambda: f"{'A' * 21}{made(24)}%3D{made(50)}",
    "wandb": lambda: f"wandb_v1_{made(20)}-{made(56)}",
    "xata": lambda: f"xau_{made(40)}",
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("around", ["It is {}.", '"{}",', "a={}&b=1"])
def test_a_vendors_key_is_found(name, around, detector):
    value = FORMS[name]()

    assert value[4:] not in shown(detector, around.replace("{}", value))


def test_the_token_beside_an_account_is_found(detector):
    value = made(32, HEX)

    assert value not in shown(detector, f'Client("AC{made(32, HEX)}", "{value}")')


@pytest.mark.parametrize("between", ['" + "', "', '", '"\n    "'])
def test_both_pieces_of_a_key_are_found(between, detector):
    first, second = f"ghp_{made(16)}", made(20)
    quote = between[-1]

    text = shown(detector, f"k = ({quote}{first}{between}{second}{quote})")

    assert first not in text
    assert second not in text


def test_a_key_in_base64_that_is_in_lines_is_found_in_all_of_them(detector):
    key = f"GITHUB_TOKEN=ghp_{made(36)} "
    text = base64.encodebytes((key * 3).encode()).decode()

    hidden = shown(detector, text).split("\n")

    assert all(set(line) == {"•"} for line in hidden if len(line) > 40)


@pytest.mark.parametrize("place", ["ZENDESK_API_TOKEN={}", 'api_token = "{}"'])
def test_a_token_that_a_terminal_broke_is_found(place, detector):
    first, second = f"{token()}8{made(20)}", f"{made(12)}3{made(12)}"

    text = shown(detector, place.replace("{}", f"{first}\n{second}"))

    assert first not in text
    assert second not in text


def letters() -> str:
    return "".join(made(1, "BFGJKQVXZ") + made(1, "bfgjkqvxz") for _ in range(12))


@pytest.mark.parametrize(
    "make",
    [letters, lambda: f"/{made(20)}7{made(10)}+{made(11)}="],
    ids=["letters", "base64"],
)
@pytest.mark.parametrize(
    "place",
    [
        "I set `API_TOKEN` to `{}`.",
        '<string name="CONFLUENT_API_SECRET">{}</string>',
        "the Scaleway secret key ({}) stopped working",
    ],
)
def test_a_token_without_a_digit_or_with_a_slash_is_found(make, place, detector):
    value = make()

    assert value not in shown(detector, place.replace("{}", value))


@pytest.mark.parametrize(
    "place",
    [
        "netlify env:set SECRET_KEY {}",
        'SECRET_KEY = os.environ.get("SECRET_KEY", "{}")',
        'variable "CF_KEY" {\n  default = "{}"\n}',
    ],
)
def test_a_key_with_signs_of_programs_is_found(place, detector):
    value = f"(f{made(6, 'bcdfg')}3y&{made(3)})2{made(4)}%qh^0!{made(8)}"

    assert value not in shown(detector, place.replace("{}", value))


def test_a_password_of_letters_alone_is_found_in_a_call(detector):
    value = letters()

    assert value not in shown(detector, f'server.login("ada@example.com", "{value}")')


def test_a_token_ends_with_its_line_where_the_next_one_assigns(detector):
    value = f"{token()}{made(20)}"

    text = shown(detector, f"ZENDESK_API_TOKEN={value}\nMLKEM1024P384 = 7")

    assert value not in text
    assert text.endswith("\nMLKEM1024P384 = 7")


def test_four_times_four_letters_are_a_password_of_mail(detector):
    value = " ".join(f"q{made(3, 'bcdfgxz')}" for _ in range(4))

    assert value not in shown(detector, f"EMAIL_HOST_PASSWORD: {value}")


@pytest.mark.parametrize(
    "text",
    [
        "Das Passwort ist falsch",
        "das Passwort für die Datenbank ist abgelaufen",
        "la contraseña es obligatoria",
        "пароль неверный",
        "密码是必填项",
        "use bcrypt2 as the password",
        "match token {\n    Token::Ident(name) => self.ident(name),\n}",
        "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
        "log in with github / google",
        "from x import Ed25519PrivateKey, Ed25519PublicKey",
        "| GITHUB_TOKEN | TheTokenOfYourOwnAccount |",
        "API_KEY, SomeProviderOfEverything",
        '("secret", base64.b32encode(key))',
        "api_token: {curve.name!r}",
        "botocore/credentials.py,sha256=ER2J54LKmnzP9YdvMGyF02DCt7wyZo4M-gKOtbEuBEo,102268",
        '"arn:aws:iam::123456789012:user/ExampleUser01"',
        "access-point/fsap-[0-9a-f]{17,40}",
        "uri=OJ:L:2013:163:0001:0012:EN:PDF",
        "export CLAUDE_SESSION_ID=8a718ed2-2856-435b-bd9a-63c5b8291b42",
        'token = state.push("blockquote_open", "blockquote", 1)',
        '"accessToken": "sk-ant-oat01-...",\n"refreshToken": "x-...",\n"expiresAt": 1',
        "password must have been sent",
        "pw = [1]*N",
        "'halo', 'hexagon', 'hf_gray_16', 'hierarchy', 'hollow'",
        "$ openssl rand -hex 32 > key\nDone in 2s",
        "$ cat secrets/README.md\nThe files of this folder",
        "macOS / Ubuntu-22.04",
        "GET / HTTP/1.1",
        "md-ButtonGroupContainerXs md-navigation-drawer-open",
        "both `maxRefUpdates` / `chunkRefUpdates` and `gpgsig` / `gpgsig-sha256`",
        "new Set(['password', 'password1', '123456', '12345678'])",
        "the API key and the session token are read from settings",
        "Cache key: node-modules-5f2b8c1e9d3a7f40 was restored",
        "password = parseSettings(configFile)",
        '<input type="password" name="pw" value={password} />',
        "token=$(op read x)\nsecret --help",
        "kind: Secret\nmetadata:\n  name: app\n  namespace: prod\n",
        "| User | Password |\n| --- | --- |\n| name | required |",
        "ValueError: bad key 'user_id'",
        "Backup codes:\n- build the site\n- copy the files\n- tell the others",
        "00000000: 7f45 4c46 0201 0100  .ELF....\n00000010: 0300 3e00 0100 0000  ..>.....",
    ],
)
def test_names_and_prose_stay(text, detector):
    assert shown(detector, text) == text


def test_what_stands_alone_behind_a_name_is_found_if_it_is_random(detector):
    value = password()

    assert value not in shown(detector, f"I try again with:\n\nbob / {value}\n")


@pytest.mark.parametrize("form", ["{}", "  12→{}", '    "{}",', "\x1b[31m{}\x1b[0m"])
def test_codes_that_recover_an_account_are_found(form, detector):
    codes = [f"{made(4)}7-{made(5)}" for _ in range(6)]
    lines = "\n".join(form.format(code) for code in codes)

    text = shown(detector, f"Your recovery codes:\n{lines}")

    assert not [code for code in codes if code in text]


@pytest.mark.parametrize("form", ["xxd", "hexdump", "escaped"])
def test_a_key_in_a_dump_of_bytes_is_found(form, detector):
    key = f"KEY=sk-proj-{made(60)}"
    rows = [key[at : at + 16] for at in range(0, len(key), 16)]
    pair = 1 if form == "hexdump" else 2
    lines = [
        f"{16 * number:08x}: {row.encode().hex(' ', pair)}  {row}"
        for number, row in enumerate(rows)
    ]
    text = "\n".join(lines)

    masked = shown(detector, json.dumps({"out": text}) if form == "escaped" else text)

    assert not [row for row in rows if row in masked]
    assert rows[1].encode().hex(" ", pair) not in masked


@pytest.mark.parametrize("columns", [24, 30, 38])
def test_a_key_that_a_narrow_terminal_broke_is_found(columns, detector):
    key = f"sk-ant-api03-{made(columns - 13)}\n{made(12)}7{made(12)}"

    assert set(shown(detector, key)) == {"•"}


def test_what_follows_a_key_without_a_gap_is_masked_with_it(detector):
    first, second = f"ghp_{made(36)}", f"ghp_{made(36)}"

    assert set(shown(detector, first + second)) == {"•"}


def test_what_begins_as_a_wallets_key_and_goes_on_stays(detector):
    text = f"5{'Ab9' * 16}cd-{'l0' * 12} and more"

    assert shown(detector, text) == text


@pytest.mark.parametrize("before", ["app-1  | ", "2026-03-04T05:06:07.1Z [out] "])
def test_a_private_key_that_is_cut_off_in_a_log_is_found(before, detector):
    lines = [made(64) for _ in range(6)]
    text = "\n".join(before + line for line in ["-----BEGIN PRIVATE KEY-----", *lines])

    masked = shown(detector, text)

    assert not [line for line in lines if line in masked]


@pytest.mark.parametrize("before", ["        ", "+", "> "])
def test_a_private_key_without_an_end_takes_no_time(before, detector):
    lines = [before + made(64) for _ in range(600)]

    with ends_soon():
        shown(detector, "\n".join([*lines, "PRIVATE"]))


@pytest.mark.parametrize(
    "text",
    [
        "ANTHROPIC_API_KEY=sk-ant-...",
        "mongodb+srv://<username>:<password>@cluster0.mongodb.net",
        f"https://hooks.slack.com/services/T00000000/B00000000/{'X' * 24}",
        f"pk_live_{'51aB9' * 20}",
    ],
)
def test_what_only_shows_a_form_stays(text, detector):
    assert shown(detector, text) == text


@pytest.mark.parametrize("around", ["{}", '"{}"', "**{}**", "`{}`"])
@pytest.mark.parametrize(
    "said",
    [
        "ok, set wifi pass to {} for now",
        "we changed the NAS pass to {}\nThanks",
        "the RabbitMQ pass ({}) does not work",
        "with pass {} it fails",
        "the postgres pass - {} on the staging box",
        "I think the smtp pw is now {} please use it",
    ],
)
def test_a_pass_that_people_tell_of_is_found(said, around, detector):
    value = password()

    assert value not in shown(detector, said.replace("{}", around.replace("{}", value)))


@pytest.mark.parametrize("around", ["{}", '"{}"!', "`{}`, keep it", "{} (rotate it)"])
@pytest.mark.parametrize(
    "said",
    [
        "btw here's the API key\n\n{}",
        "here's my bearer token\n\n{}",
        "here is the new service key:\n{}",
        "try service key {}",
        "the OpenAI service key - {}",
        "my old token? {}",
    ],
)
def test_a_key_that_people_tell_of_is_found(said, around, detector):
    value = token()

    assert value not in shown(detector, said.replace("{}", around.replace("{}", value)))


@pytest.mark.parametrize(
    "said",
    [
        "set the second pass to optimize-level-2",
        "the first pass (tokenization) is slow, the second pass (lowering) is not",
        "with pass rates of 98",
        "here's the key\n\nwhat-matters-most-in-this-design",
        "my old token? It expired",
        "the service key rotation is planned",
    ],
)
def test_a_pass_and_a_key_of_another_kind_stay(said, detector):
    assert shown(detector, said) == said


@pytest.mark.parametrize("asked", ['auth: "{}"', "curl -u ada:'{}' https://x"])
def test_a_password_is_found_in_the_input_of_a_tool(asked, detector):
    value = password()

    assert value not in shown(detector, asked.replace("{}", value))


def pair():
    """Return two words in one, and a number: what many people type."""
    return f"{spoken()}{spoken()}{made(4, '2345678')}"


def words():
    return "copper cactus falcon turnip cobalt"


def pin():
    return made(6, "23456789")


def binary():
    """Return 32 bytes as base64."""
    return base64.b64encode(RANDOM.randbytes(32)).decode()


TOLD = {
    pair: names(
        """
        {"db":{"host":"db","pass":"{}"}} POST␣/login␣body={"u":"bob","p":"{}"}
        const␣char*␣pass␣=␣"{}"; pass␣=␣"{}" find_element(By.ID,␣"pass").send_keys("{}")
        redis:⏎␣␣requirepass:␣{} smtp.PlainAuth("",␣"bob",␣"{}",␣"smtp.example.com")
        P/W␣-␣{} Credentials␣(do␣not␣share!):␣admin␣::␣{} I␣use␣{}␣to␣get␣into␣the␣panel
        if␣it␣locks,␣use␣{}␣to␣unlock log␣me␣in␣as␣bob,␣{} authenticate␣with␣{}?
        ログイン\uff1aadmin\uff0f{}
        """
    ),
    token: names(
        """
        Bearer␣token␣you␣asked␣for␣→␣{} the␣secret␣we␣use␣to␣sign␣webhooks␣is␣{}
        The␣vault␣unseal␣key␣1␣is␣{} LDAP_BIND_CRED={} var␣secret␣=␣[]byte("{}")
        session␣cookie␣from␣my␣browser␣is␣sid={}
        """
    ),
    words: names(
        """
        passphrase␣of␣my␣ssh␣key␣is␣"{}" Recovery␣phrase␣of␣the␣wallet:␣{}
        """
    ),
    pin: names("The␣PIN␣for␣the␣test␣card␣is␣{}."),
    binary: names(
        """
        account␣keys␣list⏎Key␣␣Value⏎key1␣{} the␣encryption␣key␣reads⏎{}
        """
    ),
}
"""What makes a value → where people tell it; `⏎` ends a line, `␣` is a blank."""


@pytest.mark.parametrize(
    ("make", "told"), [(make, told) for make, some in TOLD.items() for told in sorted(some)]
)
def test_a_value_is_found_where_it_opens_something(make, told, detector):
    value = make()
    text = told.replace("⏎", "\n").replace("␣", " ").replace("{}", value)

    assert value not in shown(detector, text)


def test_a_phrase_is_found_behind_what_became_of_its_name(detector):
    value = "-".join(spoken() + spoken() for _ in range(4))

    assert value not in shown(detector, f"the wifi password changed, it's {value} now")


@pytest.mark.parametrize(
    "text",
    [
        '{"Action":"pass","Package":"github.com/ada/shop","Test":"TestOrders2"}',
        "--- PASS: TestBuildPlansKeepBranches (0.00s)",
        'verdict: ["PASS", "REVISE2", "FAIL"].includes(verdict)',
        "    'in', 'match', 'pass', 'return', 'switch',",
        'mac := hmac.Sum256([]byte("body of the request"))',
        "connected with websocket2 and http2",
        "arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-a1B2c3",
        '{"user":{"login":"ada1987x","id":3519}}',
    ],
)
def test_reports_and_lists_of_words_stay(text, detector):
    assert shown(detector, text) == text
