"""Which test files are near a module: that mirror its name, else that import it.

just near generator/everyleaf/redact/find.py
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).parent


def near(file: Path) -> list[Path]:
    """Return the test files of the module in `file`, sorted."""
    parts = file.resolve().with_suffix("").parts
    module = parts[len(parts) - parts[::-1].index("everyleaf") :]
    mirrors = [
        test
        for test in TESTS.rglob("test_*.py")
        if f"{test.stem}_".startswith(f"test_{'_'.join(module)}_")
    ]
    name = ".".join(("everyleaf", *module))
    return sorted(
        mirrors
        or (t for t in TESTS.rglob("test_*.py") if f" {name} " in t.read_text("utf-8"))
    )


if __name__ == "__main__":
    sys.stdout.write("\n".join(map(str, near(Path(sys.argv[1])))))
