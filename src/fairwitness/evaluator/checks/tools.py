"""Checks of tool calls: which tools the response and the conversation before it called, with what, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from fairwitness.contract.conversation import ToolCall
from fairwitness.evaluator.checks.check import MAX_SPANS, Check, Fault, Phrase, Phrases, named
from fairwitness.evaluator.coverage import Part
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import counted

Call = tuple[str, ToolCall]


class _Calls(Check, frozen=True, kw_only=True):
    READS: ClassVar[tuple[Part, ...]] = ("toolCalls",)

    # The response's own calls, or also those of the assistant's turns before it.
    where: Literal["response", "conversation"] = "response"

    def calls(self, exchange: Exchange) -> list[Call]:
        """Return the calls in order, each with the source that names it."""
        found = []
        if self.where == "conversation":
            found += [
                (f"messages[{at}].toolCalls[{number}]", call)
                for at, message in enumerate(exchange.messages)
                for number, call in enumerate(message.calls)
            ]
        found += [
            (f"response.toolCalls[{number}]", call)
            for number, call in enumerate(exchange.tool_calls)
        ]
        return found


class ToolCalled(_Calls, frozen=True, kw_only=True, tag="tool_called"):
    """The tool is called at least `min` and at most `max` times, with these arguments where some are given."""

    tool: Phrase
    # Every argument named here has this value; others may be there. `exact` allows no others.
    arguments: Mapping[str, Any] = msgspec.field(default_factory=dict)
    exact: bool = False
    min: Annotated[int, Meta(ge=0, le=1_000)] = 1
    max: Annotated[int, Meta(ge=0, le=1_000)] | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that cross."""
        if self.max is not None and self.max < self.min:
            raise ValueError("needs min <= max")

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote the calls that are too many, or those of the tool with other arguments."""
        of_tool = [one for one in self.calls(exchange) if one[1].name == self.tool]
        fitting = [one for one in of_tool if self._fits(one[1])]
        if self.max is not None and len(fitting) > self.max:
            return Fault(f"{counted(len(fitting), 'call')}, at most {self.max}", _quoted(fitting[self.max :], exchange))  # fmt: skip
        if len(fitting) >= self.min:
            return None
        other = next((call for _, call in of_tool if not self._fits(call)), None)
        if other is not None:
            told = f"called with other arguments: {named(self._others(other))}"
            return Fault(told, _quoted(of_tool, exchange))
        calls = counted(len(fitting), "call")
        return Fault(f"{calls} of {named([self.tool])}, at least {self.min}", _quoted(fitting, exchange))  # fmt: skip

    def _fits(self, call: ToolCall) -> bool:
        return not self._others(call)

    def _others(self, call: ToolCall) -> list[str]:
        """Return the arguments that are not as asked for, and with `exact` those nobody asked for."""
        extra = [name for name in call.arguments if name not in self.arguments]
        return [*_different(call, self.arguments), *(extra if self.exact else ())]


class ToolOrder(_Calls, frozen=True, kw_only=True, tag="tool_order"):
    """These tools are called in this order; other calls may stand between them, unless `only`."""

    tools: Phrases
    only: bool = False

    def fault(self, exchange: Exchange) -> Fault | None:
        """Name the first tool that is not where it should be; quote the calls."""
        calls = self.calls(exchange)
        names = [call.name for _, call in calls]
        at = 0
        for wanted, tool in enumerate(self.tools):
            while at < len(names) and names[at] != tool:
                at += 1
            if at == len(names):
                after = f" after {named([self.tools[wanted - 1]])}" if wanted else ""
                return Fault(f"{named([tool])} not called{after}", _quoted(calls, exchange))
            at += 1
        others = [one for one in calls if one[1].name not in self.tools]
        if self.only and (others or len(names) != len(self.tools)):
            return Fault(f"{counted(len(names), 'call')}, exactly {len(self.tools)}", _quoted(others or calls, exchange))  # fmt: skip
        return None


class NoRepeatedCalls(_Calls, frozen=True, kw_only=True, tag="no_repeated_calls"):
    """No tool is called twice with the same arguments."""

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote every call that was made before."""
        seen: list[tuple[str, dict[str, Any]]] = []
        again: list[Call] = []
        for source, call in self.calls(exchange):
            said = (call.name, call.arguments)
            if any(_same_json(said, before) for before in seen):
                again.append((source, call))
            else:
                seen.append(said)
        return Fault(f"{len(again)} repeated", _quoted(again, exchange)) if again else None


CHECKS: tuple[type[Check], ...] = (ToolCalled, ToolOrder, NoRepeatedCalls)


def _different(call: ToolCall, wanted: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of arguments that have another value, or are not there."""
    for name, value in wanted.items():
        if name not in call.arguments or not _same_json(call.arguments[name], value):
            yield name


def _same_json(one: Any, other: Any) -> bool:
    """Compare as JSON does: true is not 1, while 1 is 1.0."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same_json(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same_json, one, other))
    return bool(one == other)


def _quoted(calls: Sequence[Call], exchange: Exchange) -> tuple[Span, ...]:
    return tuple(Span(0, len(exchange.text(source)), source) for source, _ in calls)[:MAX_SPANS]
