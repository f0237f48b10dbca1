from __future__ import annotations

from hypothesis import given, strategies as st

from everyleaf.sources.projects import address_of, project_names, slug


def test_name_is_the_last_part_of_the_folder_that_sessions_ran_in():
    names = project_names([("-home-ann-dev-parser", ["/home/ann/dev/parser"])])

    assert names == {"-home-ann-dev-parser": "parser"}


def test_worktree_is_named_with_its_repository():
    cwds = {
        "-a-cli--worktrees-1": "/a/cli/.worktrees/1",
        "-a-cli--claude-worktrees-tidy": "/a/cli/.claude/worktrees/tidy",
        "-a-cli--worktrees-ada-tidy": "/a/cli/.worktrees/ada/tidy",
        "-a-worktrees": "/a/worktrees",
        "-worktrees-x": "/worktrees/x",
    }

    names = project_names([(folder, [cwd]) for folder, cwd in cwds.items()])

    assert [names[folder] for folder in cwds] == [
        "cli/1",
        "cli/tidy",
        "cli/ada/tidy",
        "worktrees",
        "x",
    ]


def test_windows_folders_are_named_alike():
    names = project_names([("C--work-parser", ["C:\\work\\parser"])])

    assert names == {"C--work-parser": "parser"}


def test_two_projects_of_one_name_get_their_parents_in_front():
    names = project_names([("-a-dev-x", ["/a/dev/x"]), ("-a-old-x", ["/a/old/x"])])

    assert names == {"-a-dev-x": "dev-x", "-a-old-x": "old-x"}


def test_names_that_differ_only_in_case_or_after_reduction_are_told_apart():
    names = project_names(
        [("-a-X", ["/a/X"]), ("-b-x", ["/b/x"]), ("-c-é", ["/c/é"]), ("-d-è", ["/d/è"])]
    )

    assert names["-a-X"] == "a-X"
    assert names["-b-x"] == "b-x"
    assert {names["-c-é"], names["-d-è"]} == {"c-é", "d-è"}


def test_the_owner_of_a_home_folder_is_never_named():
    names = project_names(
        [
            ("-home-ann", ["/home/ann"]),
            ("-Users-bob", ["/Users/bob"]),
            ("-home-ann-x", ["/home/ann/x"]),
            ("-Users-bob-x", ["/Users/bob/x"]),
            ("C--Users-eve", ["C:\\Users\\eve"]),
            ("-root", ["/root"]),
        ]
    )

    assert not any(
        owner in name for name in names.values() for owner in ("ann", "bob", "eve")
    )
    assert names["-home-ann"] == names["-root"] == "home"


def test_folder_that_fits_the_cwd_wins_over_one_that_is_commoner():
    sessions = [
        ("-w-app", ["/w/app/sub"]),
        ("-w-app", ["/w/other", "/w/app"]),
        ("-w-app", ["/w/other"]),
    ]

    assert project_names(sessions) == {"-w-app": "app"}


def test_project_is_found_above_the_subfolder_that_sessions_ran_in():
    assert project_names([("-w-app", ["/w/app/src/deep"])]) == {"-w-app": "app"}


def test_a_folder_that_was_cut_still_fits_its_cwd():
    cwd = "/w/" + "long" * 60

    names = project_names([(slug(cwd)[:200] + "-1x2y3z", ["/elsewhere", cwd])])

    assert list(names.values()) == ["long" * 60]


def test_commonest_first_cwd_names_a_folder_that_nothing_fits():
    sessions = [("custom", ["/w/a", "/w/b"]), ("custom", ["/w/b"]), ("custom", ["/w/b"])]

    assert project_names(sessions) == {"custom": "b"}


def test_folders_without_a_cwd_get_names_of_their_own():
    names = project_names([("-home-ann-one", []), ("-home-ann-two", [])])

    assert names == {
        "-home-ann-one": "unknown-project",
        "-home-ann-two": "unknown-project-2",
    }


def test_the_root_of_the_disk_has_a_name():
    assert project_names([("-", ["/"])]) == {"-": "root"}


def test_folders_that_ran_in_the_same_place_share_a_name():
    assert project_names([("one", ["/w/a"]), ("two", ["/w/a"])]) == {"one": "a", "two": "a"}


def test_names_that_parents_cannot_tell_apart_get_numbers():
    names = project_names([("one", ["/a-b/c"]), ("two", ["/a/b-c"]), ("three", ["/b/c"])])

    assert len({address_of(name).casefold() for name in names.values()}) == 3


def test_slug_counts_utf_16_units():
    assert slug("/a/\N{GRINNING FACE}") == "-a---"


_cwds = st.lists(st.text(alphabet="/\\aAé.:-x", max_size=12), max_size=3)


@given(st.lists(st.tuples(st.sampled_from("abcd"), _cwds), max_size=8), st.randoms())
def test_order_of_sessions_changes_nothing_and_every_folder_has_a_name(sessions, random):
    names = project_names(sessions)
    random.shuffle(sessions)

    assert all(names.values())
    assert names == project_names(sessions)
