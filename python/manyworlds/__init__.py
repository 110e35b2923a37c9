"""Check, fix, convert and simulate robots: OpenUSD, URDF, MJCF, SDF.

    import manyworlds

    for finding in manyworlds.check("robot.usda"):
        print(finding)
    manyworlds.convert("robot.usda", "robot.urdf")
    with manyworlds.Simulation("robot.urdf", worlds=1024) as simulation:
        simulation.set_targets({"shoulder": 0.5})
        simulation.step(100)
        poses = simulation.body_poses  # numpy, (1024, bodies, 7)

Lengths are metres, angles radians, quaternions x y z w.
"""

from ._asset import Asset, open
from ._commands import Conversion, FixedAsset, check, convert, fix
from ._errors import AssetError, ManyworldsError, UsageError
from ._report import Finding, Place, Report
from ._simulation import Simulation

__all__ = [
    "Asset",
    "AssetError",
    "Conversion",
    "Finding",
    "FixedAsset",
    "ManyworldsError",
    "Place",
    "Report",
    "Simulation",
    "UsageError",
    "check",
    "convert",
    "fix",
    "open",
]
__version__ = "0.1.0"
