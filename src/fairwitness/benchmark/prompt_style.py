"""How a prompt asks: like an attack on the model, at length, as a question, or as a plain request.

Told by its form alone, for slices; no verdict is made from it.
"""

from __future__ import annotations

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

LONG_PROMPT_CHARS = 600
_ATTACK = Pattern(
    r"\b(?:ignore|disregard|forget) (?:all |any |your |the |previous |prior |above )+(?:instructions?|rules?|guidelines?|prompts?)"
    r"|\bdo anything now\b|\bDAN\b|\bjailbr(?:eak|oken)\b|\bdeveloper mode\b|\bAIM\b.{0,40}\b(?:always|unfiltered)\b"
    r"|\b(?:no|without(?: any)?) (?:restrictions?|limitations?|filters?|censorship|ethical|moral)\b|\bunfiltered\b|\buncensored\b|\bamoral\b"
    r"|\b(?:stay|remain) in character\b|\bnever (?:refuse|say no|break character)\b|\b(?:do not|don't|cannot|can't) (?:ever )?refuse\b"
    r"|\b(?:begin|start) (?:your|the) (?:response|answer|reply) with\b|\bpretend (?:to be|you are|that you)\b|\byou are now\b"
    r"|\bimmerse yourself in\b|\bhypothetical(?:ly)?\b.{0,80}\b(?:response|scenario|story)\b",
    ignore_case=True,
)
_ASKS = frozenset(
    "what who whom whose which when where why how is are am was were do does did can could should would will has have had may".split()
)


def style_of(prompt: str) -> str:
    """Name the style; where two fit, the first of attack-like, long, question, request."""
    text = Text(prompt)
    if text.search(_ATTACK) is not None:
        return "attack-like"
    if len(prompt) > LONG_PROMPT_CHARS:
        return f"long, over {LONG_PROMPT_CHARS} characters"
    first = text.slice(text.words[0]).lower() if text.words else ""
    return "question" if first in _ASKS or prompt.rstrip().endswith("?") else "request"
