"""What judges answered: strict JSON of quotations, a reason and a verdict, and every quotation held against the texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.judges.questions import (
    MAX_QUOTATION_CHARS,
    MAX_REASON_CHARS,
    JudgeQuestion,
)
from fairwitness.evaluator.judges.spec import MAX_QUOTATIONS
from fairwitness.evaluator.signals import JudgeAnswer
from fairwitness.evaluator.text import Text

MAX_ANSWER_CHARS = 20_000


class _Said(Struct, forbid_unknown_fields=True):
    verdict: str
    reason: Annotated[str, Meta(max_length=MAX_REASON_CHARS)]
    quotations: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=MAX_QUOTATION_CHARS)]],
        Meta(max_length=MAX_QUOTATIONS),
    ]


@dataclass(frozen=True, slots=True)
class Opinion:
    """One answer, read: the share of the score it stands for, its reason, and where its quotations stand."""

    question: JudgeQuestion
    share: float | None
    reason: str = ""
    spans: tuple[Span, ...] = ()
    # Why it cannot be used; empty where it can.
    unavailable: str = ""
    # A quotation that is nowhere in the texts.
    invented: str = ""


def read(
    question: JudgeQuestion,
    answer: JudgeAnswer | None,
    letters: Mapping[str, float],
    texts: Mapping[str, Text],
) -> Opinion:
    """Read one answer; what is not exactly the asked JSON is no answer."""
    if answer is None or answer.text is None:
        return Opinion(question, None, unavailable=answer.unavailable if answer else "not asked")
    said = _decoded(answer.text)
    if said is None or said.verdict not in letters:
        return Opinion(question, None, unavailable="not the JSON that was asked for")
    reason = _shown(said.reason)
    spans: list[Span] = []
    for quotation in said.quotations:
        span = _found(quotation, texts)
        if span is None:
            return Opinion(question, None, reason, invented=_shown(quotation) or "white space")
        spans.append(span)
    return Opinion(question, letters[said.verdict], reason, tuple(spans))


def _shown(said: str) -> str:
    """Return a judge's words on one line, without what could drive a terminal."""
    return "".join(char if char.isprintable() else "�" for char in " ".join(said.split()))


def _decoded(text: str) -> _Said | None:
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```"):  # many models cannot help it
        bare = bare.removeprefix("```json").strip("`").strip()
    if len(bare) > MAX_ANSWER_CHARS:
        return None
    try:
        return msgspec.json.decode(bare.encode(), type=_Said)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def _found(quotation: str, texts: Mapping[str, Text]) -> Span | None:
    for source, text in texts.items():
        at = text.value.find(quotation)
        if at >= 0 and quotation.strip():
            return Span(at, at + len(quotation), source)
    return None
