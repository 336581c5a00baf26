"""Demands are read from the prompt's own words, however they are phrased, and from nothing else."""

from __future__ import annotations

import time

import pytest

from fairwitness.evaluator.criteria.instruction_following import Demand, demands
from fairwitness.evaluator.text import Text
from tests.evaluator.criteria.instruction_following import paraphrases, phrasings


def _read(prompt: str) -> list[Demand]:
    found = demands(Text(prompt))
    for demand in found:
        assert 0 <= demand.span.start < demand.span.end <= len(prompt)
    return found


def _written(demand: Demand) -> str:
    if demand.bounds is None:
        return demand.kind
    low, high = demand.bounds.at_least, demand.bounds.at_most
    return f"{demand.kind} {'' if low is None else low}..{'' if high is None else high}"


@pytest.mark.parametrize(("prompt", "expected"), paraphrases.COUNTS)
def test_counts(prompt: str, expected: str) -> None:
    assert [_written(demand) for demand in _read(prompt)] == [expected]


@pytest.mark.parametrize(
    ("prompt", "expected", "terms"),
    [*paraphrases.WORDING, *paraphrases.SHAPES, *paraphrases.EDGES],
)
def test_terms(prompt: str, expected: str, terms: tuple[str, ...]) -> None:
    assert [(_written(demand), demand.terms) for demand in _read(prompt)] == [(expected, terms)]


@pytest.mark.parametrize(("prompt", "expected", "separator"), paraphrases.PARTS)
def test_parts(prompt: str, expected: str, separator: str) -> None:
    found = [(_written(demand), demand.separator) for demand in _read(prompt)]
    assert found == [(expected, separator)]


@pytest.mark.parametrize(("prompt", "kinds"), paraphrases.PROMPTS)
def test_small_prompts(prompt: str, kinds: str) -> None:
    assert sorted(demand.kind for demand in _read(prompt)) == sorted(kinds.split())


@pytest.mark.parametrize(("prompt", "expected"), phrasings.PHRASINGS)
def test_phrasings(prompt: str, expected: str) -> None:
    wanted = sorted(filter(None, expected.split("; ")))
    assert sorted(map(_written, _read(prompt))) == wanted


@pytest.mark.parametrize("prompt", paraphrases.NOT_JUDGED)
def test_not_judged(prompt: str) -> None:
    assert _read(prompt) == []


def test_the_span_is_the_demand_itself() -> None:
    prompt = "Tell me about bees. Use at most 50 words, please."
    (demand,) = _read(prompt)
    assert prompt[demand.span.start : demand.span.end] == "at most 50 words"


def test_offsets_are_code_points() -> None:
    prompt = "🐝🐝 Tell me about bees in exactly 3 sentences."
    (demand,) = _read(prompt)
    assert prompt[demand.span.start : demand.span.end] == "exactly 3 sentences"


def test_only_the_last_turn_of_a_dialogue_counts() -> None:
    prompt = (
        "Human: Answer in one word.\n\nAssistant: Yes. Use at least 3 bullet points.\n\n"
        "Human: Now answer in two sentences."
    )
    assert [_written(demand) for demand in _read(prompt)] == ["sentence_count 2..2"]


JOINABLE = (
    ("use at least 3 bullet points", "bullet_count 3.."),
    ("do not use commas", "forbidden_marks"),
    ('include the word "moon"', "required_words"),
    ('do not use the word "sun"', "forbidden_words"),
    ("answer in all lowercase letters", "lowercase"),
    ("write at least 50 words", "word_count 50.."),
    ("use fewer than 6 sentences", "sentence_count ..5"),
    ("wrap your entire response in double quotation marks", "wrapped"),
    ('the word "tide" should appear at least twice', "keyword_count 2.."),
    ("highlight at least 2 sections with markdown, like *this*", "highlight_count 2.."),
    ("make sure the letter q appears at least once", "letter_count 1.."),
    ('end your reply with "Goodbye now"', "ends_with"),
    ("give it a title in double angular brackets", "title"),
    ("your answer should be in German", "language"),
)


@pytest.mark.parametrize("joint", [" and ", ", and ", ", but ", "; ", ". Also, ", "\n- "])
@pytest.mark.parametrize("first", range(len(JOINABLE)))
def test_joined_demands_are_found_separately(first: int, joint: str) -> None:
    one, asked = JOINABLE[first]
    for other, (two, also) in enumerate(JOINABLE):
        if other != first:
            prompt = f"Tell me about tides. {one[0].upper()}{one[1:]}{joint}{two}."
            assert sorted(map(_written, _read(prompt))) == sorted((asked, also)), prompt


def test_a_pasted_text_ends_where_the_response_is_named() -> None:
    prompt = (
        "Critique this: I think people must write at least 5 letters a day. Your response must have 3 sections. "
        "Mark the beginning of each section with SECTION X. Do not use any commas."
    )
    assert sorted(item.kind for item in demands(Text(prompt))) == [
        "forbidden_marks",
        "section_count",
    ]


ENDLESS = (
    "Explain tides in 40 words or above ",
    "The last words must be: so it goes and ",
    "answer a, ",
    'use 3 words and the words "a" ',
    "Explain it with 3 paragraphs, each separated by ***.",
    '"S" as the first word of ',
    "Foo X 3 ",
    "*not* ",
)


@pytest.mark.parametrize("piece", ENDLESS)
def test_a_sentence_without_end_takes_linear_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = Text((piece * (size // len(piece) + 1))[:size])
        started = time.process_time()
        demands(text)
        return time.process_time() - started

    seconds(4_000)
    # Eight times the text: about eight times the work, where a square would be sixty-four.
    assert any(seconds(48_000) < 24 * seconds(6_000) for _ in range(3))


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Answer in one word: capital of Peru?", ["word_count 1..1"]),
        ("Answer in 3 words: where does the sun rise?", ["word_count 3..3"]),
        ("Reply with a single word: capital of Peru?", []),
        ("Reply with one word: capital of Peru?", []),
        ("Reply with the word: banana", ["required_words"]),
    ],
)
def test_what_a_colon_opens_behind_counted_words_is_the_question(
    prompt: str, expected: list[str]
) -> None:
    assert [_written(demand) for demand in _read(prompt)] == expected
