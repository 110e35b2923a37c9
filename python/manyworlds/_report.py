"""Findings with their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where something was found; what is not known is None."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    prim: str | None = None

    def __str__(self) -> str:
        parts = [str(part) for part in (self.file, self.line, self.column) if part is not None]
        return ":".join(parts) or (self.prim or "")


@dataclass(frozen=True)
class Finding:
    """One thing that was found: a permanent code, how bad it is, a sentence, and where."""

    code: str
    severity: str
    message: str
    place: Place
    #: Everything that the report says about it.
    data: dict[str, Any] = field(repr=False, compare=False, default_factory=dict)

    def __str__(self) -> str:
        where = str(self.place)
        return f"{where}: {self.severity} {self.code}: {self.message}" if where else f"{self.severity} {self.code}: {self.message}"


class Report(Sequence[Finding]):
    """Findings, in the order of the report."""

    def __init__(self, data: dict[str, Any]) -> None:
        #: The report as it came.
        self.data = data
        self._findings = tuple(_finding(item) for item in data.get("diagnostics", []))

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._findings[index]

    def __len__(self) -> int:
        return len(self._findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    @property
    def errors(self) -> list[Finding]:
        return self.of("error")

    @property
    def warnings(self) -> list[Finding]:
        return self.of("warning")

    def of(self, severity: str) -> list[Finding]:
        """Findings that are error, warning, info or hint."""
        return [finding for finding in self if finding.severity == severity]

    def __repr__(self) -> str:
        return f"<Report: {len(self.errors)} errors, {len(self.warnings)} warnings, {len(self)} in all>"


def _finding(item: dict[str, Any]) -> Finding:
    place = Place(item.get("file"), item.get("line"), item.get("column"), item.get("prim"))
    return Finding(item["code"], item["severity"], item["message"], place, item)
