"""The result of verifying an evidence file: every check in its section, and one line that sums them up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Section = Literal["signature", "timestamp", "digests", "recomputation"]
Status = Literal[
    "ok",
    "failed",
    "unknown_authority",
    "unknown_signer",
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
UNKNOWN_SIGNER = "Unknown signer. The content is intact, but this key is not in your trusted keys."
BAD_STATUSES: frozenset[Status] = frozenset({"failed", "unknown_signer", "different"})


class VerificationCheck(Struct, frozen=True):
    """One thing checked: which part of the file, what came of it, and a word on why."""

    section: Section
    part: str
    status: Status
    message: str

    @property
    def bad(self) -> bool:
        """Whether this check failed."""
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
        """Whether every check passed."""
        return not any(check.bad for check in self.checks)

    @property
    def conclusion(self) -> str:
        """One line: verified, signed by an unknown key, or how many checks failed."""
        bad = [check for check in self.checks if check.bad]
        if all(check.status == "unknown_signer" for check in bad) and bad:
            return UNKNOWN_SIGNER
        if bad:
            count = len(self.faults())
            return f"Not verified: {count} check{'' if count == 1 else 's'} failed"
        digests = sum(check.status == "ok" for check in self.of("digests"))
        judged = [check for check in self.of("recomputation") if check.part.endswith(".evaluation")]
        others = sum(check.status == "other_version" for check in judged)
        told = f"Verified: signature valid, {digests} digests match, "
        told += f"{len(judged) - others} evaluation{'' if len(judged) - others == 1 else 's'} recomputed"
        return f"{told}, {others} made by another version" if others else told

    def of(self, section: Section) -> list[VerificationCheck]:
        """Return one section's checks."""
        return [check for check in self.checks if check.section == section]

    def faults(self) -> list[VerificationCheck]:
        """Return the failed checks, without those that a check of an inner part explains."""
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
