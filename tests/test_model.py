from __future__ import annotations

import pickle

from everyleaf.model import AgentCall, AgentLink, Envelope, ForkedFrom, Kind


def test_an_envelope_comes_back_from_another_process_as_it_was() -> None:
    envelope = Envelope(
        uuid="u2",
        parent_uuid="u1",
        kind=Kind.REPLY,
        line=2,
        offset=100,
        size_bytes=50,
        tool_use_ids=("t1",),
        forked_from=ForkedFrom("s", "u0"),
        links=(AgentLink("t1", "a1"),),
        asked=(AgentCall("t1", 7),),
    )

    again = pickle.loads(pickle.dumps(envelope))  # noqa: S301  (our own bytes)

    assert again == envelope
    assert again.kind is Kind.REPLY
    assert hash(again) == hash(envelope)
