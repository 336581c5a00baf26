"""Corrects wrong results and carries each correction through the rest of the text, or proposes nothing.

A result that later sentences repeat or go on calculating with is changed there too; where the same number
may mean something else, because the prompt gave it, no edit is proposed.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.calculation import checks
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text
from fairwitness.revision.edits import Case, Edit

_NUMBER = Pattern(r"\d+(?:[.,]\d+)*")
_MAX_CORRECTIONS = 12


def corrected(case: Case) -> Iterator[Edit]:
    """Propose the text with every result corrected and carried through."""
    text = case.text
    for _ in range(_MAX_CORRECTIONS):
        wrong = [
            item for item in checks(Text(text)) if item.corrected and item.outcome != "excused"
        ]
        if not wrong:
            break
        carried = _carried(text, wrong[0].result, wrong[0].corrected, case.exchange.prompt)
        if carried is None or carried == text:
            return
        text = carried
    if text != case.text:
        yield difference(case.text, text)


def _carried(text: str, result: Region, right: str, prompt: Text) -> str | None:
    """Return the text with one result replaced wherever it is repeated; None where that is not safe."""
    old, new = _number(text[result.start : result.end]), _number(right)
    if not old or not new:
        return None
    numbers = [match for match in Text(text).matches(_NUMBER) if match.text == old]
    apart = [item for item in checks(Text(text)) if not _goes_on(item, result, numbers)]
    others = [
        Region(match.start, match.end)
        for match in numbers
        if not (result.start <= match.start < result.end)
        and not any(item.start <= match.start < item.end for item in apart)
    ]
    if others and any(match.text == old for match in prompt.matches(_NUMBER)):
        return None
    changes = sorted([(*result, right), *((*other, new) for other in others)])
    pieces, at = [], 0
    for start, end, replacement in changes:
        pieces += [text[at:start], replacement]
        at = end
    return "".join([*pieces, text[at:]])


def _goes_on(check: Check, result: Region, numbers: list[Match]) -> bool:
    """Tell whether a calculation takes over an earlier result: it comes later, uses it once, and is right with it."""
    used = sum(check.start <= match.start < check.end for match in numbers)
    return check.start >= result.end and check.outcome == "correct" and used == 1


def _number(text: str) -> str:
    found = Text(text).matches(_NUMBER)
    return found[0].text if len(found) == 1 else ""


def difference(before: str, after: str) -> Edit:
    """Return the one edit that turns a text into another."""
    start = _shared(before, after)
    rest = _shared(before[start:][::-1], after[start:][::-1])
    return Edit(start, len(before) - rest, after[start : len(after) - rest])


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    for at, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return at
    return min(len(one), len(other))
