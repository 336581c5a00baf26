"""How often people agree with a distance between two scores, and which evaluator the published figures are of."""

from __future__ import annotations

from fairwitness.benchmark import published_results
from fairwitness.benchmark.report import BenchmarkReport
from fairwitness.evaluator import protocol
from fairwitness.evaluator.version import evaluator_version
from fairwitness.site.figures import NOT_MEASURED, with_interval
from fairwitness.site.markdown import table


def preferences() -> str:
    """Return the share of pairs in which people prefer the higher score, by distance."""
    report = published_results.distances()
    found = next(item for item in report.sets if item.name == "preference_by_distance")
    rows = [(figure.name, figure.count, with_interval(figure)) for figure in found.figures]
    if not rows:
        return NOT_MEASURED
    header = ("Distance of the two scores", "Pairs", "People prefer the higher, %, 95% interval")
    return f"{table(header, rows)}\n\n{measured_with(report)}"


def measured_with(report: BenchmarkReport) -> str:
    """Say which evaluator a run measured, and whether it is the one that is served."""
    measured, protocol_version = report.evaluator_version, report.protocol_version
    said = f"Measured on {report.date} with evaluator `{measured}`, protocol `{protocol_version}`"
    if (measured, protocol_version) == (evaluator_version(), protocol.shipped().version):
        return f"{said}: the version of this service."
    return (
        f"{said}. This service has evaluator `{evaluator_version()}`, protocol "
        f"`{protocol.shipped().version}`; its figures may differ."
    )


TABLES = {"score distance": preferences}
