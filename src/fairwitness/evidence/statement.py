"""What the evidence says: an in-toto statement that binds one Arena answer, part by part.

The digests follow one rule over the answer's JSON (`digests`), so that a verifier in any language
computes the same set. It knows nothing of keys and signatures.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from fairwitness.contract.results import (
    INTERPRETATION,
    ArenaRequestEcho,
    ArenaResult,
    CompletedItem,
    FailedItem,
    ProviderError,
    ResultItem,
    Usage,
)
from fairwitness.contract.results_2 import ArenaRequestEcho2, ArenaResult2
from fairwitness.evaluator import Evaluator
from fairwitness.evaluator.version import code_digest, model_digest
from fairwitness.evidence.canonical import canonical, digest
from fairwitness.evidence.verification_report import WHOLE_BODY

STATEMENT_TYPE: Literal["https://in-toto.io/Statement/v1"] = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE: Literal["urn:fairwitness:arena-evidence:1"] = "urn:fairwitness:arena-evidence:1"

Sha256 = Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """The base of all that is signed: nothing beyond its fields."""


class Digest(Part, frozen=True, kw_only=True):
    """A SHA-256 in hex."""

    sha256: Sha256


class Subject(Part, frozen=True, kw_only=True):
    """One part of the answer, by its path, and the digest of its canonical JSON."""

    name: str
    digest: Digest


class ProtocolRef(Part, frozen=True, kw_only=True):
    """The protocol file the responses were judged by."""

    version: str
    digest: Digest


class EvaluatorRef(Part, frozen=True, kw_only=True):
    """The evaluator: its code, and its model file where it has one."""

    version: str
    code: Digest
    model: Digest | None


class Runtime(Part, frozen=True, kw_only=True):
    """What the evaluator ran on, as far as it can move a last bit."""

    python: str
    onnxruntime: str | None
    system: str
    machine: str
    cpu: str
    instruction_sets: list[str]


class CompletedRun(Part, frozen=True, kw_only=True, tag_field="status", tag="completed"):
    """A provider that answered: all its item says save the texts, which the digests bind."""

    provider_id: str
    model: str
    truncated: bool | UnsetType = UNSET
    finish_reason: str
    latency_ms: int
    usage: Usage


class FailedRun(Part, frozen=True, kw_only=True, tag_field="status", tag="failed"):
    """A provider that failed, and why."""

    provider_id: str
    model: str | None
    error: ProviderError
    latency_ms: int
    usage: Usage | UnsetType = UNSET


class Predicate(Part, frozen=True, kw_only=True):
    """The run, readable without the answer at hand."""

    evidence_contract_version: Literal["1.0.0"] = "1.0.0"
    request_id: str
    completed_at: str
    providers: Annotated[
        list[str], Meta(description="The requested order, which is the order of the results.")
    ]
    results: list[CompletedRun | FailedRun]
    protocol: ProtocolRef
    evaluator: EvaluatorRef
    runtime: Runtime
    interpretation: str = INTERPRETATION


class Statement(
    Part, frozen=True, kw_only=True, rename={"type": "_type", "predicate_type": "predicateType"}
):
    """An in-toto statement, version 1."""

    type: Literal["https://in-toto.io/Statement/v1"] = STATEMENT_TYPE
    subject: Annotated[list[Subject], Meta(min_length=1)]
    predicate_type: Literal["urn:fairwitness:arena-evidence:1"] = PREDICATE_TYPE
    predicate: Predicate

    def encode(self) -> bytes:
        """Return the canonical bytes that are signed."""
        return canonical(msgspec.to_builtins(self))


def state(
    result: ArenaResult | ArenaResult2,
    request: ArenaRequestEcho | ArenaRequestEcho2,
    evaluator: Evaluator,
    runtime: Runtime,
) -> Statement:
    """Write the statement about an answer from the very objects that are returned."""
    body = msgspec.to_builtins(result) | {"request": msgspec.to_builtins(request)}
    model = model_digest()
    return Statement(
        subject=[
            Subject(name=name, digest=Digest(sha256=value)) for name, value in digests(body).items()
        ],
        predicate=Predicate(
            request_id=result.request_id,
            completed_at=result.completed_at,
            providers=request.providers,
            results=[_run(item) for item in result.results],
            protocol=ProtocolRef(
                version=result.protocol_version, digest=Digest(sha256=evaluator.protocol.digest)
            ),
            evaluator=EvaluatorRef(
                version=result.evaluator_version,
                code=Digest(sha256=code_digest()),
                model=Digest(sha256=model) if model else None,
            ),
            runtime=runtime,
        ),
    )


def _run(item: ResultItem) -> CompletedRun | FailedRun:
    if isinstance(item, CompletedItem):
        return CompletedRun(
            provider_id=item.provider_id,
            model=item.model,
            truncated=item.truncated,
            finish_reason=item.finish_reason,
            latency_ms=item.latency_ms,
            usage=item.usage,
        )
    assert isinstance(item, FailedItem)
    return FailedRun(
        provider_id=item.provider_id,
        model=item.model,
        error=item.error,
        latency_ms=item.latency_ms,
        usage=item.usage,
    )


def digests(body: dict[str, Any]) -> dict[str, str]:
    """Return the digest of every bound part of an answer (without `evidence`), by its path.

    The whole, each member, each member of `request`, and each result with each of its members.
    """
    found = {WHOLE_BODY: digest(body)}
    for key, value in body.items():
        path = step("", key)
        found[path] = digest(value)
        if key == "request":
            found |= _members(path, value)
        if key == "results" and isinstance(value, list):
            for index, item in enumerate(value):
                found[f"{path}[{index}]"] = digest(item)
                found |= _members(f"{path}[{index}]", item)
    return found


def _members(path: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {step(path, key): digest(member) for key, member in value.items()}


def step(path: str, key: str) -> str:
    """Return the path of a member; a key that is not a plain word is quoted, so paths stay distinct."""
    if key.isascii() and key.isidentifier() and (path or key != WHOLE_BODY):
        return f"{path}.{key}" if path else key
    return f"{path}[{json.dumps(key)}]"
