"""What a preview answers, and what it never does."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from everyleaf.preview import LIVE_ADDRESS, Folder
from everyleaf.publish.manifest import NAME, Listed, Manifest
from everyleaf.theming.headers import header_rules, headers_for

HOST = "127.0.0.1:8000"


@pytest.fixture
def folder(site_dir):
    return Folder(site_dir, frozenset({HOST, "localhost:8000"}))


@pytest.mark.parametrize(
    ("address", "body", "kind"),
    [
        ("/", b"first page", "text/html; charset=utf-8"),
        ("/index.html?x=/../y", b"first page", "text/html; charset=utf-8"),
        ("/transcripts/t%20%C3%A9.html", b"transcript", "text/html; charset=utf-8"),
        ("/assets/a.1.css", b"css", "text/css; charset=utf-8"),
    ],
)
def test_a_page_comes_with_its_type(folder, address, body, kind):
    answer = folder.answer(address, HOST)

    assert answer.status == 200
    assert answer.body.endswith(body)
    assert answer.headers["Content-Type"] == kind
    assert answer.headers["Content-Length"] == str(len(answer.body))


def test_a_page_has_the_headers_that_a_host_would_send(folder):
    sent = folder.answer("/assets/a.1.css", HOST).headers

    promised = headers_for(
        header_rules(is_public=False, has_search=True), "/assets/a.1.css"
    )
    assert promised.items() <= sent.items()
    assert "immutable" in sent["Cache-Control"]


def test_the_folder_says_which_headers(folder, site_dir):
    (site_dir / "_headers").write_text("/*\n  X-Own: 1\n")

    sent = folder.answer("/", HOST).headers

    assert sent["X-Own"] == "1"
    assert "X-Robots-Tag" not in sent


@pytest.mark.parametrize(
    "address",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/..%5csecret.txt",
        "/transcripts/../../secret.txt",
        "//etc/passwd",
        "/.git/config",
        "/transcripts/",
        "/nothing.html",
        "/C:/secret.txt",
        "/%00",
        "/" + "a" * 5000,
    ],
)
def test_nothing_outside_or_hidden_is_shown_and_no_folder_is_listed(folder, address):
    answer = folder.answer(address, HOST)

    assert answer.status == 404
    assert answer.body.endswith(b"not here")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_out_of_the_folder_leads_nowhere(folder, site_dir):
    (site_dir / "link.txt").symlink_to(site_dir.parent / "secret.txt")
    (site_dir / "loop").symlink_to("loop")

    assert folder.answer("/link.txt", HOST).status == 404
    assert folder.answer("/loop", HOST).status == 404


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.text("./%2e\\5cfsecrt:?#\0é", max_size=20))
def test_no_address_whatever_leaves_the_folder(folder, address):
    answer = folder.answer(f"/{address}", HOST)

    assert b"outside" not in answer.body
    assert b"hidden" not in answer.body


def test_without_a_page_for_dead_links_words_must_do(folder, site_dir):
    (site_dir / "404.html").unlink()

    answer = folder.answer("/x", HOST)

    assert (answer.status, answer.body) == (404, b"Not found\n")


def test_a_folder_without_its_slash_is_sent_on(folder, site_dir):
    (site_dir / "transcripts" / "index.html").write_text("list")

    answer = folder.answer("/transcripts", HOST)

    assert (answer.status, answer.headers["Location"]) == (301, "transcripts/")
    assert folder.answer("/transcripts/", HOST).body == b"list"


@pytest.mark.parametrize("host", ["", "evil.example", "evil.example:8000", "127.0.0.1:81"])
def test_another_name_gets_nothing(folder, host):
    answer = folder.answer("/", host)

    assert answer.status == 421
    assert b"first page" not in answer.body


def test_our_own_names_are_known_in_any_case(folder):
    assert folder.answer("/", "LOCALHOST:8000").status == 200


def test_what_a_browser_has_already_is_not_sent_again(folder):
    tag = folder.answer("/", HOST).headers["ETag"]

    again = folder.answer("/", HOST, known=tag)

    assert (again.status, again.body) == (304, b"")
    assert folder.answer("/", HOST, known='"other"').status == 200


def test_pages_reload_only_while_something_is_watched(folder, site_dir):
    live = Folder(site_dir, folder.hosts, is_live=True)
    tag = f'<script defer src="{LIVE_ADDRESS}">'.encode()

    assert tag in live.answer("/", HOST).body
    assert b"use strict" in live.answer(LIVE_ADDRESS, HOST).body
    assert tag not in folder.answer("/", HOST).body
    assert folder.answer(LIVE_ADDRESS, HOST).status == 404
    assert tag not in (site_dir / "index.html").read_bytes()


def test_before_the_first_build_every_page_says_so_and_waits_for_it(tmp_path):
    folder = Folder(tmp_path / "site", frozenset({HOST}), is_live=True)

    for address in ("/", "/transcripts/t.html"):
        answer = folder.answer(address, HOST)
        assert answer.status == 200
        assert b"being built" in answer.body
        assert LIVE_ADDRESS.encode() in answer.body
        assert answer.headers["ETag"]
    assert folder.answer("/assets/a.1.css", HOST).status == 404
    assert folder.answer("/", "rebound.example").status == 421


def test_a_page_asked_for_as_the_first_build_ends_is_never_called_missing(
    tmp_path, monkeypatch
):
    site = tmp_path / "site"
    find = Folder._find

    def end_of_build(self, address):
        found = find(self, address)
        site.mkdir()
        (site / "index.html").write_text("<head></head>first page")
        (site / NAME).write_text("{}")
        return found

    monkeypatch.setattr(Folder, "_find", end_of_build)

    answer = Folder(site, frozenset({HOST}), is_live=True).answer("/index.html", HOST)

    assert answer.status == 200
    assert b"being built" in answer.body


@pytest.mark.parametrize("address", ["/", "/transcripts/t.html"])
def test_a_page_that_is_listed_and_not_yet_placed_is_never_called_missing(
    tmp_path, address
):
    (tmp_path / NAME).write_bytes(
        Manifest({"index.html": Listed(""), "transcripts/t.html": Listed("")}).to_json()
    )

    live = Folder(tmp_path, frozenset({HOST}), is_live=True)

    assert b"being built" in live.answer(address, HOST).body
    assert live.answer("/transcripts/other.html", HOST).status == 404
    assert Folder(tmp_path, frozenset({HOST})).answer(address, HOST).status == 404
