"""Finds answers that stop before their end: what the provider said, open fences, words left hanging.

It judges the ending by the text's own habit: where other sentences end in a mark, the last must too.
"""

from __future__ import annotations

from fairwitness.evaluator.judgement import Exchange, Finding, Span
from fairwitness.evaluator.text import Text

CUT_REASONS = frozenset({"length", "max_tokens"})
# English words after which a sentence cannot stand ended.
_DANGLING = frozenset(
    "the a an and or but nor of their your our my its because which whose although whereas "
    "than into onto upon between among towards including".split()
)


def find(exchange: Exchange) -> list[Finding]:
    """Return why the response looks cut, strongest sign only."""
    text = exchange.response
    end = len(text.value.rstrip())
    if not end:
        return []
    visible = _open_fence(text) or _hanging(text, end)
    if exchange.finish_reason in CUT_REASONS:
        span = visible[0].spans if visible else (Span(max(0, end - 40), end),)
        return [
            Finding(
                severity="high" if visible else "medium",
                message="The provider stopped the answer at its length limit.",
                detector="coherence.cut.provider",
                spans=span,
                suggestion="Ask again with a higher limit.",
            )
        ]
    return visible


def _open_fence(text: Text) -> list[Finding]:
    blocks = text.code_blocks
    if not blocks or blocks[-1].closed:
        return []
    opening = blocks[-1].region.start
    return [
        Finding(
            severity="medium",
            message="A code block is opened and never closed.",
            detector="coherence.cut.fence",
            spans=(Span(opening, min(opening + 20, len(text))),),
            suggestion="Close the code block.",
        )
    ]


def _hanging(text: Text, end: int) -> list[Finding]:
    words = text.words
    if not words or words[-1].end != end:
        return []
    if text.slice(words[-1]) not in _DANGLING or text.in_code(words[-1].start):
        return []
    return [
        Finding(
            severity="high",
            message="The answer stops in the middle of a sentence.",
            detector="coherence.cut.sentence",
            spans=(Span(max(text.sentence_at(end - 1).start, end - 60), end),),
            suggestion="Finish the sentence.",
        )
    ]
