from __future__ import annotations

from redact.keykinds import KINDS, make_keys


def test_there_are_at_least_sixty_kinds_each_with_its_own_name():
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 60


def test_no_key_is_the_same_in_two_runs():
    first, second = make_keys(1), make_keys(2)

    assert all(first[name][1] != second[name][1] for name in first)


def test_every_kind_names_whose_documentation_describes_it():
    assert all(kind.source and "{key}" in kind.around for kind in KINDS)
