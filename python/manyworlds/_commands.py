"""Check, fix and convert: the commands of the program, with their reports as objects."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ._errors import AssetError, ManyworldsError, UsageError
from ._program import run
from ._report import Report

PathLike = str | os.PathLike[str]
#: Values of options: a flag, a word, or several.
Option = bool | str | float | Iterable[str]


@dataclass(frozen=True)
class FixedAsset:
    """What `fix` did."""

    report: Report
    #: Every edit with its rule, layer and path, and what was left and why.
    plan: dict[str, Any]

    @property
    def edits(self) -> list[dict[str, Any]]:
        return [item for item in self.plan.get("items", [])]


@dataclass(frozen=True)
class Conversion:
    """What `convert` did."""

    report: Report
    #: One entry for every part of the robot: exported, approximated or dropped, with the reason.
    items: list[dict[str, Any]]

    @property
    def losses(self) -> list[dict[str, Any]]:
        """Parts that are not in the new file as they were."""
        return [item for item in self.items if item.get("outcome") != "exported"]


def check(*paths: PathLike, packages: Mapping[str, PathLike] | None = None, **options: Option) -> Report:
    """Finds what is wrong with assets: files, folders or patterns.

    Other options are those of `manyworlds check`, with underscores: `select="R1.1.7"`.
    """
    done = _run("check", [*_words(paths), "--format", "json"], packages, options)
    return Report(_json_of(done))


def fix(
    path: PathLike,
    output: PathLike | None = None,
    *,
    unsafe: bool = False,
    packages: Mapping[str, PathLike] | None = None,
    **options: Option,
) -> FixedAsset:
    """Puts an asset right by REP 0158, in place, or as a copy in the folder `output`.

    `unsafe` also changes geometry, names and values that somebody chose. Other options are those of `manyworlds fix`.
    """
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "plan.json"
        words = [str(path), "--format", "json", "--plan", str(plan)]
        if output is not None:
            words += ["--output", str(output)]
        done = _run("fix", words, packages, {"unsafe": unsafe, **options})
        report = Report(_json_of(done))
        if not plan.exists():
            raise AssetError(_sentence(report, f"'{path}' cannot be fixed"), report)
        return FixedAsset(report, json.loads(plan.read_text("utf-8")))


def convert(
    path: PathLike, output: PathLike, *, packages: Mapping[str, PathLike] | None = None, **options: Option
) -> Conversion:
    """Writes a robot in another format, which the extension of `output` says.

    Options are those of `manyworlds convert`: `to="mjcf"`, `strict=True`, `variant=["/robot:gripper=none"]`.
    """
    done = _run("convert", [str(path), str(output), "--format", "json", "--report", "json"], packages, options)
    report = Report(_last_json(done.stderr) or _last_json(done.stdout) or {})
    items = _last_json(done.stdout) or {}
    if done.returncode == 2 or "items" not in items:
        raise AssetError(_sentence(report, f"'{path}' cannot be converted"), report)
    return Conversion(report, items["items"])


def _run(command, words, packages, options):  # type: ignore[no-untyped-def]
    for name, folder in (packages or {}).items():
        words = [*words, "--package", f"{name}={os.fspath(folder)}"]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words = [*words, flag]
        elif value is False:
            continue
        elif isinstance(value, (str, int, float)):
            words = [*words, flag, str(value)]
        else:
            words = [*words, *(word for each in value for word in (flag, str(each)))]
    done = run([command, *words])
    if done.returncode not in (0, 1, 2):
        raise ManyworldsError(done.stderr.strip() or f"the program ended with status {done.returncode}")
    if done.returncode == 2:
        report = Report(_last_json(done.stdout) or _last_json(done.stderr) or {})
        wrong_use = [finding for finding in report if finding.code == "CLI006"]
        if wrong_use:
            raise UsageError(wrong_use[0].message)
        raise AssetError(_sentence(report, f"{command} cannot use what it was given"), report)
    return done


def _words(paths: Iterable[PathLike]) -> list[str]:
    return [os.fspath(path) for path in paths]


def _json_of(done) -> dict[str, Any]:  # type: ignore[no-untyped-def]
    found = _last_json(done.stdout)
    if found is None:
        raise ManyworldsError(done.stderr.strip() or "the program printed no report")
    return found


def _last_json(text: str) -> dict[str, Any] | None:
    """The object that a text ends with: notes may stand before it."""
    at = 0 if text.startswith("{") else text.rfind("\n{\n") + 1
    if at == 0 and not text.startswith("{"):
        return None
    try:
        return json.loads(text[at:])
    except json.JSONDecodeError:
        return None


def _sentence(report: Report, otherwise: str) -> str:
    return report.errors[0].message if report.errors else otherwise
