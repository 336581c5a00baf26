"""Contexts made of facts that can be said in several ways, and sentences that say the same, the opposite or something else.

A line of frames/*.txt holds the wordings of a fact, of its opposite, and of what neither says: `A | A // B | B // other`.
Every wording stands as often in a context as in a sentence, and as often true as false: no word gives the label away.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .drawn import DAYS, MONTHS, SMALL
from .load_grounding import row_against
from .rows import Row

FOLDER = Path(__file__).parent / "frames"
TRUST, CONTEXTS = 0.7, 4200
#: Support and contradiction.
SAME, OPPOSITE, OTHER, MAYBE = (0.97, 0.02), (0.02, 0.96), (0.04, 0.05), (0.05, 0.5)
SLOT = re.compile(r"\{(\w+)\}")
#: Another number is false; another day, month, town or person may be true besides.
DENYING, OPEN = ("n", "y", "h", "lo", "hi"), ("w", "m", "c", "p")
TOWNS = "Lisbon Oslo Leeds Porto Ghent Utrecht Malmö Turin Galway Brno Tartu Nairobi Osaka Quito Adelaide Halifax Pune Lyon Cork Graz".split()
FIRST = "Anna Ben Chidi Dolores Emre Fatima Goran Hana Ines Jonas Keiko Liam Mei Noor Olga Pablo Rosa Sven Tariq Uma Viktor Wen Yara Zoe".split()
LAST = "Adeyemi Brandt Costa Dufour Eriksen Farouk Gomez Haddad Ivanova Jansen Kowalski Lindqvist Moreau Nakamura Okafor Petrov Quinn Rossi Silva Tanaka".split()
SUBJECTS = {
    "company": "Marlow & Finch|Brightwell Dairies|the Norden Group|Halden Software|Pelican Foods|Orchard Bank|the Tessera company|Kite Airlines|Redfern Textiles|Baltic Timber|the publisher Larkspur|Vela Motors",
    "place": "the Corn Exchange|Millbrook Castle|the Harbour Museum|Eastfield|the old mill|Saint Olaf's tower|the Linden baths|Port Haven|the market hall|Ravensby|the lighthouse|Fern Valley",
    "event": "street festival|book fair|spring concert|chess tournament|food market|open day|charity run|science slam|film night|village fete|conference|quiz evening",
    "product": "kettle|drill|baby monitor|garden lamp|headset|cereal bar|tent|blender|watch|scooter|face cream|lantern",
    "work": "website project|payroll system|office move|annual report|warehouse plan|customer survey|booking tool|training course|mobile app|audit|newsletter|intranet",
    "science": "marsh beetles|ridge goats|river otters|grey terns|cave bats|silver carp|hill foxes|sand lilies|wood mice|reed frogs|stone crabs|meadow plants",
    "news": "bypass|new stadium|tram line|housing scheme|demonstration|city fair|pool closure|wind park|school reform|bridge repair|curfew|merger of the two towns",
    "travel": "night train|airport shuttle|lake ferry|cable car|express|coach tour|island boat|mountain railway|water taxi|day trip",
    "policy": "",
    "person": "",
    "health": "",
}
ASIDE = (
    "According to the text, {}",
    "The text says that {}",
    "It says that {}",
    "As stated, {}",
    "We learn that {}",
    "{} (see above)",
    "In short, {}",
)
OPENINGS = (
    "",
    "",
    "",
    "Notes: ",
    "From the file: ",
    "Hi all, ",
    "Summary. ",
    "To whom it may concern: ",
)


@dataclass(slots=True)
class Frame:
    """The two ways a fact can stand, each in several wordings, and what neither says."""

    ways: tuple[list[str], list[str]]
    other: list[str]


@dataclass(slots=True)
class Fact:
    """A frame about somebody or something, one of its two ways, its values, and the wording the context uses."""

    frame: Frame
    way: int
    values: dict[str, str]
    said: str = field(default="")


def frames() -> dict[str, list[Frame]]:
    """All frames by domain."""
    found = {}
    for path in sorted(FOLDER.glob("*.txt")):
        lines = [line.split("//") for line in path.read_text("utf-8").splitlines() if line]
        parts = [[[w.strip() for w in part.split("|")] for part in line] for line in lines]
        found[path.stem] = [Frame((a, b), other) for a, b, other in parts]
    return found


def _values(domain: str, rng: random.Random) -> dict[str, str]:
    """What fills the slots of one context."""
    low = rng.randint(11, 80)
    subject = rng.choice(SUBJECTS[domain].split("|")) or f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    return {
        "s": subject,
        "p": f"{rng.choice(FIRST)} {rng.choice(LAST)}",
        "c": rng.choice(TOWNS),
        **_numbers(rng),
        "lo": str(low),
        "hi": str(low + rng.randint(4, 60)),
    }


def _numbers(rng: random.Random) -> dict[str, str]:
    return {
        "n": str(rng.choice((rng.randint(3, 20), rng.randint(20, 400)))),
        "y": str(rng.randint(1890, 2022)),
        "w": rng.choice(DAYS),
        "m": rng.choice(MONTHS),
        "h": f"{rng.randint(6, 22)}:{rng.choice(('00', '15', '30', '45'))}",
    }


def _fill(wording: str, values: dict[str, str], rng: random.Random) -> str:
    def one(match: re.Match) -> str:
        value = values[match.group(1)]
        small = value.isdigit() and int(value) <= 20 and rng.random() < 0.4
        return SMALL[int(value)] if small else value

    text = SLOT.sub(one, wording)
    return text[0].upper() + text[1:]


def _changed(
    fact: Fact, rng: random.Random
) -> tuple[str, dict[str, str], tuple[float, float]] | None:
    """The same in other words with one value changed, where the context names that value."""
    named = set(SLOT.findall(fact.said))
    for wording in rng.sample(fact.frame.ways[fact.way], len(fact.frame.ways[fact.way])):
        shared = [s for s in SLOT.findall(wording) if s in named and s in (*DENYING, *OPEN)]
        if not shared or wording == fact.said:
            continue
        slot = rng.choice(shared)
        values = dict(fact.values)
        for _ in range(20):
            new = _values("person", rng)[slot]
            if new != values[slot]:
                break
        values[slot] = new
        if int(values["lo"]) >= int(values["hi"]):
            continue
        return wording, values, OPPOSITE if slot in DENYING else MAYBE
    return None


def _claims(
    facts: list[Fact], absent: list[Frame], rng: random.Random
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Sentences to hold against the context of these facts."""
    values = facts[0].values
    for fact in rng.sample(facts, min(4, len(facts))):
        named = set(SLOT.findall(fact.said))
        mine = [
            w
            for w in fact.frame.ways[fact.way]
            if w != fact.said and named.issuperset(SLOT.findall(w))
        ]
        if mine:
            yield _fill(rng.choice(mine), fact.values, rng), SAME
        yield _fill(rng.choice(fact.frame.ways[1 - fact.way]), fact.values, rng), OPPOSITE
        if rng.random() < 0.5 and (new := _changed(fact, rng)):
            yield _fill(new[0], new[1], rng), new[2]
        if rng.random() < 0.5:
            yield _fill(rng.choice(fact.frame.other), fact.values, rng), OTHER
    for frame in rng.sample(absent, min(2, len(absent))):
        yield _fill(rng.choice(frame.ways[rng.randrange(2)]), values, rng), OTHER


