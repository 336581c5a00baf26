"""Asks for known faults of the locked packages, with pip-audit in a folder of its own.

    python -m supply_chain.audit

Exit status: 0 none known, 1 some known, and 0 with a loud word where the advisory service cannot be reached: then
nothing was audited, and only that is known.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> int:
    """Audit the lock."""
    with tempfile.TemporaryDirectory(prefix="fairwitness-audit-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        installed = subprocess.run(
            [python, "-m", "pip", "install", "-q", "pip-audit"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if installed.returncode:
            return _unaudited("pip-audit could not be installed")
        audit = [python, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--timeout", "10"]
        done = subprocess.run(
            [*audit, "-f", "json", "-r", str(ROOT / "requirements.lock")],
            capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
    try:
        told = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return _unaudited("the advisory service cannot be reached from here")
    skipped = [one["name"] for one in told if "skip_reason" in one]
    if len(skipped) == len(told):
        return _unaudited("the advisory service cannot be reached from here")
    faulty = [one for one in told if one.get("vulns")]
    for one in faulty:
        print(f"{one['name']} {one['version']}: {', '.join(v['id'] for v in one['vulns'])}")
    print(f"{len(told) - len(skipped)} packages audited, {len(faulty)} with known faults")
    if skipped:
        _unaudited(f"no advisories could be read for {', '.join(skipped)}")
    return 1 if faulty else 0


def _unaudited(why: str) -> int:
    print(
        f"NOT AUDITED: {why}. Nothing is known of faults in the locked packages.", file=sys.stderr
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
