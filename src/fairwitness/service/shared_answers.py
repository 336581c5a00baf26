"""The answers of one batch: a question is asked once, however many rows ask it.

Models do not always answer the same question alike, not even at temperature 0: a server that computes several
requests together may round differently each time. So rows that ask the same share one answer, and pay for it once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from fairwitness.contract.judge_record import AskedQuestion
from fairwitness.evaluator.judges.questions import JudgeQuestion


class SharedAnswers:
    """What was answered, before or now, and what is being asked at this moment."""

    def __init__(
        self,
        recorded: Mapping[str, AskedQuestion] | None = None,
        before: Mapping[str, AskedQuestion] | None = None,
    ) -> None:
        """Begin with answers that are there, by their question: in records that stay, and in such as are replaced."""
        self._known = {**(before or {}), **(recorded or {})}
        self._counted = set(recorded or {})
        self._asking: dict[str, asyncio.Event] = {}

    def known(self, questions: Sequence[JudgeQuestion]) -> dict[str, AskedQuestion]:
        """Return the answers that are there; the cost of each stands in one record alone."""
        found = {}
        for digest in {question.digest for question in questions} & self._known.keys():
            one = self._known[digest]
            if digest in self._counted:
                one = msgspec.structs.replace(one, cost_micro_usd=0)
            self._counted.add(digest)
            found[digest] = one
        return found

    def claim(self, questions: Sequence[JudgeQuestion]) -> list[JudgeQuestion]:
        """Return those that nobody is asking, which the caller must now ask and release."""
        free = [question for question in questions if question.digest not in self._asking]
        for question in free:
            self._asking[question.digest] = asyncio.Event()
        return free

    def add(self, asked: Mapping[str, AskedQuestion]) -> None:
        """Keep what was answered; what was not may be asked again."""
        answered = {digest: one for digest, one in asked.items() if isinstance(one.answer, str)}
        self._known |= answered
        self._counted |= answered.keys()

    def release(self, questions: Sequence[JudgeQuestion]) -> None:
        """Let those go on who wait for these."""
        for question in questions:
            self._asking.pop(question.digest).set()

    async def wait(self, questions: Sequence[JudgeQuestion]) -> None:
        """Wait until one of these is no longer being asked by another."""
        events = [self._asking[one.digest] for one in questions if one.digest in self._asking]
        if events:
            await events[0].wait()
