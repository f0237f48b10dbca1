"""The tree of a session as JSON, as `everyleaf tree --help` describes it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from everyleaf.explore.around import Neighbourhood
    from everyleaf.explore.branching import RunNode, SessionTree
    from everyleaf.graph.forest import ConversationPath
    from everyleaf.pages.work import AgentWork

    Json = dict[str, object]


def tree_json(tree: SessionTree) -> str:
    """Return the tree as one indented object of ASCII."""
    session = tree.session
    whole: Json = {
        "session": session.session,
        "project": session.project,
        "title": session.title,
        "record": tree.uuid or None,
        "runs": [_run(node) for node in tree.nodes],
        "paths": [_path(path) for path in tree.paths],
        "agents": [_agent(agent) for agent in session.agents],
    }
    return json.dumps(whole, indent=2)


def around_json(near: Neighbourhood) -> str:
    """Return the records around one as one indented object of ASCII."""
    path = near.path
    owner: Json = (
        {"path": f"{path.session}:{path.number}"} if path else {"agent": near.agent_id}
    )
    records = [
        {
            "uuid": record.uuid,
            "kind": record.kind,
            "at": record.at,
            "line": record.line,
            "words": record.words,
            "asked": record.is_asked,
        }
        for record in near.records
    ]
    return json.dumps(
        owner | {"place": near.place, "of": near.of, "records": records}, indent=2
    )


def _run(node: RunNode) -> Json:
    run = node.run
    return {
        "number": run.number,
        "parent": run.parent,
        "path": run.path,
        "status": run.status,
        "words": run.words,
        "messages": run.messages,
        "prompts": run.prompts,
        "compactions": run.compactions,
        "agents": [agent.agent_id for agent in node.agents],
        "uuids": list(node.uuids),
    }


def _path(path: ConversationPath) -> Json:
    over = path.taken_over_by
    return {
        "number": path.number,
        "status": path.status,
        "title": path.title,
        "label": path.label,
        "messages": path.messages,
        "fork_point": path.fork_point,
        "taken_over_by": f"{over.session}:{over.number}" if over else None,
    }


def _agent(agent: AgentWork) -> Json:
    return {
        "agent": agent.agent_id,
        "type": agent.agent_type,
        "description": agent.description,
        "messages": agent.messages,
    }
