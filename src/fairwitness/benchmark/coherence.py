"""Measures coherence on good answers: how often it alarms as they are, and how often it sees them damaged.

Each damage is done by machine to an answer that raised nothing before, at a place drawn from a fixed
seed; so the figures say what share of such damage is seen, and nothing of damage not done here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Judgement
from fairwitness.evaluator.language import is_english, sure_language
from fairwitness.evaluator.text import Text

Row = Mapping[str, Any]
# A damage returns the damaged answer, or None where this answer has nothing of the kind to damage.
Damage = Callable[[str, random.Random], str | None]
_RESAMPLES = 2000
_MIN_RESPONSE_CHARS = 200  # characters; shorter answers have no middle to cut


class Share(NamedTuple):
    """A share of cases with its bootstrap 95% interval."""

    cases: int
    hits: int
    share: float
    low: float
    high: float


def share(outcomes: Sequence[bool]) -> Share:
    """Return the share of true outcomes; resampling yes-or-no outcomes is drawing from a binomial."""
    cases, hits = len(outcomes), sum(outcomes)
    if not cases:
        return Share(0, 0, float("nan"), float("nan"), float("nan"))
    drawn = np.random.default_rng(0).binomial(cases, hits / cases, _RESAMPLES) / cases
    low, high = np.percentile(drawn, [2.5, 97.5])
    # Where all cases agree, drawing sees no doubt at all; the exact binomial bound still does.
    if hits == 0:
        high = 1 - 0.025 ** (1 / cases)
    elif hits == cases:
        low = 0.025 ** (1 / cases)
    return Share(cases, hits, hits / cases, float(low), float(high))


def alarmed(judgement: Judgement) -> bool:
    """Tell whether a judgement holds a finding above low."""
    return any(finding.severity not in {"info", "low"} for finding in judgement.findings)


def measure(rows: Iterable[Row], seed: int = 0) -> dict[str, Share]:
    """Return the share of rows that alarm, and of each damage that is seen."""
    good, alarms = [], []
    for row in rows:
        alarms.append(
            alarmed(shipped().judge("coherence", Exchange(row["prompt"], row["response"])))
        )
        if not alarms[-1] and len(row["response"]) >= _MIN_RESPONSE_CHARS:
            good.append((row["prompt"], row["response"]))
    figures = {"good answers with a finding above low": share(alarms)}
    for name, damage in DAMAGES.items():
        rng = random.Random(f"{seed}:{name}")  # noqa: S311 - places of damage, not secrets
        seen = []
        for prompt, response in good:
            damaged = damage(response, rng)
            if damaged is not None and 0 < len(damaged) <= 8000:
                # Any finding counts: some damage is small and rightly weighs little.
                seen.append(bool(shipped().judge("coherence", Exchange(prompt, damaged)).findings))
        figures[f"seen: {name}"] = share(seen)
    figures["seen: an answer in another language"] = share(_swapped(good, seed))
    return figures


def _swapped(good: Sequence[tuple[str, str]], seed: int) -> list[bool]:
    """Pair prompts with answers of another language, both ways, and tell which pairs are seen.

    Only rows whose language the identifier is sure of can be told apart, so only those are paired.
    """
    english = [pair for pair in good if all(map(is_english, pair))]
    others = [
        pair
        for pair in good
        if sure_language(pair[0]) == sure_language(pair[1]) not in {None, "en"}
    ]
    rng = random.Random(seed)  # noqa: S311 - a choice of pairs, not a secret
    seen = []
    for prompt, answer in others if english else []:
        plain_prompt, plain_answer = rng.choice(english)
        for asked, given in ((plain_prompt, answer), (prompt, plain_answer)):
            findings = shipped().judge("coherence", Exchange(asked, given)).findings
            seen.append(any(finding.detector == "coherence.language.other" for finding in findings))
    return seen


def _cut_anywhere(answer: str, rng: random.Random) -> str:
    return answer[: rng.randint(len(answer) * 3 // 10, len(answer) * 9 // 10)]


def _cut_in_sentence(answer: str, rng: random.Random) -> str | None:
    text = Text(answer)
    inside = [
        region
        for region in text.sentences
        if text.slice(region).count(" ") >= 7
        and answer[region.end - 1] in ".!?"
        and not text.in_code(region.start)
    ]
    if len(inside) < 3:
        return None
    chosen = rng.choice(inside[2:])
    words = [word for word in text.words if chosen.start < word.start < chosen.end]
    return answer[: rng.choice(words[2:-1]).end] if len(words) >= 5 else None


def _cut_in_code(answer: str, rng: random.Random) -> str | None:
    blocks = [block for block in Text(answer).code_blocks if block.closed and len(block.region) > 1]
    if not blocks:
        return None
    body = rng.choice(blocks).body
    return answer[: rng.randint(body.start + (body.end - body.start) // 2, body.end)]


def _loop_sentence(answer: str, rng: random.Random) -> str | None:
    text = Text(answer)
    usable = [region for region in text.sentences if 40 <= region.end - region.start <= 300]
    usable = [region for region in usable if not text.in_code(region.start)]
    if not usable:
        return None
    chosen = rng.choice(usable)
    return answer[: chosen.end] + (" " + text.slice(chosen)) * 4 + answer[chosen.end :]


def _loop_phrase(answer: str, rng: random.Random) -> str | None:
    text = Text(answer)
    words = [word for word in text.words if not text.in_code(word.start)]
    if len(words) < 30:
        return None
    at, length = rng.randint(10, len(words) - 10), rng.randint(3, 8)
    phrase = " ".join(text.slice(word) for word in words[at - length : at])
    return answer[: words[at - 1].end] + (" " + phrase) * 8


def _loop_paragraph(answer: str, rng: random.Random) -> str | None:
    text = Text(answer)
    usable = [part for part in text.paragraphs if 160 <= part.end - part.start <= 1200]
    usable = [
        part for part in usable if text.slice(part)[0].isalpha() and text.slice(part)[-1] in ".!?"
    ]
    if not usable:
        return None
    chosen = text.slice(rng.choice(usable))
    return f"{answer}\n\n{chosen}\n\n{chosen}"


def _misread(answer: str, rng: random.Random) -> str | None:
    typeset = answer.replace("'", "’")
    damaged = typeset.encode().decode("cp1252", errors="replace")
    return None if typeset.isascii() or damaged == typeset else damaged


def _lost(answer: str, rng: random.Random) -> str:
    chars = list(answer)
    for _ in range(max(3, len(chars) // 100)):
        chars[rng.randrange(len(chars))] = "\ufffd"
    return "".join(chars)


def _letter_noise(answer: str, rng: random.Random) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ("".join(rng.choices(letters, k=rng.randint(4, 10))) for _ in range(25))
    return f"{answer}\n\n{' '.join(words)}."


def _open_fence(answer: str, rng: random.Random) -> str | None:
    blocks = Text(answer).code_blocks
    if not blocks or not blocks[-1].closed:
        return None
    region = blocks[-1].region
    return answer[: region.end].rstrip("`~") + answer[region.end :]


def _without_one(signs: str, languages: frozenset[str]) -> Damage:
    """Return the damage that takes one of `signs` out of a block in one of `languages`."""

    def damage(answer: str, rng: random.Random) -> str | None:
        blocks = [
            block
            for block in Text(answer).code_blocks
            if block.closed and block.language in languages
        ]
        if not blocks:
            return None
        body = rng.choice(blocks).body
        places = [at for at in range(body.start, body.end) if answer[at] in signs]
        if not places:
            return None
        at = rng.choice(places)
        return answer[:at] + answer[at + 1 :]

    return damage


def _break_bare_json(answer: str, rng: random.Random) -> str | None:
    if answer.lstrip()[:1] != "{" or "```" in answer:
        return None
    places = [at for at, char in enumerate(answer) if char in '{}[]:,"']
    at = rng.choice(places[2:] or places)
    return answer[:at] + answer[at + 1 :]


def _misnumber(answer: str, rng: random.Random) -> str | None:
    lines = answer.split("\n")
    numbered = [at for at, line in enumerate(lines) if line[:1].isdigit() and line[1:3] == ". "]
    counts = [int(lines[at][0]) for at in numbered]
    if len(numbered) < 5 or counts != list(range(1, len(counts) + 1)):
        return None
    lost = rng.choice(numbered[1:-1])
    del lines[lost]
    return "\n".join(lines)


DAMAGES: dict[str, Damage] = {
    "cut at any character": _cut_anywhere,
    "cut inside a sentence": _cut_in_sentence,
    "cut inside a code block": _cut_in_code,
    "a sentence said five times": _loop_sentence,
    "a phrase going round at the end": _loop_phrase,
    "a paragraph said three times": _loop_paragraph,
    "UTF-8 read as Windows-1252": _misread,
    "one character in a hundred lost": _lost,
    "a paragraph of random letters": _letter_noise,
    "the last fence left open": _open_fence,
    "a bracket or colon out of Python": _without_one("()[]{}:", frozenset({"python", "py"})),
    "a sign out of a JSON block": _without_one('{}[]:,"', frozenset({"json"})),
    "a sign out of a JSON answer": _break_bare_json,
    "an item out of a numbered list": _misnumber,
}
