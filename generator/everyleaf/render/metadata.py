"""Pictures without what cameras and programs write beside the pixels: places, names."""

from __future__ import annotations

import struct
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def strip_metadata(body: bytes, suffix: str) -> bytes:
    """Return a picture with its pixels alone; one that breaks off is kept up to there.

    Of what a JPEG says of itself, only how it is turned is kept.

    What stands behind the end of the picture goes, too. Linear.

    Source: the PNG, JPEG (T.81), GIF89a and WebP specifications.
    """
    walks: dict[str, Callable[[bytes], Iterator[bytes]]] = {
        "png": _png,
        "jpg": _jpeg,
        "gif": _gif,
        "webp": _webp,
    }
    parts: list[bytes] = []
    # Cut off, or no such picture: what was walked so far is all there is.
    with suppress(ValueError, IndexError):
        parts.extend(walks[suffix](body))
    return b"".join(parts)


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


def _jpeg(body: bytes) -> Iterator[bytes]:
    yield body[:2]
    at = 2
    while body[at] == 0xFF:
        marker = body[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker == 0xD9:
            yield body[at : at + 2]
            return
        elif marker in _JPEG_BARE:
            yield body[at : at + 2]
            at += 2
        else:
            end = at + 2 + max(2, int.from_bytes(body[at + 2 : at + 4], "big"))
            if marker == _EXIF:
                yield _turn_alone(body[at:end])
            elif marker not in _JPEG_DROPPED:
                yield body[at:end]
            at = end
            if marker == 0xDA:
                end = _scan_end(body, at)
                yield body[at:end]
                at = end


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
