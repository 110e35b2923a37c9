"""Environments of Manyworlds for Gymnasium: one file to copy beside your own, which needs numpy and gymnasium only.

    env = ManyworldsVectorEnv(["node", "serve-cart-pole.js", "64"])
    observations, _ = env.reset(seed=1)
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
    env.close()

The command is a program that calls `serveEnv`. Worlds whose episode ends begin the next in the same step; what they saw last is
`infos["final_obs"]`, for the worlds of `infos["_final_obs"]`.
"""

import json
import struct
import subprocess
from typing import Any, Sequence

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

HELLO, RESET, STEP, OBSERVATIONS, STEPPED, ERROR, CLOSE = range(1, 8)
VERSION = 1


class ManyworldsError(RuntimeError):
    """The environment could not do what it was asked for, or ended."""


class ManyworldsVectorEnv(VectorEnv):
    """Many worlds of one robot in another process, stepped together."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        kind, contents = self._receive()
        if kind != HELLO:
            raise ManyworldsError(f"the program began with a frame of kind {kind}, expected {HELLO}")
        hello = json.loads(contents)
        if hello["version"] != VERSION:
            raise ManyworldsError(f"the program speaks version {hello['version']}, expected {VERSION}")
        self.num_envs = hello["worlds"]
        self.period: float = hello["period"]
        self.observation_fields: list[dict] = hello["observations"]
        self.action_fields: list[dict] = hello["actions"]
        self.single_observation_space = _space(self.observation_fields)
        self.single_action_space = _space(self.action_fields)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begins new episodes in all worlds, or in those of `options["reset_mask"]`."""
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        contents = struct.pack("<d", float("nan") if seed is None else float(seed))
        if mask is not None:
            contents += np.asarray(mask, np.uint8).tobytes()
        answer = self._ask(RESET, contents, OBSERVATIONS)
        return self._rows(answer, 0, len(self.observation_fields)).copy(), {}

    def step(self, actions):
        """Takes the actions of all worlds for one period."""
        sent = np.ascontiguousarray(actions, "<f8")
        if sent.shape != self.action_space.shape:
            raise ValueError(f"actions have the shape {sent.shape}, expected {self.action_space.shape}")
        answer = self._ask(STEP, sent.tobytes(), STEPPED)
        worlds, size = self.num_envs, len(self.observation_fields)
        observations = self._rows(answer, 0, size).copy()
        at = 8 * worlds * size
        rewards = np.frombuffer(answer, "<f8", worlds, at).copy()
        last = self._rows(answer, at + 8 * worlds, size)
        at += 8 * worlds * (1 + size)
        returns = np.frombuffer(answer, "<f8", worlds, at)
        flags = np.frombuffer(answer, np.uint8, 2 * worlds, at + 8 * worlds).astype(bool)
        terminated, truncated = flags[:worlds].copy(), flags[worlds:].copy()
        infos: dict[str, Any] = {}
        over = terminated | truncated
        if over.any():
            infos = {"final_obs": last.copy(), "_final_obs": over, "episode_return": returns.copy(), "_episode_return": over}
        return observations, rewards, terminated, truncated, infos

    def close_extras(self, **_: Any) -> None:
        """Ends the program."""
        if self._process.poll() is None:
            try:
                self._send(CLOSE, b"")
                self._process.stdin.close()
                self._process.wait(10)
            except (OSError, subprocess.TimeoutExpired):
                self._process.kill()
                self._process.wait()
        self._process.stdout.close()

    def _rows(self, answer: bytes, at: int, size: int) -> np.ndarray:
        return np.frombuffer(answer, "<f8", self.num_envs * size, at).reshape(self.num_envs, size)

    def _ask(self, kind: int, contents: bytes, expected: int) -> bytes:
        self._send(kind, contents)
        found, answer = self._receive()
        if found == ERROR:
            raise ManyworldsError(answer.decode())
        if found != expected:
            raise ManyworldsError(f"the program answered with a frame of kind {found}, expected {expected}")
        return answer

    def _send(self, kind: int, contents: bytes) -> None:
        try:
            self._process.stdin.write(struct.pack("<IB3x", len(contents) + 4, kind) + contents)
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise ManyworldsError(f"the program ended with status {self._process.wait()}") from error

    def _receive(self) -> tuple[int, bytes]:
        head = self._process.stdout.read(8)
        if len(head) < 8:
            raise ManyworldsError(f"the program ended with status {self._process.wait()}")
        length, kind = struct.unpack("<IB3x", head)
        contents = self._process.stdout.read(length - 4)
        if len(contents) < length - 4:
            raise ManyworldsError(f"the program ended with status {self._process.wait()}")
        return kind, contents


def _space(fields: list[dict]) -> gymnasium.spaces.Box:
    lower = np.array([field.get("lower", -np.inf) for field in fields])
    upper = np.array([field.get("upper", np.inf) for field in fields])
    return gymnasium.spaces.Box(lower, upper, dtype=np.float64)
