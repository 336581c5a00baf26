"""`fairwitness import`: assertions of another tool as a protocol file, with a list of what could not be taken over."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from fairwitness.cli.terminal import tell
from fairwitness.contract.errors import InvalidRequest


def import_(
    tool: Annotated[Literal["openai-evals", "promptfoo"], Parameter(help="Where it comes from.")],
    file: Annotated[
        Path, Parameter(help="promptfoo's config, or an eval as OpenAI's API returns it.")
    ],
    /,
    *,
    output: Annotated[
        Path, Parameter(name=("--output", "-o"), help="Protocol file to write; ends in .toml.")
    ],
    overwrite: Annotated[bool, Parameter(help="Replace a file that is there.")] = False,
) -> int:
    """Make a protocol file from the assertions of another tool.

    It extends the shipped protocol by one criterion. What could not be taken over is listed, with the reason, here
    and in the file.

    Exit code: 0 all taken over, 1 something was left, 2 bad input.
    """
    from fairwitness.evaluator import Evaluator
    from fairwitness.evaluator import protocol as protocols
    from fairwitness.evaluator.protocol import ProtocolError
    from fairwitness.integrations.imports import openai_evals, promptfoo

    if output.suffix != ".toml":
        raise InvalidRequest(details=[f"{output}: the name must end in .toml"])
    if output.exists() and not overwrite:
        raise InvalidRequest(details=[f"{output}: is there; replace it with --overwrite"])
    imported = (promptfoo if tool == "promptfoo" else openai_evals).read(file)
    output.write_text(imported.toml(), encoding="utf-8")
    try:
        Evaluator.of(protocols.load(output))
    except ProtocolError as error:
        output.unlink()
        raise InvalidRequest(details=[f"{file}: no protocol can be made of it: {error}"]) from None
    tell(f"{output}: {len(imported.checks)} checks taken over, {len(imported.left)} left.")
    for place, reason in imported.left:
        tell(f"  left: {place}: {reason}")
    for note in imported.notes:
        tell(f"  {note}")
    return 1 if imported.left else 0
