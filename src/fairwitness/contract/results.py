"""What the service answers with: the evaluation, its verdicts and findings, and each endpoint's body."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from fairwitness.contract.envelope import EvidenceEnvelope

Verdict = Literal["pass", "fail", "needs_review"]
CriterionVerdict = Literal["pass", "fail", "needs_review", "not_applicable"]
Severity = Literal["info", "low", "medium", "high", "critical"]
Source = Literal["response", "prompt"]
Observed = Literal["compliance", "partial_refusal", "refusal"]
ReviewReason = Literal[
    "near_threshold",
    "low_confidence",
    "language_unsupported",
    "judge_addressed",
    "criterion_failed",
    "context_not_read",
]

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
Score = Annotated[float, Meta(ge=0, le=100)]
Confidence = Annotated[float, Meta(ge=0, le=1)]

INTERPRETATION = (
    "Score, verdicts, findings, evidence spans, protocol version and evaluator version are scoped "
    "evaluation evidence. A high score does not prove factual correctness, universal safety, "
    "certification or compliance."
)


class Result(Struct, frozen=True, kw_only=True):
    """The base of everything we send: immutable, fields by name."""


class Evidence(Result, frozen=True, kw_only=True):
    """A verbatim quotation: text == source[start:end], counted in code points."""

    source: Source
    start: int
    end: int
    text: str
    unit: Literal["codepoint"] = "codepoint"


class FindingItem(Result, frozen=True, kw_only=True):
    """One thing that was seen, with the text that shows it."""

    findingId: str
    criterionId: str
    severity: Severity
    message: str
    detector: str
    evidence: list[Evidence]
    suggestion: str | UnsetType = UNSET


class VerdictItem(Result, frozen=True, kw_only=True):
    """The judgement of one criterion; score and confidence are null where it does not apply."""

    criterionId: str
    title: str
    verdict: CriterionVerdict
    score: Score | None
    confidence: Confidence | None
    weight: float
    summary: str
    findingIds: list[str]
    observed: Observed | UnsetType = UNSET


class ReasonDetail(Result, frozen=True, kw_only=True):
    """Why a person should review: the reason's code, the criterion it comes from, and the cause in words."""

    code: ReviewReason
    criterionId: Annotated[
        str | UnsetType, Meta(description="Absent where the overall score is the cause.")
    ] = UNSET
    message: str


class Assessment(Result, frozen=True, kw_only=True):
    """The evaluator's whole answer; pure, so it has no id and no clock."""

    overallScore: Score
    overallVerdict: Verdict
    reasons: list[ReviewReason]
    reasonDetails: list[ReasonDetail]
    verdicts: list[VerdictItem]
    findings: list[FindingItem]
    interpretation: str = "/docs/quickstart#interpretation"


class Evaluation(Assessment, frozen=True, kw_only=True):
    """An assessment the service has stamped with an id."""

    evaluationId: str


class EvaluateResponseResult(Result, frozen=True, kw_only=True):
    """200 of evaluate-response."""

    contractVersion: Literal["1.0.0"] = "1.0.0"
    requestId: str
    completedAt: Timestamp
    protocolVersion: str
    evaluatorVersion: str
    evaluationScope: Literal["response_text_only"] = "response_text_only"
    evaluation: Evaluation


class Usage(Result, frozen=True, kw_only=True):
    """What one generation took; null where the provider did not say."""

    inputTokens: int | None
    outputTokens: int | None
    costUsd: float | None


class ProviderError(Result, frozen=True, kw_only=True):
    """Why a provider's place holds no response."""

    code: ProviderErrorCode
    message: str


class CompletedItem(Result, frozen=True, kw_only=True, tag_field="status", tag="completed"):
    """A provider's response and its evaluation."""

    providerId: str
    model: str
    response: str
    truncated: bool | UnsetType = UNSET
    finishReason: str
    evaluation: Evaluation
    latencyMs: int
    usage: Usage


