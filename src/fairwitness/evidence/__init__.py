"""Evidence: builds, signs and verifies the artifact that binds an Arena answer to its run."""

from __future__ import annotations

import msgspec

from fairwitness.contract.results import ArenaEvidenceResult, ArenaRequestEcho, ArenaResult
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import runtime
from fairwitness.evidence.canonical import canonical
from fairwitness.evidence.envelope import Signer
from fairwitness.evidence.keys import Keyring
from fairwitness.evidence.statement import state

__all__ = ["Keyring", "Signer", "as_sent", "witness"]


def witness(
    result: ArenaResult, request: ArenaRequestEcho, evaluator: Evaluator, signer: Signer
) -> ArenaEvidenceResult:
    """Return the Arena answer with its signed evidence, made of the very objects it is given.

    Raises ValueError where a number in the answer has no canonical form.
    """
    statement = state(result, request, evaluator, runtime.describe())
    envelope = signer.seal(statement.encode())
    fields = {name: getattr(result, name) for name in ArenaResult.__struct_fields__}
    return ArenaEvidenceResult(**fields, request=request, evidence=envelope)


def as_sent(answer: ArenaEvidenceResult) -> bytes:
    """Return the answer's bytes: canonical JSON, in which each number has one spelling to be held to."""
    return canonical(msgspec.to_builtins(answer))
