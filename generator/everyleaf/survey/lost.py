"""What people said in sessions, and in histories whose sessions have gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import EVERYTHING
from everyleaf.survey.feedback import gather_feedback
from everyleaf.survey.history import as_sources, find_histories, read_histories

if TYPE_CHECKING:
    from everyleaf.config import FeedbackOptions
    from everyleaf.opening.reading import Scope
    from everyleaf.survey.feedback import Said
    from everyleaf.survey.history import History
    from everyleaf.workers import OnProgress


class Voices(Struct, frozen=True):
    """What people said, in sessions and beside them."""

    said: tuple[Said, ...]
    titles: dict[str, str]
    """Session → what it is called."""
    history: History
    has_history: bool


def hear(scope: Scope, options: FeedbackOptions, on_progress: OnProgress) -> Voices:
    """Return what people said in the sessions that `scope` names and in their histories.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    # Of prompts alone, it cannot be told which session they would have been in.
    is_whole = scope.choice == EVERYTHING
    locations = find_histories(scope.places) if is_whole else ()
    beside = as_sources(locations)
    feedback = gather_feedback(replace(scope, beside=beside), on_progress, options=options)
    archive = feedback.archive
    masks = [archive.redaction.redactor(one.session) for one in beside]
    history = read_histories(
        list(zip(locations, masks, strict=True)),
        sessions={file.session for file in archive.found.files},
        prompts=feedback.prompts,
    )
    return Voices(
        feedback.said, archive.description.titles, history, has_history=bool(locations)
    )
