"""Robots in motion, in one world or thousands."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import UsageError
from ._host import Host
from ._report import Report

#: Arrays that can be written, and sent along with a step.
_WRITABLE = frozenset(
    {
        "body_forces",
        "body_poses",
        "body_velocities",
        "joint_efforts",
        "joint_positions",
        "joint_target_velocities",
        "joint_targets",
        "joint_velocities",
    }
)


class Simulation:
    """A robot or scene in motion.

        with Simulation("arm.urdf", worlds=100) as simulation:
            simulation.set_targets({"shoulder": 0.5})
            simulation.step(500)
            simulation.body_poses  # (100, bodies, 7)

    Arrays are copies: reading one asks for it, assigning one sends it. `step(steps, read=(…))` brings some along.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        worlds: int | None = None,
        solver: str | None = None,
        dt: float | None = None,
        threads: int | None = None,
        floating: bool | None = None,
        ground: bool | None = None,
        keyframe: str | None = None,
        tells_contacts: bool | None = None,
        packages: Mapping[str, str | os.PathLike[str]] | None = None,
        roots: Sequence[str | os.PathLike[str]] = (),
        **options: Any,
    ) -> None:
        """Opens a robot (OpenUSD, URDF, MJCF, SDF) or a scene. Other options are those of `Simulation` in JavaScript."""
        given = {
            "worlds": worlds,
            "solver": solver,
            "dt": dt,
            "threads": threads,
            "floating": floating,
            "ground": ground,
            "keyframe": keyframe,
            "tellsContacts": tells_contacts,
            "packages": None if packages is None else {name: os.fspath(folder) for name, folder in packages.items()},
            "roots": [os.fspath(folder) for folder in roots] or None,
            **options,
        }
        self._host = Host()
        try:
            told, _ = self._host.call(
                "open",
                path=os.path.abspath(os.fspath(path)),
                options={name: value for name, value in given.items() if value is not None},
            )
        except BaseException:
            self._host.close()
            raise
        self._number: int = told["simulation"]
        self._rows: dict[str, list[int]] = told["arrayRows"]
        self._starts: dict[str, list[int]] = told["jointStarts"]
        self._failures: list[dict[str, Any]] = []
        #: Simulated time [s].
        self.time = 0.0
        #: Time step [s].
        self.dt: float = told["dt"]
        self.world_count: int = told["worlds"]
        #: Format of the file: usd, urdf, mjcf, sdf or scene.
        self.format: str = told["format"]
        self.body_names: list[str] = told["bodyNames"]
        self.joint_names: list[str] = told["jointNames"]
        #: States that the file names, to start from with `keyframe`.
        self.keyframes: list[str] = told["keyframes"]
        #: What computes the steps, where the solver has several ways.
        self.engine: str | None = told["engine"]
        #: What was found while the file was opened, and what the solver cannot do with it.
        self.report = Report(told["report"])

    def step(self, steps: int = 1, *, read: Iterable[str] = (), **arrays: np.ndarray) -> dict[str, np.ndarray]:
        """Takes steps. Arrays that are given by name are written before, those of `read` come back."""
        names = list(read)
        told, found = self._call("step", self._outgoing(arrays), steps=int(steps), read=names)
        self.time = told["time"]
        self._failures = told["failures"]
        return {name: self._shaped(name, found[name]) for name in names}

    def read(self, *names: str) -> dict[str, np.ndarray]:
        """Several arrays at once."""
        _, found = self._call("read", read=list(names))
        return {name: self._shaped(name, found[name]) for name in names}

    def write(self, **arrays: np.ndarray) -> None:
        """Several arrays at once."""
        self._call("write", self._outgoing(arrays))

    def set_targets(self, targets: Mapping[str, float | Sequence[float]], world: int | None = None) -> None:
        """Sets targets of drives by joint name [rad, m], in one world or in all. Joints without gains stay limp."""
        self._call("targets", targets=_plain(targets), **_optional(world=world))

    def set_target_velocities(self, targets: Mapping[str, float | Sequence[float]], world: int | None = None) -> None:
        """Sets target velocities of drives by joint name [rad/s, m/s]."""
        self._call("target velocities", targets=_plain(targets), **_optional(world=world))

    def set_gains(self, gains: Mapping[str, Mapping[str, float]], world: int | None = None) -> None:
        """Sets gains of drives: `{"elbow": {"stiffness": 40, "damping": 4}}`."""
        self._call("gains", gains={name: dict(own) for name, own in gains.items()}, **_optional(world=world))

    def reset(self, worlds: Sequence[bool] | np.ndarray | None = None) -> None:
        """Puts worlds back to the start: all, or those whose entry is true."""
        mask = None if worlds is None else [int(bool(each)) for each in worlds]
        self._call("reset", **_optional(mask=mask))

    def hash(self) -> str:
        """A number for the bits of the whole state: the same run gives the same."""
        return self._call("hash")[0]["hash"]

    @property
    def findings(self) -> Report:
        """What is wrong with the motion so far: energy that came from nothing."""
        return Report(self._call("findings")[0]["report"])

    @property
    def failures(self) -> list[dict[str, Any]]:
        """Worlds that could not go on, with step and reason; they stay as they are until they are reset."""
        return self._failures

    def body(self, name: str) -> int:
        """Index of a body among those of a world, by its name or the last part of it."""
        return _index(self.body_names, name, "body")

    def coordinate(self, joint: str) -> int:
        """Index of the first coordinate of a joint among those of a world."""
        index = _index(self.joint_names, joint, "joint")
        return self._starts["coordinate"][index] - self._starts["coordinate"][0]

    def dof(self, joint: str) -> int:
        """Index of the first degree of freedom of a joint among those of a world."""
        index = _index(self.joint_names, joint, "joint")
        return self._starts["dof"][index] - self._starts["dof"][0]

    def close(self) -> None:
        """Ends the simulation and its process."""
        if not self._host:
            return
        host, self._host = self._host, None
        host.close()

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_host", None):
            self.close()

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name not in self._rows:
            raise AttributeError(f"a simulation has no '{name}'")
        return self.read(name)[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _WRITABLE:
            self.write(**{name: value})
        else:
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._rows]

    def _call(self, name: str, arrays: Mapping[str, np.ndarray] | None = None, **value: Any):
        if not self._host:
            raise UsageError("the simulation was closed")
        return self._host.call(name, arrays, simulation=self._number, **value)

    def _shape(self, name: str) -> tuple[int, ...]:
        if name not in self._rows:
            raise UsageError(f"unknown array '{name}', expected one of {', '.join(self._rows)}")
        rows, width = self._rows[name]
        per_world = rows // self.world_count
        # scenes may hold bodies of no world, or worlds that differ
        head = (self.world_count, per_world) if per_world * self.world_count == rows else (rows,)
        return head if width == 1 else (*head, width)

    def _shaped(self, name: str, numbers: np.ndarray) -> np.ndarray:
        return numbers.reshape(self._shape(name))

    def _outgoing(self, arrays: Mapping[str, Any]) -> dict[str, np.ndarray]:
        out = {}
        for name, value in arrays.items():
            shape = self._shape(name)
            if name not in _WRITABLE:
                raise UsageError(f"array '{name}' is read only")
            try:
                out[name] = np.broadcast_to(np.asarray(value, float), shape)
            except ValueError as error:
                raise UsageError(f"array '{name}' has the shape {np.shape(value)}, expected {shape}") from error
        return out


def _plain(targets: Mapping[str, float | Sequence[float]]) -> dict[str, float | list[float]]:
    return {name: float(value) if np.ndim(value) == 0 else [float(part) for part in value] for name, value in targets.items()}


def _optional(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _index(names: list[str], name: str, kind: str) -> int:
    if name in names:
        return names.index(name)
    found = [i for i, each in enumerate(names) if each.endswith("/" + name)]
    if len(found) == 1:
        return found[0]
    raise UsageError(f"{len(found)} of kind {kind} are called '{name}', expected one of {', '.join(names)}")
