"""What a host is asked to send."""

from __future__ import annotations

from hypothesis import given, strategies as st

from everyleaf.theming.headers import (
    HeaderRule,
    content_security_policy,
    header_rules,
    headers_for,
    parse_headers,
    write_headers,
)

NAMES = st.from_regex(r"[A-Za-z-]{1,12}", fullmatch=True)
VALUES = st.from_regex(r"[A-Za-z0-9';=,-]([A-Za-z0-9 ';=,-]{0,20}[a-z])?", fullmatch=True)
RULES = st.builds(
    HeaderRule,
    st.from_regex(r"/[a-z/]{0,10}\*?", fullmatch=True),
    st.lists(st.tuples(NAMES, VALUES), max_size=4).map(tuple),
)


@given(st.lists(RULES, max_size=4).map(tuple))
def test_what_is_written_is_read_back(rules):
    assert parse_headers(write_headers(rules)) == rules


def test_lines_that_make_no_sense_are_left_out():
    text = "  X-Early: 1\n# a remark\n/*\n  no colon\n  X-Good: 2\n"

    assert parse_headers(text) == (HeaderRule("/*", (("X-Good", "2"),)),)


def test_a_page_gets_everything_that_was_promised():
    sent = headers_for(header_rules(is_public=False, has_search=False), "/index.html")

    assert sent["X-Robots-Tag"] == "noindex"
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert sent["Referrer-Policy"] == "no-referrer"
    assert sent["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in sent["Content-Security-Policy"]
    assert "Cache-Control" not in sent


def test_search_engines_are_kept_out_unless_the_site_is_public():
    sent = headers_for(header_rules(is_public=True, has_search=False), "/index.html")

    assert "X-Robots-Tag" not in sent


def test_what_is_named_by_its_content_never_changes():
    rules = header_rules(is_public=False, has_search=True)

    for address in ("/assets/a.css", "/blobs/b.png", "/pagefind/index/en_1.pf_index"):
        assert "immutable" in headers_for(rules, address)["Cache-Control"]
    assert "Cache-Control" not in headers_for(rules, "/pagefind/pagefind.js")


def test_a_blob_is_boxed_on_top_of_the_policy_of_the_site():
    rules = header_rules(is_public=False, has_search=False)

    policy = headers_for(rules, "/blobs/b.svg")["Content-Security-Policy"]

    assert policy.endswith(", default-src 'none'; sandbox")
    assert policy.startswith(content_security_policy())


def test_webassembly_is_allowed_only_where_something_is_searched():
    assert "wasm" not in content_security_policy()
    assert "script-src 'self' 'wasm-unsafe-eval';" in content_security_policy(
        allows_wasm=True
    )
    for has_search in (False, True):
        rules = header_rules(is_public=False, has_search=has_search)
        policy = headers_for(rules, "/")["Content-Security-Policy"]
        assert ("wasm-unsafe-eval" in policy) is has_search


def test_a_rule_without_a_star_fits_one_address():
    rule = HeaderRule("/sw.js", (("X-Worker", "1"),))

    assert headers_for([rule], "/sw.js") == {"X-Worker": "1"}
    assert headers_for([rule], "/sw.js.map") == {}


def test_only_named_sites_may_frame_a_page():
    alone = headers_for(header_rules(is_public=False, has_search=False), "/index.html")
    frames = ("https://wiki.example.org",)
    rules = header_rules(is_public=False, has_search=False, frames=frames)
    framed = headers_for(rules, "/index.html")

    assert "frame-ancestors 'none'" in alone["Content-Security-Policy"]
    assert alone["X-Frame-Options"] == "DENY"
    policy = framed["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors 'self' https://wiki.example.org")
    assert "X-Frame-Options" not in framed
