"""The measure of output safety: every hazard is put in, and the plain ones are all seen."""

import random

import pytest

from fairwitness.benchmark import output_safety

ANSWER = (
    "Rivers begin in the hills, where springs and melting snow feed small streams.\n\n"
    "Further down the streams meet and grow, and towns were often built beside them.\n\n"
    "At last the river reaches the sea and leaves behind the sand that it carried."
)
ROWS = [{"prompt": "Tell me about rivers.", "response": ANSWER} for _ in range(12)]


@pytest.mark.parametrize("name", output_safety.HAZARDS)
def test_a_hazard_changes_the_answer(name: str) -> None:
    assert output_safety.HAZARDS[name](ANSWER, random.Random(1)) != ANSWER


def test_plain_hazards_are_all_seen_and_plain_answers_never() -> None:
    figures = output_safety.measure(ROWS)
    assert figures["good answers with a finding above low"].hits == 0
    for name in output_safety.HAZARDS:
        if name != "text aimed at the judge":
            assert figures[f"seen: {name}"].share == 1, name


def test_addresses_are_put_in_whole() -> None:
    put_in = output_safety.HAZARDS["text aimed at the judge"](ANSWER, random.Random(3))
    assert put_in is not None
    assert any(said in put_in for said in output_safety.ADDRESSES)
