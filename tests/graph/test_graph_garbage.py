"""What holds for any records whatsoever: nothing raises, nothing is lost."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings, strategies as st

from everyleaf.graph.describe import describe
from everyleaf.graph.solve import solve
from everyleaf.graph.views import Views
from graph.archives import garbage

law = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@law
@given(garbage(), st.booleans())
def test_every_conversation_record_is_placed(files, is_strict):
    forest = solve(files, is_strict=is_strict)

    assert forest.unplaced == ()


@law
@given(garbage(), st.booleans())
def test_paths_end_and_their_counts_agree(files, is_strict):
    forest = solve(files, is_strict=is_strict)
    described = describe(forest).paths

    for leaf, path in zip(forest.kept, described.values(), strict=True):
        ids = [
            name for unit_id in forest.units.up(leaf) for name in forest.units.ids(unit_id)
        ]
        assert path.messages == len(ids)
        assert path.shared <= path.messages
        assert path.leaf_uuid
        assert path.taken_over_by is None or path.taken_over_by in described


@law
@given(garbage(), st.booleans())
def test_numbers_are_unique_in_a_session(files, is_strict):
    forest = solve(files, is_strict=is_strict)

    assert len(set(forest.refs.values())) == len(forest.refs)


@law
@given(garbage(), st.booleans())
def test_every_turn_and_every_fork_can_be_shown(files, is_strict):
    forest = solve(files, is_strict=is_strict)
    views = Views(forest.units, forest.copies)
    kept = {forest.refs[leaf] for leaf in forest.kept}

    turns = [views.turn(unit_id) for unit_id in range(len(forest.units.parents))]
    agent_turns = [views.agent_turns(agent.tree) for agent in forest.agents]

    assert all(turn.records for turn in turns)
    assert all(agent_turns)
    for branches in forest.forks.branches.values():
        assert {branch.path for branch in branches} <= kept


@law
@given(garbage(), st.randoms(use_true_random=False))
def test_the_order_of_the_files_changes_nothing_in_garbage_either(files, random):
    expected = describe(solve(files)).paths
    random.shuffle(files)

    assert describe(solve(files)).paths == expected
