"""`fairwitness evaluate`: one evaluation at the terminal, for people or for machines."""

from __future__ import annotations

from rich.console import Console

from fairwitness.cli.input_texts import (
    PromptFile,
    PromptText,
    ResponseFile,
    ResponseText,
    read_both,
)
from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.protocol_option import ProtocolOption, evaluator_for

EXIT_CODES = {"pass": 0, "fail": 1, "needs_review": 3}


def evaluate(
    *,
    prompt: PromptText = None,
    response: ResponseText = None,
    prompt_file: PromptFile = None,
    response_file: ResponseFile = None,
    protocol: ProtocolOption = None,
    output: Output = TEXT,
) -> Result:
    """Evaluate one response to one prompt.

    If neither --response nor --response-file is given, the response is read from standard input.

    Exit code: 0 pass, 1 fail, 3 needs review, 2 bad input.
    """
    asked, answered = read_both(prompt, response, prompt_file, response_file)

    from fairwitness.reports.terminal import show_evaluation

    evaluator = evaluator_for(protocol)
    found = evaluator.evaluate(asked, answered)

    def show(console: Console) -> None:
        show_evaluation(console, found, asked, answered)
        if protocol is not None:
            used = evaluator.protocol
            say(console, f"Protocol: {used.name} {used.version}, SHA-256 {used.digest}")

    return output.result(found, show, EXIT_CODES[found.overall_verdict])
