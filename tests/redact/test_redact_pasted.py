"""What people paste: consoles, settings, commands, sentences; and how it is listed.

`{}` is the value; it is made when a test runs.
"""

from __future__ import annotations

import base64
import json

import pytest

from redact.keykinds import HEX
from redact.making import made, password, shown, token

PASSWORDS = {
    "Hungarian": "jelszó: {}",
    "Italian": "parola: {}",
    "with a dash": "Пароль от базы — {}",
    "a pass phrase": "the pass phrase is {}",
    "a name and quotes": "storePassword '{}'",
    "Cisco": "username bob privilege 15 password 0 {}",
    "SNMP": "snmp-server community {} RO",
    "NetworkManager": "wifi-sec.psk {}",
    "WPA": "network={\n  psk={}\n}",
    "OpenWrt": "option encryption 'psk2'\n\toption key '{}'",
    "Windows": "netsh wlan set hostednetwork key={}",
    "a here-string": "vncpasswd <<< {}",
    "Bitwarden": "bw unlock {}",
    "ssh-keygen": "ssh-keygen -t ed25519 -N '{}' -f k",
    "htpasswd": "htpasswd -nb bob '{}'",
    "mongo": "mongo -u admin -p {} --authenticationDatabase admin",
    "an option's value": "keytool -list -storepass -{}x",
    "Redis": '1) "user"\n2) "bob"\n3) "password"\n4) "{}"',
    "CONFIG GET": '1) "requirepass"\n2) "{}"',
    "SQL": "UPDATE settings SET value = '{}' WHERE key = 'smtp_password'",
    "Terraform, changed": '~ password       = "{}" -> "{}"',
    "Terraform, an output": '{"db_password": {\n  "type": "string",\n  "value": "{}"\n}}',
    "Terraform, made": '"type": "random_password",\n"a": {\n"length": 9,\n"result": "{}"\n',
    "CloudFormation": "DBPassword:\n  Type: String\n  Default: {}\n",
    "cloud-init": "chpasswd:\n  list: |\n    root:{}\n",
    "Windows setup": "<AdministratorPassword>\n  <Value>{}</Value>",
    "a form": "user[password]={}&commit=1",
    "a browser": '{"element": "Password field", "ref": "e12", "text": "{}"}',
    "Elasticsearch": "Password for the [elastic] user successfully reset.\nNew value: {}",
    "a list of words": "Command '['mysql', '-u', 'root', '-p{}', 'd']' failed",
    "an option in a list": '["x-mcp",\n  "--password",\n  "{}"]',
    "CSV that ends with nothing": "name,user,password,note\nx.org,bob,{},",
    "like a call": "POSTGRES_PASSWORD: X5NCN{}(uTR6dG2Mv",
    "an unclosed bracket": "redis-cli -a m({}(2mg5KiNeJl ping",
    "Redis, alone": "AUTH {}",
    "an app password": "the app-specific password is qmic-sxhm-yupf-{}",
    "a name and a slash": "bob / {}",
    "named behind it": "| bob | {} | <- password",
    "a row that goes on": "| User | Password |\n|---|---|\n| bob | {} | (old)",
    "a table in a template": "const s = `| User | Password |\n|---|---|\n| bob | {} |`;",
    "set once more": "sed -i 's/^DB_PASSWORD=.*/DB_PASSWORD={}/' .env",
    "bytes of a URL": "GET /?q=%E5%AF%86%E7%A0%81%E6%98%AF%20{} HTTP/1.1",
    "bytes of Python": "b'l\\xc3\\xb6senord: {}'",
    "bytes of a mail": "has=C5=82o: {}",
    "quoted-printable": 'db_password =3D "{}"',
    "a dash": "password - {}",
    "changed from": "change the password from {} to something else",
    "changed to": "The staging password changed to {} yesterday.",
    "for whom": "Password (admin): {}",
    "where": "root password on that box: {}",
    "now": "The database password is currently {}, change it",
    "a cell among more": "| Password | {} | (vault) |",
    "a short name": "db pass is {}",
    "a short name in Markdown": "- **User**: ada\n- **Pass**: {}",
    "no sign at all": "user ada pass {}",
    "French, changed": "le mot de passe a été changé en {}",
    "Russian, changed": "поменял пароль на {}",
    "German, changed": "Das Admin-Passwort wurde auf {} geändert.",
    "Japanese, changed": "パスワードを {} に変更しました",
    "three lines": "credentials:\nada\n{}",
    "as which it is entered": "2. Enter `ada` and `{}` as password",
    "a default": "Password [default: {}]:",
    "a field of a page": '- textbox "Password" [ref=e12]: {}',
    "a part of a form": 'form-data; name="password"\n\n{}\n',
    "a form that lists": "password[]={}",
    "a comparison": "if (pwd === '{}') { login() }",
    "a field that is filled": 'fill_in "Password", with: "{}"',
    "a default argument": 'parser.add_argument("--password", default="{}")',
    "a value before its type": '<input value="{}" type="password">',
    "a fixture": 'def password():\n    return "{}"',
    "a pair": 'credentials = ("ada", "{}")',
    "two at once": 'user, pw = "ada", "{}"',
    "names and passwords": 'LOGINS = {"admin": "{}", "guest": "guest"}',
    "an address and a password": '    ("ada@x.com", "{}"),',
    "a call by two": '.basic("ada", "{}")',
    "a call without brackets": "basic_auth 'ada', '{}'",
    "a hash is made of it": "bcrypt('{}')",
    "HMAC": "crypto.createHmac('sha256', '{}')",
    "a key of bytes": 'var jwtKey = []byte("{}")',
    "base64 is made of it": 'btoa("ada:{}")',
    "a template's default": "password: ${DB_PW:{}}",
    "a filter of Ansible": "password: \"{{ '{}' | password_hash('sha512') }}\"",
    "a list of one": "{'password': ['{}']}",
    "a Makefile": "DB_PASS := {}",
    "a hash rocket": "SMTP_PASS => {}",
    "a section": "[users]\nada = {}, admin",
    "users by name": "basic_auth:\n  ada: {}",
    "openssl within another": "useradd -p $(openssl passwd -1 '{}') ada",
    "expect": "expect -c 'send \"{}\\r\"'",
    "an option and its value": '["sshpass", "-p", "{}", "ssh", host]',
    "a host without a scheme": "app:{}@db.example.com:5432/app",
    "CONFIG GET, plain": "requirepass\n{}",
    "made for a user": "Created superuser ada ({})",
    "Wi-Fi in JSON": '{"wifi":{"ssid":"home","psk":"{}"}}',
    "MQTT": "client.username_pw_set('bob', '{}')",
    "secrets of HCL": 'secrets = {\n  grafana = "Qx7!zkw4Vb"\n  db = "{}"\n}',
    "passwords by name": "passwords:\n  ada: Qx7!zkw4Vb\n  eve: {}\n",
    "cloud-init, the second": "chpasswd:\n  list: |\n    root:Qx7!zkw4Vb\n    ada:{}\n",
    "users.properties": "# users.properties\nada={}\n",
    "a block": "smtp:\n  pass: |\n    {}\n",
    "a value before its name": '<p name="v.value">{}</p><p name="v.name">password</p>',
    "Subversion": "K 8\npassword\nV 12\n{}\nEND",
    "a cracked line": "ada:{}:1000:1000::/home/ada:/bin/sh",
    "davfs2": "https://x.example.org/dav ada {}",
    "Oracle": "sqlldr ada/{}@//db.example.org:1521/x",
    "Exim": "smtp.example.org:ada:{}",
    "NUT": "MONITOR ups@localhost 1 ada {} master",
    "ZooKeeper": 'user_ada="{}";',
}
TOKENS = {
    "a sentence": "I set the kubeadm token to {} yesterday",
    "German": "Postmark server token lautet {}",
    "French": "La Rails master key est {}.",
    "Chinese": "Zendesk API token 是 {}。",
    "Japanese": "Cohere API keyは{}です",
    "a wide colon": "Okta API token\uff1a{}",
    "a dash": "OpenWeather API key — {}",
    "an arrow": "ZENDESK_API_TOKEN -> {}",
    "used as": "use {} as the wandb API key",
    "below its name": "API key\n{}\nCopy to clipboard",
    "apart, below its name": "Client secret\n\n{}\n",
    "in a fence": "here's the Deepgram API key:\n```\n{}\n```",
    "a notebook": "In [1]: api_key\nOut[1]: '{}'",
    "an entry": '<entry key="clientSecret">{}</entry>',
    "semicolons": '"DEPLOYER_PRIVATE_KEY";"{}";"x"',
    "Actions": "##[debug]Evaluating: secrets.DEPLOY\n##[debug]=> '{}'",
    "Vault": "Unseal Key 1: {}",
    "pwgen": "$ pwgen -s 20 1\n{}",
    "Django": "get_random_secret_key())\nm(ais%m6r!56)-(*=bpf!_-ce{}",
    "SQL": "UPDATE cfg SET v='{}' WHERE k='API_KEY'",
    "no more than a key": "my key is {}.",
    "tokens by name": "tokens:\n  slack: x\n  ci: {}\n",
    "an indexer": 'builder.Configuration["Jwt:Key"] = "{}";',
    "a key of bytes": 'const key = Buffer.from("{}", "hex")',
    "gossip": 'encrypt = "{}"',
    "Swedish": "Nyckeln \u00e4r \u201d{}\u201d nu",
    "JWT": "JWT: {}",
    "PAT": "The PAT is {}",
    "a new key": "I generated a new key: {}",
    "named behind it": "{} is my api key",
    "a session": "my session cookie: {}",
    "a cookie of a program": 's.cookies.set("auth", "{}")',
    "Russian": "мой api ключ: {}",
    "Portuguese": "o token é {}",
    "refused": "401 Unauthorized: key {} is revoked",
    "created": "Token created. {}",
    "a comparison": 'if (req.query.secret !== "{}") return',
    "OAuth": '{"access": "{}", "refresh": "x"}',
    "a token within": '{"token": {"access": "{}"}}',
    "Azure": '[{"keyName": "key1", "permissions": "FULL", "value": "{}"}]',
    "Firebase": '"api_key": [{"current_key": "{}"}]',
    "Stripe": "new Stripe('{}', { apiVersion: '2024' })",
    "Supabase": 'createClient(url, "{}")',
    "a table of keys": "INSERT INTO api_keys (id, key, owner) VALUES (1, '{}', 'ada');",
    "a webhook": "https://x.com/api/webhooks/{}/send",
    "Android": '<meta-data android:name="com.x.API_KEY" android:value="{}"/>',
    "a hash rocket": "api_token => {}",
    "Algolia": "algoliasearch('MH283HJ1W4', '{}')",
}
LISTINGS = {
    "cat -A": lambda lines: "\n".join(f"{line}^M$" for line in lines),
    "nl": lambda lines: "\n".join(f"{at:6}  {line}" for at, line in enumerate(lines, 3)),
    "bat": lambda lines: "\n".join(f"{at:4}   │ {line}" for at, line in enumerate(lines)),
    "a frame": lambda lines: "\n".join(f"│ {line:80} │" for line in lines),
    "journalctl": lambda lines: "\n".join(f"May 01 10:00:00 h app[1]: {n}" for n in lines),
    "a log": lambda lines: "\n".join(
        f"2026-05-01T10:00:00.1Z [out] {line}" for line in lines
    ),
    "kubectl logs": lambda lines: "\n".join(f"[pod/app-7c9/app] {line}" for line in lines),
    "git blame": lambda lines: "\n".join(
        f"37ebf154 (Ada B 2026-05-01 10:00:00 +0200 {at}) {n}" for at, n in enumerate(lines)
    ),
    "a comment": lambda lines: "\n".join(f" * {line}" for line in lines),
    "a list in Python": repr,
    "lines that Python read": lambda lines: repr([f"{line}\n" for line in lines]),
    "a cell": lambda lines: f"| x | {'<br>'.join(lines)} | y |",
    "colours of HTML": lambda lines: "\n".join(
        f'<span class="line">{line}</span>' for line in lines
    ),
    "a list in JSON": lambda lines: json.dumps(lines, indent=2),
    "blanks that do not break": lambda lines: "\n".join(lines).replace(" ", "\u00a0"),
}
LINES = {
    "YAML": ["- name: DD_APP_KEY", "  value: {}"],
    "a password": ["password: {}", "port: 80"],
    "JSON": ['  "key": "DB_PASSWORD",', '  "value": "{}",'],
    "options": ['  "--api-key",', '  "{}"'],
}


