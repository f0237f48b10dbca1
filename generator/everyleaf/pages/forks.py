"""Where paths of a session group part, for pages that leave out or compare."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, takewhile

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.compare.files import SEARCHED_RECORDS
from everyleaf.compare.split import Attempt, ForkSplit, conversation_ids, part_ways
from everyleaf.config import SharedPrefix
from everyleaf.graph.forest import Branch, ConversationPath, PathRef, Status, Turn
from everyleaf.pages import work as works
from everyleaf.pages.addresses import compare_url, relative
from everyleaf.render.view import NavLink
from everyleaf.sources.projects import short_session
from everyleaf.theming.formats import visible

MAX_COPIES = 8
"""Diverged copies that a path is compared with: of hundreds, no one reads all pairs."""
Pair = tuple[PathRef, PathRef]
"""Two paths that have a page together, the lower one first."""
SHARED_BUDGET = 5_000
"""Messages that the pages of a session's abandoned paths may repeat, all together."""
COMPARED_BUDGET = 50_000
"""Messages after their forks that the compare pages of a group look at, all together."""
REACH = 200
"""Messages of each side that a page looks at where all would be more than the budget."""
MOST_WAYS = 20
"""Ways on from a fork that a page lists: with thousands on each, a site would be of GB."""
KNOWN_LINES = 2
"""Paths that are remembered turn by turn: that which took over stays for many pages."""


def opponents(
    paths: Mapping[PathRef, ConversationPath],
) -> Mapping[PathRef, tuple[PathRef, ...]]:
    """Return, for each of the kept `paths` of a group, those it is compared with, sorted.

    An ABANDONED path stands against the one that took over, and a path against the copies
    of it that went on in other sessions.
    """
    found: dict[PathRef, set[PathRef]] = {}
    for ref, path in paths.items():
        others = [diverged.path for diverged in path.diverged[:MAX_COPIES]]
        if path.status is Status.ABANDONED and path.taken_over_by is not None:
            others.append(path.taken_over_by)
        for other in others:
            if other in paths and other != ref:
                found.setdefault(ref, set()).add(other)
                found.setdefault(other, set()).add(ref)
    return {ref: tuple(sorted(others)) for ref, others in sorted(found.items())}


def compared_turns(
    work: works.FamilyWork, compared: Mapping[PathRef, Sequence[PathRef]]
) -> Collection[works.TurnKey]:
    """Return the turns of the paths of a group that are `compared`. Linear."""
    paths = [path for ref, path in work.paths().items() if ref in compared]
    return works.first_paths(work.tree, paths)


def iter_pairs(compared: Mapping[PathRef, Sequence[PathRef]]) -> Iterator[Pair]:
    """Yield each pair of `compared` once, in order."""
    for ref, others in compared.items():
        yield from ((ref, other) for other in others if ref < other)


def compare_links(
    ref: PathRef, others: Sequence[PathRef], here: str, taken: PathRef | None
) -> Iterator[NavLink]:
    """Yield links from the page `here` of a path to its comparisons with `others`.

    One of them may be the path that was `taken` in its place.
    """
    for other in others:
        words = "the taken path" if other == taken else f"path {other.number}"
        if other.session != ref.session:
            words = f"session {visible(short_session(other.session))}, {words}"
        yield NavLink(f"Compare with {words}", relative(here, compare_url(ref, other)))


