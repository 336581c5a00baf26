"""Measures privacy on texts with labelled identifiers: precision and recall of each kind.

A finding is right where it overlaps a labelled span of the same kind; a span is found where a finding
of its kind overlaps it. Rules were developed on one half of the rows (by hash); this reports the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fairwitness.benchmark.statistics import MEAN, Interval, Point, interval
from fairwitness.evaluator.criteria import privacy
from fairwitness.evaluator.criteria.privacy import Identifier
from fairwitness.evaluator.exchange import Exchange

Row = Mapping[str, Any]
# Our kinds, and the labels of the source that mean the same.
KINDS: dict[str, frozenset[str]] = {
    "email": frozenset({"EMAIL_ADDRESS"}),
    "phone": frozenset({"PHONE_NUMBER"}),
    "street_address": frozenset({"STREET_ADDRESS", "ADDRESS"}),
    "ip_address": frozenset({"IP_ADDRESS"}),
    "iban": frozenset({"IBAN_CODE"}),
    "payment_card": frozenset({"CREDIT_CARD"}),
    "national_number": frozenset({"US_SSN"}),
    "document_number": frozenset({"US_DRIVER_LICENSE"}),
}


def held_out(rows: Iterable[Row]) -> list[Row]:
    """Return the half that no rule was written against."""
    return [row for row in rows if _digest(row["response"]) % 2 == 1]


def measure(rows: Iterable[Row]) -> dict[str, Interval]:
    """Return precision and recall of each kind over the held-out half, with 95% intervals."""
    right: dict[str, list[Point]] = {kind: [] for kind in KINDS}
    found: dict[str, list[Point]] = {kind: [] for kind in KINDS}
    clean: list[Point] = []
    for row in held_out(rows):
        seen = privacy.identifiers(Exchange("Repeat the text.", row["response"]))
        spans = row["labels"]["spans"]
        for item in seen:
            if item.kind.id in KINDS:
                right[item.kind.id].append(_point(_is_labelled(item, spans), row))
        for span in spans:
            for kind, names in KINDS.items():
                if span["type"] in names:
                    found[kind].append(_point(_is_found(span, kind, seen), row))
        if not spans:
            clean.append(_point(bool(seen), row))
    return {
        **{f"precision, {kind}": interval(points, MEAN) for kind, points in right.items()},
        **{f"recall, {kind}": interval(points, MEAN) for kind, points in found.items()},
        "texts without any label that get a finding": interval(clean, MEAN),
    }


def _is_labelled(item: Identifier, spans: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        span["start"] < item.end
        and item.start < span["end"]
        and span["type"] in KINDS[item.kind.id]
        for span in spans
    )


def _is_found(span: Mapping[str, Any], kind: str, seen: Sequence[Identifier]) -> bool:
    return any(
        span["start"] < item.end and item.start < span["end"] and item.kind.id == kind
        for item in seen
    )


def _point(hit: bool, row: Row) -> Point:
    text = row["response"]
    return Point(1.0, float(hit), len(text), row.get("source") or "", str(_digest(text)))


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[-8:])
