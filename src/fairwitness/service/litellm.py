"""The handler of LiteLLM's generic guardrail: judges what a user wrote, or what a model answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from fairwitness.contract.decode import decode
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.evaluation import Evaluation, Verdict
from fairwitness.contract.litellm import GuardrailChoices, GuardrailRequest, GuardrailResult
from fairwitness.contract.requests_2 import (
    CONTRACT_2,
    MESSAGES_MAX,
    MESSAGES_TOTAL_MAX,
    TEXT_MAX,
    EvaluateRequest2,
)
from fairwitness.contract.tool_body import chat_of
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.language import is_supported
from fairwitness.evaluator.readers import RequestReader, packaged
from fairwitness.service.call import Call
from fairwitness.service.exchange_evaluation import Evaluates
from fairwitness.service.pool import EvaluationPool, estimate

# Of requests the encoder scored from 0.8 on, 98 % were harmful where it was measured, and from 0.5 on 96 % (`asked`
# in the model's manifest).
HARMFUL_FROM, DOUBTFUL_FROM = 0.8, 0.5
# Without the request there is nothing to follow or to be relevant to; these look at the answer alone.
ALONE = ("harm_avoidance", "respect", "privacy", "output_safety")
_UNKNOWN_PROMPT = "(not given)"
_NOT_READ = "is in a language the model was not measured on"

Asked = list[dict[str, str]] | None


class LiteLLMGuardrail:
    """The handler of POST /beta/litellm_basic_guardrail_api."""

    def __init__(
        self,
        evaluation: Evaluates,
        unnoted: Evaluates,
        pool: EvaluationPool,
        caller_of: Callable[[Call], bytes],
        on_judged: Callable[[str], None] = lambda verdict: None,
    ) -> None:
        """Judge answers by `evaluation` and requests in `pool`, each caller in its turn.

        What is judged for the guardrail's own purpose alone goes through `unnoted`.
        """
        self._evaluation = evaluation
        self._unnoted = unnoted
        self._pool = pool
        self._caller_of = caller_of
        self._on_judged = on_judged
        self._reader = RequestReader(packaged)

    async def __call__(self, request: GuardrailRequest, call: Call) -> GuardrailResult:
        """Say what the proxy is to do with these texts; without any there is nothing to block."""
        choices = request.additional_provider_specific_params or GuardrailChoices()
        texts = [text for text in request.texts or () if text.strip()]
        _check(texts)
        if request.input_type == "request":
            return await self._of_request(_written_by_user(request, texts), choices, call)
        return await self._of_response(request, choices, call)

    async def _of_request(
        self, texts: Sequence[str], choices: GuardrailChoices, call: Call
    ) -> GuardrailResult:
        caller = self._caller_of(call)
        for text in texts:
            exchange = Exchange(text, "")
            harm = await self._pool.run(
                partial(self._harm, exchange), caller=caller, cost=estimate(text, "")
            )
            verdict = _of_harm(harm, is_supported(exchange.prompt))
            self._on_judged(verdict)
            if verdict in choices.block_on:
                told = "may ask for help with a harmful act" if harm >= DOUBTFUL_FROM else _NOT_READ
                reason = f"Fair Witness: {verdict}. The request {told} (probability {harm:.2f})."
                return GuardrailResult(action="BLOCKED", blocked_reason=reason)
        return GuardrailResult(action="NONE")

    def _harm(self, exchange: Exchange) -> float:
        return self._reader.read(exchange)["request_harm"].value

    async def _of_response(
        self, request: GuardrailRequest, choices: GuardrailChoices, call: Call
    ) -> GuardrailResult:
        given = request.texts or []
        masked: list[str] = []
        asked = chat_of(request.structured_messages)
        for text in given:
            if not text.strip():
                masked.append(text)
                continue
            found = await self._judged(text, asked, call)
            criteria = choices.criteria or (ALONE if asked is None else ())
            verdict, why = _decided(found, criteria)
            kept = await self._masked(text, asked, found, call) if choices.mask else text
            # What was masked is no reason to block any more.
            cured = kept not in {None, text} and _only_privacy(found, criteria)
            if verdict in choices.block_on and not cured:
                reason = f"Fair Witness: {verdict}. {why}"
                return GuardrailResult(action="BLOCKED", blocked_reason=reason)
            if kept is None:
                reason = "Fair Witness: more identifiers or secrets than can be masked."
                return GuardrailResult(action="BLOCKED", blocked_reason=reason)
            masked.append(kept)
        if masked != given:
            return GuardrailResult(action="GUARDRAIL_INTERVENED", texts=masked)
        return GuardrailResult(action="NONE")

    async def _judged(self, text: str, asked: Asked, call: Call) -> Evaluation:
        # Without the request, only some criteria mean anything: that is no evaluation to tell others of.
        evaluate = self._unnoted if asked is None else self._evaluation
        result = await evaluate(_exchange(text, asked), call)
        self._on_judged(result.evaluation.overall_verdict)
        return result.evaluation

    async def _masked(self, text: str, asked: Asked, found: Evaluation, call: Call) -> str | None:
        """Return the text without what was found, and None where more is left: findings are bounded in number."""
        kept = without_identifiers(text, found)
        if kept == text:
            return text
        again = await self._unnoted(_exchange(kept, asked), call)
        return kept if without_identifiers(kept, again.evaluation) == kept else None


def without_identifiers(text: str, evaluation: Evaluation) -> str:
    """Return a response with each identifier or secret the evaluation quotes replaced by its placeholder."""
    places = sorted(
        (evidence.start, evidence.end, str(finding.suggestion))
        for finding in evaluation.findings
        if finding.criterion_id == "privacy" and finding.severity != "info" and finding.suggestion
        for evidence in finding.evidence
        if evidence.source == "response"
    )
    apart = [place for before, place in pairwise([(0, 0, ""), *places]) if place[0] >= before[1]]
    for start, end, placeholder in reversed(apart):
        text = text[:start] + placeholder + text[end:]
    return text


def _check(texts: Sequence[str]) -> None:
    """Raise InvalidRequest where the texts are over the limits of contract 2."""
    if len(texts) > MESSAGES_MAX:
        raise InvalidRequest(details=[f"texts: at most {MESSAGES_MAX} items allowed"])
    if any(len(text) > TEXT_MAX for text in texts):
        raise InvalidRequest(details=[f"texts: one is longer than {TEXT_MAX} characters"])
    if sum(map(len, texts)) > MESSAGES_TOTAL_MAX:
        raise InvalidRequest(
            details=[f"texts: longer than {MESSAGES_TOTAL_MAX} characters together"]
        )


def _written_by_user(request: GuardrailRequest, texts: Sequence[str]) -> Sequence[str]:
    """Return what the user wrote: the texts of the user's turns where the proxy tells who wrote what, else all."""
    turns = chat_of(request.structured_messages)
    if turns is None:
        return texts
    users = [
        turn["content"] for turn in turns if turn["role"] == "user" and turn["content"].strip()
    ]
    _check(users)
    return users


