"""Turns that were drawn ahead of their pages, read from their files."""

from uuid import UUID

import msgspec
from msgspec.structs import replace

from everyleaf.pages.fragments import (
    LENGTHS,
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
    chunks = ChunkFiles(files, keys)
    one, other = (chunks.find(key, ()) for key in keys)
    assert one
    assert other
    assert [one.key, other.key] == keys
    assert one.key is keys[0]
    assert other.facts.files is one.facts.files
    assert other.facts.folder is one.facts.folder
    assert other.facts.responses[0].model is one.facts.responses[0].model


def test_uuids_that_others_hold_stand_in_memory_once(tmp_path):
    uuid = str(UUID(int=1))
    files = _write(tmp_path / "known", ("s", 0), {str(UUID(int=1)): "9f"})
    chunks = ChunkFiles([files], [uuid])
    fragment = chunks.find(("s", 0), ())
    assert fragment
    assert fragment.anchors == {uuid: "9f"}
    assert next(iter(fragment.anchors)) is uuid


def _write(file, key, anchors=None):
    response = Response(f"m{key[1]}", "", "model", Usage())
    facts = TurnFacts((response,), files=(FileChange("a.py", 1, 2),), folder="/w")
    turn = TurnFragment(
        key=key,
        input_digest="",
        anchors=anchors or {},
        numbered=(),
        facts=facts,
        outline=(),
        blobs=(),
        has_html=True,
        has_markdown=True,
    )
    file.write_bytes(msgspec.msgpack.encode(Chunk([ChunkTurn(turn, 0, 0)], [()], {})))
    return file, file


def test_the_sketch_and_the_gist_of_a_turn_stay_on_disk_until_they_are_asked_for(tmp_path):
    key = ("s", 0)
    known, _ = _write(tmp_path / "known", key)
    chunk = msgspec.msgpack.decode(known.read_bytes(), type=Chunk)
    rest = msgspec.msgpack.encode((b"sketch", "It is done."))
    fragment = replace(chunk.turns[0].fragment, gist=None)
    turn = ChunkTurn(fragment, 0, 1)
    known.write_bytes(msgspec.msgpack.encode(Chunk([turn], [()], {})))
    texts = tmp_path / "texts"
    texts.write_bytes(b"-" + LENGTHS.pack(4, 2, len(rest)) + b"htmlmd" + rest + b"-")

    ahead = ChunkFiles([(known, texts)])
    found = ahead.find(key, ())

    assert found == fragment
    whole = ahead.whole(found)
    assert (whole.sketch, whole.gist) == (b"sketch", "It is done.")
    assert ahead.text(key) == FragmentText(b"html", b"md")
