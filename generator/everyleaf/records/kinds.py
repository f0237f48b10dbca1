"""What a record counts as, from the record alone (`paths.md` §1).

Known types and fields: format notes §2, versions 1.0 to 2.1.293. Others are kept, and
counted so that they get noticed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from everyleaf.model import Kind, Marker, MarkerKind
from everyleaf.records import text as texts
from everyleaf.sources.lines import OFF_TREE_TYPES, STREAM_TYPES, TREE_TYPES, names

PREAMBLE = "This session is being continued from a previous conversation"
_INJECTED = re.compile(
    r"<(?:task-notification|teammate-message|agent-message|cross-session-message|channel)"
    r"(?=[\s>/])"
)
_ECHO = re.compile(
    r"<(?:command-(?:name|message|args|contents)|local-command-(?:stdout|stderr|caveat)"
    r"|user-memory-input|bash-(?:input|stdout|stderr))(?=[\s>/])"
    r"|Caveat: The messages below"
    r"|/[A-Za-z][\w:.-]*\s*\Z"
    r"|\[Request interrupted by user"
    r"|\(no content\)\s*\Z"
)
_TEXT_FIELDS = {
    "summary": (MarkerKind.SUMMARY, "summary"),
    "custom-title": (MarkerKind.CUSTOM_TITLE, "customTitle"),
    "ai-title": (MarkerKind.AI_TITLE, "aiTitle"),
    "agent-name": (MarkerKind.AGENT_NAME, "agentName"),
    "last-prompt": (MarkerKind.LAST_PROMPT, "lastPrompt"),
    "continued-in": (MarkerKind.CONTINUED_IN, "continuedInSessionId"),
}

KNOWN_TYPES = TREE_TYPES | OFF_TREE_TYPES | STREAM_TYPES | {"saved_hook_context"}

_COMMON = names("""
    uuid parentUuid logicalParentUuid isSidechain sessionId session_id timestamp type cwd
    gitBranch version userType entrypoint slug agentId teamName agentName agentColor
    isTeammate sessionKind promptId forkedFrom isMeta neutralizedByFork isReplay
    parent_tool_use_id
    """)

KNOWN_FIELDS: dict[str, frozenset[str]] = {
    "user": _COMMON
    | names("""
        message toolUseResult tool_use_result sourceToolAssistantUUID sourceToolUseID
        isCompactSummary isVisibleInTranscriptOnly summarizeMetadata thinkingMetadata todos
        permissionMode promptSource origin imagePasteIds planContent interruptedMessageId
        interruptedByShutdown toolDenialKind userFeedback toolDenialUnanswered toolEndsTurn
        turnCompanion queueSkipAttachments commandRun mcpMeta isSynthetic shouldQuery
        """),
    "assistant": _COMMON
    | names("""
        message requestId apiBlockIndex isApiErrorMessage error apiError apiErrorStatus
        errorDetails isAbortedMidStream effort thinkingDurationMs attributionAgent
        attributionSkill attributionPlugin attributionMcpServer attributionMcpTool
        supersedes advisorModel costUSD durationMs isVirtual aborted context_usage
        """),
    "system": _COMMON
    | names("""
        subtype content level toolUseID compactMetadata compact_metadata
        microcompactMetadata error source retryInMs retryAttempt maxRetries cause hookCount
        hookInfos hookErrors hookAdditionalContext preventedContinuation hasOutput
        durationMs messageCount pendingBackgroundAgentCount url direction scope trigger
        stopReason originalModel fallbackModel requestId apiRefusalCategory
        apiRefusalExplanation retractedMessageUuids refusedUserMessageUuid writtenPaths
        snapshotFiles
        """),
    "attachment": _COMMON | {"attachment", "rendered", "renderedInHumanTurn"},
    "progress": _COMMON | {"toolUseID", "parentToolUseID", "data"},
}
"""Fields of the types that are drawn; of other types no field is counted."""


def is_tree_record(raw: dict[str, object]) -> bool:
    """Return whether a record takes part in the parent chain, if it has a uuid.

    An unknown type does if it has both `uuid` and `parentUuid`.
    """
    kind = raw.get("type")
    if isinstance(kind, str):
        if kind in TREE_TYPES:
            return True
        if kind in OFF_TREE_TYPES:
            return False
    return "parentUuid" in raw and isinstance(raw.get("uuid"), str)


def classify(raw: dict[str, object], blocks: Sequence[texts.Block] | None = None) -> Kind:
    """Return the kind of a tree record; whatever is not conversation is a note.

    `blocks` is the record's content, for a caller that has taken it apart already.
    """
    if blocks is None:
        blocks = texts.content_blocks(texts.said_in(raw))
    match raw.get("type"):
        case "user" if texts.as_object(raw.get("message")) is not None:
            return _classify_user(raw, blocks)
        case "assistant" if texts.as_object(raw.get("message")) is not None:
            return Kind.REPLY
        case "system" if raw.get("subtype") == "compact_boundary":
            return Kind.BOUNDARY
        case "attachment":
            return _classify_attachment(raw, blocks)
        case _:
            return Kind.NOTE


def _classify_user(raw: dict[str, object], blocks: Sequence[texts.Block]) -> Kind:
    if any(block.get("type") == "tool_result" for block in blocks):
        return Kind.RESULT
    if raw.get("isCompactSummary") is True:
        return Kind.SUMMARY
    text = texts.first_text(blocks)
    if _is_injected(raw) or _INJECTED.match(text):
        return Kind.INJECTED
    if raw.get("isMeta") is True:
        return Kind.NOTE
    return _classify_typed(text, blocks)


def _classify_typed(text: str, blocks: Sequence[texts.Block]) -> Kind:
    if not text:
        # Nothing typed: like an echo, it counts if a reply hangs from it.
        has_more = any(block.get("type") != "text" for block in blocks)
        return Kind.PROMPT if has_more else Kind.ECHO
    if text.startswith(PREAMBLE):
        return Kind.SUMMARY
    return Kind.ECHO if _ECHO.match(text) else Kind.PROMPT


def _classify_attachment(raw: dict[str, object], blocks: Sequence[texts.Block]) -> Kind:
    """Return the kind of an attachment: what was said while the model worked, or a note."""
    attachment = texts.as_object(raw.get("attachment"))
    if attachment is None or attachment.get("type") != "queued_command":
        return Kind.NOTE
    is_injected = _is_injected(attachment) or _is_injected(raw)
    if is_injected or _INJECTED.match(texts.first_text(blocks)):
        return Kind.INJECTED
    is_typed = attachment.get("commandMode") == "prompt"
    is_steering = is_typed and attachment.get("isMeta") is not True
    return Kind.STEERING if is_steering else Kind.NOTE


def _is_injected(raw: dict[str, object]) -> bool:
    origin = texts.as_object(raw.get("origin"))
    return origin is not None and origin.get("kind", "human") != "human"


def make_marker(raw: dict[str, object], *, line: int) -> Marker | None:
    """Return the marker that an off-tree record is, or None if it means nothing to us.

    A pointer counts as explicit only if it points somewhere, or plainly nowhere (null).
    """
    kind = raw.get("type")
    found = _TEXT_FIELDS.get(kind) if isinstance(kind, str) else None
    if found is None:
        return None
    return Marker(
        kind=found[0],
        line=line,
        text=texts.one_line(texts.as_text(raw.get(found[1])) or ""),
        leaf_uuid=texts.as_text(raw.get("leafUuid")),
        is_explicit=raw.get("explicit") is True
        and isinstance(raw.get("leafUuid", ...), str | None),
        timestamp=texts.as_time(raw.get("timestamp")),
    )
