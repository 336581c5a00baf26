"""How often a verdict flips when an answer's form changes and its content does not.

Real answers of many sources, every source in turn; each change takes the first MAX_ANSWERS answers it can be
made to. Where the prompt asks for a form, the last three changes are left out: there form is content.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairwitness.benchmark.false_alarms import Answer
from fairwitness.benchmark.form_changes import VARIANTS, Variant
from fairwitness.benchmark.row_evaluation import Judged
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.sampling import answers, in_turn, placed
from fairwitness.benchmark.series import Series, Tick
from fairwitness.benchmark.statistics import MEAN, Point
from fairwitness.contract.evaluation import Evaluation

MAX_ANSWERS = 300
MAX_RESPONSE_CHARS = 2000
# Changes for which few answers have what they change, or whose answers are long.
_MAX_ANSWERS_BY_CHANGE = {
    "other case of headings": 100,
    "two paragraphs swapped": 120,
    "other Unicode form": 120,
}
DATA = (
    "train/quality",
    "train/do_not_answer",
    "train/diasafety",
    "train/coconot",
    "train/jbb_artifacts",
    "train/refusal_stability",
    "train/speechmap_criticism",
    "train/dices",
    "train/gptfuzz_train",
    "train/purseclab_raw",
)
OVERALL, ANY = "overall verdict flips", "a criterion's verdict flips"


def series(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return, for each change and for all, the share of answers whose verdict flips, overall and in any criterion."""
    pool = in_turn(answers(rows, MAX_RESPONSE_CHARS))
    made: list[Series] = []
    by_criterion: dict[str, list[Point]] = {
        spec.id: [] for spec in judged.evaluator.protocol.criteria
    }
    whole: dict[str, list[Point]] = {OVERALL: [], ANY: []}
    total = sum(_MAX_ANSWERS_BY_CHANGE.get(name, MAX_ANSWERS) for name in VARIANTS)
    for name, variant in VARIANTS.items():
        points: dict[str, list[Point]] = {OVERALL: [], ANY: []}
        for number, (answer, changed) in enumerate(_changed(pool, name, variant, judged), 1):
            before = judged.assessed(answer.prompt, answer.response)
            after = judged.assessed(answer.prompt, changed)
            flips = flipped(before, after)
            points[OVERALL].append(placed(answer, before.overall_verdict != after.overall_verdict))
            points[ANY].append(placed(answer, bool(flips)))
            for criterion, held in by_criterion.items():
                held.append(placed(answer, criterion in flips))
            tick(len(whole[ANY]) + number, total)
        for kind, held in points.items():
            whole[kind].extend(held)
            made.append(Series(f"{name}: {kind}", MEAN, held))
    made += [Series(f"all changes together: {kind}", MEAN, held) for kind, held in whole.items()]
    return made + [
        Series(f"all changes together / {name}", MEAN, held, detail=True)
        for name, held in by_criterion.items()
    ]


def flipped(before: Evaluation, after: Evaluation) -> set[str]:
    """Return the criteria whose verdicts differ."""
    return {
        old.criterion_id
        for old, new in zip(before.verdicts, after.verdicts, strict=True)
        if old.verdict != new.verdict
    }


def _changed(
    pool: Sequence[Answer], name: str, variant: Variant, judged: Judged
) -> Iterator[tuple[Answer, str]]:
    limit, count = _MAX_ANSWERS_BY_CHANGE.get(name, MAX_ANSWERS), 0
    for answer in pool:
        if count == limit:
            return
        changed = variant(answer.response)
        if changed is None or (name in _MAX_ANSWERS_BY_CHANGE and asks_for_form(judged, answer)):
            continue
        count += 1
        yield answer, changed


def asks_for_form(judged: Judged, answer: Answer) -> bool:
    """Tell whether the prompt makes a demand that the answer's form must meet."""
    evaluation = judged.assessed(answer.prompt, answer.response)
    return any(
        item.criterion_id == "instruction_following" and item.verdict != "not_applicable"
        for item in evaluation.verdicts
    )
