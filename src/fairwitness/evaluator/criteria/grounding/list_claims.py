"""Checks a list that was only to be put in order, or rid of its duplicates: the same items, in that order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.listed import Item, items_of
from fairwitness.evaluator.given import Task
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_INSTRUCTION_CHARS = 400
# Of the returned items, how many must be given for it to be the list that was asked for.
_SAME_LIST = 0.5
_ORDERS = Pattern(
    r"\b(?:sort|order|arrange|rearrange|reorder|rank|alphabeti[sz]e|(?:alphabetical|ascending|descending|numerical|increasing|decreasing|reverse)(?: alphabetical)? order|reverse|shuffle)\b",
    ignore_case=True,
)
_DUPLICATES = Pattern(
    r"\b(?:duplicates?|de-?duplicate|dedupe|repeated|unique|distinct)\b", ignore_case=True
)
_TAKEN = Pattern(r"\b(?:extract|pull out|pick out|copy out)\b", ignore_case=True)
_KEPT = Pattern(r"\b(?:keep|preserv|maintain|retain)\w*\b[^.:]{0,30}\border", ignore_case=True)
_PARITY = Pattern(
    r"\b(?:list|find|pick|which|name|extract|give|show|keep)\b[^.?!]{0,30}\b(?P<parity>even|odd) (?:numbers|ones|integers)",
    ignore_case=True,
)
_ALPHABETICAL = Pattern(r"\balphabet\w+|\ba(?: ?[-–] ?| to )z\b", ignore_case=True)
_REVERSED = Pattern(r"^\W*(?:please )?reverse (?:this|the|these)\b[^.:]{0,20}:", ignore_case=True)
_DOWN = Pattern(
    r"\b(?:descending|decreasing|revers\w+|(?:larg|high|bigg|great)est (?:to|first)|(?:high|large|big) to|from (?:the )?(?:larg|high|bigg)est|z(?: ?[-–] ?| to )a|(?:larg|high|bigg)est[- ]first)\b",
    ignore_case=True,
)
# Orders of other kinds, which nothing here can check, and lists that are to lose items of other kinds.
_OTHERWISE = Pattern(
    r"\b(?:by|shuffle|random\w*|length|longest|shortest|date|size|chronological\w*|price|only|remove|delete|without|except|that (?:are|start|begin|end|have)|leave out|leaving out|skip\w*|omit\w*|exclud\w*|drop\w*|ignor\w*|top|first (?:two|three|\d)|categor\w+|group|importance|preference|odd|even|oldest|youngest|fastest|slowest|tallest|heaviest|lightest|newest|earliest|latest|cheapest|expensive|sentence|letters)\b",
    ignore_case=True,
)


def list_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for the first item that is lost, added, repeated or out of its order."""
    if len(ground.given.passages) != 1:
        return
    part = ground.given.passages[0]
    around = ground.prompt.value[: part.region.start], ground.prompt.value[part.region.end :]
    instruction = " ".join(around)[:_MAX_INSTRUCTION_CHARS].encode()
    if _TAKEN.search(instruction) and part.source == "prompt":
        yield from _extracted(ground)
    parity = Text(instruction.decode(errors="ignore")).search(_PARITY)
    if parity is not None and part.source == "prompt":
        yield from _of_parity(ground, parity["parity"].lower() == "even")
        return
    unique = _DUPLICATES.search(instruction)
    ordered = _ORDERS.search(instruction) and not _KEPT.search(instruction)
    if part.source != "prompt" or not (ordered or unique):
        return
    if ordered and _OTHERWISE.search(instruction):
        return
    given = items_of(part.text, part.region)
    text = ground.response
    stated = items_of(text, Region(0, len(text)))
    keys = {item.key for item in given}
    if (
        not given
        or sum(item.key in keys for item in stated) < _SAME_LIST * max(len(stated), 1)
        or not stated
    ):
        return
    found = _changed(given, stated, unique) or (
        _disordered(given, stated, instruction) if ordered else None
    )
    if found is not None:
        place, message, origin = found
        source = Span(origin.start, origin.end, part.source) if origin else None
        yield Claim("list", place, source, "high", message)


