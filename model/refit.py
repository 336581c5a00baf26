"""Fits the constants of the packed model anew, its int8 file as it is: python -m model.refit --work build/model --model DIR.

The work folder holds the gathered data that model.build left there. Only held-out rows are read, each alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from fairwitness.evaluator.readers.encoder import PACKAGED

from . import stages
from .pack import refit
from .reader import reader


def main() -> None:
    """Read the held-out rows with the packed file and write its manifest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path("build/model"))
    parser.add_argument("--model", type=Path, default=PACKAGED)
    args = parser.parse_args()
    rows, pairs = stages.gathered(args.work)
    refit(args.model, reader(args.model), rows, pairs)


if __name__ == "__main__":
    main()
