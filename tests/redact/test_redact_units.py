"""The parts of redaction, each on its own."""

from __future__ import annotations

import base64
import gzip
import json
import re
import secrets
import sqlite3
import sys
from contextlib import closing
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from urllib.parse import quote

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from everyleaf.cachedir import default_cache_dir
from everyleaf.config import Allowed, Images, Mode, OwnRule, RedactOptions
from everyleaf.errors import RedactError
from everyleaf.memo import FILE, open_memo
from everyleaf.outputs import LongBody
from everyleaf.redact import masking, places
from everyleaf.redact.borrowed import borrowed_patterns
from everyleaf.redact.engine import Gate, compile_pattern
from everyleaf.redact.examples import is_example, is_placeholder
from everyleaf.redact.gather import Look, Scanned, digest_text
from everyleaf.redact.kinds import Finding, is_strong
from everyleaf.redact.lastlook import Guard, LastLook
from everyleaf.redact.masking import (
    Mask,
    Masked,
    SessionRedactor,
    Spot,
    _open_finder,
    open_mask,
)
from everyleaf.redact.places import iter_people, mask_places, user_in
from everyleaf.redact.redaction import plan_redaction
from redact.making import password, spoken

KEY = "q7Rz" + "2mXv9LbT4kWd8Ns"
"""Random, and of no provider."""
PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(200))).decode()


def planned(*findings, users=(), **options):
    scanned = {"s": [Scanned(tuple(findings), tuple(users))]}
    return plan_redaction(scanned, RedactOptions(**options))


@pytest.mark.parametrize(
    "written",
    [
        KEY,
        f"a{KEY}b",
        json.dumps({"a": f"\n{KEY}"}),
        quote(f"x y {KEY}"),
        base64.b64encode(f"0{KEY}".encode()).decode(),
        base64.b64encode(f"01{KEY} and more".encode()).decode(),
        base64.urlsafe_b64encode(f"012{KEY}".encode()).decode(),
        KEY.encode().hex(),
        f"0x{KEY.encode().hex().upper()}",
    ],
)
def test_a_random_value_is_masked_however_it_is_written(written):
    redactor = open_mask(Mask(values=(Masked(KEY, "[redacted: secret 1]"),)))

    assert "[redacted: secret 1]" in redactor.text(written)
    look = LastLook(Guard(RedactOptions(), default_cache_dir(), (("secret", KEY),)))
    masked = redactor.text(written).encode()
    assert look.clean("a.txt", masked) == (masked, ())


def test_of_values_that_hold_each_other_the_longest_is_masked():
    mask = Mask(values=(Masked(KEY, "short"), Masked(f"{KEY}-and-on", "long")))

    assert open_mask(mask).text(f"<{KEY}-and-on> <{KEY}>") == "<long> <short>"


def test_a_weak_value_is_masked_only_where_it_was_found():
    found = "db: postgres://app:postgres@db/x"
    start = found.index("postgres@")
    spot = Spot(digest_text(found), start, start + 8, "[redacted: password 1]", "postgres")

    redactor = open_mask(Mask(spots=(spot,)))

    assert redactor.text(found) == "db: postgres://app:[redacted: password 1]@db/x"
    assert redactor.text("we use postgres") == "we use postgres"


def test_ids_signatures_and_pictures_are_left_alone():
    raw: dict[str, object] = {
        "uuid": "0f0e1d2c-0000-4000-8000-00000000abcd",
        "sha": "0123456789abcdef0123456789abcdef01234567",
        "message": {
            "id": "msg_0123456789",
            "content": [
                {"type": "thinking", "signature": "A" * 100, "thinking": "t"},
                {"type": "image", "source": {"type": "base64", "data": PICTURE}},
            ],
        },
    }
    before = json.loads(json.dumps(raw))
    parts = ("0f0e1d2c", "0123456789", "A" * 20, PICTURE[20:60])
    mask = Mask(values=tuple(Masked(part, "[redacted: secret 1]") for part in parts))

    assert open_mask(mask).record(raw) == before


def test_long_keys_of_objects_are_masked_too():
    raw: dict[str, object] = {"files": {f"/srv/{KEY}": {"deep": [KEY]}}}

    masked = open_mask(Mask(values=(Masked(KEY, "[x]"),))).record(raw)

    assert masked == {"files": {"/srv/[x]": {"deep": ["[x]"]}}}


