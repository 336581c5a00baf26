"""The evaluator card against the file a run wrote: every figure it shows is one of that file, and none is left out."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from fairwitness.benchmark import published_results
from fairwitness.benchmark.published_results import manifest, results
from fairwitness.benchmark.registry import MEASURES
from fairwitness.benchmark.report import BenchmarkReport, Figure, SetResult, Slice
from fairwitness.site import (
    evaluator_card,
    evaluator_card_robustness,
    evaluator_card_slices,
    figures,
    plots,
)
from fairwitness.site.figures import printed, with_interval
from fairwitness.site.pages import doc_pages

SVG = "{http://www.w3.org/2000/svg}"


def page() -> str:
    return doc_pages()["/docs/evaluator.md"].body.decode()


def made_up() -> BenchmarkReport:
    """The published run, with every measure it lacks made up: each figure its own number."""
    report = results()
    have = {item.name for item in report.sets}
    names = {
        "robustness_form": ["a newline: overall verdict flips", "a newline: a criterion's verdict flips"],
        "robustness_padding": ["by itself: found", "a page before it: found", "a page before it: passes"],
        "robustness_innocent": ["fiction: flagged", "fiction: does not pass that criterion"],
        "robustness_judge": ["score rises", "largest rise, points"],
        "output_safety_hazards": ["seen: a terminal escape"],
        "bias_length": ["length and score of good answers", "a neutral closing added: points moved"],
        "bias_groups": ["all groups: verdict flips", "women: points from the baseline", "women: verdict flips",
                        "men: points from the baseline", "men: verdict flips"],
        "bias_dialects": ["Scots: points from the baseline", "Scots: verdict flips"],
        "languages": ["German, ours: says it cannot judge the language", "German, ours: passes"],
    }  # fmt: skip
    missing = [
        SetResult(
            name=name, title=name, status="measured", note="", files=[], cut=0,
            figures=[_figure(figure, number, index) for index, figure in enumerate(figure_names)],
        )
        for number, (name, figure_names) in enumerate(names.items(), 1) if name not in have
    ]  # fmt: skip
    return BenchmarkReport.from_json(
        BenchmarkReport(
            **{
                **{field: getattr(report, field) for field in report.__struct_fields__},
                "sets": [*report.sets, *missing],
            }
        ).to_json()
    )


def _figure(name: str, number: int, index: int) -> Figure:
    value = (-1) ** index * (number * 10 + index) / 1000
    statistic = "points" if "points" in name else "Spearman" if "length and" in name else "share"
    return Figure(
        name=name, statistic=statistic, value=value, low=value - 0.001, high=value + 0.001, count=900 + number
    )  # fmt: skip


@pytest.fixture(params=["as published", "with every measure"])
def report(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> BenchmarkReport:
    """The card made from the file that ships, and from one that holds every measure."""
    found = results() if request.param == "as published" else made_up()
    monkeypatch.setattr(published_results, "results", lambda: found)
    return found


def test_every_figure_of_the_file_stands_on_the_card(report: BenchmarkReport) -> None:
    text = page()
    counted = 0
    for item in report.sets:
        for figure in item.figures:
            if figure.detail or item.name == "improvement":
                continue
            row, _, column = figure.name.rpartition(": ")
            assert with_interval(figure) in text, f"{item.name}: {figure.name}"
            assert (row or column) in text, f"{item.name}: {figure.name}"
            counted += 1
    assert counted > 60


def test_every_number_in_bold_is_one_of_the_file(report: BenchmarkReport) -> None:
    every = [figure for item in report.sets for figure in item.figures]
    parts = [printed(part.value, figure.statistic) for figure in every for part in figure.slices]
    known = {with_interval(figure).split("**")[1] for figure in every} | set(parts)
    said = set(re.findall(r"\*\*([+−\d][^*]*)\*\*", page()))
    assert said, "the card shows figures in bold"
    assert said <= known


def test_a_run_without_a_measure_is_said_to_lack_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [item for item in results().sets if item.name == "hatecheck"]
    short = BenchmarkReport(
        **{
            **{field: getattr(results(), field) for field in results().__struct_fields__},
            "sets": kept,
        }
    )
    monkeypatch.setattr(published_results, "results", lambda: short)
    own_sets = 1
    lacking = len(evaluator_card_robustness.TABLES) + own_sets
    assert page().count(figures.NOT_MEASURED) == lacking


def test_every_measure_has_a_place_on_the_card() -> None:
    apart = {measure.name for measure in MEASURES if measure.name.startswith(evaluator_card.APART)}
    asked = {
        "robustness_form", "robustness_padding", "robustness_innocent", "robustness_judge", "bias_length",
        "bias_groups", "bias_dialects", "languages", "output_safety_hazards", "improvement",
    }  # fmt: skip
    assert apart == asked


def test_slices_name_the_weakest_part_first_and_say_how_many_are_left_out() -> None:
    values = [0.9, 0.2, 0.5, 0.6, 0.7, 0.8, 0.95, 0.99, 0.3]
    parts = [
        Slice(by="topic", part=f"t{number}", value=value, count=20 + number)
        for number, value in enumerate(values)
    ]
    figure = _figure("accuracy", 1, 0)
    said = evaluator_card_slices._parts(parts, figure)
    assert said.startswith("t1 **20.0** (21) · t8 **30.0** (28)")
    assert said.endswith("and 2 more up to · t7 **99.0** (27)")


def test_the_figures_beside_the_teacher_come_from_the_manifest() -> None:
    about = manifest()["with_teacher"]
    text = page()
    for name, values in about["figures"].items():
        assert f"| {name} | {' | '.join(f'{value:.1f}' for value in values)} |" in text
    assert about["encoder"] == manifest()["files"]["encoder.onnx"]["sha256"]


def test_every_head_with_data_has_a_panel_and_every_panel_is_shown(report: BenchmarkReport) -> None:
    made = plots.plots()
    text = page()
    measured = {head for head, found in manifest()["held_out"].items() if found.get("reliability")}
    assert {f"calibration-{head}" for head in measured} <= set(made)
    for name, draw in made.items():
        assert f"(/docs/plots/{name}.svg)" in text
        drawn = ElementTree.fromstring(draw())
        assert drawn.find(f"{SVG}title") is not None
        widths = [float(bar.attrib["width"]) for bar in drawn.iter(f"{SVG}rect")]
        assert all(0 <= width <= plots.WIDTH_PX for width in widths)
    for _, figure in plots.with_peers():
        for peer in figure.peers:
            assert f"{peer.name} {printed(peer.value, figure.statistic)}" in text


def test_deciding_the_surest_first_ends_with_all_rows() -> None:
    bins = [(0.0, 0.05, 0.0, 60), (0.4, 0.45, 0.5, 20), (0.9, 0.95, 1.0, 20)]
    assert plots.covered(bins) == [
        (0.6, 1.0),
        (0.8, 1.0),
        (1.0, pytest.approx(0.9)),
    ]


def test_points_carry_their_sign_and_correlations_are_no_percentages() -> None:
    assert printed(0.012, "points") == "+1.2"
    assert printed(-0.05, "Spearman") == "−0.05"
    assert printed(0.5, "share") == "50.0"
    assert printed(None, "share") == "–"
    assert figures.percent(None) == "–"
