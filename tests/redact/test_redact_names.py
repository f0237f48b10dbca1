"""Names of files, sessions and agents are masked as each would be alone."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from everyleaf.model import AgentMeta
from everyleaf.redact.gather import digest_text
from everyleaf.redact.masking import Mask, Masked, Spot
from everyleaf.redact.redaction import Redaction
from everyleaf.sources.files import Found, Role, SourceFile

KEY = "q7Rz" + "2mXv9LbT4kWd8Ns"
"""Random, and of no provider."""
WEAK = "open with wordsalone"
MASK = Mask(
    others=(Masked(KEY, "[redacted: secret]"),), has_places=True, users=("adalove",)
)
SPOT = Spot(digest_text(WEAK), 10, 20, "[redacted: password 1]", "wordsalone")


def name_files(told):
    """Return 450 files of as many sessions, with what is `told` of the last but one."""
    files = [
        SourceFile(
            "-p", f"s{n}/agent-a{n}.jsonl", "", f"s{n}", Role.AGENT, 9, "", agent_id=f"a{n}"
        )
        for n in range(450)
    ]
    files[-2] = replace(files[-2], meta=AgentMeta(description=told))
    return Found(tuple(files), (), ())


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("look into /srv/adalove", "look into /srv/user"),
        ("look into /srv/adalove\n", "look into /srv/user\n"),
        ("/home/adalove/x and /home/grace/y", "~/x and ~/y"),
        ("look into /home/adalove", "look into ~"),
        (f"with {KEY}", "with [redacted: secret]"),
        (f"with {KEY[:9]}\u200b{KEY[9:]}", "with [redacted: secret]"),
        (WEAK, "open with [redacted: password 1]"),
        ("look into /srv/adalover", "look into /srv/adalover"),
        ("nothing", "nothing"),
    ],
)
def test_a_name_among_many_is_masked_as_it_is_alone(told, shown):
    found = name_files(told)
    masks = {"s448": replace(MASK, spots=(SPOT,)) if told == WEAK else MASK}
    redaction = Redaction(masks, MASK, is_on=True)

    named = redaction.masked_files(found)

    meta = AgentMeta(description=shown)
    wanted = [replace(f, meta=meta) if f.session == "s448" else f for f in found.files]
    assert list(named.files) == wanted
