"""Pages that stay though their session is gone: do they hold what is masked today?

What is made of sources that are there needs no such look. It is drawn again whenever the
rules, the scanner or what is masked in it change, since all of that goes into what it is
known by. Of a vanished session nothing is left to draw from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.cachedir import default_cache_dir
from everyleaf.errors import RedactError
from everyleaf.fingerprint import digest_value
from everyleaf.redact.leaks import LeakSearch
from everyleaf.redact.scanner import Scanner
from everyleaf.redact.sitescan import audit_files, with_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from everyleaf.config import RedactOptions
    from everyleaf.redact.redaction import Secret

_SHOWN = 5


def check_kept(
    kept: Mapping[str, tuple[Path, str]],
    options: RedactOptions,
    secrets: tuple[Secret, ...],
    *,
    passed: str,
) -> str:
    """Return a digest of all that was looked at and for, once nothing was found.

    `kept` has the place and the digest of each file by url. Where what is returned would be
    `passed`, which an earlier build got, nothing is read: neither the files nor the rules
    nor the values found in sources are others. Places are not looked for: without the
    session, nobody knows whose they are.

    Raises:
        RedactError: a file holds what is masked today, or the scanner cannot run.
    """
    if not kept or not options.is_on:
        return ""
    looked_for = _rules(options), options, secrets
    digests = sorted((url, digest) for url, (_, digest) in kept.items())
    made_of = digest_value([repr(looked_for), digests])
    if made_of == passed:
        return made_of
    places = {url: place for url, (place, _) in sorted(kept.items())}
    search = LeakSearch(secrets)
    found = {(one.place, one.kind) for one in audit_files(places, options)}
    for url, place in places.items():
        found |= {(url, kind) for kind in search.kinds_in(url, place.read_bytes())}
    if found:
        shown = ", ".join(f"{url}: {kind}" for url, kind in sorted(found)[:_SHOWN])
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise RedactError(
            f"pages of sessions that are gone hold what is masked today: {shown}{more}",
            hint="take them down (--exclude SESSION, or --prune for all of them), or allow"
            " the values in [redact]; until then the site stays as it is",
        )
    return made_of


def _rules(options: RedactOptions) -> str:
    return Scanner(default_cache_dir() / "rules", with_words(options).own).version()
