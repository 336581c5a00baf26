"""Judging by a protocol that asks models, at the command line: through the service's own admission and budget."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from fairwitness import settings as settings_module
from fairwitness.contract.errors import InvalidRequest
from fairwitness.extras import require_extra

if TYPE_CHECKING:
    from fairwitness.bootstrap import Parts
    from fairwitness.evaluator import Evaluator
    from fairwitness.evaluator.exchange import Exchange
    from fairwitness.evidence.envelope import Signer
    from fairwitness.service.judged_rows import JudgedRows
    from fairwitness.service.judging import Judged


def parts_for(evaluator: Evaluator) -> Parts:
    """Return what asking judges needs; raise InvalidRequest that says all that is missing."""
    protocol = evaluator.protocol
    require_extra("serve", f"{protocol.path}: a protocol with judged criteria")
    from fairwitness.bootstrap import Parts
    from fairwitness.service.judging import missing_parts

    parts = Parts(settings_module.load())
    faults = missing_parts(protocol, parts.slots, parts.settings)
    if faults:
        raise InvalidRequest(details=[f"{protocol.path}: {fault}" for fault in faults])
    return parts


def signer_for(evaluator: Evaluator) -> Signer:
    """Return the key that signs records."""
    return parts_for(evaluator).keyring.signer()


def judge_once(evaluator: Evaluator, exchange: Exchange) -> Judged:
    """Ask the judges about one exchange; where nothing may be spent they stay unasked."""
    parts = parts_for(evaluator)
    from fairwitness.service.caller import caller_hash
    from fairwitness.service.judging import Spender

    async def go() -> Judged:
        spender = Spender("evaluate", caller_hash(parts.secret, "evaluate"), os.urandom(16))
        async with parts.judging_open() as judging:
            return await judging.judged(evaluator, exchange, spender, raises=False)

    return asyncio.run(go())


def rows_judge(evaluator: Evaluator, results: Path, *, ask_again: bool, fresh: bool) -> JudgedRows:
    """Return the executor of a batch. `ask_again` keeps paid answers for rows that are judged anew, `fresh` drops them."""
    parts = parts_for(evaluator)
    from fairwitness.service.caller import caller_hash
    from fairwitness.service.judged_rows import JudgedRows, before

    records = records_of(results)
    if ask_again and records.exists():
        # A run that was broken off left its own paid answers beside those before it.
        with before(records).open("ab") as kept:
            kept.write(records.read_bytes())
        records.unlink()
    elif fresh:
        records.unlink(missing_ok=True)
        before(records).unlink(missing_ok=True)
    return JudgedRows(
        evaluator,
        parts.judging_open,
        lambda row: caller_hash(parts.secret, row),
        records,
        min(4, parts.settings.concurrency),
    )


def records_of(results: Path) -> Path:
    """Return the file of records beside a file of results."""
    return results.with_name(f"{results.name}.judges.jsonl")
