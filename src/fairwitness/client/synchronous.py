"""The client for ordinary code."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal, Self

from fairwitness.client import calls, calls_2
from fairwitness.client.calls import Call, T
from fairwitness.client.calls_2 import ContextInput, MessagesInput, ResponseInput
from fairwitness.client.errors import UnexpectedAnswer
from fairwitness.client.events import ArenaEvents
from fairwitness.client.retrying import Retries
from fairwitness.client.transport import Answer, Transport
from fairwitness.contract import results, results_2


class Client:
    """Calls a running Fair Witness service; safe to share between threads.

    >>> with Client("https://eval.example.org", privacy_acknowledged=True) as client:  # doctest: +SKIP
    ...     client.evaluate_response("What is 2+2?", "2+2 = 4").evaluation.overall_verdict
    'pass'

    What the service refuses is raised as the contract's error (`fairwitness.contract.errors`), with `code`,
    `details` and `retry_after`; what keeps it from answering as a ClientError. Only calls that change nothing
    are repeated, after the time the service names.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        *,
        privacy_acknowledged: Literal[True],
        timeout: float = 60.0,
        retries: int = 2,
        api_key: str | None = None,
    ) -> None:
        """Take the service's address.

        `privacy_acknowledged=True` says, for every text this client sends, that you may submit it and that it
        holds no confidential or personal data. `timeout` is for one request, its answer included.
        """
        if privacy_acknowledged is not True:
            raise ValueError("privacy_acknowledged must be True")
        headers = {} if api_key is None else {"x-api-key": api_key}
        self._transport = Transport(base_url, timeout, headers)
        self._retries = Retries(retries)

    def evaluate_response(self, prompt: str, response: str) -> results.EvaluateResponseResult:
        """Evaluate a response you already have."""
        return self.send(calls.evaluate_response(prompt, response))

    def generate(self, prompt: str, provider_ids: Sequence[str]) -> results.GenerateResult:
        """Generate with each provider and evaluate each response. Spends; never repeated."""
        return self.send(calls.generate(prompt, provider_ids))

    def arena(self, prompt: str, providers: Sequence[str]) -> results.ArenaResult:
        """Compare two to five providers on one prompt. Spends; never repeated."""
        return self.send(calls.arena(prompt, providers))

    def arena_evidence(self, prompt: str, providers: Sequence[str]) -> results.ArenaEvidenceResult:
        """Compare providers and get a signed record of it. Spends; never repeated."""
        return self.send(calls.arena_evidence(prompt, providers))

    def improve(self, prompt: str, response: str) -> results.ImprovementResult:
        """Improve a response by fixing its findings."""
        return self.send(calls.improve(prompt, response))

    def feedback(
        self,
        category: str,
        message: str,
        *,
        rating: int | None = None,
        request_id: str | None = None,
        contact: str | None = None,
    ) -> results.FeedbackResult:
        """Send private feedback about the service; never repeated."""
        return self.send(calls.feedback(category, message, rating, request_id, contact))

    def evaluate(
        self,
        prompt: str | None,
        response: ResponseInput,
        *,
        context: ContextInput | None = None,
        messages: MessagesInput | None = None,
        reference: str | None = None,
        protocol: str | None = None,
        protocol_digest: str | None = None,
    ) -> results_2.EvaluateResult2:
        """Evaluate a response with its context, by contract 2; takes what `fairwitness.evaluate` takes.

        `protocol` is a name the service publishes; a protocol with judged criteria spends.
        """
        call = calls_2.evaluate(
            prompt,
            response,
            context=context,
            messages=messages,
            reference=reference,
            protocol=protocol,
            protocol_digest=protocol_digest,
        )
        return self.send(call)

    def compare(
        self,
        prompt: str | None,
        providers: Sequence[str],
        *,
        messages: MessagesInput | None = None,
        system: str | None = None,
        temperature: float | None = None,
        evidence: bool = False,
    ) -> results_2.ArenaResult2:
        """Compare two to five providers on a prompt or a conversation, by contract 2. Spends; never repeated."""
        call = calls_2.compare(
            prompt,
            providers,
            messages=messages,
            system=system,
            temperature=temperature,
            evidence=evidence,
        )
        return self.send(call)

    def compare_events(
        self,
        prompt: str | None,
        providers: Sequence[str],
        *,
        messages: MessagesInput | None = None,
        system: str | None = None,
        temperature: float | None = None,
        evidence: bool = False,
    ) -> ArenaEvents:
        """Compare as `compare` does, and iterate over each result as its provider finishes, then the whole."""
        call = calls_2.compare(
            prompt,
            providers,
            messages=messages,
            system=system,
            temperature=temperature,
            evidence=evidence,
        )
        return self.stream(call)

    def send(self, call: Call[T]) -> T:
        """Make a call and return its typed result."""
        attempt = 0
        while True:
            wait = 0.0
            try:
                answer = self._transport.post(call.path, call.body)
                if answer.status < 300:
                    return call.decode(answer.body)
                raise _error(answer)
            except Exception as error:
                wait = self._retries.wait(call, attempt, error)
            attempt += 1
            time.sleep(wait)

    def stream(self, call: Call[results_2.ArenaResult2]) -> ArenaEvents:
        """Make a call of the Arena and return its events; never repeated."""
        begun = self._transport.stream(call.path, call.body)
        if not isinstance(begun, Answer):
            return ArenaEvents(begun, call)
        if begun.status >= 300:
            raise _error(begun)
        raise UnexpectedAnswer(f"{call.path}: the answer is no stream of events")

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        """Return the client itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Close the connections."""
        self.close()


def _error(answer: Answer) -> Exception:
    return calls.error_of(answer.status, answer.body, answer.retry_after, answer.request_id)
