"""Every criterion's examples get the verdict they name, and show all three verdicts."""

from __future__ import annotations

from importlib import import_module

import pytest

from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator import scoring, shipped
from fairwitness.evaluator.judgement import Example

PROTOCOL = protocols.shipped()
MODULES = {
    spec.id: import_module(f"fairwitness.evaluator.criteria.{spec.id}")
    for spec in PROTOCOL.criteria
}
CASES = [(name, example) for name, module in MODULES.items() for example in module.EXAMPLES]


@pytest.mark.parametrize(
    ("criterion", "example"), CASES, ids=[f"{name}-{n}" for n, (name, _) in enumerate(CASES)]
)
def test_example(criterion: str, example: Example) -> None:
    spec = next(spec for spec in PROTOCOL.criteria if spec.id == criterion)
    scored = scoring.score(shipped().judge(criterion, example.exchange), spec, PROTOCOL)
    assert scored.verdict == example.expect, (scored.score, scored.judgement)


@pytest.mark.parametrize("criterion", MODULES)
def test_examples_show_pass_fail_and_between(criterion: str) -> None:
    shown = {example.expect for example in MODULES[criterion].EXAMPLES}
    assert {"pass", "fail"} <= shown
    assert shown & {"needs_review", "not_applicable"}
