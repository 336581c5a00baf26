"""The measure of privacy counts what overlaps a label of the same kind, on the held-out half only."""

from __future__ import annotations

from typing import Any

from fairwitness.benchmark import privacy


def row(text: str, value: str, kind: str) -> dict[str, Any]:
    start = text.index(value)
    span = {"type": kind, "value": value, "start": start, "end": start + len(value)}
    return {"source": "made here", "prompt": None, "response": text, "labels": {"spans": [span]}}


def rows(count: int) -> list[dict[str, Any]]:
    return [
        row(f"Case {n}: ask k.oduya{n}@posteo.de.", f"k.oduya{n}@posteo.de", "EMAIL_ADDRESS")
        for n in range(count)
    ]


def test_only_the_held_out_half_is_measured() -> None:
    held = privacy.held_out(rows(200))
    assert 60 < len(held) < 140
    assert privacy.measure(rows(200))["recall, email"].count == len(held)


def test_right_findings_and_missed_labels_are_counted() -> None:
    missed = [row(f"Case {n}: ask Kofi.", "Kofi", "EMAIL_ADDRESS") for n in range(200)]
    figures = privacy.measure(rows(200) + missed)
    assert figures["precision, email"].value == 1.0
    assert 0.35 < figures["recall, email"].value < 0.65
    assert (
        figures["recall, email"].low
        < figures["recall, email"].value
        < figures["recall, email"].high
    )


def test_a_finding_on_another_kinds_label_is_wrong() -> None:
    wrong = [
        row(f"Ask k.oduya{n}@posteo.de.", f"k.oduya{n}@posteo.de", "PERSON") for n in range(50)
    ]
    assert privacy.measure(wrong)["precision, email"].value == 0.0
