"""The evaluator card's tables, made from the result file of a bench run and the encoder's manifest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fairwitness.benchmark.published import manifest, published
from fairwitness.benchmark.report import Figure, SetResult


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows
    ]
    return "\n".join(lines)


def percent(value: float | None) -> str:
    """Return a share as the card prints it."""
    return "–" if value is None else f"{100 * value:.1f}"


def shown(figure: Figure) -> str:
    """Return a figure with its interval."""
    return f"**{percent(figure.value)}** [{percent(figure.low)}–{percent(figure.high)}]"


def _sets(prefix: tuple[str, ...]) -> Iterator[SetResult]:
    return (
        item for item in published().sets if item.files and item.files[0].name.startswith(prefix)
    )


def benchmark() -> str:
    """Return every public set: ours with its interval, beside what others published on the same rows."""
    rows = [
        (
            f"`{item.name}`",
            figure.name,
            figure.count,
            shown(figure),
            "; ".join(f"{peer.name} {percent(peer.value)}" for peer in figure.peers) or "–",
        )
        for item in _sets(("bench/",))
        for figure in item.figures
        if not figure.detail
    ]
    return _table(("Set", "Figure", "Rows", "Fair Witness, 95% interval", "Others"), rows)


def own_sets() -> str:
    """Return what was measured on training-side rows: false alarms and detectors."""
    rows = [
        (f"`{item.name}`", figure.name, figure.count, shown(figure))
        for item in _sets(("train/",))
        if item.name != "improvement"
        for figure in item.figures
        if not figure.detail
    ]
    return _table(("Measure", "Figure", "Rows", "Share, 95% interval"), rows)


def improvement() -> str:
    """Return how often each edit operator was kept on real answers and what it gained."""
    found = next((item for item in published().sets if item.name == "improvement"), None)
    if found is None:
        return "Not measured in the run these documents are made from."
    by_name = {figure.name: figure for figure in found.figures}
    operators = [
        name.removesuffix(": kept of tried") for name in by_name if name.endswith(": kept of tried")
    ]
    rows = []
    for operator in operators:
        kept, gained = (
            by_name[f"{operator}: kept of tried"],
            by_name.get(f"{operator}: points gained"),
        )
        points = "–" if gained is None else shown(gained)
        rows.append((operator, kept.count, shown(kept), points))
    whole, gain = by_name["answers improved"], by_name["points gained an answer"]
    return (
        f"Of {whole.count} answers with a finding, {shown(whole)} % measured as better after the search; "
        f"over all of them the score rose by {shown(gain)} points.\n\n"
        + _table(
            ("Operator", "Answers tried", "Kept, %, 95% interval", "Points gained by a kept edit"),
            rows,
        )
    )


def calibration() -> str:
    """Return how well each head's probability means what it says, on training-side sources left out."""
    rows = [
        (
            f"`{head}`",
            f"{found['pooled']['ece']:.3f}",
            percent(found["pooled"]["accuracy"]),
            percent(found["pooled"]["covered95"]),
        )
        for head, found in manifest()["held_out"].items()
        if "pooled" in found
    ]
    header = ("Head", "Expected calibration error", "Accuracy, %", "Decided at 95% right, %")
    return _table(header, rows)


def slices() -> str:
    """Return the figures by length and by the set's own parts."""
    rows = [
        (f"`{item.name}`", figure.name, f"{part.by}: {part.part}", part.count, percent(part.value))
        for item in _sets(("bench/",))
        for figure in item.figures[:1]
        for part in figure.slices
        if part.value is not None and part.count >= 20
    ]
    return _table(("Set", "Figure", "Part", "Rows", "%"), rows)


def training_data() -> str:
    """Return what the encoder was trained on."""
    about = manifest()
    rows = [(f"`{name}`", licence) for name, licence in about["data"].items()]
    return (
        f"Base: {about['base']['name']} ({about['base']['licence']}); teacher: {about['teacher']['name']} "
        f"({about['teacher']['licence']}). {about['quantisation']}. SHA-256 of the file: "
        f"`{about['files']['encoder.onnx']['sha256']}`.\n\n" + _table(("Source", "Licence"), rows)
    )


def run() -> str:
    """Return which run the figures are of."""
    report = published()
    return (
        f"Measured on {report.date} by `fairwitness bench` with evaluator `{report.evaluatorVersion}`, "
        f"protocol `{report.protocolVersion}`, on {report.runtime.cpu}; intervals from "
        f"{report.resamples} resamples by prompt, seed {report.seed}."
    )


TABLES = {
    "card run": run,
    "card benchmark": benchmark,
    "card own sets": own_sets,
    "card calibration": calibration,
    "card slices": slices,
    "card data": training_data,
    "improvement": improvement,
}
