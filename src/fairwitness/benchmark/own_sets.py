"""The sets written for this project before its rules were tried on them, one text file a set in own/.

A row opens with "=== label kind"; the prompt follows, then a line of three dashes, then the response. Lines of
the set of edits that open with "++ " must be in the revised text, those with "-- " must not.
"""

from __future__ import annotations

from importlib import resources
from typing import NamedTuple

NAMES = ("code", "unfinished", "active_content", "languages", "other_languages", "improvement")


class OwnRow(NamedTuple):
    """One exchange with its label, and what a revision must and must not contain."""

    label: str
    kind: str
    prompt: str
    response: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def rows(name: str) -> list[OwnRow]:
    """Return the rows of a set."""
    file = resources.files("fairwitness.benchmark").joinpath("own", f"{name}.txt")
    parts = f"\n{file.read_text(encoding='utf-8')}".split("\n=== ")
    return [_row(part) for part in parts[1:]]


def _row(part: str) -> OwnRow:
    head, _, rest = part.partition("\n")
    label, _, kind = head.partition(" ")
    prompt, _, response = rest.partition("\n---\n")
    lines = response.rstrip("\n").split("\n")
    said = [line for line in lines if not line.startswith(("++ ", "-- "))]
    wanted = tuple(line[3:] for line in lines if line.startswith("++ "))
    unwanted = tuple(line[3:] for line in lines if line.startswith("-- "))
    return OwnRow(label, kind, prompt, "\n".join(said), wanted, unwanted)
