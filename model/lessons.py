"""Lessons written for this project, and second opinions on rows of the train files, from the files in lessons/.

Both come from a large language model that read or wrote each item by itself (see lessons/README.md). The lessons are contrast
sets: one prompt with responses that deserve different labels, one context with sentences it supports, denies or does not hold. Opinions name a row by a digest of its text, never by the text.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations, product
from pathlib import Path

from fairwitness.evaluator.readers.sources import Source

from .load_grounding import row_against
from .load_quality import BOTH, even
from .rows import BESIDE, BINARY, COMPLY, PARTIAL, REFUSE, Pair, Row, cue, held, key, opening

FOLDER = Path(__file__).parent / "lessons"
TRUST = 0.8
#: Sources of plain answers, and how many of their openings are taught as harmless.
PLAIN, OPENED = ("halueval_general", "ifeval", "truthfulqa"), 5000
#: Where speech to a judge is planted: plain answers and some to requests that are best refused, and into how many.
HOSTS, PLANTED = (*PLAIN, "coconot"), 4
#: What is planted, where it stands without a prompt.
PLANTABLE = ("address", "self_claim", "flattery")
#: Of two responses to one prompt the one with such a fault is the worse.
FAULTS = ("harm", "advice", "hate", "reckless", "self_claim", "flattery", "yielding", "address")
#: By the first letter of what lessons and opinions say.
CLASSES = {"c": COMPLY, "p": PARTIAL, "r": REFUSE}
#: Sources whose labels are people's, or a strong judge's: a second opinion counts as much as theirs. Elsewhere it counts twice
#: as much as the number a machine gave, and replaces the class of refusal that a machine gave.
BY_PEOPLE = {
    "harm": ("gptfuzz", "dices", "jbb_artifacts"),
    "refusal": ("chatgpt_refusals",),
    "hate": ("toxigen", "hatemoji"),
    "offence": ("toxigen", "davidson"),
    "advice": ("diasafety",),
}


#: What a file of sets (`signal-*.jsonl`) says of its yes: the heads that rise, and those that rise where it says no.
SIGNALS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "self_claim": (("self_claim",), ()),
    "flattery": (("flattery",), ()),
    "yielding": (("yielding",), ()),
    "address": (("address",), ()),
    "reckless": (("reckless", "advice"), ()),
    "relevance": (("relevance",), ()),
    "respect": (("hate", "offence"), ()),
    "honest_limits": ((), ("self_claim",)),
}
#: Of a sentence held against its context: support and contradiction. A greeting or a heading claims nothing to support.
HELD: dict[str, dict[str, float]] = {
    "supported": {"support": 0.97, "contradiction": 0.02},
    "contradicted": {"support": 0.02, "contradiction": 0.96},
    "unsupported": {"support": 0.04, "contradiction": 0.05},
    "beside": {"contradiction": 0.02},
}
STANCES = {"comply": "c", "partial": "p", "refuse": "r"}


def _items() -> Iterator[tuple[str, str, dict]]:
    """Every line that holds an object: its source, the signal its file is about, and the item. Bad lines are passed over."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            try:
                item = json.loads(line)
            except ValueError:
                continue
            if isinstance(item, dict):
                # "refusal-b.de" is in German: calibration, which is for English, leaves such sources out.
                written = "language" if "." in path.stem else "lesson"
                yield f"{written}_{path.stem}", path.stem.partition("-")[0], item


def rows() -> list[Row]:
    """Every labelled lesson: single rows, sets of yes and no, sets of stances, sentences held against a context."""
    made = []
    for source, signal, item in _items():
        if "response" in item:
            made.append(_single(source, item))
        elif "context" in item:
            made += _held(source, item, key(item["context"]))
        elif "comply" in item or "refuse" in item:
            made += _stances(source, item)
        elif signal in SIGNALS and ("yes" in item or "no" in item):
            made += _set(source, signal, item)
    return made


def _texts(item: dict, name: str) -> list[str]:
    found = item.get(name) or []
    return [t.strip() for t in found if isinstance(t, str) and t.strip()]


def _single(source: str, item: dict) -> Row:
    prompt, response = item["prompt"], item["response"]
    row = Row(source, prompt, response, group=key(prompt or response))
    for head in BINARY:
        if head in item:
            row.mark(head, _soft(item[head]), TRUST)
    # Bad advice to an innocent question is reckless; help with a harmful one is harm of another kind.
    if "advice" in item and item.get("prompt_harm", 1) < 0.3:
        row.mark("reckless", _soft(item["advice"]), 0.5)
    if "refusal" in item:
        row.observed(CLASSES[item["refusal"][0]], TRUST)
    return row


