"""Each checker counts exactly: right at the bound it holds, one past it it does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.evaluator.criteria.instruction_following import Demand, Outcome, check, demands
from fairwitness.evaluator.exchange import Exchange
from tests.evaluator.criteria.instruction_following.outcomes import OUTCOMES

# A loaded machine is slow, which is no fault.
UNTIMED = settings(deadline=None)

SMALL = st.integers(min_value=1, max_value=30)


def outcome(prompt: str, response: str) -> Outcome:
    exchange = Exchange(prompt, response)
    (demand,) = demands(exchange.prompt)
    found = check(demand, exchange)
    for span in found.spans:
        assert 0 <= span.start < span.end <= len(response)
    return found


def demand_of(prompt: str, kind: str) -> Demand:
    return next(demand for demand in demands(Exchange(prompt, "").prompt) if demand.kind == kind)


def met(prompt: str, response: str) -> bool:
    return outcome(prompt, response).met


MAKERS = {
    "words": lambda n: " ".join(["tide"] * n),
    "sentences": lambda n: " ".join(["The tide turns."] * n),
    "paragraphs": lambda n: "\n\n".join(["The tide turns twice a day."] * n),
    "bullet points": lambda n: "\n".join(["- tide"] * n),
    "placeholders": lambda n: " ".join(["[name]"] * n),
    "hashtags": lambda n: " ".join(["#tide"] * n),
    "words in all capital letters": lambda n: " and ".join(["TIDE"] * n),
}


@pytest.mark.parametrize("unit", MAKERS)
@UNTIMED
@given(count=SMALL)
def test_counts_are_exact_at_the_bound(unit: str, count: int) -> None:
    text = MAKERS[unit](count)
    assert met(f"Your response must contain at least {count} {unit}.", text)
    assert not met(f"Your response must contain at least {count + 1} {unit}.", text)
    assert met(f"Your response must contain at most {count} {unit}.", text)
    assert met(f"Your response must contain less than {count + 1} {unit}.", text)
    if count > 1:
        assert not met(f"Your response must contain less than {count} {unit}.", text)


@UNTIMED
@given(count=SMALL)
def test_keywords_and_letters_are_counted(count: int) -> None:
    text = "The moon. " * count
    assert met(f'The word "moon" should appear at least {count} times.', text)
    assert not met(f'The word "moon" should appear at least {count + 1} times.', text)
    assert met(f"The letter m should appear at least {count} times.", text)
    assert not met(f"The letter m should appear at least {count + 1} times.", text)


@UNTIMED
@given(st.text(alphabet="ab, C", max_size=40))
def test_no_commas_means_no_commas(text: str) -> None:
    assert met("Do not use any commas.", text) == ("," not in text)


@UNTIMED
@given(st.text(alphabet="abÉ Zé.", min_size=1, max_size=40))
def test_lower_case_is_what_python_says_it_is(text: str) -> None:
    assert met("Answer in all lowercase letters.", text) == text.islower()


@pytest.mark.parametrize(
    ("prompt", "good", "bad"),
    [
        (
            'End your response with "Good night."',
            "Sleep well. Good night.",
            "Good night. Sleep well.",
        ),
        ('Start your response with "Dear Ada".', "Dear Ada, hello.", "Hello, dear Ada."),
        ('Do not use the word "tide".', "The tidewater rises.", "The Tide rises."),
        ('Include the words "tide" and "moon".', "Moon and tides.", "Only the moon."),
        ("Wrap your whole response in double quotation marks.", '"All of it."', '"Some" of it.'),
        (
            "Give it a title in double angular brackets, i.e. <<title>>.",
            "<<Tides>>\nText.",
            "Tides\nText.",
        ),
        ("Return the answer as JSON.", '```json\n{"a": 1}\n```', 'Here: {"a": 1}'),
        ("Present the results in a table.", "| a | b |\n|---|---|\n| 1 | 2 |", "a is 1, b is 2"),
        ("Add a postscript starting with P.S.", "Bye.\n\nP.S. Write soon.", "Bye. Write soon."),
        (
            "Give two different responses separated by 6 asterisk symbols: ******.",
            "One.\n******\nTwo.",
            "One. Two.",
        ),
        (
            "Give two different responses separated by 6 asterisk symbols: ******.",
            "One.\n******\nTwo.",
            "One.\n******\nOne.",
        ),
        (
            "Write exactly three paragraphs, separated by ***.",
            "A.\n***\nB.\n***\nC.",
            "A.\n***\nB.",
        ),
        (
            "Your response must have 2 sections. Mark the beginning of each section with SECTION X.",
            "SECTION 1\nA.\nSECTION 2\nB.",
            "SECTION 1\nA.\nB.",
        ),
        (
            'The second paragraph must start with the word "However".',
            "Yes.\n\nHowever, no.",
            "Yes.\n\nBut no.",
        ),
        (
            "Highlight at least 2 sections with markdown, like *this*.",
            "*One* and *two*.",
            "*One* and two.",
        ),
        (
            "Answer in German only.",
            "Die Gezeiten entstehen durch den Mond und die Sonne über dem Meer.",
            "The tides come from the moon and the sun above the sea.",
        ),
        ("Answer in Kannada only.", "ಚಂದ್ರ ಮತ್ತು ಸಮುದ್ರ", "The moon and the sea."),
        ("Answer with either 'true' or 'false'.", "True", "Perhaps"),
        (
            "Is fog wet?\n\nFirst repeat the question above word for word, then answer.",
            "Is fog wet?\n\nYes.",
            "Yes.",
        ),
        ("Write your answer in uppercase only.", "YES.", "Yes."),
        ("Write a four-line poem about tides.", "Tides\n\na\nb\nc\nd", "a\nb\nc"),
        ("Present tides as a numbered list.", "1. In\n2. Out", "In and out"),
        (
            "Only output the code, nothing else.",
            "```python\nx = 1\n```",
            "Sure!\n```python\nx = 1\n```",
        ),
        ("Explain tides. Do not use exclamation marks.", "They turn.", "They turn!"),
    ],
)
def test_met_and_unmet(prompt: str, good: str, bad: str) -> None:
    assert met(prompt, good)
    assert not met(prompt, bad)


@pytest.mark.parametrize(
    ("prompt", "response", "kept"),
    [
        ("Answer yes or no: is it wet?", "No, it is not.", True),
        ("Answer yes or no: is it wet?", "I know nothing of it.", False),
        ("Answer with only yes or no: is it wet?", "**Yes.**", True),
        ("Answer with only yes or no: is it wet?", "Yes, since it clings to all things.", False),
        ("Reply with A, B, C or D only.", "B) Paris", True),
        ("Reply with A, B, C or D only.", "a big town", False),
        ("Pick one: tea, coffee or juice.", "I would take coffee.", True),
        ("Pick one: tea, coffee or juice.", "I like water.", False),
    ],
)
def test_closed_choices(prompt: str, response: str, kept: bool) -> None:
    assert met(prompt, response) is kept


@pytest.mark.parametrize(("prompt", "response", "kept"), OUTCOMES)
def test_outcomes(prompt: str, response: str, kept: bool | None) -> None:
    exchange = Exchange(prompt, response)
    found = [check(demand, exchange) for demand in demands(exchange.prompt)]
    assert found
    judged = [one.met for one in found if not one.unchecked]
    assert (all(judged) if judged else None) is kept


def test_an_unmet_demand_says_what_was_asked_and_found() -> None:
    found = outcome("Do not use any commas.", "One, two.")
    assert (found.asked, found.found) == ("no commas", "1 in the response")
    assert found.suggestion == "Remove the commas."
    assert [tuple(span) for span in found.spans] == [(3, 4)]


def test_a_title_need_not_count_as_a_paragraph() -> None:
    assert met("Write it in two paragraphs.", "# Tides\n\nThe sea comes in.\n\nThe sea goes out.")
    assert not met("Write it in two paragraphs.", "The sea comes in.")


def test_deep_json_is_not_checked() -> None:
    found = outcome("Return the answer as JSON.", "[" * 5000)
    assert found.unchecked == "The JSON is nested too deeply"


def test_keys_are_named_as_they_are_written() -> None:
    prompt = "Give me JSON with exactly the keys first_name and age."
    found = check(
        demand_of(prompt, "json_keys"), Exchange(prompt, '{"Age": 3, "last_name": "Roe"}')
    )
    assert found.found == "missing: “first_name”; not asked for: “last_name”"


@pytest.mark.parametrize(
    ("prompt", "response", "quoted"),
    [
        ("Explain fog in at most 3 words.", "Low cloud over water.", ["water."]),
        ("Your response must have at most 5 characters.", " Low cloud ", ["loud"]),
        ("Explain fog in one sentence.", "Low cloud. It is wet.", ["It is wet."]),
        ("Use at least 3 sentences.", "Low cloud. It is wet.", ["Low cloud.", "It is wet."]),
        ("Explain fog in 1 paragraph.", "It is low.\n\nIt is wet.", ["It is wet."]),
        ("Do not use the letters q or z.", "A haze.", ["z"]),
        ("Answer in German.", "Fog is a low cloud over the land and over the sea.\nIt is wet.",
         ["Fog is a low cloud over the land and over the sea."]),
        ("Answer with JSON only.", "Here it is:\n{}", ["Here it is:"]),
        ("Output only the code.", "```py\nf()\n```\nThis calls the function f.", ["This calls the function f."]),
        ('Answer with "yes" or "no".', "Nobody can tell.", ["Nobody can tell."]),
    ],
)  # fmt: skip
def test_what_misses_a_demand_is_quoted(prompt: str, response: str, quoted: list[str]) -> None:
    found = outcome(prompt, response)
    assert not found.met
    assert [response[span.start : span.end] for span in found.spans] == quoted


def test_a_long_text_is_quoted_in_part() -> None:
    found = outcome("Explain fog in at most 3 words.", "fog " * 4000)
    assert [span.end - span.start for span in found.spans] == [120]


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        (
            'JSON with exactly these keys and no others, please: "name", "age".',
            '{"name": "Roe", "age": 3, "town": "Bath"}',
        ),
        ("Give me JSON with the keys name and age only.", '{"name": "Roe", "age": 3, "id": 1}'),
    ],
)
def test_no_other_keys_are_asked_for_in_several_ways(prompt: str, response: str) -> None:
    found = check(demand_of(prompt, "json_keys"), Exchange(prompt, response))
    assert not found.met
    assert found.found.startswith("not asked for")