@pytest.mark.parametrize("name", PASSWORDS)
def test_a_password_is_found(name, detector):
    value = password()

    assert value not in shown(detector, PASSWORDS[name].replace("{}", value))


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_is_found(name, detector):
    value = token()

    assert value not in shown(detector, TOKENS[name].replace("{}", value))


@pytest.mark.parametrize("lines", LINES)
@pytest.mark.parametrize("listing", LISTINGS)
def test_what_lists_lines_hides_nothing(listing, lines, detector):
    value = token()
    text = LISTINGS[listing]([line.replace("{}", value) for line in LINES[lines]])

    assert value not in shown(detector, text)


@pytest.mark.parametrize("cut", [30, 60])
def test_a_key_is_found_that_a_mail_cuts(cut, detector):
    key = f"sk-ant-api03-{made(93)}AA"

    masked = shown(detector, f"the key: {key[:cut]}=\n{key[cut:]}=\n and more")

    assert not any(key[at : at + 9] in masked for at in range(len(key) - 9))


@pytest.mark.parametrize(
    "line",
    [
        "password: <hidden>",
        "X-API-Key: <key>",
        "-PASS src/auth/login.test.ts",
        "test / ubuntu-22.04",
        'type="password" name="password"\n  autoComplete="new-password"',
        'return []byte("username=" + user)',
        "test_login_with_wrong_password PASSED",
        "https://x-access-token:${GITHUB_TOKEN}@github.com/a/b.git",
        "ANTHROPIC_API_KEY=sk-ant-api03-your-key-here",
        "client_id=085b9e59-a82a-41f0-84a7-0204c9c11968",
        'f.write("secret: "+highEntropySecret)',
        "path = datadir / 'TestOrcFile.testDate1900.orc'",
        "Cache hit for restore-key: lint.cache-Linux-./src-2926-63a8221f7ee27af78a8e94",
        "the key is 63a8221f7ee27af78a8e944e1d3286b68dc1f152",
        "A_KEY=\nB_TOKEN=\nC_SECRET=\n",
        "password   = '[redacted]'\nsession_id = 'bc96a668-6827-41f8-aef8-4472a648cb6c'",
        "  password: [redacted]\n  tag: sha-4bb87ea",
        "160-A_PASSWORD=[redacted]\n161-FASTLANE_TEAM_ID=RT1H733HG6",
        "'dbpassword' => '',\n'instanceid' => 'ocxh73mm5m6o',",
        "- name: TOKEN_AUDIENCE\n  value: aud-tiger",
        "user.signingkey=1B7C53FF831E5E02",
        "[user]\n\tsigningkey = 1B7C53FF831E5E02",
        "STAGE_NAME = credentials('onion-cred')",
        "test_password_reset.py::test_token_expired[anchor-4881] PASSED",
        'assert(validatePassword("valley") === false)',
        "    at AuthService.resetPassword (src/auth/auth.service.ts:42:13)",
        "  password: [redacted]\nTypeError: Cannot read properties of undefined",
        '{"id":"usr_2f3a4b5c","name":"Ada","password":"","region":"eu-central-1"}',
        "the admin password is [redacted] and the server is in eu-central-1",
        "password=*** trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span=00f067aa0ba902b7",
        "  psk=[redacted]\n  key_mgmt=WPA-PSK\n  bssid=3a:9f:11:22:ab:cd\n",
        "stringData:\n  password: [redacted]\ntype: Opaque",
        "port=5432 password=[redacted] dbname=shop2 application_name=web-v2 sslmode=on",
        "'password' => ['required', Password::min(12)->mixedCase()->numbers()]",
        "Get-AzKeyVaultSecret -VaultName acme-kv2 -Name db-password",
        "gcloud secrets versions access 2 --secret=db-password-v2 --project acme-2",
        "heroku config:get SECRET_KEY_BASE -a acme-web-2",
        "redis-cli -h cache2.internal -p 6380 --no-auth-warning INFO",
        "keytool -list -v -keystore release2.jks -alias upload-key2",
        "kubectl create secret docker-registry regcred2 --docker-password=$TOKEN",
        "docker build --secret id=npmrc2,src=$HOME/.npmrc -t acme/web:v2 .",
        "admin-reset-user-password --user-pool-id eu-central-1_aBcDeF123 --username a",
        "cargo test password::tests::roundtrip_v2 -- --nocapture",
        "openssl req -new -key server2.key -out server2.csr",
        "python manage.py changepassword ada2",
        "We use the `argon2-cffi` package for password hashing",
        "git credential fill <<<'protocol=https host=localhost:8080 path=git/x-10 ' | a",
        "[self.module.get_bin_path('pw', True), 'groupdel', self.name]",
        "KRB5_PASSWORD_ENV = 'KRB5_PASSWORD'",
        "'password' => ['PGPASSWORD' => $connection['password']],",
        'reset-password -s type=password -s "value=$TEST_USER2_PASSWORD" -n',
        'path: /etc/passwd\n  line: "ansibulluser::575:575::/home/dummy:/bin/bash"',
        "an object of type `BackgroundTasks` for you and pass it",
        "`OAuth2PasswordBearer`, it is a `fastapi.security.oauth2.OAuth2`",
        'the password encoders. <figure xml:id="structure-3.0">',
        'a-password4j = { module = "com.password4j:password4j" }',
        '"#password"><code>password</code></a></li><li><a href="#prefer-dedupe">',
        "'auth.password' => [\\App\\Passwords\\PasswordBrokerManager::class, 1],",
        "LoadModule authz_svn_module  libexec/apache24/mod_authz_svn.so",
        'with(httpBasic("client-registrar-1", "x"))',
        'decrypt(this.encryptor.encrypt("encryptor"))',
        '"credential": {\n  "id": "dYF7EGnRFFIXkpXi9XU2wg",',
        '"AppKey": {\n  "pattern": "[a-fA-F0-9]{32}",',
        "generates a `Jwt` (`OAuth2TokenFormat.SELF_CONTAINED`)",
        "NewKey: _win32typing.PyHKEY) -> None: ...",
        "an identity on password set ([8f19669](https://example.org/a/commit/8f19669)",
        "ayrıca protokol ve şifreleme TCP seviyesinde çalışır",  # noqa: RUF001
        "johndoe ve şifresi ile bir istek gönderiyorlar",
        "about the пароль в [главах о безопасности](security/simple-oauth2.md#password)",  # noqa: RUF001
        '"result_key": "TransitGatewayPrefixListReferences"',
        "the keys: testIncrementalInternalScramble fails",
        "TLS-PSK support is there before PSK ciphers are",
        "aes_key: [16,17,18,0,8,7,9,6,10,5,11,4,12,3,13,2,14,1,15]",
        "aes_key: [0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5,0,99,121]",
        "the keypair is in [37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51]",
        "self.proxy_auth = proxy_auth_of",
        "def set_token(self):\n    super().__init__(client, some_argument_of_it)",
    ],
)
def test_what_is_no_secret_stays(line, detector):
    assert shown(detector, line) == line


