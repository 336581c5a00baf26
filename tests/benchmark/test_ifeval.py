"""The IFEval measure counts what was read and what was right, and puts intervals around both."""

from __future__ import annotations

from typing import Any

from fairwitness.benchmark import ifeval


def row(prompt: str, response: str, *labels: tuple[str, dict[str, Any], bool]) -> dict[str, Any]:
    return {
        "prompt": prompt,
        "response": response,
        "labels": {
            "instruction_ids": [name for name, _, _ in labels],
            "kwargs": [arguments for _, arguments, _ in labels],
            "strict": [met for _, _, met in labels],
        },
    }


NO_COMMA = "punctuation:no_comma"
WORDS = "length_constraints:number_words"


def test_right_and_wrong_verdicts_are_told_apart() -> None:
    prompt = "Tell me of bees. Do not use any commas."
    figures = ifeval.measure(
        [
            row(prompt, "Bees hum.", (NO_COMMA, {}, True)),
            row(prompt, "Bees, hum.", (NO_COMMA, {}, True)),
        ]
    )
    assert figures.recognised.value == 1.0
    assert figures.accuracy.value == 0.5
    assert figures.accuracy.count == 2


def test_an_instruction_not_read_counts_against_recognition_only() -> None:
    figures = ifeval.measure([row("Tell me of bees.", "Bees hum.", (NO_COMMA, {}, True))])
    assert (figures.recognised.value, figures.accuracy.count) == (0.0, 0)


def test_a_demand_with_another_bound_is_not_the_instruction() -> None:
    label = (WORDS, {"relation": "at least", "num_words": 300}, True)
    figures = ifeval.measure([row("Write at least 200 words on bees.", "Bees hum.", label)])
    assert figures.recognised.value == 0.0


def test_a_range_answers_for_both_its_instructions() -> None:
    labels = (
        (WORDS, {"relation": "at least", "num_words": 2}, True),
        (WORDS, {"relation": "less than", "num_words": 5}, False),
    )
    figures = ifeval.measure(
        [row("Write 2 to 4 words on bees.", "Bees hum all day long.", *labels)]
    )
    assert figures.recognised.value == 1.0
    assert figures.accuracy.value == 1.0


def test_the_interval_holds_the_value() -> None:
    prompts = [f"Tell me of bee {n}. Do not use any commas." for n in range(20)]
    rows = [row(prompt, "Bees hum.", (NO_COMMA, {}, n % 4 > 0)) for n, prompt in enumerate(prompts)]
    rate = ifeval.measure(rows).accuracy
    assert rate.low <= rate.value <= rate.high
    assert rate.low < rate.high
