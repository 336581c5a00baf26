"""The verifier's findings: one line per thing checked, in three sections that never speak for each other."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Section = Literal["signature", "digests", "recomputation"]
Status = Literal[
    "ok", "failed", "identical", "within_tolerance", "different", "other_version", "nothing_to_run"
]
SECTIONS: tuple[Section, ...] = ("signature", "digests", "recomputation")
BAD: frozenset[Status] = frozenset({"failed", "different"})


class Check(Struct, frozen=True):
    """One thing checked: which part of the file, what came of it, and a word on why."""

    section: Section
    part: str
    status: Status
    message: str

    @property
    def bad(self) -> bool:
        """Whether this check speaks against the file."""
        return self.status in BAD


class Report(Struct, frozen=True):
    """Everything that was checked in one file."""

    checks: list[Check]

    @property
    def good(self) -> bool:
        """Whether nothing speaks against the file."""
        return not any(check.bad for check in self.checks)

    def of(self, section: Section) -> list[Check]:
        """Return one section's checks."""
        return [check for check in self.checks if check.section == section]

    def faults(self) -> list[Check]:
        """Return the checks that speak against the file."""
        return [check for check in self.checks if check.bad]
