"""Which passages of a source a sentence is held against, and how the two are framed."""

from __future__ import annotations

import pytest

from fairwitness.evaluator.heads import HEADS, UNNAMED, heads_of
from fairwitness.evaluator.readers.framing import WINDOW, held_against
from fairwitness.evaluator.readers.sources import PASSAGE, Source

FILLER = [f"Paragraph {n} speaks of weather, roads and the price of wool." for n in range(80)]


def test_a_short_source_is_held_whole() -> None:
    assert (
        Source(" The shop opens at nine.\n").nearest("It opens at ten.")
        == "The shop opens at nine."
    )


def test_what_was_asked_stands_before_a_source_that_leaves_room_for_it() -> None:
    asked = Source("The shop opens at nine.", "When\ndoes it open?").nearest("At nine.")
    assert asked == "Asked: When does it open?\n\nThe shop opens at nine."
    long = Source("\n".join(FILLER), "When does it open?").nearest("At nine.")
    assert long == Source("\n".join(FILLER)).nearest("At nine.")
    full = "x" * (PASSAGE - 20)
    assert Source(full, "When does it open?").nearest("At nine.") == full


def test_of_a_long_request_the_beginning_and_the_end_are_taken() -> None:
    request = "First words. " + "and more " * 200 + "Last words?"
    passage = Source("The shop opens at nine.", request).nearest("At nine.")
    assert passage.startswith("Asked: First words. and more")
    assert "Last words?\n\nThe shop" in passage
    assert len(passage) < 400


def test_of_a_long_source_the_stretch_that_speaks_of_it_is_near() -> None:
    fact = "Dr Okonkwo removed the gallbladder on 4 May."
    before = "She had been in pain since April."
    text = "\n".join([*FILLER[:40], before, fact, *FILLER[40:]])
    passage = Source(text).nearest("The surgeon Okonkwo took out the gallbladder in May.")
    assert fact in passage
    assert before in passage
    assert len(passage) <= PASSAGE
    assert passage.startswith(FILLER[0])


def test_the_closest_are_single_sentences_in_the_order_of_what_they_share() -> None:
    source = Source("The shop opens at nine. It sells Welsh wool.\nDogs may come in.")
    assert source.closest("It sells wool, Welsh wool, in a shop.", 2) == [
        "It sells Welsh wool.",
        "The shop opens at nine.",
    ]
    assert source.closest("Nothing alike", 2) == []
    assert Source("The shop opens at nine.").closest("The shop opens.", 2) == []


@pytest.mark.parametrize(
    "text", ["", "\n\n", "a" * 9000, ". " * 4000, "\U0001f600" * 3000, "x.\n" * 3000]
)
def test_odd_sources_give_a_bounded_passage(text: str) -> None:
    assert len(Source(text).nearest("What is it?")) <= PASSAGE
    assert len(Source(text).nearest("")) <= PASSAGE
    assert len(Source(text, text).nearest("What is it?")) <= PASSAGE
    assert all(len(one) <= PASSAGE for one in Source(text).closest("a x", 2))


@pytest.mark.parametrize(("passage", "sentence"), [(0, 0), (10, 5), (4000, 4000)])
def test_passage_and_sentence_fit_one_window(passage: int, sentence: int) -> None:
    ids, sides = held_against([7] * passage, [8] * sentence)
    assert len(ids) == len(sides) <= WINDOW
    assert sides == sorted(sides)
    assert {i for i, side in zip(ids, sides, strict=True) if side == 1} <= {8, 102}


def test_heads_are_read_by_the_names_of_their_file() -> None:
    assert heads_of({}) == UNNAMED
    assert heads_of({"heads": HEADS.named()}) == HEADS
    places = [HEADS.at(name) for name in (*HEADS.binary, *HEADS.ranked)]
    assert sorted([*places, *range(HEADS.refusal.start, HEADS.refusal.stop)]) == list(
        range(HEADS.outputs)
    )
    assert set(HEADS.span) <= set(HEADS.binary)
