"""Any sequence of steps, on either engine, must give what the plain reference gives."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import asyncpg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from fairwitness.ledger import Admitted, Ask, Ledger, Limits
from tests import real_postgres
from tests.database_engines import ENGINE_NAMES
from tests.ledger.asking import DAY, HOUR, LEASE, SECOND, ask, ended, turned_away
from tests.ledger.reference import Reference
from tests.ledger_engines import NOON, ledger_at

TIGHT = Limits(
    quota_per_hour=3,
    quota_per_day=5,
    units_per_day=7,
    concurrency=3,
    concurrency_per_caller=2,
    budget_per_hour=100,
    budget_per_day=180,
    duplicate_window_ms=10 * SECOND,
)
STEPS = (1, 999, 1000, 4000, 9999, LEASE, 20 * 60 * SECOND, HOUR - 1, HOUR, 5 * HOUR, DAY)


class LedgerMachine(RuleBasedStateMachine):
    place: ClassVar[str]
    runs = Bundle("runs")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.wall = NOON
        self.model = Reference(TIGHT)
        self.ledger: Ledger = ledger_at(self.fresh(), TIGHT, lambda: self.wall)

    def fresh(self) -> str:
        if self.place.startswith("postgres"):
            self.runner.run(_wipe(self.place))
            return self.place
        return f"sqlite:///{tempfile.mkdtemp(dir=self.place)}/ledger.sqlite3"

    def teardown(self) -> None:
        self.runner.run(self.ledger.close())
        self.runner.close()

    def do(self, work: Any) -> Any:
        return self.runner.run(work)

    @initialize()
    def start(self) -> None:
        self.do(self.ledger.open())

    @rule(
        target=runs,
        caller=st.sampled_from("AB"),
        same=st.sampled_from(["x", "y", None, None, None]),
        worst=st.lists(st.sampled_from([0, 5, 30, 60]), max_size=3),
    )
    def admit_one(self, caller: str, same: str | None, worst: list[int]) -> Ask:
        return self.admit(caller, same, worst)

    def admit(self, caller: str, same: str | None, worst: list[int]) -> Ask:
        asked = ask(*worst, caller=caller, same=same)
        found = self.do(self.ledger.admit(asked))
        expected = self.model.admit(asked, self.wall)
        assert (found.cancel_seq if isinstance(found, Admitted) else found) == expected
        return asked

    @rule(asked=runs, data=st.data(), frees=st.booleans())
    def finish(self, asked: Ask, data: st.DataObject, frees: bool) -> None:
        costs = [
            data.draw(st.sampled_from([None, 0, charge.worst // 2, charge.worst, charge.worst + 7]))
            for charge in asked.charges
        ]
        outcome = ended(asked, *costs, frees=frees)
        self.do(self.ledger.finish(outcome))
        self.model.finish(outcome, self.wall)

    @rule(asked=runs)
    def turn_away(self, asked: Ask) -> None:
        outcome = turned_away(asked)
        self.do(self.ledger.finish(outcome))
        self.model.finish(outcome, self.wall)

    @rule(asked=st.lists(runs, max_size=3))
    def renew(self, asked: list[Ask]) -> None:
        ids = [one.run_id for one in asked]
        found = self.do(self.ledger.renew(ids, LEASE))
        assert found == self.model.renew(ids, LEASE, self.wall)

    @rule(step=st.sampled_from(STEPS))
    def wait(self, step: int) -> None:
        self.wall += step

    @rule(step=st.sampled_from([1, SECOND, HOUR]))
    def clock_steps_back(self, step: int) -> None:
        self.wall -= step

    @rule()
    def accept_clock(self) -> None:
        now = self.model.tick(self.wall)
        assert self.do(self.ledger.accept_clock()) == now - self.wall
        self.model.seen = self.wall

    @rule(cancel=st.booleans(), stays=st.sampled_from([False, False, False, True]))
    def off(self, cancel: bool, stays: bool) -> None:
        self.do(self.ledger.turn_off("a reason", cancel=cancel))
        self.model.stopped = True
        self.model.cancel_seq += cancel
        self.model.tick(self.wall)
        self.admit("A", None, [5])
        if not stays:
            self.on()

    @rule()
    def on(self) -> None:
        self.do(self.ledger.turn_on())
        self.model.stopped = False
        self.model.tick(self.wall)

    @rule()
    def prune(self) -> None:
        self.do(self.ledger.figures())
        assert self.do(self.ledger.prune()) == self.model.prune(self.wall)

    @invariant()
    def figures_agree(self) -> None:
        report = self.do(self.ledger.report())
        now = self.model.tick(self.wall)
        found, runs = report.figures, self.model.runs
        hour = [run for run in runs if run.admitted // HOUR == now // HOUR]
        day = [run for run in runs if run.admitted // DAY == now // DAY]
        assert found.now_ms == now
        assert found.spent_hour == sum(run.money for run in hour if run.state != "open")
        assert found.spent_day == sum(run.money for run in day if run.state != "open")
        assert found.reserved_hour == sum(run.money for run in hour if run.state == "open")
        assert found.reserved_day == sum(run.money for run in day if run.state == "open")
        assert [line.run_id for line in report.open_runs] == [
            run.ask.run_id.hex()
            for run in sorted(runs, key=lambda run: (run.admitted, run.ask.run_id))
            if run.state == "open"
        ]
        assert len(report.open_runs) <= TIGHT.concurrency
        assert found.runs_day == len(day)
        assert found.refusals_day == {
            code: sum(
                n
                for (at, c), n in self.model.refused.items()
                if c == code and at // 24 == now // DAY
            )
            for code in sorted({c for at, c in self.model.refused if at // 24 == now // DAY})
        }
        assert found.switch.stopped == self.model.stopped


async def _wipe(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        tables = await connection.fetch(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        )
        names = [
            row[0] for row in tables if row[0].startswith("ledger_") and row[0] != "ledger_gate"
        ]
        if names:
            await connection.execute(f"TRUNCATE {', '.join(names)}")
            await connection.execute(
                "UPDATE ledger_gate SET clock_ms = 0, stopped = false, reason = '',"
                " changed_ms = 0, cancel_seq = 0, open_runs = 0, next_lapse_ms = 0"
            )
    finally:
        await connection.close()


@contextmanager
def place_of(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if engine == "sqlite":
        yield str(tmp_path)
        return
    with real_postgres.fresh_database(request.getfixturevalue("postgres_admin_url")) as url:
        yield url


@pytest.mark.parametrize("engine", ENGINE_NAMES)
def test_every_sequence_gives_what_the_reference_gives(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    with place_of(engine, request, tmp_path) as place:
        machine = type("Machine", (LedgerMachine,), {"place": place})
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=30,
                stateful_step_count=30,
                deadline=None,
                derandomize=True,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
