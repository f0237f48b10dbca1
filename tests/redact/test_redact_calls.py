"""Passwords in calls and tables of programs, and in elements beside each other."""

from __future__ import annotations

import pytest

from redact.making import made, password, shown, token

TAKEN = [
    'creds = BasicHttpCredentials("ada", "{}")',
    "conn = database('crm', 'ada', '{}');",
    'httr::authenticate("ada", "{}")',
    'mysql_real_connect(c, "db.example.org", "ada", "{}", "crm", 0, NULL, 0);',
    "SecretValue.unsafePlainText('{}')",
    "require('bcrypt').hashSync('{}', 10)",
    "require('bcrypt').hash('{}', 10)",
    'Credentials::new("ada".to_string(), "{}".to_string())',
    "CryptoJS.AES.decrypt(x, '{}')",
    'PBKDF2("{}", salt, 32)',
    'bcrypt.checkpw(b"{}", hashed)',
    'InfluxDBClient("h", 8086, "ada", "{}", "x")',
    "ldap_bind(l, 'cn=admin,dc=x', '{}')",
    "request('POST', u, ['auth' => ['ada', '{}']])",
    "cookieParser('{}')",
    "users:\n  ada: {}\n  eve: {}\n  bob: {}\n  kim: {}\n",
    "[users]\nada = {}, admin",
    "ATTACH DATABASE 'x.db' AS x KEY '{}';",
    'ada : PLAIN "{}"',
    "$ op item get Db --fields password --reveal\n{}",
    'USERS = {"ada": "Qx7!zkw4Vb", "eve": "{}"}',
    "app.use(basicAuth({ users: { 'ada': '{}' } }))",
    "<param-name>db.password</param-name>\n<param-value>{}</param-value>",
    "<name>SMTP_PASSWORD</name><value>{}</value>",
    '- tapOn: "Password"\n- inputText: "{}"',
    "Input Password    id=password    {}",
    "${PASSWORD}    {}",
    "ada@example.org:{PLAIN}{}::::::",
    '"ada" "{}"\n',
    '"password": {"type": "string", "example": "{}"}',
    "password: <%= ENV['X'] || '{}' %>",
    "use(Basic) { |u, p| u == 'ada' && p == '{}' }",
    '{default_pass, <<"{}">>}',
    "kodeord: {}",
    "kata laluan: {}",
    "parola mea este {}",
    "암호: {}",
    "Zugang: ada / {}",
    "WPA key: {}",
    "new Sequelize('search', 'tina', '{}', { dialect: 'mysql' })",
    "Net::FTP.open('db2.example.org', 'maria', '{}')",
    "openssl_encrypt($d, 'aes-256-cbc', '{}')",
    "jwt.sign({ id: 1 }, '{}', { expiresIn: '1h' })",
    "SELECT pgp_sym_decrypt(note, '{}') FROM t",
]
TOKENS = [
    'parser.add_argument("--token", default="{}")',
    'jwt_secret: str = Field(default="{}")',
    "a chave da API é {}",
    'Client(account_sid, "{}")',
    'discord.Client().run("{}")',
    "new TelegramBot('{}', { polling: true })",
    "jeton d'accès : {}",
    "Geheimnis: {}",
    "https://x.example/login?magic={}",
]
HARMLESS = [
    '{"user":{"login":"ada","id":3519,"node_id":"MDQ6VXNlcjM1MTkzNA=="}}',
    '{"user":{"login":"ada1987x","id":3519}}',
    'plumbing.NewHash("4b825dc642cb6eb9a060e54bf8d69288fbee4904")',
    "'PASSWORD',\n    'PLACING',\n    'PLANS',",
    'client = Client("events", "events-v2"); S3Client("MyBucket2")',
    "users:\n  name: ada\n  home: /home/ada\n",
    'encrypt("hello world", key); createCipheriv("aes-256-cbc", key, iv)',
    "tar: Content-Type2 and X-Real-Ip",
    'connect("amqp", "queue1", "exchange2"); authorize("read:user", "repo")',
    "<name>timeout.password.reset</name><value>${reset}</value>",
    'add_argument("--password", default="", help="Password of the account")',
    '"password": {"type": "string", "example": "string"}',
]


@pytest.mark.parametrize("said", TAKEN)
def test_a_program_hides_the_password_beside_who_logs_in(said, detector):
    value = password()

    assert value not in shown(detector, said.replace("{}", value))


@pytest.mark.parametrize("said", TOKENS)
def test_a_program_hides_the_token_that_it_falls_back_to(said, detector):
    value = token()

    assert value not in shown(detector, said.replace("{}", value))


def test_a_pin_is_hidden(detector):
    value = made(9, "123456789")

    assert value not in shown(detector, f"pin code: {value}")


@pytest.mark.parametrize("said", HARMLESS)
def test_other_calls_stay(said, detector):
    assert shown(detector, said) == said
