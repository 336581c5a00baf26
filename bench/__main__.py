"""Runs the measures one after another, each in a process of its own: `python -m bench [NAME ...]`."""

from __future__ import annotations

import subprocess
import sys

NAMES = ("evaluator", "http", "startup", "peers")


def main() -> int:
    """Run the named measures, or all; the first that fails is the exit status."""
    chosen = sys.argv[1:] or NAMES
    codes = [
        subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False).returncode
        for name in chosen
    ]
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main())
