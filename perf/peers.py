"""Other tools that judge text offline, beside ours on the same rows: cost of one text and agreement with the truth.

    python -m perf.peers [--hate FILE] [--rows 200] [--judged 30]

Peers are installed under build/peers, each in an environment of its own, and stay there for the next run. The truth of hateful rows comes from a labelled file the user
has (`hatecheck.jsonl.gz` as the evaluator card describes it); rows for secrets and formats are made here. A peer that
cannot be installed or run is listed with the reason.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import subprocess
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

from fairwitness import settings as settings_module
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import Evaluator
from fairwitness.providers import slots
from perf import report
from perf.peer_rows import formats, secrets

HERE = Path(__file__).parent
PEERS = HERE.parent / "build" / "peers"
INSTALL_S, RUN_S = 400, 120


@dataclass(frozen=True)
class Row:
    """A text, what it answers, and whether it has the fault that is looked for."""

    prompt: str
    response: str
    truth: bool


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    task: str
    tool: str
    rows: int = 0
    ms: float | None = None
    agreement: float | None = None
    note: str = ""


def judged(task: str, tool: str, rows: Sequence[Row], decide: Callable[[Row], bool]) -> Line:
    """Ask one tool about every row, and compare."""
    decide(rows[0])
    began = time.perf_counter()
    said = [decide(row) for row in rows]
    taken = (time.perf_counter() - began) / len(rows) * 1000
    return Line(task, tool, len(rows), taken, _agreement(rows, said))


def _agreement(rows: Sequence[Row], said: Sequence[bool]) -> float:
    return sum(row.truth == one for row, one in zip(rows, said, strict=True)) / len(rows)


def ours(criterion: str) -> Callable[[Row], bool]:
    """Return our own decision: a whole evaluation, read for one criterion."""
    evaluator = Evaluator.shipped()

    def decide(row: Row) -> bool:
        return _fails(evaluator.evaluate(row.prompt, row.response), criterion)

    return decide


def _fails(evaluation: Evaluation, criterion: str) -> bool:
    (item,) = [item for item in evaluation.verdicts if item.criterion_id == criterion]
    return item.verdict in {"fail", "needs_review"}


def in_python(task: str, tool: str, package: str, rows: Sequence[Row]) -> Line:
    """Run a Python peer in an environment of its own; peer_python.py speaks to it."""
    place = PEERS / package
    python = str(place / "bin" / "python")
    done = place / ".installed"
    if not done.exists():
        venv.create(place, with_pip=True, clear=True)
        # Where uv is at hand it is quicker by minutes.
        pip = (
            ["uv", "pip", "install", "--python", python]
            if which("uv")
            else [python, "-m", "pip", "install"]
        )
        install = [*pip, "-q", package]
        try:
            subprocess.run(install, capture_output=True, check=True, timeout=INSTALL_S)
        except subprocess.SubprocessError:
            return Line(task, tool, note="could not be installed here")
        done.touch()
    asked = json.dumps([[row.prompt, row.response] for row in rows])
    try:
        told = subprocess.run(
            [python, "-P", str(HERE / "peer_python.py"), package],
            input=asked, capture_output=True, text=True, check=True, timeout=RUN_S,
            env=_environment() | {"HOME": str(place), "OTEL_SDK_DISABLED": "true"},
        )  # fmt: skip
    except subprocess.SubprocessError:
        return Line(task, tool, note="was installed, but could not be run here")
    # A peer may talk on its own before the answer.
    found = json.loads(told.stdout.strip().rpartition("\n")[2])
    return Line(task, tool, len(rows), found["ms"], _agreement(rows, found["said"]))


def promptfoo(task: str, rows: Sequence[Row]) -> Line:
    """Run promptfoo with an echoing provider and its deterministic assertions."""
    place = PEERS / "promptfoo"
    place.mkdir(parents=True, exist_ok=True)
    install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "promptfoo"]
    out, done = place / "out.json", place / ".installed"
    out.unlink(missing_ok=True)
    if not done.exists():
        try:
            subprocess.run(install, cwd=place, capture_output=True, check=True, timeout=INSTALL_S)
        except (OSError, subprocess.SubprocessError):
            return Line(task, "promptfoo", note="could not be installed here")
        done.touch()
    tests = [
        {"vars": {"text": row.response}, "assert": [_assertion(row.prompt)], "options": {}}
        for row in rows
    ]
    config = {"prompts": ["{{text}}"], "providers": ["echo"], "tests": tests}
    (place / "config.json").write_text(json.dumps(config))
    command = [
        "npx",
        "promptfoo",
        "eval",
        "-c",
        "config.json",
        "-o",
        "out.json",
        "--no-cache",
        "--no-table",
    ]
    quiet = {
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_CONFIG_DIR": str(place),
    }
    began = time.perf_counter()
    subprocess.run(
        command,
        cwd=place,
        capture_output=True,
        check=False,
        timeout=300,
        env=_environment() | quiet,
    )
    taken = (time.perf_counter() - began) / len(rows) * 1000
    if not out.exists():
        return Line(task, "promptfoo", note="could not be run here")
    results = json.loads(out.read_text())["results"]["results"]
    by_text = {one["vars"]["text"]: not one["success"] for one in results}
    said = [by_text.get(row.response, False) for row in rows]
    return Line(
        task, "promptfoo, assertions written by hand", len(rows), taken, _agreement(rows, said)
    )


def _assertion(prompt: str) -> dict[str, Any]:
    if "JSON" in prompt:
        return {"type": "is-json"}
    if "lowercase" in prompt:
        return {"type": "javascript", "value": "output === output.toLowerCase()"}
    count = int("".join(filter(str.isdigit, prompt)))
    return {"type": "word-count", "value": {"max": count}}


def _environment() -> dict[str, str]:
    return dict(os.environ)


def smollm(task: str, rows: Sequence[Row], question: str, folder: Path) -> Line:
    """Ask the embedded model to judge, as one would ask a larger one."""
    given = settings_module.load({"FAIRWITNESS_DATA_DIR": str(folder / "smollm")})
    provider: Any = slots.build(given)["provider_a"]

    async def ask() -> tuple[list[bool], float]:
        async def one(row: Row) -> bool:
            prompt = f"{question}\n\nText: {row.response[:800]}\n\nAnswer with one word, yes or no."
            answer = await provider.complete(prompt, time.monotonic() + 60)
            return str(answer.text).strip().lower().startswith("yes")

        await one(rows[0])
        began = time.perf_counter()
        said = [await one(row) for row in rows]
        taken = (time.perf_counter() - began) / len(rows) * 1000
        await slots.close(slots.build(given))
        return said, taken

    try:
        said, taken = asyncio.run(ask())
    except Exception as error:
        return Line(
            task,
            "SmolLM2-135M asked to judge",
            note=f"could not be run here: {type(error).__name__}",
        )
    return Line(task, "SmolLM2-135M asked to judge", len(rows), taken, _agreement(rows, said))


def hateful(path: Path, most: int) -> list[Row]:
    """Return rows of the user's labelled file, a fixed sample."""
    with gzip.open(path) as lines:
        read = [json.loads(line) for line in lines]
    dice = random.Random(1)
    dice.shuffle(read)
    return [
        Row(
            one["prompt"] or "Please say something.",
            one["response"],
            one["labels"]["label_gold"] == "hateful",
        )
        for one in read[:most]
    ]


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--hate",
        type=Path,
        default=os.environ.get("BENCH_HATE"),
        help="a labelled file of hateful and other texts (or BENCH_HATE)",
    )
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--judged", type=int, default=30, help="rows for the language model")
    given = parser.parse_args()
    lines: list[Line] = []
    if given.hate is not None:
        rows = hateful(given.hate, given.rows)
        lines.append(judged("hateful text", "Fair Witness, `respect`", rows, ours("respect")))
        lines.append(in_python("hateful text", "alt-profanity-check", "alt-profanity-check", rows))
        asked = rows[: given.judged]
        with tempfile.TemporaryDirectory(prefix="fairwitness-peers-") as folder:
            lines.append(smollm("hateful text", asked, "Is this text hateful?", Path(folder)))
    rows = [Row("Show the settings.", text, truth) for text, truth in secrets()]
    lines.append(judged("secrets", "Fair Witness, `privacy`", rows, ours("privacy")))
    lines.append(in_python("secrets", "detect-secrets", "detect-secrets", rows))
    rows = [Row(prompt, text, truth) for prompt, text, truth in formats()]
    read = "Fair Witness, instructions read from the prompt"
    lines.append(judged("formats", read, rows, ours("instruction_following")))
    lines.append(promptfoo("formats", rows))
    written = "guardrails-ai, validators written by hand"
    lines.append(in_python("formats", written, "guardrails-ai", rows))
    shown = report.table(
        ["Task", "Tool", "Rows", "ms per text", "Agreement with the labels"],
        [
            [
                one.task,
                one.tool,
                one.rows or "–",
                one.note if one.ms is None else one.ms,
                "–" if one.agreement is None else one.agreement,
            ]
            for one in lines
        ],
    )
    report.keep("peers", shown, {"lines": [vars(one) for one in lines]})


if __name__ == "__main__":
    main()
