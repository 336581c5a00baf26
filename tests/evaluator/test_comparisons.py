"""The reader that compares the sentences of a response with what it was given: what it reads, how much, and what it leaves."""

from __future__ import annotations

import pytest

from fairwitness.contract.conversation import Passage
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.readers import packaged
from fairwitness.evaluator.readers.comparisons import MAX_TOKENS_COMPARED, ComparisonReader
from fairwitness.evaluator.readers.encoder import Comparison, Encoder

SOURCE = (
    "The library opens at nine and closes at six. Members may borrow five books for three weeks. "
    "Late books cost ten cents a day. Dogs are not allowed inside."
)


class Counting:
    """The packaged encoder, with a list of what it compared."""

    def __init__(self) -> None:
        self.compared: list[tuple[str, str]] = []

    def compare(self, passage: str, sentence: str) -> Comparison:
        self.compared.append((passage, sentence))
        return packaged().compare(passage, sentence)

    def count(self, text: str) -> int:
        return packaged().count(text)

    def __call__(self) -> Encoder:
        return self  # type: ignore[return-value]


def read(
    response: str,
    context: str = SOURCE,
    prompt: str = "What are the rules?",
    limit: int | None = None,
) -> tuple[Counting, dict[str, list[float]]]:
    counting = Counting()
    exchange = Exchange(prompt, response, context=[Passage(text=context)] if context else [])
    found = ComparisonReader(counting, limit).read(exchange)
    for signal in found.values():
        for start, end in signal.offsets:
            assert 0 <= start < end <= len(response)
    return counting, {name: [float(x) for x in signal.strengths] for name, signal in found.items()}


def test_what_the_source_says_has_more_support_than_what_it_does_not() -> None:
    _, said = read(
        "Members may borrow five books. Members may borrow fifty films. Dogs are welcome inside."
    )
    five, films, dogs = said["support"]
    assert five > max(films, dogs)
    assert said["contradiction"][2] > said["contradiction"][0]


@pytest.mark.parametrize(
    "response",
    ["Is that all?", "Yes.", "The rules are:", "```\nprint(five books, three weeks)\n```"],
)
def test_what_states_nothing_is_not_compared(response: str) -> None:
    counting, said = read(response)
    assert counting.compared == []
    assert said == {"support": [], "contradiction": []}


@pytest.mark.parametrize(
    ("response", "context"),
    [
        ("Die Bücherei öffnet um neun Uhr und schließt um sechs Uhr am Abend.", SOURCE),
        (
            "The library opens at nine and closes at six.",
            "图书馆九点开门，六点关门。会员可以借五本书。" * 3,
        ),
        ("The library opens at nine and closes at six.", ""),
    ],
)
def test_nothing_is_compared_in_other_languages_or_without_a_source(
    response: str, context: str
) -> None:
    counting, _ = read(response, context)
    assert counting.compared == []


def test_however_long_the_texts_so_many_tokens_are_compared() -> None:
    response = " ".join(f"Rule {n} says that members may borrow {n} books." for n in range(400))
    counting, said = read(response, SOURCE * 200)
    tokens = [packaged().compare(*pair).tokens for pair in counting.compared]
    assert sum(tokens[:-1]) < MAX_TOKENS_COMPARED <= sum(tokens)
    assert len(said["support"]) == len({sentence for _, sentence in counting.compared}) < 20


def test_of_a_limit_it_takes_what_the_response_leaves() -> None:
    response = "Members may borrow five books. Dogs may not come inside."
    size = packaged().count(response)
    for limit, sentences in ((size, 0), (size + 1, 1), (size + 1000, 2)):
        compared = read(response, limit=limit)[0].compared
        assert len({sentence for _, sentence in compared}) == sentences


# The request of the exchanges below, as it stands before a whole passage.
ASKED = "Asked: What are the rules?\n\n"


class Told:
    """An encoder that finds support in one stretch of the source alone."""

    def __init__(self, supporting: str) -> None:
        self.supporting = supporting
        self.passages: list[str] = []

    def compare(self, passage: str, sentence: str) -> Comparison:
        self.passages.append(passage)
        return Comparison(
            0.95 if passage.removeprefix(ASKED) == self.supporting else 0.2, 0.1, (), 50
        )

    def __call__(self) -> Encoder:
        return self  # type: ignore[return-value]


def support_of(told: Told, response: str) -> float:
    exchange = Exchange("What are the rules?", response, context=[Passage(text=SOURCE)])
    return ComparisonReader(told).read(exchange)["support"].value


def test_what_one_sentence_plainly_supports_is_not_compared_with_the_whole() -> None:
    told = Told("Late books cost ten cents a day.")
    assert support_of(told, "Each day costs ten cents for late books.") == pytest.approx(0.95)
    assert told.passages[-1] == told.supporting
    assert SOURCE not in told.passages


def test_what_no_single_sentence_supports_the_whole_may() -> None:
    whole = Told(SOURCE)
    assert support_of(whole, "Dogs may not come inside.") == pytest.approx(0.95)
    assert whole.passages[-1] == ASKED + SOURCE
    assert len(whole.passages) <= 3
    apart = Told("")
    assert support_of(apart, "Quantum physics confuses everybody.") == pytest.approx(0.2)
    assert apart.passages == [ASKED + SOURCE]


def test_what_is_copied_word_for_word_is_supported_and_costs_nothing() -> None:
    told = Told("")
    assert support_of(told, "Dogs are  not allowed inside.") == pytest.approx(0.97)
    assert told.passages == []
    assert support_of(told, "Dogs are not allowed.") == pytest.approx(0.2)
    assert told.passages


def test_a_sentence_that_is_said_again_is_compared_once() -> None:
    said = "Members keep their books for a month."
    once, alone = read(said)
    counting, found = read(f"{said} Dogs may come in. {said}")
    assert counting.compared[: len(once.compared)] == once.compared
    assert sum(sentence == said for _, sentence in counting.compared) == len(once.compared)
    assert found["support"][0] == found["support"][2] == alone["support"][0]
