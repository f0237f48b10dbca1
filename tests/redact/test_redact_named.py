"""Places that say what stands in them: headers, lists, network gear, clients, calls.

The values have no form of their own: hexadecimal, words, words with a number.
"""

from __future__ import annotations

import pytest

from redact.keykinds import HEX
from redact.making import made, password, phrase, shown, token

KEYS = {
    "32 digits": lambda: made(32, HEX),
    "40 digits": lambda: made(40, HEX),
    "64 digits": lambda: made(64, HEX),
    "random": token,
}
_DIGITS = "123456789"
PASSWORDS = {
    "random": password,
    "four words": lambda: f"copper-{phrase(1)}-walrus-pebble",
    "words, two signs and digits": lambda: (
        f"{phrase(1).title()}.{phrase(1)}-{made(3, _DIGITS)}"
    ),
    "words, a line and digits": lambda: (
        f"{phrase(1).title()}_{phrase(1)}{made(3, _DIGITS)}"
    ),
    "a word and digits": lambda: f"{phrase(1)}{made(4, _DIGITS)}",
}
HEADERS = [
    "curl -H 'X-Auth: {}' https://api.example.org/v1",
    "curl --header 'Acme-Auth: {}' https://api.example.org/v1",
    "> x-acme-auth: {}\n> accept: */*",
    'ngx.req.set_header("X-Auth", "{}")',
    'request.headers["X-Access"] = "{}"',
    "xhr.setRequestHeader('X-Auth', '{}');",
    'req.Header.Set("X-Acme-Auth", "{}")',
    "req.Header.Add('X-Hub-Secret', `{}`)",
    'headers: {"X-Auth": "{}"}',
    'headers = [("X-Auth", "{}")]',
    'add_header X-Auth "{}";',
    "{ name: 'X-Auth', value: '{}' }",
    "xh -A bearer -a {} https://api.example.org/me",
    '[request setValue:@"{}" forHTTPHeaderField:@"X-Api-Key"];',
    "Sec-WebSocket-Protocol: bearer, {}",
    "headers: { 'X-Session': '{}' }",
    'api_key: str = Field("{}", env="API_KEY")',
    "New secret created.\nID: 2319\nValue: {}",
    "composer config github-oauth.github.com {}",
    "vault_jwt: {}",
    '{"apiKeyHelper":"echo {}"}',
    "INSERT INTO api_keys VALUES (1, 'ci', '{}');",
    "|  /prod/mail/key   | SecureString | {}     |",
]
LISTS = [
    "api_keys:\n  - {}\n  - {}",
    "tokens:\n  - {}",
    "signing_keys:\n  - '{}'",
    'tokens = ["{}", "{}"]',
    '"signingKeys": ["{}"]',
    "auth:\n  keys:\n    - {}\n    - {}",
    "keys:\n  - {}\nsecrets:\n  - {}",
]
GEAR = [
    "bin/askpass.sh\n#!/bin/sh\necho '{}'",
    "cat > p.sh <<'EOT'\n#!/bin/sh\necho \"{}\"\nEOT\nGIT_ASKPASS=./p.sh git push",
    "export SSH_ASKPASS=~/p.sh; printf '#!/bin/sh\\necho {}\\n' > ~/p.sh",
    "rocommunity {} 10.0.0.0/8",
    "rwcommunity6 {}",
    "com2sec ro default {}",
    "snmp-server host 10.1.1.1 version 2c {}",
    "createUser ada SHA {} AES {}",
    "set psksecret {}",
    "set secret {}",
    "set ppp pppoe-secret {}",
    "pre-shared-key address 0.0.0.0 key {}",
    "set peer 1.2.3.4 authentication pre-shared-secret {}",
    '{:db {:user "ada" :pass "{}"} :port 1}',
    '1704272.123 [0 10.0.0.4:5123] "AUTH" "ada" "{}"',
    '1704272.123 [0 10.0.0.4:5123] "ACL" "SETUSER" "ada" "on" ">{}"',
    "*2\n$4\nAUTH\n$14\n{}",
    "User ada@example.org\nPass {}",
    "bindCredentials: '{}'",
    'fromDriverManager[IO]("org.h2.Driver", "jdbc:h2:wiki", "ada", "{}")',
    'let db = open("db3.example.org", "ada", "{}", "wiki")',
    "Net::FTP.open('db4.example.org', 'ada', '{}')",
    'openSession("h.example.org", 22, "ada", "{}")',
    'hudsonRealm.createAccount("ada", "{}")',
    'pexpect.spawn("su -").sendline("{}")',
    '[u, p] == ["ada", "{}"]',
    'declare -A USERS=( [ada]="{}" [admin]="{}" )',
    'ActiveSheet.Protect "{}"',
    "mcrcon -H 127.0.0.1 -P 25575 -p {} list",
    "drush user:password ada '{}'",
    "php occ user:resetpassword ada {}",
    "radtest ada {} 127.0.0.1 0 testing123",
    "sudo dscl . -passwd /Users/ada {}",
    "(echo {}; echo {}) | smbpasswd -s -a ada",
    "printf 'ada\\n{}\\n' > /etc/openvpn/auth.txt",
    '<credential-reference clear-text="{}"/>',
    'read(0, "{}\\n", 1024) = 13',
    "composer config http-basic.repo.example.org ada {}",
    "rclone obscure {}",
    'static const char key[] = "{}";',
    'test: ["CMD", "redis-cli", "-a", "{}", "ping"]',
    'URL.create("postgresql", "ada", "{}", "h.example.org", 5432)',
    'Keychain.set("{}", forKey: "password")',
    "try with {} instead as password",
    "trojan://{}@10.9.100.205:443",
    "SSID office-guest, key {}",
    "heslo k datab\u00e1zi je {}",
    "cambi\u00e9 la contrase\u00f1a a {}",
    "Passwort hab ich auf {} ge\u00e4ndert",
    "I was given the DB password as {}, so I put it there.",
    "\u0627\u0644\u0631\u0642\u0645 \u0627\u0644\u0633\u0631\u064a \u0647\u0648 {}",
]
HEXADECIMAL = [
    "// deployer 0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B key 0x{}",
    '_PEPPER = bytes.fromhex("{}")',
    "createCipheriv('aes-256-cbc', Buffer.from('{}', 'hex'), iv);",
    '"signing": "{}"',
    "the login is crsr_{}",
    "key is {} for the weather service",
    "SSLKEYLOG CLIENT_RANDOM 68c8b6c {}",
    "$CFG->passwordsaltmain = '{}';",
]
CODES = ["just got the otp, {}", "code from the authenticator: {}", 'adminPin = "{}"']


