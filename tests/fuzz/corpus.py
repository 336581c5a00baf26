"""The inputs worth keeping: one file a target, one input a line in base64, shortest first."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"
# Enough to walk every branch the long runs reached, small enough to replay in a moment.
MOST, MOST_BYTES = 60, 2048


def load(name: str) -> list[bytes]:
    """Return a target's kept inputs."""
    path = FOLDER / f"{name}.b64"
    if not path.exists():
        return []
    return [base64.b64decode(line, validate=True) for line in path.read_text().split()]


def save(name: str, inputs: Iterable[bytes], always: Iterable[bytes] = ()) -> None:
    """Keep the shortest of `inputs`, and all of `always`: what once broke something."""
    broke = sorted(set(always), key=_order)
    short = sorted({one for one in inputs if len(one) <= MOST_BYTES} - set(broke), key=_order)
    spread = short[:: max(1, len(short) // MOST)][:MOST]
    lines = [base64.b64encode(one).decode() for one in [*broke, *spread]]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.b64").write_text("\n".join(lines) + "\n")


def _order(one: bytes) -> tuple[int, bytes]:
    return len(one), one
