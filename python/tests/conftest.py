"""Robots of the repository, by the folder that MANYWORLDS_EXAMPLES names or the one beside."""

import os
from pathlib import Path

import pytest

EXAMPLES = Path(os.environ.get("MANYWORLDS_EXAMPLES", Path(__file__).parents[2] / "examples"))


@pytest.fixture
def robots() -> Path:
    return EXAMPLES / "robots"


@pytest.fixture
def scenes() -> Path:
    return EXAMPLES / "scenes"
