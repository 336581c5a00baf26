"""Shows a report at the terminal: each figure with its interval, the peers' beside it, no text of any row."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from fairwitness.benchmark.report import BenchmarkReport, Figure, SetResult

# Statistics that are not shares are shown as they are.
_PLAIN = frozenset({"AUC", "AUPRC", "Spearman"})
_UNSAID = frozenset({"share", "score", "points", "largest"})


def render(report: BenchmarkReport, *, details: bool = False) -> RenderableType:
    """Return the report as one renderable; figures of parts only where asked for."""
    head = Text(
        f"{report.evaluator_version}, protocol {report.protocol_version}, {report.date}\n"
        f"{report.runtime.cpu}; intervals: 95%, bootstrap over prompts, {report.resamples} draws",
        style="dim",
    )
    table = Table(box=None, pad_edge=False)
    for name in ("set", "figure"):
        table.add_column(name)
    table.add_column("rows", justify="right")
    table.add_column("ours [95%]", justify="right")
    table.add_column("peers")
    for result in report.sets:
        _add(table, result, details)
    return Group(head, table)


def _add(table: Table, result: SetResult, details: bool) -> None:
    if result.status != "measured":
        table.add_row(Text(result.name, style="bold"), Text(result.note, style="yellow"))
        return
    shown = [figure for figure in result.figures if details or not figure.detail]
    for number, figure in enumerate(shown):
        name = Text(result.name, style="bold") if number == 0 else Text("")
        table.add_row(
            name,
            Text(_label(figure)),
            str(figure.count),
            _ours(figure),
            Text(_peers(figure), style="dim"),
        )


def _label(figure: Figure) -> str:
    said = figure.statistic in _UNSAID or figure.statistic.lower() in figure.name.lower()
    return figure.name if said else f"{figure.name} ({figure.statistic})"


def _ours(figure: Figure) -> Text:
    if figure.value is None:
        return Text("not defined", style="yellow")
    low, high = (_shown(bound, figure.statistic) for bound in (figure.low, figure.high))
    return Text(f"{_shown(figure.value, figure.statistic)} [{low}-{high}]")


def _peers(figure: Figure) -> str:
    return ", ".join(f"{peer.name} {_shown(peer.value, figure.statistic)}" for peer in figure.peers)


def _shown(value: float | None, statistic: str) -> str:
    if value is None:
        return "?"
    return f"{value:.3f}" if statistic in _PLAIN else f"{100 * value:.1f}"
