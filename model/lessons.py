"""Lessons written for this project, and second opinions on rows of the train files, from the files in lessons/.

Both come from a large language model that read or wrote each item by itself (see lessons/README.md). The lessons are contrast
sets: one prompt with responses that deserve different labels. Opinions name a row by a digest of its text, never by the text.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations
from pathlib import Path

from .rows import BINARY, COMPLY, PARTIAL, REFUSE, Pair, Row, key

FOLDER = Path(__file__).parent / "lessons"
TRUST = 0.8
#: Where speech to a judge is planted: sources of plain answers, and into how many of them.
HOSTS, PLANTED = ("halueval_general", "ifeval", "truthfulqa", "coconot"), 4
#: By the first letter of what lessons and opinions say.
CLASSES = {"c": COMPLY, "p": PARTIAL, "r": REFUSE}
#: Sources whose labels are people's, or a strong judge's: a second opinion counts as much as theirs. Elsewhere it counts twice
#: as much as the number a machine gave, and replaces the class of refusal that a machine gave.
BY_PEOPLE = {
    "harm": ("do_not_answer", "gptfuzz", "dices", "jbb_artifacts"),
    "refusal": ("do_not_answer", "chatgpt_refusals"),
    "hate": ("toxigen", "hatemoji"),
    "offence": ("toxigen", "davidson"),
    "advice": ("diasafety",),
}


def _items(kind: str) -> Iterator[tuple[str, dict]]:
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            item = json.loads(line)
            if ("better" in item) == (kind == "pair"):
                yield f"lesson_{path.stem}", item


def rows() -> list[Row]:
    """Every labelled lesson."""
    made = []
    for source, item in _items("row"):
        prompt, response = item["prompt"], item["response"]
        row = Row(source, prompt, response, group=key(prompt or response))
        for head in BINARY:
            if head in item:
                row.mark(head, _soft(item[head]), TRUST)
        if "refusal" in item:
            row.observed(CLASSES[item["refusal"][0]], TRUST)
        made.append(row)
    return made


def _soft(value: float) -> float:
    return min(0.98, max(0.02, value))


def mark_unaddressed(gathered: Iterable[Row]) -> None:
    """What the train files hold speaks to no judge."""
    for row in gathered:
        row.mark("address", 0.02, 0.2)


def planted(taught: list[Row], gathered: list[Row], seed: int) -> list[Row]:
    """Speech to a judge, and what only sounds like it, put somewhere into ordinary answers."""
    rng = random.Random(seed)
    hosts = [r for r in gathered if r.source in HOSTS and 80 < len(r.response) < 1500]
    made = []
    for row in taught:
        if "address" not in row.targets or row.prompt:
            continue
        for host in rng.sample(hosts, min(PLANTED, len(hosts))):
            parts = re.split(r"(?<=[.!?])\s+|\n+", host.response)
            at = rng.choice((0, len(parts), rng.randint(0, len(parts))))
            joint = rng.choice((" ", "\n\n"))
            text = joint.join(
                x for x in (" ".join(parts[:at]), row.response, " ".join(parts[at:])) if x
            )
            made.append(
                Row("planted", host.prompt, text, group=row.group).mark(
                    "address", row.targets["address"], 0.6
                )
            )
    return made


def pairs(taught: list[Row]) -> list[Pair]:
    """Every written pair, and those that follow from the labels of responses to one prompt."""
    made = [
        Pair(source, i["prompt"], i["better"], i["worse"], 0.96, 1.0, group=key(i["prompt"]))
        for source, i in _items("pair")
    ]
    return _even(made) + _implied(taught)


def _even(made: list[Pair]) -> list[Pair]:
    """Weigh pairs so that the longer answer wins as often as it loses: length must not become the feature."""
    longer = [p for p in made if len(p.a) > len(p.b)]
    share = len(longer) / max(1, len(made))
    for pair in made:
        pair.weight *= min(2.0, 0.5 / max(0.2, share if len(pair.a) > len(pair.b) else 1 - share))
    return made


def _implied(taught: list[Row]) -> list[Pair]:
    """Of two responses to one prompt, the one that answers, does no harm, or does not refuse without need is better."""
    by: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in taught:
        if row.prompt and row.response:
            by[row.source, row.prompt].append(row)
    return [
        Pair(a.source, a.prompt, a.response, b.response, 0.95, 0.5, group=a.group)
        for alike in by.values()
        for a, b in permutations(alike, 2)
        if _better(a, b)
    ]


def _better(a: Row, b: Row) -> bool:
    def gap(head: str) -> float:
        return a.targets.get(head, 0.5) - b.targets.get(head, 0.5)

    gains = [gap("relevance"), -gap("harm"), -gap("advice"), -gap("hate")]
    if a.targets.get("prompt_harm", 0.5) < 0.2 and a.refusal and b.refusal:
        gains.append(a.refusal[0] - b.refusal[0])
    return max(gains) > 0.6 and min(gains) > -0.2


def digest(*texts: str) -> str:
    """What names a row or a pair in the files of opinions."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:20]


def _opinions(name: str) -> dict[str, list[str]]:
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    return {line.split()[0]: line.split()[1:] for line in lines if line}


def correct(gathered: Iterable[Row]) -> int:
    """Join the second opinions with the labels of the rows they are about; how many there were."""
    answers, texts, count = _opinions("judged.txt"), _opinions("judged_texts.txt"), 0
    for row in gathered:
        name = digest(row.prompt, row.response)
        if row.source.startswith("lesson_") or (name not in answers and name not in texts):
            continue
        count += 1
        if name in answers:
            seen, harm = answers[name]
            _hear(row, "harm", harm)
            row.observed(_classes(row, seen), max(TRUST, row.weights.get("refusal", 0)))
        for head, value in zip(("hate", "offence", "advice"), texts.get(name, ()), strict=False):
            _hear(row, head, value)
    return count


def _hear(row: Row, head: str, opinion: str) -> None:
    if opinion == "-":
        return
    value = _soft(float(opinion))
    if head in row.targets:
        theirs = 1 / 2 if row.source in BY_PEOPLE[head] else 1 / 3
        value = (1 - theirs) * value + theirs * row.targets[head]
    row.mark(head, value, max(TRUST, row.weights.get(head, 0)))


def _classes(row: Row, seen: str) -> tuple[float, float, float]:
    told = CLASSES[seen]
    if row.refusal is None or row.source not in BY_PEOPLE["refusal"]:
        return told
    a, b, c = ((x + y) / 2 for x, y in zip(told, row.refusal, strict=True))
    return a, b, c


def correct_pairs(gathered: Iterable[Pair]) -> int:
    """Join the second opinions on preferences with the votes they are about; how many there were."""
    found, count = _opinions("judged_pairs.txt"), 0
    for pair in gathered:
        opinion = found.get(digest(pair.prompt, pair.a, pair.b))
        if opinion is not None:
            count += 1
            pair.p = (2 * float(opinion[0]) + pair.p) / 3
            pair.weight = max(pair.weight, TRUST)
    return count
