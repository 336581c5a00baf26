"""How often each edit operator is kept on real answers, and how much it gains.

Rows: answers of every model in the files given, within the demonstration's bounds, in the order of
their SHA-256; as many are improved as LIMIT allows among those with a finding above info.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from fairwitness.benchmark.judged import Judged
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.series import Series, Tick
from fairwitness.benchmark.statistics import MEAN, Point
from fairwitness.contract.requests import DEMO_RESPONSE_MAX, PROMPT_MAX
from fairwitness.revision import improve
from fairwitness.revision.search import OPERATORS

LIMIT = 600
SEARCHED = 8000


def series(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return, for all and for each operator: the share kept of those tried, and the points gained."""
    kept: dict[str, list[Point]] = defaultdict(list)
    gained: dict[str, list[Point]] = defaultdict(list)
    improved: list[Point] = []
    evaluate = judged.evaluator.evaluate
    for prompt, response in _improvable(rows, judged):
        found = improve(evaluate, prompt, response)
        # Figures are shares of 100, and so is the score.
        rise = (found.after.overallScore - found.before.overallScore) / 100
        improved.append(_point(prompt, response, float(found.improved)))
        gained["any operator"].append(_point(prompt, response, rise))
        for step in found.steps:
            kept[step.operator].append(_point(prompt, response, 1.0))
            share = (step.scoreAfter - step.scoreBefore) / 100
            gained[step.operator].append(_point(prompt, response, share))
        for edit in found.rejected:
            kept[edit.operator].append(_point(prompt, response, 0.0))
        tick(len(improved), LIMIT)
    named = [operator.name for operator in OPERATORS]
    return [
        Series("answers improved", MEAN, improved),
        Series("points gained an answer", MEAN, gained["any operator"]),
        *(Series(f"{name}: kept of tried", MEAN, kept[name]) for name in named if kept[name]),
        *(Series(f"{name}: points gained", MEAN, gained[name]) for name in named if gained[name]),
    ]


def _improvable(rows: Sequence[Row], judged: Judged) -> Iterator[tuple[str, str]]:
    texts = {
        (prompt, response)
        for row in rows
        if (prompt := row.get("prompt"))
        for response in (row.get("response"), row.get("response_a"), row.get("response_b"))
        if isinstance(response, str) and 0 < len(response) <= DEMO_RESPONSE_MAX
        if len(prompt) <= PROMPT_MAX
    }
    count = 0
    for prompt, response in sorted(texts, key=_digest)[:SEARCHED]:
        assessment = judged.assess(prompt, response)
        if assessment and any(finding.severity != "info" for finding in assessment.findings):
            yield prompt, response
            count += 1
            if count == LIMIT:
                return


def _digest(texts: tuple[str, str]) -> bytes:
    return hashlib.sha256("\0".join(texts).encode()).digest()


def _point(prompt: str, response: str, value: float) -> Point:
    return Point(0.0, value, len(response), "", prompt)
