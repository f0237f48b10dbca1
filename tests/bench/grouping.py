"""What grouping takes of the process that drives a build: keys of millions of records.

    uv run python tests/bench/grouping.py            27 million records, as in 100 GB

The keys are made, and no session is written. In one of ten files a session goes on from
another, so that they share a key; in one of a hundred it copies half of it.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from array import array

from everyleaf.records.index import Counts, FileFacts, group_files

RECORDS = 27_000_000
A_FILE = 675
"""Records of a session of 2.5 MB."""


def make_facts(records: int, seed: int = 7) -> dict[int, FileFacts]:
    """Return what is known of so many records in files of equal length."""
    choose = random.Random(seed)  # noqa: S311  (the same each time)
    facts: dict[int, FileFacts] = {}
    last: list[int] = []
    for number in range(records // A_FILE):
        keys = list(array("Q", choose.randbytes(8 * A_FILE)))
        if number % 100 == 99:
            keys[: A_FILE // 2] = last[: A_FILE // 2]
        elif number % 10 == 9:
            keys[0] = last[-1]
        counts = Counts(size_bytes=2_500_000)
        body = array("Q", sorted(set(keys))).tobytes()
        facts[number] = FileFacts("", "", (), (False, ""), counts, (), body)
        last = keys
    return facts


def main() -> None:
    """Print seconds, memory and groups."""
    records = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    facts = make_facts(records)
    begun = time.perf_counter()
    groups = group_files(facts)
    seconds = time.perf_counter() - begun
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(  # noqa: T201  (it is what it is for)
        f"{records:,} records in {len(facts):,} files: {len(groups):,} groups,"
        f" {seconds:.1f} s, {most:,.0f} MB at most"
    )


if __name__ == "__main__":
    main()
