"""The file with many forks has the forks that it is asked for, along one chain."""

from __future__ import annotations

import json
from collections import Counter

from bench.forked_file import lines, write_archive


def test_the_conversation_forks_as_often_as_asked():
    records = [json.loads(line) for line in lines(600, 12)]
    below = Counter(record["parentUuid"] for record in records)

    assert len(records) >= 600
    assert len({record["uuid"] for record in records}) == len(records)
    # One in three attempts that are given up was tried twice itself.
    assert sum(count > 1 for count in below.values()) == 12 + 4
    assert below[None] == 1


def test_the_same_arguments_give_the_same_file(tmp_path):
    first = write_archive(tmp_path / "a", records=120, forks=4)
    other = write_archive(tmp_path / "b", records=120, forks=4)

    files = [next(source.rglob("*.jsonl")).read_bytes() for source in (first, other)]
    assert files[0] == files[1]
