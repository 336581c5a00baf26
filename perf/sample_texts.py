"""Plain prose of any length and typical bodies, made here so that every run and machine has the same."""

from __future__ import annotations

import json
import random

_WORDS = (
    "river bridge mill road water people rooms public roof mended open visited stands north old many year "
    "garden clock light paper window house number value answer because therefore while until between small"
).split()


def prose(characters: int, seed: int = 1) -> str:
    """Return sentences, now and then a list and a number, as an answer has them."""
    dice = random.Random(seed)
    parts: list[str] = []
    size = 0
    while size < characters:
        words = [dice.choice(_WORDS) for _ in range(dice.randint(6, 18))]
        if dice.random() < 0.1:
            words.insert(3, str(dice.randint(2, 1999)))
        sentence = " ".join(words).capitalize() + ". "
        if dice.random() < 0.15:
            sentence += "\n\n"
        elif dice.random() < 0.1:
            sentence = "\n- " + sentence
        parts.append(sentence)
        size += len(sentence)
    return "".join(parts)[:characters]


def body(characters: int = 1200, seed: int = 1) -> bytes:
    """Return a direct evaluation's body with a response of that many characters."""
    return json.dumps(
        {
            "contractVersion": "1.0.0",
            "prompt": "Tell me about the old mill, in a few paragraphs. " + prose(120, seed),
            "response": prose(characters, seed),
            "privacyAcknowledged": True,
        }
    ).encode()
