"""The same response in another variety of English, or with another group's name: no label changes with either.

The rewriting is by rule and rough; it moves every variety's marks across all labels, which is all it is for.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

from .lessons import FAULTS
from .made_respect import PLURAL
from .rows import Row

COUNT, SWAPPED = 5000, 4000
#: What is written otherwise, in turn; each applies wherever it can, or now and then.
VARIETIES: dict[str, tuple[tuple[str, str], ...]] = {
    "african american": (
        (r"\b(isn't|is not|aren't|are not|am not|hasn't|haven't)\b", "ain't"),
        (r"\b(doesn't|does not|didn't|did not)\b", "don't"),
        (r"\b(going to)\b", "gon'"),
        (r"\b(have to|has to|need to|needs to)\b", "gotta"),
        (r"\b(you|they|we) are\b", r"\1"),
        (r"\b(it|he|she) is (\w+ing)\b", r"\1 be \2"),
        (r"\bany\b", "no"),
        (r"\banyone\b|\banybody\b", "nobody"),
        (r"\byou all\b|\ball of you\b", "y'all"),
        (r"\b(\w{3,})ing\b", r"\1in'"),
        (r"\babout to\b", "finna"),
    ),
    "scots": (
        (r"\b(you)\b", "ye"),
        (r"\byour\b", "yer"),
        (r"\b(to)\b", "tae"),
        (r"\b(of)\b", "o'"),
        (r"\bdo not\b|\bdon't\b", "dinnae"),
        (r"\bcannot\b|\bcan't\b", "cannae"),
        (r"\bis not\b|\bisn't\b", "isnae"),
        (r"\bsmall\b|\blittle\b", "wee"),
        (r"\balways\b", "aye"),
        (r"\bnot\b", "no"),
        (r"\bwith\b", "wi'"),
        (r"\bout\b", "oot"),
        (r"\bhouse\b", "hoose"),
        (r"\bknow\b", "ken"),
        (r"\bhave\b", "hae"),
        (r"\bnobody\b", "naebody"),
        (r"\bput\b", "pit"),
        (r"\bwould\b", "wid"),
        (r"\bgood\b", "guid"),
    ),
    "indian": (
        (r"\bplease\b", "kindly"),
        (r"\b(is|are) (\w+ed)\b", r"\1 being \2"),
        (r"\b(you) (want|need|know|have)\b", r"\1 are \2ing"),
        (r"\btoo\b|\bas well\b", "also"),
        (r"\bYou should\b", "You must do one thing,"),
        (r"\bchange the date\b", "prepone"),
        (r"\bthe (\w+)\b", r"\1"),
        (r"\. ", ", no? "),
        (r"\bsoon\b", "at the earliest"),
    ),
    "learner": (
        (r"\b(the|a|an) ", ""),
        (r"\b(it|he|she) (\w+)s\b", r"\1 \2"),
        (r"\b(was|were)\b", "is"),
        (r"\b(has|have) (\w+ed)\b", r"\2"),
        (r"\bmany\b", "much"),
        (r"\bthere (is|are)\b", "have"),
        (r"\b(\w+)ly\b", r"\1"),
        (r"\bpeople\b", "peoples"),
    ),
    "singapore": (
        (r"\.($|\s)", r" lah.\1"),
        (r"\b(can you|could you)\b", "can"),
        (r"\b(already) ", ""),
        (r"\b(is|are) ", ""),
        (r"\bvery\b", "damn"),
        (r"\bdo not\b|\bdon't\b", "don't anyhow"),
        (r"\?", " or not?"),
    ),
    "casual": (
        (r"[.'’]", ""),
        (r"\b[Yy]ou are\b", "ur"),
        (r"\b[Yy]ou\b", "u"),
        (r"\b[Aa]re\b", "r"),
        (r"\bto be honest\b", "tbh"),
        (r"\bwant to\b", "wanna"),
        (r"\bgoing to\b", "gonna"),
        (r"\bbecause\b", "cuz"),
        (r"\b[Ff]or\b", "4"),
        (r"\bI\b", "i"),
        (r"\bkind of\b", "kinda"),
    ),
    "northern": (
        (r"\b[Tt]he\b", "t'"),
        (r"\bnothing\b", "nowt"),
        (r"\bsomething\b|\banything\b", "owt"),
        (r"\bwas\b", "were"),
        (r"\byes\b", "aye"),
        (r"\bvery\b", "reet"),
        (r"\bmy\b", "me"),
        (r"\bisn't it\b", "innit"),
        (r"\bchild(ren)?\b", "bairns"),
    ),
}
NAMES = sorted(
    {
        name
        for name in PLURAL
        if name[0].isupper()
        or " " in name
        or name in ("women", "immigrants", "refugees", "lesbians")
    },
    key=len,
    reverse=True,
)
NAMED = re.compile(r"\b(" + "|".join(map(re.escape, NAMES)) + r")\b", re.IGNORECASE)
#: Heads a variety or a name must not move.
HEADS = (
    "harm",
    "advice",
    "hate",
    "offence",
    "relevance",
    "reckless",
    "address",
    "self_claim",
    "flattery",
    "yielding",
)


def rewritten(text: str, variety: str, rng: random.Random) -> str:
    """The text with the marks of a variety, most of them where they can stand."""
    for find, put in VARIETIES[variety]:
        if rng.random() < 0.85:
            text = re.sub(find, put, text)
    return text.lower() if variety == "casual" and rng.random() < 0.7 else text


def _again(row: Row, source: str, prompt: str, response: str) -> Row:
    kept = {head: value for head, value in row.targets.items() if head in HEADS}
    weights = {head: 0.8 * row.weights[head] for head in kept}
    if row.refusal:
        weights["refusal"] = 0.8 * row.weights["refusal"]
    return replace(
        row, source=source, prompt=prompt, response=response, targets=kept, weights=weights
    )


def made(rows: list[Row], seed: int = 0) -> list[Row]:
    """Plain and labelled responses, said otherwise; texts that name a group, about another one."""
    rng = random.Random(seed)
    prose = [
        r
        for r in rows
        if not r.against
        and 60 < len(r.response) < 900
        and (r.targets.keys() & set(HEADS) or r.refusal)
    ]
    # A variety must not come to go with harm: three innocent texts to one that is not.
    guilty = [r for r in prose if max((r.targets.get(h, 0.0) for h in FAULTS), default=0) > 0.4]
    innocent = [r for r in prose if max((r.targets.get(h, 0.0) for h in FAULTS), default=0) < 0.2]
    drawn = rng.sample(innocent, min(3 * COUNT // 4, len(innocent)))
    found = []
    for row in drawn + rng.sample(guilty, min(len(drawn) // 3, len(guilty))):
        text = rewritten(row.response, rng.choice(sorted(VARIETIES)), rng)
        if text != row.response:
            found.append(_again(row, "variety", row.prompt, text))
    named = [
        r
        for r in rows
        if not r.against
        and len(r.response) < 900
        and NAMED.search(r.response)
        and r.weights.get("hate", 0) > 0.25
    ]
    for row in rng.sample(named, min(SWAPPED, len(named))):
        old = NAMED.search(row.response).group()
        new = rng.choice(NAMES)
        prompt, text = (
            re.sub(rf"\b{re.escape(old)}\b", new, t, flags=re.IGNORECASE)
            for t in (row.prompt, row.response)
        )
        found.append(_again(row, "renamed", prompt, text))
    return found
