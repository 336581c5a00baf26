"""Checks which option a text calls the cheaper one against the amounts it gives for each on a line of its own."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.calculation.outcomes import Check
from fairwitness.evaluator.criteria.calculation.quantities import MONEY, Line, Quantity
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_OPTION = Pattern(
    r"^[ \t]*(?:[-*•+]|\d{1,2}[.)])?[ \t]*[*_]{0,2}(?P<label>[A-Z][\pL\d'’& ]{0,28}?)[*_]{0,2}(?: \([^)\n]{0,40}\))?[*_]{0,2}(?::[*_]{0,2}| [–—-])[ \t]+(?P<rest>[^\n]{1,200})$",
    multiline=True,
)
# Said of the amounts alone: "cheaper to run" and "saves an hour" are not.
_CLAIM = Pattern(
    r"\b(?P<label>[A-Z][\pL\d'’& ]{0,28}?)[*_]{0,2} (?:(?:is|works out|comes out)(?: the)? (?:cheaper|cheapest)(?: option| one| plan)?(?: by [$€£]\d[\d.,]*)?|(?:saves|would save) you [$€£]\d[\d.,]*|costs less)(?:[.,;!]|$| (?:a|per|each|every) (?:day|week|month|year)\b)"
)
_RESULT = Pattern(r"=[^=\d]{0,4}\d[\d.,]*\W*$")
# A price for another length of time, or an amount of something beside it.
_PERIOD = Pattern(r"\b(?:per|an?|each|every) (?P<what>\pL+)", ignore_case=True)
_OTHERWISE = Pattern(
    r"\b(?:if|unless|only|not|per|until|but|would|beyond|more than|less than|at first|upfront|long run|over time)\b|n['’]t\b",
    ignore_case=True,
)
_MIN_OPTIONS, _MAX_OPTIONS = 2, 5
SIGN = Pattern(r"\b(?:cheap(?:er|est)|saves?|save|less)\b")


def compared_options(text: Text) -> Iterator[Check]:
    """Yield a check for an option that is called the cheaper one after the amounts of all."""
    options: dict[str, Quantity] = {}
    last, periods = 0, set[str]()
    for match in text.matches(_OPTION, limit=2 * _MAX_OPTIONS):
        said = Line(Text(match["rest"])).quantities
        amounts = [q for q in said if q.kind == MONEY]
        # One price and nothing beside it, or a calculation that ends in it.
        plain = len(said) == 1 or _RESULT.search(match["rest"].encode())
        if not amounts or not plain or match["label"] in options:
            return
        options[match["label"]] = amounts[-1]
        periods |= {one["what"].lower() for one in Text(match["rest"]).matches(_PERIOD)}
        last = match.end
    values = sorted(amount.value for amount in options.values())
    if not _MIN_OPTIONS <= len(options) <= _MAX_OPTIONS or len(periods) > 1:
        return
    if len({amount.unit for amount in options.values()}) > 1 or values[0] == values[1]:
        return
    cheapest = min(options, key=lambda label: options[label].value)
    for match in text.matches(_CLAIM, limit=4):
        label, sentence = match["label"].strip(), text.sentence_at(match.start)
        if match.start < last or _OTHERWISE.search(text.slice(sentence).encode()):
            continue
        named = next((one for one in options if label in {one, f"The {one}"}), None)
        if named is not None:
            place = Region(match.start, match.start + len(label))
            fixed = f"{cheapest} ({options[cheapest].text.strip()})"
            yield Check.of(place, named == cheapest, fixed, named=True)
