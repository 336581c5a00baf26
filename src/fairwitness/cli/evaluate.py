"""`fairwitness evaluate`: one evaluation at the terminal, for people or for machines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from fairwitness.contract.errors import InvalidRequest

EXIT_CODES = {"pass": 0, "fail": 1, "needs_review": 3}


def evaluate(
    *,
    prompt: Annotated[
        str | None, Parameter(help="The prompt's text.", allow_leading_hyphen=True)
    ] = None,
    response: Annotated[
        str | None, Parameter(help="The response's text.", allow_leading_hyphen=True)
    ] = None,
    prompt_file: Annotated[
        str | None, Parameter(help="File with the prompt; - for stdin.", allow_leading_hyphen=True)
    ] = None,
    response_file: Annotated[
        str | None,
        Parameter(help="File with the response; - for stdin.", allow_leading_hyphen=True),
    ] = None,
    json: Annotated[bool, Parameter(help="Print the evaluation as JSON.", negative=())] = False,
) -> int:
    """Evaluate one response to one prompt.

    The response is read from standard input where neither --response nor --response-file is given.
    Exit code: 0 pass, 1 fail, 3 needs review, 2 bad input.
    """
    if prompt_file == "-" and (
        response_file == "-" or (response_file is None and response is None)
    ):
        raise InvalidRequest(details=["only one of prompt and response can come from stdin"])
    if response is None and response_file is None:
        if sys.stdin.isatty():
            raise InvalidRequest(details=["response: give --response, --response-file or stdin"])
        response_file = "-"
    asked = _text("prompt", prompt, prompt_file)
    answered = _text("response", response, response_file)

    from fairwitness import evaluate as judge

    assessment = judge(asked, answered)
    if json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(assessment), indent=2))
        sys.stdout.buffer.write(b"\n")
    else:
        from fairwitness.cli.report import show

        show(assessment, asked, answered)
    return EXIT_CODES[assessment.overallVerdict]


def _text(name: str, value: str | None, file: str | None) -> str:
    if value is not None and file is not None:
        raise InvalidRequest(details=[f"{name}: give --{name} or --{name}-file, not both"])
    if value is not None:
        # Arguments that are not UTF-8 reach us as lone surrogates; the evaluator names them.
        return value
    if file is None:
        raise InvalidRequest(details=[f"{name}: required; give --{name} or --{name}-file"])
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode()
    except OSError as error:
        raise InvalidRequest(details=[f"{name}: cannot read {file}: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        raise InvalidRequest(details=[f"{name}: not valid UTF-8 (byte {error.start})"]) from None
