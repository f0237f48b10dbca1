r"""The tree of a session: its runs in their places, what stands around a record, pictures.

In Mermaid, Graphviz and SVG, what was said goes into labels only, and there as characters:
`"`, `\`, `<` and their like are written in each language's own escapes, so that no words
end a label or become markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from msgspec import Struct

from everyleaf.errors import SourceError
from everyleaf.graph.forest import Branch, ConversationPath, PlacedRecord, Status, Turn
from everyleaf.model import Kind
from everyleaf.opening.named import Asked
from everyleaf.opening.reading import find_work
from everyleaf.pages.facts import RunFacts
from everyleaf.pages.summary import SessionRuns
from everyleaf.pages.treeview import MarkView, Placed, TreeView, draw_tree, place_runs
from everyleaf.pages.wording import shortened
from everyleaf.pages.work import AgentWork, SessionWork, TurnKey, TurnTree, rank
from everyleaf.transcript.words import counted

WORDS = 60
"""Characters of a label."""

_PLAIN = re.compile(r"[^\w .,:()·…-]")
_SVG = "http://www.w3.org/2000/svg"


class RunNode(Struct, frozen=True):
    """A chain of turns without a fork, in its place."""

    placed: Placed
    """Row, lane, and the row above it."""
    is_branch: bool
    """It begins a lane beside that of the run above it."""
    agents: tuple[AgentWork, ...]
    """Those that were started in it, in the order of the calls."""
    uuids: tuple[str, ...]
    """Its records, in reading order."""

    @property
    def run(self) -> RunFacts:
        """Return what it adds up to."""
        return self.placed.run


class SessionTree(Struct, frozen=True):
    """A session with its runs by row: ways that were left before what stayed."""

    session: SessionWork
    nodes: tuple[RunNode, ...]
    nested: tuple[AgentWork, ...]
    """Agents that other agents started."""
    loose: tuple[AgentWork, ...]
    """Agents whose call is nowhere."""
    uuid: str
    """The record that was asked for; empty: none was."""


class Neighbour(Struct, frozen=True):
    """A conversation record near the one that was asked for."""

    placed: PlacedRecord
    is_asked: bool
    branches: tuple[Branch, ...]
    """Ways on after its turn, where it is the last record of one that ends in a fork."""
    followed: TurnKey | None
    """The next turn on this path."""


class Neighbourhood(Struct, frozen=True):
    """Records of one path, with the one that was asked for among them."""

    path: ConversationPath | None
    """None: the record is an agent's."""
    agent_id: str
    """Empty: it is not an agent's."""
    place: int
    """Index of the first of `records` among the conversation records of the path."""
    of: int
    """How many conversation records the path has."""
    records: tuple[Neighbour, ...]


def grow_session_tree(asked: Asked) -> SessionTree:
    """Return the tree of the session that was asked for. Linear in its records.

    Raises:
        SourceError: it holds no conversation of its own.
    """
    work, session = find_work(asked.archive, asked.session)
    if not session.paths:
        asked.path()  # It says so where subagents alone are left.
        raise SourceError(
            f"session {session.session!r} has no path of its own",
            hint="`everyleaf check` says what is odd about it",
        )
    runs = SessionRuns(session, work.tree)
    turns = {run.number: [work.tree.turns[key] for key in run.keys] for run in runs.runs}
    started = {agent.tool_use_id: agent for agent in session.agents if agent.tool_use_id}
    nodes: list[RunNode] = []
    for placed in place_runs(runs.facts()):
        above = placed.lane if placed.above is None else nodes[placed.above].placed.lane
        own = turns[placed.run.number]
        agents = tuple(started.pop(call) for call in _calls(own) if call in started)
        uuids = tuple(record.envelope.uuid for turn in own for record in turn.records)
        nodes.append(RunNode(placed, above < placed.lane, agents, uuids))
    placed_agents = {agent.agent_id for node in nodes for agent in node.agents}
    others = [agent for agent in session.agents if agent.agent_id not in placed_agents]
    keys = {leaf[0] for agent in session.agents for leaf in agent.leaves}
    called = set(_calls(turn for key, turn in work.tree.turns.items() if key[0] in keys))
    return SessionTree(
        session=session,
        nodes=tuple(nodes),
        nested=tuple(agent for agent in others if agent.tool_use_id in called),
        loose=tuple(agent for agent in others if agent.tool_use_id not in called),
        uuid=asked.uuid,
    )


