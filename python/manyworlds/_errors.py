"""What goes wrong."""

from __future__ import annotations

from ._report import Report


class ManyworldsError(Exception):
    """The program behind this package failed, or is gone."""


class UsageError(ManyworldsError, ValueError):
    """A call that makes no sense: an unknown joint, an array of the wrong shape."""


class AssetError(ManyworldsError):
    """There is nothing to work with: no such file, or one that cannot be used at all."""

    def __init__(self, message: str, report: Report) -> None:
        reasons = [finding.message for finding in report.errors if finding.message != message]
        super().__init__(f"{message}: {reasons[0]}" if reasons else message)
        #: What was found on the way.
        self.report = report
