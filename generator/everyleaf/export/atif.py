"""The Agent Trajectory Interchange Format, version 1.7.

Source: Harbor's RFC 0001 and its models (harbor 0.24), read 2026-11-23. One file is one
path, so no abandoned branch can be in that of an active one; subagents whose calls are on
the path stand in it as trajectories of their own. Pictures are files beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from everyleaf.clock import parse_timestamp
from everyleaf.export.steps import (
    GroupReader,
    PathStep,
    PathStepKind,
    Said,
    StepResult,
    StepSource,
    Written,
    file_name,
    text_of,
    to_json,
)
from everyleaf.graph.forest import ConversationPath
from everyleaf.outputs import Blob
from everyleaf.pages.work import AgentWork
from everyleaf.render.pictures import picture_blob
from everyleaf.transcript.document import Picture, Usage
from everyleaf.transcript.facts import add_usage

Json = dict[str, object]

VERSION = "ATIF-v1.7"
AGENT = "claude-code"
IMAGES = "images/"
_TOLD = ("of", "status", "reason", "title", "label", "project", "fork_point", "compactions")
"""What is told of a path beside its number."""
_MEDIA = {"png": "png", "jpg": "jpeg", "gif": "gif", "webp": "webp"}
"""Suffix of a picture → how its media type ends; the format knows no others."""


def export_atif(reader: GroupReader, path: ConversationPath) -> Iterator[Written]:
    """Yield the trajectory of `path`, and its pictures."""
    name = file_name(path)
    writer = _Writer(reader, "../" * name.count("/"))
    about: Json = {name: one for name in _TOLD if (one := getattr(path, name))}
    whole = writer.trajectory(
        reader.steps(reader.work.tree.leaves[path.ref]),
        identity=f"{path.session}:{path.number}",
        session=path.session,
        extra={"path": path.number, **about},
        above=frozenset(),
    )
    yield Written(f"{name}.json", to_json(whole, is_indented=True))
    for blob in writer.blobs.values():
        yield Written(f"{IMAGES}{blob.name}", blob.body)


class _Writer:
    """Writes a trajectory with those of its subagents, and collects their pictures."""

    def __init__(self, reader: GroupReader, root: str) -> None:
        self.blobs: dict[str, Blob] = {}
        self._reader = reader
        self._root = root

    def trajectory(
        self,
        steps: Sequence[PathStep],
        *,
        identity: str,
        session: str,
        extra: Json,
        above: frozenset[str],
    ) -> Json:
        """Return a trajectory with those of the subagents that its calls lead to.

        An agent that is `above` it, as nothing but a slip of the records says, stands in it
        no second time.
        """
        inner: dict[str, AgentWork] = {}
        known: dict[str, str] = {}
        for call in (call for step in steps for call in step.calls):
            agent = self._reader.agent_of(call, session)
            if agent is not None and agent.agent_id not in above:
                inner[agent.agent_id] = agent
                known[call.call_id] = agent.agent_id
        models = Counter(step.model for step in steps if step.usage)
        model = models.most_common(1)[0][0] if models else ""
        versions = [step.version for step in steps if step.version]
        written = [self._step(at, step, model, known) for at, step in enumerate(steps, 1)]
        whole: Json = {
            "schema_version": VERSION,
            "session_id": session,
            "trajectory_id": identity,
            "agent": {
                "name": AGENT,
                "version": versions[-1] if versions else "unknown",
                **({"model_name": model} if model else {}),
            },
            # The format wants a step, even of a path that says nothing.
            "steps": written or [{"step_id": 1, "source": "system", "message": ""}],
            "final_metrics": _sums(steps) | {"total_steps": len(written) or 1},
            "extra": extra,
        }
        if inner:
            whole["subagent_trajectories"] = [
                self._subagent(agent, session, above | {*inner}) for agent in inner.values()
            ]
        return whole

    def _subagent(self, agent: AgentWork, session: str, above: frozenset[str]) -> Json:
        about = {"agent_type": agent.agent_type, "description": agent.description}
        return self.trajectory(
            self._reader.steps(agent.leaves[agent.main]),
            identity=agent.agent_id,
            session=session,
            extra={name: value for name, value in about.items() if value},
            above=above,
        )

    def _step(
        self, number: int, step: PathStep, model: str, agents: Mapping[str, str]
    ) -> Json:
        """Return a step; `model` is the one that goes without saying."""
        written: Json = {"step_id": number, "source": step.source}
        moment = parse_timestamp(step.at)
        if moment is not None:
            written["timestamp"] = moment.isoformat(timespec="milliseconds")
        written["message"] = self._content(step.said)
        if step.source is StepSource.AGENT:
            written |= _of_agent(step, model)
        if step.results:
            results = [self._result(one, agents) for one in step.results]
            written["observation"] = {"results": results}
        extra: Json = {"records": list(step.records)}
        if step.kind not in {PathStepKind.PROMPT, PathStepKind.REPLY}:
            extra["kind"] = step.kind
        if step.is_withdrawn:
            extra["withdrawn"] = True
        return written | {"extra": extra}

    def _result(self, result: StepResult, agents: Mapping[str, str]) -> Json:
        written: Json = {"content": self._content(result.said)}
        if result.call_id:
            written["source_call_id"] = result.call_id
        if result.is_error:
            written["extra"] = {"is_error": True}
        agent_id = agents.get(result.call_id)
        if agent_id:
            written["subagent_trajectory_ref"] = [{"trajectory_id": agent_id}]
        return written

    def _content(self, said: Said) -> str | list[Json]:
        """Return what was said: as text, or as parts where there are pictures."""
        if not any(isinstance(one, Picture) for one in said):
            return text_of(said)
        return [self._part(one) for one in said]

    def _part(self, one: str | Picture) -> Json:
        if isinstance(one, str):
            return {"type": "text", "text": one}
        found = one.problem or picture_blob(one.data, one.media_type)
        if isinstance(found, str):
            return {"type": "text", "text": f"[image: {found}]"}
        name = found.blob.name
        self.blobs[name] = found.blob
        media_type = f"image/{_MEDIA[name.rpartition('.')[2]]}"
        place = f"{self._root}{IMAGES}{name}"
        return {"type": "image", "source": {"media_type": media_type, "path": place}}


def _of_agent(step: PathStep, model: str) -> Json:
    """Return what only a step of the agent has."""
    written: Json = {}
    if step.calls:
        written["tool_calls"] = [
            {
                "tool_call_id": call.call_id,
                "function_name": call.name,
                "arguments": call.input,
            }
            for call in step.calls
        ]
    if step.is_synthetic:  # No model was asked, so that there is nothing to tell of one.
        return written | {"llm_call_count": 0}
    if step.model not in {"", model}:
        written["model_name"] = step.model
    if step.thinking:
        written["reasoning_content"] = step.thinking
    if step.usage is not None:
        written |= {"metrics": _metrics(step.usage), "llm_call_count": 1}
    return written


def _metrics(usage: Usage) -> Json:
    return {
        "prompt_tokens": usage.input + usage.cache_read + usage.cache_written,
        "completion_tokens": usage.output,
        "cached_tokens": usage.cache_read,
        "extra": {"cache_creation_input_tokens": usage.cache_written},
    }


def _sums(steps: Iterable[PathStep]) -> Json:
    """Return the tokens of `steps` together; those of subagents are in their own."""
    total = add_usage(step.usage for step in steps if step.usage is not None)
    sums = _metrics(total).items()
    return {name if name == "extra" else f"total_{name}": value for name, value in sums}