def _calls(turns: Iterable[Turn]) -> dict[str, None]:
    """Return the ids of the calls in `turns`, in order."""
    records = (record for turn in turns for record in turn.records)
    return dict.fromkeys(call for one in records for call in one.envelope.tool_use_ids)


def look_around(asked: Asked, count: int) -> Neighbourhood | None:
    """Return up to `count` records before and after the one that was asked for.

    On the ACTIVE path through it, else on the lowest; None where it stands on no path. A
    note that was asked for stands among the conversation records.
    """
    work, session = find_work(asked.archive, asked.session)
    owners = {
        key
        for key, turn in work.tree.turns.items()
        if any(placed.envelope.uuid == asked.uuid for placed in turn.records)
    }
    lines: list[tuple[TurnKey, ConversationPath | None, str]] = [
        (work.tree.leaves[path.ref], path, "") for path in sorted(session.paths, key=rank)
    ]
    lines += [(leaf, None, one.agent_id) for one in session.agents for leaf in one.leaves]
    for leaf, path, agent_id in lines:
        keys = work.tree.chain(leaf)
        if not owners.isdisjoint(keys):
            records = list(_neighbours(work.tree, keys, asked.uuid))
            at = next(place for place, record in enumerate(records) if record.is_asked)
            first = max(at - count, 0)
            shown = tuple(records[first : at + count + 1])
            return Neighbourhood(path, agent_id, first, len(records), shown)
    return None


def _neighbours(tree: TurnTree, keys: Sequence[TurnKey], uuid: str) -> Iterator[Neighbour]:
    for key, followed in zip(keys, [*keys[1:], None], strict=True):
        shown = [
            placed
            for placed in tree.turns[key].records
            if placed.kind is not Kind.NOTE or placed.envelope.uuid == uuid
        ]
        for placed in shown:
            is_last = placed is shown[-1]
            branches = tree.branches.get(key, ()) if is_last else ()
            is_asked = placed.envelope.uuid == uuid
            yield Neighbour(placed, is_asked, branches, followed)


def to_mermaid(tree: SessionTree) -> str:
    """Return the tree as a Mermaid flowchart."""
    boxes: list[str] = []
    arrows: list[str] = []
    for node in tree.nodes:
        # In a quoted label, what is no letter, digit or dot stands as a number.
        words, meta = (
            _PLAIN.sub(lambda found: f"#{ord(found[0])};", text)
            for text in (_words(node), run_facts(node))
        )
        run, is_left = node.run, node.run.status is Status.ABANDONED
        boxes.append(f'  r{run.number}["{words}<br/>{meta}"]:::{run.status.lower()}')
        if run.parent:
            arrows.append(f"  r{run.parent} {'-.->' if is_left else '-->'} r{run.number}")
    active, left = "active stroke-width:2px", "abandoned stroke-dasharray:4 3"
    style = (f"  classDef {one}" for one in (active, left))
    return "\n".join(["flowchart TD", *boxes, *arrows, *style]) + "\n"


