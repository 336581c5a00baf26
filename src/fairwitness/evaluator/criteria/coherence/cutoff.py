"""Finds responses that are cut off: the provider said so, or a code fence or a formula is left open.

How the last line itself ends is text_ending.py's; here the strongest sign is chosen and reported.
"""

from __future__ import annotations

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.coherence import text_ending
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

CUT_REASONS = frozenset({"length", "max_tokens"})
_MATHS = Pattern(r"\\(?:begin|end)\{[a-zA-Z]{1,20}\*?\}|\\\\|\\[\[\]()]|\$\$")
_FORMULA_CHARS = frozenset("=\\^_{}")
_MAX_FORMULA_MARKS = 200  # with more, they are not formulas
_CLOSER_OF = {r"\[": r"\]", r"\(": r"\)"}
_ASKS_FOR_UNFINISHED = Pattern(
    r"\b(?:unfinished|incomplete|cliff-?hangers?|cut off|interrupted|trail(?:s|ing)? off|(?:fill in|"
    r"complete) the blank|mid-?sentence|first (?:half|part|line|\d+ words)|revers\w+|backwards?|(?:jumble|scramble|shuffle) the words)\b",
    ignore_case=True,
)


def find(exchange: Exchange) -> list[Finding]:
    """Return why the response looks cut, strongest sign only."""
    text = exchange.response
    end = len(text.value.rstrip())
    if not end:
        return []
    unclosed = _open_fence(text) or _open_maths(text)
    seen = unclosed or _ending(text, end, exchange.prompt.lower)
    if exchange.finish_reason in CUT_REASONS:
        return [
            Finding(
                severity="high" if seen else "medium",
                message="The provider stopped the response at its length limit.",
                detector="coherence.cut.provider",
                spans=seen.spans if seen else (Span(max(0, end - 40), end),),
                suggestion="Raise the length limit and try again.",
            )
        ]
    if seen is None or (unclosed is None and _is_wanted(exchange, end)):
        return []
    return [seen]


def _is_wanted(exchange: Exchange, end: int) -> bool:
    """Tell whether the prompt asks for something unfinished, or has the last line as one of its options."""
    if exchange.prompt.search(_ASKS_FOR_UNFINISHED) is not None:
        return True
    value = exchange.response.value
    last_line = value[value.rfind("\n", 0, end) + 1 : end].lstrip("-*•0123456789.)ABCDabcd ")
    return len(last_line) >= 4 and last_line in exchange.prompt.value


def _open_fence(text: Text) -> Finding | None:
    blocks = text.code_blocks
    if not blocks or blocks[-1].closed:
        return None
    block = blocks[-1]
    if not text.slice(block.body).strip():
        # A fence with nothing after it is often only one mark too many.
        return _finding(
            "low", "fence", "A code fence is opened with nothing after it.", block.region
        )
    opening = (block.region.start, min(block.region.start + 30, block.region.end))
    return _finding("medium", "fence", "A code block is opened and never closed.", opening)


def _open_maths(text: Text) -> Finding | None:
    if "\\" not in text.value and "$$" not in text.value:
        return None
    if text.value.count("$$") > _MAX_FORMULA_MARKS:
        return None
    awaited: list[tuple[str, tuple[int, int]]] = []
    for match in text.matches(_MATHS):
        mark = match.text
        if mark == "\\\\" or text.in_code(match.start):
            continue
        if awaited and awaited[-1][0] == mark:
            awaited.pop()
        elif mark in _CLOSER_OF or mark == "$$" or mark.startswith(r"\begin"):
            close = _CLOSER_OF.get(mark) or mark.replace(r"\begin", r"\end")
            awaited.append((close, (match.start, match.end)))
    # Only what nothing closes and the text runs out in: a bracket slip further up is no cut.
    if not awaited or text.value.count(awaited[-1][0], awaited[-1][1][1]):
        return None
    if awaited[-1][0] == "$$" and not _FORMULA_CHARS.intersection(text.value[awaited[-1][1][1] :]):
        return None  # a price range or a slip, not a formula
    start, end = awaited[-1][1]
    message = f"The formula opened with “{text.value[start:end]}” is never closed."
    return _finding("medium", "maths", message, (start, end))


def _ending(text: Text, end: int, known: str) -> Finding | None:
    sign = text_ending.find_bad_ending(text, end, known)
    return None if sign is None else _finding(sign.severity, sign.kind, sign.message, sign.region)


def _finding(severity: Severity, kind: str, message: str, region: tuple[int, int]) -> Finding:
    return Finding(
        severity=severity,
        message=message,
        detector=f"coherence.cut.{kind}",
        spans=(Span(*region),),
        suggestion="Complete the ending.",
    )
