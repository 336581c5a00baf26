"""The `--protocol` option: the protocol file a command judges by, and the evaluator made from it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from fairwitness.evaluator import Evaluator
    from fairwitness.evaluator.protocol import Protocol

ProtocolOption = Annotated[
    Path | None, Parameter(help="A protocol file to judge by; the shipped protocol by default.")
]


def evaluator_for(file: Path | None) -> Evaluator:
    """Return the evaluator of a protocol file, or the shipped one; a file that is wrong is bad input."""
    from fairwitness.evaluator import shipped

    return shipped() if file is None else evaluator_of(protocol_from(file))


def evaluator_of(protocol: Protocol) -> Evaluator:
    """Return the evaluator of a protocol; one that names what is not installed is bad input."""
    from fairwitness.evaluator import Evaluator
    from fairwitness.evaluator.protocol import ProtocolError

    try:
        return Evaluator.of(protocol)
    except ProtocolError as error:
        raise InvalidRequest(details=[str(error)]) from None


def in_words(protocol: Protocol) -> str:
    """Return which protocol was used, as people read it."""
    return f"Protocol: {protocol.name} {protocol.version}, SHA-256 {protocol.digest}"


def protocol_from(file: Path) -> Protocol:
    """Read a protocol file, or the shipped one by the name `fairwitness` where no such file is there."""
    from fairwitness.evaluator import protocol

    if str(file) == "fairwitness" and not file.is_file():
        return protocol.shipped()
    try:
        return protocol.load(file)
    except protocol.ProtocolError as error:
        raise InvalidRequest(details=[str(error)]) from None