@pytest.mark.parametrize("shape", KEYS)
@pytest.mark.parametrize("place", [*HEADERS, *LISTS])
def test_what_a_header_or_a_list_says_to_be_a_key_is_found(place, shape, detector):
    _is_masked(place, KEYS[shape], detector)


@pytest.mark.parametrize("place", HEXADECIMAL)
def test_64_digits_that_are_used_as_a_key_are_found(place, detector):
    _is_masked(place, KEYS["64 digits"], detector)


@pytest.mark.parametrize("place", CODES)
def test_codes_are_found(place, detector):
    _is_masked(place, lambda: made(6, _DIGITS), detector)


def test_words_in_quotes_behind_a_user_are_found(detector):
    _is_masked('"admin" "{}"', lambda: phrase().replace("-", " "), detector)


def test_words_between_tags_and_what_a_recovery_key_consists_of_are_found(detector):
    _is_masked("<passphrase>{}</passphrase>", lambda: phrase().replace("-", " "), detector)
    _is_masked("Recovery Key: {}", lambda: " ".join(made(4) for _ in range(12)), detector)


@pytest.mark.parametrize("shape", PASSWORDS)
@pytest.mark.parametrize("place", GEAR)
def test_what_stands_where_passwords_do_is_found(place, shape, detector):
    _is_masked(place, PASSWORDS[shape], detector)


@pytest.mark.parametrize(
    "text",
    [
        'ETag: "{md5}"\nX-Request-Id: {md5}',
        "x-amzn-trace-id: Root=1-{md5}\nX-Content-Hash: {sha256}",
        "Idempotency-Key: {md5}\nX-Idempotency-Key: {sha256}",
        'headers.set("X-Idempotency-Key", "{md5}")',
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        "X-Cache-Key: {md5}\ncache-key: {sha}\nCache key: {sha256}",
        "x-ratelimit-remaining-tokens: 149984000",
        "X-Author: ada-lovelace42\nX-Authenticated-User: adalovelace42",
        'headers.set("X-Auth", token)',
        "ssh_keys:\n  - {md5}",
        "authorized_keys:\n  - {sha256}",
        "cache_keys:\n  - {sha}",
        "keys:\n  - name\n  - password\n  - created_at",
        "keys:\n  - kid: {md5}\n    alg: RS256",
        "restore_cache:\n    keys:\n      - v1-go-mod-{sha256}",
        "cat > run.sh <<'EOF'\n#!/bin/sh\necho \"build-feature-canary-deploy\"\nEOF",
        "GIT_ASKPASS=echo git fetch origin feature-blue-green-deploy",
        "rocommunity public\nset passwd-policy strong",
        "{:keys [password user]}\n{:pass true}\n:pass :fail",
        "Pass 3 of 12 completed",
        "credentials: application-default-credentials",
        'open("src/a.py", "w", "en-us-locale-name2")',
        "mcrcon -H 127.0.0.1 -P 25575 list",
        "type Token = GravelOtterMelon;\nusing Key = GravelOtterMelon;",
        "existingSecret: gravel-otter-melon-dusk",
        "passwordKey: gravel-otter-melon-dusk",
        "the secret is called gravel-otter-melon-dusk in the prod namespace",
        "get '/password/gravel-otter-melon-dusk', to: 'passwords#edit'",
        "the branch is fix/reset-password-link, the release is gravel-otter-melon-dusk",
        "the password policy is minimum-12-characters",
        "fda569d2a9c8bb06 T _ZN3quill17h1ea0cae38594d3a8E",
        '<div class="Otter_melon__cI11d" /> login',
        "Fix the password\u2026 \u00b7 workspace-d6b9de01 \u00b7 3 h",
        "vault_addr: https://vault.example.org:8200\nvault_version: 1.15.2",
        "Erlang/OTP 26 erts-14.2.5, otp 27.1.2\nMFA: 123 users of 456",
        "INSERT INTO tokens VALUES (1, 'gpt-4-turbo-2024', 'claude-sonnet-4-5');",
        '"copper" "the quick brown fox jumps"',
        "printf 'line-one2\\nline-two3\\n' > ~/notes.txt",
    ],
)
def test_ids_digests_and_names_in_such_places_stay(text, detector):
    said = text.replace("{md5}", made(32, HEX)).replace("{sha}", made(40, HEX))
    said = said.replace("{sha256}", made(64, HEX))

    assert shown(detector, said) == said


def _is_masked(place, make, detector):
    values = [make() for _ in range(place.count("{}"))]
    for value in values:
        place = place.replace("{}", value, 1)
    seen = shown(detector, place)

    assert [value for value in values if value in seen] == []
