"""Turns that were drawn ahead of their pages, read from their files."""

import msgspec

from everyleaf.pages.fragments import (
    Chunk,
    ChunkFiles,
    ChunkTurn,
    FragmentText,
    TurnFragment,
)
from everyleaf.transcript.document import FileChange, Response, TurnFacts, Usage


def test_what_turns_say_alike_stands_in_memory_once(tmp_path):
    keys = [("session", number) for number in range(2)]
    files = [_write(tmp_path / str(key[1]), key) for key in keys]
    with ChunkFiles(files, keys) as chunks:
        one, other = (chunks.find(key, ()) for key in keys)
    assert one
    assert other
    assert [one.key, other.key] == keys
    assert one.key is keys[0]
    assert other.facts.files is one.facts.files
    assert other.facts.folder is one.facts.folder
    assert other.facts.responses[0].model is one.facts.responses[0].model


def _write(file, key):
    response = Response(f"m{key[1]}", "", "model", Usage())
    facts = TurnFacts((response,), files=(FileChange("a.py", 1, 2),), folder="/w")
    turn = TurnFragment(
        key=key,
        input_digest="",
        anchors={},
        numbered=(),
        facts=facts,
        outline=(),
        blobs=(),
        has_html=True,
        has_markdown=True,
    )
    file.write_bytes(
        msgspec.msgpack.encode(Chunk([ChunkTurn(turn, 0, 0, 0, 0, 0)], [()], {}))
    )
    return file, file


def test_the_sketch_of_a_turn_stays_on_disk_until_it_is_asked_for(tmp_path):
    key = ("s", 0)
    known, _ = _write(tmp_path / "known", key)
    chunk = msgspec.msgpack.decode(known.read_bytes(), type=Chunk)
    turn = ChunkTurn(chunk.turns[0].fragment, 0, 1, 4, 2, 6)
    known.write_bytes(msgspec.msgpack.encode(Chunk([turn], [()], {})))
    texts = tmp_path / "texts"
    texts.write_bytes(b"-htmlmdsketch-")

    with ChunkFiles([(known, texts)]) as ahead:
        fragment = ahead.find(key, ())

        assert fragment
        assert fragment.sketch is None
        assert ahead.whole(fragment).sketch == b"sketch"
        assert ahead.text(key) == FragmentText(b"html", b"md")
