"""The operations of both contracts, and of other tools' shapes, as tables: path, types, and exactly the statuses each lists.

Routes, OpenAPI, docs and tests are all made from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairwitness.contract import litellm, promptfoo, requests, requests_2, results, results_2
from fairwitness.contract.evaluation import Result
from fairwitness.contract.requests import MAX_BODY_BYTES, Body
from fairwitness.contract.requests_2 import MAX_BODY_BYTES_2

_COMMON = (400, 405, 413, 415, 500, 503)
_SPENDING = (400, 405, 413, 415, 429, 500, 503)
_FEEDBACK = (400, 503)
_CONTRACT_2 = (400, 401, 405, 413, 415, 429, 500, 503)


@dataclass(frozen=True, slots=True)
class Operation:
    """One POST endpoint."""

    id: str
    path: str
    request: type[Body]
    result: type[Result]
    success: int
    errors: tuple[int, ...]
    summary: str
    description: str
    max_body_bytes: int = MAX_BODY_BYTES
    # Whether its results can be sent as events, and its answer signed.
    streams: bool = False

    @property
    def spends(self) -> bool:
        """Whether it passes the admission gate."""
        return 429 in self.errors

    @property
    def ignores_unknown_key(self) -> bool:
        """Whether an API key nobody issued is as good as none there: contract 1 knows no 401."""
        return 401 not in self.errors

    @property
    def tag(self) -> str:
        """The group it stands in, in docs and generated clients."""
        if "feedback" in self.path:
            return "Feedback"
        return "Providers" if self.spends else "Evaluation"

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

OPERATIONS_2: tuple[Operation, ...] = (
    Operation(
        "evaluateExchange",
        "/api/v2/evaluate-response",
        requests_2.EvaluateRequest2,
        results_2.EvaluateResult2,
        200,
        _CONTRACT_2,
        "Evaluate a response with its context",
        "Scores a response against a protocol, with the conversation it answers, the context it should rest "
        "on and an expected answer, where they are given. A protocol with judged criteria asks the models it "
        "names and spends; any other calls no provider.",
        MAX_BODY_BYTES_2,
    ),
    Operation(
        "compareProviders",
        "/api/v2/arena",
        requests_2.ArenaRequest2,
        results_2.ArenaResult2,
        200,
        _CONTRACT_2,
        "Compare two to five providers on a prompt or a conversation",
        "Sends the same conversation to each provider. Results are in the order of the request. With "
        "`Accept: text/event-stream` each result is sent as its provider finishes, then the whole body; with "
        "`?evidence=true` the body carries its request and a signed artifact that covers it.",
        MAX_BODY_BYTES_2,
        streams=True,
    ),
)
# In the shapes of other tools: they are in no contract, and their fields are the tools' own.
TOOL_OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "promptfoo",
        "/integrations/promptfoo",
        promptfoo.WebhookRequest,
        promptfoo.WebhookResult,
        200,
        _SPENDING,
        "A webhook assertion of promptfoo",
        "Judges an output and answers with pass, score and reason.",
        MAX_BODY_BYTES_2,
    ),
    Operation(
        "litellm",
        "/beta/litellm_basic_guardrail_api",
        litellm.GuardrailRequest,
        litellm.GuardrailResult,
        200,
        _SPENDING,
        "A guardrail of LiteLLM's proxy",
        "Judges what a user wrote, or what a model answered, and says what the proxy is to do.",
        MAX_BODY_BYTES_2,
    ),
)
ALL_OPERATIONS = (*OPERATIONS, *OPERATIONS_2)
