"""Pictures of a transcript: recorded as base64, published as blobs if they are pictures.

What counts is the first bytes, never the recorded media type: nothing but the four raster
formats is published, so that no SVG or HTML can arrive as a picture.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.digest import digest_hex
from everyleaf.outputs import Blob
from everyleaf.render.metadata import strip_metadata

if TYPE_CHECKING:
    from collections.abc import Callable

Size = tuple[int, int]
"""Width and height in pixels."""


class PictureFile(Struct, frozen=True):
    """A picture that can be shown; both lengths are 0 where its header does not say."""

    blob: Blob
    width: int
    height: int


def picture_blob(data: str, media_type: str = "") -> PictureFile | str:
    """Return the picture in `data` (base64), or why there is none, in words for a reader.

    Source: the headers as in the PNG, GIF89a, JPEG (T.81) and WebP specifications.
    """
    compact = "".join(data.split())
    if not compact:
        return "the picture was not recorded"
    try:
        body = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError):
        return "the recorded picture is broken (no valid base64)"
    for suffix, fits, size_of in _FORMATS:
        if fits(body):
            body = strip_metadata(body, suffix)
            width, height = size_of(body)
            return PictureFile(Blob(f"{digest_hex(body)}.{suffix}", body), width, height)
    named = f" {media_type!r}" if media_type else ""
    return f"the recorded picture{named} is no PNG, JPEG, GIF or WebP"


def _is_png(body: bytes) -> bool:
    return body.startswith(b"\x89PNG\r\n\x1a\n")


def _is_jpeg(body: bytes) -> bool:
    return body.startswith(b"\xff\xd8\xff")


def _is_gif(body: bytes) -> bool:
    return body.startswith((b"GIF87a", b"GIF89a"))


def _is_webp(body: bytes) -> bool:
    return body.startswith(b"RIFF") and body[8:12] == b"WEBP"


def _png_size(body: bytes) -> Size:
    if body[12:16] != b"IHDR" or len(body) < 24:
        return (0, 0)
    return (int.from_bytes(body[16:20], "big"), int.from_bytes(body[20:24], "big"))


def _gif_size(body: bytes) -> Size:
    if len(body) < 10:
        return (0, 0)
    return (int.from_bytes(body[6:8], "little"), int.from_bytes(body[8:10], "little"))


def _jpeg_size(body: bytes) -> Size:
    """Walk the segments up to the frame header; each step moves on, so this ends."""
    at = 2
    while at + 9 <= len(body) and body[at] == 0xFF:
        marker = body[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height = int.from_bytes(body[at + 5 : at + 7], "big")
            return (int.from_bytes(body[at + 7 : at + 9], "big"), height)
        at += 2 + max(2, int.from_bytes(body[at + 2 : at + 4], "big"))
    return (0, 0)


def _webp_size(body: bytes) -> Size:
    chunk = body[12:16]
    if len(body) < 30:
        return (0, 0)
    if chunk == b"VP8X":
        width = int.from_bytes(body[24:27], "little") + 1
        return (width, int.from_bytes(body[27:30], "little") + 1)
    if chunk == b"VP8L":
        bits = int.from_bytes(body[21:25], "little")
        return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    width = int.from_bytes(body[26:28], "little") & 0x3FFF
    return (width, int.from_bytes(body[28:30], "little") & 0x3FFF)


PICTURE_SUFFIXES = (".png", ".jpg", ".gif", ".webp")
"""How the names of published pictures end."""

_FORMATS: tuple[tuple[str, Callable[[bytes], bool], Callable[[bytes], Size]], ...] = (
    ("png", _is_png, _png_size),
    ("jpg", _is_jpeg, _jpeg_size),
    ("gif", _is_gif, _gif_size),
    ("webp", _is_webp, _webp_size),
)
