"""Cuts a sentence into parts, and tells which row or column of a grid the values of a part are said of."""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.facts.grid_labels import Mention
from fairwitness.evaluator.facts.grid_values import Value
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_JOINED_CHARS = 15
# Where a sentence goes on to something else.
_CUT = Pattern(
    r"[,;:][*_]{0,2}\s|[.!?][)*_]{0,2}\s|\n|[()|]|\s[–—-]\s|\b(?:and|while|whereas|but|which|who|then|plus|versus|vs)\b",
    ignore_case=True,
)
_GOES_ON = frozenset("with at of just only".split())

Placed = tuple[Value, Region]


class Bound(NamedTuple):
    """The row or the column a value is of, and whether its own part of the sentence names it."""

    at: int
    own: bool


UNCLEAR = Bound(-1, False)


def pieces_of(
    text: Text, region: Region, mentions: list[Mention], values: list[Placed]
) -> list[Region]:
    """Return the parts of a sentence; a value right behind its part is of it: "the most visitors, 240,300"."""
    said = text.slice(region)
    held = [Region(one.start, one.end) for one in mentions] + [place for _, place in values]
    cuts = []
    for match in Text(said).matches(_CUT):
        cut = region.start + match.start
        if not any(one.start < cut < one.end for one in held):
            cuts.append((cut, region.start + match.end, match.text[0] in ",("))
    places = sorted(held)
    pieces, start = [], region.start
    for at, (cut, after, weak) in enumerate(cuts):
        end = cuts[at + 1][0] if at + 1 < len(cuts) else region.end
        inside = [one for one in places if cut <= one.start < end]
        goes_on = text.value[after : after + 5].split(" ")[0] in _GOES_ON
        bare = bool(inside) and text.value[after : inside[0].start].strip(" *_$€£") == ""
        named = any(cut <= one.start < end for one in mentions)
        full = any(start <= place.start < cut for _, place in values)
        if weak and not named and not full and inside and (goes_on or bare):
            continue
        pieces.append(Region(start, cut))
        start = cut
    return [*pieces, Region(start, region.end)]


def bind(
    named: list[Mention], values: list[Placed], pieces: list[Region], at: int, place: Region
) -> Bound | None:
    """Return the one row, or column, of a part of a sentence; that of the part before it where it names none."""
    piece = pieces[at]
    inside = [one for one in named if piece.contains(one.start)]
    own = bool(inside)
    if len({one.at for one in inside}) > 1:
        return UNCLEAR
    if not inside:
        earlier = [one for one in named if one.start < piece.start]
        inside = earlier[-1:] or _right_behind(named, values, pieces, at)
        # Of several, only the one of the part right before goes on.
        if (
            earlier
            and len({one.at for one in earlier}) > 1
            and not pieces[at - 1].contains(earlier[-1].start)
        ):
            return UNCLEAR
        if not inside:
            return UNCLEAR if named else None
    mention = inside[-1]
    joined = _is_joined(named, values, pieces, mention, own=own)
    return (
        UNCLEAR if joined or _is_paired(values, named, mention, place) else Bound(mention.at, own)
    )


def _right_behind(
    named: list[Mention], values: list[Placed], pieces: list[Region], at: int
) -> list[Mention]:
    """Return the only name of a sentence where it stands in the next part, which states nothing: "19, on Thursday"."""
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    if following is None or len({one.at for one in named}) != 1:
        return []
    if any(following.contains(place.start) for _, place in values):
        return []
    return [one for one in named if following.contains(one.start)][:1]


def _is_joined(
    named: list[Mention],
    values: list[Placed],
    pieces: list[Region],
    mention: Mention,
    *,
    own: bool,
) -> bool:
    """Tell whether another name without a value stands beside one: "Tom and Ana have 71 and 66"."""
    at = named.index(mention)
    for other in named[max(0, at - 1) : at + 2]:
        if other.at == mention.at or (own and other.start > mention.start):
            continue
        gap = max(other.start, mention.start) - min(other.end, mention.end)
        home = next(piece for piece in pieces if piece.contains(other.start))
        low, high = sorted((other.start, mention.start))
        alone = not any(
            home.contains(place.start) or low < place.start < high for _, place in values
        )
        if alone and gap <= _JOINED_CHARS:
            return True
    return False


def _is_paired(values: list[Placed], named: list[Mention], mention: Mention, place: Region) -> bool:
    """Tell whether two values come before two names: "71 and 66 for Ana and Tom"."""
    if mention.start < place.start or named[-1].at == mention.at:
        return False
    kind = next(value.kind for value, one in values if one == place)
    earlier = [one for value, one in values if one.end <= place.start and value.kind == kind]
    return bool(earlier) and not any(earlier[-1].start < one.start < place.start for one in named)
