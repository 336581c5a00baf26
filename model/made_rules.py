"""Rules and what changed, made of drawn parts, and lines that apply them rightly or wrongly.

The words come from banks/: `rules` (steps, and a case that falls under one of them), `cases` (a condition and an exception)
and `changes` (what was, and what is).
"""

from __future__ import annotations

import random
import re

from fairwitness.evaluator.readers.sources import Source

from .drawn import capital
from .wordings import FALSE, LINES, TRUE, Said, filled, listed, titled

#: How a request that tells a case goes on.
ASKED = ("What follows?", "What applies to this case?")
#: A wording that states a limit can be true of a wrong value, too: "nobody after 8 pm" where it is 7 pm.
LIMIT = re.compile(
    r"\b(?:up to|at (?:most|least)|no (?:more|less|fewer)|(?:more|less|fewer|later|longer) than|after|before|until|above|below"
    r"|over|under|within|nobody|anything|maximum|minimum|exceed\w*|limit\w*)\b",
    re.I,
)


#: A conclusion for a case that the request tells; and one that tells the case itself.
APPLIED = (
    "Since {c}, {o}.",
    "As {c}, {o}.",
    "{C}, so {o}.",
    "{O}, because {c}.",
    "- **Your case:** {c}, so {o}.",
    "So {o}: {c}.",
    "{C}, which means {o}.",
    "{O}.",
)
SUPPOSED = ("If {c}, {o}.", "{O} if {c}.", "- if {c}: {o}", "Suppose {c}: then {o}.")
#: For a case that is no clause: "with 12 days to go".
ADDED = ("{C}, {o}.", "{O} {c}.", "- {c}: {o}")


def rules(about: dict, rng: random.Random) -> list[Said]:
    """A rule with steps at drawn numbers, and cases that fall under one of them."""
    steps, low, high = about["steps"], int(about["number"]["low"]), int(about["number"]["high"])
    # Two apart, so that no step is "5 to 5".
    cuts = sorted(rng.sample(range(low + 2, high, 2), len(steps) - 1))
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
    text, found = titled(listed(parts, rng), about, rng), []
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
        case = filled(rng.choice(about["case"]), x=str(x))
        told = rng.random() < 0.6
        said = rng.choice(
            ADDED if case.startswith(("With ", "At ")) else APPLIED if told else SUPPOSED
        )
        asked = f"{capital(case)}. {rng.choice(ASKED)}" if told else ""
        case = case[:1].lower() + case[1:] if not case.startswith("I ") else case
        for k, label in ((at, TRUE), (other, FALSE)):
            outcome = rng.choice(steps[k]["means"])
            line = filled(said, c=case, C=capital(case), o=outcome, O=capital(outcome))
            found.append((Source(text, asked).nearest(line), line, label))
    return found


FOLLOWS = (
    "Since {a} and {b}, {o}.",
    "{A} and {b}, so {o}.",
    "{O}, because {a} and {b}.",
    "- **In this case:** {o}, as {b}.",
    "{O}.",
    "As {b}, {o}.",
)
WOULD = ("If {a} and {b}, {o}.", "{O} if {a} and {b}.", "- if {a} and {b}: {o}")


def cases(about: dict, rng: random.Random) -> list[Said]:
    """Rules with a condition and an exception, and what follows for somebody who meets the condition.

    What holds for those who do not meet it, such a rule mostly leaves open.
    """
    chosen = rng.sample(about["rules"], min(len(about["rules"]), rng.randint(1, 4)))
    text = titled(listed([rng.choice(rule["rule"]) for rule in chosen], rng), about, rng)
    found = []
    for _ in range(LINES):
        rule = rng.choice(chosen)
        excepted, told = rng.random() < 0.5, rng.random() < 0.6
        a = rng.choice(rule["applies"]["yes"])
        b = rng.choice(rule["exception"]["yes" if excepted else "no"])
        asked = f"{capital(a)}, and {b}. {rng.choice(ASKED)}" if told else ""
        said = rng.choice(FOLLOWS if told else WOULD)
        for outcome in ("granted", "denied"):
            o = rng.choice(rule[outcome])
            line = filled(said, A=capital(a), a=a, b=b, O=capital(o), o=o)
            right = (outcome == "denied") == excepted
            found.append((Source(text, asked).nearest(line), line, TRUE if right else FALSE))
    return found


def changes(about: dict, rng: random.Random) -> list[Said]:
    """What was and what is, and lines that confuse the two, or give a third value."""
    things = rng.sample(about["things"], min(len(about["things"]), rng.randint(2, 5)))
    values = [rng.sample(thing["values"], 2) for thing in things]
    notes = [
        filled(rng.choice(thing["note"]), old=old, new=new)
        for thing, (old, new) in zip(things, values, strict=True)
    ]
    text, found = titled(listed(notes, rng), about, rng), []
    for _ in range(LINES):
        at = rng.randrange(len(things))
        (old, new), now = values[at], rng.random() < 0.65
        said = rng.choice(things[at]["now" if now else "before"])
        right, wrong = (new, old) if now else (old, new)
        if LIMIT.search(said):
            continue
        if rng.random() < 0.2:
            wrong = rng.choice([v for v in things[at]["values"] if v != right])
        found += [(text, filled(said, v=right), TRUE), (text, filled(said, v=wrong), FALSE)]
    return found
