"""Group commit: company is taken along, a lone job never waits, and no job is lost or run twice."""

from __future__ import annotations

import asyncio

import pytest

from fairwitness.store.batching import MAX_BATCH, Batcher


class Engine:
    """Records each batch; one at a time, with a moment's work in each."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.inside = 0

    async def execute(self, jobs: list[int]) -> list[int | Exception]:
        self.inside += 1
        assert self.inside == 1
        self.batches.append(jobs)
        await asyncio.sleep(0.01)
        self.inside -= 1
        if 9999 in jobs:
            raise ConnectionError("the batch is lost")
        return [ValueError("odd one") if job < 0 else job * 2 for job in jobs]


def test_jobs_that_arrive_during_a_batch_form_the_next() -> None:
    async def story() -> None:
        engine = Engine()
        batcher: Batcher[int, int] = Batcher(engine.execute)
        first = asyncio.create_task(batcher.submit(0))
        await asyncio.sleep(0.001)
        rest = await asyncio.gather(*(batcher.submit(n) for n in range(1, MAX_BATCH + 3)))
        assert await first == 0
        assert rest == [n * 2 for n in range(1, MAX_BATCH + 3)]
        assert [len(batch) for batch in engine.batches] == [1, MAX_BATCH, 2]

    asyncio.run(story())


def test_one_jobs_fault_is_its_own_and_a_lost_batch_is_everyones() -> None:
    async def story() -> None:
        batcher: Batcher[int, int] = Batcher(Engine().execute)
        found = await asyncio.gather(*map(batcher.submit, [1, -1, 2]), return_exceptions=True)
        assert found[0] == 2
        assert isinstance(found[1], ValueError)
        lost = await asyncio.gather(*map(batcher.submit, [9999, 14]), return_exceptions=True)
        assert all(isinstance(one, ConnectionError) for one in lost)
        assert await batcher.submit(3) == 6

    asyncio.run(story())


def test_a_job_cancelled_before_its_batch_never_runs() -> None:
    async def story() -> None:
        engine = Engine()
        batcher: Batcher[int, int] = Batcher(engine.execute)
        first = asyncio.create_task(batcher.submit(1))
        await asyncio.sleep(0.001)
        late = asyncio.create_task(batcher.submit(2))
        await asyncio.sleep(0)
        first.cancel()
        late.cancel()
        await batcher.drained()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert engine.batches == [[1]]

    asyncio.run(story())