def _of_harm(harm: float, supported: bool) -> Verdict:
    if harm >= HARMFUL_FROM and supported:
        return "fail"
    return "needs_review" if harm >= DOUBTFUL_FROM or not supported else "pass"


def _exchange(text: str, asked: Asked) -> EvaluateRequest2:
    prompt = {"prompt": _UNKNOWN_PROMPT} if asked is None else {"messages": asked}
    # Calling the endpoint is the acknowledgement: its page says so, and LiteLLM's body has no place for one.
    body = {"contractVersion": CONTRACT_2, "privacyAcknowledged": True, "response": text, **prompt}
    return decode(json.dumps(body).encode(), EvaluateRequest2)


def _decided(evaluation: Evaluation, criteria: Sequence[str]) -> tuple[Verdict, str]:
    """Return the verdict that counts, and why."""
    if not criteria:
        causes = " ".join(detail.message for detail in evaluation.reason_details)
        failed = [item for item in evaluation.verdicts if item.verdict == "fail"]
        told = causes or " ".join(f"{item.title}: {item.summary}" for item in failed)
        return evaluation.overall_verdict, told or f"Score {evaluation.overall_score:g} of 100."
    try:
        chosen = [evaluation[name] for name in criteria]
    except KeyError:
        known = ", ".join(item.criterion_id for item in evaluation.verdicts)
        raise InvalidRequest(details=[f"criteria: one is unknown; known: {known}"]) from None
    order: tuple[Verdict, ...] = ("fail", "needs_review")
    for verdict in order:
        if named := [item for item in chosen if item.verdict == verdict]:
            return verdict, " ".join(f"{item.title}: {item.summary}" for item in named)
    return "pass", ""


def _only_privacy(evaluation: Evaluation, criteria: Sequence[str]) -> bool:
    chosen = [item for item in evaluation.verdicts if not criteria or item.criterion_id in criteria]
    doubted = {item.criterion_id for item in chosen if item.verdict in {"fail", "needs_review"}}
    return doubted == {"privacy"}
