"""Files of a site that nobody touched are not read again; all others are."""

from __future__ import annotations

import os
import time

import pytest

from everyleaf.digest import RACY_NS, digest_hex
from everyleaf.publish.disk import SiteFiles


@pytest.fixture
def earlier(tmp_path):
    """A site of one file, and what a build knew of it when it ended."""
    (tmp_path / "t").mkdir()
    (tmp_path / "t/a.html").write_bytes(b"first")
    time.sleep(2 * RACY_NS / 1e9)
    files = SiteFiles(tmp_path)
    files.digest("t/a.html")
    return files.seen(["t/a.html"])


def test_a_file_that_is_as_it_was_is_not_read(tmp_path, earlier):
    files = SiteFiles(tmp_path, earlier)

    assert files.digest("t/a.html") == digest_hex(b"first")
    assert files.bytes_read == 0


def test_a_file_that_was_only_touched_is_read_and_the_same(tmp_path, earlier):
    os.utime(tmp_path / "t/a.html", (1, 1))

    files = SiteFiles(tmp_path, earlier)

    assert files.digest("t/a.html") == digest_hex(b"first")
    assert files.bytes_read == 5


def test_a_file_of_the_same_size_and_times_with_other_bytes_is_told_apart(
    tmp_path, earlier
):
    file = tmp_path / "t/a.html"
    before = file.stat()
    file.write_bytes(b"other")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert SiteFiles(tmp_path, earlier).digest("t/a.html") == digest_hex(b"other")


def test_a_file_that_has_gone_is_told(tmp_path, earlier):
    (tmp_path / "t/a.html").unlink()

    assert SiteFiles(tmp_path, earlier).digest("t/a.html") is None


def test_a_look_finds_what_is_as_it_was_and_what_is_not(tmp_path, earlier):
    digests = {"t/a.html": digest_hex(b"first")}
    same, other = SiteFiles(tmp_path, earlier), SiteFiles(tmp_path, earlier)

    assert same.look()
    assert same.digests(digests) == digests
    assert same.bytes_read == 0
    (tmp_path / "t/a.html").write_bytes(b"other")
    assert not other.look()
    assert other.digests(digests) != digests


def test_a_file_that_changed_a_moment_ago_is_read_next_time(tmp_path):
    (tmp_path / "a.html").write_bytes(b"first")
    files = SiteFiles(tmp_path)
    files.note("a.html", digest_hex(b"first"))
    seen = files.seen(["a.html", "never-looked-at"])

    later = SiteFiles(tmp_path, seen)
    later.digest("a.html")

    assert list(seen) == ["a.html"]
    assert later.bytes_read == 5


def test_what_was_written_long_before_the_end_need_not_be_read_next_time(tmp_path):
    (tmp_path / "a.html").write_bytes(b"first")
    files = SiteFiles(tmp_path)
    files.note("a.html", digest_hex(b"first"))
    time.sleep(2 * RACY_NS / 1e9)
    seen = files.seen(["a.html"])

    later = SiteFiles(tmp_path, seen)
    later.digest("a.html")

    assert later.bytes_read == 0
