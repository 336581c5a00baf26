"""What every check of a calculation ends in: where a result is stated, and whether it is right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from fairwitness.evaluator.text import Region

Outcome = Literal["correct", "rounding", "wrong", "excused"]


@dataclass(frozen=True, slots=True)
class Check:
    """One stated calculation, checked: where it is, and its result.

    `corrected` is the right result, written the way the stated one is; empty where that is correct. The result may be
    `named`: which of several things it is. Not `sure` is what depends on how free words are read. `given` is where in
    the prompt the right result comes from.
    """

    start: int
    end: int
    result: Region
    outcome: Outcome
    corrected: str = ""
    named: bool = False
    sure: bool = True
    given: Region | None = None

    @classmethod
    def of(
        cls,
        place: Region,
        right: bool,
        corrected: str = "",
        *,
        whole: Region | None = None,
        rounded: bool = False,
        named: bool = False,
        sure: bool = True,
        given: Region | None = None,
    ) -> Check:
        """Make the check of a result at its place, in a `whole` that is quoted; what is right needs no correction."""
        start, end = whole or place
        if right:
            return cls(start, end, place, "correct", sure=sure)
        outcome: Outcome = "rounding" if rounded else "wrong"
        return cls(start, end, place, outcome, corrected, named, sure, given)

    def moved(self, by: int) -> Check:
        """Return it further on in a text, of which it was read in a part."""
        result = Region(self.result.start + by, self.result.end + by)
        return replace(self, start=self.start + by, end=self.end + by, result=result)
