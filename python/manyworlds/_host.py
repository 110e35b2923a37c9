"""The other side of `manyworlds host`: calls with arrays over pipes, without JSON for numbers."""

from __future__ import annotations

import json
import struct
import subprocess
import threading
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._errors import AssetError, ManyworldsError, UsageError
from ._program import program
from ._report import Report

_CALL, _ANSWER, _FAILURE = 1, 2, 3


class Host:
    """A process that simulates. Calls come one after the other, from any thread."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [*program(), "host"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self._lock = threading.Lock()
        self.version: str = self._receive()[0]["version"]

    def call(self, name: str, arrays: Mapping[str, np.ndarray] | None = None, **value: Any):
        """Asks for something. Gives what is told, and arrays by name."""
        sent = {key: np.ascontiguousarray(array, "<f8").reshape(-1) for key, array in (arrays or {}).items()}
        told = [{"name": key, "length": array.size} for key, array in sent.items()]
        text = json.dumps({"call": name, **value, "arrays": told}).encode()
        text_size = len(text)
        text += b" " * (-text_size % 8)
        size = 4 + 8 + len(text) + sum(array.nbytes for array in sent.values())
        with self._lock:
            try:
                self._process.stdin.write(struct.pack("<IB3xII", size, _CALL, text_size, 0) + text)
                for array in sent.values():
                    _write_all(self._process.stdin, memoryview(array).cast("B"))
            except (BrokenPipeError, ValueError) as error:
                raise self._gone() from error
            return self._receive()

    def close(self) -> None:
        """Ends the process."""
        if self._process.poll() is None:
            self._process.stdin.close()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process.stdout.close()

    def _receive(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        size, kind = struct.unpack("<IB3x", self._read(8))
        contents = self._read(size - 4)
        text_size = struct.unpack_from("<I", contents)[0]
        value = json.loads(contents[8 : 8 + text_size].tobytes())
        if kind == _FAILURE:
            raise _error_of(value)
        arrays: dict[str, np.ndarray] = {}
        at = 8 + -(-text_size // 8) * 8
        for item in value.pop("arrays"):
            arrays[item["name"]] = np.frombuffer(contents, "<f8", item["length"], at)
            at += 8 * item["length"]
        return value, arrays

    def _read(self, size: int) -> memoryview:
        buffer = bytearray(size)
        view = memoryview(buffer)
        at = 0
        while at < size:
            count = self._process.stdout.readinto(view[at:])
            if not count:
                raise self._gone()
            at += count
        return view

    def _gone(self) -> ManyworldsError:
        return ManyworldsError(f"the simulation ended with status {self._process.wait()}")


def _write_all(stream, view: memoryview) -> None:  # type: ignore[no-untyped-def]
    while view:
        view = view[stream.write(view) :]


def _error_of(value: dict[str, Any]) -> ManyworldsError:
    if value["kind"] == "asset":
        return AssetError(value["message"], Report(value.get("report", {})))
    return UsageError(value["message"]) if value["kind"] == "usage" else ManyworldsError(value["message"])
