"""How often each edit operator is kept on real answers, and how much it gains.

Rows: answers of every model in the files given, within the demonstration's bounds, in the order of
their SHA-256. Overall: the first MAX_ANSWERS of those with a finding above info. For each operator: of the
first ANSWERS_PER_OPERATOR in which its own detectors find something, since most operators meet few answers, as many as
it takes until it has tried an edit on TRIES_PER_OPERATOR. Rules are asked of every answer for that, the encoder only
of as many as the figures need.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from fairwitness.benchmark.row_evaluation import Judged
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.series import Series, Tick
from fairwitness.benchmark.statistics import MEAN, Point
from fairwitness.contract.requests import DEMO_RESPONSE_MAX, PROMPT_MAX
from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria import honesty, independence, output_safety
from fairwitness.evaluator.criteria.coherence import (
    code_blocks,
    cutoff,
    encoding_damage,
    outline,
    repetition,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Finding
from fairwitness.revision import Improvement, improve
from fairwitness.revision.search import OPERATORS

MAX_ANSWERS = 300
TRIES_PER_OPERATOR = 25
ANSWERS_PER_OPERATOR = 75
MAX_ROWS_SEARCHED = 8000

Texts = tuple[str, str]

# What finds the findings of detectors whose names begin so; the encoder's are not among them.
_FINDERS: Mapping[str, Callable[[Exchange], Iterable[Finding]]] = {
    "privacy.": lambda exchange: shipped().judge("privacy", exchange).findings,
    "calculation.": lambda exchange: shipped().judge("calculation", exchange).findings,
    "honesty.": honesty.rule_findings,
    "independence.": independence.rule_findings,
    "instruction_following.": lambda exchange: (
        shipped().judge("instruction_following", exchange).findings
    ),
    "output_safety.": output_safety.rule_findings,
    "coherence.loop": repetition.find,
    "coherence.cut": cutoff.find,
    "coherence.code": code_blocks.find,
    "coherence.damage": encoding_damage.find,
    "coherence.outline": outline.find,
}


def series(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return, for all and for each operator: the share kept of those tried, and the points gained."""
    texts = _texts(rows)
    total = len(texts) + MAX_ANSWERS + TRIES_PER_OPERATOR * len(OPERATORS)
    found: dict[Texts, Improvement] = {}

    def improved(one: Texts) -> Improvement:
        if one not in found:
            found[one] = improve(judged.evaluator.evaluate, *one)
            tick(min(len(texts) + len(found), total), total)
        return found[one]

    chosen = _chosen(texts, lambda done: tick(done, total))
    overall = [(one, improved(one)) for one in _improvable(texts, judged)]
    by_operator = {
        name: list(_until_tried(name, texts or [one for one, _ in overall], improved))
        for name, texts in chosen.items()
    }
    return [
        Series("answers improved", MEAN, [_point(one, made.improved) for one, made in overall]),
        Series(
            "points gained an answer", MEAN, [_point(one, _rise(made)) for one, made in overall]
        ),
        *_figures(by_operator),
    ]


def _texts(rows: Sequence[Row]) -> list[Texts]:
    found = {
        (prompt, response)
        for row in rows
        if (prompt := row.get("prompt"))
        for response in (row.get("response"), row.get("response_a"), row.get("response_b"))
        if isinstance(response, str) and 0 < len(response) <= DEMO_RESPONSE_MAX
        if len(prompt) <= PROMPT_MAX
    }
    return sorted(found, key=_digest)


def _chosen(texts: Sequence[Texts], done: Callable[[int], None]) -> dict[str, list[Texts]]:
    """Return the first answers in which each operator's detectors find something above info."""
    chosen: dict[str, list[Texts]] = {operator.name: [] for operator in OPERATORS}
    wanting = {
        prefix: [operator for operator in OPERATORS if _serves(prefix, operator.detectors)]
        for prefix in _FINDERS
    }
    for number, one in enumerate(texts, 1):
        exchange = Exchange(*one)
        for prefix, operators in wanting.items():
            open_ones = [
                item for item in operators if len(chosen[item.name]) < ANSWERS_PER_OPERATOR
            ]
            if not open_ones:
                continue
            seen = [item for item in _FINDERS[prefix](exchange) if item.severity != "info"]
            for operator in open_ones:
                if any(operator.handles(item.detector) for item in seen):
                    chosen[operator.name].append(one)
        if number % 1000 == 0:
            done(number)
    return chosen


def _serves(prefix: str, detectors: Sequence[str]) -> bool:
    return any(name.startswith(prefix) or prefix.startswith(name) for name in detectors)


def _improvable(texts: Sequence[Texts], judged: Judged) -> list[Texts]:
    found: list[Texts] = []
    for one in texts[:MAX_ROWS_SEARCHED]:
        evaluation = judged.assess(*one)
        if evaluation and any(item.severity != "info" for item in evaluation.findings):
            found.append(one)
        if len(found) == MAX_ANSWERS:
            break
    return found


def _figures(by_operator: Mapping[str, Sequence[tuple[Texts, Improvement]]]) -> list[Series]:
    """Return, by operator: of the answers it tried an edit on, those that kept one; and what a kept one gained."""
    kept: list[Series] = []
    gained: list[Series] = []
    for name, made in by_operator.items():
        steps = [
            (one, step) for one, found in made for step in found.steps if step.operator == name
        ]
        keepers = {one for one, _ in steps}
        tried = [one for one, found in made if _tried(name, found)]
        # Figures are shares of 100, and so is the score.
        rises = [_point(one, (step.score_after - step.score_before) / 100) for one, step in steps]
        kept.append(
            Series(f"{name}: kept of tried", MEAN, [_point(one, one in keepers) for one in tried])
        )
        gained.append(Series(f"{name}: points gained", MEAN, rises))
    return [item for item in (*kept, *gained) if item.points]


def _until_tried(
    name: str, texts: Sequence[Texts], improved: Callable[[Texts], Improvement]
) -> Iterator[tuple[Texts, Improvement]]:
    """Yield answers with what became of them, until the operator has tried an edit on enough."""
    left = TRIES_PER_OPERATOR
    for one in texts:
        made = improved(one)
        yield one, made
        left -= _tried(name, made)
        if not left:
            return


def _tried(name: str, made: Improvement) -> bool:
    operators = {step.operator for step in made.steps} | {edit.operator for edit in made.rejected}
    return name in operators


def _rise(made: Improvement) -> float:
    return (made.after.overall_score - made.before.overall_score) / 100


def _digest(texts: Texts) -> bytes:
    return hashlib.sha256("\0".join(texts).encode()).digest()


def _point(texts: Texts, value: float) -> Point:
    prompt, response = texts
    return Point(0.0, float(value), len(response), "", prompt)
