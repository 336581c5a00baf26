"""Measures the shipped evaluator on labelled sets the user has, beside what others published on the same rows."""

from fairwitness.benchmark.report import BenchmarkReport
from fairwitness.benchmark.rows import BadData
from fairwitness.benchmark.runner import run
from fairwitness.benchmark.terminal_table import render

__all__ = ["BadData", "BenchmarkReport", "render", "run"]