def test_a_record_nested_deeper_than_python_recurses_is_masked():
    raw: dict[str, object] = {"a": KEY}
    for _ in range(3000):
        raw = {"a": raw}

    redactor = open_mask(Mask(values=(Masked(KEY, "[deep]"),)))
    redactor.record(raw)

    assert redactor.counts


def test_a_lone_surrogate_is_no_trouble():
    redactor = open_mask(Mask(values=(Masked(KEY, "[s]"),)))

    assert redactor.text(f"\ud800{KEY}").endswith("[s]")


@pytest.mark.parametrize(
    "behind", [r"\ud83d\udd11", r"\\ud83d\\udd11", r"\ud83d", "\ud83d"]
)
def test_half_a_surrogate_pair_behind_a_password_is_no_trouble(behind, detector):
    value = password()
    hits = detector.find(f'{{"password": "{value}{behind}"}}')

    redactor = open_mask(Mask(values=tuple(Masked(hit.value, "[s]") for hit in hits)))

    assert value not in redactor.text(f'{{"password": "{value}{behind}"}}')


@pytest.mark.parametrize(
    ("images", "content"),
    [
        (Images.PLACEHOLDER, [{"type": "image", "source": {"data": ""}}]),
        (Images.DROP, []),
    ],
)
def test_pictures_go_if_they_are_not_wanted(images, content):
    raw: dict[str, object] = {"content": [{"type": "image", "source": {"data": PICTURE}}]}

    assert open_mask(Mask(images=images)).record(raw) == {"content": content}


def test_placeholders_are_numbered_by_kind_in_the_order_found():
    one, two = Finding("github-token", KEY, ""), Finding("github-token", KEY[::-1], "")

    text = planned(one, two, one).redactor("s").text(f"{KEY[::-1]} {KEY}")

    assert text == "[redacted: github-token 2] [redacted: github-token 1]"


def test_another_session_changes_no_number_but_its_secrets_are_masked_here():
    scanned = {
        "a": [Scanned((Finding("npm-token", KEY[::-1], ""),), ())],
        "b": [Scanned((Finding("npm-token", KEY, ""),), ())],
    }

    text = plan_redaction(scanned, RedactOptions()).redactor("b").text(f"{KEY} {KEY[::-1]}")

    assert text == "[redacted: npm-token 1] [redacted: npm-token]"


def test_the_digest_of_a_session_follows_what_is_masked():
    masked = planned(Finding("npm-token", KEY, "")).mask("s")

    assert masked.digest() != planned().mask("s").digest()
    assert planned().mask("s").digest() == planned().mask("s").digest()


def test_a_class_is_on_off_or_a_persons_own():
    found = Finding("npm-token", KEY, "")
    own = (OwnRule("codename", word="Bluebird"),)

    def shown(**options):
        return planned(found, **options).redactor("s").text(f"{KEY} Bluebird")

    assert shown(own=own) == "[redacted: npm-token 1] [redacted: codename 1]"
    assert shown(own=own, secrets=Mode.CUSTOM) == f"{KEY} [redacted: codename 1]"
    assert shown(own=own, secrets=Mode.OFF) == f"{KEY} Bluebird"
    assert shown(allow=(Allowed(KEY[:4] + "*", "made up"),)) == f"{KEY} Bluebird"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("/home/alice", "~"),
        ("cd /home/alice/x", "cd ~/x"),
        ("/home/bob/x", "~/x"),
        ("/home/settings", "/home/settings"),
        ("https://example.org/home/about/us", "https://example.org/home/about/us"),
        (r"C:\Users\alice\x", r"~\x"),
        (r"C:\\Users\\alice\\x", r"~\\x"),
        ("-Users-alice-work", "-Users-user-work"),
        ("/srv/alice/x", "/srv/user/x"),
        (r"a\n/home/bob/x", r"a\n~/x"),
        ("host:/srv/alice/x", "host:/srv/user/x"),
        ("~/work/alice/x", "~/work/user/x"),
        (r"D:\data\alice\x", r"D:\data\user\x"),
        ("file:///srv/alice", "file:///srv/user"),
        ("Users/alice/x", "Users/user/x"),
        ("https://github.com/alice/x", "https://github.com/alice/x"),
        ('import "github.com/alice/x"', 'import "github.com/alice/x"'),
        (r"ok\tgithub.com/alice/x", r"ok\tgithub.com/alice/x"),
        ("origin/alice/branch", "origin/alice/branch"),
    ],
)
def test_homes_and_user_names_in_paths_are_masked(text, masked):
    assert mask_places(text, ("alice",)) == masked


