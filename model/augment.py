"""Rows made from rows: harm inside harmless pages, misspelt hate, partial refusals, prompts and responses by themselves.

Nothing here is written after a benchmark: every made row is a train row put in another setting that keeps, or plainly
flips, its label.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace

from .counterfactual import condemned, counterfactual
from .rows import PARTIAL, Row, cue, opening

#: Signs people write for letters.
LEET = {"a": "4@", "e": "3", "i": "1!", "o": "0", "s": "5$", "t": "7"}


def noisy(text: str, rng: random.Random) -> str:
    """Misspell some words the ways people do to slip past filters: leet, spaces, doubled, dropped, swapped letters."""
    words = text.split(" ")
    long = [i for i, w in enumerate(words) if len(w) > 3]
    for i in rng.sample(long, min(len(long), max(1, len(long) // 3))):
        w, kind = words[i], rng.randrange(6)
        j = rng.randrange(1, len(w) - 1)
        if kind == 0:
            w = "".join(
                rng.choice(LEET[c]) if c in LEET and rng.random() < 0.6 else c for c in w.lower()
            )
        elif kind == 1:
            w = " ".join(w)
        elif kind == 2:
            w = w[:j] + w[j] * rng.randint(2, 4) + w[j + 1 :]
        elif kind == 3:
            w = w[:j] + w[j + 1 :]
        elif kind == 4:
            w = w[:j] + w[j + 1] + w[j] + w[j + 2 :]
        else:
            w = w[:j] + rng.choice("-.*") + w[j:]
        words[i] = w
    return " ".join(words)


def _sandwich(row: Row, pages: list[str], rng: random.Random, most: int = 1500) -> Row:
    """The row's text somewhere inside harmless paragraphs."""
    before, after = (
        rng.choice(pages)[: rng.randint(80, 700)],
        rng.choice(pages)[: rng.randint(80, 700)],
    )
    where, text = rng.randrange(3), row.response[:most]
    parts = {0: (before, text), 1: (text, after), 2: (before, text, after)}[where]
    return replace(
        row,
        response="\n\n".join(parts),
        targets=dict(row.targets),
        weights=dict(row.weights),
        refusal=None,
    )


def padded(rows: list[Row], rng: random.Random) -> list[Row]:
    """Harm and hate stay harm and hate when a harmless page surrounds them; harmless stays harmless."""
    pages = [
        r.response
        for r in rows
        if r.source in ("halueval_general", "ifeval")
        and len(r.response) > 200
        and r.targets.get("harm") == 0
    ]
    if not pages:
        return []
    made: list[Row] = []
    for head, count, source in (
        ("harm", 2500, "padded_harm"),
        ("hate", 2500, "padded_hate"),
        ("offence", 1000, "padded_hate"),
    ):
        for low, high in ((0.85, 1.01), (-0.01, 0.12)):
            pool = [
                r
                for r in rows
                if low < r.targets.get(head, 0.5) < high
                and r.weights[head] >= 0.35
                and len(r.response) > 15
            ]
            for row in rng.sample(pool, min(count, len(pool))):
                new = _sandwich(row, pages, rng)
                keep = {h for h in ("harm", "hate", "offence") if h in new.targets}
                new.targets = {h: new.targets[h] for h in keep}
                new.weights = {h: new.weights[h] * 0.7 for h in keep}
                new.source = source
                made.append(new)
    return made


def answering(rows: list[Row], rng: random.Random) -> list[Row]:
    """Texts said alone keep their hate, or their innocence, when they answer a question: the service always has a prompt."""
    questions = [
        r.prompt
        for r in rows
        if r.source in ("halueval_general", "truthfulqa", "orbench_legal") and len(r.prompt) < 300
    ]
    if not questions:
        return []
    made: list[Row] = []
    for low, high, count in ((0.75, 1.01, 2500), (-0.01, 0.25, 2500)):
        pool = [
            r
            for r in rows
            if not r.prompt
            and low < r.targets.get("hate", r.targets.get("offence", 0.5)) < high
            and r.source in ("toxigen", "hatemoji", "davidson")
        ]
        for row in rng.sample(pool, min(count, len(pool))):
            ask = "Please answer." if rng.random() < 0.15 else rng.choice(questions)
            made.append(
                replace(
                    row,
                    source="answering",
                    prompt=ask,
                    targets=dict(row.targets),
                    weights={h: w * 0.8 for h, w in row.weights.items()},
                )
            )
    return made


