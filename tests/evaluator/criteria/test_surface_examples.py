"""Every example that coherence and output safety publish gets the verdict it states."""

from types import ModuleType

import pytest
from fairwitness.evaluator.exchange import Exchange

from fairwitness.evaluator import protocol, scoring
from fairwitness.evaluator.criteria import coherence, output_safety
from fairwitness.evaluator.judgement import Example

PROTOCOL = protocol.load()
SPECS = {spec.id: spec for spec in PROTOCOL.criteria}
CASES = [
    pytest.param(module, example, id=f"{module.__name__.rsplit('.', 1)[-1]}-{number}")
    for module in (coherence, output_safety)
    for number, example in enumerate(module.EXAMPLES)
]


@pytest.mark.parametrize(("module", "example"), CASES)
def test_example_gets_its_verdict(module: ModuleType, example: Example) -> None:
    spec = SPECS[module.__name__.rsplit(".", 1)[-1]]
    exchange = Exchange(example.prompt, example.response, example.finish_reason)
    assert scoring.score(module.judge(exchange), spec, PROTOCOL).verdict == example.expect
