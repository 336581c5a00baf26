"""How much of an exchange was read, and what that leaves for a person: nothing unread passes in silence.

Closed forms read a text whole; a criterion names beside its `judge` which parts they read (`READS`). A learned
reader says itself how much of a text it read (`Signal.extent`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from fairwitness.contract.evaluation import Coverage, ReasonDetail
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.signals import Extent

# What a criterion can read beside the prompt and the text of the response.
Part = Literal["context", "messages", "reference", "toolCalls"]


def coverage_of(
    exchange: Exchange, extents: Sequence[Extent], read_whole: Iterable[Part]
) -> Coverage:
    """Return what was read, in code points: as the reader that read least of it says, else whole or not at all."""
    response = [extent.response for extent in extents if extent.response is not None]
    context = [extent.context for extent in extents if extent.context is not None]
    response_total = len(exchange.response)
    context_total = sum(map(len, exchange.context))
    context_read = context_total if "context" in read_whole else 0
    return Coverage(
        context_read=min(context, default=context_read),
        context_total=context_total,
        response_read=min(response, default=response_total),
        response_total=response_total,
    )


def unread(
    exchange: Exchange, coverage: Coverage, read_whole: Iterable[Part]
) -> Iterator[ReasonDetail]:
    """Yield why a person should review what was given and not read."""
    read, total = coverage.context_read, coverage.context_total
    if 0 < read < total:
        yield _detail(f"{read} of {total} characters of the context were read.")
    elif read < total:
        yield _detail("No criterion of this protocol reads the context.")
    if exchange.reference is not None and "reference" not in read_whole:
        yield _detail("No criterion of this protocol reads the reference.")
    if exchange.tool_calls and "toolCalls" not in read_whole:
        yield _detail("No criterion of this protocol reads the tool calls of the response.")


def _detail(message: str) -> ReasonDetail:
    return ReasonDetail(code="context_not_read", message=message)
