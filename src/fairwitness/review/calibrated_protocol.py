"""Writes fitted thresholds as a protocol file that extends the one the results were made by."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from fairwitness.evaluator.protocol import Protocol
from fairwitness.evaluator.protocol_chain import SHIPPED_NAME, shipped_file
from fairwitness.review.calibration import Fit
from fairwitness.review.labels import OVERALL


def protocol_text(base: Protocol, fits: Sequence[Fit], labels: bytes, output: Path) -> str:
    """Return the file's text: the thresholds that are better, with the figures they were chosen by."""
    version = base.version.partition("+")[0]
    digest = hashlib.sha256(labels).hexdigest()
    lines = [
        "# Thresholds fitted to labels by `fairwitness calibrate`. Everything else is as in the file it extends.",
        f"# SHA-256 of the labels: {digest}",
        "",
        f"name = {_text(_name(base.name))}",
        f"version = {_text(f'{version[:150]}+labels.{digest[:12]}')}",
        f"extends = {_text(_extended(base, output))}",
    ]
    for one in fits:
        table = "[overall]" if one.target == OVERALL else f"[criteria.{one.target}]"
        before, after = one.figures_before, one.figures_held_out
        lines += [
            "",
            f"# {one.passed} rows labelled pass, {one.failed} fail. On held-out rows {after.decided:.0f} are decided,",
            f"# {after.wrong_passes + after.wrong_fails:.1f} of them wrongly; before {before.decided:.0f}, "
            f"{before.wrong_passes + before.wrong_fails:.0f} wrongly.",
            table,
            f"fail_below = {one.fitted.fail_below:.1f}",
            f"pass_from = {one.fitted.pass_from:.1f}",
        ]
    return "\n".join([*lines, ""])


def _name(name: str) -> str:
    return name if name.endswith("-calibrated") else f"{name[:180]}-calibrated"


def _extended(base: Protocol, output: Path) -> str:
    if base.source == shipped_file().source:
        return SHIPPED_NAME
    return os.path.relpath(base.path, output.parent)


def _text(value: str) -> str:
    # A JSON string is a TOML basic string as well.
    return msgspec.json.encode(value).decode()
