"""A robot file, and what can be done with it."""

from __future__ import annotations

import builtins
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _commands
from ._errors import AssetError
from ._report import Report
from ._simulation import Simulation


@dataclass(frozen=True)
class Asset:
    """A robot (OpenUSD, URDF, MJCF, SDF) or a scene (YAML, JSON) in a file."""

    path: Path

    def check(self, **options: Any) -> Report:
        return _commands.check(self.path, **options)

    def fix(self, output: _commands.PathLike | None = None, **options: Any) -> _commands.FixedAsset:
        return _commands.fix(self.path, output, **options)

    def convert(self, output: _commands.PathLike, **options: Any) -> _commands.Conversion:
        return _commands.convert(self.path, output, **options)

    def simulate(self, **options: Any) -> Simulation:
        return Simulation(self.path, **options)


def open(path: str | os.PathLike[str]) -> Asset:
    """Opens a file; raises AssetError when there is none."""
    found = Path(path)
    try:
        with builtins.open(found, "rb"):
            pass
    except OSError as error:
        raise AssetError(f"cannot open '{path}': {error.strerror}", Report({})) from error
    return Asset(found)
