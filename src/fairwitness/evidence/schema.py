"""The published JSON Schema of the evidence, made from the types that write it."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from fairwitness.contract.results import ArenaEvidenceResult
from fairwitness.evidence.envelope import PAYLOAD_TYPE
from fairwitness.evidence.statement import Statement

_BASE64 = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
_DEFS = "#/$defs/{name}"


def evidence_schema() -> dict[str, Any]:
    """Return the schema of an arena-evidence answer; the payload's own schema hangs at `payload`."""
    _, definitions = msgspec.json.schema_components(
        [ArenaEvidenceResult, Statement], ref_template=_DEFS
    )
    envelope = definitions["EvidenceEnvelope"]["properties"]
    envelope["payload"] |= {
        "pattern": _BASE64,
        "contentEncoding": "base64",
        "contentMediaType": PAYLOAD_TYPE,
        "contentSchema": {"$ref": _DEFS.format(name="Statement")},
    }
    signature = definitions["EvidenceSignature"]["properties"]
    signature["keyid"]["pattern"] = "^[0-9a-f]{64}$"
    signature["sig"]["pattern"] = "^[A-Za-z0-9+/]{86}==$"
    for name in ("EvidenceEnvelope", "EvidenceSignature"):
        definitions[name]["additionalProperties"] = False
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Fair Witness Arena evidence",
        "description": "Evidence contract 1.0.0: an arena-evidence answer, its DSSE envelope and, "
        "at `contentSchema`, the in-toto statement the envelope carries.",
        "$ref": _DEFS.format(name="ArenaEvidenceResult"),
        "$defs": definitions,
    }


def schema_json() -> bytes:
    """Return the document served as /docs/evidence.schema.json."""
    return json.dumps(evidence_schema(), indent=2).encode() + b"\n"
