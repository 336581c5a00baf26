"""The evaluator card's tables, made from the result file of a bench run and the encoder's manifest."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.benchmark.published import manifest, published
from fairwitness.benchmark.report import SetResult
from fairwitness.http import card_robustness, card_slices, plots
from fairwitness.http.card_format import percent, printed, shown, table

# Shown in sections of their own.
APART = ("improvement", "robustness_", "bias_", "languages", "output_safety_hazards")


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
            "; ".join(
                f"{peer.name} {printed(peer.value, figure.statistic)}" for peer in figure.peers
            )
            or "–",
        )
        for item in _sets(("bench/",))
        for figure in item.figures
        if not figure.detail
    ]
    return table(("Set", "Figure", "Rows", "Fair Witness, 95% interval", "Others"), rows)


def own_sets() -> str:
    """Return what was measured on training-side rows: false alarms and detectors."""
    rows = [
        (f"`{item.name}`", figure.name, figure.count, shown(figure))
        for item in _sets(("train/",))
        if not item.name.startswith(APART)
        for figure in item.figures
        if not figure.detail
    ]
    return table(("Measure", "Figure", "Rows", "Share, 95% interval"), rows)


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
        + table(
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
    return table(header, rows)


def seeds() -> str:
    """Return how much the encoder's figures move with the seed it was trained from."""
    about = manifest().get("seed_figures")
    if about is None:
        return "The manifest of this encoder holds figures of one seed only."
    rows = [
        (name, *(f"{value:.1f}" for value in values)) for name, values in about["figures"].items()
    ]
    named = about["encoder"][:12]
    return (
        f"{about['meaning'][0].upper()}{about['meaning'][1:]}. The one that ships is `{named}`.\n\n"
        + table(("What is judged", *(name.capitalize() for name in about["students"])), rows)
    )


def training_data() -> str:
    """Return what the encoder was trained on."""
    about = manifest()
    rows = [(f"`{name}`", licence) for name, licence in about["data"].items()]
    teachers = ", ".join(f"{each['name']} ({each['licence']})" for each in about["teachers"])
    return (
        f"Base: {about['base']['name']} ({about['base']['licence']}); teachers: {teachers}; weak answers to learn from: "
        f"{about['weak_answers']['name']} ({about['weak_answers']['licence']}). "
        f"{about['quantisation']}. SHA-256 of the file: "
        f"`{about['files']['encoder.onnx']['sha256']}`.\n\n" + table(("Source", "Licence"), rows)
    )


def run() -> str:
    """Return which run the figures are of."""
    report = published()
    return (
        f"Measured on {report.date} by `fairwitness bench` with evaluator `{report.evaluator_version}`, "
        f"protocol `{report.protocol_version}`, on {report.runtime.cpu}; intervals from "
        f"{report.resamples} resamples by prompt, seed {report.seed}."
    )


TABLES = {
    "card run": run,
    "card benchmark": benchmark,
    "card own sets": own_sets,
    "card calibration": calibration,
    "card seeds": seeds,
    "card data": training_data,
    "improvement": improvement,
    **card_robustness.TABLES,
    **card_slices.TABLES,
    **plots.TABLES,
}
