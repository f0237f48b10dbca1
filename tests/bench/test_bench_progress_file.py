"""The file of progress records is what it says it is, and the same each time."""

from __future__ import annotations

import json
from collections import Counter

from bench.progress_file import lines, write_archive


def test_nearly_all_of_it_is_progress():
    sizes = Counter[str]()
    for line in lines(2_000_000):
        sizes[json.loads(line)["type"]] += len(line)

    assert sizes.total() >= 2_000_000
    assert sizes["progress"] > 0.98 * sizes.total()


def test_no_two_records_or_messages_have_one_uuid():
    records = [json.loads(line) for line in lines(2_000_000)]
    told = [
        record["data"]["message"]
        for record in records
        if "message" in record.get("data", {})
    ]

    uuids = [one["uuid"] for one in (*records, *told)]

    assert len(told) > 50
    assert len(set(uuids)) == len(uuids)


def test_the_file_is_as_large_as_asked(tmp_path):
    source = write_archive(tmp_path, 1_500_000)

    (file,) = source.rglob("*.jsonl")
    assert 1_500_000 <= file.stat().st_size < 2_500_000
