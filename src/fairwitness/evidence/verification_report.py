"""The verifier's findings: one line per thing checked, in sections that never speak for each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Section = Literal["signature", "timestamp", "digests", "recomputation"]
Status = Literal[
    "ok",
    "failed",
    "unknown_authority",
    "identical",
    "within_tolerance",
    "different",
    "other_version",
    "nothing_to_run",
]
# A time stamp is reported on where one was given.
SECTIONS: tuple[Section, ...] = ("signature", "digests", "recomputation", "timestamp")
# The part that is everything but the evidence.
WHOLE_BODY = "body"
BAD_STATUSES: frozenset[Status] = frozenset({"failed", "different"})


class VerificationCheck(Struct, frozen=True):
    """One thing checked: which part of the file, what came of it, and a word on why."""

    section: Section
    part: str
    status: Status
    message: str

    @property
    def bad(self) -> bool:
        """Whether this check speaks against the file."""
        return self.status in BAD_STATUSES


class VerificationReport(Struct, frozen=True):
    """Everything that was checked in one file."""

    checks: list[VerificationCheck]
    envelope_sha256: str = ""

    @property
    def sections(self) -> list[Section]:
        """What was reported on, in order."""
        return [one for one in SECTIONS if one != "timestamp" or self.of(one)]

    @property
    def good(self) -> bool:
        """Whether nothing speaks against the file."""
        return not any(check.bad for check in self.checks)

    def of(self, section: Section) -> list[VerificationCheck]:
        """Return one section's checks."""
        return [check for check in self.checks if check.section == section]

    def faults(self) -> list[VerificationCheck]:
        """Return the checks that speak against the file, less those a finer one explains."""
        return [check for section in self.sections for check in finest(self.of(section))]


def finest(checks: Sequence[VerificationCheck]) -> list[VerificationCheck]:
    """Return the bad checks that no bad check of a part inside them explains, one for each part."""
    bad = {check.part: check for check in reversed(checks) if check.bad}
    inner = [part for part in bad if part != WHOLE_BODY]
    return [
        check
        for part, check in reversed(bad.items())
        if not any(_holds(part, other) for other in inner)
    ]


def _holds(part: str, other: str) -> bool:
    return part == WHOLE_BODY or (other.startswith((f"{part}.", f"{part}[")) and other != part)
