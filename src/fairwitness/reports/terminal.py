"""Shows one evaluation at the terminal: the verdict, each criterion, and the quoted evidence underlined."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from fairwitness.contract.evaluation import Evaluation, FindingItem, Source
from fairwitness.contract.results import INTERPRETATION
from fairwitness.reports.printable import visible

_VERDICTS = {
    "pass": "bold green",
    "fail": "bold red",
    "needs_review": "bold yellow",
    "not_applicable": "dim",
}
_SEVERITIES = {
    "info": "cyan",
    "low": "blue",
    "medium": "yellow",
    "high": "red",
    "critical": "bold red",
}


def show_evaluation(console: Console, evaluation: Evaluation, prompt: str, response: str) -> None:
    """Print a readable report."""
    style = _VERDICTS[evaluation.overall_verdict]
    words = evaluation.overall_verdict.replace("_", " ").upper()
    console.print(f"[{style}]{words}[/]  {evaluation.overall_score:g}/100")
    for detail in evaluation.reason_details:
        console.print(f"  {escape(detail.message)} [dim]({detail.code})[/]", soft_wrap=True)
    console.print(_criteria(evaluation, *("#-" if console.options.ascii_only else "█░")))
    sources: tuple[tuple[Source, str], ...] = (("prompt", prompt), ("response", response))
    for source, text in sources:
        if any(_quotes(finding, source) for finding in evaluation.findings):
            console.print(f"\n[bold]{source.capitalize()}[/], evidence underlined:")
            console.print(_underlined(text, source, evaluation.findings), soft_wrap=True)
    if evaluation.findings:
        console.print("\n[bold]Findings[/]")
    for finding in evaluation.findings:
        console.print(
            f"  [{_SEVERITIES[finding.severity]}]{finding.finding_id} {finding.severity}[/] "
            f"{escape(finding.criterion_id)}: {escape(visible(finding.message))}",
            soft_wrap=True,
        )
    console.print(f"\n[dim]{INTERPRETATION}[/]")


def _criteria(evaluation: Evaluation, full: str, empty: str) -> Table:
    table = Table(box=None, padding=(0, 1), show_header=False)
    for item in evaluation.verdicts:
        score = "" if item.score is None else f"{item.score:g}"
        filled = 0 if item.score is None else round(item.score / 10)
        table.add_row(
            Text(item.title),
            Text(
                full * filled + empty * (10 - filled) if item.score is not None else "", style="dim"
            ),
            Text(score, justify="right"),
            Text(item.verdict.replace("_", " "), style=_VERDICTS[item.verdict]),
            Text(visible(item.summary)),
        )
    return table


def _quotes(finding: FindingItem, source: Source) -> bool:
    return any(evidence.source == source for evidence in finding.evidence)


def _underlined(text: str, source: Source, findings: list[FindingItem]) -> Text:
    """Return the text with each quoted stretch underlined in its finding's colour and numbered."""
    shown = Text()
    position = 0
    for start, end, finding in _marks(source, findings):
        if start < position:
            continue  # overlapping evidence is listed below; the first mark stands
        shown.append(visible(text[position:start]))
        shown.append(
            visible(text[start:end]) or " ", style=f"underline {_SEVERITIES[finding.severity]}"
        )
        shown.append(f"[{finding.finding_id}]", style="dim")
        position = end
    shown.append(visible(text[position:]))
    return shown


def _marks(source: Source, findings: list[FindingItem]) -> list[tuple[int, int, FindingItem]]:
    found = [
        (evidence.start, evidence.end, finding)
        for finding in findings
        for evidence in finding.evidence
        if evidence.source == source
    ]
    return sorted(found, key=lambda mark: mark[:2])
