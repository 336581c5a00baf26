"""What is judged: a response, what it answers, and what it was given, with the views of them that criteria share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairwitness.contract.conversation import Message, Passage, ToolCall
from fairwitness.contract.evaluation import Source
from fairwitness.evaluator.text import Text


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of code points in one of the texts of an exchange."""

    start: int
    end: int
    source: Source = "response"


class Exchange:
    """One response, the prompt or conversation it answers, and the finish reason the provider gave.

    In a conversation `prompt` is the text of the message that the response answers: the last one, or
    the last before the results of tools. `messages` holds all of them. A source names any text:
    `prompt`, `response`, `response.toolCalls[i]`, `context[i]`, `messages[i]`,
    `messages[i].toolCalls[j]`, `reference`.
    """

    def __init__(
        self,
        prompt: str,
        response: str,
        finish_reason: str | None = None,
        *,
        context: Sequence[Passage] = (),
        messages: Sequence[Message] = (),
        reference: str | None = None,
        tool_calls: Sequence[ToolCall] = (),
    ) -> None:
        """Keep the texts; a view of them is made when it is first used. Messages stand instead of a prompt."""
        self._answered = _answered(messages)
        self.prompt = Text(messages[self._answered].content if messages else prompt)
        self.response = Text(response)
        self.finish_reason = finish_reason
        self.context = tuple(Text(passage.text) for passage in context)
        self.passages = tuple(context)
        self.messages = tuple(messages)
        self.reference = None if reference is None else Text(reference)
        self.tool_calls = tuple(tool_calls)
        self._texts = {"prompt": self.prompt, "response": self.response}
        if context or messages or tool_calls or self.reference is not None:
            self._add_sources()

    def _add_sources(self) -> None:
        texts = self._texts
        texts |= {f"context[{at}]": text for at, text in enumerate(self.context)}
        _add_calls(texts, "response", self.tool_calls)
        if self.reference is not None:
            texts["reference"] = self.reference
        for at, message in enumerate(self.messages):
            name = f"messages[{at}]"
            texts[name] = self.prompt if at == self._answered else Text(message.content)
            _add_calls(texts, name, message.calls)

    @property
    def given(self) -> str:
        """All that the response was given, as one text: prompt or conversation, context, reference."""
        texts = [
            text.value for name, text in self._texts.items() if not name.startswith("response")
        ]
        return texts[0] if len(texts) == 1 else "\n".join(texts)

    def text(self, source: Source) -> Text:
        """Return the text a span's source names; an unknown source is a KeyError."""
        return self._texts[source]

    def published(self, source: Source) -> Source:
        """Return the name of a source on the wire: the prompt of a conversation is one of its messages."""
        return f"messages[{self._answered}]" if source == "prompt" and self.messages else source

    def with_response(self, response: str) -> Exchange:
        """Return the exchange with another response text."""
        return Exchange(
            self.prompt.value,
            response,
            self.finish_reason,
            context=self.passages,
            messages=self.messages,
            reference=None if self.reference is None else self.reference.value,
            tool_calls=self.tool_calls,
        )

    def passage(self, span: Span) -> Exchange:
        """Return the prompt with only this span of the response."""
        return Exchange(self.prompt.value, self.response.value[span.start : span.end])


def _answered(messages: Sequence[Message]) -> int:
    """Return the index of the message the response answers: the last before the results of tools."""
    last = len(messages) - 1
    asked = (at for at in range(last, -1, -1) if messages[at].role not in {"tool", "assistant"})
    return next(asked, last)


def _add_calls(texts: dict[str, Text], source: str, calls: Sequence[ToolCall]) -> None:
    for at, call in enumerate(calls):
        texts[f"{source}.toolCalls[{at}]"] = Text(call.text)
