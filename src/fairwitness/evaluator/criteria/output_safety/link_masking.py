"""Blanks out images and the addresses of links, so that words after them are read as the sentence they are.

The text keeps its length, so that every offset stays what it was.
"""

from __future__ import annotations

from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern

_IMAGE = Pattern(r"!\[[^\]\n]{0,300}\]\([^)\n]*\)|<img\b[^<>]*>", ignore_case=True)
_ADDRESS = Pattern(r"\]\([^()\s]+(?:\s+\"[^\"\n]{0,200}\")?\)")


def masked(exchange: Exchange) -> Exchange:
    """Return the exchange with a response of the same length, without images and addresses."""
    text = exchange.response
    if "](" not in text.value and "<" not in text.value:
        return exchange
    # An image stands between sentences, a link inside one.
    places = [(match.start, match.end, ".") for match in text.matches(_IMAGE)]
    inside = {at for start, end, _ in places for at in (start, end)}
    places += [
        (match.start, match.end, " ") for match in text.matches(_ADDRESS) if match.end not in inside
    ]
    if not places:
        return exchange
    pieces, at = [], 0
    for start, end, last in sorted(places):
        pieces += [text.value[at:start], " " * (end - start - 1), last]
        at = end
    return exchange.with_response("".join([*pieces, text.value[at:]]))
