"""The archives that builds are measured on; all are made, but for the corpus."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED_DIR = ROOT.parent / "shared"
"""Where the simulator and the corpus lie, beside the checkout; both are not ours."""
EXAMPLE = ROOT / "examples" / "archive"
SESSIONS = 200


@dataclass(frozen=True, slots=True)
class Simulated:
    """An archive of the simulator's, with 14 prompts a session and long outputs."""

    sessions: int
    seed: int = 7

    def make(self, folder: Path) -> Path:
        """Write it below `folder`, and return where; the same arguments, the same bytes.

        Raises:
            FileNotFoundError: The simulator is not there.
        """
        simulator = SHARED_DIR / "tools" / "simulate.py"
        if not simulator.exists():
            raise FileNotFoundError(f"no simulator at {simulator}")
        made = folder / f"seed{self.seed}-{self.sessions}"
        sizes = ["--sessions", str(self.sessions), "--turns", "14", "--payload", "20000"]
        command = [sys.executable, str(simulator), str(made), "--seed", str(self.seed)]
        subprocess.run([*command, *sizes], check=True, capture_output=True)
        return made / "projects"


def find_corpus() -> Path | None:
    """Return the folder of real sessions, where there is one."""
    corpus = SHARED_DIR / "corpus"
    return corpus if corpus.is_dir() else None