def _set(source: str, signal: str, item: dict) -> Iterator[Row]:
    prompt = item.get("prompt") or ""
    sides = {value: _texts(item, name) for name, value in (("yes", 0.97), ("no", 0.03))}
    group = key(prompt or " ".join(text for texts in sides.values() for text in texts))
    rising, falling = SIGNALS[signal]
    for value, texts in sides.items():
        for text in texts:
            row = Row(source, prompt, text, group=group)
            for head in rising:
                row.mark(head, value, TRUST)
            for head in falling:
                row.mark(head, 1 - value, TRUST)
            if signal == "respect" and value < 0.5:
                # Not hateful may still be rude.
                row.mark("offence", 0.1, 0.3)
            elif signal == "respect":
                # Contempt for one person is no hate of a group, and some of the sets are of that kind.
                row.mark("hate", 0.85, 0.5)
            yield row


def _stances(source: str, item: dict) -> Iterator[Row]:
    for name, letter in STANCES.items():
        for text in _texts(item, name):
            row = Row(source, item["prompt"], text, group=key(item["prompt"]))
            if "prompt_harm" in item:
                row.mark("prompt_harm", _soft(item["prompt_harm"]), TRUST)
            yield row.observed(CLASSES[letter], TRUST)


def _held(source: str, item: dict, group: str) -> Iterator[Row]:
    context = Source(item["context"], item.get("task", ""))
    for name, targets in HELD.items():
        for text in _texts(item, name):
            row = row_against(source, context.nearest(text), text, group)
            for head, value in targets.items():
                row.mark(head, value, 0.9)
            yield row


def beside(seed: int) -> list[Row]:
    """Every sentence held against its context once more, with another lesson's context before or behind it.

    Real sources say more than what a sentence is about.
    """
    rng = random.Random(seed)
    sides: dict[bool, list[dict]] = defaultdict(list)
    for source, _, item in _items():
        if "context" in item:
            sides[held(source, key(item["context"]))].append(item)
    made = []
    for items in sides.values():
        for item in items:
            both = [item["context"], rng.choice(items)["context"]]
            rng.shuffle(both)
            said = {**item, "context": "\n\n".join(both), "task": ""}
            made += _held(BESIDE, said, key(item["context"]))
    return made


def _soft(value: float) -> float:
    return min(0.98, max(0.02, value))


def mark_plain(gathered: Iterable[Row]) -> None:
    """What the train files hold speaks to no judge; their plain answers neither claim a life, nor flatter, give in or endanger."""
    for row in gathered:
        if row.against:
            continue
        row.mark("address", 0.02, 0.2)
        if row.source in HOSTS:
            for head in ("self_claim", "flattery", "yielding"):
                row.mark(head, 0.03, 0.15)
            for head in ("advice", "reckless"):
                row.mark(head, 0.03, 0.3)


def opened(gathered: Iterable[Row], seed: int) -> list[Row]:
    """The first sentences of plain answers: short everyday advice harms nobody, and must not come to look so."""
    rng = random.Random(seed)
    plain = [r for r in gathered if r.source in PLAIN and not cue(r.response)]
    made = []
    for row in rng.sample(plain, min(OPENED, len(plain))):
        put = Row("opened", row.prompt, opening(row.response, rng), group=row.group)
        for head in ("harm", "advice", "reckless", "hate", "offence"):
            put.mark(head, 0.03, 0.4)
        made.append(put)
    return made


def planted(taught: list[Row], gathered: list[Row], seed: int) -> list[Row]:
    """Speech to a judge, and what only sounds like it, put somewhere into ordinary answers."""
    rng = random.Random(seed)
    hosts = [r for r in gathered if r.source in HOSTS and 80 < len(r.response) < 1500]
    made = []
    for row in taught:
        heads = [head for head in PLANTABLE if head in row.targets]
        if not heads or row.prompt:
            continue
        for host in rng.sample(hosts, min(PLANTED, len(hosts))):
            parts = re.split(r"(?<=[.!?])\s+|\n+", host.response)
            at = rng.choice((0, len(parts), rng.randint(0, len(parts))))
            joint = rng.choice((" ", "\n\n"))
            text = joint.join(
                x for x in (" ".join(parts[:at]), row.response, " ".join(parts[at:])) if x
            )
            put = Row("planted", host.prompt, text, group=row.group)
            made.append(put.mark(heads[0], row.targets[heads[0]], 0.6))
    return made


def pairs(taught: list[Row]) -> list[Pair]:
    """Every written pair, and those that follow from the labels of responses to one prompt."""
    by: dict[str, list[Pair]] = defaultdict(list)
    for source, signal, i in _items():
        written = [(i["better"], i["worse"])] if i.get("better") and i.get("worse") else []
        # No head tells self-contradiction by itself (see LOG.md); the first answer without it is the better one.
        if signal == "self_contradiction":
            written = list(product(_texts(i, "no")[:1], _texts(i, "yes")))
        prompt = i.get("prompt") or ""
        for better, worse in written:
            by[source].append(Pair(source, prompt, better, worse, 0.96, 1.0, BOTH, key(prompt)))
    return [pair for made in by.values() for pair in even(made)] + _implied(taught)


def _implied(taught: list[Row]) -> list[Pair]:
    """Of two responses to one prompt, the one that answers, does no harm, or does not refuse without need is better."""
    by: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in taught:
        if row.prompt and row.response and not row.against:
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

    gains = [gap("relevance"), *(-gap(head) for head in FAULTS)]
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
