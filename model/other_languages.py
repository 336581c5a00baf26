"""Questions of other languages with their answers, with refusals, and with answers to another question, from languages/*.txt.

The first line of a file holds refusals, each further line `question|answer|topic`; a refusal names the topic where it can.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from .rows import COMPLY, REFUSE, Row, held, key

FOLDER = Path(__file__).parent / "languages"
TRUST, REFUSED, STRANGE = 0.7, 1, 1


def rows(seed: int = 0) -> Iterator[Row]:
    """Answered, refused, and answered beside the point."""
    rng = random.Random(seed)
    for path in sorted(FOLDER.glob("*.txt")):
        first, *lines = path.read_text("utf-8").splitlines()
        refusals = [part.strip() for part in first.removeprefix("!").split("|")]
        items = [line.split("|") for line in lines if line]
        source = f"language_{path.stem}"
        for question, answer, topic in items:
            group = key(path.stem + str(items.index([question, answer, topic])))
            fits = Row(source, question, answer, group=group).mark("relevance", 0.97, TRUST)
            yield fits.observed(COMPLY, TRUST).mark("harm", 0.02, 0.3).mark("hate", 0.02, 0.3)
            for refusal in rng.sample(refusals, REFUSED):
                row = Row(source, question, refusal.format(topic), group=group)
                yield row.observed(REFUSE, TRUST).mark("harm", 0.02, 0.3)
            others = [a for q, a, _ in items if q != question]
            for other in rng.sample(others, STRANGE):
                yield Row(source, question, other, group=group).mark("relevance", 0.03, TRUST)


def swapped(taught: Iterable[Row], seed: int = 0) -> Iterator[Row]:
    """Prompts of the lessons in other languages, each with two answers to other prompts of its language."""
    rng = random.Random(seed)
    by: dict[str, list[Row]] = defaultdict(list)
    for row in taught:
        if row.source.startswith("language_"):
            by[row.source.rpartition(".")[2]].append(row)
    for code, rows in sorted(by.items()):
        prompts = {row.prompt: row for row in rows}
        # A refusal fits every prompt alike.
        answers = [row for row in rows if row.targets.get("relevance", 0) > 0.5]
        for prompt, row in prompts.items():
            for other in rng.sample(answers, STRANGE + 1):
                # What stays on its side of the split is the prompt, and what is swapped in comes from the same side.
                source = f"language_swapped.{code}"
                if other.prompt != prompt and held(source, other.group) == held(source, row.group):
                    put = Row(source, prompt, other.response, group=row.group)
                    yield put.mark("relevance", 0.02, TRUST)
