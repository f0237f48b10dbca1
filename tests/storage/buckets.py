"""What tests look for in the bucket of the server that they start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s3fs import S3FileSystem

BUCKET = "team"


def at(name: str) -> Path:
    return Path(f"s3://{BUCKET}/{name}")


def held(bucket: S3FileSystem, name: str) -> dict[str, bytes]:
    start = f"{BUCKET}/{name}/"
    keys = bucket.find(start)
    return {key.removeprefix(start): bucket.cat_file(key) for key in keys}
