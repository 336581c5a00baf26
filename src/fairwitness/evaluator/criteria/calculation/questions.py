"""Finds the one answer a short prompt determines by itself, and checks that the response gives it.

A prompt is closed where every quantity in it takes part in one of the known questions; any other number left over
means that there is more to it, and nothing is judged.
"""

from __future__ import annotations

from fairwitness.evaluator.criteria.calculation import (
    question_closed,
    question_letters,
    question_numbers,
    question_shares,
    question_steps,
    question_times,
)
from fairwitness.evaluator.criteria.calculation.answers import Answer, compare
from fairwitness.evaluator.criteria.calculation.context import another_arithmetic
from fairwitness.evaluator.criteria.calculation.quantities import NUMBERS, Line
from fairwitness.evaluator.criteria.calculation.silent_words import CODE, MADE_UP
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_PROMPT_CHARS = 400
# A longer response is more than an answer; where one ends, its last number is looked for.
_MAX_RESPONSE_CHARS, _MAX_ENDING_CHARS = 4_000, 300
# The numbers are material for something else, or must not be worked out as usual.
_NOT_ASKED = Pattern(
    rf"\b(?:{CODE}|{MADE_UP}|write an?|paragraph|"
    r"word problem|quiz|translate|pretend|wrong|mistake|incorrect|false|lie|opposite|role-?play|suppose that \d|estimate|guess|without (?:calculating|giving|saying)|"
    r"do not (?:give|calculate|solve|answer)|don't (?:give|calculate|solve|answer)|in (?:words|binary|hex\w*|roman)|spell|table|invoice|list|"
    r"budget|plan|design|example|explain (?:how|why)|explanation of|difference between|equation for)\b",
    ignore_case=True,
)
_ASKS_NUMBER = Pattern(
    r"\b(?:how (?:many|much|long|old|far|fast|tall|heavy)|calculate|compute|evaluate|work out|what(?:'s|’s| is| was| are| will be) (?:the )?(?:[-(√$€£]?\d|total|sum|average|mean|median|"
    r"product|result|answer|value|cost|price|difference|square root|percentage|probability|area|perimeter|volume|speed|remainder|my share|new)|"
    r"what (?:percent\w*|fraction|time|number|date|day|do(?:es)? (?:it|i|each|we|they) (?:cost|pay|owe))|solve|add|subtract|multiply|divide|split|round|convert)\b|\d\s?[-+*/×÷x^]\s?\d[^\n]*\?|=\s*\?",
    ignore_case=True,
)


_FAMILIES = (question_times, question_shares, question_closed, question_numbers, question_steps)


def asks_number(prompt: Text) -> bool:
    """Tell whether the prompt asks for a number, and not for a text with numbers in it."""
    return prompt.search(_ASKS_NUMBER) is not None and prompt.search(_NOT_ASKED) is None


def is_answer(response: Text, result: Region) -> bool:
    """Tell whether a result is what the response ends in: the last number, or the same number again."""
    said = Line(Text(response.slice(result))).quantities
    last = max(result.end, len(response) - _MAX_ENDING_CHARS)
    rest = Line(Text(response.value[last:])).of(*NUMBERS)
    return not rest or (bool(said) and rest[-1].amount == said[-1].amount)


def determined(prompt: Text) -> tuple[Answer, Line] | None:
    """Return the answer that the prompt determines, and the prompt's line; None where it determines none."""
    # What is to be counted in a text does not depend on what the text says.
    if (counted := question_letters.answer(prompt)) is not None:
        return counted, Line(prompt)
    if len(prompt) > _MAX_PROMPT_CHARS or prompt.search(_NOT_ASKED) or another_arithmetic(prompt):
        return None
    line = Line(prompt)
    # "One" is mostly no number: "how much is one egg?"
    line.quantities = [q for q in line.quantities if q.text.lower() != "one"]
    for family in _FAMILIES:
        if (found := family.answer(line)) is not None:
            return found, line
    return None


def wrong_answer(exchange: Exchange) -> tuple[bool, Finding | None]:
    """Return whether the response gave an answer that could be compared, and the finding where it is wrong."""
    found = determined(exchange.prompt) if len(exchange.response) <= _MAX_RESPONSE_CHARS else None
    stated = compare(*found, exchange.response) if found else None
    if found is None or stated is None:
        return False, None
    if stated.right:
        return True, None
    answer, place = found[0], stated.place
    said = " ".join(exchange.response.slice(place).split())
    asked = min(len(exchange.prompt), 200)
    finding = Finding(
        severity="high",
        message=f"The answer “{said[:80]}” is wrong. Calculated from the prompt: {answer.shown}.",
        detector="calculation.wrong_answer",
        spans=(Span(place.start, place.end), Span(0, asked, source="prompt")),
        suggestion=answer.shown if answer.kind != "word" else None,
    )
    return True, finding
