"""Runs the measures one after another, each in a process of its own: `python -m perf [NAME ...] [--rest]`.

With `--rest` those whose results are of today already are left out, so that a run that was broken off can be taken up
again. The whole takes under ten minutes on two cores; `soak` and `million` are commands of their own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from datetime import UTC, datetime

from perf.report import RESULTS

# What each measure leaves behind in perf/results/.
MEASURES = {
    "evaluator": ("evaluator",),
    "http": ("overhead", "throughput"),
    "startup": ("startup",),
    "overload": ("overload",),
    "hostile_clients": ("hostile_clients",),
    "worker_faults": ("worker_faults",),
    "peers": ("peers",),
}


def measured_today(name: str) -> bool:
    """Tell whether every result of a measure is of today."""
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    files = [RESULTS / f"{result}.json" for result in MEASURES[name]]
    return all(
        file.exists() and json.loads(file.read_text())["measuredAt"] == today for file in files
    )


def main() -> int:
    """Run the named measures, or all; the first that fails is the exit status."""
    parser = argparse.ArgumentParser(prog="python -m perf", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASURES))
    parser.add_argument("--rest", action="store_true", help="leave out what was measured today")
    given = parser.parse_args()
    if unknown := sorted(set(given.names) - set(MEASURES)):
        parser.error(f"no such measure: {', '.join(unknown)}")
    codes = []
    for name in given.names or MEASURES:
        if given.rest and measured_today(name):
            print(f"{name}: measured today", flush=True)
            continue
        began = time.monotonic()
        codes.append(subprocess.run([sys.executable, "-m", f"perf.{name}"], check=False).returncode)
        print(f"{name}: {time.monotonic() - began:.0f} s, exit {codes[-1]}\n", flush=True)
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main())
