"""No input of legal size costs more than three times a typical one per token: the slowest found, weighed again."""

from __future__ import annotations

import pytest

from tests.fuzz.slow import read_tokens, rules_s, tokens, typical_s_per_token

# Of the three times, the encoder may take this share by counted tokens and the rules the rest by time.
ENCODER, RULES = 1.8, 1.2

# What a typical token costs is measured once.
pytestmark = pytest.mark.xdist_group("slow")

# Each was among the slowest of its kind that searches found: a prompt, and what a response is made of.
SLOWEST = [
    ("?", "1+1=3\n"),
    ("?", "two plus two is five. "),
    ("?", "1. a\n"),
    ("?", "a\n"),
    ("?", "a@b.co "),
    ("?", "half of "),
    (
        "?",
        "a@b.co >192.168.1.1 -2^2/2(3)% sk-12.5 × 4% of 3/4 = 12 is 30% of 48. grader, great question! ",
    ),
    (
        "?",
        "SSN 536-22-8716 great question! )score 10 +1 415 823 9917 word km 1+1=3 -2^2/2(3)% {mine ",
    ),
    ("?", "12 is 30% of 48. 1. a\n\u202edoi:10.1 5! …a@b.co √word 12 Oak Street, -2^2/2(3)% "),
    ("?", "$"),
    ("?", "+1 555 123 4567 "),
    ("?", "![a](http://b.c/d?e=f)"),
    ("?", "```yaml\n{{{\n```\n"),
    ("?", "```python\na<a<a<\n```\n"),
    ("?", "```python\n" + "@a\n" * 2600),
    ("?", "```python\n" + "x = 1\n" * 1300 + "```"),
    ("?", "```yaml\n" + "  a:\n" * 1550 + "```"),
    ("?", "```json\n\\\\\\\n```\n"),
    ("'a " * 660, "word "),
    ("1+1=3\n" * 330, "1+1=3\n"),
    ("1," * 1000, "1,"),
    ("write exactly 3 words " * 90, "word "),
    ("?", "\U0001fba8"),
    ("?", "\U0001f600"),
    ("?", "\u200b"),
    ("?", "中"),
    ("?", "!?"),
    ("?", "a" * 100 + " "),
]


@pytest.fixture(scope="module")
def typical() -> float:
    return min(typical_s_per_token() for _ in range(2))


@pytest.mark.parametrize(("prompt", "unit"), SLOWEST, ids=range(len(SLOWEST)))
def test_rules_stay_within_their_share(prompt: str, unit: str, typical: float) -> None:
    response = (unit * (8000 // len(unit) + 1))[:8000]
    whole = tokens(prompt) + tokens(response)
    assert rules_s(prompt, response) / whole < RULES * typical


@pytest.mark.parametrize(("prompt", "unit"), SLOWEST, ids=range(len(SLOWEST)))
def test_the_encoder_reads_no_more_than_was_written(prompt: str, unit: str) -> None:
    response = (unit * (8000 // len(unit) + 1))[:8000]
    # The prompt stands again in each window, and windows overlap.
    repeated = 1 + tokens(response) / 300
    allowed = tokens(response) + repeated * (min(tokens(prompt), 160) + 51)
    named = 15 * 200
    assert read_tokens(prompt, response) < ENCODER * max(allowed, named)
