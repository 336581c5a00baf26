"""Writes sbom.json: a CycloneDX list of every locked package, its hashes and its licence.

    python -m supply_chain.sbom [--check] [--output sbom.json]

Versions, hashes and markers come from requirements.lock, licences from the packages installed here. A package whose
marker keeps it off this platform is listed with that marker in place of a licence: it is not installed here, so its
own metadata cannot be read. `--check` fails where a package that belongs here names no licence.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import uuid
from email.message import Message
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any, NamedTuple, cast

from packaging.markers import Marker

ROOT = Path(__file__).parents[1]


class Locked(NamedTuple):
    """One package of the lock; its marker is empty where it is wanted everywhere."""

    name: str
    release: str
    marker: str
    hashes: list[str]

    @property
    def elsewhere(self) -> bool:
        """Whether its marker keeps it off this platform."""
        return bool(self.marker) and not Marker(self.marker).evaluate()


def locked() -> list[Locked]:
    """Return every package of the lock."""
    found = []
    for entry in re.split(r"\n(?=\S)", (ROOT / "requirements.lock").read_text().strip()):
        match = re.match(r"([\w.-]+)==([\w.!+-]+)(?:\s*;\s*([^\\\n]+))?", entry)
        assert match is not None, entry[:60]
        hashes = re.findall(r"sha256:([0-9a-f]{64})", entry)
        found.append(Locked(match[1], match[2], (match[3] or "").strip(), hashes))
    return found


def licence(name: str) -> str:
    """Return a package's licence as it states it, empty where it is not installed or says nothing."""
    try:
        told = cast(Message, distribution(name).metadata)
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


def component(one: Locked) -> dict[str, Any]:
    """Return one package as CycloneDX says it."""
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"pkg:pypi/{one.name}@{one.release}",
        "name": one.name,
        "version": one.release,
        "purl": f"pkg:pypi/{one.name}@{one.release}",
        "hashes": [{"alg": "SHA-256", "content": digest} for digest in one.hashes],
    }
    if named := licence(one.name):
        found["licenses"] = [{"license": {"name": named}}]
    if one.elsewhere:
        found["scope"] = "excluded"
    if one.marker:
        found["properties"] = [{"name": "fairwitness:marker", "value": one.marker}]
    return found


def bom() -> dict[str, Any]:
    """Return the whole list; the same lock gives the same serial number."""
    components = [component(one) for one in locked()]
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
    unnamed, elsewhere = [], []
    for one in whole["components"]:
        if "licenses" in one:
            said = one["licenses"][0]["license"]["name"]
        elif one.get("scope") == "excluded":
            said = f"not installed: locked for {one['properties'][0]['value']} only"
            elsewhere.append(one["name"])
        else:
            said = "no licence stated"
            unnamed.append(one["name"])
        print(f"{one['name']} {one['version']}: {said}")
    print(
        f"{len(whole['components'])} packages in {given.output}; without a licence: {', '.join(unnamed) or 'none'}; "
        f"for other platforms, not installed here: {', '.join(elsewhere) or 'none'}"
    )
    return 1 if given.check and unnamed else 0


if __name__ == "__main__":
    sys.exit(main())
