"""One review by one person: what is asked next, what was said, and how far everyone is. It knows no screen."""

from __future__ import annotations

import tempfile
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairwitness.batch.rows import BadInput
from fairwitness.contract.evaluation import Evaluation
from fairwitness.review.agreement import agreement
from fairwitness.review.labels import OVERALL, Label, LabelFile, Verdict, now
from fairwitness.review.queue import (
    QUEUE_IN_WORDS,
    SAMPLE_IN_WORDS,
    Place,
    drawn,
    ordered,
    place,
)
from fairwitness.review.results import Part, ResultRow, rows_of

MAX_COLUMN_CHARS = 500


class Item(Struct, frozen=True, rename="camel", kw_only=True):
    """A row as a person is shown it."""

    texts: str
    row: int
    id: str | int
    parts: list[Part]
    evaluation: Evaluation
    columns: dict[str, str]


class Shown(Struct, frozen=True, rename="camel", kw_only=True):
    """An item with what changes while people review: its labels, and how many rows have these texts."""

    item: Item
    alike: int
    others: int
    disagreed: bool
    mine: Label | UnsetType = UNSET


class Reviewer(Struct, frozen=True, rename="camel"):
    """How much one person labelled."""

    name: str
    passed: int
    failed: int
    skipped: int


class State(Struct, frozen=True, rename="camel", kw_only=True):
    """How far the review is."""

    target: str
    reviewer: str
    rows: int
    labelled: int
    left: int
    reviewers: list[Reviewer]
    # Items with two or more verdicts, the share of equal pairs, and Krippendorff's alpha.
    compared: int
    share: float | None
    alpha: float | None
    labels: str
    order: str


@dataclass(frozen=True)
class Scope:
    """Which rows are asked: those that need review, all of them, or so many drawn at random; of one target."""

    target: str = OVERALL
    everything: bool = False
    sample: int | None = None


class ReviewSession:
    """The queue of one reviewer over one results file. Safe to use from several threads."""

    def __init__(self, results: Path, labels: Path, reviewer: str, scope: Scope) -> None:
        """Read the results; raise BadInput where they, or the labels, cannot be read."""
        self.reviewer, self.scope = reviewer, scope
        self._labels = LabelFile(labels)
        self._lock = threading.Lock()
        # Rows lie in a nameless file, so that results may be larger than memory.
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the session
        self._where: dict[str, tuple[int, int]] = {}
        self._alike: Counter[str] = Counter()
        self.queue = self._read(results)

    def _read(self, results: Path) -> list[str]:
        """Keep each row that may be asked, and return their texts in order."""
        texts_of: dict[int, str] = {}
        places: list[Place] = []
        rows = 0
        for row in rows_of(results):
            rows += 1
            texts = row.texts
            self._alike[texts] += 1
            found = self._place(results, row)
            if found is None or self._alike[texts] > 1:
                continue
            if found.needs_review or self.scope.everything or self.scope.sample:
                texts_of[row.number] = texts
                places.append(found)
                self._keep(texts, row)
        if not rows:
            raise BadInput(f"{results}: holds no evaluated row")
        if self.scope.sample is not None:
            return [texts_of[number] for number in drawn(texts_of.items(), self.scope.sample)]
        return [texts_of[one.number] for one in ordered(places)]

    def _place(self, results: Path, row: ResultRow) -> Place | None:
        try:
            return place(row.number, row.evaluation, self.scope.target)
        except KeyError:
            known = ", ".join(item.criterion_id for item in row.evaluation.verdicts)
            fault = f"{results}: has no criterion {self.scope.target!r}; there are {known}"
            raise BadInput(fault) from None

    def _keep(self, texts: str, row: ResultRow) -> None:
        parts = row.parts
        # A column that is one of the texts is shown once.
        shown = {"", *(part.text for part in parts)}
        columns = {name: _brief(raw) for name, raw in row.columns.items()}
        item = Item(
            texts=texts,
            row=row.number,
            id=row.id,
            parts=parts,
            evaluation=row.evaluation,
            columns={name: text for name, text in columns.items() if text not in shown},
        )
        encoded = msgspec.json.encode(item)
        self._where[texts] = (self._spool.tell(), len(encoded))
        self._spool.write(encoded)

    def following(self) -> Shown | None:
        """Return what to ask next, or None where nothing is left."""
        with self._lock:
            self._labels.read()
            left = [texts for texts in self.queue if not self._mine(texts)]
            if not left:
                return None
            disagreed = (texts for texts in left if self._is_disagreed(texts))
            return self._shown(next(disagreed, left[0]))

    def label(self, texts: str, verdict: Verdict, note: str) -> None:
        """Keep a label; when this returns it is on disk. Raise KeyError where no such row is in the queue."""
        with self._lock:
            item = self._item(texts)
            self._labels.append(
                Label(
                    texts=texts,
                    id=item.id,
                    row=item.row,
                    target=self.scope.target,
                    label=verdict,
                    note=note,
                    reviewer=self.reviewer,
                    at=now(),
                )
            )

    def undo(self) -> Shown | None:
        """Take back this reviewer's last label, and return its row to be asked again."""
        with self._lock:
            self._labels.read()
            last = self._labels.last(self.reviewer, self.scope.target)
            if last is None:
                return None
            self._labels.append(msgspec.structs.replace(last, label="undo", note="", at=now()))
            return self._shown(last.texts) if last.texts in self._where else None

    def state(self) -> State:
        """Return how far everyone is."""
        with self._lock:
            self._labels.read()
            given = self._labels.all(self.scope.target)
            counts: dict[str, Counter[str]] = {}
            for labels in given.values():
                for reviewer, label in labels.items():
                    counts.setdefault(reviewer, Counter())[label.label] += 1
            verdicts = [
                {reviewer: label.label for reviewer, label in labels.items()}
                for labels in given.values()
            ]
            found = agreement(verdicts)
            labelled = sum(1 for texts in self.queue if self._mine(texts))
            return State(
                target=self.scope.target,
                reviewer=self.reviewer,
                rows=len(self.queue),
                labelled=labelled,
                left=len(self.queue) - labelled,
                reviewers=[
                    Reviewer(name, count["pass"], count["fail"], count["skip"])
                    for name, count in sorted(counts.items())
                ],
                compared=found.items,
                share=found.share,
                alpha=found.alpha,
                labels=str(self._labels.path),
                order=self.order,
            )

    @property
    def order(self) -> str:
        """How the order is made, in words."""
        return SAMPLE_IN_WORDS if self.scope.sample else QUEUE_IN_WORDS

    def _mine(self, texts: str) -> Label | None:
        return self._labels.of(self.scope.target, texts).get(self.reviewer)

    def _is_disagreed(self, texts: str) -> bool:
        verdicts = {one.label for one in self._labels.of(self.scope.target, texts).values()}
        return {"pass", "fail"} <= verdicts

    def _item(self, texts: str) -> Item:
        offset, length = self._where[texts]
        self._spool.seek(offset)
        return msgspec.json.decode(self._spool.read(length), type=Item)

    def _shown(self, texts: str) -> Shown:
        labels = self._labels.of(self.scope.target, texts)
        mine = labels.pop(self.reviewer, None)
        return Shown(
            item=self._item(texts),
            alike=self._alike[texts],
            others=len(labels),
            disagreed=self._is_disagreed(texts),
            mine=mine or UNSET,
        )


def _brief(raw: msgspec.Raw) -> str:
    """Return a column as text, short; nothing of what is as long as a prompt or a response may be."""
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return ""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_COLUMN_CHARS else ""
