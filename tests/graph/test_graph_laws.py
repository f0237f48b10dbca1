"""What holds for every archive of plain parents, forks and copies."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings, strategies as st
from msgspec.structs import replace

from everyleaf.graph.describe import describe
from everyleaf.graph.forest import Status
from everyleaf.graph.solve import solve
from everyleaf.graph.views import Views
from everyleaf.model import CONVERSATION, Kind
from graph.archives import archives
from graph.naive import naive_answer

law = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""On a busy machine drawing takes as long as solving."""


def _ids(forest, leaf):
    up = list(forest.units.up(leaf))
    return [name for unit_id in reversed(up) for name in forest.units.ids(unit_id)]


def _answer(forest):
    return {
        frozenset(_ids(forest, leaf)): forest.verdicts[leaf].is_active
        for leaf in forest.kept
    }


def _listing(forest):
    return [
        (forest.refs[leaf], forest.verdicts[leaf], _ids(forest, leaf))
        for leaf in forest.kept
    ]


@law
@given(archives())
def test_kept_paths_and_their_status_are_those_of_the_naive_enumeration(files):
    expected = naive_answer(files)

    forest = solve(files)

    assert _answer(forest) == expected.is_active


@law
@given(archives())
def test_merged_copies_are_those_of_the_naive_enumeration(files):
    expected = naive_answer(files)

    forest = solve(files)

    merged = forest.merged & set(forest.kept)
    assert {frozenset(_ids(forest, leaf)) for leaf in merged} == expected.merged


@law
@given(archives())
def test_strict_mode_agrees_with_the_naive_enumeration(files):
    expected = naive_answer(files, strict=True)

    forest = solve(files, is_strict=True)

    assert _answer(forest) == expected.is_active


@law
@given(archives(), st.booleans())
def test_no_kept_path_is_kept_twice(files, is_strict):
    forest = solve(files, is_strict=is_strict)

    sets = [frozenset(_ids(forest, leaf)) for leaf in forest.kept]
    assert len(set(sets)) == len(sets)


@law
@given(archives())
def test_only_merged_copies_hold_all_of_another_kept_path(files):
    forest = solve(files)

    sets = {leaf: frozenset(_ids(forest, leaf)) for leaf in forest.kept}
    swallowed = [holder for one in sets for holder in sets if sets[one] < sets[holder]]
    assert set(swallowed) <= forest.merged


@law
@given(archives())
def test_each_conversation_record_is_on_a_kept_path(files):
    forest = solve(files)

    on_paths = {name for leaf in forest.kept for name in _ids(forest, leaf)}
    assert forest.unplaced == ()
    for tree in forest.trees:
        assert {
            name
            for name, kind in zip(tree.canonical, tree.kinds, strict=True)
            if kind in CONVERSATION
        } <= on_paths


@law
@given(archives())
def test_each_turn_hangs_from_the_turn_of_its_parent_or_of_a_note_there(files):
    forest = solve(files)

    for tree in forest.trees:
        for unit, edge in enumerate(tree.units.edges):
            parent = tree.parents[edge]
            above = tree.units.parents[unit]
            if parent < 0:
                assert above == -1
            elif above != tree.units.of[parent]:
                assert tree.records[edge].is_synthetic


@law
@given(archives())
def test_records_stand_in_file_order_in_their_turn_and_each_once(files):
    forest = solve(files)

    for tree in forest.trees:
        members = [at for unit in tree.units.members for at in unit]
        assert sorted(members) == list(range(len(tree.records)))
        assert all(unit == sorted(unit) for unit in tree.units.members)


@law
@given(archives(), st.randoms(use_true_random=False))
def test_the_order_of_the_files_changes_nothing(files, random):
    expected = _listing(solve(files))
    random.shuffle(files)

    assert _listing(solve(files)) == expected


@law
@given(archives(sessions=1, size=14), st.integers(1, 14))
def test_numbers_stay_when_records_are_appended(files, length):
    # An echo that gets its reply late becomes a prompt, and a branch, where it stands.
    records = tuple(
        replace(record, kind=Kind.NOTE) if record.kind is Kind.ECHO else record
        for record in files[0].records
    )
    before = solve([replace(files[0], records=records[:length])])
    after = solve([replace(files[0], records=records)])

    later = {ref: set(_ids(after, leaf)) for leaf, ref in after.refs.items()}

    for leaf, ref in before.refs.items():
        assert set(_ids(before, leaf)) <= later[ref]


@law
@given(archives())
def test_each_abandoned_path_names_a_kept_one_that_took_over(files):
    described = describe(solve(files)).paths

    for path in described.values():
        if path.status is Status.ACTIVE:
            assert path.taken_over_by is None
        else:
            assert path.taken_over_by in described
            assert path.taken_over_by != path.ref


@law
@given(archives())
def test_facts_of_a_path_count_what_is_on_it(files):
    forest = solve(files)
    described = describe(forest).paths

    for leaf, path in zip(forest.kept, described.values(), strict=True):
        assert path.messages == len(_ids(forest, leaf))
        assert path.shared < path.messages
        assert path.prompts <= path.messages
        assert (path.fork_point is None) == (path.shared == 0)
        assert all(found.messages <= path.messages for found in path.contains)
        assert all(found.shared <= path.messages for found in path.diverged)


@law
@given(archives())
def test_divergence_is_told_on_both_sides_and_never_of_the_own_session(files):
    described = describe(solve(files)).paths

    for path in described.values():
        assert all(found.path.session != path.session for found in path.diverged)
        assert all(found.path in described for found in path.diverged)


@law
@given(archives())
def test_each_fork_leads_to_kept_paths_that_are_all_different(files):
    forest = solve(files)
    kept = {forest.refs[leaf] for leaf in forest.kept}

    for branches in forest.forks.branches.values():
        ways = [branch.path for branch in branches]
        assert len(ways) > 1
        assert len(set(ways)) == len(ways)
        assert set(ways) <= kept


@law
@given(archives())
def test_turns_can_be_viewed_and_hold_each_record_once_a_session(files):
    forest = solve(files)
    views = Views(forest.units, forest.copies)

    turns = [views.turn(unit_id) for unit_id in range(len(forest.units.parents))]

    seen = [(turn.session, r.envelope.uuid) for turn in turns for r in turn.records]
    assert len(set(seen)) == len(seen)
    assert len(seen) == sum(len(file.records) for file in files)
