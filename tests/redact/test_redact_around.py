"""What stands around a secret stays: names of fields, who logs in, the next line."""

from __future__ import annotations

import json
import string

import pytest

from redact.keykinds import HEX
from redact.making import made, password, shown

_KEY = f"{string.ascii_letters}{string.digits}+/"
AROUND = [
    '{{"user": "svc_4417", "password": "{}"}}',
    'db = connect(host=h, user="mira2094", password="{}")',
    "user: backup2093\n    password: {}",
    "machine h.example.org\n[sudo] password for deploy2441: {}",
    "psql -U postgres -c \"ALTER ROLE etl_2219 WITH PASSWORD '{}'\"",
    "<User>mira4410</User><Password>{}</Password>",
    '"key":"username","value":"mira4410"}},{{"key":"password","value":"{}"',
    "DSN: host=db3.example.net user=svc_2093 password={}",
    "settings.xml-4-  <password>{}</password>\nsettings.xml-5-  <active>true</active>",
    "src/login2377.tsx-5-await f;\nsrc/login2377.tsx:6:password = '{}'",
    '<cell id="c1">rpcpassword={}</cell id="c1">',
    r'{{"encoding": "utf-8", "content": "DB_PASSWORD={}\nEnvironment=A=b\n"}}',
    "* OK [CAPABILITY IMAP4rev1] ready.\na1 LOGIN ada@example.org {}",
]
"""What stays around a password."""


@pytest.mark.parametrize("around", AROUND)
def test_only_the_password_is_masked(around, detector):
    value = password()

    assert shown(detector, around.format(value)) == around.format("•" * len(value))


@pytest.mark.parametrize(
    "ending",
    [
        "Endpoint = 10.2.0.9:51820",
        "[Peer]",
        "kind: Secret",
        "#OLD_DB_HOST=db3.example.net",
        "npm run build",
        "10.0.0.3 web",
    ],
)
def test_a_key_that_ends_with_a_sign_of_mails_ends_there(ending, detector):
    said = f"PresharedKey = {{}}\n{ending}\n"
    value = f"{made(42, _KEY)}A="

    assert shown(detector, said.format(value)) == said.format("•" * len(value))


def test_a_key_in_a_line_of_its_own_leaves_what_says_so(detector):
    value = f"RWRTY0Iy{made(60, _KEY)}"
    said = f"untrusted comment: the vendor's encrypted secret key\n{value}\n"

    assert shown(detector, said).startswith("untrusted comment: the vendor's encrypted sec")
    assert value not in shown(detector, said)


@pytest.mark.parametrize(
    "said",
    [
        "~/.kube/config-5-    client-key-data: {}\n~/.kube/config-6-- name: sa",
        "SecretKey         {}\nApplicationID     3aFq-9Kd2-77Lm",
        f"GET https://{'h' * 40}.example/?access_token={{}}\nAuthorization: Bearer x",
        "10.0.0.3 ansible_become_pass={}\n10.0.0.4 ansible_user=ada",
        "10.0.0.3 ansible_become_pass={}\nweb-2 ansible_user=ada",
        "signing.password={}\nsigning.keyId=5CB81DC4",
    ],
)
def test_no_line_of_its_own_is_the_rest_of_a_word_that_a_terminal_broke(said, detector):
    value = made(100 - said.index("{}"))
    assert shown(detector, said.format(value)) == said.format("•" * len(value))


@pytest.mark.parametrize(
    "below",
    [
        "v1.29.3-rc.1",
        "localStorage.setItem('a')",
        "imageTag sha-12",
        "ipv4.addresses: 10.0.0.8",
    ],
)
def test_a_name_is_no_rest_of_a_key(below, detector):
    said = f"apiToken: {{}}\n{below}\n"
    value = f"{made(36)}7x"

    assert shown(detector, said.format(value)) == said.format("•" * len(value))


def test_nothing_goes_on_behind_a_key_that_is_filled_up(detector):
    said = "SECRET_KEY={}\n--color-primary-500: #3b82f6;\n"
    value = f"{made(42, _KEY)}A="

    assert shown(detector, said.format(value)) == said.format("•" * len(value))


def test_no_address_is_the_rest_of_the_one_above(detector):
    said = f"https://a.blob.core.example/c?sv=2023&sig={made(43, _KEY)}%3D\n"
    below = "https://example.org/reset?lang=de&token_type=x"

    assert shown(detector, said + below).endswith(f"\n{below}")


def test_what_has_the_shape_of_a_key_of_two_vendors_is_called_a_secret(detector):
    found = detector.find(f"my_token = {made(40)}\nother_key: {made(30)}") or ()

    assert {hit.kind for hit in found} == {"secret"}


def test_codes_of_recovery_are_no_names_of_fields(detector):
    codes = [made(8, "123456789") for _ in range(4)]
    told = "\n  ".join(["Your emergency scratch codes are:", *codes])
    result = {"stdout": told, "exitCode": 0, "encoding": "utf-8"}
    masked = shown(detector, json.dumps(result))

    assert '"exitCode": 0, "encoding": "utf-8"}' in masked
    assert not any(code in masked for code in codes)


def test_what_is_beside_the_data_of_a_secret_stays(detector):
    said = (
        "apiVersion: v1\ndata:\n  db: {}\nkind: Secret\ntype: Opaque\nmetadata:\n  name: a"
    )
    value = f"{made(20)}c9Q="

    assert shown(detector, said.format(value)) == said.format("•" * len(value))


@pytest.mark.parametrize(
    "said",
    [
        *("public_key: {}", "Public Key:\n{}", '"publicKey": "{}"', "pubkey: {}"),
        "client-certificate-data: {}",
    ],
)
def test_a_public_key_stays(said, detector):
    value = made(43, _KEY)

    assert value in shown(detector, said.format(value))


def test_a_weak_etag_and_an_id_of_a_key_stay(detector):
    said = f'ETag: W/"{made(8, HEX)}-{made(27)}"\n"private_key_id": "{made(40, HEX)}"'

    assert "•" not in shown(detector, said)


@pytest.mark.parametrize(
    "said",
    [
        "$cred = (ConvertTo-SecureString $AdminPassword -AsPlainText -Force)",
        "fatal: could not read Password for 'https://h.example': terminal prompts disabled",
        "A senha do módulo de pedidos precisa ter pelo menos oito letras",
        "Le mot de passe de l'étape 2193 doit contenir huit lettres",
        "La contraseña del número 2373 es obligatoria y debe tener doce letras",
    ],
)
def test_sentences_that_tell_of_no_password_stay(said, detector):
    assert shown(detector, said) == said
