"""Brings labels and results together: each labelled row with its score, by target, and the protocol they were made by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from fairwitness.batch.rows import BadInput
from fairwitness.contract.evaluation import Evaluation
from fairwitness.evaluator import Evaluator
from fairwitness.review.calibration import Labelled
from fairwitness.review.labels import OVERALL, LabelFile
from fairwitness.review.results import ResultRow, rows_of


@dataclass
class LabelledRows:
    """The rows people decided on, and what was left out."""

    # By target: each labelled row, and whether people passed it.
    decided: dict[str, list[tuple[ResultRow, bool]]] = field(default_factory=dict)
    ties: int = 0
    unknown: int = 0


def labelled_rows(results: Path, labels: Path, evaluator: Evaluator) -> LabelledRows:
    """Match labels with the results of an evaluator; raise BadInput where these are of another."""
    if not labels.is_file():
        raise BadInput(f"{labels}: no such file")
    file = LabelFile(labels)
    wanted = {target: file.all(target) for target in file.targets()}
    known = {OVERALL, *(spec.id for spec in evaluator.protocol.criteria)}
    for target in wanted:
        if target not in known:
            raise BadInput(
                f"{labels}: labels the criterion {target!r}, which is not in the protocol"
            )
    found = LabelledRows({target: [] for target in wanted})
    seen: set[str] = set()
    for row in rows_of(results):
        _check_origin(results, row, evaluator)
        texts = row.texts
        if texts in seen:
            continue
        seen.add(texts)
        for target, given in wanted.items():
            if texts in given:
                _add(found, target, row, [label.label for label in given[texts].values()])
    found.unknown = len({texts for given in wanted.values() for texts in given} - seen)
    return found


def in_scores(rows: Iterable[tuple[ResultRow, bool]], target: str) -> list[Labelled]:
    """Return labelled rows as scores of one target; rows it does not apply to are left out."""
    return [
        one
        for row, passed in rows
        if (one := _labelled(row.evaluation, target, passed)) is not None
    ]


def _check_origin(results: Path, row: ResultRow, evaluator: Evaluator) -> None:
    version = row.made_by.evaluator_version
    if row.made_by.protocol_digest != evaluator.protocol.digest:
        raise BadInput(
            f"{results}: was made by another protocol than {evaluator.protocol.path};"
            " give the one it was made by with --protocol"
        )
    if version != evaluator.version:
        raise BadInput(
            f"{results}: was made by evaluator {version}, this is {evaluator.version};"
            " evaluate again with `fairwitness batch`: labels stay valid"
        )


def _add(found: LabelledRows, target: str, row: ResultRow, given: list[str]) -> None:
    counts = Counter(given)
    if counts["pass"] == counts["fail"]:
        found.ties += counts["pass"] > 0
        return
    found.decided[target].append((row, counts["pass"] > counts["fail"]))


def _labelled(evaluation: Evaluation, target: str, passed: bool) -> Labelled | None:
    if target == OVERALL:
        # A criterion that failed, or is a reason for review, keeps the response from passing at any score.
        held = any(item.verdict == "fail" for item in evaluation.verdicts) or any(
            detail.criterion_id for detail in evaluation.reason_details
        )
        return Labelled(evaluation.overall_score, passed, held)
    item = evaluation[target]
    failed = any(
        detail.code == "criterion_failed" and detail.criterion_id == target
        for detail in evaluation.reason_details
    )
    if item.score is None or failed:
        return None
    held = any(
        detail.criterion_id == target and detail.code not in {"near_threshold", "low_confidence"}
        for detail in evaluation.reason_details
    )
    return Labelled(item.score, passed, held)
