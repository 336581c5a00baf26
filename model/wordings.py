"""What every kind of made lines shares: the banks of words, wordings with places to fill, and labels that are certain."""

from __future__ import annotations

import json
import random
from pathlib import Path

from .drawn import capital
from .load_grounding import row_against
from .rows import Row

FOLDER = Path(__file__).parent / "banks"
#: Twins made for one source.
LINES = 6
#: Target probabilities of support and contradiction.
Label = tuple[float, float]
TRUE, FALSE, ABSENT = (0.97, 0.02), (0.02, 0.97), (0.04, 0.05)
#: What a line is compared with, the line, and its label.
Said = tuple[str, str, Label]


def bank(kind: str) -> list[dict]:
    """All objects of one kind."""
    lines = [
        line
        for path in sorted(FOLDER.glob(f"{kind}*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    return [json.loads(line) for line in lines if line.strip()]


def filled(pattern: str, **values: str) -> str:
    """The wording with its places filled; a sentence begins with a capital letter."""
    for name, value in values.items():
        pattern = pattern.replace("{" + name + "}", value)
    return pattern if pattern.startswith(("-", "*", "•")) else capital(pattern)


def listed(parts: list[str], rng: random.Random) -> str:
    """The parts as a list or a paragraph."""
    joint = rng.choice(("\n- ", "\n", " "))
    if joint == " ":
        return " ".join(part if part.endswith((".", "!")) else f"{part}." for part in parts)
    return ("- " if joint == "\n- " else "") + joint.join(parts)


def titled(text: str, about: dict, rng: random.Random) -> str:
    """The text, now and then under its subject."""
    return f"{capital(about['subject'])}\n\n{text}" if rng.random() < 0.4 else text


def marked(source: str, passage: str, said: str, group: str, label: Label) -> Row:
    """A sentence beside its passage, with a label of full weight: no opinion of a teacher is mixed in."""
    row = row_against(source, passage, said, group)
    row.mark("support", label[0], 1.0)
    return row.mark("contradiction", label[1], 1.0)