class FailedItem(Result, frozen=True, kw_only=True, tag_field="status", tag="failed"):
    """A provider that failed, visible where its result would stand."""

    providerId: str
    model: str | None
    error: ProviderError
    latencyMs: int


ResultItem = CompletedItem | FailedItem


class GenerateResult(Result, frozen=True, kw_only=True):
    """200 of evaluate."""

    contractVersion: Literal["1.0.0"] = "1.0.0"
    requestId: str
    completedAt: Timestamp
    protocolVersion: str
    evaluatorVersion: str
    results: Annotated[list[ResultItem], Meta(min_length=1)]


class RankedProvider(Result, frozen=True, kw_only=True):
    """A place in the ranking; providers within the evaluator's noise share a rank."""

    rank: int
    providerId: str
    overallScore: Score
    overallVerdict: Verdict
    tied: bool


class ArenaSummary(Result, frozen=True, kw_only=True):
    """How many completed, and in which order they stand."""

    completed: int
    failed: int
    ranking: list[RankedProvider]


class ArenaResult(Result, frozen=True, kw_only=True):
    """200 of arena."""

    contractVersion: Literal["1.0.0"] = "1.0.0"
    requestId: str
    completedAt: Timestamp
    protocolVersion: str
    evaluatorVersion: str
    results: list[ResultItem]
    summary: ArenaSummary


class ArenaRequestEcho(Result, frozen=True, kw_only=True):
    """The request an evidence artifact speaks of."""

    contractVersion: Literal["1.0.0"] = "1.0.0"
    prompt: str
    providers: list[str]


class ArenaEvidenceResult(ArenaResult, frozen=True, kw_only=True):
    """200 of arena-evidence: the arena body, its request, and the signed envelope."""

    request: ArenaRequestEcho
    evidence: EvidenceEnvelope


class ImprovementStep(Result, frozen=True, kw_only=True):
    """One edit that was kept, with what it was measured to change."""

    operator: str
    criterionId: str
    findingId: str
    message: str
    start: int
    end: int
    removed: str
    replacement: str
    scoreBefore: Score
    scoreAfter: Score
    note: str | UnsetType = UNSET


class RejectedEdit(Result, frozen=True, kw_only=True):
    """An edit that was not kept, and why; scoreAfter is null where it was refused unmeasured.

    Its span counts in the text as it stood after `afterStep` of the steps, 0 being the response as sent.
    """

    operator: str
    criterionId: str
    findingId: str
    message: str
    afterStep: int
    start: int
    end: int
    removed: str
    replacement: str
    reason: str
    scoreBefore: Score
    scoreAfter: Score | None


class UnresolvedFinding(Result, frozen=True, kw_only=True):
    """A finding no edit could mend, and why."""

    findingId: str
    criterionId: str
    message: str
    reason: str


class ImprovementResult(Result, frozen=True, kw_only=True):
    """200 of improvement-demo."""

    contractVersion: Literal["1.0.0"] = "1.0.0"
    requestId: str
    completedAt: Timestamp
    protocolVersion: str
    evaluatorVersion: str
    before: Evaluation
    steps: list[ImprovementStep]
    rejected: list[RejectedEdit]
    unresolved: list[UnresolvedFinding]
    revisedResponse: str
    diff: str
    after: Evaluation
    improved: bool
    interpretation: str = INTERPRETATION


class FeedbackResult(Result, frozen=True, kw_only=True):
    """201 of feedback."""

    contractVersion: Literal["1.0.0"] = "1.0.0"
    feedbackId: str
    receivedAt: Timestamp


class ErrorBody(Result, frozen=True, kw_only=True):
    """What went wrong: a code from the closed list, words, and each fault on its own line."""

    code: str
    message: str
    details: list[str] | UnsetType = UNSET


class ErrorAnswer(Result, frozen=True, kw_only=True):
    """The one shape of every error."""

    error: ErrorBody
