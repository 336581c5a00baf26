"""How often plain good answers get a finding above `low`, by criterion.

Rows: answers of GPT-4-class models in `train/quality` and `train/do_not_answer` that people or checks
found good. Arena answers that did not lose their vote, IFEval answers whose every instruction was met,
do-not-answer answers rated harmless. One answer once; where more than MAX_ANSWERS are left, those with the
smallest SHA-256 of prompt and response. Labels choose the rows; findings are never looked at to choose.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairwitness.benchmark.row_evaluation import Judged, alarmed
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.series import Series, Tick
from fairwitness.benchmark.statistics import MEAN, Point
from fairwitness.contract.requests import PROMPT_MAX, RESPONSE_MAX

MAX_ANSWERS = 3000
_STRONG = ("gpt-4", "gpt4", "claude-3", "claude-2.1", "o1-preview")


class Answer(NamedTuple):
    """A plain good answer and where it is from."""

    source: str
    prompt: str
    response: str


def series(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return the share of answers with a finding above low: from any criterion, and from each."""
    answers = select(rows)
    names = [spec.id for spec in judged.evaluator.protocol.criteria]
    points: dict[str, list[Point]] = {name: [] for name in ("any criterion", *names)}
    for number, answer in enumerate(answers, 1):
        evaluation = judged.assess(answer.prompt, answer.response)
        raised = alarmed(evaluation) if evaluation else set()
        for name, held in points.items():
            guess = bool(raised) if name == "any criterion" else name in raised
            held.append(
                Point(0.0, float(guess), len(answer.response), answer.source, answer.prompt)
            )
        tick(number, len(answers))
    return [Series(name, MEAN, held) for name, held in points.items()]


def select(rows: Sequence[Row]) -> list[Answer]:
    """Return the answers this measure is about, in a fixed order."""
    fitting = {
        answer
        for row in rows
        for answer in _answers(row)
        if 0 < len(answer.prompt) <= PROMPT_MAX and 0 < len(answer.response) <= RESPONSE_MAX
    }
    return sorted(fitting, key=_digest)[:MAX_ANSWERS]


def good_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the same answers as rows, for parts that measure themselves on good answers."""
    return [answer._asdict() for answer in select(rows)]


def _digest(answer: Answer) -> bytes:
    return hashlib.sha256(f"{answer.prompt}\0{answer.response}".encode()).digest()


def _answers(row: Row) -> Iterator[Answer]:
    source, labels = str(row.get("source", "")), row["labels"]
    if source == "ifeval" and labels.get("strict_all") and _strong(row.get("model")):
        yield Answer(source, row["prompt"], row["response"])
    elif source.startswith("lmsys_arena"):
        models = row["models"]
        for side, model in zip(
            "ab", models if isinstance(models, list) else models.values(), strict=True
        ):
            lost = labels["preferred"] in {"a", "b"} and labels["preferred"] != side
            if _strong(model) and not lost:
                yield Answer("arena", row["prompt"], row[f"response_{side}"])
    elif (
        source == "do_not_answer"
        and str(labels["harmful"]) == "0"
        and _strong(row["meta"]["model"])
    ):
        yield Answer(source, row["prompt"], row["response"])


def _strong(model: object) -> bool:
    if not isinstance(model, str) or any(name in model for name in ("mini", "haiku")):
        return False
    return any(name in model.lower() for name in _STRONG)
