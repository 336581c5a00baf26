"""`fairwitness evaluate`: one evaluation at the terminal, for people or for machines."""

from __future__ import annotations

from fairwitness.cli.input_texts import (
    PromptFile,
    PromptText,
    ResponseFile,
    ResponseText,
    read_both,
)
from fairwitness.cli.output import TEXT, Output, Result

EXIT_CODES = {"pass": 0, "fail": 1, "needs_review": 3}


def evaluate(
    *,
    prompt: PromptText = None,
    response: ResponseText = None,
    prompt_file: PromptFile = None,
    response_file: ResponseFile = None,
    output: Output = TEXT,
) -> Result:
    """Evaluate one response to one prompt.

    If neither --response nor --response-file is given, the response is read from standard input.

    Exit code: 0 pass, 1 fail, 3 needs review, 2 bad input.
    """
    asked, answered = read_both(prompt, response, prompt_file, response_file)

    from fairwitness import evaluate as judge
    from fairwitness.reports.terminal import show_evaluation

    found = judge(asked, answered)
    return output.result(
        found,
        lambda console: show_evaluation(console, found, asked, answered),
        EXIT_CODES[found.overall_verdict],
    )
