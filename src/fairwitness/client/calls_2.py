"""The calls of contract 2: an exchange with its context, and the Arena over a prompt or a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairwitness.client.calls import Call, Repeats, call_of
from fairwitness.contract.conversation import Answer, Message, Passage
from fairwitness.contract.operations import OPERATIONS_2
from fairwitness.contract.requests_2 import CONTRACT_2
from fairwitness.contract.results_2 import ArenaResult2, EvaluateResult2

# What a caller may give, as for `fairwitness.evaluate`: our types, or what JSON would hold.
ContextInput = str | Sequence[str | Passage | Mapping[str, Any]]
MessagesInput = Sequence[Message | Mapping[str, Any]]
ResponseInput = str | Answer | Mapping[str, Any]

_PATHS = {operation.id: operation.path for operation in OPERATIONS_2}


def evaluate(
    prompt: str | None,
    response: ResponseInput,
    *,
    context: ContextInput | None,
    messages: MessagesInput | None,
    reference: str | None,
    protocol: str | None,
    protocol_digest: str | None,
) -> Call[EvaluateResult2]:
    """Evaluate an exchange: a protocol may ask models and so spend, so it is repeated only where it was refused."""
    return call_of(
        _PATHS["evaluateExchange"],
        EvaluateResult2,
        repeats=Repeats.WHEN_REFUSED,
        contractVersion=CONTRACT_2,
        prompt=prompt,
        response=response,
        context=_passages(context),
        messages=None if messages is None else list(messages),
        reference=reference,
        protocol=protocol,
        protocolDigest=protocol_digest,
    )


def compare(
    prompt: str | None,
    providers: Sequence[str],
    *,
    messages: MessagesInput | None,
    system: str | None,
    temperature: float | None,
    evidence: bool,
) -> Call[ArenaResult2]:
    """Compare providers: it spends, so it is sent once."""
    path = _PATHS["compareProviders"]
    return call_of(
        f"{path}?evidence=true" if evidence else path,
        ArenaResult2,
        contractVersion=CONTRACT_2,
        prompt=prompt,
        messages=None if messages is None else list(messages),
        providers=list(providers),
        system=system,
        temperature=temperature,
    )


def _passages(context: ContextInput | None) -> list[object] | None:
    if context is None:
        return None
    given = [context] if isinstance(context, str) else context
    return [{"text": one} if isinstance(one, str) else one for one in given]
