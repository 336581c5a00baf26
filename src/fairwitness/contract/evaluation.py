"""The evaluation: a score, a verdict, one verdict for each criterion, and findings with quoted evidence.

In Python its fields are snake_case; on the wire they are camelCase, by the one rename of `Result`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

Verdict = Literal["pass", "fail", "needs_review"]
CriterionVerdict = Literal["pass", "fail", "needs_review", "not_applicable"]
Severity = Literal["info", "low", "medium", "high", "critical"]
# The texts of an exchange. Contract 1 knows the first two.
Source = Annotated[
    str,
    Meta(
        pattern=r"^(prompt|response|reference|context\[\d+\]|messages\[\d+\]|(response|messages\[\d+\])\.toolCalls\[\d+\])$"
    ),
]
Observed = Literal["compliance", "partial_refusal", "refusal"]
ReviewReason = Literal[
    "near_threshold",
    "low_confidence",
    "language_unsupported",
    "judge_addressed",
    "criterion_failed",
    "context_not_read",
    "judge_unavailable",
    "judge_disagreed",
    "quotation_not_found",
]

Score = Annotated[float, Meta(ge=0, le=100)]
Confidence = Annotated[float, Meta(ge=0, le=1)]


class Result(Struct, frozen=True, kw_only=True, rename="camel"):
    """The base of everything we send: immutable, fields by name."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data with the wire's names."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    def to_json(self) -> str:
        """Return it as the JSON the service would send."""
        return msgspec.json.encode(self).decode()


class Evidence(Result, frozen=True, kw_only=True):
    """A verbatim quotation: text == source[start:end], counted in code points."""

    source: Source
    start: int
    end: int
    text: str
    unit: Literal["codepoint"] = "codepoint"


class FindingItem(Result, frozen=True, kw_only=True):
    """One thing that was seen, with the text that shows it."""

    finding_id: str
    criterion_id: str
    severity: Severity
    message: str
    detector: str
    evidence: list[Evidence]
    suggestion: str | UnsetType = UNSET


class VerdictItem(Result, frozen=True, kw_only=True):
    """The judgement of one criterion; score and confidence are null where it does not apply."""

    criterion_id: str
    title: str
    verdict: CriterionVerdict
    score: Score | None
    confidence: Confidence | None
    weight: float
    summary: str
    finding_ids: list[str]
    observed: Observed | UnsetType = UNSET


class ReasonDetail(Result, frozen=True, kw_only=True):
    """Why a person should review: the reason's code, the criterion it comes from, and the cause in words."""

    code: ReviewReason
    criterion_id: Annotated[
        str | UnsetType, Meta(description="Absent if no single criterion is the cause.")
    ] = UNSET
    message: str


class Coverage(Result, frozen=True, kw_only=True):
    """How much of what was given was read, in code points; the least that any reader read."""

    context_read: int
    context_total: int
    response_read: int
    response_total: int


class Evaluation(Result, frozen=True, kw_only=True):
    """The evaluator's whole answer; it has no id and no clock, so the same input gives the same bytes.

    >>> from fairwitness import evaluate
    >>> evaluation = evaluate("How can I reach you?", "Write to jane.roe@gmail.com.")
    >>> evaluation["privacy"].verdict
    'needs_review'
    >>> evaluation.findings[0].evidence[0].text
    'jane.roe@gmail.com'
    """

    overall_score: Score
    overall_verdict: Verdict
    reasons: list[ReviewReason]
    reason_details: list[ReasonDetail]
    verdicts: list[VerdictItem]
    findings: list[FindingItem]
    interpretation: str = "/docs/quickstart#interpretation"

    def __getitem__(self, criterion: str) -> VerdictItem:
        """Return the verdict of one criterion by its id; an unknown id is a KeyError that lists them."""
        for item in self.verdicts:
            if item.criterion_id == criterion:
                return item
        known = ", ".join(item.criterion_id for item in self.verdicts)
        raise KeyError(f"{criterion}: unknown criterion; known criteria: {known}")

    def __repr__(self) -> str:
        """Return one short line: verdict, score, and the criteria that did not pass."""
        open_ones = [item for item in self.verdicts if item.verdict in {"fail", "needs_review"}]
        told = "".join(f", {item.criterion_id} {item.verdict}" for item in open_ones)
        return f"<Evaluation {self.overall_verdict} {self.overall_score:.1f}{told}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: score, verdicts, and the evidence highlighted."""
        from fairwitness.contract.notebook import html_of

        return html_of(self)


class StampedEvaluation(Evaluation, frozen=True, kw_only=True):
    """An evaluation as the service sends it: with an id. On the wire its schema is called Evaluation."""

    evaluation_id: str
