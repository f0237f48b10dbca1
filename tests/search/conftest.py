"""Pages to search, and a look into the index that was made of them."""

from __future__ import annotations

import gzip
import json

from everyleaf.search.pages import SearchPage, SearchText


def page(number=1, *texts, **changes):
    said = tuple(SearchText("prompt", f"m-{n}", text) for n, text in enumerate(texts, 1))
    values = {
        "url": f"transcripts/t{number}.html",
        "title": f"Conversation {number}",
        "project": "parser",
        "status": "active",
        "month": "2026-03",
        "said": said,
    }
    return SearchPage(**{**values, **changes})


def fragments(outputs):
    """Return the documents of an index, by what stands in them."""
    bodies = (
        gzip.decompress(output.body)
        for output in outputs
        if output.url.endswith(".pf_fragment")
    )
    found = [json.loads(body.removeprefix(b"pagefind_dcd")) for body in bodies]
    return sorted(found, key=lambda fragment: fragment["url"])