def near_ways(branches: Sequence[Branch], followed: works.TurnKey | None) -> list[Branch]:
    """Return the ways on that a page lists: of many, those near its own and ACTIVE ones."""
    turns = [branch.turn for branch in branches]
    at = turns.index(followed) if followed in turns else 0
    first = max(min(at - MOST_WAYS // 2, len(branches) - MOST_WAYS), 0)
    near = range(first, first + MOST_WAYS)
    return [
        branch
        for number, branch in enumerate(branches)
        if number in near or branch.status is Status.ACTIVE
    ]


class Prefix(Struct, frozen=True):
    """What a page leaves out: the beginning of its path, which stands on another page."""

    host: PathRef
    """The path whose page shows its end."""
    above: works.TurnKey
    """The last turn that is left out."""
    messages: int
    """Conversation records up to and with that turn."""


class Linked(Struct, frozen=True):
    """What the pages of a session group leave out."""

    prefixes: dict[PathRef, Prefix] = {}
    """By path; one that is not in here has a whole page."""
    homes: dict[str, dict[works.TurnKey, PathRef]] = {}
    """By session, the path that shows each turn, where paths link to each other."""

    def page_of(self, ref: PathRef, key: works.TurnKey) -> PathRef:
        """Return the path on whose page a turn of `ref` is found."""
        if ref not in self.prefixes:
            return ref
        return self.homes.get(ref.session, {}).get(key, ref)


def find_linked(work: works.FamilyWork, mode: SharedPrefix) -> Linked:
    """Return which paths of a group have pages that begin later than they do.

    Only abandoned paths leave something out. A withdrawn prompt links to the path that took
    over, which is ACTIVE and whole. Where all paths of a session link, each shows what no
    page before it does (ACTIVE first, then by number): of many attempts that went far
    together before they were all given up, one page tells the common part, too.
    """
    linked = Linked()
    if mode is SharedPrefix.FULL:
        return linked
    for session in work.sessions:
        homes, prefixes, repeated = _find_prefixes(work.tree, session)
        if mode is SharedPrefix.LINK or repeated > SHARED_BUDGET:
            linked.prefixes.update(prefixes)
            linked.homes[session.session] = homes
        else:
            for path in (path for path in session.paths if path.is_withdrawn):
                if prefix := _shared_with_successor(work.tree, path):
                    linked.prefixes[path.ref] = prefix
    return linked


def _find_prefixes(
    tree: works.TurnTree, session: works.SessionWork
) -> tuple[dict[works.TurnKey, PathRef], dict[PathRef, Prefix], int]:
    """Return what paths of a session have that none before them has, and what they lack.

    That is the path of each turn, and what each path leaves out; and how many messages
    abandoned paths would repeat. Follows every path up to a turn that is known: linear in
    the turns.
    """
    homes: dict[works.TurnKey, PathRef] = {}
    messages: dict[works.TurnKey, int] = {}
    prefixes: dict[PathRef, Prefix] = {}
    repeated = 0
    for path in sorted(session.paths, key=works.rank):
        ref, leaf = path.ref, tree.leaves[path.ref]
        own = list(works.climb(tree, leaf, homes))[::-1]
        above = tree.parents[own[0]] if own else leaf
        prefix: Prefix | None
        if above is not None:
            prefix = Prefix(homes[above], above, messages[above])
        else:
            prefix = _shared_with_successor(tree, path)
            # What it shares with another session stands there.
            own = own[own.index(prefix.above) + 1 :] if prefix else own
        if prefix is not None and path.status is Status.ABANDONED:
            prefixes[ref] = prefix
            left_out_anyway = path.shared if path.is_withdrawn else 0
            repeated += prefix.messages - left_out_anyway
        count = prefix.messages if prefix else 0
        for key in own:
            count += _messages(tree.turns[key])
            homes[key], messages[key] = ref, count
    return homes, prefixes, repeated


def _shared_with_successor(tree: works.TurnTree, path: ConversationPath) -> Prefix | None:
    """Return what a path shares with the one that took over; None: nothing."""
    if path.fork_point is None or path.taken_over_by is None:
        return None
    above, _ = works.own_turns(tree, path)
    return Prefix(path.taken_over_by, above, path.shared) if above else None


class _Line(Struct, frozen=True):
    """A path, turn by turn."""

    keys: Sequence[works.TurnKey]
    places: Mapping[works.TurnKey, int]
    messages: Sequence[int]
    """Conversation records up to and with each turn."""


def find_reach(
    paths: Mapping[PathRef, ConversationPath], pairs: Iterable[Pair]
) -> int | None:
    """Return how many messages of each side a page looks at; None: all of them."""
    looked_at = sum(_own_messages(paths[one], paths[other]) for one, other in pairs)
    return REACH if looked_at > COMPARED_BUDGET else None


def _own_messages(one: ConversationPath, other: ConversationPath) -> int:
    """Return about how many messages after the fork the two have, together."""
    if one.is_withdrawn or other.is_withdrawn:
        return 0  # Of these, the prompts alone are compared.
    left = (path for path in (one, other) if path.status is Status.ABANDONED)
    shared = next((path.shared for path in left if path.taken_over_by is not None), 0)
    if not shared:
        copies = (each.shared for each in one.diverged if each.path == other.ref)
        shared = next(copies, 0)
    return max(one.messages + other.messages - 2 * shared, 0)


class ForkSplits:
    """Cuts the paths of a tree where they part."""

    def __init__(
        self,
        tree: works.TurnTree,
        compared: Mapping[PathRef, Sequence[PathRef]],
        reach: int | None,
    ) -> None:
        """Take the turns of the paths, and all that each is `compared` with.

        Of each side, `reach` messages are looked at (None: all), and what their last turn
        has beyond that.
        """
        self._tree = tree
        self._compared = compared
        self._reach = reach
        self._line = lru_cache(KNOWN_LINES)(self._follow)

    def split(self, left: PathRef, right: PathRef) -> ForkSplit:
        """Return two paths, cut after the last turn that both have.

        Cost: that of the turns that one of them has alone, and of those that are handed
        on; a path of which it does not know the turns yet is followed once.
        """
        # The one with more opponents is asked for again.
        is_left_known = len(self._compared[left]) > len(self._compared[right])
        known, other = (left, right) if is_left_known else (right, left)
        line = self._line(known)
        leaf = self._tree.leaves[other]
        own = list(works.climb(self._tree, leaf, line.places))[::-1]
        above = self._tree.parents[own[0]] if own else leaf
        if above is None:
            whole = part_ways(self._turns(line.keys), self._turns(own))
            here, there = map(self._cut_side, (whole.left, whole.right))
            split = replace(whole, left=here, right=there)
        else:
            split = self._below(line, line.places[above] + 1, own)
        if is_left_known:
            return split
        return replace(split, left=split.right, right=split.left)

    def _below(self, line: _Line, at: int, own: Sequence[works.TurnKey]) -> ForkSplit:
        """Return what `line` has from `at` on, and what stands below the turn before."""
        before = self._turns(self._last(line.keys, at))
        rest = part_ways(self._first(line.keys, at), self._first(own, 0))
        # Copies of a turn beside each other count as shared, as they do everywhere.
        twins = len(rest.left.shared)
        here, there = rest.left.own, rest.right.own
        ahead = line.messages[-1] - line.messages[at + twins - 1]
        length = sum(_messages(self._tree.turns[key]) for key in own[twins:])
        return ForkSplit(
            Attempt((*before, *rest.left.shared), here, ahead - _spoken(here)),
            Attempt((*before, *rest.right.shared), there, length - _spoken(there)),
            line.messages[at - 1] + rest.messages,
            rest.split,
        )

    def _cut_side(self, side: Attempt) -> Attempt:
        if self._reach is None:
            return side
        own = tuple(_begin(side.own, self._reach))
        return Attempt(side.shared, own, _spoken(side.own[len(own) :]))

    def _first(self, keys: Sequence[works.TurnKey], at: int) -> list[Turn]:
        """Return the turns of as many of `keys` from `at` on as are looked at."""
        ahead = (self._tree.turns[keys[place]] for place in range(at, len(keys)))
        return list(ahead if self._reach is None else _begin(ahead, self._reach))

    def _last(self, keys: Sequence[works.TurnKey], end: int) -> list[works.TurnKey]:
        """Return the first of `keys`, and those before `end` that hold enough records."""
        back = (_messages(self._tree.turns[keys[at]]) for at in range(end - 1, -1, -1))
        wanted = SEARCHED_RECORDS if self._reach is None else self._reach
        count = sum(1 for _ in takewhile(lambda total: total < wanted, accumulate(back)))
        start = max(end - count - 1, 0)
        return [*keys[: min(start, 1)], *keys[start:end]]

    def _follow(self, ref: PathRef) -> _Line:
        keys = self._tree.chain(self._tree.leaves[ref])
        counts = (_messages(self._tree.turns[key]) for key in keys)
        places = {key: at for at, key in enumerate(keys)}
        return _Line(keys, places, list(accumulate(counts)))

    def _turns(self, keys: Iterable[works.TurnKey]) -> list[Turn]:
        return [self._tree.turns[key] for key in keys]


def _begin(turns: Iterable[Turn], reach: int) -> Iterator[Turn]:
    spoken = 0
    for turn in turns:
        if spoken >= reach:
            return
        yield turn
        spoken += _messages(turn)


def _messages(turn: Turn) -> int:
    return len(conversation_ids(turn))


def _spoken(turns: Iterable[Turn]) -> int:
    return sum(map(_messages, turns))
