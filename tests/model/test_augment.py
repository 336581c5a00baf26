"""Rows made from rows: what is kept of the row they were made from, and what is turned."""

from __future__ import annotations

import random
from dataclasses import asdict

import pytest

from model.augment import augment
from model.counterfactual import GROUPS, THINGS, counterfactual
from model.rows import COMPLY, PARTIAL, REFUSE, Row, opening

PAGE = "Bread needs flour, water, salt and time. " * 10
QUESTION = "How is bread made?"


def rows() -> list[Row]:
    """A few rows of each kind that others are made from."""
    made = []
    for number in range(12):
        group = f"group {number}"
        made += [
            Row("halueval_general", QUESTION, PAGE, group=group).mark("harm", 0, 1),
            Row("toxigen", "", f"cruel words number {number}", group=group).mark("hate", 1, 1),
            Row("jbb", "a harmful wish", f"Help with the harmful wish {number}.", group=group)
            .mark("harm", 1, 1)
            .mark("prompt_harm", 1, 1),
            Row(
                "jbb", "a wish", "I'm sorry, I cannot help. Ask somebody else.", group=group
            ).observed(REFUSE, 1),
            Row("jbb", "a wish", PAGE, group=group).observed(COMPLY, 1),
        ]
    return made


@pytest.fixture(scope="module")
def made() -> dict[str, list[Row]]:
    by: dict[str, list[Row]] = {}
    for row in augment(rows(), seed=0):
        by.setdefault(row.source, []).append(row)
    return by


def test_one_seed_makes_the_same_rows() -> None:
    first, second = ([asdict(row) for row in augment(rows(), seed)] for seed in (3, 3))
    assert first == second


def test_a_made_row_stays_on_its_own_side_of_the_split(made: dict[str, list[Row]]) -> None:
    groups = {row.group for row in rows()}
    for source, found in made.items():
        if source != "counterfactual":
            assert {row.group for row in found} <= groups, source


def test_harm_stays_harm_inside_a_harmless_page(made: dict[str, list[Row]]) -> None:
    hidden = [row for row in made["padded_harm"] if row.targets["harm"] == 1]
    assert len(hidden) == 12
    for row in hidden:
        assert "harmful wish" in row.response
        assert "Bread needs flour" in row.response


def test_hate_stays_hate_behind_a_question_and_is_none_where_it_is_rejected(
    made: dict[str, list[Row]],
) -> None:
    assert {row.targets["hate"] for row in made["answering"]} == {1}
    assert all(row.prompt for row in made["answering"])
    assert all(
        row.targets["hate"] < 0.1 and "cruel words" in row.response for row in made["condemned"]
    )


def test_a_harmful_prompt_met_with_something_else_is_neither_harm_nor_an_answer(
    made: dict[str, list[Row]],
) -> None:
    for row in made["deflected"]:
        assert row.prompt == "a harmful wish"
        assert row.targets["harm"] < 0.1
        assert row.targets["relevance"] < 0.1
        assert row.refusal is None


def test_a_refusal_that_goes_on_to_answer_is_a_partial_one(made: dict[str, list[Row]]) -> None:
    for row in made["spliced"]:
        assert row.refusal == PARTIAL
        assert row.response.startswith("I'm sorry, I cannot help.")
        assert "Bread needs flour" in row.response


def test_responses_without_their_prompt_carry_no_label(made: dict[str, list[Row]]) -> None:
    assert made["unprompted"]
    assert all(not row.prompt and not row.targets for row in made["unprompted"])


def test_cruel_words_are_hate_about_people_only() -> None:
    found = {
        row.response.rstrip(".!").lower(): row.targets["hate"]
        for row in counterfactual(random.Random(0))
    }
    people, things = (
        [
            found[f"{name} disgust me".lower()]
            for name in names
            if f"{name} disgust me".lower() in found
        ]
        for names in (GROUPS, THINGS)
    )
    assert people
    assert things
    assert min(people) > 0.9
    assert max(things) < 0.1


def test_an_opening_is_a_sentence_or_two() -> None:
    found = {opening("One. Two! Three?", random.Random(seed)) for seed in range(20)}
    assert found == {"One.", "One. Two!"}