@pytest.mark.parametrize("key", ["0x{}", "{}"])
@pytest.mark.parametrize(
    "place", ["the private key is {}", "new ethers.Wallet('{}')", "--private-key {} -x"]
)
def test_a_wallets_key_is_found_with_and_without_its_sign(place, key, detector):
    value = key.replace("{}", made(64, HEX))

    assert value not in shown(detector, place.replace("{}", value))


@pytest.mark.parametrize("before", ["", "+", " * "])
@pytest.mark.parametrize("cut", [14, 21, 40, 58])
def test_base64_is_looked_into_wherever_its_line_breaks(cut, before, detector):
    packed = base64.b64encode(f"OPENAI_API_KEY=sk-proj-{made(60)}\nA=1\n".encode()).decode()

    lines = ["$ base64 .env", packed[:cut], packed[cut:], "end"]
    masked = shown(detector, "\n".join(before + line for line in lines))

    assert packed[:cut] not in masked
    assert packed[cut:] not in masked


def private_key() -> str:
    lines = [made(70) for _ in range(5)]
    name = "OPENSSH PRIVATE KEY"
    return "\n".join(
        ("key:", f"-----BEGIN {name}-----", *lines, f"-----END {name}-----", "")
    )


@pytest.mark.parametrize("gap", ["\\n", "\\r\\n", "\\\\n"])
@pytest.mark.parametrize("width", [60, 76, 4000])
@pytest.mark.parametrize(
    "make", [lambda: f"Authorization: Bearer shpss_{made(32, HEX)}\n", private_key]
)
def test_base64_in_lines_that_json_writes_is_looked_into(make, width, gap, detector):
    packed = base64.b64encode(make().encode()).decode()
    lines = [packed[at : at + width] for at in range(0, len(packed), width)]

    masked = shown(
        detector, f'{{"content": "{gap.join(lines)}{gap}", "encoding": "base64"}}'
    )

    assert not [line for line in lines if line.rstrip("=") in masked]


