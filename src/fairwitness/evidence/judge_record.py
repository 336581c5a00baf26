"""Signs the record of a judged evaluation with the key of Arena evidence, and checks such a signature.

The envelope is DSSE over an in-toto statement, as for the Arena; its one subject is the record's SHA-256.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from fairwitness.contract.envelope import EvidenceEnvelope
from fairwitness.contract.judge_record import JudgeRecord
from fairwitness.evidence.canonical import canonical
from fairwitness.evidence.envelope import PublicKey, Signer, open_envelope
from fairwitness.evidence.statement import STATEMENT_TYPE

PREDICATE_TYPE = "urn:fairwitness:judge-record:1"


def seal_record(record: JudgeRecord, signer: Signer) -> EvidenceEnvelope:
    """Return the signed envelope of a record."""
    return signer.seal(canonical(_statement(record, record.digest())))


def signature_faults(content: bytes, envelope: Any, keys: Sequence[PublicKey]) -> list[str]:
    """Return what is wrong with the signature of a record's bytes; none where a trusted key signed just these."""
    opened = open_envelope(envelope, keys)
    if opened.unknown_signer:
        return ["signature: unknown signer; this key is not in your trusted keys"]
    faults = [f"signature: {place}: {fault}" for place, fault in opened.faults]
    if faults or opened.payload is None:
        return faults or ["signature: has no payload"]
    record = msgspec.json.decode(content, type=JudgeRecord)
    digest = hashlib.sha256(content.rstrip(b"\n")).hexdigest()
    if opened.payload != canonical(_statement(record, digest)):
        return ["signature: is of another record"]
    return []


def _statement(record: JudgeRecord, digest: str) -> dict[str, Any]:
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": "record", "digest": {"sha256": digest}}],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "protocol": {
                "name": record.protocol_name,
                "version": record.protocol_version,
                "digest": {"sha256": record.protocol_digest},
            },
            "evaluatorVersion": record.evaluator_version,
        },
    }
