"""Sentences made from a source: copied, changed in one number, name, negation or opposite, taken away, or from elsewhere.

They teach what to compare, not paraphrase: that is what lessons and people's labels are for.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

from fairwitness.evaluator.readers.sources import Source

from .load_grounding import STOP, row_against
from .rows import Row, key, read

#: Where the sources come from; none of those that are held out whole.
FILES = (
    "summedits",
    "begin_wow_cmu",
    "faithdial_audit",
    "xsum_hallucination",
    "expertqa_claims",
    "factcheckgpt_stance",
    "halueval_qa_seed",
    "fever_symmetric",
    "xquad_right_wrong",
)
TRUST = 0.5
#: How many sentences of one source, and rows in all.
EACH, MOST = 2, 16000
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?")
NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?: [A-Z][a-z]+)*")
VERBS = "is|was|are|were|has|have|had|can|could|will|would|should|must|did|does"
PLAIN, DENIED = re.compile(rf"\b({VERBS})\b(?! not)"), re.compile(rf"\b({VERBS}) not\b")
ROWS = (
    "one two three four five six seven eight nine ten eleven twelve twenty thirty fifty",
    "January February March April May June July August September October November December",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
)
PAIRS = (
    "before after|more less|increased decreased|rose fell|higher lower|first last|all none|always never|won lost|"
    "largest smallest|most least|north south|east west|with without|accepted rejected|approved refused|early late|"
    "best worst|older younger|major minor|above below|many few|success failure|open closed|began ended|allowed forbidden"
)
SWAPS: dict[str, list[str]] = {
    word: [x for x in words if x != word] for words in map(str.split, ROWS) for word in words
} | {word: [other] for a, b in map(str.split, PAIRS.split("|")) for word, other in ((a, b), (b, a))}
SWAPPED = re.compile(r"\b(" + "|".join(SWAPS) + r")\b")


def number(text: str, rng: random.Random) -> str:
    """One number made another of the same kind."""
    found = list(NUMBER.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    said = match.group()
    if re.fullmatch(r"(1[5-9]|20)\d\d", said):
        new = str(int(said) + rng.choice((-30, -11, -4, -2, -1, 1, 2, 3, 10, 20)))
    elif rng.random() < 0.5 and len(said) > 1:
        at = rng.randrange(len(said))
        new = (
            said[:at]
            + (str((int(said[at]) + rng.randint(1, 8)) % 10) if said[at].isdigit() else said[at])
            + said[at + 1 :]
        )
    else:
        value = float(said.replace(",", ""))
        new = f"{value * rng.choice((0.5, 1.5, 2, 3, 10)) + 1:,.{len(said.partition('.')[2])}f}"
    return text[: match.start()] + new + text[match.end() :]


def name(text: str, rng: random.Random, others: list[str]) -> str:
    """One name made another one of the source, or of another source."""
    found = list(NAME.finditer(text))
    fitting = [o for o in others if o not in text]
    if not found or not fitting:
        return text
    match = rng.choice(found)
    return text[: match.start()] + rng.choice(fitting) + text[match.end() :]


def denial(text: str, rng: random.Random) -> str:
    """A "not" put in, or taken out."""
    denied = DENIED.search(text)
    if denied:
        return text[: denied.start()] + denied.group(1) + text[denied.end() :]
    found = list(PLAIN.finditer(text))
    if not found:
        return text
    at = rng.choice(found).end()
    return text[:at] + " not" + text[at:]


def opposite(text: str, rng: random.Random) -> str:
    """One word made its opposite, or the next of its kind."""
    found = list(SWAPPED.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + rng.choice(SWAPS[match.group()]) + text[match.end() :]


def changed(text: str, rng: random.Random, others: list[str]) -> str:
    """The sentence with one thing changed; the same text where nothing could be."""
    kinds = [lambda: number(text, rng), lambda: name(text, rng, others)]
    kinds += [lambda: denial(text, rng), lambda: opposite(text, rng)]
    rng.shuffle(kinds)
    return next((new for new in (kind() for kind in kinds) if new != text), text)


def contexts(d: Path) -> list[str]:
    """The English sources of the files, each once."""
    found: dict[str, None] = {}
    for file in FILES:
        for r in read(d / "grounding", file):
            if r["context"] and r["labels"].get("language", "en") == "en":
                found.setdefault(r["context"])
    return list(found)


def made(d: Path, seed: int = 0) -> list[Row]:
    """Rows of every kind from a few sentences of each source."""
    rng, sources, rows = random.Random(seed), contexts(d), []
    names = [m for text in sources for m in NAME.findall(text)[:3]]
    for text in rng.sample(sources, len(sources)):
        sentences = [
            s.strip() for s in STOP.split(text.replace("\n", " ")) if 6 <= len(s.split()) <= 45
        ]
        if not sentences or len(rows) >= MOST:
            continue
        source, group = Source(text), key(text)
        others = NAME.findall(text) + rng.sample(names, min(2, len(names)))
        for sentence in rng.sample(sentences, min(EACH, len(sentences))):
            passage = source.nearest(sentence)
            if rng.random() < 0.6:
                row = row_against("made_grounding", passage, sentence, group).mark(
                    "support", 0.97, TRUST
                )
                rows.append(row.mark("contradiction", 0.02, TRUST))
            new = changed(sentence, rng, others)
            if new != sentence:
                row = row_against("made_grounding", source.nearest(new), new, group)
                rows.append(row.mark("support", 0.03, TRUST).mark("contradiction", 0.93, TRUST))
            if len(sentences) > 3 and rng.random() < 0.5:
                rest = Source(text.replace(sentence, "", 1)).nearest(sentence)
                row = row_against("made_grounding", rest, sentence, group).mark(
                    "support", 0.08, 0.4
                )
                rows.append(row.mark("contradiction", 0.04, 0.4))
            if rng.random() < 0.2:
                stranger = rng.choice(STOP.split(rng.choice(sources).replace("\n", " ")))
                if stranger not in text:
                    row = row_against("made_grounding", source.nearest(stranger), stranger, group)
                    rows.append(row.mark("support", 0.02, TRUST).mark("contradiction", 0.03, TRUST))
    return rows
