"""What is judged: one prompt and one response, with the views of them that criteria share."""

from __future__ import annotations

from dataclasses import dataclass

from fairwitness.contract.evaluation import Source
from fairwitness.evaluator.text import Text


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of code points in one of the two texts."""

    start: int
    end: int
    source: Source = "response"


class Exchange:
    """One prompt, one response, and the finish reason the provider gave."""

    def __init__(self, prompt: str, response: str, finish_reason: str | None = None) -> None:
        """Keep the texts; a view of them is made when it is first used."""
        self.prompt = Text(prompt)
        self.response = Text(response)
        self.finish_reason = finish_reason

    def text(self, source: Source) -> Text:
        """Return the text a span's source names."""
        return self.response if source == "response" else self.prompt

    def passage(self, span: Span) -> Exchange:
        """Return the exchange with only this span of the response."""
        return Exchange(self.prompt.value, self.response.value[span.start : span.end])
