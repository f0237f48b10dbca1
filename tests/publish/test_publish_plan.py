"""The plan: what a build writes, keeps and deletes, without a disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, strategies as st

from everyleaf.publish.manifest import Listed, Manifest
from everyleaf.publish.site import Plan, plan_writes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

URLS = st.sampled_from(["a", "b", "c", "d/e", "d/f", "assets/x"])
LISTED = st.builds(
    Listed,
    st.sampled_from(["1", "2", "3"]),
    st.sets(st.sampled_from(["here", "gone"]), max_size=2).map(lambda s: tuple(sorted(s))),
)
FILES = st.dictionaries(URLS, LISTED, max_size=6)
DISK = st.dictionaries(URLS, st.sampled_from(["1", "2", "3", ""]), max_size=6)


def plan(
    wanted: Mapping[str, Listed],
    *,
    before: Mapping[str, Listed] | None = None,
    on_disk: Mapping[str, str] | None = None,
    vanished: Collection[str] = (),
) -> Plan:
    files = before or {}
    return plan_writes(
        wanted,
        before=Manifest(files),
        on_disk=(
            {url: listed.digest for url, listed in files.items()}
            if on_disk is None
            else on_disk
        ),
        is_vanished=lambda session: session in vanished,
    )


def test_a_first_build_writes_everything():
    made = plan({"b": Listed("1"), "a": Listed("2", ("s",))})

    assert made.write == ("a", "b")
    assert made.manifest.files == {"b": Listed("1"), "a": Listed("2", ("s",))}


def test_an_unchanged_file_is_kept():
    files = {"a": Listed("1"), "b": Listed("2")}

    made = plan(files | {"b": Listed("3")}, before=files)

    assert (made.write, made.keep, made.delete) == (("b",), ("a",), ())


def test_a_file_that_someone_deleted_is_written_again():
    made = plan({"a": Listed("1")}, before={"a": Listed("1")}, on_disk={})

    assert made.write == ("a",)


def test_a_page_that_no_session_accounts_for_is_deleted():
    made = plan({}, before={"a": Listed("1", ("here",)), "b": Listed("2")})

    assert made.delete == ("a", "b")
    assert made.manifest.files == {}


def test_a_page_of_a_vanished_session_stays():
    made = plan({}, before={"a": Listed("1", ("gone",))}, vanished={"gone"})

    assert (made.keep, made.delete) == (("a",), ())
    assert made.manifest.files == {"a": Listed("1", ("gone",))}


def test_assets_stay_with_the_pages_that_still_link_to_them():
    before = {"a": Listed("1", ("gone",)), "assets/old.css": Listed("2")}

    made = plan({"assets/new.css": Listed("3")}, before=before, vanished={"gone"})

    assert made.keep == ("a", "assets/old.css")


def test_assets_go_where_no_older_page_stays():
    made = plan({}, before={"assets/old.css": Listed("2")}, vanished={"gone"})

    assert made.delete == ("assets/old.css",)


def test_a_blob_stays_the_vanished_sessions_while_another_one_shows_it():
    before = {"blobs/x.png": Listed("1", ("gone", "here"))}

    made = plan({"blobs/x.png": Listed("1", ("here",))}, before=before, vanished={"gone"})

    assert made.manifest.files["blobs/x.png"].sessions == ("gone", "here")


def test_a_blob_that_only_a_vanished_session_still_shows_is_its_own():
    before = {"blobs/x.png": Listed("1", ("gone", "here"))}

    made = plan({}, before=before, vanished={"gone"})

    assert made.manifest.files == {"blobs/x.png": Listed("1", ("gone",))}


def test_changes_by_hand_are_overwritten_and_named():
    before = {"a": Listed("1"), "b": Listed("1"), "c": Listed("")}

    made = plan(
        {"a": Listed("1"), "c": Listed("3")},
        before=before,
        on_disk={"a": "9", "b": "9", "c": "9"},
    )

    assert (made.write, made.delete) == (("a", "c"), ("b",))
    assert made.edited == ("a", "b")


def test_a_file_that_is_not_ours_is_a_stranger_unless_it_is_the_same():
    made = plan(
        {"a": Listed("1"), "b": Listed("2")}, before={}, on_disk={"a": "9", "b": "2"}
    )

    assert made.strangers == ("a",)
    assert made.keep == ("b",)


def test_a_file_renamed_in_case_only_is_cleared_first():
    before = {"Parser": Listed("1", ("gone",))}

    made = plan({"parser": Listed("1")}, before=before, vanished={"gone"})

    assert made.delete == ("Parser",)
    assert made.clear == {"Parser"}


@given(FILES, FILES, DISK)
def test_after_a_build_the_folder_holds_what_the_manifest_lists(wanted, before, on_disk):
    made = plan(wanted, before=before, on_disk=on_disk, vanished={"gone"})

    after = on_disk | {url: wanted[url].digest for url in made.write}
    for url in made.delete:
        del after[url]
    assert wanted.keys() <= made.manifest.files.keys() <= after.keys()
    assert all(after[url] == wanted[url].digest for url in wanted)


@given(FILES, FILES, DISK)
def test_only_what_we_wrote_is_ever_deleted(wanted, before, on_disk):
    made = plan(wanted, before=before, on_disk=on_disk, vanished={"gone"})

    assert set(made.delete) <= before.keys() - wanted.keys()
    assert len({*made.write, *made.keep, *made.delete}) == sum(
        map(len, (made.write, made.keep, made.delete))
    )


@given(FILES, FILES, DISK)
def test_a_second_build_writes_and_deletes_nothing(wanted, before, on_disk):
    first = plan(wanted, before=before, on_disk=on_disk, vanished={"gone"})
    after = on_disk | {url: wanted[url].digest for url in first.write}

    second = plan(
        wanted,
        before=first.manifest.files,
        on_disk={url: after[url] for url in first.manifest.files},
        vanished={"gone"},
    )

    assert (second.write, second.delete) == ((), ())
    assert second.manifest == first.manifest
