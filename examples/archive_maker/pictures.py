"""Small pictures that are real files: PNG, GIF and JPEG, drawn without any library."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Sequence

Colour = tuple[int, int, int]
Draw = Callable[[int, int], Colour]

PAPER: Colour = (250, 248, 243)
GRID: Colour = (226, 221, 210)


def png(width: int, height: int, draw: Draw) -> str:
    """Return a true-colour PNG, base64-encoded; `draw` gives each pixel."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)

    rows = b"".join(
        b"\0" + b"".join(bytes(draw(x, y)) for x in range(width)) for y in range(height)
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = (
        chunk(b"IHDR", head) + chunk(b"IDAT", stored_or_packed(rows)) + chunk(b"IEND", b"")
    )
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()


def stored_or_packed(rows: bytes) -> bytes:
    """Return a zlib stream of `rows` that every zlib writes alike.

    `zlib.compress` may differ between zlib and zlib-ng, so runs are packed here with the fixed
    Huffman codes of DEFLATE: a literal, then copies of the pixel or of the row before.
    """
    return FixedDeflate(rows).stream()


class FixedDeflate:
    """A tiny DEFLATE writer: one block, fixed codes, matches at two distances only."""

    LENGTHS = (
        (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1),
        (15, 1), (17, 1), (19, 2), (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3),
        (59, 3), (67, 4), (83, 4), (99, 4), (115, 4), (131, 5), (163, 5), (195, 5), (227, 5),
        (258, 0),
    )  # fmt: skip
    DISTANCES = (
        (1, 0), (2, 0), (3, 0), (4, 0), (5, 1), (7, 1), (9, 2), (13, 2), (17, 3), (25, 3),
        (33, 4), (49, 4), (65, 5), (97, 5), (129, 6), (193, 6), (257, 7), (385, 7), (513, 8),
        (769, 8), (1025, 9), (1537, 9), (2049, 10), (3073, 10), (4097, 11),
    )  # fmt: skip

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.bits = 0
        self.held = 0
        self.out = bytearray()
        row = data.find(b"\0" + data[1:4], 1)
        self.candidates = (3, row) if row > 3 else (3,)

    def stream(self) -> bytes:
        self._put(0b011, 3)
        position = 0
        while position < len(self.data):
            length, distance = max(self._match(position, d) for d in self.candidates)
            if length < 3:
                self._symbol(self.data[position])
                position += 1
            else:
                self._copy(length, distance)
                position += length
        self._symbol(256)
        if self.bits:
            self.out.append(self.held & 255)
        check = struct.pack(">I", zlib.adler32(self.data))
        return b"\x78\x01" + bytes(self.out) + check

    def _match(self, position: int, distance: int) -> tuple[int, int]:
        if distance > position or distance > 4000:
            return (0, distance)
        length = 0
        limit = min(258, len(self.data) - position)
        while (
            length < limit
            and self.data[position + length] == (self.data[position + length - distance])
        ):
            length += 1
        return (length, distance)

    def _put(self, value: int, count: int) -> None:
        self.held |= value << self.bits
        self.bits += count
        while self.bits >= 8:
            self.out.append(self.held & 255)
            self.held >>= 8
            self.bits -= 8

    def _code(self, value: int, count: int) -> None:
        self._put(int(f"{value:0{count}b}"[::-1], 2), count)

    def _symbol(self, symbol: int) -> None:
        if symbol < 144:
            self._code(0x30 + symbol, 8)
        elif symbol < 256:
            self._code(0x190 + symbol - 144, 9)
        elif symbol < 280:
            self._code(symbol - 256, 7)
        else:
            self._code(0xC0 + symbol - 280, 8)

    def _copy(self, length: int, distance: int) -> None:
        index = max(i for i, (base, _) in enumerate(self.LENGTHS) if base <= length)
        base, extra = self.LENGTHS[index]
        self._symbol(257 + index)
        self._put(length - base, extra)
        index = max(i for i, (base, _) in enumerate(self.DISTANCES) if base <= distance)
        base, extra = self.DISTANCES[index]
        self._code(index, 5)
        self._put(distance - base, extra)


def line_chart(
    values: Sequence[float], colour: Colour, width: int = 400, height: int = 240
) -> str:
    """Return a PNG of a line over a grid, base64-encoded."""
    low, high = min(values), max(values)
    top: list[int] = []
    for x in range(width):
        place = x * (len(values) - 1) / width
        index = int(place)
        value = values[index] + (values[index + 1] - values[index]) * (place - index)
        top.append(round((height - 41) * (1 - (value - low) / ((high - low) or 1))) + 20)

    def draw(x: int, y: int) -> Colour:
        near = (top[max(0, x - 1)], top[x])
        if min(near) - 1 <= y <= max(near) + 1:
            return colour
        return GRID if x % 40 == 0 or y % 40 == 0 else PAPER

    return png(width, height, draw)


def screenshot(
    width: int, height: int, boxes: Sequence[tuple[int, int, int, int, Colour]]
) -> str:
    """Return a PNG of filled boxes (left, top, right, bottom, colour) on paper."""

    def draw(x: int, y: int) -> Colour:
        found = PAPER
        for left, top, right, bottom, colour in boxes:
            if left <= x < right and top <= y < bottom:
                found = colour
        return found

    return png(width, height, draw)


def gif(width: int, height: int, is_dark: Callable[[int, int], bool]) -> str:
    """Return a two-colour GIF, base64-encoded."""
    bits, held, out = 0, 0, bytearray()

    def put(code: int) -> None:
        nonlocal bits, held
        held |= code << bits
        bits += 3
        while bits >= 8:
            out.append(held & 255)
            held >>= 8
            bits -= 8

    for index in range(width * height):
        if index % 2 == 0:
            put(4)  # clear often, so that codes stay three bits wide
        put(int(is_dark(index % width, index // width)))
    put(5)
    if bits:
        out.append(held & 255)
    blocks = b"".join(
        bytes([len(out[i : i + 255])]) + bytes(out[i : i + 255])
        for i in range(0, len(out), 255)
    )
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x91, 0, 0)
    palette = bytes([250, 248, 243, 38, 70, 83, 0, 0, 0, 0, 0, 0])
    frame = b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02" + blocks + b"\0;"
    return base64.b64encode(head + palette + frame).decode()


def jpeg(levels: Sequence[Sequence[int]]) -> str:
    """Return a grey JPEG with one 8x8 block for each level (0 to 255), base64-encoded."""
    height, width = len(levels), len(levels[0])

    def segment(marker: int, body: bytes) -> bytes:
        return bytes([255, marker]) + struct.pack(">H", len(body) + 2) + body

    counts = bytes([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    codes: dict[int, str] = {}
    code = 0
    symbol = 0
    for length, count in enumerate(counts, 1):
        for _ in range(count):
            codes[symbol] = f"{code:0{length}b}"
            code, symbol = code + 1, symbol + 1
        code <<= 1
    stream: list[str] = []
    before = 0
    for level in (level for row in levels for level in row):
        value = (level - 128) * 8 // 8
        step, before = value - before, value
        size = abs(step).bit_length()
        coded = step if step >= 0 else step + (1 << size) - 1
        stream.append(codes[size] + (f"{coded:0{size}b}" if size else "") + "0")
    joined = "".join(stream)
    joined += "1" * (-len(joined) % 8)
    body = bytes(int(joined[i : i + 8], 2) for i in range(0, len(joined), 8))
    data = b"".join(
        (
            b"\xff\xd8",
            segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"),
            segment(0xDB, b"\0" + bytes([8] * 64)),
            segment(0xC0, struct.pack(">BHHB", 8, height * 8, width * 8, 1) + b"\1\x11\0"),
            segment(0xC4, b"\0" + counts + bytes(range(12))),
            segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0"),
            segment(0xDA, b"\1\1\0\0\x3f\0"),
            body.replace(b"\xff", b"\xff\0"),
            b"\xff\xd9",
        )
    )
    return base64.b64encode(data).decode()
