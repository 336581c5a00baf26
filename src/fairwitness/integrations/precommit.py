"""The pre-commit hook: runs `fairwitness batch` over each file that is to be committed.

Options come first and are those of `fairwitness batch`; the files follow. The results are not kept.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Judge each file by the same options; return 0 where every gate is met, else the worst exit code."""
    files = _files(arguments)
    options = arguments[: len(arguments) - len(files)]
    worst = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, file in enumerate(files):
            results = Path(folder) / f"{number}.jsonl"
            command = [sys.executable, "-m", "fairwitness", "batch", file, "-o", str(results)]
            worst = max(worst, subprocess.run([*command, *options], check=False).returncode)
    return worst


def _files(arguments: list[str]) -> list[str]:
    """Return the files at the end: pre-commit puts them after the options."""
    count = 0
    for argument in reversed(arguments):
        if not Path(argument).is_file():
            break
        count += 1
    return arguments[len(arguments) - count :]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
