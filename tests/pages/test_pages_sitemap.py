"""Sitemap and absolute addresses."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.lists import render_lists, sitemaps
from everyleaf.pages.sessionpage import ReportFacts
from pages.making import path_facts, session_facts

SITE = SiteSettings("Mine", base_url="https://a.example/x/")
SESSION = session_facts("s", project="a & b", paths=(path_facts(1), path_facts(2)))


def locations(body: bytes) -> list[str | None]:
    # Written by ourselves a line ago.
    return [element.text for element in ET.fromstring(body).iter() if element.text]  # noqa: S314


def test_a_sitemap_lists_every_page_by_its_absolute_address():
    (sitemap,) = sitemaps([SESSION], SITE)

    listed = [text for text in locations(sitemap.body) if text and text.strip()]
    assert sitemap.url == "sitemap.xml"
    assert listed[0] == "https://a.example/x/"
    assert sorted(listed) == listed
    assert all(text.startswith("https://a.example/x/") for text in listed)
    for path in SESSION.paths:
        assert f"https://a.example/x/{path.url}" in listed


def test_a_long_sitemap_is_cut_into_files_that_the_first_one_names():
    first, *parts = sitemaps([SESSION], SITE, most=2)

    named = [text for text in locations(first.body) if text and text.strip()]
    assert named == [SITE.absolute(part.url) for part in parts]
    assert [len(part.body.split(b"<url>")) - 1 for part in parts[:-1]] == [2] * (
        len(parts) - 1
    )


def test_there_is_no_sitemap_without_a_base_address():
    assert sitemaps([SESSION], SiteSettings("Mine")) == []
    assert (
        sitemaps([SESSION], SiteSettings("M", base_url="https://a/", has_html=False)) == []
    )


def test_pages_name_their_absolute_address_but_not_the_one_for_dead_links():
    pages = {
        output.url: output.body.decode()
        for output in render_lists([SESSION], SITE, ReportFacts()).outputs
    }

    link = '<link rel="canonical" href="https://a.example/x/{}">'
    assert link.format("") in pages["index.html"]
    assert link.format(SESSION.url) in pages[SESSION.url]
    assert "canonical" not in pages["404.html"]
    assert 'href="/x/index.html"' in pages["404.html"]


def test_pages_keep_search_engines_out_unless_the_site_is_public():
    robots = '<meta name="robots" content="noindex">'
    for is_public in (False, True):
        settings = SiteSettings("Mine", is_public=is_public)
        for output in render_lists([SESSION], settings, ReportFacts()).outputs:
            if output.url.endswith(".html"):
                assert (robots in output.body.decode()) is not is_public
            if output.url == "_headers":
                assert (b"noindex" in output.body) is not is_public
