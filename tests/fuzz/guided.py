"""One coverage-guided run of one target, in a process of its own: `python -m tests.fuzz.guided NAME FOLDER ...`.

Needs atheris, which is no part of the lock: long.py starts this with it on the path.
"""

from __future__ import annotations

import random
import sys
from typing import Any

import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

with atheris.instrument_imports(include=["fairwitness"]):
    from tests.fuzz.targets import TARGETS

from tests.fuzz.mutation import mutated


def main() -> None:
    """Fuzz until the options after the folder say stop; never returns."""
    name, *options = sys.argv[1:]
    (target,) = (target for target in TARGETS if target.name == name)
    seeds = target.seeds()

    def mutate(data: bytes, max_size: int, seed: int) -> Any:
        dice = random.Random(seed)
        if dice.random() < 0.3:
            return atheris.Mutate(data, max_size)
        return mutated(data, seeds, dice)[:max_size]

    atheris.Setup([sys.argv[0], *options], target.run, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
