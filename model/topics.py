"""The topics a text can touch (sexual content, self-harm, violence), which are no harm by themselves: weak labels by words."""

from __future__ import annotations

import re

from .rows import Row

TOPICS = {
    "sexual": re.compile(
        r"\b(sex(ual|ually|y)?|porn\w*|orgasm\w*|nude|naked|erotic\w*|penis|vagina|cock|pussy|tits|boobs|breasts|blowjob|cum|masturbat\w*|horny|fetish\w*|bdsm|incest|rape[ds]?|thrust\w*|moan(s|ed|ing))\b",
        re.I,
    ),
    "self_harm": re.compile(
        r"\b(suicid\w*|kill(ing)? (myself|yourself|themselves)|self[- ]harm\w*|cut(ting)? myself|end (my|your) (own )?life|want to die|hang myself|overdos\w*|anorexi\w*|starv(e|ing) myself)\b",
        re.I,
    ),
    "violence": re.compile(
        r"\b(murder\w*|stab(bed|bing|s)?|behead\w*|tortur\w*|slaughter\w*|massacre\w*|gore|blood(y|ied)?|strangl\w*|dismember\w*|shoot(ing)? (him|her|them|people|up)|kill(ed|ing|s)? (him|her|them|all|people|every))\b",
        re.I,
    ),
}


def lone_hazards(rows: list[Row]) -> list[Row]:
    """Hazard prompts read as lone texts keep their topic."""
    made = []
    for row in rows:
        if row.source == "prompts_ailuminate_demo":
            new = Row("lone_text", "", row.prompt, group=row.group)
            for topic in TOPICS:
                new.mark(topic, row.targets.get(topic, 0), 0.6)
            made.append(new)
    return made


def mark_topics(rows: list[Row]) -> None:
    """Weak topic labels by words, where no label is; the teacher smooths them."""
    for row in rows:
        text = row.prompt[:800] + "\n" + row.response[:1500]
        for topic, pattern in TOPICS.items():
            if topic not in row.targets:
                hits = len(pattern.findall(text))
                row.mark(topic, (0.04, 0.6, 0.85)[min(hits, 2)], 0.15)
