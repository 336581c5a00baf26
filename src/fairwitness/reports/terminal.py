"""Shows one evaluation at the terminal: the verdict, each criterion, and the quoted evidence underlined."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from msgspec import UNSET
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


def show_evaluation(
    console: Console, evaluation: Evaluation, text_of: Callable[[Source], str]
) -> None:
    """Print a readable report; `text_of` returns the text a source names."""
    console.print(_headline(evaluation))
    for detail in evaluation.reason_details:
        console.print(f"  {escape(detail.message)} [dim]({detail.code})[/]", soft_wrap=True)
    console.print("  [dim]Facts are not checked.[/]")
    console.print(_criteria(evaluation, *("#-" if console.options.ascii_only else "█░")))
    for source in _quoted_sources(evaluation):
        console.print(f"\n[bold]{escape(source[:1].upper() + source[1:])}[/], evidence underlined:")
        console.print(_underlined(text_of(source), source, evaluation.findings), soft_wrap=True)
    if evaluation.findings:
        console.print("\n[bold]Findings[/]")
    _list_findings(console, evaluation)
    console.print(f"\n[dim]{INTERPRETATION}[/]")


def _headline(evaluation: Evaluation) -> str:
    """Return the score and the verdict in the words of the page."""
    style = _VERDICTS[evaluation.overall_verdict]
    words = evaluation.overall_verdict.replace("_", " ").upper()
    return f"[{style}]{words}[/]  {evaluation.overall_score:g} of 100"


def _list_findings(console: Console, evaluation: Evaluation) -> None:
    """Print every finding, the most severe first, by the title of its criterion."""
    titles = {item.criterion_id: item.title for item in evaluation.verdicts}
    gravest = list(reversed(_SEVERITIES))
    for finding in sorted(evaluation.findings, key=lambda one: gravest.index(one.severity)):
        label = f"[{_SEVERITIES[finding.severity]}]{finding.finding_id} {finding.severity}[/]"
        title = titles.get(finding.criterion_id, finding.criterion_id)
        console.print(f"  {label} {escape(visible(f'{title}: {finding.message}'))}", soft_wrap=True)
        if finding.suggestion is not UNSET:
            console.print(
                f"     [dim]Suggestion: {escape(visible(finding.suggestion))}[/]", soft_wrap=True
            )


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


def _quoted_sources(evaluation: Evaluation) -> list[Source]:
    """Return the texts that evidence quotes: what was given, then the response."""
    quoted = [quote.source for finding in evaluation.findings for quote in finding.evidence]
    return sorted(dict.fromkeys(quoted), key=lambda source: source.startswith("response"))


def _underlined(text: str, source: Source, findings: list[FindingItem]) -> Text:
    """Return the text with every quoted stretch underlined, nested ones too, and numbered where it ends."""
    marks = _marks(text, source, findings)
    edges = sorted({0, len(text), *(edge for start, end, _ in marks for edge in (start, end))})
    shown = Text()
    for start, end in pairwise(edges):
        here = [mark for mark in marks if mark[0] <= start and end <= mark[1]]
        style = f"underline {_SEVERITIES[here[0][2].severity]}" if here else ""
        shown.append(visible(text[start:end]), style=style)
        ending = dict.fromkeys(mark[2].finding_id for mark in here if mark[1] == end)
        shown.append("".join(f"[{name}]" for name in ending), style="dim")
    return shown


def _marks(
    text: str, source: Source, findings: list[FindingItem]
) -> list[tuple[int, int, FindingItem]]:
    """Return each stretch to underline, widened to whole words, the gravest first."""
    gravest = list(reversed(_SEVERITIES))
    found = []
    for finding in findings:
        for quote in finding.evidence:
            if quote.source == source:
                start, end = quote.start, quote.end
                while 0 < start < len(text) and text[start - 1].isalnum() and text[start].isalnum():
                    start -= 1
                while 0 < end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
                    end += 1
                found.append((start, end, finding))
    return sorted(found, key=lambda mark: gravest.index(mark[2].severity))


def show_whole(
    console: Console, evaluation: Evaluation, texts: Iterable[tuple[Source, str, str]]
) -> None:
    """Print every text that was judged (source, title, text), then the verdict, why, and the findings."""
    for source, title, text in texts:
        console.print(f"\n[bold]{escape(title)}[/]")
        console.print(_underlined(text, source, evaluation.findings), soft_wrap=True)
    console.print(f"\n{_headline(evaluation)}")
    for detail in evaluation.reason_details:
        console.print(f"  {escape(visible(detail.message))}", soft_wrap=True)
    _list_findings(console, evaluation)
