"""Names the evaluator: the digest of its code and of its model, so that two answers can be compared."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from fairwitness import __version__
from fairwitness.evaluator import confidence


@cache
def code_digest() -> str:
    """Return SHA-256 over the evaluator's source files and its table of confidences, by name and content."""
    digest = hashlib.sha256()
    for name, content in sorted(_sources(resources.files("fairwitness.evaluator"), "")):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


@cache
def model_digest() -> str | None:
    """Return SHA-256 over the names and digests of the model's files, or None where no model is shipped."""
    manifest = resources.files("fairwitness.evaluator").joinpath("model", "manifest.json")
    if not manifest.is_file():
        return None
    files = json.loads(manifest.read_bytes())["files"]
    named = "".join(f"{name} {files[name]['sha256']}\n" for name in sorted(files))
    return hashlib.sha256(named.encode()).hexdigest()


@cache
def evaluator_version(*packages: str) -> str:
    """Return the public version string; packages that added criteria are named in it."""
    model = model_digest()
    parts = [f"code.{code_digest()[:12]}", *([f"model.{model[:12]}"] if model else []), *packages]
    return f"{__version__}+{'.'.join(parts)}"


def _sources(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        name = f"{prefix}{entry.name}"
        if entry.is_dir():
            found.extend(_sources(entry, f"{name}/"))
        elif entry.name.endswith(".py") or entry.name == confidence.TABLE:
            found.append((name, entry.read_bytes()))
    return found
