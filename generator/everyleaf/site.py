"""Everything that a site consists of, as a stream of outputs."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from everyleaf.config import Format
from everyleaf.pages.addresses import facts_url, words_url
from everyleaf.pages.facts import parse_session_facts
from everyleaf.pages.families import Surroundings, iter_families
from everyleaf.pages.family import render_family
from everyleaf.pages.lists import render_lists
from everyleaf.pages.reading import Reading
from everyleaf.pages.settings import SiteSettings
from everyleaf.pages.stubs import stubs
from everyleaf.pages.work import SourceRef
from everyleaf.redact.leaks import LeakSearch
from everyleaf.render.output import Output
from everyleaf.render.pictures import PICTURE_SUFFIXES
from everyleaf.search.keeping import Words
from everyleaf.theming.load import load_theme
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.archive import Archive, Choice
    from everyleaf.config import BuildOptions
    from everyleaf.issues import Issue
    from everyleaf.pages.facts import SessionFacts
    from everyleaf.publish.manifest import Manifest
    from everyleaf.workers import OnProgress


class Site:
    """The outputs of a build, and who accounts for them."""

    def __init__(
        self, archive: Archive, options: BuildOptions, choice: Choice, before: Manifest
    ) -> None:
        """Prepare to draw `archive`; `before` is what the output folder holds of ours."""
        self._archive = archive
        self._output_dir = options.output_dir
        self._before = before
        self._settings = SiteSettings(
            title=options.title,
            theme=options.theme,
            has_html=Format.HTML in options.formats,
            has_markdown=Format.MARKDOWN in options.formats,
            detail=options.detail,
            has_front_matter=options.has_front_matter,
            base_url=options.base_url,
            is_public=options.is_public,
            is_redacted=options.redact.is_on,
            has_search=options.has_search
            and Format.HTML in options.formats
            and load_theme(options.theme).has_scripts,
        )
        self._present = {session.name for session in archive.forest.sessions}
        self._vanished = self._load_vanished(choice)
        self.owners: dict[str, set[str]] = {}
        """The sessions that account for each url, once it was yielded."""
        self._images: int = 0

    def is_vanished(self, session: str) -> bool:
        """Return whether `session` was published before, and its source is gone.

        Its pages stay: the CLI deletes sessions after 30 days; an archive outlives them.
        A session that a person left out has not vanished.
        """
        return session in self._vanished

    def iter_outputs(self, executor: Executor, on_progress: OnProgress) -> Iterator[Output]:
        """Yield every file of the site; pages of one family at a time are in memory.

        Raises:
            RedactError: a file holds a value that was found to be secret. Nothing has been
                written by then.
        """
        search = LeakSearch(self._archive.redaction.secrets)
        for output in self._iter_unchecked(executor, on_progress):
            search.check(output.url, output.body)
            self._images += output.url.endswith(PICTURE_SUFFIXES)
            yield output

    def _iter_unchecked(
        self, executor: Executor, on_progress: OnProgress
    ) -> Iterator[Output]:
        with Words(self._output_dir, self._words_of_vanished()) as words:
            for output in self._iter_pages(executor, on_progress):
                words.take(output)
                yield output
            if self._settings.has_search:
                on_progress("indexing words", 0, 1)
                yield from words.index(self._before.files)
                on_progress("indexing words", 1, 1)

    def _iter_pages(self, executor: Executor, on_progress: OnProgress) -> Iterator[Output]:
        fresh: list[SessionFacts] = []
        draw = partial(render_family, settings=self._settings)
        archive = self._archive
        families = iter_families(archive.forest, archive.description, self._around())
        for _, drawn in iter_done(executor, draw, families):
            self._own(drawn.owners)
            yield from drawn.outputs
            fresh += drawn.facts
            on_progress("drawing sessions", len(fresh), len(self._present))
        for stub, session in stubs(fresh, self._settings, self._before.files):
            self._own({stub.url: (session,)})
            yield stub
        facts = [*fresh, *self._vanished.values()]
        lists = render_lists(facts, self._settings, self._reading())
        self._own(lists.owners)
        yield from lists.outputs
        if self._settings.has_html:
            for asset in load_theme(self._settings.theme).assets():
                yield Output(asset.url, asset.body)

    def _words_of_vanished(self) -> list[str]:
        urls = (words_url(session) for session in sorted(self._vanished))
        return [url for url in urls if url in self._before.files]

    def _own(self, owners: Mapping[str, Iterable[str]]) -> None:
        for url, sessions in owners.items():
            self.owners.setdefault(url, set()).update(sessions)

    def _around(self) -> Surroundings:
        issues: dict[str, list[Issue]] = {}
        for issue in self._archive.issues:
            issues.setdefault(issue.session, []).append(issue)
        return Surroundings(
            projects=self._archive.projects,
            sources={
                number: SourceRef(
                    str(file.location),
                    file.file,
                    str(file.tool_results_dir),
                    self._archive.redaction.mask(file.session),
                )
                for number, file in enumerate(self._archive.found.files)
            },
            issues={session: tuple(found) for session, found in issues.items()},
            asides=self._archive.asides,
        )

    def _reading(self) -> Reading:
        types: Counter[str] = Counter()
        fields: Counter[str] = Counter()
        redactions: Counter[str] = Counter()
        for counts in self._archive.counts:
            types.update(dict(counts.types))
            fields.update(dict(counts.unknown_fields))
            redactions.update(dict(counts.redactions))
        return Reading(
            issues=self._archive.issues,
            types=types,
            fields=fields,
            redactions=redactions,
            images=self._images,
        )

    def _load_vanished(self, choice: Choice) -> dict[str, SessionFacts]:
        """Return what an earlier build said of sessions that are not in the input now."""
        vanished: dict[str, SessionFacts] = {}
        for url, listed in sorted(self._before.files.items()):
            for session in listed.sessions:
                if session in self._present or url != facts_url(session):
                    continue
                facts = _load_facts(self._output_dir / url)
                if facts is None or facts.session in self._archive.found.ignored:
                    continue
                if choice.takes(facts.session, facts.project):
                    vanished[session] = facts
        return vanished


def _load_facts(file: Path) -> SessionFacts | None:
    try:
        return parse_session_facts(file.read_bytes())
    except OSError:
        return None  # Someone deleted it: then nothing is left to list.
