"""Calculation: are the calculations stated in the text correct? Works each one out again.

It checks what is written as a calculation with its result, and the answer where a short prompt determines it by itself
(`questions`); it does not solve problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.calculation import (
    compared_options,
    conclusions,
    context,
    questions,
    statements,
    tables,
)
from fairwitness.evaluator.criteria.calculation.asked_amounts import asked_amounts
from fairwitness.evaluator.criteria.calculation.asked_days import asked_days
from fairwitness.evaluator.criteria.calculation.asked_results import asked_results
from fairwitness.evaluator.criteria.calculation.clock_zones import zone_times
from fairwitness.evaluator.criteria.calculation.dozens import dozens
from fairwitness.evaluator.criteria.calculation.equations import equations
from fairwitness.evaluator.criteria.calculation.examples import EXAMPLES
from fairwitness.evaluator.criteria.calculation.listed_extremes import listed_extremes
from fairwitness.evaluator.criteria.calculation.listed_totals import listed_totals
from fairwitness.evaluator.criteria.calculation.named_shares import named_shares
from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.percentages import parts, shares
from fairwitness.evaluator.criteria.calculation.question_clocks import question_clocks
from fairwitness.evaluator.criteria.calculation.question_dates import question_dates
from fairwitness.evaluator.criteria.calculation.scaled_lists import scaled_lists
from fairwitness.evaluator.criteria.calculation.timesheets import timesheets
from fairwitness.evaluator.criteria.calculation.totals import changes, combined, explained, totals
from fairwitness.evaluator.criteria.calculation.unit_rates import unit_rates
from fairwitness.evaluator.criteria.calculation.weekday_pairs import weekday_pairs
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
_EXPLAINED = Pattern(r" \([$€£₹¥]?\d[\d,.]* [-+−–] [$€£₹¥]?\d")
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
    _EXPLAINED: explained,
    _DOZEN: dozens,
    _SHARE: shares,
    _PART: parts,
    statements.SIGN: statements.statements,
    tables.SIGN: tables.tables,
    conclusions.SIGN: conclusions.conclusions,
    compared_options.SIGN: compared_options.compared_options,
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
    # Two families may read the same result: the first to do so has it.
    once = {check.result: check for check in reversed(found)}
    return sorted(once.values(), key=lambda check: check.start)


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
    if context.rounded_to_step(text, text.slice(check.result), check.corrected):
        return replace(check, outcome="rounding")
    return check


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Check every calculation in the response; one finding for each result that is not correct."""
    text = exchange.response
    done = [check for check in checks(text) if check.outcome != "excused"]
    for stated in (listed_totals, listed_extremes):
        done += [check for check in stated(exchange) if not _is_checked(check, done)]
    for stated in (
        unit_rates,
        question_dates,
        weekday_pairs,
        zone_times,
        timesheets,
        question_clocks,
        named_shares,
        scaled_lists,
        asked_days,
        asked_results,
        asked_amounts,
    ):
        settled = (_settled(text, check) for check in stated(exchange))
        done += [
            check
            for check in settled
            if check.outcome != "excused" and not _has_result(check, done)
        ]
    prompt = exchange.prompt.value
    wrong = [
        check
        for check in done
        if check.outcome != "correct" and not _only_repeated(prompt, text, check)
    ]
    answered, answer = questions.wrong_answer(exchange)
    if not done and not answered:
        return not_applicable("The response states no calculation that can be checked.")
    asked = any(
        check.outcome == "wrong" and check.sure for check in wrong
    ) and questions.asks_number(exchange.prompt)
    findings = tuple(
        _finding(text, check, asked and check.sure and questions.is_answer(text, check.result))
        for check in wrong[:_MAX_FINDINGS]
    )
    if answer is not None and not _covers(findings, answer):
        place = answer.spans[0]
        # What was only likely, or worked out from the same words, is said once.
        kept = (one for one in findings if one.spans[0] != place or len(one.spans) == 1)
        findings = (*kept, answer)
    result = f"{len(wrong)} not correct as stated" if wrong else "all correct"
    if len(wrong) >= _MAX_FINDINGS:
        result = f"at least {_MAX_FINDINGS} not correct as stated"
    summary = f"{counted(len(done), 'calculation')} checked: {result}." if done else ""
    if answered:
        compared = "differs from" if answer else "agrees with"
        summary += f" The answer {compared} the one calculated from the prompt."
    return Judgement(summary=summary.strip(), findings=findings)


def _only_repeated(prompt: str, text: Text, check: Check) -> bool:
    """Tell whether a wrong calculation is the prompt's own; what a result names, and no number, always stands there."""
    if check.named or not check.sure:
        return False
    return context.only_repeated(prompt, text, check.start, check.end)


def _is_checked(check: Check, done: list[Check]) -> bool:
    """Tell whether another check has the same result already."""
    return any(one.result.start < check.end and check.start < one.result.end for one in done)


def _has_result(check: Check, done: list[Check]) -> bool:
    """Tell whether another check is of the same result."""
    return any(
        one.result.start < check.result.end and check.result.start < one.result.end for one in done
    )


def _covers(findings: tuple[Finding, ...], answer: Finding) -> bool:
    """Tell whether a wrong result already quotes the wrong answer."""
    place = answer.spans[0]
    return any(
        finding.detector == answer.detector
        and finding.spans[0].start <= place.start
        and place.end <= finding.spans[0].end
        for finding in findings
    )


def _finding(text: Text, check: Check, asked: bool) -> Finding:
    stated = " ".join(text.slice(check.result).split())
    if check.outcome == "rounding":
        message = f"The result “{stated}” is rounded without saying so: the calculation gives {check.corrected}."
    elif not check.corrected:
        message = f"“{stated}” cannot be calculated from the values in the prompt."
    elif check.named or not any(map(str.isdigit, stated)):
        message = f"“{stated}” is wrong: the right answer is {check.corrected}."
    else:
        message = f"The result “{stated}” is wrong: the calculation gives {check.corrected}."
    spans = [Span(check.start, check.end)]
    if check.given is not None:
        spans.append(Span(*check.given, source="prompt"))
    severity: Severity = "high" if check.sure else "medium"
    return Finding(
        severity="low" if check.outcome == "rounding" else severity,
        message=message,
        detector=f"calculation.{_detector(check, asked)}",
        spans=tuple(spans),
        suggestion=check.corrected or None,
    )


def _detector(check: Check, asked: bool) -> str:
    if check.outcome == "rounding":
        return "rounding"
    return "wrong_answer" if asked else "wrong_result"
