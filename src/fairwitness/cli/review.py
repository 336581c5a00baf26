"""`fairwitness review`: asks a person about the results that need one, on a local page or at the terminal."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console

from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.review_terminal import review_at
from fairwitness.cli.terminal import Terminal, tell
from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from fairwitness.review.session import ReviewSession, State


def review(
    results: Annotated[Path, Parameter(help="Results of `fairwitness batch`.")],
    /,
    *,
    reviewer: Annotated[
        str | None, Parameter(help="Your name in the labels; else that of your account.")
    ] = None,
    labels: Annotated[
        Path | None, Parameter(help="File of the labels; else RESULTS.labels.jsonl.")
    ] = None,
    criterion: Annotated[
        str | None, Parameter(help="Label one criterion instead of the whole response.")
    ] = None,
    everything: Annotated[
        bool, Parameter(name="--all", help="Ask about every row, those that need review first.")
    ] = False,
    sample: Annotated[
        int | None, Parameter(help="Ask about so many rows drawn at random instead.")
    ] = None,
    terminal: Annotated[bool, Parameter(help="Ask at the terminal instead of on a page.")] = False,
    port: Annotated[int, Parameter(help="Port of the page; 0 for a free one.")] = 0,
    output: Output = TEXT,
) -> Result:
    """Label results: pass, fail or skip, most valuable first.

    A label is on disk before the next row is shown. Ctrl+C ends the page.

    Exit code: 0 done, 2 bad input.
    """
    from fairwitness.batch.rows import BadInput
    from fairwitness.review.labels import MAX_NAME_CHARS, OVERALL
    from fairwitness.review.session import ReviewSession, Scope

    name = (reviewer if reviewer is not None else getpass.getuser()).strip()
    if not (0 < len(name) <= MAX_NAME_CHARS and name.isprintable()):
        raise InvalidRequest(
            details=[f"--reviewer: must be 1 to {MAX_NAME_CHARS} printable characters"]
        )
    if sample is not None and sample < 1:
        raise InvalidRequest(details=["--sample: must be at least 1"])
    if not 0 <= port <= 65535:
        raise InvalidRequest(details=["--port: must be 0 to 65535"])
    scope = Scope(criterion or OVERALL, everything, sample)
    beside = labels or results.with_name(f"{results.name}.labels.jsonl")
    try:
        session = ReviewSession(results, beside, name, scope)
    except BadInput as error:
        raise InvalidRequest(details=[str(error)]) from None
    if terminal:
        # Where the result is for a tool, standard output is its alone.
        is_text = not output.json and output.format in (None, "text")
        review_at(Terminal(highlight=False, stderr=not is_text), session)
    else:
        _serve(session, port)
    state = session.state()
    return output.result(state, lambda console: _show(console, state))


def _serve(session: ReviewSession, port: int) -> None:
    from fairwitness.review.server import ReviewServer

    with ReviewServer(session, port) as server:
        tell(f"{len(session.queue):,} rows to review. {session.order}")
        tell(f"Open {server.url}  (Ctrl+C to end; every label is already on disk)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            tell("")


def _show(console: Console, state: State) -> None:
    said = f"{state.reviewer}: {state.labelled:,} labelled, {state.left:,} left."
    say(console, f"{said} Labels: {state.labels}")
    if state.share is None:
        return
    alpha = "not defined" if state.alpha is None else f"{state.alpha:.2f}"
    say(
        console,
        f"Reviewers agree in {100 * state.share:.0f}% of pairs on {state.compared:,} rows;"
        f" Krippendorff's alpha {alpha}.",
    )
