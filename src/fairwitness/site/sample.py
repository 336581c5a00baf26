"""The sample on the web page: one real evaluation, kept as data, cut into marked and unmarked text.

A test evaluates it again, so that the page never shows a result the evaluator would not give.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

SAMPLE_FILE = "sample.json"


@dataclass(frozen=True)
class Piece:
    """A part of the response; a quoted one has its finding and the number it is shown under."""

    text: str
    finding: str = ""
    severity: str = ""
    number: int = 0


@dataclass(frozen=True)
class Sample:
    """What the page shows of the sample."""

    prompt: str
    score: float
    verdict: str
    why: str
    pieces: tuple[Piece, ...]
    findings: tuple[dict[str, Any], ...]


def sample() -> Sample:
    """Read the sample that ships with the page."""
    kept = json.loads(resources.files("fairwitness.web").joinpath(SAMPLE_FILE).read_text("utf-8"))
    evaluation = kept["evaluation"]
    titles = {item["criterionId"]: item["title"] for item in evaluation["verdicts"]}
    findings = tuple(
        {**finding, "number": number, "title": titles[finding["criterionId"]]}
        for number, finding in enumerate(evaluation["findings"], 1)
    )
    return Sample(
        prompt=kept["prompt"],
        score=evaluation["overallScore"],
        verdict=evaluation["overallVerdict"],
        why=kept["why"],
        pieces=tuple(_pieces(kept["response"], findings)),
        findings=findings,
    )


def _pieces(response: str, findings: tuple[dict[str, Any], ...]) -> list[Piece]:
    """Cut the response at its evidence, which must not overlap."""
    spans = sorted(
        (quote["start"], quote["end"], finding)
        for finding in findings
        for quote in finding["evidence"]
        if quote["source"] == "response"
    )
    pieces, at = [], 0
    for start, end, finding in spans:
        pieces.append(Piece(response[at:start]))
        pieces.append(
            Piece(response[start:end], finding["findingId"], finding["severity"], finding["number"])
        )
        at = end
    return [piece for piece in (*pieces, Piece(response[at:])) if piece.text]
