"""What contract 2 answers with."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from fairwitness.contract.conversation import Message
from fairwitness.contract.envelope import EvidenceEnvelope
from fairwitness.contract.evaluation import Coverage, Result, StampedEvaluation
from fairwitness.contract.judge_record import JudgeRecord
from fairwitness.contract.results import ArenaSummary, ResultItem, Timestamp

Scope = Literal["response_text_only", "response_text_and_context"]
ProtocolDigest = Annotated[
    str,
    Meta(
        description="SHA-256 of the protocol file, or of the files it extends; see /docs/protocols.json."
    ),
]


class EvaluateResult2(Result, frozen=True, kw_only=True):
    """200 of /api/v2/evaluate-response."""

    contract_version: Literal["2.0.0-alpha.1"] = "2.0.0-alpha.1"
    request_id: str
    completed_at: Timestamp
    protocol: Annotated[str, Meta(description="The name of the protocol.")]
    protocol_version: str
    protocol_digest: ProtocolDigest
    evaluator_version: str
    evaluation_scope: Annotated[
        Scope,
        Meta(
            description="response_text_and_context where context, earlier messages or a reference were given."
        ),
    ]
    coverage: Coverage
    evaluation: StampedEvaluation
    judge_record: Annotated[
        JudgeRecord | UnsetType,
        Meta(
            description="Of a protocol that asks models: every question and answer, to replay it."
        ),
    ] = UNSET


class ArenaRequestEcho2(Result, frozen=True, kw_only=True):
    """The request an evidence artifact speaks of."""

    contract_version: Literal["2.0.0-alpha.1"] = "2.0.0-alpha.1"
    prompt: str | UnsetType = UNSET
    messages: list[Message] | UnsetType = UNSET
    providers: list[str]
    system: str | UnsetType = UNSET
    temperature: float | UnsetType = UNSET


class ArenaResult2(Result, frozen=True, kw_only=True):
    """200 of /api/v2/arena; with ?evidence=true the request and the signed envelope as well."""

    contract_version: Literal["2.0.0-alpha.1"] = "2.0.0-alpha.1"
    request_id: str
    completed_at: Timestamp
    protocol: Annotated[str, Meta(description="The name of the protocol.")]
    protocol_version: str
    protocol_digest: ProtocolDigest
    evaluator_version: str
    results: list[ResultItem]
    summary: ArenaSummary
    request: ArenaRequestEcho2 | UnsetType = UNSET
    evidence: EvidenceEnvelope | UnsetType = UNSET