def test_each_line_of_base64_is_looked_into_where_they_are_not_one(detector):
    lines = [base64.b64encode(f"KEY=ghp_{made(36)}\n".encode()).decode() for _ in range(3)]

    masked = shown(detector, "\n".join(lines))

    assert not [line for line in lines if line in masked]


SECRETS = {
    "JSON": """{"apiVersion": "v1",
"data": {
  "a": "%s",
  "b": "%s"
},
"kind": "Secret"}""",
    "YAML": "apiVersion: v1\ndata:\n  a: %s\n  b: %s\nkind: Secret\n",
    "YAML, written by hand": "kind: Secret\ndata:\n  a: %s\n  b: %s\n",
}


@pytest.mark.parametrize("form", SECRETS)
def test_all_that_a_secret_of_kubernetes_holds_is_found(form, detector):
    values = [base64.b64encode(password().encode()).decode() for _ in range(2)]

    masked = shown(detector, SECRETS[form] % tuple(values))

    assert not [value for value in values if value in masked]


@pytest.mark.parametrize(
    "make",
    [
        lambda: f"rnd_{made(32)}",
        lambda: f"oy2{made(43, HEX)}",
        lambda: f"key-{made(32, HEX)}",
    ],
)
def test_two_keys_without_anything_between_are_found(make, detector):
    first, second = make(), make()

    assert set(shown(detector, first + second)) == {"•"}


