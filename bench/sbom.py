"""Writes sbom.json: a CycloneDX list of every locked package, its hashes and its licence.

    python -m bench.sbom [--check] [--output sbom.json]

Versions and hashes come from requirements.lock, licences from the packages installed here. `--check` fails where a
package has no licence that can be named.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import uuid
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def locked() -> list[tuple[str, str, list[str]]]:
    """Return name, version and hashes of every package of the lock."""
    found = []
    for entry in re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text().strip()):
        match = re.match(r"([\w.-]+)==([\w.!+-]+)", entry)
        assert match is not None, entry[:60]
        found.append((match[1], match[2], re.findall(r"sha256:([0-9a-f]{64})", entry)))
    return found


def licence(name: str) -> str:
    """Return a package's licence as it states it, empty where it is not installed or says nothing."""
    try:
        told = distribution(name).metadata
    except PackageNotFoundError:
        return ""
    stated = told.get("License-Expression") or ""
    named = [
        line.rpartition(" :: ")[2]
        for line in told.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    short = (told.get("License") or "").strip().partition("\n")[0]
    return stated or " and ".join(named) or (short if len(short) < 60 else "")


def component(name: str, release: str, hashes: list[str]) -> dict[str, Any]:
    """Return one package as CycloneDX says it."""
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name}@{release}",
        "name": name,
        "version": release,
        "purl": f"pkg:pypi/{name}@{release}",
        "hashes": [{"alg": "SHA-256", "content": one} for one in hashes],
    }
    if named := licence(name):
        found["licenses"] = [{"license": {"name": named}}]
    return found


def bom() -> dict[str, Any]:
    """Return the whole list; the same lock gives the same serial number."""
    components = [component(*one) for one in locked()]
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "fairwitness",
                "name": "fairwitness",
                "version": version("fairwitness") if _installed() else "0.1.0",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
    }


def _installed() -> bool:
    try:
        distribution("fairwitness")
    except PackageNotFoundError:
        return False
    return True


def main() -> int:
    """Write the list and print the licences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--output", type=Path, default=ROOT / "test-output" / "sbom.json")
    given = parser.parse_args()
    whole = bom()
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(json.dumps(whole, indent=2) + "\n")
    unnamed = []
    for one in whole["components"]:
        named = one["licenses"][0]["license"]["name"] if "licenses" in one else ""
        print(
            f"{one['name']} {one['version']}: {named or 'not installed here, or no licence stated'}"
        )
        unnamed += [] if named else [one["name"]]
    print(
        f"{len(whole['components'])} packages in {given.output}; without a licence: {', '.join(unnamed) or 'none'}"
    )
    return 1 if given.check and unnamed else 0


if __name__ == "__main__":
    sys.exit(main())
