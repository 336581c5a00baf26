"""What the service answers with: each endpoint's body."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from fairwitness.contract.envelope import EvidenceEnvelope
from fairwitness.contract.evaluation import Result, Score, StampedEvaluation, Verdict

ProviderErrorCode = Literal[
    "timeout",
    "rate_limited",
    "refused_by_provider",
    "invalid_answer",
    "unauthorised",
    "unreachable",
    "not_configured",
    "too_large",
]

Timestamp = Annotated[
    str, Meta(description="RFC 3339, UTC.", extra_json_schema={"format": "date-time"})
]
INTERPRETATION = (
    "Score, verdicts, findings, evidence spans, protocol version and evaluator version are scoped "
    "evaluation evidence. A high score does not prove factual correctness, universal safety, "
    "certification or compliance."
)


class EvaluateResponseResult(Result, frozen=True, kw_only=True):
    """200 of evaluate-response."""

    contract_version: Literal["1.0.0"] = "1.0.0"
    request_id: str
    completed_at: Timestamp
    protocol_version: str
    evaluator_version: str
    evaluation_scope: Literal["response_text_only"] = "response_text_only"
    evaluation: StampedEvaluation


class Usage(Result, frozen=True, kw_only=True):
    """What one generation took, tokens null where unknown, and what it counts against the budget."""

    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None


class ProviderError(Result, frozen=True, kw_only=True):
    """Why a provider's place holds no response."""

    code: ProviderErrorCode
    message: str


class CompletedItem(Result, frozen=True, kw_only=True, tag_field="status", tag="completed"):
    """A provider's response and its evaluation."""

    provider_id: str
    model: str
    response: str
    truncated: bool | UnsetType = UNSET
    finish_reason: str
    evaluation: StampedEvaluation
    latency_ms: int
    usage: Usage


class FailedItem(Result, frozen=True, kw_only=True, tag_field="status", tag="failed"):
    """A provider that failed, where its result would stand; `usage` is absent where nothing was sent."""

    provider_id: str
    model: str | None
    error: ProviderError
    latency_ms: int
    usage: Usage | UnsetType = UNSET


ResultItem = CompletedItem | FailedItem


class GenerateResult(Result, frozen=True, kw_only=True):
    """200 of evaluate."""

    contract_version: Literal["1.0.0"] = "1.0.0"
    request_id: str
    completed_at: Timestamp
    protocol_version: str
    evaluator_version: str
    results: Annotated[list[ResultItem], Meta(min_length=1)]


class RankedProvider(Result, frozen=True, kw_only=True):
    """A place in the ranking; providers within the evaluator's noise share a rank."""

    rank: int
    provider_id: str
    overall_score: Score
    overall_verdict: Verdict
    tied: bool


class ArenaSummary(Result, frozen=True, kw_only=True):
    """How many completed, and in which order they stand."""

    completed: int
    failed: int
    ranking: list[RankedProvider]


class ArenaResult(Result, frozen=True, kw_only=True):
    """200 of arena."""

    contract_version: Literal["1.0.0"] = "1.0.0"
    request_id: str
    completed_at: Timestamp
    protocol_version: str
    evaluator_version: str
    results: list[ResultItem]
    summary: ArenaSummary


class ArenaRequestEcho(Result, frozen=True, kw_only=True):
    """The request an evidence artifact speaks of."""

    contract_version: Literal["1.0.0"] = "1.0.0"
    prompt: str
    providers: list[str]


class ArenaEvidenceResult(ArenaResult, frozen=True, kw_only=True):
    """200 of arena-evidence: the arena body, its request, and the signed envelope."""

    request: ArenaRequestEcho
    evidence: EvidenceEnvelope


class ImprovementStep(Result, frozen=True, kw_only=True):
    """One edit that was kept, with what it was measured to change."""

    operator: str
    criterion_id: str
    finding_id: str
    message: str
    start: int
    end: int
    removed: str
    replacement: str
    score_before: Score
    score_after: Score
    note: str | UnsetType = UNSET


class RejectedEdit(Result, frozen=True, kw_only=True):
    """An edit that was not kept, and why; scoreAfter is null where it was refused unmeasured.

    Its span counts in the text as it stood after `afterStep` of the steps, 0 being the response as sent.
    """

    operator: str
    criterion_id: str
    finding_id: str
    message: str
    after_step: int
    start: int
    end: int
    removed: str
    replacement: str
    reason: str
    score_before: Score
    score_after: Score | None


class UnresolvedFinding(Result, frozen=True, kw_only=True):
    """A finding that no edit could fix, and why."""

    finding_id: str
    criterion_id: str
    message: str
    reason: str


class ImprovementResult(Result, frozen=True, kw_only=True):
    """200 of improvement-demo."""

    contract_version: Literal["1.0.0"] = "1.0.0"
    request_id: str
    completed_at: Timestamp
    protocol_version: str
    evaluator_version: str
    before: StampedEvaluation
    steps: list[ImprovementStep]
    rejected: list[RejectedEdit]
    unresolved: list[UnresolvedFinding]
    revised_response: str
    diff: str
    after: StampedEvaluation
    improved: bool
    interpretation: str = INTERPRETATION


class FeedbackResult(Result, frozen=True, kw_only=True):
    """201 of feedback."""

    contract_version: Literal["1.0.0"] = "1.0.0"
    feedback_id: str
    received_at: Timestamp


class ErrorBody(Result, frozen=True, kw_only=True):
    """What went wrong: a code from the closed list, words, and each fault on its own line."""

    code: str
    message: str
    details: list[str] | UnsetType = UNSET


class ErrorAnswer(Result, frozen=True, kw_only=True):
    """The one shape of every error."""

    error: ErrorBody
