"""Reads what an exchange holds beside prompt and response: files of context, messages and a reference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from fairwitness.cli.input_texts import read_text
from fairwitness.contract.errors import InvalidRequest

ContextFiles = Annotated[
    list[Path] | None,
    Parameter(
        name="--context-file",
        help="What the response should rest on: a text file, or .json with a list of {id, text}; repeatable.",
        negative=(),
    ),
]
MessagesFile = Annotated[
    Path | None, Parameter(help="The conversation instead of a prompt: .json, a list of messages.")
]
ReferenceFile = Annotated[Path | None, Parameter(help="An expected answer: a text file.")]


def read_context(files: list[Path] | None) -> list[Any] | None:
    """Return the passages of all files in order; a .json file holds the contract's list, any other one passage."""
    if not files:
        return None
    passages: list[Any] = []
    for file in files:
        if file.suffix.lower() == ".json":
            passages += _list_in("context", file)
        else:
            passages.append(_some_text("context", file))
    return passages


def read_messages(file: Path | None) -> list[Any] | None:
    """Return the conversation a file holds."""
    return None if file is None else _list_in("messages", file)


def read_reference(file: Path | None) -> str | None:
    """Return the expected answer a file holds."""
    return None if file is None else _some_text("reference", file)


def _some_text(name: str, file: Path) -> str:
    """Return the text of a file; raise InvalidRequest where it is empty, which would be as if none was given."""
    text = read_text(name, str(file))
    if not text.strip():
        raise InvalidRequest(details=[f"{name}: {file} is empty"])
    return text


def _list_in(name: str, file: Path) -> list[Any]:
    from fairwitness.evidence.canonical import BadDocument, read

    try:
        found = read(read_text(name, str(file)).encode())
    except BadDocument as error:
        raise InvalidRequest(details=[f"{name}: {file}: {error}"]) from None
    if not isinstance(found, list):
        raise InvalidRequest(details=[f"{name}: {file} must hold a JSON array"])
    return found
