"""One run: takes up what an earlier run left, judges the rest in order, and tells of each result.

A row whose result is on disk is never judged again. Every result that is found there is held against its row
of the input first, so an input that changed is noticed at the row that did.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, Raw

from fairwitness.batch.columns import ID, Columns, choose, unread_reference
from fairwitness.batch.executor import Executor, executor_of
from fairwitness.batch.parquet_results import write_parquet
from fairwitness.batch.results import Origin, ResultsFile
from fairwitness.batch.rows import BadInput, BadRow, Row, RowFault, Texts
from fairwitness.batch.saved_results import read_results
from fairwitness.batch.sources import Input, is_parquet
from fairwitness.batch.tally import ResultLine, Tally, read_line
from fairwitness.evaluator import Evaluator
from fairwitness.extras import require_extra
from fairwitness.reports.made_by import MadeBy

# Columns are recognised in the first row that can be read, among so many.
_LOOKED_AT = 100


@dataclass(frozen=True)
class Task:
    """One row on its way: what its result begins with, its texts, or why it has none."""

    row: Row
    beginning: bytes
    texts: Texts | None
    fault: str | None
    # What tells the same texts again, where they are to be judged once.
    key: bytes | None


@dataclass(frozen=True)
class Event:
    """One result that is on disk: new, or found there."""

    row: Row
    result: ResultLine
    is_new: bool


def _unwatched(event: Event) -> None:
    pass


@dataclass
class BatchRun:
    """A run of one input into one results file."""

    input: Input
    output: Path
    evaluator: Evaluator
    asked: Columns = Columns()  # noqa: RUF009 - frozen
    workers: int = 1
    # Makes what judges: processes of this machine, unless told otherwise.
    start: Callable[[Evaluator, int], Executor] = executor_of
    on_error: Literal["stop", "skip"] = "stop"
    dedupe: bool = False
    overwrite: bool = False
    on_result: Callable[[Event], None] = _unwatched
    on_columns: Callable[[Columns, str, str | None], None] = lambda *told: None

    def __post_init__(self) -> None:
        """Begin with nothing counted."""
        self.tally = Tally()
        self._columns = self.asked
        self._ending = msgspec.json.encode(MadeBy.of(self.evaluator))[1:]
        # Where the result of texts lies that were judged: offset and length of its line.
        self._known: dict[bytes, tuple[int, int]] = {}
        self._given: set[bytes] = set()

    def run(self) -> Tally:
        """Judge every row that has no result yet; raise BadInput where that cannot be."""
        rows = self.input.rows()
        ahead: list[Row] = []
        for row in islice(rows, _LOOKED_AT):
            ahead.append(row)
            if not row.fault or self.on_error == "stop":
                break
        if not ahead:
            raise BadInput("the input holds no row")
        if ahead[0].fault and self.on_error == "stop":
            raise BadInput(f"{ahead[0].place}: {ahead[0].fault}")
        self._columns, recognised = choose(self.asked, ahead[-1], self._reads())
        unread = unread_reference(self._columns, ahead[-1], self._reads())
        self.on_columns(self._columns, recognised, unread)
        if is_parquet(self.output):
            require_extra("batch", f"{self.output}: writing Parquet")
        with ResultsFile(self.output, self._origin(), overwrite=self.overwrite) as results:
            tasks = map(self._task, chain(ahead, rows))
            if results.is_finished:
                self._count_again(tasks)
            else:
                self._go(results, tasks)
            if results.lines_path != results.path and not results.is_finished:
                results.flush()
                write_parquet(results.lines_path, results.path)
        if not self.tally.judged:
            raise BadInput(f"none of {self.tally.errors:,} rows could be judged; see {self.output}")
        return self.tally

    def _go(self, results: ResultsFile, tasks: Iterator[Task]) -> None:
        self._take_up(results, tasks)
        following = next(tasks, None)
        if following is None:
            return  # all is done: no worker is started
        with self.start(self.evaluator, self.workers) as executor:
            asked = ((task, self._to_judge(task)) for task in chain([following], tasks))
            for task, answer in executor.ordered(asked):
                line = self._line(task, answer, results)
                self._note(task, results.append(line), line, is_new=True)

    def _reads(self) -> set[str]:
        """Return what the protocol's criteria read beside the prompt and the response."""
        return {part for criterion in self.evaluator.criteria.values() for part in criterion.reads}

    def _origin(self) -> Origin:
        return Origin(
            input=self.input.digests(),
            columns=asdict(self._columns),
            protocol_digest=self.evaluator.protocol.digest,
            evaluator_version=self.evaluator.version,
        )

    def _take_up(self, results: ResultsFile, tasks: Iterator[Task]) -> None:
        """Count what is on disk; raise BadInput where it does not belong to the input."""
        for number, (offset, line) in enumerate(results.lines(), 1):
            task = next(tasks, None)
            if task is None or not line.startswith(task.beginning):
                raise self._not_of_its_row(number)
            self._note(task, offset, line, is_new=False)

    def _count_again(self, tasks: Iterator[Task]) -> None:
        """Count Parquet that is whole; raise BadInput where it does not belong to the input."""
        for found in read_results(self.output):
            task = next(tasks, None)
            if task is None or (task.fault is None and self._columns.id_of(task.row) != found.id):
                raise self._not_of_its_row(found.number)
            result = ResultLine(
                id=found.id, evaluation=found.evaluation or UNSET, error=found.error or UNSET
            )
            self.tally.add(result)
            self.on_result(Event(task.row, result, is_new=False))
        if next(tasks, None) is not None:
            raise self._not_of_its_row(self.tally.rows + 1)

    def _not_of_its_row(self, number: int) -> BadInput:
        return BadInput(
            f"{self.output}:{number}: is not the result of row {number} of the input;"
            " choose another name with -o, or give --overwrite"
        )

    def _task(self, row: Row) -> Task:
        fault, texts, columns = None, None, self._columns.kept(row.columns)
        row_id: str | int = row.number
        try:
            row_id = self._columns.id_of(row)
            self._columns.check_names(columns)
        except RowFault as found:
            # What of it is kept must not be taken for something of ours.
            fault, columns = str(found), {}
        else:
            try:
                texts = self._columns.texts(row)
            except RowFault as found:
                fault = str(found)
        own_id = {} if ID in columns else {ID: Raw(msgspec.json.encode(row_id))}
        beginning = msgspec.json.encode({**columns, **own_id})[:-1] + b","
        key = _key(texts) if self.dedupe and texts else None
        return Task(row, beginning, texts, fault, key)

    def _to_judge(self, task: Task) -> Texts | None:
        """Return the texts of a row, or None where it has a fault or its texts were judged before."""
        if task.key is None:
            return task.texts
        if task.key in self._given:
            return None
        self._given.add(task.key)
        return task.texts

    def _line(self, task: Task, answer: bytes | None, results: ResultsFile) -> bytes:
        fault = task.fault
        if fault is None and answer is None:
            # An earlier row has the same texts; rows are written in order, so its result is there.
            assert task.key is not None
            answer = _answer_of(results.read(*self._known[task.key]))
        if answer is not None and answer.startswith(b"["):
            fault = "; ".join(msgspec.json.decode(answer, type=list[str]))
        if fault is None:
            assert answer is not None
            return task.beginning + b'"evaluation":' + answer + b"," + self._ending + b"\n"
        if self.on_error == "stop":
            raise BadRow(f"{task.row.place}: {fault}")
        error = msgspec.json.encode(f"{task.row.place}: {fault}")
        return task.beginning + b'"error":' + error + b"," + self._ending + b"\n"

    def _note(self, task: Task, offset: int, line: bytes, *, is_new: bool) -> None:
        try:
            result = read_line(line)
        except msgspec.MsgspecError:
            raise BadInput(f"{self.output}: damaged at row {task.row.number}") from None
        if task.key is not None:
            self._given.add(task.key)
            self._known.setdefault(task.key, (offset, len(line)))
        self.tally.add(result)
        self.on_result(Event(task.row, result, is_new))


class _Answer(msgspec.Struct):
    evaluation: Raw = Raw()
    error: str = ""


def _answer_of(line: bytes) -> bytes:
    """Return a line's evaluation as it was written, or its fault as workers say one."""
    found = msgspec.json.decode(line, type=_Answer)
    if bytes(found.evaluation):
        return bytes(found.evaluation)
    return msgspec.json.encode([found.error.partition(": ")[2]])


def _key(texts: Texts) -> bytes:
    return hashlib.blake2b(msgspec.json.encode(texts), digest_size=16).digest()
