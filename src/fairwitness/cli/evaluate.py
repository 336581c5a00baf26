"""`fairwitness evaluate`: one evaluation at the terminal, for people or for machines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console

from fairwitness.cli.exchange_files import (
    ContextFiles,
    MessagesFile,
    ReferenceFile,
    read_context,
    read_messages,
    read_reference,
)
from fairwitness.cli.input_texts import (
    PromptFile,
    PromptText,
    ResponseFile,
    ResponseText,
    read_both,
    read_response,
)
from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.protocol_option import ProtocolOption, evaluator_for, in_words
from fairwitness.cli.terminal import tell
from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from fairwitness.contract.evaluation import Evaluation
    from fairwitness.evaluator import Evaluator
    from fairwitness.evaluator.exchange import Exchange

EXIT_CODES = {"pass": 0, "fail": 1, "needs_review": 3}


def evaluate(
    *,
    prompt: PromptText = None,
    response: ResponseText = None,
    prompt_file: PromptFile = None,
    response_file: ResponseFile = None,
    context_file: ContextFiles = None,
    messages_file: MessagesFile = None,
    reference_file: ReferenceFile = None,
    protocol: ProtocolOption = None,
    record: Annotated[
        Path | None,
        Parameter(help="File for the record of a judged protocol's questions and answers."),
    ] = None,
    sign: Annotated[
        bool, Parameter(help="Sign the record with the evidence key, into FILE.sig.json.")
    ] = False,
    output: Output = TEXT,
) -> Result:
    """Evaluate one response to one prompt, or to the last message of a conversation.

    If neither --response nor --response-file is given, the response is read from standard input.

    Exit code: 0 pass, 1 fail, 3 needs review, 2 bad input.
    """
    asked: str | None
    if messages_file is None:
        asked, answered = read_both(prompt, response, prompt_file, response_file)
    elif prompt is not None or prompt_file is not None:
        raise InvalidRequest(details=["prompt: give a prompt or --messages-file, not both"])
    else:
        asked, answered = None, read_response(None, response, response_file)
    context, messages = read_context(context_file), read_messages(messages_file)

    from fairwitness.evaluator.inputs import exchange_of
    from fairwitness.reports.made_by import MadeBy
    from fairwitness.reports.terminal import show_evaluation

    evaluator = evaluator_for(protocol)
    exchange = exchange_of(
        asked,
        answered,
        context=context,
        messages=messages,
        reference=read_reference(reference_file),
    )
    if sign and record is None:
        raise InvalidRequest(details=["--sign: give --record too; it is the record that is signed"])
    found = _found(evaluator, exchange, record, sign)

    def show(console: Console) -> None:
        show_evaluation(console, found, lambda source: exchange.text(source).value)
        say(console, in_words(evaluator.protocol))

    # As in a row of a batch: what made an evaluation stands beside it, never inside.
    content = {"evaluation": found, **MadeBy.of(evaluator).to_dict()}
    return output.result(content, show, EXIT_CODES[found.overall_verdict])


def _found(evaluator: Evaluator, exchange: Exchange, record: Path | None, sign: bool) -> Evaluation:
    """Evaluate, and where the protocol asks models, ask them and keep the record."""
    if not evaluator.protocol.judged:
        if record is not None:
            raise InvalidRequest(details=["--record: the protocol has no judged criteria"])
        return evaluator.assess(exchange).evaluation
    from fairwitness.cli.judged import judge_once, signer_for

    # What would lose a record that was paid for is tried before.
    signer = signer_for(evaluator) if sign else None
    if record is not None:
        record.touch()
    found = judge_once(evaluator, exchange)
    asked = found.record.asked
    cost = found.record.cost_micro_usd / 1_000_000
    tell(f"Judges: {len(asked)} questions, {cost:.6f} US dollars.")
    if record is not None:
        record.write_bytes(msgspec.json.encode(found.record) + b"\n")
        tell(f"Record: {record}. To replay it: fairwitness replay {record} --protocol FILE")
    if record is not None and signer is not None:
        from fairwitness.evidence.judge_record import seal_record

        envelope = seal_record(found.record, signer)
        record.with_name(f"{record.name}.sig.json").write_bytes(msgspec.json.encode(envelope))
    return found.evaluation
