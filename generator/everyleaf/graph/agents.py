"""Subagents: a tree of their own each, linked to the call that started them.

Source: format notes §4.9.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.edges import link
from everyleaf.graph.trees import Origins, Part, Tree, grow_tree
from everyleaf.graph.turns import contract, number_leaves
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION, AgentCall, AgentMeta, Envelope, Kind

_UNPUBLISHED = ("acompact", "aprompt_suggestion")
"""Helpers of the CLI that hold nothing but a copy of the main conversation."""
_SIDE_QUESTION = "aside_question"


class AgentTree(Struct, frozen=True):
    """A subagent with its turns."""

    session: str
    agent_id: str
    tree: Tree
    leaves: tuple[int, ...]
    """Unit numbers of its leaves, by number."""
    meta: AgentMeta

    @property
    def key(self) -> tuple[str, str]:
        """Return the session and the agent's id: its name in the archive."""
        return (self.session, self.agent_id)

    @property
    def is_told(self) -> bool:
        """Return whether its own file is missing: its caller noted what is known of it."""
        first = self.tree.records[0]
        return any(told is first for told in self.tree.files[0].told)

    @property
    def main_leaf(self) -> int:
        """Return the leaf below what was written last: where the agent ended.

        Notes alone at the end make no leaf: then it is the last one by number.
        """
        units = self.tree.units
        unit = units.of[-1]
        while units.children[unit]:
            unit = units.children[unit][-1]
        return unit if unit in self.leaves or not self.leaves else self.leaves[-1]


def grow_agent(
    agent_id: str, parts: Sequence[Part], main: Tree, origins: Origins
) -> tuple[AgentTree | None, list[Issue]]:
    """Return the agent's tree, or None where nothing of it is published, and what was odd.

    What stands in the `main` conversation as well (forked agents up to 2.1.117 begin with
    all of it) is left out here.
    """
    files = [file for file, _ in parts]

    def is_own(record: Envelope) -> bool:
        is_copy = record.forked_from and origins.canonical(record.uuid) in main.index
        return record.uuid not in main.index and not is_copy

    own = [(part, list(filter(is_own, members))) for part, members in parts]
    has_words = any(r.kind in CONVERSATION for _, members in own for r in members)
    message = ""
    if agent_id.startswith(_UNPUBLISHED):
        message = f"helper {agent_id} copies the conversation; not published"
    elif agent_id.startswith(_SIDE_QUESTION) and not has_words:
        message = f"helper {agent_id} says nothing of its own; not published"
    if message:
        code = IssueCode.INTERNAL_AGENT
        return None, [Issue(files[0].file, 0, code, message, session=main.session)]
    if not has_words:
        return None, []
    tree, issues = grow_tree(main.session, agent_id, own, origins)
    tree.canonical = [record.uuid for record in tree.records]
    issues += link(tree)
    if tree.parents and tree.parents[0] < 0:
        # It begins where its parent called it, as every agent does.
        tree.inferred.discard(0)
    contract(tree)
    metas = [file.meta for file in files]
    described = next((one for one in metas if one.agent_type), metas[0])
    call = next((one.tool_use_id for one in metas if one.tool_use_id), None)
    agent = AgentTree(
        session=main.session,
        agent_id=agent_id,
        tree=tree,
        leaves=tuple(number_leaves(tree)),
        meta=replace(described, tool_use_id=call),
    )
    return agent, issues


def find_calls(
    agents: Sequence[AgentTree], trees: Iterable[Tree]
) -> tuple[dict[tuple[str, str], str], tuple[AgentTree, ...]]:
    """Return the call that started each agent, and the agents with what their calls say.

    The calls are (session, agent id) → tool_use_id. First that applies: the agent's
    `.meta.json`; a record that names both; a call whose prompt is the agent's first prompt,
    each call used once, in file order.
    """
    links: dict[tuple[str, str], str] = {}
    made: dict[tuple[str, str], AgentCall] = {}
    by_prompt: dict[tuple[str, int], list[str]] = {}
    for tree in trees:
        for record in tree.records:
            for found in record.links:
                if found.tool_use_id:
                    links.setdefault((tree.session, found.agent_id), found.tool_use_id)
            for call in record.asked:
                made[tree.session, call.tool_use_id] = call
                same = by_prompt.setdefault((tree.session, call.prompt), [])
                same.append(call.tool_use_id)
    named = {agent.key: agent.meta.tool_use_id or links.get(agent.key) for agent in agents}
    calls = {key: call for key, call in named.items() if call}
    used = {(session, call) for (session, _), call in calls.items()}
    for agent in agents:
        prompts = (r for r in agent.tree.records if r.kind is Kind.PROMPT and r.blocks)
        first = next(prompts, None)
        if agent.key in calls or first is None:
            continue
        for name in by_prompt.get((agent.session, first.blocks[0]), ()):
            if (agent.session, name) not in used:
                calls[agent.key] = name
                used.add((agent.session, name))
                break
    return calls, tuple(
        _described(agent, made.get((agent.session, calls.get(agent.key, ""))))
        for agent in agents
    )


def _described(agent: AgentTree, call: AgentCall | None) -> AgentTree:
    if call is None or agent.meta.description:
        return agent
    kind = agent.meta.agent_type or call.agent_type
    meta = replace(agent.meta, agent_type=kind, description=call.description)
    return replace(agent, meta=meta)
