"""Tells a sample of highlighting ("such as *this part*") from words that the prompt itself stresses ("do *not*")."""

from __future__ import annotations

from collections.abc import Sequence

# What leads up to a sample; what may lead up to one, where nothing in it speaks of how much or whether.
_SURELY = frozenset("as like e g i ie eg example this".split())
_PERHAPS = frozenset(": ( , with using by in format style markdown = .".split())
_STRESS = frozenset(
    """not no never none without must should don't cannot can't at least most exactly precisely only all any every
    each both less more fewer than minimum maximum under over before after first last always
    avoid entire whole""".split()
)
# The name of a style, set in it: "put them in *italics*".
_STYLES = frozenset("italics italic bold asterisks highlight highlighted highlighting".split())
_SHOWING = ("highlight", "italic", "bold", "emphas", "section", "phrase")


def is_sample(inner: str, before: Sequence[str]) -> bool:
    """Tell whether text between asterisks shows how to highlight; `before` are the two tokens before it."""
    words = [word.strip(".,:;!?") for word in inner.lower().replace("\u2019", "'").split()]
    if not words or inner[0] in "\"'\u201c\u2018":
        return False
    lead = before[-1] if before else ""
    if lead in _SURELY or (lead in {",", ":", "."} and before[0] in {*_SURELY, "is"}):
        return True
    if words[0].isdecimal() or _STRESS & set(words):
        return False
    if len(words) == 1 and words[0] in _STYLES:
        return False
    showing = any(word.startswith(_SHOWING) for word in words)
    return lead in _PERHAPS or (len(words) > 1 and showing)
