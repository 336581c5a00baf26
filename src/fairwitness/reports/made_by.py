"""What made an evaluation: the protocol, by its version and digest, and the evaluator; every report carries it."""

from __future__ import annotations

from fairwitness.contract.evaluation import Result
from fairwitness.evaluator import Evaluator


class MadeBy(Result, frozen=True, kw_only=True):
    """It stands beside an evaluation, never inside; empty where a results file does not say."""

    protocol_version: str = ""
    evaluator_version: str = ""
    protocol_digest: str = ""

    @classmethod
    def of(cls, evaluator: Evaluator) -> MadeBy:
        """Return what an evaluator signs its evaluations with."""
        protocol = evaluator.protocol
        return cls(
            protocol_version=protocol.version,
            evaluator_version=evaluator.version,
            protocol_digest=protocol.digest,
        )

    def in_words(self) -> str:
        """Return it as people read it."""
        return f"Protocol {self.protocol_version}, SHA-256 {self.protocol_digest}, evaluator {self.evaluator_version}."
