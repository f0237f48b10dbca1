"""Digests at the end of a JSON file: of other files, and of itself.

    {
     …,
     "files": {
      "transcript_x.md": "0f…"
     },
     "seal": "9c…"
    }

In a repository, a digest in a list of all files would change a line of that list with every
message. Sealed, it stands in the file of the session, which changes anyway. The seal is the
digest of the file as it is without those digits.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from everyleaf.digest import digest_hex

if TYPE_CHECKING:
    from collections.abc import Mapping

_END = re.compile(
    rb',\s*"files":\s*(?P<files>\{[^{}]*\}),\s*"seal":\s*"(?P<seal>[0-9a-f]*)"\n?\}\n'
)
"""Without spaces it is what everyleaf wrote when all of it stood on one line."""

_CLOSE = b"\n}\n"


class Sealed(Struct, frozen=True):
    """A file that `seal` made, read again."""

    body: bytes
    """As it was before it was sealed."""
    digests: Mapping[str, str]
    is_whole: bool
    """Nothing of it has changed since."""


def seal(body: bytes, digests: Mapping[str, str]) -> bytes:
    """Return a JSON object, a line a field, with `digests` of files in it."""
    listed = json.dumps(dict(sorted(digests.items())), indent=1).replace("\n", "\n ")
    start = body.removesuffix(_CLOSE) + f',\n "files": {listed},\n "seal": "'.encode()
    return start + digest_hex(start).encode() + b'"' + _CLOSE


def open_seal(body: bytes) -> Sealed | None:
    r"""Return what was sealed as `body`; None where nothing was.

    What was added behind it breaks the seal, and what it vouches for can still be read.

    >>> open_seal(seal(b'{"a": 1' + b"\n}\n", {"b": "0f"})).is_whole
    True
    """
    found = _END.search(body)
    if found is None:
        return None
    try:
        digests = cast("dict[str, object]", json.loads(found["files"]))
    except ValueError:
        return None
    return Sealed(
        body=body[: found.start()] + _CLOSE,
        digests={url: str(digest) for url, digest in digests.items()},
        is_whole=found.end() == len(body)
        and digest_hex(body[: found.start("seal")]).encode() == found["seal"],
    )
