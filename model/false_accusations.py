"""Counts right answers that the rules of grounding accuse: python -m model.false_accusations FILE... (files of lessons).

A right answer is all supported lines of a lesson together. A faulty one has one of them exchanged for its contradicted
twin. No model reads them: what is counted are findings of the rules above low.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fairwitness.evaluator.criteria.grounding import claims
from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.given import given


def accusations(prompt: str, lines: list[str]) -> set[tuple[str, str]]:
    """Return kind and message of each finding above low."""
    exchange = Exchange(prompt, "\n".join(lines))
    found = claims(Ground(exchange, given(exchange)))
    return {(claim.kind, claim.message) for claim in found if claim.severity != "low"}


def main(paths: list[Path]) -> None:
    """Print how many right answers are accused, and in how many faulty ones something new is found."""
    right = accused = faulty = found = 0
    for path in paths:
        for item in map(json.loads, path.read_text("utf-8").splitlines()):
            prompt, lines = f"{item['task']}\n\n{item['context']}", item["supported"]
            said = accusations(prompt, lines)
            right, accused = right + 1, accused + bool(said)
            for at, twin in enumerate(item["contradicted"]):
                changed = [*lines[:at], twin, *lines[at + 1 :]]
                faulty += 1
                found += bool(accusations(prompt, changed) - said)
    print(f"right answers accused: {accused} of {right}; faulty ones found: {found} of {faulty}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python -m model.false_accusations FILE...")
    main([Path(name) for name in sys.argv[1:]])
