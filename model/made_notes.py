"""Notes and timelines made of drawn parts, and lines about them that are right or wrong in one thing.

The words come from banks/: `acts` (who does what by when), `chronicles` (what came before what) and `reasons` (what led to
what); `made` also builds the rows of `made_rules`. As in `made_records` every line comes with its twin.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable

from fairwitness.evaluator.readers.sources import PASSAGE

from . import made_rules
from .drawn import DAYS, MONTHS, capital
from .rows import Row
from .wordings import FALSE, LINES, TRUE, Said, bank, filled, marked, titled

CONTEXTS = dict.fromkeys(("acts", "chronicles", "reasons", "rules", "cases", "changes"), 3500)

BEFORE = (
    "{A} before {b}.",
    "Before {b}, {a}.",
    "{A}, and only later did it happen that {b}.",
    "{A} some time before {b}.",
    "{A}; after that, {b}.",
    "First {a}, then {b}.",
    "{B} after {a}.",
    "It was not until {a} that {b}.",
    "{B} only once {a}.",
)
NOUNS_BEFORE = (
    "{A} came before {b}.",
    "{A} preceded {b}.",
    "{B} followed {a}.",
    "{B} came later than {a}.",
    "- {a} → {b}",
    "{A} happened earlier than {b}.",
    "{B} was after {a}.",
    "The order was {a}, then {b}.",
)
FIRST = (
    "{A} came first.",
    "It all began with {a}.",
    "The first thing that happened was {a}.",
    "It started with {a}.",
)
LAST = (
    "{A} came last.",
    "It ended with {a}.",
    "The last thing that happened was {a}.",
    "Everything else happened before {a}.",
)
AT = ("{A} {on} {t}.", "{On} {t}, {a}.", "- **{t}:** {a}", "{A} ({t}).")
ON = {"minutes": "at", "days": "on", "years": "in"}


def _acts(about: dict, rng: random.Random) -> list[Said]:
    """Notes of who does what by when, and lines that give an act to somebody, or a day to it."""
    acts = rng.sample(about["acts"], min(len(about["acts"]), rng.randint(3, 6)))
    filling = []
    for act in acts:
        p, q = rng.sample(about["people"], 2)
        filling.append((act, {"p": p, "q": q, "d": rng.choice(DAYS)}))
    notes = [filled(act["note"], **values) for act, values in filling]
    joint = rng.choice(("\n- ", "\n", ". ", ". ", "; "))
    lead = rng.choice(
        ("", "", capital(about["subject"]) + ":\n", capital(about["subject"]) + "\n\n")
    )
    if joint in (". ", "; "):
        notes = [note.rstrip(".") for note in notes]
    text = (
        lead
        + ("- " if joint == "\n- " else "")
        + joint.join(notes)
        + ("." if joint in (". ", "; ") else "")
    )
    people = [name for name in about["people"] if name.lower() in text.lower()]
    found = []
    for _ in range(LINES):
        act, right = rng.choice(filling)
        said = rng.choice(act["says"])
        wrong = dict(right)
        turn = rng.random()
        if "{q}" in said and turn < 0.5:
            wrong["p"], wrong["q"] = right["q"], right["p"]
        elif "{d}" in said and turn < 0.75:
            wrong["d"] = rng.choice(
                [values["d"] for _, values in filling if values["d"] != right["d"]]
                or [d for d in DAYS if d != right["d"]]
            )
        else:
            # Only who is named elsewhere in the notes, so that the name alone does not reveal the label.
            name = rng.choice([n for n in people if n not in (right["p"], right["q"])] or people)
            place = "q" if "{q}" in said and rng.random() < 0.4 else "p"
            if name == right[place]:
                continue
            wrong[place] = name
        found += [(filled(said, **right), TRUE), (filled(said, **wrong), FALSE)]
    return [(text, said, label) for said, label in found]


def _times(count: int, unit: str, rng: random.Random) -> list[str]:
    if unit == "minutes":
        at = sorted(rng.sample(range(6 * 60, 23 * 60), count))
        return [f"{m // 60:02d}:{m % 60:02d}" for m in at]
    if unit == "years":
        return [str(y) for y in sorted(rng.sample(range(1890, 2025), count))]
    at = sorted(rng.sample(range(12 * 28), count))
    return [f"{d % 28 + 1} {MONTHS[d // 28]}" for d in at]


def _chronicles(about: dict, rng: random.Random) -> list[Said]:
    """What happened in a drawn order, told in order or not, and lines that say what came before what."""
    events = rng.sample(about["events"], min(len(about["events"]), rng.randint(3, 6)))
    unit = about.get("unit", "days")
    times, on = _times(len(events), unit, rng), ON[unit]
    dated = rng.random() < 0.75
    order = list(range(len(events)))
    if dated:
        if rng.random() < 0.25:
            rng.shuffle(order)
        form = rng.choice(
            ("{t} {n}", "{t}: {n}", "- {t} – {n}", "{t}  {n}.", "{n} ({t}).", "[{t}] {n}")
        )
        text = "\n".join(filled(form, t=times[k], n=events[k]["note"].rstrip(".")) for k in order)
    else:
        steps = ("Then", "After that", "Next", "Later")
        text = " ".join(
            f"{'First' if k == 0 else 'In the end' if k == len(events) - 1 else rng.choice(steps)}, {events[k]['past']}."
            for k in order
        )
    text = titled(text, about, rng)
    found = []
    for _ in range(LINES):
        i, j = sorted(rng.sample(range(len(events)), 2))
        turn = rng.random()
        if turn < 0.45:
            said, way = rng.choice(BEFORE), lambda e: e[rng.choice(("past", "other", "other"))]
        elif turn < 0.7:
            said, way = rng.choice(NOUNS_BEFORE), lambda e: e["noun"]
        elif turn < 0.85:
            first = rng.random() < 0.5
            said, way = rng.choice(FIRST if first else LAST), lambda e: e["noun"]
            i, j = (
                (0, rng.randrange(1, len(events)))
                if first
                else (len(events) - 1, rng.randrange(len(events) - 1))
            )
        elif dated:
            said, way = rng.choice(AT), lambda e: e[rng.choice(("past", "other"))]
            a = way(events[i])
            found += [
                (filled(said, A=capital(a), a=a, on=on, On=capital(on), t=t), label)
                for t, label in ((times[i], TRUE), (times[j], FALSE))
            ]
            continue
        else:
            continue
        a, b = way(events[i]), way(events[j])
        found += [
            (filled(said, A=capital(a), a=a, B=capital(b), b=b), TRUE),
            (filled(said, A=capital(b), a=b, B=capital(a), b=a), FALSE),
        ]
    return [(text, said, label) for said, label in found]


TOLD = (
    "{E} because {c}.",
    "{C}, so {e}.",
    "{C}. That is why {e}.",
    "{E}. The reason: {c}.",
    "As {c}, {e}.",
    "{C}; as a result, {e}.",
)
GIVEN = (
    *TOLD,
    "{E}, and that was because {c}.",
    "{E}. It happened because {c}.",
    "- **Why {e}:** {c}.",
    "It was because {c} that {e}.",
    "{E}, the reason being that {c}.",
)
NAMED = (
    "{C} led to {e}.",
    "{E} was caused by {c}.",
    "{C} was behind {e}.",
    "{E} was due to {c}.",
    "The reason for {e} was {c}.",
)


def _reasons(about: dict, rng: random.Random) -> list[Said]:
    """What happened and why, and lines that give each its reason, or another's, or turn the two round."""
    pairs = rng.sample(about["pairs"], min(len(about["pairs"]), rng.randint(2, 5)))
    text = " ".join(
        _reason(rng.choice(TOLD), p["cause"]["past"], p["effect"]["past"]) for p in pairs
    )
    text = titled(text, about, rng)
    found = []
    for _ in range(LINES):
        pair, other = rng.sample(pairs, 2)
        turned = rng.random() < 0.3
        named = rng.random() < 0.4
        said = rng.choice(NAMED if named else GIVEN)
        way = "noun" if named else rng.choice(("past", "other", "other"))
        cause, effect = pair["cause"][way], pair["effect"][way]
        wrong = (effect, cause) if turned else (other["cause"][way], effect)
        found += [(_reason(said, cause, effect), TRUE), (_reason(said, *wrong), FALSE)]
    return [(text, said, label) for said, label in found]


def _reason(said: str, cause: str, effect: str) -> str:
    return filled(said, c=cause, C=capital(cause), e=effect, E=capital(effect))


KINDS: dict[str, Callable[[dict, random.Random], list[Said]]] = {
    "acts": _acts,
    "chronicles": _chronicles,
    "rules": made_rules.rules,
    "cases": made_rules.cases,
    "changes": made_rules.changes,
    "reasons": _reasons,
}


def made(seed: int = 0, contexts: dict[str, int] = CONTEXTS) -> list[Row]:
    """Rows of every kind; all lines about a subject are on one side of the split."""
    rng, rows = random.Random(seed), []
    for kind, make in KINDS.items():
        abouts = bank(kind)
        for number in range(contexts[kind] if abouts else 0):
            about = abouts[number % len(abouts)]
            # What came out both right and wrong says nothing.
            said: dict[tuple[str, str], set] = defaultdict(set)
            for text, line, label in make(about, rng):
                said[text, line].add(label)
            rows += [
                marked(f"made_{kind}", text, line, about["subject"], *labels)
                for (text, line), labels in said.items()
                if len(text) <= PASSAGE and len(labels) == 1
            ]
    return rows
