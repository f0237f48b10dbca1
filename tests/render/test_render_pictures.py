"""Pictures: published if their first bytes say that they are pictures."""

from __future__ import annotations

import base64
import struct

import pytest
from hypothesis import given, strategies as st

from everyleaf.render.pictures import PictureFile, picture_blob, strip_metadata

PNG = (
    b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 320, 200) + b"\x08\x02\0\0\0"
)
GIF = b"GIF89a" + struct.pack("<HH", 12, 7) + b"\0\0\0"
JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"
    b"\xff\xff\xc0\x00\x11\x08" + struct.pack(">HH", 30, 40) + b"\x03\x01\x22\0"
)
VP8X = b"RIFF\0\0\0\0WEBPVP8X" + struct.pack("<I", 10) + b"\0\0\0\0\x0f\0\0\x07\0\0"
VP8L = b"RIFF\0\0\0\0WEBPVP8L" + struct.pack("<IB", 10, 0x2F)
VP8L += struct.pack("<I", 15 | 7 << 14) + b"\0" * 8
VP8 = b"RIFF\0\0\0\0WEBPVP8 " + struct.pack("<I", 10) + b"\0\0\0\x9d\x01\x2a"
VP8 += struct.pack("<HH", 16, 8) + b"\0" * 4


def encoded(body: bytes) -> str:
    return base64.b64encode(body).decode()


@pytest.mark.parametrize(
    ("body", "suffix", "size"),
    [
        (PNG, "png", (320, 200)),
        (GIF, "gif", (12, 7)),
        (JPEG, "jpg", (40, 30)),
        (VP8X, "webp", (16, 8)),
        (VP8L, "webp", (16, 8)),
        (VP8, "webp", (16, 8)),
    ],
)
def test_a_picture_has_its_kind_and_size_from_its_own_bytes(
    body: bytes, suffix: str, size: tuple[int, int]
) -> None:
    found = picture_blob(encoded(body), "image/whatever")

    assert isinstance(found, PictureFile)
    assert found.blob.name.endswith(f".{suffix}")
    assert found.blob.body == strip_metadata(body, suffix)
    assert (found.width, found.height) == size


@pytest.mark.parametrize(
    "body", [PNG[:10], GIF[:7], JPEG[:4], VP8X[:20], b"\xff\xd8\xff" * 9]
)
def test_a_picture_that_breaks_off_has_no_size(body: bytes) -> None:
    found = picture_blob(encoded(body))

    assert isinstance(found, PictureFile)
    assert (found.width, found.height) == (0, 0)


def test_line_breaks_and_missing_padding_are_no_trouble() -> None:
    text = encoded(GIF).rstrip("=")

    found = picture_blob(f"{text[:5]}\r\n {text[5:]}")

    assert isinstance(found, PictureFile)
    assert found.blob.body == GIF


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("", "not recorded"),
        ("  \n", "not recorded"),
        ("not base64!", "no valid base64"),
        ("ä", "no valid base64"),
        (encoded(b"<svg onload=alert(1)>"), "no PNG, JPEG, GIF or WebP"),
        (encoded(b"RIFF....AVI "), "no PNG, JPEG, GIF or WebP"),
    ],
)
def test_what_is_no_picture_says_so(data: str, why: str) -> None:
    found = picture_blob(data, "image/svg+xml")

    assert isinstance(found, str)
    assert why in found


@given(
    st.binary(max_size=60), st.sampled_from([PNG[:16], GIF[:6], JPEG[:20], VP8X[:16], b""])
)
def test_no_bytes_make_it_fail(body: bytes, start: bytes) -> None:
    found = picture_blob(encoded(start + body))

    assert isinstance(found, PictureFile | str)
