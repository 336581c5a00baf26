"""The handler of promptfoo's webhook assertion: an evaluation by contract 2, answered as pass, score and reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

from msgspec import Struct

from fairwitness.contract.decode import decode
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.promptfoo import WebhookRequest, WebhookResult, grading
from fairwitness.contract.requests_2 import CONTRACT_2, EvaluateRequest2
from fairwitness.contract.tool_body import chat_of, text_of
from fairwitness.service.call import Call
from fairwitness.service.exchange_evaluation import Evaluates

PARAMETERS = ("review", "criteria", "protocol", "context", "reference")


class Choices(Struct, frozen=True, kw_only=True):
    """What the query of a webhook's address chooses."""

    review: str = "fail"
    criteria: tuple[str, ...] = ()
    protocol: str = ""
    context: str = ""
    reference: str = ""

    @classmethod
    def of(cls, query: str) -> Choices:
        """Read a query; a parameter that is not known must not be passed over, so it is an InvalidRequest."""
        given = parse_qsl(query, keep_blank_values=True)
        chosen = dict(given)
        if len(chosen) < len(given):
            raise InvalidRequest(details=["query: a parameter appears more than once"])
        if not chosen.keys() <= set(PARAMETERS):
            known = ", ".join(PARAMETERS)
            raise InvalidRequest(details=[f"query: unknown parameter; known: {known}"])
        if chosen.get("review", "fail") not in {"fail", "pass"}:
            raise InvalidRequest(details=["query: review must be fail or pass"])
        criteria = tuple(name for name in chosen.pop("criteria", "").split(",") if name)
        return cls(criteria=criteria, **chosen)


class PromptfooWebhook:
    """The handler of POST /integrations/promptfoo."""

    def __init__(
        self,
        evaluation: Evaluates,
        on_judged: Callable[[str], None] = lambda verdict: None,
    ) -> None:
        """Judge by `evaluation`, in the same queue and under the same limits; tell each overall verdict."""
        self._evaluation = evaluation
        self._on_judged = on_judged

    async def __call__(self, request: WebhookRequest, call: Call) -> WebhookResult:
        """Judge one output. What cannot be judged is an error: promptfoo counts each as a failure, also when inverted."""
        choices = Choices.of(call.query)
        result = await self._evaluation(_exchange(request, choices), call)
        self._on_judged(result.evaluation.overall_verdict)
        try:
            found = grading(result.evaluation, choices.review == "pass", choices.criteria)
        except KeyError:
            known = ", ".join(item.criterion_id for item in result.evaluation.verdicts)
            told = f"query: criteria names an unknown criterion; known: {known}"
            raise InvalidRequest(details=[told]) from None
        return WebhookResult(passed=found["pass"], score=found["score"], reason=found["reason"])


def _exchange(request: WebhookRequest, choices: Choices) -> EvaluateRequest2:
    """Return a request of contract 2: its bounds hold here, too."""
    # Calling the endpoint is the acknowledgement: its page says so, and promptfoo's body has no place for one.
    body: dict[str, Any] = {
        "contractVersion": CONTRACT_2,
        "privacyAcknowledged": True,
        "response": "" if request.output is None else text_of(request.output),
        **_asked(request.context.prompt),
    }
    if choices.protocol:
        body["protocol"] = choices.protocol
    given = request.context.vars
    if choices.context:
        passages = _variable(given, "context", choices.context)
        passages = passages if isinstance(passages, list) else [passages]
        body["context"] = [{"text": text_of(passage)} for passage in passages]
    if choices.reference:
        body["reference"] = text_of(_variable(given, "reference", choices.reference))
    return decode(json.dumps(body).encode(), EvaluateRequest2)


def _variable(given: dict[str, Any], parameter: str, name: str) -> Any:
    if name not in given:
        raise InvalidRequest(
            details=[f"query: {parameter} names a variable the test does not have"]
        )
    return given[name]


def _asked(prompt: Any) -> dict[str, Any]:
    """Return what was asked: the conversation where promptfoo gives a chat."""
    turns = prompt
    if prompt is None:
        return {"prompt": ""}
    if isinstance(prompt, str):
        try:
            turns = json.loads(prompt)
        except (ValueError, RecursionError):
            turns = None
    messages = chat_of(turns)
    return {"messages": messages} if messages is not None else {"prompt": text_of(prompt)}