def test_the_owner_of_a_home_is_known_by_the_working_folder():
    assert user_in("/home/alice/x") == "alice"
    assert user_in(r"C:\Users\Al Ice\x") == "Al Ice"
    assert user_in("/srv/x") is None
    assert user_in("/Users/Shared/x") is None


def test_people_are_found_but_for_addresses_that_are_nobodys():
    text = "a@corp.io git@github.com x@example.com http://db.prod.internal:80 lodash@4.1.2"

    found = [(one.kind, one.value) for one in iter_people(text, "d", ())]

    assert found == [("email", "a@corp.io"), ("host", "db.prod.internal")]
    assert [f.kind for f in iter_people(text, "d", ("*@corp.io",))] == ["host"]


@given(
    st.lists(
        st.sampled_from(
            re.findall(
                r"\S+|\s",
                r"/home/ alice bob.x / Users home C: /mnt/c - . -home- -Users- /srv/ \n \\",
            )
        )
    ).map("".join)
)
def test_folders_are_looked_for_where_they_stand_as_everywhere(text):
    users, everywhere = ("alice", "bob.x"), text
    for rule in places._rules(users):
        parts, done = "", 0
        for match in rule.pattern.finditer(everywhere):
            shown = match.expand(rule.shown) if rule.is_meant(match) else match[0]
            parts, done = parts + everywhere[done : match.start()] + shown, match.end()
        everywhere = parts + everywhere[done:]

    assert mask_places(text, users) == everywhere


VALUES = (KEY, "pa/ss word\n~é-Q7x", 'q"uo\\te')


@given(
    st.lists(st.sampled_from([*VALUES, "é", " ", "\n", "/", '"', "x"])).map("".join),
    st.booleans(),
    st.booleans(),
)
def test_a_line_with_a_value_is_never_passed_over(text, is_ascii, has_escaped_slash):
    redactor = open_mask(Mask(values=tuple(Masked(value, "[s]") for value in VALUES)))
    line = json.dumps({"a": [text]}, ensure_ascii=is_ascii)
    line = line.replace("/", "\\/") if has_escaped_slash else line

    if redactor.text(text) != text:
        assert redactor.may_hold(line.encode())


_TOLD = st.lists(
    st.sampled_from(
        [*VALUES, *("/home/", "alice", "/", "\\", "Users", "x", "é", '"', "\b", "\x1b[1m")]
    )
).map("".join)


@given(_TOLD, _TOLD, st.booleans(), st.booleans(), st.booleans())
def test_a_record_is_masked_alike_whether_its_line_is_known(
    folder, text, is_ascii, has_escaped_slash, is_escaped
):
    masked = tuple(Masked(value, "[s]") for value in VALUES)
    mask = Mask(values=masked, users=("alice",), has_places=True)
    raw = {"cwd": folder, "a": [text, {text: "b"}], "id": "x"}
    line = json.dumps(raw, ensure_ascii=is_ascii)
    line = line.replace("/", "\\/") if has_escaped_slash else line
    line = line.replace("home", "\\u0068ome") if is_escaped else line

    for one in (mask, replace(mask, values=())):
        known = SessionRedactor(one).record(json.loads(line), line.encode())
        assert known == SessionRedactor(one).record(json.loads(line))


@given(
    st.lists(
        st.sampled_from(
            [*VALUES, KEY[:9], KEY[9:], *("**", "\u200b", "<b>", "\b", "\x1b[1m", "\ud800")]
        )
    ).map("".join)
)
def test_a_long_text_is_masked_as_a_short_one(text):
    masked, filler = tuple(Masked(value, "[s]") for value in VALUES), "lorem\n" * 60

    short = SessionRedactor(Mask(values=masked)).text(text)

    assert SessionRedactor(Mask(values=masked)).text(filler + text) == filler + short


