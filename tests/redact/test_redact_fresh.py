"""Places that a fifth suite found, written from the README alone, and what must stay.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import hashlib
import string

import pytest

from redact.keykinds import BASE32, HEX
from redact.making import made, password, shown, spoken, token

LOWER = string.ascii_lowercase + string.digits
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
WORDS = (
    "absent absorb abstract absurd access accident achieve acid acoustic actor adapt apple"
)


def wallet(body: bytes) -> str:
    """Return bytes as wallets print them, with a checksum."""
    twice = hashlib.sha256(hashlib.sha256(body).digest()).digest()
    number, said = int.from_bytes(body + twice[:4], "big"), ""
    while number:
        number, rest = divmod(number, 58)
        said = BASE58[rest] + said
    return said


def some_bytes(count: int) -> bytes:
    return bytes.fromhex(made(2 * count, HEX))


KEYS = {
    "Memos": lambda: f"memos_pat_{made(32)}",
    "Outline": lambda: f"ol_api_{made(38)}",
    "Coralogix": lambda: f"cxtp_{made(30)}",
    "Mixedbread": lambda: f"mxb_{made(32)}",
    "Vikunja": lambda: f"tk_{made(40, HEX)}",
    "Traceloop": lambda: f"tl_{made(64, HEX)}",
    "PromptLayer": lambda: f"pl_{made(32, HEX)}",
    "CodeRabbit": lambda: f"cr-{made(50, HEX)}",
    "Murf": lambda: f"ap2_{'-'.join(made(size, HEX) for size in (8, 4, 4, 4, 12))}",
    "The Things Network": lambda: f"NNSXS.{made(39, BASE32)}.{made(52, BASE32)}",
    "Anyscale": lambda: f"esecret_{made(46, LOWER)}",
    "Twitter": lambda: f"{'A' * 21}{made(60)}%3D{made(30)}",
    "Anyscale, of any letters": lambda: f"esecret_{made(36)}",
    "Flutterwave": lambda: f"FLWSECK-{made(32, LOWER)}-X",
    "PostHog": lambda: f"phs_{made(43)}",
    "Mercado Pago": lambda: (
        f"APP_USR-{made(16, '123')}-{made(6, '456')}-{made(32, HEX)}-{made(9, '789')}"
    ),
    "Instagram": lambda: f"IGQV{made(140)}",
    "Scalingo": lambda: f"tk-us-{made(48)}",
    "Sanity": lambda: f"sk{made(178)}",
    "Zoho": lambda: f"1000.{made(32, HEX)}.{made(32, HEX)}",
    "n8n": lambda: f"n8n_api_{made(80, HEX)}",
    "k3s": lambda: f"K10{made(64, HEX)}::server:{made(32, HEX)}",
    "a wallet": lambda: wallet(b"\x80" + some_bytes(32) + b"\x01"),
    "an extended key": lambda: wallet(bytes.fromhex("0488ade4") + some_bytes(74)),
    "Dub": lambda: f"dub_{made(24)}",
    "Lambda": lambda: f"secret_ada_{made(32, HEX)}.{made(32)}",
    "Salesforce, in an address": lambda: f"00D{made(12)}%21AQ{made(90)}",
    "Ably": lambda: f"{made(5)}7.{made(6)}:{made(20)}",
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("around", ["I use {}, it works.", "「{}」", "a\\n{}\\nb", "`{}`"])
def test_a_key_is_found_by_its_form(name, around, detector):
    key = KEYS[name]()

    assert key not in shown(detector, around.replace("{}", key))


def test_a_key_that_the_scanner_knows_is_found_behind_an_escape(detector):
    key = f"EZAK{made(53)}7"

    assert key not in shown(detector, f'{{"log": "\\u300c{key}\\u300d"}}')


def test_what_looks_like_the_key_of_a_wallet_without_its_checksum_stays(detector):
    value = "K" + made(51, BASE58)

    assert value in shown(detector, f"the id is {value} now")


def test_the_key_of_a_wallet_is_found_with_more_behind_it(detector):
    value = wallet(b"\x80" + some_bytes(32))

    assert value not in shown(detector, f"{value}-l0{made(20)}")


PASSWORDS = {
    "with who logs in": "Log in as admin with {} and check it.",
    "Spanish": "la frase de paso es {}",
    "Portuguese, changed to": "mudei a senha para {}",
    "French, used as": "utilise plut\u00f4t {} comme mot de passe",
    "French, told of": "l'ancien mot de passe \u00e9tait {}",
    "typed into a field": "await page.type('#pass', '{}', { delay: 20 });",
    "given to sign with": 'jwt.encode(payload, "{}", algorithm="HS256")',
    "Portuguese, told of": "a senha antiga era {}",
    "Polish, used as": "u\u017cyj {} jako has\u0142a",
    "cracked": "hashcat --show\nbb3db7286f68656811e2abc130695857:{}",
    "a gem server": 'Set for your local app (/srv/.bundle/config): "ada:{}"',
    "a mail server": "+OK\nUSER ada\n+OK\nPASS {}\n+OK Logged in.",
    "a dash that does not break": "Wi\u2011Fi: maple-5G, key: {}",
    "a pool of connections": '"ada_7" "{}"\n',
    "made a text of": 'private String pw = new String("{}");',
    "given to another": "I rotated it. Old one was rim, new one is {}.",
    "taken from it": "I rotated it. Old one was {}, new one is in the vault.",
    "asked in a chat": "what's the db password again?\nAda 10:42 AM\n{}\nBob 10:43 AM\nthx",
    "Danish": "adgangskoden er {}",
    "Norwegian": "passordet er {}",
    "Romanian": "parola este {}",
    "Greek": "ο κωδικός είναι {}",  # noqa: RUF001
    "Hebrew": "הסיסמה היא {}",
    "Chinese": "密碼為 {}",
    "changed": "I changed the root password from old to {}",
    "pwd": "pwd {}",
    "an s": "the password's {}",
    "typographic quotes": "password = \u201c{}\u201d",
    "guillemets": "password: «{}»",
    "a wide sign": "Password\uff1a{}",
    "brackets of a sentence": "My password is [{}].",
    "cryptsetup": 'cryptsetup open /dev/sdb x --key-file <(echo -n "{}")',
    "a pipe to a store": 'echo -n "{}" | gcloud secrets create db --data-file=-',
    "a pipe to Docker": "printf '%s' '{}' | docker secret create db -",
    "Kerberos": "kinit ada <<< {}",
    "SQLCipher": "PRAGMA key = '{}';",
    "a mail relay": "[smtp.example.org]:587 ada:{}",
    "Impacket": "secretsdump.py corp/ada:{}@10.0.0.9",
    "OpenVPN": "<auth-user-pass>\nada\n{}\n</auth-user-pass>",
    "a keychain": "$ security find-generic-password -w -s x\n{}",
    "a property of C#": 'public string Password { get; set; } = "{}";',
    "Windows": "net user ada '{}' /add",
    "Windows, in a comment": "<!-- net use \\\\h\\s {} /user:ada -->",
    "brackets of another language": "kata sandi: [{}]",
    "lines that end in two signs": "the password to proceed:\r\n\r\n{}\r\n\r\nThis\r\n",
    "a short name": "smtp_pw = {}",
    "a short name in prose": "the root pw is {}",
    "a short name of Perl": 'my $pass = "{}";',
    "a table with a short name": "| user | pass |\n|---|---|\n| ada | {} |",
    "CSV with a short name": "email,pw\na@b.co,{}",
    "CSV without a number": ",name,login_password\n,ada,{}",
    "a question": "What's the wifi password?\n> {}",
    "an answer": "Q: What is the password?\nA: {}",
    "a comment": 'login("ada", f("{}"))  # password',
    "a comment of a file": "ada:{}  # /etc/rsyncd.secrets",
    "brackets of a comment": "I set it to {} (the root password)",
    "a proxy": "socks5 10.0.0.1 1080 ada {}",
    "a switch": "radius-server host 10.0.0.1 key {}",
    "a router": "standby 1 authentication {}",
    "a routing protocol": "ip ospf message-digest-key 1 md5 {}",
    "a tunnel": "crypto isakmp key {} address 0.0.0.0",
    "a dial-up line": '"ada" l2tpd "{}" *',
    "a tunnel's secret": 'ada : EAP "{}"',
    "the code of a network": "WIFI:S:Home;T:WPA;P:{};;",
    "the registry": "    DefaultPassword    REG_SZ    {}",
    "a Redis user": "ACL SETUSER ada on >{} ~* +@all",
    "Sentinel": "sentinel auth-pass mymaster {}",
    "Samba": "net ads join -U admin%{}",
    "a sealed file": "pdftk x.pdf output y user_pw {}",
    "a signed file": "signtool sign /f x.pfx /p {} y.exe",
    "a hash in the making": "openssl passwd -6 {}",
    "a pipe to a tunnel": 'echo "{}" | openconnect --passwd-on-stdin x',
    "a trace of a pipe": "+ echo {}\n+ docker login -u ada --password-stdin",
    "a file of Ansible": "echo '{}' > .vault_pass",
    "a here-string on a page": "<pre>kinit ada &lt;&lt;&lt; {}</pre>",
    "a value within a value": '<property name="password"><value>{}</value></property>',
    "a tag of YAML": "admin_password: !!str {}",
    "a default": 'password = os.environ.get("DB_PW", "{}")',
    "a default of Ruby": 'password: ENV.fetch("PW") { "{}" }',
    "Visual Basic": 'Dim pwd As String = "{}"',
    "a hash of SQL": "UPDATE users SET password=MD5('{}')",
    "brackets over lines": 'PASSWORD = (\n    "{}"\n)',
    "the third argument": 'pymysql.connect("x", "root", "{}", "db")',
    "a keystore": 'ks.load(in, "{}".toCharArray());',
    "IRC": "/msg NickServ IDENTIFY {}",
    "a name two items above": '{"name": "db_password", "type": "text", "value": "{}"}',
    "a query of a file": "jq -r .password x.json\n{}",
    "a prompt with a default": "Password [none]: {}",
    "a modem": 'AT+CWJAP="HomeNet","{}"',
    "a modem, on a page": "AT+CWJAP=&quot;HomeNet&quot;,&quot;{}&quot;",
    "cracked by hashcat": "bb3db7286f68656811e2abc130695857:{}\r\n\r\nSession....: hashcat",
    "cracked by John": "{}        (ada)\n1g 0:00:00:01 DONE (2026-02-01 10:00)",
    "a table of PowerShell": "UserName Password\r\n-------- --------\r\nada      {}\r\n",
    "a variable of PowerShell": "DB_PASSWORD                    ~{}",
    "what a tool made it": "Admin password changed successfully to {}",
    "what a chart says to run": "To get your password run:  echo {}",
    "a pipe to Argon2": "echo -n '{}' | argon2 salt -e",
    "a pipe to a seal": "echo -n '{}' | kubeseal --raw --name db",
    "a pipe to telnet": "(sleep 1; echo ada; sleep 1; echo '{}') | telnet 10.0.0.1",
    "a file of a tunnel": "printf '%s\\n%s\\n' ada '{}' > auth.txt",
    "a certificate of a client": "curl --cert client.p12:{} https://mtls.example.org",
    "a remote shell": "winrs -r:win01 -u:CORP\\ada -p:{} hostname",
    "an archive": "unrar x -p{} a.rar",
    "ZooKeeper": "addauth digest super:{}",
    "arguments in a list": 'subprocess.run(["sshpass", "-p", "{}", "ssh", "a@h"])',
    "a call on a page": "pymysql.connect(&quot;h&quot;, &quot;root&quot;, &quot;{}&quot;)",
    "base64 of a login": "h = 'Basic ' + btoa('svc:{}')",
    "base64 of a login, in Node": "Buffer.from('svc:{}').toString('base64')",
    "COBOL": "EXEC SQL CONNECT TO SHOP USER 'APP' USING '{}' END-EXEC.",
    "a drive": 'n.MapNetworkDrive "Z:", "\\\\fs\\d", False, "CORP\\ada", "{}"',
    "Junos": 'set system root-authentication plain-text-password-value "{}"',
    "InfluxDB": 'curl "http://influx:8086/query?u=admin&p={}" -d x',
    "a plug": "mosquitto_pub -t cmnd/plug/Password1 -m '{}'",
    "a file of a vault": "--- a/vault_pass\n+++ b/vault_pass\n@@ -1,2 @@\n-# x\n-{}\n+# y",
}
TOKENS = {
    "put as a key": "put {} as api key in the settings",
    "of a stream": "Our stream key is {} on air",
    "German": "Der API-Schlüssel lautet {}",
    "French": "la clé API est {}",
    "Chinese": "我的密钥是 {}",
    "Russian": "ключ API: {}",
    "an s": "the secret's {}",
    "Vault": "vault login {}",
    "Vault, printed": "Key     Value\n---     -----\ntoken           {}\ntoken_accessor  x",
    "SonarQube": "sonar-scanner -Dsonar.login={} -X",
    "a property of C#": 'public string ApiKey { get; set; } = "{}";',
    "the value above its name": '{\n  "value": "{}",\n  "name": "GITHUB_TOKEN"\n}',
    "a role": 'os.environ["SUPABASE_SERVICE_ROLE_KEY"] = "{}"',
    "brackets of a log": "got access token: [{}]",
    "a name in an address": "git remote set-url origin https://{}@github.com/a/b.git",
    "printed": "$ heroku config:get SECRET_KEY\n{}",
    "printed for Docker": "$ aws ecr get-login-password\n{}",
    "a question": "? Enter your API token \u203a {}",
    "a row of SQL": "INSERT INTO api_keys (id, token) VALUES (1, '{}')",
    "bytes of Go": 'var jwtSecret = []byte("{}")',
    "pepper": "config.pepper = '{}'",
    "a setting of C#": '<setting name="ApiKey" as="String"><value>{}</value></setting>',
    "a cookie's key": 'cookieSession({ keys: ["{}"] })',
    "a value two items above": '"value": "{}",\n  "type": "x",\n  "key": "api_token"',
    "quotes of a header": "Authorization: Token '{}'",
    "a file of Erlang": "He selected the lines 1 to 1 from /a/.erlang.cookie:\n{}\n\nx",
}
NUMBERS = [
    *("My PIN is {}", '"pin": "{}"', "the door code is {}", "PUK: {}"),
    *("Door code (back entrance): {}", "the safe opens with {}", "kod do bramy: {}"),
    "Enter the one-time code from your authenticator app.\nAda: {}",
    *("OTP for +49170000000: {}", "WPS PIN: 6740-{}", "el c\u00f3digo de la alarma es {}"),
    *("le code de l'alarme est le {}", "il codice dell'allarme \u00e8 {}"),
    *("o c\u00f3digo do alarme \u00e9 {}", "der Code f\u00fcr den Tresor ist {}"),
    "\u043a\u043e\u0434 \u043e\u0442 \u0434\u0432\u0435\u0440\u0438: {}",
]
CODES = {
    "a license": lambda: "-".join(made(5, "BCDFGHJKM2346789") for _ in "12345"),
    "a disk": lambda: "-".join(made(6, string.digits) for _ in "12345678"),
    "a volume": lambda: "-".join(made(4, "BCDFGHJKM2346789") for _ in "123456"),
    "bytes of a wallet": lambda: f"[{','.join(map(str, some_bytes(64)))}]",
    "a hash of Windows": lambda: f"{made(32, HEX)}:{made(32, HEX)}:::",
}


KEYS_THERE = {
    "Cloudsmith": ("cloudsmith push python a/b x.whl -k {}", 40),
    "Agora": ('RtcTokenBuilder.buildTokenWithUid(app_id, "{}", channel, 0)', 32),
    "Magento": ("'crypt' => [ 'key' => '{}' ]", 32),
    "Magento, wrapped": ("'crypt' => [\n    'key' => '{}'\n],", 32),
    "a line of a switch": ("line vty 0 4\n password 7 {}\n login", 26),
    "Rails": ("+++ b/config/master.key\n@@ -0,0 +1 @@\n+{}\n", 32),
    "Rails, old": (
        "--- a/config/master.key\n+++ b/config/master.key\n@@ -1 +1 @@\n-{}\n",
        32,
    ),
    "a plug": ('{"id": "p", "key":"{}","ip":"192.168.1.40","version":"3.3"}', 16),
    "Loggly": ("curl -d x http://logs-01.loggly.com/inputs/{}/tag/http/", 36),
}


@pytest.mark.parametrize("name", KEYS_THERE)
def test_a_key_of_small_letters_and_digits_is_found_there(name, detector):
    around, length = KEYS_THERE[name]
    value = f"a{made(length - 6, HEX)}7c0d9"

    assert value not in shown(detector, around.replace("{}", value))


def test_a_key_is_found_where_a_live_stream_goes(detector):
    value = "-".join(f"{made(3, LOWER)}7" for _ in range(5))

    assert value not in shown(detector, f"rtmp://a.rtmp.youtube.com/live2/{value}")


def test_who_may_join_a_terminal_is_found_by_its_host(detector):
    value = f"{made(24)}7"

    assert value not in shown(detector, f"ssh session: ssh {value}@lon1.tmate.io")


@pytest.mark.parametrize("at", [12, 17])
def test_a_license_is_found_where_a_terminal_wrapped_it(at, detector):
    value = "-".join(made(5, "BCDFGHJKM2346789") for _ in "12345")

    text = shown(detector, f"slmgr /ipk {value[:at]}\n{value[at:]}")

    assert value[:at] not in text
    assert value[at:] not in text


def test_the_seed_and_the_codes_of_an_authenticator_are_found(detector):
    value = made(26, "ABCDEFGHJKMNPQRSTUVWXYZ234567")

    codes = [f"4{made(7, '012356789')}" for _ in range(5)]

    for gutter in ("", "     4\u2192"):
        lines = [value, '" RATE_LIMIT 3 30', '" TOTP_AUTH', *codes]
        text = shown(detector, "\n".join(f"{gutter}{line}" for line in lines))

        assert not any(one in text for one in (value, *codes))


def test_words_in_which_a_wallet_is_restored_are_found(detector):
    value = " ".join([*WORDS.split(), *WORDS.split(), "absent"])

    text = f'monero-wallet-cli --electrum-seed "{value}"'

    assert WORDS not in shown(detector, text)


@pytest.mark.parametrize("name", PASSWORDS)
def test_a_password_is_found_there(name, detector):
    value = password()

    assert value not in shown(detector, PASSWORDS[name].replace("{}", value))


@pytest.mark.parametrize(
    ("around", "value"),
    [
        ("password: {}", "engine-dragon-monkey-window"),
        ("Use '{}' as passphrase for it.", "maple thunder copper ladder"),
        ("LUKS passphrase:\n{}", "sparrow orchid zipper rabbit"),
        ('admin_password = "{}"', "Needle; ogorek = 33"),
        ("Use '{}' as passphrase for it.", "velvet pepper winter window"),
        ('user=ada password="{}" ok=false', "kettle & Eichhorn 2023"),
    ],
)
def test_words_are_a_password_where_one_is_named(around, value, detector):
    assert value not in shown(detector, around.replace("{}", value))


@pytest.mark.parametrize(
    "text",
    [
        "password: needs-to-be-set-here",
        "password: grafana-admin-user-secret",
        "password: copy-paste-from-notes",
        'password: "M\u00ednimo 8 letras"',
        'password: "Enter the 6 digits"',
        'password: "enter your new one here"',
        "The test expects password to be at least eight characters long.",
        "  3\u2192.btn-34iQE { margin: 31px }\n  4\u2192\n  5\u2192set password(v)",
        "Reset the password\n------------------\nUse Keycloak admin",
        "(sleep 1; echo quit) | telnet host 25",
        '{"key":"react-router-dom","version":"1.0"}',
        "server.config:ThisIsALongClassName",
    ],
)
def test_words_that_tell_of_a_password_stay(text, detector):
    assert shown(detector, text) == text


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.parametrize("length", [16, 32])
def test_a_token_is_found_there(name, length, detector):
    value = f"{made(3)}q7X{token()}"[:length]

    assert value not in shown(detector, TOKENS[name].replace("{}", value))


def test_sixteen_hexadecimal_digits_may_repeat_themselves(detector):
    start = int(made(1, "12345"))
    value = f"{'7e09b7f2e7d09f72'[start:]}{'7e09b7f2e7d09f72'[:start]}"

    assert value not in shown(detector, f'{{"local_key": "{value}"}}')


def test_letters_that_begin_as_no_word_does_are_a_secret_where_one_is_named(detector):
    value = f"{made(3, 'bdgk')}a{made(4, 'lmn')}o{made(2, 'PRST')}{made(4, 'lmn')}"

    assert value not in shown(detector, f'{{"name": "APP_SECRET", "value": "{value}"}}')


@pytest.mark.parametrize("around", NUMBERS)
def test_a_number_that_opens_something_is_found(around, detector):
    value = f"4{made(3, '012356789')}" if "6740" in around else f"4{made(5, '012356789')}"

    assert value not in shown(detector, around.replace("{}", value))


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("around", ["I have {}, now.", '"x": "{}"'])
def test_a_code_is_found_by_its_form(name, around, detector):
    code = CODES[name]()

    assert code not in shown(detector, around.replace("{}", code))


@pytest.mark.parametrize("name", ["CLIENT_SECRET", "SIGNING_KEY", "TOKEN"])
@pytest.mark.parametrize(
    "around", ['ENV {} "{v}"', "- name: {}\n  value: {v}", "setx {} {v}"]
)
def test_words_with_a_number_are_a_secret_where_one_is_named(name, around, detector):
    value = (
        f"{made(4, 'bdfg')}-ro{made(2, 'aeiou')}-{made(2, 'klmn')}u{made(2, '23456789')}"
    )

    assert value not in shown(detector, around.replace("{}", name).replace("{v}", value))


@pytest.mark.parametrize(
    "around",
    [
        "Secret recovery phrase:\n{}",
        'seed phrase: "{}"',
        "seed phrase: 「{}」",
        'ethers.Wallet.fromPhrase("{}")',
        '{"mnemonic": "{}"}',
        "My mnemonic:\n> {}",
    ],
)
@pytest.mark.parametrize("between", [" ", ", ", "\n", "\n7. "])
def test_words_that_open_a_wallet_are_found(around, between, detector):
    words = WORDS.split()
    start = 1 + int(made(1, "12345"))
    words = [*words[start:], *words[:start]]

    masked = shown(detector, around.replace("{}", between.join(words)))

    assert not any(word in masked for word in words)


def test_the_bytes_of_a_key_are_found_beside_their_name(detector):
    value = ", ".join(str(number) for number in some_bytes(64))

    assert value not in shown(detector, f"const secretKey = Uint8Array.from([{value}])")


@pytest.mark.parametrize(
    "text",
    [
        '"password": "パスワード"',
        'password: "Введите новый пароль"',
        "tenant: 8a4b3f0e-7d6c-4c1e-9b2a-5f3e1d7c9a0b",
        "Authorization: Bearer <token>",
        "password: [redacted]",
        "The mnemonic is: shown once when you make the wallet and then it has gone",
        "the recovery phrase: keep these words where nobody else will ever find them",
        "vault login -method=oidc",
        "vault login command",
        "pwd && ls",
        "the password's hash",
        "the token's lifetime",
        'const CACHE_KEY = "user-profile-v2";',
        "public string Password { get; set; }",
        '"value": "primary",\n"name": "keyboard"',
        "https://dependabot-preview@github.com/a/b",
        "API_KEY: header",
        "#define STENCIL_PASS_DEPTH 0x0B95",
        "crypto.pbkdf2(password, salt, 1000)",
        "the tests pass\n--------------\n12 of 12",
        "| suite | pass | fail |\n|---|---|---|\n| parser_2 | 12345 | 0 |",
        "pw = sync_playwright().start()",
        "SIGNATURE_HMAC = SIGNATURE_HMAC_SHA1",
        'secret_name = "X509_ATTRIBUTE"',
        'del headers["x-amz-security-token"]',
        "use authentication ([#900](https://github.com/a/b/pull/900))",
        "static const uint32_t *\nf(void)",
        'bind_to_testdata(page, "person-limi")',
        "GPIO pin 17 is high",
        "密码是必填项",
    ],
)
def test_translations_names_and_prose_stay(text, detector):
    assert shown(detector, text) == text


@pytest.mark.parametrize(
    "said",
    [
        "hasło: {}",
        "heslo: {}",
        "jelszó: {}",
        'a senha é "{}"',
        "mot de passe : `{}`",
        "Das Kennwort für den Server lautet {}",
        "salasana on **{}**",
        "密码「{}」",
        "Parola d'ordine: {}",
        "Usuario: bob\nClave: {}",
        "le mdp c'est {}",
        "şifrem {}",
        "лозинка: {}",
    ],
)
@pytest.mark.parametrize("letters", ["ñöñ", "ße", "åłz"])
def test_a_password_has_the_letters_of_its_language(said, letters, detector):
    value = f"{spoken().title()}{letters}{spoken()}{made(2, '23456789')}"

    assert value not in shown(detector, said.format(value))


@pytest.mark.parametrize("behind", ["🔑", "。", "…", "”"])
def test_what_ends_a_sentence_is_no_part_of_a_password(behind, detector):
    value = password()

    (hit,) = detector.find(f"the password is {value}{behind}")

    assert hit.value == value


@pytest.mark.parametrize(
    "said",
    [
        "le mot de passe est erroné",
        "Heslo: nesprávné heslo",
        "hasło: nieprawidłowe",
        "Passwort: bestätigen",
        "lösenord: återställ",
        "clave: índice_único",
    ],
)
def test_words_about_passwords_stay(said, detector):
    assert shown(detector, said) == said
