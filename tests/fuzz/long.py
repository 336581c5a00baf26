"""The long runs: coverage-guided fuzzing of every target, and what they found written into corpus/.

    python -m tests.fuzz.long [--seconds 60] [TARGET ...]

Installs atheris into test-output/ for itself. An input that broke a target is always kept: mend the
code, and the tests replay the input for ever.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from tests.fuzz import corpus
from tests.fuzz.targets import TARGETS, Target

OUTPUT = Path("test-output") / "fuzz"
TOOLS = OUTPUT / "tools"
LOCK = Path(__file__).parent / "atheris.lock"


def main() -> int:
    """Run each target in turn; return how many broke."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("targets", nargs="*", help="names; all where none is given")
    given = parser.parse_args()
    _install()
    chosen = [target for target in TARGETS if not given.targets or target.name in given.targets]
    broken = [target.name for target in chosen if _run(target, given.seconds)]
    print(f"broken: {', '.join(broken)}" if broken else "nothing broke")
    return len(broken)


def _install() -> None:
    if not TOOLS.exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes"]
        subprocess.run([*pip, "--target", str(TOOLS), "-r", str(LOCK)], check=True)


def _run(target: Target, seconds: int) -> bool:
    """Fuzz one target and keep what it found; True where an input broke it."""
    grown, crashes = (OUTPUT / target.name / part for part in ("grown", "broke"))
    for folder in (grown, crashes):
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate([*target.seeds(), *corpus.load(target.name)]):
        (grown / f"seed-{number}").write_bytes(seed)
    limits = ["-max_len=20000", "-timeout=20", "-rss_limit_mb=4096"]
    stop = [f"-max_total_time={seconds}", f"-artifact_prefix={crashes}/"]
    code = _fuzz(target.name, str(grown), *limits, *stop)
    # The fuzzer adds a file only where it walked where none had.
    found = [path.read_bytes() for path in grown.iterdir()]
    broke = [path.read_bytes() for path in crashes.iterdir() if "slow-unit" not in path.name]
    corpus.save(target.name, found, broke)
    print(
        f"{target.name}: {len(found)} inputs with coverage of their own, {len(broke)} broke it",
        flush=True,
    )
    return code != 0


def _fuzz(*arguments: str) -> int:
    path = os.pathsep.join([str(TOOLS), *filter(None, [os.environ.get("PYTHONPATH")])])
    log = (OUTPUT / f"{arguments[0]}.log").open("a")
    with log:
        return subprocess.run(
            [sys.executable, "-m", "tests.fuzz.guided", *arguments],
            env={**os.environ, "PYTHONPATH": path},
            stdout=log,
            stderr=log,
            check=False,
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
