"""What pip installed, and a script as people write them in notebooks."""

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import manyworlds

HERE = Path(manyworlds.__file__).parent


def test_the_command_runs_without_node_on_the_path():
    command = Path(sys.executable).parent / "manyworlds"
    done = subprocess.run([command, "--version"], capture_output=True, text=True, env={"PATH": "/nowhere"}, check=False)
    assert done.returncode == 0 and done.stdout.strip() == manyworlds.__version__
    assert importlib.metadata.version("manyworlds") == manyworlds.__version__


def test_the_wheel_names_no_registry_and_no_folder_of_its_builders():
    wrong = re.compile(rb"registry\.npmjs|pypi\.org|/work/")
    for path in sorted(HERE.rglob("*")):
        if path.is_file() and path.suffix in {".py", ".js", ".cjs", ".json", ".css", ".html"}:
            assert not wrong.search(path.read_bytes()), path


def test_types_are_told():
    assert (HERE / "py.typed").exists()


def test_a_notebook_of_cells(robots, tmp_path):
    cells = [
        "import manyworlds, numpy as np",
        f"robot = manyworlds.open({str(robots / 'fox' / 'fox.xml')!r})",
        "sim = robot.simulate(worlds=16, keyframe='standing')",
        "heights = []",
        "for _ in range(20):\n    sim.step(10)\n    heights.append(sim.body_poses[:, sim.body('trunk'), 2])",
        "heights = np.array(heights)",
        "assert heights.shape == (20, 16) and abs(heights[-1] - 0.28).max() < 0.03, heights[-1]",
        "sim.close()",
        f"print(robot.convert({str(tmp_path / 'fox.urdf')!r}).report)",
    ]
    space: dict = {}
    for cell in cells:
        exec(compile(cell, "<cell>", "exec"), space)
    assert (tmp_path / "fox.urdf").exists()


def test_a_simulation_that_nobody_closes_ends_with_the_program(robots):
    code = f"import manyworlds; s = manyworlds.Simulation({str(robots / 'crane' / 'crane.xml')!r}); s.step(); print(s._host._process.pid)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    try:
        os.kill(int(done.stdout), 0)
        raise AssertionError("the process is still there")
    except ProcessLookupError:
        pass