def test_a_line_without_any_value_is_passed_over():
    redactor = open_mask(Mask(values=(Masked(KEY, "[s]"),), has_places=True))

    assert not redactor.may_hold(b'{"a": "nothing", "cwd": "/home/alice/x"}')
    assert not redactor.may_hold(b'{"a": "\\u0041 <b>bold</b>"}')
    assert redactor.counts == {"home-folder": 1}


@pytest.mark.parametrize(
    "mark",
    [
        "**",
        "\\u200b",
        "\u200b",
        "<b>",
        "\\u003cb\\u003e",
        "\\u001b[1m",
        "x\\b",
        "\\u001b]0;t\\u0007",
    ],
)
def test_a_line_with_a_value_that_is_split_up_is_not_passed_over(mark):
    redactor = open_mask(Mask(values=(Masked(KEY, "[s]"),)))
    escaped = f"\\u{ord(KEY[0]):04x}{KEY[1:]}"

    assert redactor.may_hold(f'{{"a": "{KEY[:6]}{mark}{KEY[6:]}"}}'.encode())
    assert redactor.may_hold(f'{{"a": "{escaped}"}}'.encode())


@given(st.text(), st.sampled_from(("alice", "bob.x")))
def test_masking_places_twice_is_masking_once(text, user):
    once = mask_places(text, (user,))

    assert mask_places(once, (user,)) == once


@pytest.mark.parametrize(
    "value",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "your-api-key-goes-here",
        "${TOKEN}",
        "$DB_PASSWORD",
        "<your token>",
        "xxxxxxxxxxxxxxxx",
        "sk-ant-...",
        "changeme",
        "[redacted]",
        "%s",
    ],
)
def test_a_placeholder_is_no_secret(value):
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    [
        "MyPass1234567",
        "pass$word(1",
        "myexample77",
        "Bluebird2024!",
        "postgres",
        "x1234567",
    ],
)
def test_a_word_inside_of_a_value_makes_it_no_placeholder(value):
    assert not is_placeholder(value)
    assert not is_example(value)


def test_what_tests_have_as_passwords_is_an_example_there_alone():
    assert is_example("password123")
    assert not is_placeholder("password123")


def test_words_are_weak_and_keys_are_strong():
    assert not is_strong("connection-password", "postgres")
    assert not is_strong("env-password", "correcthorsebattery")
    assert not is_strong("connection-password", "password1234")
    assert is_strong("connection-password", KEY)
    assert is_strong("github-token", KEY)


@pytest.mark.parametrize("form", ["{}-{}-{}-85", "{}_{}_770", "{}-{}-7731"])
def test_unusual_words_with_a_number_are_strong(form):
    value = form.format(spoken(), spoken(), spoken())

    assert is_strong("password", value)
    assert planned(Finding("password", value, "")).text(f"x {value}.") != f"x {value}."


@pytest.mark.parametrize(
    "name",
    ["claude-sonnet-4-5", "node-18-alpine", "user_password_123", "my-feature-branch-12"],
)
def test_names_with_a_number_are_weak(name):
    assert not is_strong("password", name)


def last_look(*secrets):
    return LastLook(Guard(RedactOptions(), default_cache_dir(), secrets))