def test_a_key_is_found_behind_the_letter_of_an_option(detector):
    value = f"jina_{made(32, HEX)}{made(28)}"

    assert value not in shown(detector, f"tool -t{value}")


def test_a_static_key_of_openvpn_is_found_in_any_listing(detector):
    lines = [made(32, HEX) for _ in range(16)]
    name = "OpenVPN Static key V1"
    text = "\n".join(
        f"{line}$" for line in (f"-----BEGIN {name}-----", *lines, f"-----END {name}-----")
    )

    masked = shown(detector, text)

    assert not [line for line in lines if line in masked]


def test_a_pin_a_laravel_key_and_an_id_of_consul_are_hidden(detector):
    pin, key, uuid = made(6, "123456789"), f"{made(42)}s=", f"{made(8, HEX)}-{made(4, HEX)}"
    uuid += f"-4{made(3, HEX)}-8{made(3, HEX)}-{made(12, HEX)}"

    assert pin not in shown(detector, f"7900 => {pin},Ada L,ada@example.org")
    assert key not in shown(detector, f"'key' => 'base64:{key}',")
    assert uuid not in shown(detector, f"SecretID:         {uuid}")


def test_words_below_what_names_secrets_stay(detector):
    texts = [
        'tokens = {\n    "root": [\n        (r"0[xX][a-f0-9]+", Number),\n    ]\n}',
        "tokens:\n  color-primary: '#1a2b3c4d'\n  max: 4096\n",
        "secrets:\n  db_password:\n    file: ./db2.txt\n",
        "https://x.example.org/api main readme2\nactions/checkout@v4 babel/core2@next",
    ]

    assert [shown(detector, text) for text in texts] == texts
