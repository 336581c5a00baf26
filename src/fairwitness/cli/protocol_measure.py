"""`fairwitness protocol measure`: how a protocol's criteria agree with your own labels, what they cost and take."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from cyclopts import Parameter
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.protocol_option import evaluator_of, protocol_from
from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from fairwitness.batch.columns import Columns
    from fairwitness.batch.rows import Row
    from fairwitness.benchmark.agreement import Agreement, LabelledRow
    from fairwitness.evaluator import Evaluator

_WIDEST = 1000  # characters
EXPECT = "expect"
# Timing each criterion by itself reads every text once more for each: so many rows are enough.
_TIMED_ROWS = 100
_LABELS = {"pass": True, "fail": False, "yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}  # fmt: skip


def measure(
    file: Annotated[Path, Parameter(help="A protocol file, or fairwitness for the shipped one.")],
    labels: Annotated[
        Path,
        Parameter(help="Rows with prompt, response, and pass or fail by criterion, or as overall."),
    ],
    /,
    *,
    output: Output = TEXT,
) -> Result:
    """Hold every criterion of a protocol against your own labels.

    A label stands in a column called like the criterion, or in a column `expect` as protocol examples
    have it. Judged criteria ask their models and may cost money; their answers are kept beside the labels,
    and are not asked for again.

    Exit code: 0, or 2 for a file that is wrong or has no labels.
    """
    from fairwitness.batch.rows import BadInput
    from fairwitness.benchmark.agreement import agreements

    evaluator = evaluator_of(protocol_from(file))
    try:
        read = list(_rows(labels, evaluator))
    except BadInput as error:
        raise InvalidRequest(details=[str(error)]) from None
    if not any(row_labels for _, row_labels in read):
        known = ", ".join(spec.id for spec in evaluator.protocol.criteria)
        raise InvalidRequest(details=[f"{labels}: has no label; known criteria: overall, {known}"])
    rows, seconds, asked = _judged(evaluator, read, labels)
    found = agreements(rows, evaluator.protocol)
    per_thousand = 1000 / len(rows)
    timed = [texts for texts, _ in read[:_TIMED_ROWS]]
    times: dict[str, float | None] = {**_times(evaluator, timed)}
    if asked.costs:
        times |= asked.times(seconds * per_thousand - _unasked(evaluator, timed))
    costs = asked.costs
    data = {
        "protocol": evaluator.protocol.name,
        "protocolDigest": evaluator.protocol.digest,
        "evaluatorVersion": evaluator.version,
        "rows": len(rows),
        "secondsPer1000Rows": round(seconds * per_thousand, 2),
        "costUsdPer1000Rows": round(sum(costs.values()) * per_thousand / 1e6, 6),
        "answers": asked.answers,
        "answersFromRecord": asked.from_record,
        "criteria": [
            {
                **msgspec.to_builtins(one),
                "secondsPer1000Rows": times.get(one.criterion_id),
                "costUsdPer1000Rows": round(costs.get(one.criterion_id, 0) * per_thousand / 1e6, 6),
            }
            for one in found
        ],
    }
    return output.result(data, lambda console: _show(console, data, found))


def _rows(path: Path, evaluator: Evaluator) -> Iterator[tuple[tuple[str, ...], dict[str, bool]]]:
    from fairwitness.batch.columns import Columns, choose
    from fairwitness.batch.rows import BadInput, RowFault
    from fairwitness.batch.sources import Input

    names = ["overall", *(spec.id for spec in evaluator.protocol.criteria)]
    reads = {part for criterion in evaluator.criteria.values() for part in criterion.reads}
    columns: Columns | None = None
    for row in Input.of(str(path), path.with_name(f"{path.name}.unused")).rows():
        try:
            columns = columns or choose(Columns(), row, reads)[0]
            yield columns.texts(row), _labels(row, names)
        except RowFault as fault:
            raise BadInput(f"{row.place}: {fault}") from None


def _labels(row: Row, names: list[str]) -> dict[str, bool]:
    from fairwitness.batch.columns import value_at
    from fairwitness.batch.rows import RowFault

    given = {name: value_at(row, name) for name in names if name in row.columns}
    if EXPECT in row.columns:
        expected = value_at(row, EXPECT)
        if not isinstance(expected, dict):
            raise RowFault(f"column {EXPECT!r}: must be an object of criteria and verdicts")
        given |= expected
    found = {}
    for name, value in given.items():
        if name not in names:
            raise RowFault(f"label of {name!r}: unknown criterion")
        text = str(value).strip().lower()
        if value is None or text in {"", "needs_review", "not_applicable"}:
            continue  # no yes and no no: nothing to agree with
        if text not in _LABELS:
            raise RowFault(f"label of {name!r}: must be pass or fail, yes or no, true or false")
        found[name] = _LABELS[text]
    return found


def _judged(
    evaluator: Evaluator, read: list[tuple[tuple[str, ...], dict[str, bool]]], labels: Path
) -> tuple[list[LabelledRow], float, _Asked]:
    """Return the rows with their evaluations, the seconds that took, and what judges were asked."""
    from fairwitness.batch.executor import Executor, executor_of
    from fairwitness.benchmark.agreement import LabelledRow
    from fairwitness.contract.evaluation import Evaluation

    asked = _Asked()
    executor: Executor = executor_of(evaluator, 1)
    if evaluator.protocol.judged:
        from fairwitness.cli.judged import records_of, rows_judge
        from fairwitness.service.judged_rows import known_answers

        asked.known = set(known_answers(records_of(labels)))
        executor = rows_judge(evaluator, labels, ask_again=True, fresh=False)
    evaluator.evaluate("Load the model.", "It is loaded.")
    began = time.perf_counter()
    rows: list[LabelledRow] = []
    with executor:
        for given, answer in executor.ordered((known, texts) for texts, known in read):
            if answer is None or answer.startswith(b"["):
                faults = msgspec.json.decode(answer or b"[]", type=list[str])
                raise InvalidRequest(details=[f"row {len(rows) + 1}: {fault}" for fault in faults])
            rows.append(LabelledRow(msgspec.json.decode(answer, type=Evaluation), given))
    seconds = time.perf_counter() - began
    if evaluator.protocol.judged:
        asked.read(labels)
    return rows, seconds, asked


@dataclass
class _Asked:
    """What judges were asked: micro-dollars and answers by criterion, and how many answers were there before."""

    known: set[str] = field(default_factory=set)
    costs: dict[str, int] = field(default_factory=dict)
    new: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    from_record: int = 0

    def read(self, labels: Path) -> None:
        """Count the records beside the labels."""
        from fairwitness.cli.judged import records_of
        from fairwitness.contract.judge_record import JudgeRecord

        for line in records_of(labels).read_bytes().splitlines():
            for one in msgspec.json.decode(line, type=JudgeRecord).asked:
                name = one.criterion_id
                self.costs[name] = self.costs.get(name, 0) + one.cost_micro_usd
                is_answered = isinstance(one.answer, str)
                self.answers += is_answered
                self.from_record += is_answered and one.question_digest in self.known
                self.new[name] += one.question_digest not in self.known

    def times(self, seconds: float) -> dict[str, float | None]:
        """Share the time that judges took by how often each criterion asked; None where it asked nobody now."""
        total = sum(self.new.values())
        return {
            name: round(max(0.0, seconds) * self.new[name] / total, 2) if self.new[name] else None
            for name in self.costs
        }


def _times(evaluator: Evaluator, texts: list[tuple[str, ...]]) -> dict[str, float]:
    """Return seconds for 1,000 rows of each criterion by itself; judges are timed where they are asked."""
    from fairwitness.evaluator.inputs import exchange_of_row

    found = {}
    for spec in evaluator.protocol.criteria:
        if spec.judge is not None:
            continue
        began = time.perf_counter()
        for given in texts:
            evaluator.judge(spec.id, exchange_of_row(*given))
        found[spec.id] = round((time.perf_counter() - began) * 1000 / len(texts), 2)
    return found


def _unasked(evaluator: Evaluator, texts: list[tuple[str, ...]]) -> float:
    """Return seconds for 1,000 rows without their judges."""
    from fairwitness.evaluator.inputs import exchange_of_row

    began = time.perf_counter()
    for given in texts:
        evaluator.assess(exchange_of_row(*given))
    return (time.perf_counter() - began) * 1000 / len(texts)


def _show(console: Console, data: dict[str, Any], found: list[Agreement]) -> None:
    table = Table("criterion", "labels", "decided", "agreement (95%)", "baseline", "calibration error", "gain (95%)", "s/1,000", "USD/1,000", box=None, pad_edge=False)  # fmt: skip
    for one, more in zip(found, data["criteria"], strict=True):
        time_s = data["secondsPer1000Rows"] if one.criterion_id == "overall" else more["secondsPer1000Rows"]  # fmt: skip
        cost = data["costUsdPer1000Rows"] if one.criterion_id == "overall" else more["costUsdPer1000Rows"]  # fmt: skip
        table.add_row(
            one.criterion_id,
            str(one.labelled),
            str(one.decided),
            _range(one.agreement, one.low, one.high, 2),
            "" if one.baseline is None else f"{one.baseline:.2f}",
            "" if one.calibration_error is None else f"{one.calibration_error:.2f}",
            _range(one.gain, one.gain_low, one.gain_high, 1),
            "" if time_s is None else f"{time_s:.1f}",
            f"{cost:.4f}" if cost else "",
        )
    _print_whole(console, table)
    useless = [one.criterion_id for one in found if one.adds_nothing]
    if useless:
        say(console, f"Add nothing on these {data['rows']:,} rows: {', '.join(useless)}.")
    if data["answersFromRecord"]:
        say(console, f"{data['answersFromRecord']:,} of {data['answers']:,} answers of judges were read from the record, which takes no time.")  # fmt: skip
    say(console, f"{data['rows']:,} rows, protocol {data['protocol']} {data['protocolDigest'][:12]}.")  # fmt: skip


def _print_whole(console: Console, table: Table) -> None:
    """Print a table as wide as it is: in a narrow terminal its lines wrap, and no name or number is cut."""
    needed = Measurement.get(console, console.options.update(max_width=_WIDEST), table).maximum
    before = console.width
    console.width = max(before, needed)
    try:
        console.print(table)
    finally:
        console.width = before


def _range(value: float | None, low: float | None, high: float | None, places: int) -> str:
    if value is None or low is None or high is None:
        return ""
    return f"{value:.{places}f} ({low:.{places}f} to {high:.{places}f})"
