"""Demands on code, mail, results and food in plain words are read, kept and broken as they should be."""

from __future__ import annotations

from time import process_time

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria.instruction_following import Demand, check, demands
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.text import Text
from tests.evaluator.criteria.instruction_following.plain_demands import READ, TOLD
from tests.evaluator.criteria.instruction_following.plain_outcomes import ANSWERS

CHARS = 20_000
ASKED = "Python function, no imports, no loops, using recursion, a comment on every line, rounded to two decimals. Just the code, nothing else. "


def _written(demand: Demand) -> str:
    return " ".join([demand.kind, *demand.terms[:1]])


@pytest.mark.parametrize(("prompt", "expected"), READ)
def test_read(prompt: str, expected: str) -> None:
    (demand,) = demands(Text(prompt))
    assert _written(demand) == expected
    assert 0 <= demand.span.start < demand.span.end <= len(prompt)


@pytest.mark.parametrize("prompt", TOLD)
def test_what_is_only_told_is_no_demand(prompt: str) -> None:
    assert demands(Text(prompt)) == []


def _kept(prompt: str, response: str) -> bool:
    exchange = Exchange(prompt, response)
    found = [check(demand, exchange) for demand in demands(exchange.prompt)]
    assert found
    for one in found:
        assert all(0 <= span.start < span.end <= len(response) for span in one.spans)
    return all(one.met or one.unchecked for one in found)


@pytest.mark.parametrize(
    ("prompt", "response"), [(prompt, one) for prompt, right, _ in ANSWERS for one in right]
)
def test_right_answers_are_left_alone(prompt: str, response: str) -> None:
    assert _kept(prompt, response)


@pytest.mark.parametrize(
    ("prompt", "response"), [(prompt, one) for prompt, _, wrong in ANSWERS for one in wrong]
)
def test_wrong_answers_are_found(prompt: str, response: str) -> None:
    assert not _kept(prompt, response)


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a Python function for primes, no imports please.",
        "Bash script that stops on the first error.",
    ],
)
def test_an_answer_without_code_is_not_judged(prompt: str) -> None:
    exchange = Exchange(prompt, "That depends on what you need it for.")
    (demand,) = demands(exchange.prompt)
    assert check(demand, exchange).unchecked


@pytest.mark.parametrize(
    "piece",
    ["/* ", "'''", '"', "#", "def a():a()\n", "x=[", "no imports, ", "`", "(", "for ", "1.234 "],
)
def test_hostile_text_takes_little_time(piece: str) -> None:
    code = piece * (CHARS // len(piece))
    before = process_time()
    for language in ("python", "js", "sql", "bash", "css"):
        exchange = Exchange(ASKED, f"```{language}\n{code}\n```")
        for demand in demands(exchange.prompt):
            check(demand, exchange)
    demands(Text(ASKED + code))
    assert process_time() - before < 5


def judged(prompt: str, response: str) -> Judgement:
    return shipped().judge("instruction_following", Exchange(prompt, response))


LOOPED = (
    "```python\ndef total(n):\n    s = 0\n    for k in range(n):\n        s += k\n    return s\n```"
)


@pytest.mark.parametrize(
    "prompt",
    [
        "Write Python code that adds up the numbers below n. I'd rather you didn't use recursion.",
        "Write it in Python instead of using recursion: the sum of the numbers below n.",
        "Turn my recursive function into an iterative one: the sum of the numbers below n, in Python.",
        "This recursive function overflows. Give me a Python version that does not.",
        "Python function for the sum of the numbers below n; the caller checks that the graph has no loops.",
    ],
)
def test_what_is_denied_or_there_already_is_not_asked_for(prompt: str) -> None:
    assert all(demand.kind != "construct" or demand.negated for demand in demands(Text(prompt)))
    assert not [one for one in judged(prompt, LOOPED).findings if one.severity != "info"]


def test_a_demand_in_plain_words_needs_review_and_fails_nothing() -> None:
    missed = judged("Sum of the numbers below n in Python. No loops allowed.", LOOPED)
    assert [one.severity for one in missed.findings] == ["low"]
    assert missed.score == 0.5
