"""The record types and top-level fields that are known, so that new ones get noticed.

Source: format notes §2, versions 1.0 to 2.1.293. Unknown ones are kept and counted.
"""

from __future__ import annotations

from everyleaf.sources.content import OFF_TREE_TYPES, STREAM_TYPES, TREE_TYPES, names

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
