"""An evaluation as lines for other tools: no text of prompt or response, whatever a criterion says in words."""

from __future__ import annotations

from fairwitness.evaluator import Evaluator, protocol
from fairwitness.reports.evaluation_lines import lines_of

HEAD = protocol.shipped().source.decode().partition("[criteria.")[0]
CHECK = """[criteria.house]
title = "House"
question = "?"
weight = 0.6
fail_below = 50
pass_from = 80
checks = [{kind = "json_schema", severity = "high", message = "Rule.", schema = {properties = {n = {maximum = 5}}}}]
"""


def test_the_words_of_a_check_are_kept_back_with_the_quotations() -> None:
    evaluation = Evaluator.of(protocol.read((HEAD + CHECK).encode(), "house.toml")).evaluate(
        "How many?", '{"n": 51772}'
    )
    assert "51772" in evaluation["house"].summary, "else this test shows nothing"
    whole, house = lines_of(evaluation)
    assert house.explanation == "Found: house.json_schema (high)."
    assert "51772" not in whole.explanation
    _, quoted = lines_of(evaluation, quote=True)
    assert "51772" in quoted.explanation