def _written(facts: list[Fact], aside: list[str], rng: random.Random) -> str:
    """The context: the facts as prose, as a list or as lines, among sentences about something else."""
    said = [_fill(f.said, f.values, rng) + "." for f in facts] + aside
    rng.shuffle(said)
    joint = rng.choice((" ", " ", " ", "\n", "\n- "))
    text = joint.join(said)
    return rng.choice(OPENINGS) + (text if joint != "\n- " else f"- {text}")


def _varied(text: str, rng: random.Random) -> str:
    """A sentence as an answer may hold it."""
    if rng.random() < 0.15:
        names = (*SUBJECTS["company"].split("|"), *TOWNS, *FIRST, *MONTHS, *DAYS)
        first = (
            text
            if text.startswith(tuple(n[0].upper() + n[1:] for n in names))
            else text[0].lower() + text[1:]
        )
        return rng.choice(ASIDE).format(first) + "."
    return text + "."


def _joined(
    claims: list[tuple[str, tuple[float, float]]], rng: random.Random
) -> list[tuple[str, tuple[float, float]]]:
    """Some pairs of sentences in one: as good as the worse of the two."""
    made = []
    for _ in range(2):
        (a, x), (b, y) = rng.sample(claims, 2)
        # What neither supports nor denies cannot be made worse by what is true.
        both = (min(x[0], y[0]), max(x[1], y[1]))
        made.append(
            (
                f"{a}, and {b[0].lower() + b[1:] if b.startswith(('The ', 'A ', 'No', 'It ', 'On ', 'There ')) else b}",
                both,
            )
        )
    return made


def context(
    domain: str, known: dict[str, list[Frame]], number: int, rng: random.Random
) -> list[Row]:
    """The rows of one made context."""
    chosen = rng.sample(known[domain], rng.randint(3, 6))
    used, absent = chosen[:-1], [chosen[-1]]
    subjects = [_values(domain, rng)]
    if rng.random() < 0.4:
        second = {**subjects[0], **_numbers(rng), "s": _values(domain, rng)["s"]}
        if second["s"] != subjects[0]["s"] and domain != "policy":
            subjects.append(second)
    facts = []
    for frame in used:
        way = rng.randrange(2)
        for values in subjects:
            facts.append(Fact(frame, way, values, rng.choice(frame.ways[way])))
            # What is so of the one is not so of the other.
            way = 1 - way
    facts = rng.sample(facts, min(6, len(facts)))
    other = rng.choice([d for d in known if d != domain])
    elsewhere = _values(other, rng)
    aside = [
        _fill(rng.choice(f.ways[rng.randrange(2)]), elsewhere, rng) + "."
        for f in rng.sample(known[other], rng.choice((0, 0, 1, 3)))
    ]
    text = _written(facts, aside, rng)
    claims = list(_claims(facts, absent, rng))
    claims += _joined(claims, rng)
    return [
        row_against("made_claims", text, _varied(claim, rng), f"claims{number}")
        .mark("support", support, TRUST)
        .mark("contradiction", contradiction, TRUST)
        for claim, (support, contradiction) in claims
    ]


def made(seed: int = 0, count: int = CONTEXTS) -> list[Row]:
    """All rows, from one seed."""
    rng, known = random.Random(seed), frames()
    return [
        row
        for number in range(count)
        for row in context(rng.choice(sorted(known)), known, number, rng)
    ]
