"""Pictures made here, with names and places in all that stands beside their pixels."""

from __future__ import annotations

import struct
import zlib

import pytest

from everyleaf.render.pictures import strip_metadata

TOLD = b"Berthold, 52.5200 N 13.4050 E"


def png():
    def chunk(kind, data):
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0\x7f"))
    beside = [
        chunk(b"tEXt", b"Author\0" + TOLD),
        chunk(b"zTXt", b"Comment\0\0" + zlib.compress(TOLD)),
        chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + TOLD),
        chunk(b"eXIf", b"MM\0*" + TOLD),
    ]
    kept = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), pixels, chunk(b"IEND", b"")]
    return b"".join([*kept[:2], *beside, *kept[2:], TOLD]), b"".join(kept)


def segment(marker, data):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data


def exif(order, orientation, told=TOLD):
    entry = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0)
    artist = struct.pack(f"{order}HHII", 0x013B, 2, len(told), 38)
    mark = b"MM\0*" if order == ">" else b"II*\0"
    tiff = mark + struct.pack(f"{order}IH", 8, 2) + entry + artist + bytes(4) + told
    return segment(0xE1, b"Exif\0\0" + tiff)


def jpeg(*exifs):
    kept = segment(0xDB, bytes(65)) + segment(0xDA, b"\1\1\0\0\x3f\0") + b"\x12\xff\x00\x34"
    beside = (
        segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + TOLD)
        + segment(0xED, b"Photoshop 3.0\0" + TOLD)
        + segment(0xFE, TOLD)
    )
    body = b"\xff\xd8" + b"".join(exifs) + beside + kept + b"\xff\xd9" + TOLD
    return body, kept + b"\xff\xd9"


def gif():
    head = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + bytes(6)
    pixels = b"\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\2\2\x44\1\0"
    comment = b"\x21\xfe" + bytes([len(TOLD)]) + TOLD + b"\0"
    xmp = b"\x21\xff\x0bXMP DataXMP" + bytes([len(TOLD)]) + TOLD + b"\0"
    return head + comment + xmp + pixels + b"\x3b" + TOLD, head + pixels + b"\x3b"


def webp():
    def chunk(kind, data):
        return kind + struct.pack("<I", len(data)) + data + bytes(len(data) & 1)

    def whole(*chunks):
        body = b"WEBP" + b"".join(chunks)
        return b"RIFF" + struct.pack("<I", len(body)) + body

    flags, size, pixels = b"\x0c\0\0\0", bytes(6), chunk(b"VP8L", b"\x2f" + bytes(6))
    told = (chunk(b"EXIF", TOLD), chunk(b"XMP ", TOLD))
    stripped = whole(chunk(b"VP8X", bytes(4) + size), pixels)
    return whole(chunk(b"VP8X", flags + size), pixels, *told), stripped


@pytest.mark.parametrize(("suffix", "make"), [("png", png), ("gif", gif), ("webp", webp)])
def test_nothing_beside_the_pixels_is_published(suffix, make):
    body, pixels = make()

    assert strip_metadata(body, suffix) == pixels


def test_of_a_photograph_only_the_pixels_and_their_turn_are_published():
    body, pixels = jpeg(exif("<", 6))

    stripped = strip_metadata(body, "jpg")

    assert stripped == b"\xff\xd8" + turned(6) + pixels


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("turn", range(2, 9))
def test_the_turn_of_a_photograph_is_read_in_both_byte_orders(order, turn):
    body, _ = jpeg(exif(order, turn))

    assert turned(turn) in strip_metadata(body, "jpg")


@pytest.mark.parametrize(
    "odd",
    [
        exif(">", 1),
        exif(">", 9),
        segment(0xE1, b"Exif\0\0"),
        segment(0xE1, b"Exif\0\0MM\0*" + b"\xff" * 4 + TOLD),
        segment(0xE1, b"Exif\0\0MM\0*" + struct.pack(">IH", 8, 65535)),
    ],
)
def test_what_is_no_turn_leaves_nothing(odd):
    body, pixels = jpeg(odd)

    assert strip_metadata(body, "jpg") == b"\xff\xd8" + pixels


def turned(turn):
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, turn, 0)
    tiff = b"MM\0*" + struct.pack(">IH", 8, 1) + entry + bytes(4)
    return segment(0xE1, b"Exif\0\0" + tiff)
