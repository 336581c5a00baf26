"""Rules and what changed, made of drawn parts, and lines that apply them rightly or wrongly.

The words come from banks/: `rules` (steps, and a case that falls under one of them), `cases` (a condition and an exception)
and `changes` (what was, and what is).
"""

from __future__ import annotations

import random

from .drawn import capital
from .made_records import FALSE, TRUE
from .tables import filled

#: Twins made for one source.
LINES = 6
Label = tuple[float, float]

APPLIED = (
    "Since {c}, {o}.",
    "As {c}, {o}.",
    "{C}, so {o}.",
    "{O}, because {c}.",
    "- **Your case:** {c}, so {o}.",
    "So {o}: {c}.",
    "If {c}, {o}.",
    "{C}, which means {o}.",
)


def rules(about: dict, rng: random.Random) -> tuple[str, list[tuple[str, Label]]]:
    """A rule with steps at drawn numbers, and cases that fall under one of them."""
    steps, low, high = about["steps"], int(about["number"]["low"]), int(about["number"]["high"])
    cuts = sorted(rng.sample(range(low + 1, high + 1), len(steps) - 1))
    ranges = list(zip([low, *cuts], [c - 1 for c in cuts] + [high], strict=True))
    shown = rng.choice(about["range"])
    parts = [
        filled(
            about["below"][0] if k == 0 else about["above"][0] if k == len(steps) - 1 else shown,
            **{"from": str(a), "to": str(b), "rule": step["rule"]},
        )
        for k, ((a, b), step) in enumerate(zip(ranges, steps, strict=True))
    ]
    if rng.random() < 0.5:
        parts.reverse()
    text = rng.choice(("\n", "\n- ", "; ", ". ")).join(parts)
    if rng.random() < 0.6:
        text = f"{capital(about['subject'])}\n{text}"
    found = []
    for _ in range(LINES):
        at = rng.randrange(len(steps))
        a, b = ranges[at]
        # At the very edges of a step it is easiest to err.
        x = rng.choice((a, b, rng.randint(a, b), rng.randint(a, b)))
        near = [k for k in (at - 1, at + 1) if 0 <= k < len(steps)]
        other = (
            rng.choice(near)
            if rng.random() < 0.6
            else rng.choice([k for k in range(len(steps)) if k != at])
        )
        said, case = rng.choice(APPLIED), filled(rng.choice(about["case"]), x=str(x))
        case = case[:1].lower() + case[1:] if not case.startswith("I ") else case
        for k, label in ((at, TRUE), (other, FALSE)):
            outcome = rng.choice(steps[k]["means"])
            found.append(
                (filled(said, c=case, C=capital(case), o=outcome, O=capital(outcome)), label)
            )
    return text, found


FOLLOWS = (
    "Since {a} and {b}, {o}.",
    "As {a}, and {b}, {o}.",
    "{A} and {b}, so {o}.",
    "{O}, because {a} and {b}.",
    "If {a} and {b}, {o}.",
    "- **In this case:** {a} and {b}, so {o}.",
    "Because {b} and {a}, {o}.",
)


def cases(about: dict, rng: random.Random) -> tuple[str, list[tuple[str, Label]]]:
    """Rules with a condition and an exception, and what follows for somebody from two facts."""
    chosen = rng.sample(about["rules"], min(len(about["rules"]), rng.randint(1, 4)))
    text = rng.choice((" ", "\n", "\n- ")).join(rng.choice(rule["rule"]) for rule in chosen)
    if rng.random() < 0.4:
        text = f"{capital(about['subject'])}\n{text}"
    found = []
    for _ in range(LINES):
        rule = rng.choice(chosen)
        applies, excepted = rng.random() < 0.7, rng.random() < 0.5
        a = rng.choice(rule["applies"]["yes" if applies else "no"])
        b = rng.choice(rule["exception"]["yes" if excepted else "no"])
        right = "granted" if applies and not excepted else "denied"
        said = rng.choice(FOLLOWS)
        for outcome in ("granted", "denied"):
            o = rng.choice(rule[outcome])
            line = filled(said, A=capital(a), a=a, b=b, O=capital(o), o=o)
            found.append((line, TRUE if outcome == right else FALSE))
    return text, found


def changes(about: dict, rng: random.Random) -> tuple[str, list[tuple[str, Label]]]:
    """What was and what is, and lines that take the one for the other, or another thing's."""
    things = rng.sample(about["things"], min(len(about["things"]), rng.randint(2, 5)))
    values = [rng.sample(thing["values"], 2) for thing in things]
    notes = [
        filled(rng.choice(thing["note"]), old=old, new=new)
        for thing, (old, new) in zip(things, values, strict=True)
    ]
    text = rng.choice((" ", "\n", "\n- ")).join(notes)
    if rng.random() < 0.4:
        text = f"{capital(about['subject'])}\n{text}"
    found = []
    for _ in range(LINES):
        at = rng.randrange(len(things))
        (old, new), now = values[at], rng.random() < 0.65
        said = rng.choice(things[at]["now" if now else "before"])
        right, wrong = (new, old) if now else (old, new)
        if rng.random() < 0.2:
            wrong = rng.choice([v for v in things[at]["values"] if v != right])
        found += [(filled(said, v=right), TRUE), (filled(said, v=wrong), FALSE)]
    return text, found
