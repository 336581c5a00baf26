"""Reads to which step a text says that results are rounded: "rounded up to the nearest half day"."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_STEP = Pattern(
    # A round of a game is followed by none of these.
    r"\bround(?P<how>(?:ed|ing|s? (?:up|down|off|to|it|them|this|that|all|each|every|any|the result\w*))\b"
    r"[^.;\n]{0,30}\b(?:nearest|next|full|whole)) "
    r"(?:(?P<step>quarter|half|five|ten|hundred|thousand|0[.,]25|0[.,]5|5|10|50|100|1,?000)\b)?",
    ignore_case=True,
)
_SIZES = {
    "quarter": 0.25, "half": 0.5, "five": 5, "ten": 10, "hundred": 100, "thousand": 1000,
    "0.25": 0.25, "0.5": 0.5, "5": 5, "10": 10, "50": 50, "100": 100, "1000": 1000,
}  # fmt: skip
_UP = Pattern(r"\b(?:up|next)\b", ignore_case=True)
_DOWN = Pattern(r"\bdown\b", ignore_case=True)
_EITHER_WAY = Pattern(r"\b(?:full|whole)$", ignore_case=True)


class Step(NamedTuple):
    """A step, and how far above and below the exact result what is rounded to it may be."""

    size: float
    above: float
    below: float

    def leads(self, exact: float, stated: float) -> bool:
        """Tell whether a number is another one, rounded to this step."""
        off = stated - exact
        near = abs(off) < self.size and -self.below <= off <= self.above
        return near and stated != 0 and stated % self.size == 0


def told_step(text: Text) -> Step | None:
    """Return the first step that a text names; a step without a number is one of the unit."""
    told = text.search(_STEP)
    if told is None:
        return None
    name = told["step"].lower()
    size = _SIZES.get(name.replace(",", "." if name.startswith("0") else ""), 1)
    how = told["how"].encode()
    up, down = _UP.search(how), _DOWN.search(how)
    if up or down:
        return Step(size, size * up, size * down)
    return Step(size, size, size) if _EITHER_WAY.search(how) else Step(size, size / 2, size / 2)
