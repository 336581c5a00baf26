"""The evaluator card's tables, made from the result file of a benchmark run and the encoder's manifest."""

from __future__ import annotations

from fairwitness.benchmark import published_results
from fairwitness.benchmark.published_results import manifest
from fairwitness.site import evaluator_card_robustness, evaluator_card_slices, plots
from fairwitness.site.figures import (
    NOT_MEASURED,
    main_figures,
    measured,
    peers,
    percent,
    sets_of,
    with_interval,
)
from fairwitness.site.markdown import table
from fairwitness.site.score_distance import measured_with

# Shown in sections of their own.
APART = ("improvement", "robustness_", "bias_", "languages", "output_safety_hazards")


def benchmark() -> str:
    """Return every public set: ours with its interval, beside what others published on the same rows."""
    rows = [
        (
            f"`{item.name}`",
            figure.name,
            figure.count,
            with_interval(figure),
            "; ".join(peers(figure)) or "–",
        )
        for item in sets_of("bench")
        for figure in main_figures(item)
    ]
    return table(("Set", "Figure", "Rows", "Fair Witness, 95% interval", "Others"), rows)


def own_sets() -> str:
    """Return what was measured on training-side rows: false alarms and detectors."""
    rows = [
        (f"`{item.name}`", figure.name, figure.count, with_interval(figure))
        for item in sets_of("train")
        if not item.name.startswith(APART)
        for figure in main_figures(item)
    ]
    return table(("Measure", "Figure", "Rows", "Share, 95% interval"), rows)


def written_sets() -> str:
    """Return what was measured on the sets written for this project."""
    rows = [
        (f"`{item.name}`", figure.name, figure.count, with_interval(figure))
        for item in published_results.results().sets
        if item.name.startswith("own_") and item.status == "measured"
        for figure in main_figures(item)
    ]
    header = ("Set", "Figure", "Rows", "Share, 95% interval")
    return table(header, rows) if rows else NOT_MEASURED


def improvement() -> str:
    """Return how often each edit operator was kept on real answers and what it gained."""
    found = measured("improvement")
    if found is None:
        return NOT_MEASURED
    by_name = {figure.name: figure for figure in found.figures}
    rows = []
    for name, kept in by_name.items():
        operator, of_tried, _ = name.partition(": kept of tried")
        if of_tried:
            gained = by_name.get(f"{operator}: points gained")
            points = "–" if gained is None else with_interval(gained)
            rows.append((operator, kept.count, with_interval(kept), points))
    answers, gain = by_name["answers improved"], by_name["points gained an answer"]
    return (
        f"Of {answers.count} answers with a finding, {with_interval(answers)} % scored higher after the search; "
        f"over all of them the score rose by {with_interval(gain)} points.\n\n"
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


def with_teacher() -> str:
    """Return the model's figures on held-out rows of its training files, beside those of its teacher."""
    about = manifest()["with_teacher"]
    rows = [
        (name, *(f"{value:.1f}" for value in values)) for name, values in about["figures"].items()
    ]
    named = about["encoder"][:12]
    return (
        f"{about['meaning'][0].upper()}{about['meaning'][1:]}. The one that ships is `{named}`.\n\n"
        + table(("What is judged", *about["names"]), rows)
    )


def training_data() -> str:
    """Return what the encoder was trained on."""
    about = manifest()
    rows = [(f"`{name}`", licence) for name, licence in about["data"].items()]
    files = ", ".join(f"`{name}` `{said['sha256']}`" for name, said in about["files"].items())
    teachers = ", ".join(f"{each['name']} ({each['licence']})" for each in about["teachers"])
    return (
        f"Base: {about['base']['name']} ({about['base']['licence']}); teacher: {teachers}. "
        f"{about['quantisation']}. SHA-256 of the files: {files}.\n\n"
        + table(("Source", "Licence"), rows)
    )


def run() -> str:
    """Return which run the figures are of."""
    report = published_results.results()
    return (
        f"{measured_with(report)} Run by `fairwitness benchmark` on {report.runtime.cpu}; intervals from "
        f"{report.resamples} resamples by prompt, seed {report.seed}."
    )


TABLES = {
    "card run": run,
    "card benchmark": benchmark,
    "card own sets": own_sets,
    "card written sets": written_sets,
    "card calibration": calibration,
    "card with teacher": with_teacher,
    "card data": training_data,
    "improvement": improvement,
    **evaluator_card_robustness.TABLES,
    **evaluator_card_slices.TABLES,
    **plots.TABLES,
}
