"""What an input costs beside a typical one, per token: processor time for the rules, counted windows for the encoder.

Run as a command it searches for slow inputs: `python -m tests.fuzz.slow [--seconds 60]` breeds texts from the kept
ones, keeps the slowest, and prints them with what they cost.
"""

from __future__ import annotations

import argparse
import heapq
import random
import time
from functools import cache

from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.readers.encoder import Encoder
from fairwitness.evaluator.readers.framing import readable, spelled, windows
from perf.known_reader import reading_once
from perf.sample_texts import prose
from tests.fuzz import corpus
from tests.fuzz.mutation import mutated
from tests.fuzz.targets import packed, texts

NAME = "slow"


@cache
def encoder() -> Encoder:
    """Return the packaged encoder."""
    return Encoder.load()


@cache
def _evaluator() -> Evaluator:
    return Evaluator.shipped()


@cache
def _unread() -> Evaluator:
    return reading_once(_evaluator(), Exchange("Say hello.", "Hello."))


def tokens(text: str) -> float:
    """Return the tokens of a text; long runs the vocabulary does not know count by their length."""
    return max(len(encoder()._tokenizer.encode(text)[0]), len(text) / 6)


def read_tokens(prompt: str, response: str) -> int:
    """Return how many tokens the encoder is made to read."""
    ids = [encoder()._tokenizer.encode(spelled(text)[0])[0] for text in (prompt, response)]
    head, tail = readable(len(response), len(ids[1]))
    return sum(len(window.ids) for window in windows(ids[0], ids[1][head] + ids[1][tail]))


def rules_s(prompt: str, response: str) -> float:
    """Return the processor time of every criterion, with the encoder's pass left out; the best of two."""
    best = float("inf")
    for _ in range(2):
        exchange = Exchange(prompt, response)
        began = time.thread_time()
        for name in _unread().criteria:
            _unread().judge(name, exchange)
        best = min(best, time.thread_time() - began)
    return best


def typical_s_per_token() -> float:
    """Return what a token of a long plain answer costs in a whole evaluation."""
    prompt, response = prose(2000, 1), prose(8000, 2)
    _evaluator().evaluate(prompt[:500], response[:500])  # loads what is loaded once
    began = time.thread_time()
    _evaluator().evaluate(prompt, response)
    return (time.thread_time() - began) / (tokens(prompt) + tokens(response))


def search(seconds: float) -> list[tuple[float, bytes]]:
    """Breed slow inputs; return the slowest with the microseconds a token of theirs costs in rules."""
    dice = random.Random()
    kept = [(_cost(data), data) for data in corpus.load(NAME) or [packed("?", prose(8000))]]
    stop = time.monotonic() + seconds
    while time.monotonic() < stop:
        _, parent = dice.choice(kept)
        child = mutated(parent, [data for _, data in kept], dice)
        kept = heapq.nlargest(40, {(_cost(child), child), *kept})
    return kept


def _cost(data: bytes) -> float:
    prompt, response = texts(data)
    # A text below a thousand characters is all fixed cost.
    return rules_s(prompt, response) / max(tokens(prompt) + tokens(response), 400) * 1e6


def main() -> None:
    """Search and keep the slowest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    found = search(parser.parse_args().seconds)
    typical = typical_s_per_token() * 1e6
    for cost, data in sorted(found, reverse=True)[:8]:
        print(
            f"{cost:8.1f} µs a token in rules, {cost / typical:.2f} of a typical token", data[:60]
        )


if __name__ == "__main__":
    main()
