"""Reads the prompt and the response a command is given: as arguments, files or standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fairwitness.contract.errors import InvalidRequest

PromptText = Annotated[str | None, Parameter(help="The prompt's text.", allow_leading_hyphen=True)]
ResponseText = Annotated[
    str | None, Parameter(help="The response's text.", allow_leading_hyphen=True)
]
PromptFile = Annotated[
    str | None, Parameter(help="File with the prompt; - for stdin.", allow_leading_hyphen=True)
]
ResponseFile = Annotated[
    str | None, Parameter(help="File with the response; - for stdin.", allow_leading_hyphen=True)
]


def read_both(
    prompt: str | None, response: str | None, prompt_file: str | None, response_file: str | None
) -> tuple[str, str]:
    """Return both texts; the response comes from standard input where nothing else is given."""
    answered = read_response(prompt_file, response, response_file)
    return _text("prompt", prompt, prompt_file), answered


def read_response(prompt_file: str | None, response: str | None, response_file: str | None) -> str:
    """Return the response; it comes from standard input where nothing else is given."""
    if prompt_file == "-" and (
        response_file == "-" or (response_file is None and response is None)
    ):
        raise InvalidRequest(details=["only one of prompt and response can come from stdin"])
    if response is None and response_file is None:
        if sys.stdin.isatty():
            raise InvalidRequest(details=["response: give --response, --response-file or stdin"])
        response_file = "-"
    return _text("response", response, response_file)


def _text(name: str, value: str | None, file: str | None) -> str:
    if value is not None and file is not None:
        raise InvalidRequest(details=[f"{name}: give --{name} or --{name}-file, not both"])
    if value is not None:
        # Arguments that are not UTF-8 reach us as lone surrogates; the evaluator names them.
        return value
    if file is None:
        raise InvalidRequest(details=[f"{name}: required; give --{name} or --{name}-file"])
    return read_text(name, file)


def read_text(name: str, file: str) -> str:
    """Return the text of a file, - being standard input; raise InvalidRequest where it cannot be read."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode()
    except OSError as error:
        raise InvalidRequest(details=[f"{name}: cannot read {file}: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        place = name if file == "-" else f"{name}: {file}"
        raise InvalidRequest(details=[f"{place}: not valid UTF-8 (byte {error.start})"]) from None
