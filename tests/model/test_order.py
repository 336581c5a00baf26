"""How models are put in order: strengths from votes, and rank correlations."""

import numpy as np

from model.order import ANSWERS, Vote, correlation, ranks, sampled, strengths


def _vote(first: str, second: str, won: float) -> Vote:
    return Vote("Why?", (first, second), (f"{first} says so.", f"{second} says so."), won)


def test_strength_follows_the_votes() -> None:
    told = [_vote("strong", "middling", 1.0)] * 6 + [_vote("middling", "strong", 1.0)] * 2
    told += [_vote("weak", "middling", 0.0)] * 5 + [_vote("weak", "middling", 0.5)] * 2
    found = strengths(told)
    assert found["strong"] > found["middling"] > found["weak"]


def test_a_model_that_never_lost_has_a_strength() -> None:
    found = strengths([_vote("strong", "weak", 1.0)] * 40)
    assert np.isfinite(list(found.values())).all()
    assert found["strong"] > found["weak"]


def test_only_models_with_enough_answers_are_drawn() -> None:
    told = [_vote("often", "often", 1.0)] * ANSWERS + [_vote("seldom", "often", 1.0)]
    assert {answer.model for answer in sampled(told)} == {"often"}
    assert len(sampled(told)) == ANSWERS


def test_equal_values_share_their_rank() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.0, 0.5, 3.0, 1.5]


def test_what_goes_with_length_alone_is_nothing_beyond_it() -> None:
    length = np.arange(12.0)
    noise = np.array([1.0, -1.0] * 6)
    strength = length + 4 * noise
    assert correlation(length, strength) > 0.5
    assert abs(correlation(length, strength, length)) < 1e-6
    assert correlation(strength, strength, length) > 0.99
