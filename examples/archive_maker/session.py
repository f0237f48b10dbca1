"""Plays a person, the model and the CLI, and writes what the CLI would have written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from archive_maker.journal import Block, Call, Journal, Json, dump, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PREAMBLE = (
    "This session is being continued from a previous conversation that ran out of context. "
    "The summary below covers the earlier portion of the conversation.\n\n"
)


def command_text(name: str, args: str = "") -> str:
    return (
        f"<command-name>/{name}</command-name>\n"
        f"            <command-message>{name}</command-message>\n"
        f"            <command-args>{args}</command-args>"
    )


class Session(Journal):
    """A session as it is played: each method writes what the CLI writes for it."""

    # ------------------------------------------------------------------ the person

    def prompt(self, words: str | Sequence[Block], **fields: object) -> str:
        """Type a prompt and send it."""
        self.spend(15, 160)
        self.asked_at = self.clock.now
        self.prompt_id = self.ids.uuid()
        self.snapshot()
        uuid = self.user(words, **(self.sent() | fields))
        self.shown.append(uuid)
        return uuid

    def sent(self) -> Json:
        if not self.is_new:
            if self.version.startswith("1."):
                return {}
            return {
                "thinkingMetadata": {"level": "none", "disabled": False, "triggers": []}
            }
        fields: Json = {"permissionMode": self.permission}
        if self.build >= 180:
            fields |= {"promptSource": "typed", "origin": {"kind": "human"}}
        return fields

    def user(self, content: str | Sequence[Block], **fields: object) -> str:
        """Append a user record that is no prompt unless the caller says so."""
        stored: object = content if isinstance(content, str) else list(content)
        message = {"role": "user", "content": stored}
        if self.build >= 70 and not self.agent_id:
            fields = {"promptId": self.prompt_id or self.ids.uuid(), **fields}
        return self.put(self.envelope("user", self.tip, message=message, **fields))

    def snapshot(self) -> None:
        if self.agent_id or self.version.startswith("1."):
            return
        message_id = self.ids.uuid()
        backups: Json = {}
        inner = {
            "messageId": message_id,
            "trackedFileBackups": backups,
            "timestamp": self.clock.stamp(),
        }
        record = {"type": "file-history-snapshot", "messageId": message_id}
        self.lines.append(dump(record | {"snapshot": inner, "isSnapshotUpdate": False}))

    # ------------------------------------------------------------------ the model

    def reply(self, *blocks: Block, **fields: object) -> list[Call]:
        """Write one API message, a line for each block, and return the calls in it."""
        message_id, request_id = self.ids.message(), self.ids.request()
        calls: list[Call] = []
        made = sum(len(json.dumps(block)) for block in blocks) // 4 + 12
        for index, block in enumerate(blocks):
            self.spend(1.5, 6)
            is_last = index == len(blocks) - 1
            reason = (
                "tool_use" if any(b["type"] == "tool_use" for b in blocks) else "end_turn"
            )
            message: Json = {
                "model": self.model,
                "id": message_id,
                "type": "message",
                "role": "assistant",
                "content": [block],
                "stop_reason": reason if self.is_new and is_last else None,
                "stop_sequence": None,
                "usage": self.usage(made if is_last else min(made, 4 + index)),
            }
            record = self.envelope(
                "assistant", self.tip, message=message, requestId=request_id, **fields
            )
            self.shown.append(self.put(record))
            if block["type"] == "tool_use":
                asked = cast("Json", block["input"])
                call = Call(str(block["id"]), str(self.tip), str(block["name"]), asked)
                calls.append(call)
        self.context += made
        return calls

    def usage(self, made: int) -> Json:
        fresh = 400 + int(1800 * self.ids.fraction())
        return {
            "input_tokens": 3 + int(9 * self.ids.fraction()),
            "cache_creation_input_tokens": fresh,
            "cache_read_input_tokens": self.context,
            "cache_creation": {
                "ephemeral_5m_input_tokens": fresh,
                "ephemeral_1h_input_tokens": 0,
            },
            "output_tokens": made,
            "service_tier": "standard",
        }

    def say(self, words: str, **fields: object) -> None:
        self.reply(text(words), **fields)

    def call(self, name: str, **asked: object) -> Block:
        return {"type": "tool_use", "id": self.ids.tool_use(), "name": name, "input": asked}

    def thought(self, words: str) -> Block:
        return {"type": "thinking", "thinking": words, "signature": self.ids.signature()}

    def result(
        self,
        call: Call,
        content: str | Sequence[Block],
        stored: object = None,
        *,
        is_error: bool = False,
        **fields: object,
    ) -> str:
        """Answer `call`; the tip moves to the answer, as in the CLI."""
        block: Json = {"tool_use_id": call.id, "type": "tool_result"}
        block["content"] = content if isinstance(content, str) else list(content)
        if is_error or call.name in {"Bash", "BashOutput"}:
            block["is_error"] = is_error
        if stored is None and is_error:
            stored = f"Error: {content}"
        if stored is not None and not self.agent_id:
            fields = {"toolUseResult": stored, **fields}
        if self.is_new:
            fields["sourceToolAssistantUUID"] = call.uuid
        # Up to 2.0.76 all results follow the last call; since 2.1 each hangs from its own.
        if self.is_new:
            self.tip = call.uuid
        self.spend(0.2, 2)
        uuid = self.user([block], **fields)
        self.shown.append(uuid)
        self.context += len(dump(block)) // 4
        return uuid

    def use(
        self,
        name: str,
        asked: Mapping[str, object],
        content: str | Sequence[Block],
        stored: object = None,
        *before: Block,
        is_error: bool = False,
    ) -> Call:
        """Make one call, with what was said before it, and answer it."""
        (call,) = self.reply(*before, self.call(name, **asked))
        self.result(call, content, stored, is_error=is_error)
        return call

    # ------------------------------------------------------------------ the CLI

    def system(self, subtype: str, **fields: object) -> str:
        return self.put(self.envelope("system", self.tip, subtype=subtype, **fields))

    def attach(self, kind: str, **fields: object) -> str:
        return self.put(
            self.envelope("attachment", self.tip, attachment={"type": kind, **fields})
        )

    def turn_done(self) -> None:
        """Note how long the turn took, as the CLI does below the last reply."""
        took = self.clock.now - self.asked_at
        self.system(
            "turn_duration", durationMs=int(took.total_seconds() * 1000), isMeta=False
        )

    def last_prompt(self, words: str) -> None:
        self.state("last-prompt", lastPrompt=words, leafUuid=self.tip)

    def command(self, name: str, args: str = "", output: str = "") -> None:
        """Run a slash command that the CLI answers itself."""
        self.spend(5, 20)
        if not self.is_new:
            caveat = (
                "Caveat: The messages below were generated by the user while running local "
                "commands. DO NOT respond to these messages or otherwise consider them in your "
                "response unless the user explicitly asks you to."
            )
            self.user(caveat, isMeta=True)
        self.user(command_text(name, args))
        self.user(f"<local-command-stdout>{output}</local-command-stdout>")

    def shell(self, command: str, output: str, error: str = "") -> None:
        """Run a command the way a person does, with `!`."""
        self.spend(5, 20)
        self.user(f"<bash-input>{command}</bash-input>")
        self.user(f"<bash-stdout>{output}</bash-stdout><bash-stderr>{error}</bash-stderr>")

    def steer(self, words: str) -> None:
        """Type something while the model works; it reaches it after the next result."""
        self.state(
            "queue-operation", operation="enqueue", timestamp=self.stamp(), content=words
        )
        self.spend(1, 4)
        self.state(
            "queue-operation", operation="remove", timestamp=self.stamp(), content=words
        )
        sent: Json = {"prompt": words, "commandMode": "prompt", "origin": {"kind": "human"}}
        self.shown.append(self.attach("queued_command", **sent, timestamp=self.stamp()))

    def interrupt(self, *, for_tool: bool = False) -> None:
        words = (
            "[Request interrupted by user for tool use]"
            if for_tool
            else ("[Request interrupted by user]")
        )
        self.user([text(words)])

    def compact(
        self,
        summary: str,
        *,
        trigger: str,
        kept: Sequence[str] = (),
        logical: str | None = None,
    ) -> tuple[str, str]:
        """Compact the conversation; return the uuids of the boundary and of its summary."""
        before = self.context + 120_000
        self.context = 9_000
        seconds = self.spend(28, 70)
        metadata: Json = {"trigger": trigger, "preTokens": before}
        boundary = self.envelope(
            "system",
            None,
            subtype="compact_boundary",
            content="Conversation compacted",
            isMeta=False,
            level="info",
            compactMetadata=metadata,
        )
        if self.build >= 100:
            metadata |= {"postTokens": self.context, "durationMs": int(seconds * 1000)}
            metadata["cumulativeDroppedTokens"] = before - self.context
        boundary = {"parentUuid": None, "logicalParentUuid": logical or self.tip} | boundary
        summary_uuid = self.ids.uuid()
        if kept:
            metadata["preservedMessages"] = {
                "anchorUuid": summary_uuid,
                "uuids": list(kept),
                "allUuids": list(kept),
            }
            metadata["preservedSegment"] = {
                "headUuid": kept[0],
                "anchorUuid": summary_uuid,
                "tailUuid": kept[-1],
            }
        self.shown.append(self.put(boundary))
        record = self.envelope(
            "user",
            self.tip,
            message={"role": "user", "content": PREAMBLE + summary},
            isVisibleInTranscriptOnly=True,
            isCompactSummary=True,
        )
        record["uuid"] = summary_uuid
        self.shown.append(self.put(record))
        return str(boundary["uuid"]), summary_uuid
