"""`fairwitness improve`: tries edits that fix a response's findings and keeps those that raise its score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape

from fairwitness.cli.input_texts import (
    PromptFile,
    PromptText,
    ResponseFile,
    ResponseText,
    read_both,
)
from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.protocol_option import ProtocolOption, evaluator_for, in_words
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.requests import DEMO_RESPONSE_MAX
from fairwitness.contract.results import INTERPRETATION
from fairwitness.reports.printable import visible

if TYPE_CHECKING:
    from fairwitness.revision import Improvement

_DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def improve(
    *,
    prompt: PromptText = None,
    response: ResponseText = None,
    prompt_file: PromptFile = None,
    response_file: ResponseFile = None,
    protocol: ProtocolOption = None,
    output: Output = TEXT,
) -> Result:
    """Try edits that fix the findings of one response, and keep those that raise its score.

    No provider is called and nothing is random. At most 8 edits are kept and 24 evaluations are run.

    Exit code: 0 the score rose, 1 no edit raised it, 2 bad input.
    """
    asked, answered = read_both(prompt, response, prompt_file, response_file)
    if len(answered) > DEMO_RESPONSE_MAX:
        raise InvalidRequest(details=[f"response: longer than {DEMO_RESPONSE_MAX} characters"])

    from fairwitness.reports.made_by import MadeBy
    from fairwitness.revision import improve as search

    evaluator = evaluator_for(protocol)
    found = search(evaluator.evaluate, asked, answered)

    def show(console: Console) -> None:
        _show(found, console)
        say(console, in_words(evaluator.protocol))

    content = {**MadeBy.of(evaluator).to_dict(), **_content(found)}
    return output.result(content, show, 0 if found.improved else 1)


def _content(found: Improvement) -> dict[str, Any]:
    return {
        "before": found.before,
        "steps": found.steps,
        "rejected": found.rejected,
        "unresolved": found.unresolved,
        "revisedResponse": found.revised,
        "diff": found.diff,
        "after": found.after,
        "improved": found.improved,
        "interpretation": INTERPRETATION,
    }


def _show(found: Improvement, console: Console) -> None:
    before, after = found.before, found.after
    verdict = after.overall_verdict.replace("_", " ")
    if found.improved:
        arrow = "->" if console.options.ascii_only else "→"
        scores = f"{before.overall_score:.1f} {arrow} {after.overall_score:.1f}"
        console.print(f"[bold]Score rose {scores}[/] ({verdict})")
    else:
        console.print(f"[bold]No edit raised the score[/] ({before.overall_score:.1f}, {verdict})")
    for number, step in enumerate(found.steps, 1):
        note = f" {step.note}" if isinstance(step.note, str) else ""
        console.print(
            f"  [green]kept[/] {number}. {step.operator} ({step.criterion_id}): "
            f"{step.score_before:g} to {step.score_after:g}.{note}",
            soft_wrap=True,
        )
    for edit in found.rejected:
        quoted = escape(visible(_brief(edit.removed or edit.replacement)))
        console.print(
            f"  [yellow]rejected[/] {edit.operator} ({edit.criterion_id}, {edit.finding_id}, "
            f"characters {edit.start} to {edit.end}: {quoted}): {escape(edit.reason)}",
            soft_wrap=True,
        )
    for item in found.unresolved:
        console.print(
            f"  [red]unresolved[/] {escape(visible(item.message))} {escape(item.reason)}",
            soft_wrap=True,
        )
    # Not splitlines: it cuts at characters that end no line of the diff.
    for line in found.diff.split("\n")[:-1]:
        style = _DIFF_STYLES.get(line[:1], "")
        shown = escape(visible(line))
        console.print(f"[{style}]{shown}[/]" if style else shown, soft_wrap=True)
    console.print(f"\n[dim]{INTERPRETATION}[/]")


def _brief(text: str) -> str:
    """Return a text on one line, its end left out where it is long."""
    line = " ".join(text.split())
    return f"“{line[:60]}…”" if len(line) > 60 else f"“{line}”"
