"""Which test files are near a module: those that mirror its name, else those that name it,
else those of the modules that use it; first the ones that speak most of what it defines.

just near generator/everyleaf/redact/find.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "generator" / "everyleaf"
MOST = 12

_DEFINED = re.compile(r"(?m)^(?:def |class )?([A-Za-z]\w*)(?:\(| =)")


def near(file: Path) -> list[Path]:
    """Return the test files of the module in `file`, nearest first, a dozen at most."""
    tests = sorted(TESTS.rglob("test_*.py"))
    modules = {_module(one): one for one in PACKAGE.rglob("*.py")}
    name = _module(file.resolve())
    stem = f"test_{'_'.join(name.split('.')[1:])}_"
    mirrors = [test for test in tests if f"{test.stem}_".startswith(stem)]
    if mirrors:
        return mirrors
    beside, seen = TESTS / name.split(".")[1], set[str]()
    around = {name}
    while around:
        found = [test for test in tests if any(_names(test, each) for each in around)]
        if found:
            if seen:  # No test names the module: those beside may run it all the same.
                found += [test for test in tests if test.parent == beside]
            return _ranked(sorted(set(found)), [modules[each] for each in seen or around])[
                :MOST
            ]
        seen |= around
        others = modules.keys() - seen
        around = {one for one in others if any(_names(modules[one], n) for n in around)}
    return []


def _ranked(tests: list[Path], modules: list[Path]) -> list[Path]:
    """Return `tests`, those first that speak most of what `modules` define."""
    defined = {name for one in modules for name in _DEFINED.findall(one.read_text("utf-8"))}
    spoken = re.compile(rf"\b(?:{'|'.join(sorted(defined)) or '$^'})\b")
    return sorted(tests, key=lambda test: -len(spoken.findall(test.read_text("utf-8"))))


def _module(file: Path) -> str:
    return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)


def _names(file: Path, module: str) -> bool:
    """Return whether the code in `file` has the name of `module`, as a whole."""
    package, _, name = module.rpartition(".")
    text = file.read_text("utf-8")
    imported = rf"from {re.escape(package)} import .*\b{name}\b"
    return bool(re.search(rf"\b{re.escape(module)}\b(?!\.py)|{imported}", text))


if __name__ == "__main__":
    sys.stdout.write("\n".join(map(str, near(Path(sys.argv[1])))))
