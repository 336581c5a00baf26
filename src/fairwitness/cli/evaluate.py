"""`fairwitness evaluate`: one evaluation at the terminal, for people or for machines."""

from __future__ import annotations

from fairwitness.cli.terminal import Json, write_json
from fairwitness.cli.texts import (
    PromptFile,
    PromptText,
    ResponseFile,
    ResponseText,
    read_both,
)

EXIT_CODES = {"pass": 0, "fail": 1, "needs_review": 3}


def evaluate(
    *,
    prompt: PromptText = None,
    response: ResponseText = None,
    prompt_file: PromptFile = None,
    response_file: ResponseFile = None,
    json: Json = False,
) -> int:
    """Evaluate one response to one prompt.

    The response is read from standard input where neither --response nor --response-file is given.

    Exit code: 0 pass, 1 fail, 3 needs review, 2 bad input.
    """
    asked, answered = read_both(prompt, response, prompt_file, response_file)

    from fairwitness import evaluate as judge

    evaluation = judge(asked, answered)
    if json:
        write_json(evaluation)
    else:
        from fairwitness.cli.report import show

        show(evaluation, asked, answered)
    return EXIT_CODES[evaluation.overall_verdict]
