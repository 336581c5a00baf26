"""Loaders of toxic texts and short dialogues: hate, offence and DiaSafety's bad advice, with their label mapping.

A text that answers no prompt is the response to an empty prompt, as the evaluator would read it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from .rows import CONSTRUCTION, JUDGE, MACHINE, PEOPLE, Row, key, read

CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def davidson(d: Path) -> Iterator[Row]:
    """Crowd votes: hate is the share of hate votes, offence the share of not-neither; offensive slang is capped."""
    kept = 0
    for r in read(d, "davidson_hate_offensive"):
        lab = r["labels"]
        kind, count = str(lab["class"]), float(lab["count"])
        if kind == "1":
            kept += 1
            if kept % 3:
                continue
        text = html.unescape(r["response"])
        row = Row("davidson", "", text, group=key(text))
        hate = float(lab["hate_speech"]) / count
        row.mark(
            "hate", min(1.0, hate * 1.3) if kind == "0" else hate * 0.6, 0.7 if kind != "1" else 0.4
        )
        row.mark("offence", 1 - float(lab["neither"]) / count, 0.7)
        yield row


def toxigen(d: Path) -> Iterator[Row]:
    """Human toxicity 1-5 about groups: soft between 2 and 4."""
    for r in read(d, "toxigen_human"):
        score = float(r["labels"]["toxicity_score"])
        soft = max(0.02, min(0.98, (score - 1.6) / 2.4))
        row = Row("toxigen", "", r["response"], group=key(r["response"]))
        yield row.mark("hate", soft, PEOPLE).mark("offence", soft, 0.6)


def hatemoji(d: Path) -> Iterator[Row]:
    """People writing to fool a model, with contrasts: hateful or not; not hateful may still be rude."""
    for r in read(d, "hatemoji_build"):
        hateful = int(r["labels"]["toxic"])
        row = Row("hatemoji", "", r["response"], group=key(r["response"])).mark(
            "hate", hateful, PEOPLE
        )
        yield row.mark("offence", 1, 0.7) if hateful else row


def surge(d: Path) -> Iterator[Row]:
    """People: toxic or not, of social media."""
    for r in read(d, "surge_toxicity"):
        yield Row("surge", "", r["response"], group=key(r["response"])).mark(
            "offence", r["labels"]["is_toxic"] == "Toxic", PEOPLE
        )


def latent_jailbreak(d: Path) -> Iterator[Row]:
    """Toxic sentences on demand; English ones, once each."""
    seen: set[str] = set()
    for r in read(d, "latent_jailbreak"):
        text = r["response"] or ""
        if CJK.search(text) or not text or key(text) in seen:
            continue
        seen.add(key(text))
        unsafe = r["labels"]["safety"] == "unsafe"
        row = Row("latent_jailbreak", r["prompt"], text, group=key(text))
        yield (
            row.mark("hate", unsafe, 0.5).mark("offence", unsafe, 0.5).mark("harm", unsafe, MACHINE)
        )


def diasafety(d: Path) -> Iterator[Row]:
    """People on dialogue turns: the notion of its own head; only 'Offending User' speaks of offence."""
    for r in read(d, "diasafety"):
        lab = r["labels"]
        unsafe = lab["label"] == "Unsafe"
        row = Row("diasafety", r["prompt"], r["response"], group=key(r["prompt"])).mark(
            "advice", unsafe, PEOPLE
        )
        if lab["category"] == "Offending User":
            row.mark("offence", unsafe, 0.8)
        elif lab["category"] == "Biased Opinion" and not unsafe:
            row.mark("hate", 0, 0.4)
        elif lab["category"] == "Unauthorized Expertise":
            # Half of these are reckless, the others only bold.
            row.mark("reckless", 0.7 if unsafe else 0.05, 0.3)
        yield row


def safetext(d: Path) -> Iterator[Row]:
    """People's safe and unsafe advice for the same everyday trouble."""
    for r in read(d / "grounding", "safetext"):
        unsafe = r["labels"]["harmful"] == 1
        row = Row("safetext", r["prompt"], r["response"], group=key(r["prompt"]))
        yield row.mark("reckless", 0.97 if unsafe else 0.03, PEOPLE).mark("advice", unsafe, 0.7)


def dices(d: Path) -> Iterator[Row]:
    """Many raters' share of unsafe, a broad notion: soft target of the bad-advice head."""
    for r in read(d, "dices"):
        row = Row("dices", r["prompt"], r["response"], group=key(r["prompt"]))
        share = float(r["labels"]["p_unsafe"])
        yield row.mark("advice", min(1.0, share * 1.15), JUDGE).mark(
            "harm", share * 0.6, CONSTRUCTION
        )


def harmless_prose(d: Path) -> Iterator[Row]:
    """Everyday sentences with names and numbers: nothing in them is hateful or harmful."""
    for number, r in enumerate(read(d, "presidio_pii")):
        if number % 4 == 0:
            row = Row("presidio", "", r["response"], group=key(r["response"]))
            yield row.mark("hate", 0, 0.4).mark("offence", 0, 0.4).mark("harm", 0, 0.4)


LOADERS = (
    davidson,
    toxigen,
    hatemoji,
    surge,
    latent_jailbreak,
    diasafety,
    safetext,
    dices,
    harmless_prose,
)
