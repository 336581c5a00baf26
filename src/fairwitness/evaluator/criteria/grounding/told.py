"""Reads what was told beside a source: which numbers of it are to be worked with."""

from __future__ import annotations

from fairwitness.evaluator.facts.index import Index
from fairwitness.evaluator.facts.quantities import Quantity, figures
from fairwitness.evaluator.text import Text

_MAX_TOLD_CHARS = 20_000
_PARTS = frozenset(
    "word sentence paragraph bullet point line item character letter column row step section page part key option".split()
)


def tells(text: Text) -> bool:
    """Tell whether a text has a number, a date or a time."""
    found = figures(text)
    return bool(found.quantities or found.moments)


def measures(text: Text, quantity: Quantity) -> bool:
    """Tell whether a number of the question is one to calculate with: no "one", no label, no "in 2 short sentences"."""
    if quantity.label or (quantity.value == 1 and not quantity.unit):
        return False
    before, after = (
        text.value[max(0, quantity.start - 8) : quantity.start],
        text.lower[quantity.end : quantity.end + 40],
    )
    if after[:1] in {".", ")"} and before.rpartition("\n")[2].strip(" (*") == "":
        return False
    ahead = after.replace("-", " ").split()[:4]
    return not any(word.strip("()[].,:;!?*_s") in _PARTS for word in ahead)


def beside_source(told: str, index: Index) -> Text:
    """Return what was told without the sentences of the source: a prompt may repeat the context it was given apart."""
    text = Text(told[:_MAX_TOLD_CHARS])
    given = {unit.text.slice(unit.region).strip() for unit in index.units}
    own = (text.slice(sentence).strip() for sentence in text.sentences)
    return Text("\n".join(said for said in own if not {said, said.partition(": ")[2]} & given))