@pytest.mark.parametrize("line", ["<p>Größe &amp; Maß</p>\n", "Größe und Maß\n"])
def test_a_long_file_is_looked_through_wherever_a_secret_stands(line):
    url = "a.html" if line.startswith("<") else "a.md"
    lines = [line] * (5_000_000 // len(line.encode()))
    places = range(0, len(lines), 97)
    for place in places:
        lines[place] = line.replace("Maß", KEY)
    body = "".join(lines).encode()

    cleaned, kinds = last_look(("npm-token", KEY)).clean(url, body)

    assert kinds == ("npm-token",)
    assert cleaned.decode() == "".join(lines).replace(KEY, "[redacted: npm-token]")
    with TemporaryFile() as file:
        file.write(body)
        long = LongBody(file)
    assert last_look(("npm-token", KEY)).clean(url, long) == (cleaned, kinds)


def test_a_private_key_is_masked_wherever_it_stands_in_a_long_file(monkeypatch):
    monkeypatch.setattr("everyleaf.redact.lastlook._PIECE_BYTES", 900)
    monkeypatch.setattr("everyleaf.redact.lastlook._SHARED_BYTES", 2_000)
    lines = [secrets.token_urlsafe(45) for _ in range(20)]
    key = "\n".join(["-----BEGIN PRIVATE KEY-----", *lines, "-----END PRIVATE KEY-----"])
    body = "".join(f"{'Nothing here.' * 3}\n" * n + f"{key}\n" for n in range(1, 30))

    cleaned, kinds = last_look().clean("a.txt", body.encode())

    assert kinds
    assert not any(line.encode() in cleaned for line in lines)
    assert cleaned.count(b"Nothing here.") == body.count("Nothing here.")


def test_what_only_the_finished_page_shows_is_masked_also_across_tags():
    key = "breakfast-marmalade"  # No rule finds it.
    split = f'<p title="x">a <b>{key[:5]}</b><i>{key[5:]}</i> b</p>'.encode()

    cleaned, kinds = last_look(("npm-token", key)).clean("a.html", split)

    assert kinds == ("npm-token",)
    assert re.sub(rb"<[^<>]*>", b"", cleaned) == b"a [redacted: npm-token] b"
    assert last_look().clean("a.html", split) == (split, ())


def test_a_key_that_nobody_had_found_is_masked_in_what_is_written():
    key = "ghp" + "_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"

    for url, body in {
        "a.html": f"<code>{key[:9]}</code>{key[9:]}",
        "b.html": f'<a title="{key}">x</a>',
        "c.md": key.replace("_", "\\_"),
        "d.json": json.dumps({"a": f"\n{key}"}),
        "e.txt": f"{key[:7]}\x1b[31m{key[7:]}",
    }.items():
        cleaned, kinds = last_look().clean(url, body.encode())

        assert kinds == ("github-token",), url
        assert key[10:].encode() not in cleaned


def test_titles_that_are_cut_and_placeholders_in_code_are_no_secrets():
    pages = {
        "a.html": "<p>Validate passwords, password strength…</p>",
        "b.html": 'https://u:[redacted: connection-password <span class="m">1</span>]@x/y',
        "c.md": "- [Password for 'https://test@localhost:8080': pro…](transcript_1-2.md)",
        "llms.txt": "- [email, password strength…](markdown/transcript_1-2.md)",
        "data/search/a.json": "[\"Password for 'https://x@y': github.com ok\"]",
    }

    for url, body in pages.items():
        assert last_look().clean(url, body.encode()) == (body.encode(), ())
    for url, body in (
        ("a.html", "<p>password: Tr0ub4dor&amp;3x…</p>"),
        ("a.html", "<p>password: hunter2zz</p>"),
    ):
        assert last_look().clean(url, body.encode())[1] == ("password",)


def test_a_compressed_file_keeps_its_length():
    key = "ghp" + "_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
    body = f"pagefind_dcd{{{key}}}".encode()

    cleaned, kinds = last_look().clean("pagefind/x.pf_fragment", gzip.compress(body))

    assert kinds == ("github-token",)
    assert len(gzip.decompress(cleaned)) == len(body)
    assert key.encode() not in gzip.decompress(cleaned)


def test_a_compressed_file_is_read_as_utf_8():
    key = "ghp" + "_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5"
    body = f"pagefind_dcd né→{key[:9]}\u200b{key[9:]}→né".encode()

    cleaned, kinds = last_look().clean("pagefind/x.pf_fragment", gzip.compress(body))

    plain = gzip.decompress(cleaned)
    assert kinds == ("github-token",)
    assert len(plain) == len(body)
    assert plain.startswith("pagefind_dcd né→[redacted]".encode())
    assert plain.endswith("→né".encode())


def test_an_index_holds_nothing_that_is_known_by_itself():
    aws = "wJalrXUtnFEMI" + "/K7MDENG/bPxRfiCY" + secrets.token_hex(5)
    seed = "abandon ability cactus danger eagle fabric galaxy habit ivory jacket kiwi lady"
    said = {
        "aws-secret-key": f"so aws_secret_access_key = {aws} and more",
        "seed-phrase": f"the seed phrase: {seed}.",
        "github-token": "→ ghp" + "_" + "aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5.",
    }

    for kind, text in said.items():
        body = json.dumps(["prompt", "m-1", text]).encode()
        assert last_look().clean("data/search/a.json", body)[1] == (kind,)


def test_what_was_found_is_remembered_by_content(tmp_path):
    memory = open_memo(tmp_path / "found", "found")
    scanned = Scanned((Finding("npm-token", KEY, "d", 1, 5, 7),), ("alice",))

    memory.save("k", scanned)
    memory.drop_older(30)

    assert memory.load("k", Scanned) == scanned
    assert memory.load("other", Scanned) is None
    assert (tmp_path / "found").stat().st_mode & 0o077 == 0


@given(st.integers(0, 10_000), st.integers(0, 7))
def test_one_flipped_bit_and_nothing_is_remembered(at, bit):
    with TemporaryDirectory() as folder:
        memory = open_memo(Path(folder, "found"), "found")
        memory.save("k", Scanned((Finding("npm-token", KEY, "d", 1, 5, 7),), ()))
        with closing(sqlite3.connect(Path(folder, "found", FILE))) as file, file:
            ((body,),) = file.execute("SELECT body FROM memo").fetchall()
            body = bytearray(body)
            body[at % len(body)] ^= 1 << bit
            file.execute("UPDATE memo SET body = ?", (bytes(body),))

        assert memory.load("k", Scanned) is None


def test_what_was_found_elsewhere_is_not_believed_here(tmp_path):
    memory = open_memo(tmp_path / "found", "found")
    memory.save("clean", Scanned((), ()))
    memory.save("k", Scanned((Finding("npm-token", KEY, "d", 1, 5, 7),), ()))

    with closing(sqlite3.connect(tmp_path / "found" / FILE)) as file, file:
        file.execute("DELETE FROM memo WHERE name = 'k'")
        file.execute("UPDATE memo SET name = 'k'")

    assert memory.load("k", Scanned) is None


def test_what_others_could_have_written_is_not_believed(tmp_path):
    open_memo(tmp_path / "found", "found").save("k", Scanned((), ()))
    (tmp_path / "found").chmod(0o777)

    assert open_memo(tmp_path / "found", "found").load("k", Scanned) is None


def test_without_a_scanner_nothing_is_built(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "kingfisher", None)

    with pytest.raises(RedactError) as raised:
        borrowed_patterns(tmp_path)
    assert "--no-redact" in raised.value.hint


def test_what_other_sessions_hold_is_prepared_once_for_all_of_them():
    owns = [Masked(f"{KEY}{number}", "[own 1]") for number in range(5)]
    others = (*owns, *(Masked(value, "[s]") for value in VALUES[1:]))
    before = _open_finder.cache_info().misses

    for own in owns:
        redactor = open_mask(Mask(values=(own,), others=others))
        assert redactor.text(f"{own.value} {VALUES[1]}") == "[own 1] [s]"
        assert redactor.counts == {"[own": 1, "[s": 1}

    assert _open_finder.cache_info().misses - before == 1


@pytest.mark.parametrize(
    "between",
    ["\u200b", "\uffa0", "\U000e0001", "**", "<b>", "</b>", '""', "\x1b[1m", "z\b", "\f"],
)
@pytest.mark.parametrize("is_ascii", [True, False])
def test_a_line_may_hold_a_value_that_something_splits_up(between, is_ascii):
    redactor = open_mask(Mask(values=(Masked(KEY, "[s]"),)))
    raw: dict[str, object] = {"a": f"x {KEY[:9]}{between}{KEY[9:]} y"}

    line = json.dumps(raw, ensure_ascii=is_ascii).encode()

    assert redactor.may_hold(line)
    assert redactor.may_hold(line.replace(b"/", b"\\/"))
    assert redactor.record(json.loads(line), line) == {"a": "x [s] y"}
    assert redactor.record(raw) == {"a": "x [s] y"}


@given(st.text(st.sampled_from("aé→\n x=K\U0001f600"), max_size=12))
def test_a_gate_in_bytes_lets_pass_whatever_a_pattern_finds(text):
    patterns = (
        *(r"a[^\n]x", r"K\S=", r"x.?K", r"[\s\S]{3}=", r"(?:[^a=]K){2,3}", r"\Wa"),
        *(r"(?i)\x{c9}?x", r"(?i)aÉ{2}", r"[ \x{2192}x]K", r"[^\x{2192}a]{2}=", r"[→-⇒]?x"),
        r"(?i)[\x{e9}a]{2}\n",
        r"(?:^|[^a]|(?:^|[^K\x{e9}])=)x[^x]",
        *(r"\bx{2,}", r"a((?:Kx{1,}){1,2})", r"(?:\b|=)a\bK?", r"\\ba{2,}"),
    )
    gate, body = Gate(patterns), text.encode()

    found = {n for n, one in enumerate(patterns) if compile_pattern(one).search(body)}

    assert found <= gate.match(body)


def test_a_short_pattern_that_takes_much_memory_is_compiled_all_the_same():
    assert compile_pattern(r"\w{0,1000}-\pL{0,300}").search(b"a-b") is not None


def test_a_gate_finds_a_key_of_any_length_once():
    gate = Gate([r"EAA[A-Za-z0-9]{50,}", r"(?:sk[a-z]{30,}){1,2}"], has_many=True)
    found: list[int] = []

    for database in chain(*gate._databases):
        database.scan(
            f"EAA{'x' * 900} sk{'y' * 900}".encode(), lambda one, *_: found.append(one)
        )

    assert found == [0, 1]


@given(st.text(st.sampled_from("ab|[](\\K\n"), max_size=12))
def test_signs_of_several_ways_end_where_each_of_them_ends(text):
    ways = (
        r"(?i)ab|[|(]b|\||(?:a|\\)k",
        "(?i)ab",
        r"(?i)[|(]b",
        r"(?i)\|",
        r"(?i)(?:a|\\)k",
    )
    gate, body = Gate((), [[way] for way in ways]), text.encode()

    _, (together, *apart) = gate.look(body)

    assert {*together} == {end for ends in apart for end in ends}


@given(st.text(st.sampled_from("abk|[](\\\n"), max_size=12))
def test_a_sign_that_begins_with_a_group_ends_where_its_ways_do(text):
    sign = r"(?i)(?:a|(?:b|[|(]+)a|\b(?:k|\])\|)(?:k|\n)|(?:ab|k)?\[|(?:(?:b|\\))b"
    gate = Gate((), [[sign]])
    places = [(start, end) for end in range(len(text) + 1) for start in range(end)]

    _, (ends,) = gate.look(text.encode())

    pattern = re.compile(sign)
    assert {*ends} == {end for start, end in places if pattern.fullmatch(text, start, end)}


def test_a_gate_says_which_signs_of_the_first_group_a_text_has_where_it_is_asked():
    gate = Gate(["key_[a-z]{4}"], [["(?i)user|login", "(?i)pin"], ["(?i)wifi"]])
    body = b"key_abcd of LOGIN on wifi"

    assert gate.match(body) == {0}
    assert {n for n in gate.match(body, has_signs=True) if n >= 0} == {0, 1}


def test_a_long_text_in_which_nothing_was_is_not_looked_at_again(monkeypatch):
    look = last_look(("npm-token", KEY))
    text = "there is nothing to see here, at all\n" * 20
    Look(look._detector, look._keep_emails).text("content", text, 1)
    monkeypatch.setattr(look, "_look", lambda *_: pytest.fail("it was looked at"))

    assert look.clean("blobs/a.txt", text.encode()) == (text.encode(), ())
    for body in (f"{text}{KEY}", text.upper()):
        with pytest.raises(pytest.fail.Exception):
            look.clean("blobs/a.txt", body.encode())


def test_what_all_sessions_share_is_prepared_once(monkeypatch):
    others = tuple(Masked(f"{KEY}-{at}", "[redacted: secret]") for at in range(9))
    traced: list[str] = []

    def noted(form: str) -> str:
        traced.append(form)
        return form

    monkeypatch.setattr(masking, "_trace", noted)

    for at in range(20):
        open_mask(Mask(values=(Masked(f"own {at} {KEY}", "[s]"),), others=others))

    shared = [one for one in traced if one.startswith(KEY)]
    assert len(shared) == len(set(shared))
    assert len(shared) >= len(others)
