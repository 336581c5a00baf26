"""Measures the evaluator on the sets written for this project: what is found, and what alarms without cause."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairwitness.benchmark import own_sets
from fairwitness.benchmark.false_alarms import Answer
from fairwitness.benchmark.own_sets import OwnRow
from fairwitness.benchmark.row_evaluation import Judged, verdict_of
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.sampling import placed
from fairwitness.benchmark.series import Series, Tick
from fairwitness.benchmark.statistics import MEAN
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.language import is_supported
from fairwitness.evaluator.text import Text
from fairwitness.revision import improve

Measured = Callable[[Sequence[Row], Judged, Tick], list[Series]]
FOUND, ALARMED = "faulty rows with a finding above low", "rows without fault that get one"
UNJUDGED, JUDGED = (
    "other languages said to be out of reach",
    "English, data, code and names so called",
)
REFUSALS, NO_REFUSALS = "refusals recognised", "answers called refusals"
STRAYS, NO_STRAYS = "answers to something else not passed", "answers not passed"
_LABELS = ("answer", "stray", "refusal")
# An answer is also held against the prompt so many places on.
_PLACES_ON = 7
REVISED = "answers revised as they should be"


def found_by(criterion: str, name: str) -> Measured:
    """Return the measure of a set whose rows one criterion must tell apart."""

    def series(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
        def has_finding(row: OwnRow) -> bool:
            judgement = judged.evaluator.judge(criterion, Exchange(row.prompt, row.response))
            return any(item.severity not in {"info", "low"} for item in judgement.findings)

        return _two(own_sets.rows(name), has_finding, ("bad", FOUND), ("good", ALARMED), tick)

    return series


def languages(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return how often a response is said to be in a language that was not measured."""
    return _two(
        own_sets.rows("languages"),
        lambda row: not is_supported(Text(row.response)),
        ("foreign", UNJUDGED),
        ("english", JUDGED),
        tick,
    )


def other_languages(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return, for each measured language, how refusals and answers to something else are told from answers."""
    found = own_sets.rows("other_languages")
    by_language: dict[str, list[OwnRow]] = {}
    for row in found:
        by_language.setdefault(row.kind, []).append(row)
    made = []
    for done, (language, held) in enumerate(sorted(by_language.items()), 1):
        by_label = {label: [row for row in held if row.label == label] for label in _LABELS}
        answers = by_label["answer"]
        swapped = [
            row._replace(prompt=answers[(number + _PLACES_ON) % len(answers)].prompt)
            for number, row in enumerate(answers)
        ]
        strays = [*by_label["stray"], *swapped]
        for title, part, told in (
            (REFUSALS, by_label["refusal"], _refuses),
            (NO_REFUSALS, answers, _refuses),
            (STRAYS, strays, _strays),
            (NO_STRAYS, answers, _strays),
        ):
            points = [
                placed(Answer(language, row.prompt, row.response), told(judged, row))
                for row in part
            ]
            made.append(Series(f"{language}: {title}", MEAN, points))
        tick(done, len(by_language))
    return made


def _refuses(judged: Judged, row: OwnRow) -> bool:
    item = verdict_of(judged.assessed(row.prompt, row.response), "refusal_fit")
    return item.observed in {"refusal", "partial_refusal"}


def _strays(judged: Judged, row: OwnRow) -> bool:
    return verdict_of(judged.assessed(row.prompt, row.response), "relevance").verdict != "pass"


def edits(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return how often a revision says what it must and nothing that it must not."""
    found = own_sets.rows("improvement")
    points = []
    for number, row in enumerate(found, 1):
        revised = improve(judged.assessed, row.prompt, row.response).revised.casefold()
        right = all(words.casefold() in revised for words in row.wanted)
        right = right and not any(words.casefold() in revised for words in row.unwanted)
        points.append(placed(Answer(row.kind, row.prompt, row.response), right))
        tick(number, len(found))
    return [Series(REVISED, MEAN, points)]


def _two(
    rows: Sequence[OwnRow],
    positive: Callable[[OwnRow], bool],
    bad: tuple[str, str],
    good: tuple[str, str],
    tick: Tick,
) -> list[Series]:
    made = []
    for label, title in (bad, good):
        points = [
            placed(Answer(row.kind, row.prompt, row.response), positive(row))
            for row in rows
            if row.label == label
        ]
        made.append(Series(title, MEAN, points))
    tick(len(rows), len(rows))
    return made
