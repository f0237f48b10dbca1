"""What tests look for in the bucket of the server that they start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest
    from s3fs import S3FileSystem

BUCKET = "team"


def at(name: str) -> Path:
    return Path(f"s3://{BUCKET}/{name}")


def held(bucket: S3FileSystem, name: str) -> dict[str, bytes]:
    start = f"{BUCKET}/{name}/"
    keys = bucket.find(start)
    return {key.removeprefix(start): bucket.cat_file(key) for key in keys}


def let_in(patch: pytest.MonkeyPatch, server: str) -> None:
    """Have this process, and those that it starts, find the bucket."""
    patch.setenv("AWS_ENDPOINT_URL", server)
    patch.setenv("AWS_ACCESS_KEY_ID", "ada")
    patch.setenv("AWS_SECRET_ACCESS_KEY", "no secret")
    patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
