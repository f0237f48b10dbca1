"""Places where what tells of a password stands right before it: files, clients, sentences.

Each place is tried with values of many shapes; they are made when a test runs.
"""

from __future__ import annotations

import base64

import pytest

from everyleaf.redact.asked import iter_held
from everyleaf.redact.texts import iter_nested
from redact.keykinds import BASE32, HEX
from redact.making import made, password, phrase, shown, spoken, token

_DIGITS = "23456789"

SHAPES = {
    "random": password,
    "a word and digits": lambda: f"{phrase(1)}{made(4, _DIGITS)}",
    "a word and a year": lambda: f"{phrase(1).title()}_1987",
    "a name and digits": lambda: f"{spoken().title()}{made(3, _DIGITS)}!",
    "words with dashes": phrase,
    "words with dots": lambda: phrase(3).replace("-", "."),
    "words with dots and digits": lambda: (
        f"{phrase(2).replace('-', '.')}{made(2, _DIGITS)}"
    ),
    "words and digits": lambda: f"{phrase(2)}-{made(2, _DIGITS)}",
    "words with capitals": lambda: (
        f"{phrase(2).title().replace('-', '')}{made(2, _DIGITS)}"
    ),
    "a digit first": lambda: f"4{made(6, 'bkmvxzq')}",
    "base64": lambda: f"{made(9)}4+{made(4)}7q{made(4)}==",
}
FILES = [
    "dump-password-{}.txt",
    "backup_pw_{}.zip",
    "ls /srv/backup-pass-{}.tar.gz",
    "see ~/vpn-password-{}.pdf",
    "invoice (pw {}).zip",
    "db_pw={}.sql.gz",
]
ELEMENTS = [
    '<Pass encoding="plain">{}</Pass>',
    '<Value ProtectInMemory="True">{}</Value>',
    '<password xsi:type="xsd:string">{}</password>',
    '<bindPassword type="plain">{}</bindPassword>',
    '<Data name="Password"><![CDATA[{}]]></Data>',
    "<password><![CDATA[{}]]></password>",
    '<entry key="password">{}</entry>',
    '<user username="ada" password="{}"/>',
]
SENTENCES = [
    "Le mot de passe administrateur est `{}`.",
    "密码{}\uff0c别外传",
    "密码是{}\uff0c谢谢",
    "账号ada\uff0c密码{}",
    "把密码改为{}吧",
    "パスワードは{}です",
    "パスワードを{}に変更しました",
    "비밀번호는 {}입니다",
    "the vault opens with {}",
    "it unlocks with {}, I think",
    "you can unlock the laptop with {}",
    "the disk decrypts with {}",
    "open it with {}",
    "logs on with {}",
    "vnc: {}",
]
COMMANDS = [
    "isql -v PROD ada {}",
    "isql -Usa -P{} -S h",
    "sqlplus ada/{}",
    "CONNECT ada/{};",
    "alter user ada identified by {};",
    "smbclient //h/s {} -U ada",
    ".logon td/ada,{}",
    "sp_addlogin ada, {}",
    "set_password vnc {}",
    "vncpasswd {}",
    "echo {} | vncpasswd -f",
    "ipmitool user set password 2 {}",
    'tn.read_until(b"Password: ")\ntn.write(b"{}\\n")',
    "radius server r\n key {}",
    "radius server r\n address ipv4 192.0.2.7\n key {}",
    "racadm config -o cfgUserAdminPassword -i 2 {}",
    "virsh set-user-password vm root {}",
    "echo -n {} | base64",
    "Use ada:{} for staging",
    "Use ada / {} for staging",
    "- user: ada / {}\n+ user: x",
    "-  smtp: ada:{}\n+  smtp: x",
]
BASIC = [
    "echo {} | base64 -d",
    "base64 -d <<< {}",
    "printf {} | base64 -d",
    "atob('{}')",
    '<Pass encoding="base64">{}</Pass>',
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("place", [*FILES, *ELEMENTS, *SENTENCES, *COMMANDS])
def test_what_is_told_of_is_found(place, shape, detector):
    if shape == "base64" and place in {*FILES, "sp_addlogin ada, {}", "CONNECT ada/{};"}:
        pytest.skip("a slash is none of a name of a file")
    value = SHAPES[shape]()

    assert value not in shown(detector, place.replace("{}", value))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("place", BASIC)
def test_what_is_packed_is_found(place, shape, detector):
    said = base64.b64encode(SHAPES[shape]().encode()).decode()

    assert said not in shown(detector, place.replace("{}", said))


@pytest.mark.parametrize(
    "place", ["garage: {}#", "key box code {}", "front door {}", "lockbox: {}"]
)
def test_digits_that_open_a_door_are_found(place, detector):
    code = f"4{made(5, _DIGITS)}"

    assert code not in shown(detector, place.replace("{}", code))


def test_a_password_of_a_mailbox_is_found_in_what_a_diff_removes(detector):
    value = f"{spoken()}{made(4, _DIGITS)}@9"

    assert value not in shown(detector, f"-mail: {value}\n+mail: x")


@pytest.mark.parametrize(
    "text",
    [
        "password-policy-2024Q3.pdf",
        "forgot_password_form.md",
        "test_password_reset.json",
        "passwords-2024.csv",
        "first_pass_results.txt and second-pass-2024-05-01.log",
        "pwd=/srv/app.tar.gz",
        "playwright-pw-chromium1148.zip",
        "password-input.test.snap.json",
        "bypass-checkout-v2.zip",
        '<label for="password">Password</label>',
        '<input type="password" name="password" />',
        '<button id="password-toggle">Show</button>',
        '<span class="pass">Passed</span>',
        '<Password value="x">Forgotten</Password>',
        "密码错误\uff0c请重试",
        "密码长度不能少于8位",
        "パスワードは8文字以上です",
        "- **fixture token**: anchor cache theme layout",
        "- `token()` commit layout bucket cache",
        "# Secrets: vault sops doppler infisical",
        "private key: alice bob carol dave",
        "the door opens with a click",
        "open it with Chrome120 or Firefox121",
        "open the file with utf-8-sig",
        "opens with a 200ms delay",
        "encrypted with aes-256-gcm",
        "encrypt it with AES256",
        "locked with 3 retries",
        "sign in with GitHub and log on with Google",
        "isql is the interactive shell",
        "sqlplus is not installed",
        "connect to prod user ada using ssh",
        "the record is identified by name",
        "connect db/main, then exp data/v2",
        "Use python:3.11-slim for builds",
        "Use node:20-alpine for the image",
        "use redis:7-alpine for caching",
        "Use feature/login2 for this",
        "Use actions/checkout@v4 for that",
        "try localhost:8080 for now",
        "the digest is md5:d41d8cd98f00b204e9800998ecf8427e",
        "use sha256:e3b0c44298fc1c149afbf4c8996fb924 for it",
        "with gpt:4o-mini in the loop",
        "is text/html5 for browsers",
        "passwd 3attempts",
        "echo hello | base64",
        "echo -n user.name | base64",
        "atob('SGVsbG8gd29ybGQhIQ==')",
        "garage: 12 cars",
        "mail: ada@example.com",
        "user: bin / usr2local",
        "login with django.contrib.auth",
        "auth: accounts.google.com",
        "vpn gate.example.org",
    ],
)
def test_names_of_files_images_and_prose_stay(text, detector):
    assert shown(detector, text) == text


def digits() -> str:
    return f"4{made(5, _DIGITS)}"


def spaced() -> str:
    return phrase(5).replace("-", " ")


def dated() -> str:
    return f"{phrase(1).title()}.1987"


def packed() -> str:
    return base64.b64encode(f"{made(60)}7".encode()).decode()


def some_id() -> str:
    return "-".join(made(size, HEX) for size in (8, 4, 4, 4, 12))


def assigned() -> str:
    return f"{phrase(1).title()}={made(4, _DIGITS)}"


def inner() -> str:
    return f'{phrase(1).title()}\\"{made(4, _DIGITS)}'


def bracketed() -> str:
    return f"{phrase(1).title()}({made(4, _DIGITS)})!"


def named() -> str:
    return f"{phrase(1)}{made(4, _DIGITS)}"


BESIDE = [
    'requests.get(u, auth=("user", "{}"))',
    'new NetworkCredential("dbuser", "{}")',
    'mysqli_connect("localhost", "app_user", "{}")',
    "curl -u user:{} https://api.example.org/x",
    "login user {}",
]
"""Where users stand as well, and look so."""
ASSIGNED = [
    '{"user":"x","password":"{}"}',
    "mysql -u x --password '{}'",
    "ADMIN_PASSWORD: {}",
    "CREATE USER 'a' IDENTIFIED BY '{}'",
    "tacacs-server key {}",
    'new NetworkCredential("ada", "{}", "corp")',
    "Db:Password = {}",
]
INNER = [
    'root_password: "{}!"',
    '{"password":"{}!","tags":"x"}',
    'poll imap.test user "ada" pass "{}!" ssl',
    '#define WIFI_PASS "{}!"',
]
BRACKETED = [
    'environment: ["DB_PASS={}", "X=1"]',
    "UserName: ada\nPassword: {}\nURL: x",
    "<AutoLogon><Password><Value>{}</Value></Password>",
    '<p name="A.name">password</p>\n<p name="A.value">{}</p>',
]
TOLD = [
    (spaced, "my master password is {} (in the vault)"),
    (spaced, "bitcoin-cli walletpassphrase '{}' 60"),
    (spaced, "<command-args>LUKS passphrase: {}</command-args>"),
    (token, "<user-memory-input>heres the api key\n\n{}\n\nadd it</user-memory-input>"),
    (some_id, "{} is the token"),
    (token, "SET option_value='{}' WHERE option_name='mail_api_key';"),
    (dated, 'try user "sa" with "{}" on 1433'),
    (dated, " ppp chap hostname u@isp\n ppp chap password 0 {}"),
    (dated, "wireless.default_radio0.key='{}'"),
    (dated, "$mot_de_passe = '{}';"),
    (dated, "[base]\ncontrasena = {}"),
    (dated, "const haslo = '{}';"),
    (dated, '{"utente": "ada", "parola_chiave": "{}"}'),
    (lambda: f"{made(18, HEX)}7a", "UPDATE u SET user_pass = MD5('{}') WHERE id = 1"),
    (lambda: f"{made(38, HEX)}7a", "Detector Type: Generic\nRaw result: {}"),
    (lambda: f"{made(30, HEX)}7a", "Geheimnis f\u00fcr die Webhooks: {}"),
    (token, "de sleutel voor de API is {}"),
    (packed, "BW_SESSION='{}' bw list items"),
    (packed, "bw unlock 'x' --raw\n{}\n"),
    (lambda: f"HRKU-{some_id()}", "it is {} here"),
    (lambda: f"vk1.a.{made(120)}", "first\n{}\nlast"),
    (lambda: f"S{made(55, 'ABCDEFGHJKMNPQRTUVWXYZ234567')}", "notes: {}"),
    (digits, "der Entsperrcode ist {}"),
    (digits, "adb pair 203.0.113.7:37123 {}"),
    (digits, '<string name="pin">{}</string>'),
    (lambda: " ".join(made(4, _DIGITS) for _ in "123456"), "backup codes for us: {}"),
    (lambda: f"{made(30, HEX)}7a", "eleven labs key {}"),
    (lambda: f"{made(30, HEX)}7a", "evil-winrm -i 192.0.2.1 -u ada -H {}"),
    (lambda: f"{made(62, HEX)}7a", "// deployer pk 0x{}"),
    (token, "bfg --replace-text <(echo '{}')"),
    (lambda: f"{phrase(1).title()}@1987", "idrac root {}"),
    (
        lambda: "".join(f"\n    - 1{made(2, _DIGITS)}" for _ in range(16)),
        "  network_key:{}\n",
    ),
    (lambda: f"{made(30, HEX)}7a", "the Stripe key here: {}"),
    (lambda: " ".join(made(4, "qxzjkvw") for _ in "1234"), "password {}\nport 587"),
    (lambda: phrase(5).replace("-", " ").capitalize(), 'the passphrase is "{}", I think'),
    (lambda: f"{phrase(1).title()}@1987", "user\tpw\nada\t{}"),
    *((assigned, place) for place in ASSIGNED),
    *((inner, place) for place in INNER),
    *((bracketed, place) for place in BRACKETED),
    (lambda: f"{made(4, _DIGITS)}{phrase(2).title()}", "ike pre-shared-key ascii-text {}"),
    (lambda: f"{phrase(1).title()}_{made(4, _DIGITS)}", "Nimm bitte {} al\u0073 Passwort"),
    (lambda: f"{phrase(1)}_{made(4, _DIGITS)}", "so I typed {} at the password prompt"),
    (lambda: f"{spoken()}~Otter{made(4, _DIGITS)}", "iDRAC: root/{}"),
    (lambda: f"Otter{made(4, _DIGITS)}_", '(gdb) p c->password\n$1 = 0x55d0 "{}"'),
    (lambda: f"Otter{made(5, _DIGITS)}", "SMB 192.0.2.4 445 DC01 [+] corp.test\\ada:{}"),
    (lambda: f"{phrase(3)} melon7".replace("-", " "), "Passwort der Datei: {}"),
    (spaced, "we agreed on {} as the new LUKS passphrase"),
    (spaced, "Enter passphrase for key '/home/ada/.ssh/id_rsa': {}\n"),
    (spaced, 'the secret answer for the reset is "{}"'),
    (digits, "Le code d'acc\u00e8s est {}"),
    (lambda: f"{made(62, HEX)}7a", "the recovery code: {}"),
    (lambda: f"{made(30, HEX)}7a", "secretKey: !!str {}"),
    (lambda: f"{made(30, HEX)}7a", 'var("TOKEN").unwrap_or_else(|_| "{}".to_owned())'),
    (lambda: f"0x{made(30, HEX)}7a", "auth-trunc hmac(sha1) {} 96\n\tenc cbc(aes) 0x0"),
    (lambda: f"0x{made(30, HEX)}7a", "\tenc cbc(aes) {}"),
    (lambda: f"{made(14, HEX)}7a", "Vacuum: localKey={}"),
    (lambda: f"{made(18)}7x", "Changed.\nPASSWORD apm_system = {}"),
    (lambda: f"{made(84)}7x==", 'conf.set("fs.azure.account.key.x.test", "{}")'),
    (lambda: f"{made(84)}7x==", 'SYNC_LICENSE="{}"'),
    (digits, "ykman piv access change-pin -P {} -n 468279"),
    (digits, "ykman piv access change-pin -P 154983 -n {}"),
    (lambda: "-".join(("SC", *(made(4, BASE32) for _ in "1234"))), "Unity -serial {} -x"),
    (lambda: f"{made(42)}=", "dig -y hmac-sha256:xfer-key:{} x.test AXFR"),
    (assigned, "mc admin user add tundra app1776 '{}'"),
    (lambda: f"{spoken()}_Otter{made(4, _DIGITS)}", "iLO: Administrator/{}"),
    (lambda: f"$3{spoken()}Pass", "password: {}"),
    *((named, place) for place in BESIDE),
    (dated, "pihole -a -p '{}'"),
    (dated, "gh secret set FTP_PASSWORD -b '{}'"),
    (dated, "transmission-remote h -n ada:{}"),
    (dated, "steamcmd +login ada '{}' +quit"),
    (lambda: f"{made(10)}7k", "curl -u {}: https://api.example.org/x"),
    (lambda: f"{made(38, HEX)}7a", ">>> Token.objects.create(user=u).key\n'{}'"),
    (lambda: f"{made(7)}7", "/msg NickServ REGISTER {} ada@example.org"),
]


@pytest.mark.parametrize(("make", "around"), TOLD)
def test_what_a_name_or_a_command_tells_of_is_found(make, around, detector):
    value = make()

    assert value not in shown(detector, around.replace("{}", value))


@pytest.mark.parametrize(
    ("file", "make", "line"),
    [
        ("passwords.txt", phrase, "hetzner: {}"),
        ("gh-recovery-codes.txt", lambda: f"{made(5, HEX)}-{made(4, HEX)}7", "{}"),
    ],
)
def test_lines_of_a_file_are_looked_at_below_its_name(file, make, line, detector):
    values = [make() for _ in range(3)]
    text = "\n".join(line.replace("{}", value) for value in values)
    raw = {"file": {"filePath": f"/srv/app/{file}", "content": text}}

    seen = [
        shown(detector, "\n".join(told))
        for told in iter_held(iter_nested(raw))
        if isinstance(told, list)
    ]

    assert seen
    assert not any(value in text for value in values for text in seen)


@pytest.mark.parametrize(
    "text",
    [
        "AUTH_PROVIDER=github\nPASSWORD_HASHER=argon2id\nTOKEN_TYPE=bearer",
        "PASSWORD_FILE=/run/secrets/db_password\nKEY_PATH=/etc/ssl/private/shop.key",
        "```env\nDB_PASSWORD=your_password\nAPI_TOKEN=<token>\n```",
        '{"password":"Password","forgotPassword":"Forgot it?"}',
        "password requisite pam_x.so\npassword [success=1] pam_unix.so obscure yescrypt",
        "The password must be at least 12 characters long and contain a digit.",
        'raise AuthError(f"invalid token: {type(token).__name__}")',
        "user id is {id}, why can't she log in with her password?",
        '{"id":"{id}","tokenCount":12,"passwordUpdatedAt":"2026-01-01"}',
        "SPEC CHECKSUMS:\n  KeychainAccess: {sha}",
    ],
)
def test_settings_ids_and_names_of_fields_stay(text, detector):
    said = text.replace("{id}", some_id()).replace("{sha}", made(40, HEX))
    said = said.replace("{b64}", made(86))

    assert shown(detector, said) == said


@pytest.mark.parametrize("head", ["passwd", "passwd:", "password"])
def test_an_account_without_a_hash_stays(head, detector):
    said = f"{head}\nroot:x:0:0:root:/root:/bin/bash\n"

    assert shown(detector, said) == said


HARDER = {
    **SHAPES,
    "a digest": lambda: f"{made(18, HEX)}7a",
    "a word and a year with a dot": lambda: f"{phrase(1).title()}.1987",
    "base64 with a slash": lambda: f"{made(4)}4K{made(2)}/{made(7)}",
    "short, a digit first": lambda: f"8{made(3, 'BCDFGHJK')}{made(2, 'jkmnpq')}R4",
}
SAID = [
    "the pw hasn't changed, still {}",
    "passwort vergessen? nein: {}. Das ist das richtige Passwort.",
    "password (case sensitive!): {}",
    "The password you gave me ({}) has a sign in it.",
    "same password everywhere: {}",
    "passwordnya {}",
    "it says wrong password. use {}",
    "Your new password is:\n\n```\n{}\n```\n\nKeep it safe.",
    "A temporary password is provided for this session: {}",
    "The key vault secret is {}",
    "openssl rsa -in k -passin pass:'{}' -out p",
    "<phase1><pre-shared-key>{}</pre-shared-key></phase1>",
    '<string name="PreSharedKey">&quot;{}&quot;</string>',
    "10:00 -!- NickServ: IDENTIFY ada {}",
    "    Schl\u00fcsselinhalt        : {}",
    "| \u2502 DB_PASSWORD \u2502 {} \u2502\n",
]
ASKED = [
    "[10:42] eve: what's the vpn password again?\n[10:43] bob: {}",
    "eve: pw for grafana?\nbob: {}",
    "eve: what's the admin pw?\nbob: `{}`",
]
BESIDE = [
    "Logins:\n1. CMS: ada \u2013 {}\n",
    "Router: admin/{}\nNAS: x",
    "FTP\n===\nweb12 / {}",
    "log into the router (192.0.2.1, admin, {}) and reboot it",
    "here are the credentials:\n\nhttps://cms.example\nada\n{}\n",
    "Authorization: Basic ada {}",
    "14 Request: PASS {}",
    "  user :: ada\n  pass :: {}",
    "INSERT INTO users VALUES(1,'admin','{}');",
    "const users = { admin: '{}' };",
    "12 Request: USER web12\n14 Request: PASS {}",
    "I hashed {} with bcrypt and it doesn't match",
    "I changed it to {} yesterday, that's the new root password.",
    "{} <- that's the password for staging",
    "Wi-Fi here is called Hafen and the key is {}, put it in",
    "The password is **x7!QmzQ4pd**, but it was started with **{}**",
]
HASTY = {
    "random": password,
    "a word, a year and a sign": lambda: f"{phrase(1).title()}1987!",
    "a word and a year": lambda: f"{phrase(1).title()}@1987",
    "a name, a dot and four digits": lambda: f"ada.{phrase(1)}{made(4, _DIGITS)}",
    "words and four digits": lambda: f"{phrase(2).replace('-', '_')}{made(4, _DIGITS)}",
    "words, a dash, four digits": lambda: f"{phrase(2)}-{made(4, _DIGITS)}",
    "four digits between words": lambda: f"{phrase(1)}{made(4, _DIGITS)}{phrase(1)}",
    "a usual word and another": lambda: f"Cookie{phrase(1).title()}{made(4, _DIGITS)}",
}
HASTE = [
    *("passowrd {}", "passwrod is {}", "pasvord: {}", "p4ssw0rd is {}", "Pa\xdfwort {}"),
    *("\U0001f511 {}", "\U0001f511: {}", "cl\xe9 wifi : {}", "snmp community is {}"),
    *("ada@example.org {}", "ada@example.org|{}", "ada / {}", "web: ada / {}"),
    *("mysql root is {}", "if you need root: {}", "certificate passphrase {}"),
    *("keystore pass: {}, alias key0", "DB_USER app\nDB_PASS {}\nDB_HOST db"),
]
NEVER = {
    *("words with dots", "a digit first", "base64", "a name and digits"),
    *("words with dots and digits", "base64 with a slash"),
}
"""Shapes of which names of other things are, too, where no name of a password leads on."""


@pytest.mark.parametrize("shape", HARDER)
@pytest.mark.parametrize("place", [*SAID, *ASKED, *BESIDE])
def test_what_a_sentence_says_far_from_the_name_is_found(place, shape, detector):
    if shape in NEVER and place not in SAID:
        pytest.skip("a name of something looks so")
    value = HARDER[shape]()

    assert value not in shown(detector, place.replace("{}", value))


@pytest.mark.parametrize("shape", HASTY)
@pytest.mark.parametrize("place", HASTE)
def test_what_is_written_in_haste_is_found(place, shape, detector):
    value = HASTY[shape]()

    assert value not in shown(detector, place.replace("{}", value))


@pytest.mark.parametrize("shape", ["a word and a year", "a word, a year and a sign"])
def test_a_word_a_year_and_a_sign_are_a_password_anywhere(shape, detector):
    value = HASTY[shape]()

    assert value not in shown(detector, f"I changed it to {value}, try again")


@pytest.mark.parametrize(
    "text",
    [
        "the type is Int256! and Decimal128!",
        "left-pad@2019, Checkout@v4, Foo@12",
        "password_encryption = scram-sha-256",
        "curl -u username:password https://api.example.org/v83",
        "{integrity: sha512-{b64}==} # token-types",
        ".password-field { background: url(data:image/png;base64,{b64}==); }",
        "ticket ACME-45415 is about passwords",
        "ada@web01: Permission denied (publickey,password).",
        "ada-x@web01password",
        "API key: sk-ant-...QY0a",
        "(using password: \x1b[1mYES\x1b[0m)\x1b[K",
        "\x1b[32mDB_PASSWORD_NKJKC\x1b[0m  2024-01-01T10:00:00Z",
        "password = random_password.db_wgu46.result",
        "<user-memory-input>le mot de passe est incorrect</user-memory-input>",
        "$ cat tokens.css\n:root{--token-color:#0055ff;--token-space-m:16px}",
        "remote: git@github.com:acme/tool.git [Ray=a02fa0e90e6c4480-TXL, Server=x]",
        "fix the password reset in commit: {sha}",
        "the password was changed yesterday",
        "the password hash is {sha}",
        "Password validation library: bcryptjs",
        "password migration, now in PythonModule3",
        "wrong password, use TestClient2024 instead",
        "Router: admin/dashboard\nUsers: admin/settings2",
        "Logins:\n1. page: login \u2013 works\n",
        "INSERT INTO users VALUES(1,'ada','2026-01-01','{id}');",
        "const users = { admin: 'administrator' };",
        "eve: who changed the password?\nbob: commit {sha}",
        "password?\nGo on with hc43a4d.",
        "key: admin/{id}",
    ],
)
def test_revisions_and_names_near_passwords_stay(text, detector):
    said = text.replace("{id}", some_id()).replace("{sha}", made(40, HEX))
    said = said.replace("{b64}", made(86))

    assert shown(detector, said) == said
