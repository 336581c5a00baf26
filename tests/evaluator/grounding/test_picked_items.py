"""What is said of items that a response lists or picks: the right reason, with names as the source writes them."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Finding

AGES = "Kim 31, Lars 44, Mona 27. "


def found(prompt: str, response: str) -> list[Finding]:
    return [*shipped().judge("grounding", Exchange(prompt, response)).findings]


@pytest.mark.parametrize(
    ("prompt", "response", "message"),
    [
        ("List the even numbers: 4, 7, 10, 13, 16, 22", "4, 7, 10, 16, 22", "Lists “7”, which is not even."),
        ("List the odd numbers: 4, 7, 10, 13, 15, 22", "7, 13, 22", "Lists “22”, which is not odd."),
        ("List the even numbers: 4, 7, 10, 16, 22", "4, 10, 18, 22", "Lists “18” instead of “16”."),
        ("List the even numbers: 4, 7, 10, 16, 22", "4, 10, 22", "The list leaves out “16”."),
        ("Sort alphabetically: Pear, Apple, Fig, Lime", "Apple, Fig, Pear, Lime",
         "Not in the requested order: “Lime” comes after “Pear”."),
        ("Reverse this list: Pear, Apple, Fig, Lime", "Lime, Apple, Fig, Pear", "“Apple” is in the place of “Fig”."),
        (AGES + "Who is the oldest?", "Kim is the oldest.", "Names “Kim”; by the given values, “Lars” is right."),
        (AGES + "Who is older than 30?", "Kim, Lars and Mona.", "Names “Mona”, whose value does not fit “older than 30”."),
    ],
)  # fmt: skip
def test_the_message_says_what_is_wrong(prompt: str, response: str, message: str) -> None:
    assert [finding.message for finding in found(prompt, response)] == [message]


def test_a_number_of_the_wrong_kind_is_quoted_from_the_list() -> None:
    prompt = "List the even numbers: 4, 7, 10, 13, 16, 22"
    stated, source = found(prompt, "4, 7, 10, 16, 22")[0].spans
    assert (stated.start, stated.end) == (3, 4)
    assert prompt[source.start : source.end] == "7"