def _extracted(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for a name in a list that was to be taken from the source, and is not in it."""
    text = ground.response
    for item in items_of(text, Region(0, len(text))):
        said = text.slice(item.place)
        names = said[0].isupper() and all(word.isalpha() for word in said.split())
        if names and ground.given.task is Task.FAITHFUL:
            words = said.lower().split()
            if any(w not in ground.index.words and w not in ground.beside.words for w in words):
                message = f"Lists “{said}”, which is not in the source."
                yield Claim("list", item.place, None, "medium", message)
                return


def _of_parity(ground: Ground, even: bool) -> Iterator[Claim]:
    """Yield a claim where the even, or the odd, numbers of a list are not those that are returned."""
    part, text = ground.given.passages[0], ground.response
    given, stated = items_of(part.text, part.region), items_of(text, Region(0, len(text)))
    numbers = [item for item in given if item.number is not None and item.number.is_integer()]
    if not stated or len(numbers) != len(given) or any(item.number is None for item in stated):
        return
    right = [item for item in numbers if _has_parity(item, even)]
    wrong = next((item for item in stated if not _has_parity(item, even)), None)
    if right and wrong is not None:
        message = f"Lists “{wrong.written}”, which is not {'even' if even else 'odd'}."
        same = next((item.place for item in given if item.key == wrong.key), None)
        source = Span(same.start, same.end, part.source) if same else None
        yield Claim("list", wrong.place, source, "high", message)
        return
    found = _changed(right, stated, False) if right else None
    if found is not None:
        place, message, origin = found
        yield Claim("list", place, Span(origin.start, origin.end, part.source), "high", message)


def _has_parity(item: Item, even: bool) -> bool:
    return item.number is not None and item.number % 2 == (0 if even else 1)


def _changed(
    given: list[Item], stated: list[Item], unique: bool
) -> tuple[Region, str, Region] | None:
    """Return what is in one list and not in the other; an item is as often in both, or once where duplicates go."""
    wanted, found = (Counter(item.key for item in items) for items in (given, stated))
    if unique:
        wanted = Counter(wanted.keys())
    lost = [item for item in given if wanted[item.key] > found[item.key]]
    added = [item for item in stated if found[item.key] > wanted[item.key]]
    if added and lost:
        return (
            added[-1].place,
            f"Lists “{added[-1].written}” instead of “{lost[0].written}”.",
            lost[0].place,
        )
    if added:
        more = "repeats" if wanted[added[-1].key] else "adds"
        return added[-1].place, f"The list {more} “{added[-1].written}”.", given[0].place
    if lost:
        return stated[-1].place, f"The list leaves out “{lost[0].written}”.", lost[0].place
    return None


def _disordered(
    given: list[Item], stated: list[Item], instruction: bytes
) -> tuple[Region, str, None] | None:
    """Return the first item that comes after one it should come before."""
    if _REVERSED.search(instruction):
        wanted = given[::-1]
        at = next((n for n, item in enumerate(stated) if item.key != wanted[n].key), None)
        if at is None:
            return None
        message = f"“{stated[at].written}” is in the place of “{wanted[at].written}”."
        return stated[at].place, message, None
    numbers = [item.number for item in stated]
    down = _DOWN.search(instruction)
    if all(number is not None for number in numbers):
        values: list[float | str] = [number for number in numbers if number is not None]
        stands = _breaks(values, down)
        # Nothing says which end comes first.
        if not down and _breaks(values, True) is None:
            return None
    elif _ALPHABETICAL.search(instruction):
        # Each language has its own place for letters such as "é" and "ø".
        if not all(item.key.isascii() for item in stated):
            return None
        stands = _breaks([item.key for item in stated], down)
    else:
        return None
    if stands is None:
        return None
    one, other = stated[stands - 1], stated[stands]
    message = f"Not in the requested order: “{other.written}” comes after “{one.written}”."
    return other.place, message, None


def _breaks(values: list[float | str], down: bool) -> int | None:
    """Return the position of the first value that is out of order."""
    for at in range(1, len(values)):
        one, other = values[at - 1], values[at]
        if (one < other) if down else (one > other):  # type: ignore[operator]
            return at
    return None