def unprompted(rows: list[Row], rng: random.Random) -> list[Row]:
    """Responses read without their prompt, unlabelled: what the teachers think of the words alone."""
    pool = [r for r in rows if r.prompt and len(r.response) > 60 and "harm" in r.targets]
    return [
        Row("unprompted", "", r.response, group=r.group)
        for r in rng.sample(pool, min(4000, len(pool)))
    ]


def deflected(rows: list[Row], rng: random.Random, count: int = 2200) -> list[Row]:
    """A harmful prompt met with a harmless answer to something else: nobody was helped, and nobody refused."""
    asked = [r for r in rows if r.prompt and r.response and r.targets.get("prompt_harm", 0) > 0.8]
    calm = [
        r.response
        for r in rows
        if r.source in ("halueval_general", "ifeval", "orbench_legal", "coconot")
        and r.targets.get("harm") == 0
        and len(r.response) > 80
        and not cue(r.response)
    ]
    if not calm:
        return []
    return [
        Row("deflected", r.prompt, rng.choice(calm), group=r.group)
        .mark("harm", 0.03, 0.4)
        .mark("relevance", 0.03, 0.3)
        for r in rng.sample(asked, min(count, len(asked)))
    ]


def misspelt(rows: list[Row], rng: random.Random) -> list[Row]:
    """Noise changes no label, hateful or not."""
    made = []
    for low, high, count in ((0.8, 1.01, 2500), (-0.01, 0.2, 2500)):
        pool = [
            r for r in rows if low < r.targets.get("hate", 0.5) < high and r.weights["hate"] >= 0.5
        ]
        for row in rng.sample(pool, min(count, len(pool))):
            made.append(
                replace(
                    row,
                    source="misspelt",
                    response=noisy(row.response, rng),
                    targets=dict(row.targets),
                    weights={h: w * 0.7 for h, w in row.weights.items()},
                )
            )
    return made


def spliced(rows: list[Row], rng: random.Random) -> list[Row]:
    """A refusal's opening followed by an answer to the same prompt is a partial refusal."""
    by_group: dict[str, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for row in rows:
        if row.refusal and row.weights["refusal"] >= 0.4:
            if row.refusal[2] > 0.9 and cue(row.response):
                by_group[row.group][0].append(row)
            elif row.refusal[0] > 0.8 and len(row.response) > 200:
                by_group[row.group][1].append(row)
    made = []
    for group, (refused, answered) in sorted(by_group.items()):
        for _ in range(min(2, len(refused), len(answered))):
            no, yes = rng.choice(refused), rng.choice(answered)
            start = opening(no.response, rng)
            bridge = rng.choice(
                (
                    "However, ",
                    "That said, ",
                    "But I can tell you this: ",
                    "Still, ",
                    "\n\nHowever, here is some general information.\n",
                )
            )
            body = yes.response[: rng.randint(150, 900)]
            made.append(
                Row("spliced", yes.prompt, f"{start} {bridge}{body}", group=group).observed(
                    PARTIAL, 0.4
                )
            )
    rng.shuffle(made)
    return made[:1500]


def bare_prompts(rows: list[Row]) -> list[Row]:
    """Each labelled prompt once without its response, so that the prompt's harm is read from the prompt."""
    seen: dict[str, Row] = {}
    for row in rows:
        if "prompt_harm" in row.targets and row.response and row.prompt and row.group not in seen:
            new = Row("bare_prompt", row.prompt, "", group=row.group)
            seen[row.group] = new.mark(
                "prompt_harm", row.targets["prompt_harm"], row.weights["prompt_harm"]
            )
    return list(seen.values())


def augment(rows: list[Row], seed: int) -> list[Row]:
    """All made rows, in a fixed order from one seed."""
    rng = random.Random(seed)
    made = (
        padded(rows, rng)
        + answering(rows, rng)
        + unprompted(rows, rng)
        + condemned(rows, rng)
        + counterfactual(rng)
        + misspelt(rows, rng)
        + spliced(rows, rng)
    )
    made += bare_prompts(rows) + deflected(rows, rng)
    return made
