"""Write `examples/archive/`, its README and the table of paths that the tests hold it against.

    python examples/make_archive.py [FOLDER]

Standard library only. The same bytes on every run, so `git diff` shows what a change does.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# These need the line above.
from archive_maker.archive import archive, as_json
from archive_maker.paths import expected
from archive_maker.readme import readme

ROOT = Path(__file__).resolve().parent.parent


def write(root: Path) -> int:
    """Write everything under `root`, which is laid out like this repository."""
    made = archive()
    target = root / "examples" / "archive"
    shutil.rmtree(target, ignore_errors=True)
    outputs = {f"examples/archive/{name}": text for name, text in made.files().items()}
    outputs["tests/examples/expected_paths.json"] = as_json(expected(made.sessions))
    outputs["examples/README.md"] = readme(made.sessions)
    for name, text in outputs.items():
        location = root / name
        location.parent.mkdir(parents=True, exist_ok=True)
        location.write_bytes(text.encode())
    return len(outputs)


if __name__ == "__main__":
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    print(f"wrote {write(root)} files under {root}")
