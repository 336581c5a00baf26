"""What is judged: one prompt and one response, with the views that criteria share, each made once."""

from __future__ import annotations

from dataclasses import dataclass

from fairwitness.contract.evaluation import Source
from fairwitness.evaluator.text import Text


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of code points in one of the two texts."""

    start: int
    end: int
    source: Source = "response"


class Exchange:
    """One prompt, one response, and what a provider said of how the response ended."""

    def __init__(self, prompt: str, response: str, finish_reason: str | None = None) -> None:
        """Hold the texts; a view of them is made when it is first asked for."""
        self.prompt = Text(prompt)
        self.response = Text(response)
        self.finish_reason = finish_reason

    def text(self, source: Source) -> Text:
        """Return the text a span's source names."""
        return self.response if source == "response" else self.prompt

    def passage(self, span: Span) -> Exchange:
        """Return the exchange in which this stretch of the response is all of it."""
        return Exchange(self.prompt.value, self.response.value[span.start : span.end])
