"""The six operations as one table: path, types, and exactly the statuses the contract lists.

Routes, OpenAPI, docs and tests are all made from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairwitness.contract import requests, results
from fairwitness.contract.evaluation import Result
from fairwitness.contract.requests import Request

_COMMON = (400, 405, 413, 415, 500, 503)
_SPENDING = (400, 405, 413, 415, 429, 500, 503)
_FEEDBACK = (400, 503)


@dataclass(frozen=True, slots=True)
class Operation:
    """One POST endpoint."""

    id: str
    path: str
    request: type[Request]
    result: type[Result]
    success: int
    errors: tuple[int, ...]
    summary: str
    description: str

    @property
    def spends(self) -> bool:
        """Whether it passes the admission gate."""
        return 429 in self.errors

    @property
    def folds_media_and_size(self) -> bool:
        """Whether a wrong media type or an oversized body is a plain 400 there."""
        return 415 not in self.errors


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "evaluateResponse",
        "/api/evaluate-response",
        requests.EvaluateResponseRequest,
        results.EvaluateResponseResult,
        200,
        _COMMON,
        "Evaluate a response you already have",
        "Scores the supplied response text against the protocol. No provider is called.",
    ),
    Operation(
        "generateAndEvaluate",
        "/api/evaluate",
        requests.GenerateRequest,
        results.GenerateResult,
        200,
        _SPENDING,
        "Generate with providers and evaluate each response",
        "Generates through each selected provider and evaluates each response. A provider that "
        "fails keeps its place in the results; if every provider fails, the response is 503.",
    ),
    Operation(
        "runArena",
        "/api/arena",
        requests.ArenaRequest,
        results.ArenaResult,
        200,
        _SPENDING,
        "Compare two to five providers on one prompt",
        "Sends the same prompt to each provider. Results are in the order of the request.",
    ),
    Operation(
        "runArenaWithEvidence",
        "/api/arena-evidence",
        requests.ArenaRequest,
        results.ArenaEvidenceResult,
        200,
        _SPENDING,
        "Arena with a signed evidence artifact",
        "The Arena result of one run plus a signed artifact that covers it.",
    ),
    Operation(
        "runImprovementDemo",
        "/api/improvement-demo",
        requests.ImprovementRequest,
        results.ImprovementResult,
        200,
        _COMMON,
        "Improve a response by fixing its findings",
        "A bounded demonstration: edits that fix findings are kept only if they raise the score. "
        "No provider is called.",
    ),
    Operation(
        "submitFeedback",
        "/api/feedback",
        requests.FeedbackRequest,
        results.FeedbackResult,
        201,
        _FEEDBACK,
        "Send private feedback",
        "Stored durably before the response is sent; no public route returns it. A wrong media type or an "
        "oversized body is a 400 here.",
    ),
)
