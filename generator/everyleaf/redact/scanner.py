"""One run of the secret scanner over chunk files; nothing leaves the machine."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import orjson

from everyleaf.digest import digest_hex
from everyleaf.errors import RedactError
from everyleaf.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from everyleaf.config import OwnRule

RULES_FILE = Path(__file__).parent / "rules" / "everyleaf.yml"
_FOUND = (0, 200, 205)
"""Exit codes of a scan that went through: nothing found, something found."""
_HINT = "install the scanner (pip install kingfisher-bin), or publish without: --no-redact"
_OWN = "own."
_OWN_HINT = (
    "see whether each pattern in [redact] can be matched in linear time: without"
    " look-around and back-references, and never nothing at all"
)
_ENVIRONMENT = ("SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG")
"""What the scanner needs of the environment; no setting of its own comes in by it."""


class Hit(NamedTuple):
    """A finding as the scanner tells it."""

    rule: str
    value: str
    line: int
    """1-based, of the chunk file."""
    column: int
    """0-based, in bytes."""

    @property
    def is_own(self) -> bool:
        """Return whether a person's own pattern found it."""
        return self.rule.startswith(_OWN)


@dataclass(frozen=True, slots=True)
class Scanner:
    """What a scan needs: the folder for its compiled rules, and a person's own patterns."""

    cache_dir: Path
    own: tuple[OwnRule, ...] = ()

    def version(self) -> str:
        """Return a digest of all rules: another one, and everything is scanned again.

        Raises:
            RedactError: the scanner is not installed.
        """
        try:
            from kingfisher import __version__  # noqa: PLC0415  (only where it is used)  # pyright: ignore[reportMissingTypeStubs]  (it has none)
        except ImportError as error:
            raise RedactError("the secret scanner is not installed", hint=_HINT) from error

        parts = [str(__version__), digest_hex(RULES_FILE.read_bytes())]
        return digest_hex("\0".join([*parts, _own_yaml(self.own)]).encode())

    def scan(self, chunk_dir: Path, sizes: Mapping[str, int]) -> dict[str, list[Hit]]:
        """Return what was found in the files of `chunk_dir`, by name, in their order.

        `sizes` are the bytes of each file: what the scanner says it read must agree.

        Raises:
            RedactError: the scanner is missing, failed, or did not read everything.
        """
        if not sizes:
            return {}
        rules = ["--rules-path", str(RULES_FILE)]
        if any(rule.pattern for rule in self.own):
            own_file = chunk_dir.parent / "own-rules.yml"
            own_file.write_text(_own_yaml(self.own), encoding="utf-8")
            rules += ["--rules-path", str(own_file)]
        output = self._run([*_OPTIONS, *rules, *self._cache_options(), str(chunk_dir)])
        return _read_hits(output, expected=sum(sizes.values()))

    def _cache_options(self) -> list[str]:
        return ["--rule-cache-dir", str(self.cache_dir)]

    def _run(self, arguments: Sequence[str]) -> bytes:
        environment = {k: os.environ[k] for k in _ENVIRONMENT if k in os.environ}
        environment |= {"HOME": str(self.cache_dir), "NO_COLOR": "1"}
        try:
            self.cache_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            done = subprocess.run(  # noqa: S603  (our own program, our own arguments)
                [find_scanner(), *arguments],
                capture_output=True,
                check=False,
                env=environment,
                stdin=subprocess.DEVNULL,
            )
        except OSError as error:
            raise RedactError(
                f"the secret scanner cannot be started: {error.strerror or error}",
                hint=_HINT,
            ) from error
        if done.returncode not in _FOUND:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise RedactError(
                f"the secret scanner failed with exit code {done.returncode}"
                f" ({said[0][:200] if said else 'without a word'})",
                hint=_OWN_HINT if any(rule.pattern for rule in self.own) else _HINT,
            )
        return done.stdout


_OPTIONS = (
    *("scan", "--no-validate", "--no-update-check", "--format", "jsonl", "--quiet"),
    *("--no-dedup", "--no-ignore", "--git-history", "none", "--commit-metadata", "false"),
    *("--no-extract-archives", "--max-file-size", "0"),
)
"""Nothing is sent anywhere; no comment in a transcript turns a rule off."""


@cache
def find_scanner() -> str:
    """Return the file of the scanner's program.

    Raises:
        RedactError: it is not installed, or not for this machine.
    """
    try:
        from kingfisher import get_binary_path  # noqa: PLC0415  (only where it is used)  # pyright: ignore[reportMissingTypeStubs]  (it has none)

        return str(get_binary_path())
    except (ImportError, OSError) as error:
        raise RedactError("the secret scanner is not installed", hint=_HINT) from error


def _read_hits(output: bytes, *, expected: int) -> dict[str, list[Hit]]:
    hits: dict[str, list[Hit]] = {}
    scanned = -1
    try:
        for line in output.splitlines():
            told = cast("dict[str, dict[str, object]]", orjson.loads(line))
            if "finding" in told:
                found = told["finding"]
                name = Path(str(found["path"])).name
                hits.setdefault(name, []).append(_hit(str(told["rule"]["id"]), found))
            elif "audit" in told:
                scanned = _bytes_scanned(told["audit"])
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise RedactError(
            "the secret scanner said nothing that can be read", hint=_HINT
        ) from error
    if scanned != expected:
        raise RedactError(
            f"the secret scanner read {scanned} of {expected} bytes", hint=_HINT
        )
    for found_in in hits.values():
        found_in.sort(key=lambda hit: (hit.line, hit.column, hit.rule, hit.value))
    return hits


def _hit(rule: str, found: Mapping[str, object]) -> Hit:
    return Hit(
        rule,
        str(found["snippet"]),
        int(str(found["line"])),
        int(str(found["column_start"])),
    )


def _bytes_scanned(audit: Mapping[str, object]) -> int:
    """Return how much was scanned; -1 where a part failed."""
    total = 0
    for each in cast("list[dict[str, dict[str, object]]]", audit["repositories"]):
        if each["scan"]["status"] != "completed":
            return -1
        total += int(str(each["stats"]["bytes_scanned"]))
    return total


def _own_yaml(own: Sequence[OwnRule]) -> str:
    """Return a person's patterns as a rule file; JSON is YAML, so nothing can break out."""
    rules = [
        {
            "name": rule.kind,
            "id": f"{_OWN}{number}.{rule.kind}",
            "pattern": rule.pattern,
            "min_entropy": 0.0,
            "confidence": "high",
        }
        for number, rule in enumerate(own)
        if rule.pattern
    ]
    return orjson.dumps({"rules": rules}).decode()
