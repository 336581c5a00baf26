"""Calculation: are the calculations stated in the text correct? Works each one out again.

It checks what is written as a calculation with its result; it does not solve the problem in the prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairwitness.evaluator.criteria.calculation import context
from fairwitness.evaluator.criteria.calculation.conversions import conversions, dozens
from fairwitness.evaluator.criteria.calculation.equations import Check, equations
from fairwitness.evaluator.criteria.calculation.examples import EXAMPLES
from fairwitness.evaluator.criteria.calculation.percentages import parts, shares
from fairwitness.evaluator.criteria.calculation.totals import changes, combined, totals
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding, Judgement, counted, not_applicable
from fairwitness.evaluator.patterns import Pattern, PatternSet
from fairwitness.evaluator.protocol import CriterionSpec
from fairwitness.evaluator.signals import Signals
from fairwitness.evaluator.text import Region, Text

__all__ = ["EXAMPLES", "Check", "checks", "judge"]

_EQUATION = Pattern(
    r"[=≈≃≅]|\\approx|\b(?:equals?|plus|minus|times|multipl\w+|divid\w+|squared|cubed|root of|adding|"
    r"subtract\w*|half of|thirds? of|quarters? of|percent of|power of|twice|double|triple|(?:square|cube) of)\b|% of|\d\s?[+×÷*/−]\s?\d",
    ignore_case=True,
)
_DIGIT = Pattern(r"\d|[²³½¼¾√]")
_SPOKEN = Pattern(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|eleven|twelve|\w+ty|hundred|half)\b.*"
    r"\b(?:plus|minus|times|multiplied|divided|of|squared)\b",
    ignore_case=True,
)
_TOTAL = Pattern(r"^\W*(?:grand |overall )?(?:total|sum)\b", ignore_case=True, multiline=True)
_CHANGE = Pattern(r"from \W?\d[\d,.]*(?: \pL+)? to \W?\d", ignore_case=True)
_COMBINED = Pattern(
    r"\b(?:sum|product|average|mean|difference) (?:of|between) (?:[\pL ]{3,30}[:(] ?)?\d",
    ignore_case=True,
)
_CONVERSION = Pattern(
    r"\d ?\pL{1,10} ?(?:=|equals|equates to|is equal to|is the same as|is exactly|is|are|makes|comes to|\(|, or) ?\d"
    r"|\d \pL{1,10} in (?:an?|one|half an?|\d)"
)
_DOZEN = Pattern(r"\bdozen\b", ignore_case=True)
_PART = Pattern(r"\d is \d[\d.]*\s?% of \d|\d out of \d[\d,.]* (?:is|=|equals) \d")
_SHARE = Pattern(
    r"ing \W?\d[\d,.]* by \d| each\b| apiece\b|% (?:off|increase|raise|rise|mark-?up|decrease|reduction|cut|tip|discount|commission|deposit|down payment|surcharge|sales tax)|"
    r"(?:tip|discount|commission|deposit|down payment|surcharge|tax) of \d[\d.]*\s?%",
    ignore_case=True,
)
# Beside equations, each family of phrases has a pattern without which it cannot find anything.
_PHRASES: dict[Pattern, Callable[[Text], Iterator[Check]]] = {
    _TOTAL: totals,
    _CHANGE: changes,
    _COMBINED: combined,
    _CONVERSION: conversions,
    _DOZEN: dozens,
    _SHARE: shares,
    _PART: parts,
}
_FAMILIES = PatternSet([_EQUATION, *_PHRASES])
_EQUALITY = Pattern(
    r"[=≈≃≅≒]|\\(?:approx|simeq)|\b(?:equals?|is|gives|makes|yields|totals|leaves|becomes|comes|results|get)\b",
    ignore_case=True,
)
_MAX_FINDINGS = 10


def checks(text: Text) -> list[Check]:
    """Return every calculation stated in the text that can be worked out, right or wrong."""
    families = _FAMILIES.occurring(text.utf8)
    if not families or context.another_arithmetic(text):
        return []
    found: list[Check] = []
    for sign in families:
        stated = equations(text, _lines(text)) if sign is _EQUATION else _PHRASES[sign](text)
        found += _first_wrong(text, stated)
    return sorted(found, key=lambda check: check.start)


def _first_wrong(text: Text, stated: Iterator[Check]) -> Iterator[Check]:
    """Yield checks until there are as many faults as will be reported."""
    wrong = weighed = 0
    for check in stated:
        if text.in_code(check.start):
            continue
        settled = _settled(text, check)
        yield settled
        wrong += settled.outcome == "wrong"
        weighed += settled.outcome != "correct"
        if wrong >= _MAX_FINDINGS or weighed >= 2 * _MAX_FINDINGS:
            return


def _lines(text: Text) -> Iterator[Region]:
    """Yield the lines that may contain an equation, one at a time, so that no more are scanned than needed."""
    for line in text.lines:
        if line.end - line.start > 4:
            value = text.slice(line).encode()
            if (
                (b"=" in value or (_EQUALITY.search(value) and _EQUATION.search(value)))
                and (_DIGIT.search(value) or _SPOKEN.search(value))
                and not context.looks_like_code(value)
                and not text.in_code(line.start)
            ):
                yield line


def _settled(text: Text, check: Check) -> Check:
    """Mark as excused what the text around it denies, supposes, or calls rounded."""
    if check.outcome in {"correct", "excused"}:
        return check
    excused = context.not_claimed(text, check.start, check.end) or (
        check.outcome == "rounding" and context.said_rounded(text, check.start, check.end)
    )
    sign = check.corrected.lstrip("-") == text.slice(check.result).lstrip("-−")
    if excused or (sign and context.only_size_meant(text, check.start)):
        return replace(check, outcome="excused")
    return check


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Check every calculation in the response; one finding for each result that is not correct."""
    text = exchange.response
    done = [check for check in checks(text) if check.outcome != "excused"]
    prompt = exchange.prompt.value
    wrong = [
        check
        for check in done
        if check.outcome != "correct"
        and not context.only_repeated(prompt, text, check.start, check.end)
    ]
    if not done:
        return not_applicable("The response states no calculation that can be checked.")
    findings = tuple(_finding(text, check) for check in wrong[:_MAX_FINDINGS])
    result = f"{len(wrong)} not correct as stated" if wrong else "all correct"
    if len(wrong) >= _MAX_FINDINGS:
        result = f"at least {_MAX_FINDINGS} not correct as stated"
    summary = f"{counted(len(done), 'calculation')} checked: {result}."
    return Judgement(summary=summary, findings=findings)


def _finding(text: Text, check: Check) -> Finding:
    stated = " ".join(text.slice(check.result).split())
    if check.outcome == "rounding":
        message = f"The result “{stated}” is rounded without saying so: the calculation gives {check.corrected}."
    else:
        message = f"The result “{stated}” is wrong: the calculation gives {check.corrected}."
    return Finding(
        severity="low" if check.outcome == "rounding" else "high",
        message=message,
        detector=f"calculation.{'rounding' if check.outcome == 'rounding' else 'wrong_result'}",
        spans=(Span(check.start, check.end),),
        suggestion=check.corrected,
    )