def to_dot(tree: SessionTree) -> str:
    """Return the tree as a Graphviz digraph."""
    boxes: list[str] = []
    arrows: list[str] = []
    for node in tree.nodes:
        run, is_left = node.run, node.run.status is Status.ABANDONED
        label = f"{_dot_text(_words(node))}\\n{_dot_text(run_facts(node))}"
        style = ', style="rounded,dashed"' if is_left else ""
        boxes.append(f'  r{run.number} [label="{label}"{style}];')
        if run.parent:
            style = ' [style="dashed"]' if is_left else ""
            arrows.append(f"  r{run.parent} -> r{run.number}{style};")
    head = f'digraph "{_dot_text(tree.session.session)}" {{'
    look = '  node [shape=box, style=rounded, fontname="sans-serif"];'
    return "\n".join([head, look, *boxes, *arrows, "}"]) + "\n"


def to_svg(tree: SessionTree) -> str:
    """Return the picture of the session's page as a file of its own.

    It has its own style, light and dark, and links nowhere.

    Raises:
        SourceError: no path of the session has a turn.
    """
    runs, paths = [node.run for node in tree.nodes], tree.session.paths
    view = draw_tree(runs, paths, {path.number: "" for path in paths})
    if view is None:
        raise SourceError(f"there is nothing to draw of {tree.session.session!r}")
    size = {"width": str(view.width), "height": str(view.height)}
    root = ET.Element("svg", size | {"xmlns": _SVG, "role": "img"})
    root.set("viewBox", f"0 0 {view.width} {view.height}")
    title = shortened(tree.session.title, WORDS) or "Untitled"
    ET.SubElement(root, "title").text = f"{title}: tree of its paths"
    ET.SubElement(root, "desc").text = view.key
    css = (Path(__file__).parent / "tree.css").read_text("utf-8")
    ET.SubElement(root, "style").text = f"\n{css}"
    for shape in _shapes(view):
        root.append(shape)
    return ET.tostring(root, encoding="unicode") + "\n"


def _shapes(view: TreeView) -> Iterator[ET.Element]:
    for stroke in view.strokes:
        yield ET.Element("path", {"class": stroke.kind.lower(), "d": stroke.d})
    for node in view.nodes:
        group = ET.Element("g")
        ET.SubElement(group, "title").text = node.title
        place = {"cx": str(node.x), "cy": str(node.y), "r": "5.5" if node.is_last else "4"}
        ET.SubElement(group, "circle", place | {"class": node.status.lower()})
        for text, x, y, kind in (
            (node.words, node.label_x, node.y + 5, "words"),
            (node.meta, node.meta_x, node.y + 23, "meta"),
        ):
            at = {"x": str(x), "y": str(y), "class": kind}
            ET.SubElement(group, "text", at).text = text
        yield group
    yield from map(_mark, view.marks)


def _mark(mark: MarkView) -> ET.Element:
    kind = {"class": f"mark {mark.kind}"}
    if mark.kind == "elsewhere":
        place = {"cx": str(mark.x), "cy": str(mark.y), "r": "8.5"}
        return ET.Element("circle", kind | place)
    if mark.kind == "compaction":
        return ET.Element("path", kind | {"d": f"M{mark.x - 6} {mark.y - 2}h12m-12 4h12"})
    left, up = (0, 4) if mark.kind == "agent" else (3.5, 3.5)
    place = {"x": str(mark.x - left), "y": str(mark.y - up)}
    square = kind | place | {"width": "7", "height": "7"}
    if mark.kind == "fork":
        square["transform"] = f"rotate(45 {mark.x} {mark.y})"
    return ET.Element("rect", square)


def run_facts(node: RunNode) -> str:
    """Return in one line which path a run is on, and what it adds up to."""
    run = node.run
    facts = (
        f"path {run.path} {run.status}",
        counted(run.messages, "message"),
        counted(run.prompts, "prompt") if run.prompts > 1 else "",
        counted(run.compactions, "compaction") if run.compactions else "",
        counted(len(node.agents), "agent") if node.agents else "",
        f"from session {shortened(run.origin, 8)}" if run.origin else "",
    )
    return " · ".join(filter(None, facts))


def _words(node: RunNode) -> str:
    return shortened(node.run.words, WORDS) or "(no words)"


def _dot_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
