"""The published run: the result file this version ships with, and the encoder's manifest beside it."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from fairwitness.benchmark.report import BenchmarkReport


@cache
def results() -> BenchmarkReport:
    """Return the run the evaluator card is made from."""
    file = resources.files("fairwitness.benchmark").joinpath("results.json")
    return BenchmarkReport.from_json(file.read_bytes())


@cache
def distances() -> BenchmarkReport:
    """Return the run of `preference_by_distance`, which the Arena's headline rests on."""
    file = resources.files("fairwitness.benchmark").joinpath("preference_by_distance.json")
    return BenchmarkReport.from_json(file.read_bytes())


@cache
def manifest() -> dict[str, Any]:
    """Return what the shipped encoder says of itself."""
    file = resources.files("fairwitness.evaluator").joinpath("model", "manifest.json")
    content: dict[str, Any] = json.loads(file.read_bytes())
    return content
