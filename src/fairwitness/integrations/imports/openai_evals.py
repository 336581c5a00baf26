"""Graders of an OpenAI eval as checks: comparisons of text; what asks a model or runs code is listed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import re2

from fairwitness.contract.errors import InvalidRequest
from fairwitness.integrations.imports import Imported, document, has_template

_OUTPUT = "{{sample.output_text}}"
_JUDGED = "a model grades it; write its question as a judged criterion, see /docs/judges"
WHY_NOT = {
    "score_model": _JUDGED,
    "label_model": _JUDGED,
    "text_similarity": "another measure of likeness; the nearest check is close_to_reference, which compares words",
    "python": "it is code; a criterion in Python can be a package, see /docs/criteria-packages",
    "multi": "it calculates with the scores of other graders",
    "endpoint": "it asks a service of its own",
}


def read(path: Path) -> Imported:
    """Read an eval as the API returns it; raise InvalidRequest where it has no testing criteria."""
    eval_ = document(path)
    graders = eval_.get("testing_criteria")
    if not isinstance(graders, list):
        raise InvalidRequest(
            details=[
                f"{path}: no OpenAI eval: no list testing_criteria. It is what GET /v1/evals/ID returns"
            ]
        )
    imported = Imported(str(eval_.get("name") or path.stem))
    for at, grader in enumerate(graders):
        place = f"testing_criteria[{at}]"
        if not isinstance(grader, dict) or not isinstance(grader.get("type"), str):
            imported.leave(place, "no grader with a type")
        elif grader["type"] == "string_check":
            _string_check(grader, place, imported)
        else:
            why = WHY_NOT.get(grader["type"], "no check does this")
            imported.leave(place, f"{grader['type']}: {why}")
    imported.note(
        "Judge rows with: fairwitness batch data.jsonl --response sample.output_text --prompt item.COLUMN"
    )
    return imported


def _string_check(grader: dict[str, Any], place: str, imported: Imported) -> None:
    operation, reference = grader.get("operation"), grader.get("reference")
    given = str(grader.get("input", "")).replace(" ", "")
    name = str(grader.get("name") or operation)
    if given != _OUTPUT:
        imported.leave(place, f"string_check: it compares something else than {_OUTPUT}")
    elif not isinstance(reference, str):
        imported.leave(place, "string_check: it has no reference")
    elif has_template(reference):
        column = reference.strip().removeprefix("{{").removesuffix("}}").strip()
        if operation == "eq" and column.startswith("item.") and "{" not in column:
            imported.take(
                place, "equals_reference", f"{name}: not the expected answer.", ignore_case=False
            )
            imported.note(f"Give the expected answers with --reference {column}")
        else:
            imported.leave(place, f"string_check {operation}: each row has another text to find")
    elif operation in {"eq", "ne"}:
        kind = "matches" if operation == "eq" else "not_matches"
        pattern = rf"\A{re2.escape(reference)}\z"
        imported.take(place, kind, f"{name}: {operation} {reference}", pattern=pattern)
    elif operation in {"like", "ilike"}:
        imported.take(
            place,
            "contains",
            f"{name}: does not contain {reference}",
            values=[reference],
            ignore_case=operation == "ilike",
        )
    else:
        imported.leave(place, "string_check: its operation is not known")
