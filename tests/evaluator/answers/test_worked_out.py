"""Problems to be worked out, each with right and wrong answers, written without sight of the rules.

When the rules first met the 330 right answers of 110 problems, 16 of them got a finding above low, and three failed. They
were then looked at, and what was accused wrongly was mended. Of the 220 wrong answers 38 did not pass then, and 29 do not
now: what a problem asks for is mostly not known to a rule.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange
from tests.evaluator.grounding.accusing import accused

FILE = Path(__file__).with_name("worked_out.jsonl")
RULES = ("calculation", "instruction_following")


def accusations(which: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each answer of a kind with what the rules say of it above low."""
    for problem in map(json.loads, FILE.read_text().splitlines()):
        for answer in problem[which]:
            exchange = Exchange(problem["prompt"], answer)
            judged = [shipped().judge(name, exchange) for name in RULES]
            found = [finding for one in judged for finding in one.findings]
            said = [one.message for one in found if one.severity not in {"info", "low"}]
            yield answer, said + accused(problem["prompt"], answer)


def test_no_right_answer_is_accused() -> None:
    assert [(answer, said) for answer, said in accusations("right") if said] == []


def test_some_wrong_answers_are_found() -> None:
    assert sum(bool(said) for _, said in accusations("wrong")) >= 25
