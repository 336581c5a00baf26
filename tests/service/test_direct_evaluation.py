"""What the service adds to an evaluation: an id, and nothing else changes."""

from __future__ import annotations

import msgspec

from fairwitness.contract.evaluation import Evaluation
from fairwitness.service.direct_evaluation import stamped


def test_a_stamped_evaluation_holds_every_field_and_an_id() -> None:
    marks = {name: object() for name in Evaluation.__struct_fields__}
    held = msgspec.structs.asdict(stamped(Evaluation(**marks)))  # type: ignore[arg-type]
    assert held.pop("evaluation_id")
    assert held == marks
