"""Evidence: builds, signs and verifies the artifact that binds an Arena answer to its run."""

from __future__ import annotations

import msgspec

from fairwitness.contract.evaluation import Result
from fairwitness.contract.results import ArenaEvidenceResult, ArenaRequestEcho, ArenaResult
from fairwitness.contract.results_2 import ArenaRequestEcho2, ArenaResult2
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import runtime
from fairwitness.evidence.canonical import canonical
from fairwitness.evidence.envelope import Signer
from fairwitness.evidence.keys import Keyring
from fairwitness.evidence.statement import state

__all__ = ["Keyring", "Signer", "as_sent", "witness", "witness_2"]


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


def witness_2(
    result: ArenaResult2, request: ArenaRequestEcho2, evaluator: Evaluator, signer: Signer
) -> ArenaResult2:
    """Do the same with an Arena answer of contract 2."""
    statement = state(result, request, evaluator, runtime.describe())
    envelope = signer.seal(statement.encode())
    return msgspec.structs.replace(result, request=request, evidence=envelope)


def as_sent(answer: Result) -> bytes:
    """Return a signed answer's bytes: canonical JSON, in which each number has one spelling to be held to."""
    return canonical(msgspec.to_builtins(answer))
