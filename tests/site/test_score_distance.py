"""What the Arena's headline may claim: the figures stand on its page, with the version they are of."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from fairwitness.benchmark import published_results
from fairwitness.benchmark.rankings import DISTANCES
from fairwitness.evaluator import protocol
from fairwitness.evaluator.version import evaluator_version
from fairwitness.site import score_distance
from fairwitness.site.figures import with_interval
from fairwitness.site.pages import doc_pages


def agreed() -> list[tuple[int, bool]]:
    """Return where each band begins, and whether people agree in it: in two of three pairs, and surely in more than half."""
    (found,) = published_results.distances().sets
    return [
        (start, (figure.value or 0) >= 2 / 3 and (figure.low or 0) > 0.5)
        for start, figure in zip(DISTANCES, found.figures, strict=True)
    ]


def test_the_headline_speaks_only_where_people_agree() -> None:
    script = resources.files("fairwitness.web").joinpath("app/standings.js").read_text("utf-8")
    found = re.search(r"^export const CLEAR_DIFFERENCE = (\d+);$", script, re.MULTILINE)
    assert found is not None
    clear = int(found[1])
    assert clear in DISTANCES
    # From there on people agree in every band, and not yet in the band before.
    assert all(agree for start, agree in agreed() if start >= clear)
    assert not [agree for start, agree in agreed() if start < clear][-1]
    page = doc_pages()["/docs/arena.md"].body.decode()
    assert f'"No clear difference" below {clear} points' in page


def test_the_page_shows_every_figure_and_its_version() -> None:
    page = doc_pages()["/docs/arena.md"].body.decode()
    report = published_results.distances()
    (found,) = report.sets
    for figure in found.figures:
        assert f"| {figure.name} | {figure.count} | {with_interval(figure)} |" in page
    assert report.evaluator_version in page
    assert evaluator_version() in page


@pytest.mark.parametrize("same", [True, False])
def test_a_run_of_another_version_is_called_that(
    same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = published_results.distances()
    version = report.evaluator_version if same else "0.1.0+code.other"
    monkeypatch.setattr(score_distance, "evaluator_version", lambda: version)
    monkeypatch.setattr(
        protocol,
        "shipped",
        lambda: type("Shipped", (), {"version": report.protocol_version}),
    )
    said = score_distance.measured_with(report)
    assert ("the version of this service" in said) == same
    assert ("its figures may differ" in said) != same
