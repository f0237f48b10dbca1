"""Pictures of a transcript: recorded as base64, published as blobs if they are pictures.

What counts is the first bytes, never the recorded media type: nothing but the four raster
formats is published, so that no SVG or HTML can arrive as a picture. What cameras and
programs write beside the pixels (places, names) is left out.

Source: the PNG, GIF89a, JPEG (T.81) and WebP specifications.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Literal, NamedTuple

from msgspec import Struct

from everyleaf.digest import digest_hex
from everyleaf.outputs import Blob

Size = tuple[int, int]
"""Width and height in pixels."""

_PNG_HEAD = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset(
    {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT"}
    | {b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT", b"cICP"}
)
_JPEG_DROPPED = frozenset({*range(0xE1, 0xEE), 0xEF, 0xFE})
"""APP1 (Exif, XMP) to APP15 but APP14, which says how colours are stored, and comments."""
_EXIF = 0xE1
_EXIF_HEAD = b"Exif\0\0"
_ORIENTATION = 0x0112
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD8)})
_WEBP_KEPT = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"})
_WEBP_METADATA = 0b0010_1100
"""Flags of VP8X: a colour profile, Exif and XMP follow."""


class PictureFile(Struct, frozen=True):
    """A picture that can be shown; both lengths are 0 where its header does not say."""

    blob: Blob
    width: int
    height: int


def picture_blob(data: str, media_type: str = "") -> PictureFile | str:
    """Return the picture in `data` (base64), or why there is none, for a reader."""
    compact = "".join(data.split())
    if not compact:
        return "the picture was not recorded"
    try:
        body = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError):
        return "the recorded picture is broken (no valid base64)"
    for suffix, form in _FORMATS.items():
        if form.head.match(body):
            body = strip_metadata(body, suffix)
            width, height = form.size(body)
            return PictureFile(Blob(f"{digest_hex(body)}.{suffix}", body), width, height)
    named = f" {media_type!r}" if media_type else ""
    return f"the recorded picture{named} is no PNG, JPEG, GIF or WebP"


def strip_metadata(body: bytes, suffix: str) -> bytes:
    """Return a picture with its pixels alone; one that breaks off is kept up to there.

    Of what a JPEG says of itself, only how it is turned is kept. What stands behind the end
    of the picture goes, too. Linear.
    """
    parts: list[bytes] = []
    # Cut off, or no such picture: what was walked so far is all there is.
    with suppress(ValueError, IndexError):
        parts.extend(_FORMATS[suffix].parts(body))
    return b"".join(parts)


def _png_size(body: bytes) -> Size:
    if body[12:16] != b"IHDR" or len(body) < 24:
        return (0, 0)
    return (int.from_bytes(body[16:20], "big"), int.from_bytes(body[20:24], "big"))


def _gif_size(body: bytes) -> Size:
    if len(body) < 10:
        return (0, 0)
    return (int.from_bytes(body[6:8], "little"), int.from_bytes(body[8:10], "little"))


def _jpeg_size(body: bytes) -> Size:
    with suppress(IndexError):
        for marker, start, end in _jpeg_segments(body):
            is_frame = 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}
            if is_frame and end - start >= 9:
                height, width = struct.unpack(">HH", body[start + 5 : start + 9])
                return (width, height)
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


def _png(body: bytes) -> Iterator[bytes]:
    yield _PNG_HEAD
    at, kind = len(_PNG_HEAD), b""
    while kind != b"IEND" and at < len(body):
        size = int.from_bytes(body[at : at + 4], "big")
        chunk = body[at : at + 12 + size]
        kind = chunk[4:8]
        if kind in _PNG_KEPT:
            yield chunk
        at += 12 + size


def _jpeg_segments(body: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the marker of each segment, where it starts and where it ends."""
    at = 2
    while body[at] == 0xFF:
        marker = body[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        length = 0
        if marker != 0xD9 and marker not in _JPEG_BARE:
            length = max(2, int.from_bytes(body[at + 2 : at + 4], "big"))
        end = at + 2 + length
        if marker == 0xDA:
            end = _scan_end(body, end)
        yield marker, at, end
        if marker == 0xD9:
            return
        at = end


def _jpeg(body: bytes) -> Iterator[bytes]:
    yield body[:2]
    for marker, start, end in _jpeg_segments(body):
        if marker == _EXIF:
            yield _turn_alone(body[start:end])
        elif marker not in _JPEG_DROPPED:
            yield body[start:end]


def _turn_alone(segment: bytes) -> bytes:
    """Return an Exif segment that says how a photograph is turned and nothing else.

    Without it, one that was taken upright would lie on its side. Empty where it says
    nothing of that. Source: Exif 2.32, §4.6.4 (tag 274).
    """
    head, tiff = segment[4:10], segment[10:]
    if head != _EXIF_HEAD:
        return b""
    order: Literal["little", "big"] = "little" if tiff[:2] == b"II" else "big"

    def number(at: int, size: int) -> int:
        return int.from_bytes(tiff[at : at + size], order)

    first = number(4, 4)
    for at in range(first + 2, first + 2 + 12 * number(first, 2), 12):
        turn = number(at + 8, 2)
        if number(at, 2) == _ORIENTATION and 2 <= turn <= 8:
            entry = struct.pack(">HHIHH", _ORIENTATION, 3, 1, turn, 0)
            alone = _EXIF_HEAD + b"MM\0*" + struct.pack(">IH", 8, 1) + entry + bytes(4)
            return b"\xff\xe1" + struct.pack(">H", len(alone) + 2) + alone
    return b""


def _scan_end(body: bytes, at: int) -> int:
    """Return where the entropy-coded data that begins at `at` ends: at the next marker."""
    while 0 <= (found := body.find(b"\xff", at)) < len(body) - 1:
        if body[found + 1] != 0 and not 0xD0 <= body[found + 1] <= 0xD7:
            return found
        at = found + 2
    return len(body)


def _gif(body: bytes) -> Iterator[bytes]:
    at = 13 + _colours(body[10] if len(body) > 10 else 0)
    yield body[:at]
    while at < len(body):
        start = at
        kind = body[at]
        if kind == 0x2C:
            at = _blocks_end(body, at + 11 + _colours(body[at + 9]))
            yield body[start:at]
        elif kind == 0x21:
            at = _blocks_end(body, at + 2)
            is_loop = body[start + 3 : start + 14] == b"NETSCAPE2.0"
            if body[start + 1] == 0xF9 or (body[start + 1] == 0xFF and is_loop):
                yield body[start:at]
        else:
            yield b"\x3b"
            return


def _colours(flags: int) -> int:
    """Return the size of the colour table that `flags` announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _blocks_end(body: bytes, at: int) -> int:
    while at < len(body) and body[at]:
        at += 1 + body[at]
    return at + 1


def _webp(body: bytes) -> Iterator[bytes]:
    chunks: list[bytes] = []
    at = 12
    while at + 8 <= len(body):
        size = int.from_bytes(body[at + 4 : at + 8], "little")
        chunk = body[at : at + 8 + size + (size & 1)]
        if chunk[:4] == b"VP8X" and size:
            chunk = chunk[:8] + bytes([chunk[8] & ~_WEBP_METADATA]) + chunk[9:]
        if chunk[:4] in _WEBP_KEPT:
            chunks.append(chunk)
        at += 8 + size + (size & 1)
    yield b"RIFF" + (4 + sum(map(len, chunks))).to_bytes(4, "little") + b"WEBP"
    yield from chunks


class _Format(NamedTuple):
    head: re.Pattern[bytes]
    """What the first bytes are."""
    size: Callable[[bytes], Size]
    parts: Callable[[bytes], Iterator[bytes]]
    """What there is of it without what is told beside the pixels."""


_FORMATS = {
    "png": _Format(re.compile(rb"\x89PNG\r\n\x1a\n"), _png_size, _png),
    "jpg": _Format(re.compile(rb"\xff\xd8\xff"), _jpeg_size, _jpeg),
    "gif": _Format(re.compile(rb"GIF8[79]a"), _gif_size, _gif),
    "webp": _Format(re.compile(rb"(?s)RIFF.{4}WEBP"), _webp_size, _webp),
}
PICTURE_SUFFIXES = tuple(f".{suffix}" for suffix in _FORMATS)
"""How the names of published pictures end."""
