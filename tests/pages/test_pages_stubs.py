"""Stubs: a published page whose conversation moved leads to the same message."""

from __future__ import annotations

import html5lib

from everyleaf.graph.forest import Contained, PathRef, Status
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.lists import stub_page, stubs
from pages.making import session_facts, uuid

SITE = SiteSettings("Archive")
COPY = Contained(PathRef("s", 2), PathRef("t", 1), Status.ACTIVE, "T", 3, uuid("leaf"))
URL = "transcripts/transcript_s_path2.html"


def test_a_stub_leads_to_the_same_message_without_a_script() -> None:
    stub = stub_page(URL, "transcripts/transcript_t.html#m-leaf0000", SITE)

    page = html5lib.parse(stub.body.decode(), namespaceHTMLElements=False)
    assert stub.url == URL
    assert [a.get("href") for a in page.iter("a")] == ["transcript_t.html#m-leaf0000"]
    refresh = [meta.get("content") for meta in page.iter("meta") if meta.get("http-equiv")]
    assert "0; url=transcript_t.html#m-leaf0000" in refresh
    assert not list(page.iter("script"))


def test_only_a_page_that_was_published_leaves_a_stub() -> None:
    session = session_facts(dropped=(COPY,))

    ((stub, owner),) = stubs([session], SITE, {URL})

    assert (stub.url, owner) == (URL, "s")
    assert b"transcript_t.html#m-leaf0000" in stub.body
    assert not list(stubs([session], SITE, set()))
    assert not list(stubs([session], SiteSettings("A", has_html=False), {URL}))
