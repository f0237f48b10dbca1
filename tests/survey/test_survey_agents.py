"""The tree of subagents: who called whom, whatever is missing or goes in a circle."""

from __future__ import annotations

import pytest

from everyleaf.errors import SourceError
from everyleaf.explore.tree import grow_session_tree
from everyleaf.opening.named import Asked, open_named
from everyleaf.opening.reading import Scope
from everyleaf.survey.agents import list_agents
from sessions import OTHER, SESSION


def listed(home, session=SESSION):
    return list_agents(open_named(Scope((home.folder,)), lambda *_: None, session))


def names(agents):
    return [(agent.agent_id, names(agent.agents)) for agent in agents]


def one_agent(home, agent_id, said, **meta):
    talk = home.agent(agent_id, **meta)
    talk.prompt(f"Task of {agent_id}")
    talk.reply(said)
    talk.save()


def test_an_agent_stands_below_the_one_that_called_it(home):
    main = home.talk()
    main.prompt("Go")
    call = main.call("Agent", {"prompt": "Task of a1", "subagent_type": "Explore"})
    main.save()
    first = home.agent("a1", toolUseId=call, agentType="Explore", description="Look")
    first.prompt("Task of a1")
    inner = first.call("Agent", {"prompt": "Task of a2"})
    first.reply("Looked")
    first.save()
    one_agent(home, "a2", "Deeper", toolUseId=inner)

    found = listed(home)

    assert names(found.agents) == [("a1", [("a2", [])])]
    (agent,) = found.agents
    assert (agent.agent_type, agent.description, agent.result) == (
        "Explore",
        "Look",
        "Looked",
    )
    assert (agent.models, agent.calls, agent.usage.output) == (("claude-opus-4-8",), 1, 10)
    assert agent.has_call
    assert agent.agents[0].has_call


def test_agents_that_call_each_other_in_a_circle_are_listed_once(home):
    main = home.talk()
    main.prompt("Go")
    main.reply("Gone")
    main.save()
    one_agent(home, "a1", "One", parentAgentId="a2")
    one_agent(home, "a2", "Two", parentAgentId="a1")
    one_agent(home, "a3", "Three", parentAgentId="a3")

    found = listed(home)

    flat = str(names(found.agents))
    assert [flat.count(f"'{name}'") for name in ("a1", "a2", "a3")] == [1, 1, 1]
    assert not any(agent.has_call for agent in found.agents)


def test_a_session_without_agents_has_an_empty_tree(home):
    main = home.talk()
    main.prompt("Parse this")
    main.reply("Parsed")
    main.save()

    found = listed(home)

    assert (found.session, found.title, found.agents) == (SESSION, "Parse this", ())


@pytest.mark.parametrize(
    ("name", "message"),
    [("no", "no session fits 'no'"), ("", "no session fits ''"), ("66", "")],
)
def test_the_beginning_of_an_id_is_enough(home, name, message):
    main = home.talk()
    main.prompt("Parse this")
    main.save()

    if message:
        with pytest.raises(SourceError, match=message):
            listed(home, name)
    else:
        assert listed(home, name).session == SESSION


@pytest.mark.parametrize("name", ["66", "latest"])
def test_a_session_of_which_agents_alone_are_left_is_found(home, name):
    one_agent(home, "a1", "Seen")

    found = listed(home, name)

    assert (found.session, [one.agent_id for one in found.agents]) == (SESSION, ["a1"])
    asked = open_named(Scope((home.folder,)), lambda *_: None, name)
    for show in (Asked.path, grow_session_tree):
        with pytest.raises(SourceError, match="subagents alone are left") as raised:
            show(asked)
        assert f"`everyleaf agents {SESSION}`" in raised.value.hint


def test_an_id_that_fits_several_sessions_is_an_error_that_names_them(home):
    for session in (SESSION, f"66{OTHER}"):
        talk = home.talk(session)
        talk.prompt("Parse this")
        talk.save()

    with pytest.raises(SourceError, match="'66' fits 2 sessions") as raised:
        listed(home, "66")

    assert SESSION in raised.value.hint
