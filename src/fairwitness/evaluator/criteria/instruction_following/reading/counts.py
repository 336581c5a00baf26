"""Reads how many of what: words, sentences, paragraphs, lines, bullets, placeholders and the like."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading
from fairwitness.evaluator.criteria.instruction_following.reading.lexicon import CODE
from fairwitness.evaluator.criteria.instruction_following.reading.quantities import Quantity
from fairwitness.evaluator.patterns import Match, Pattern

_ADJECTIVES = (
    r"(?:(?:separate|different|short|long|unique|distinct|english|markdown|text|full|individual|"
    r"concise|brief|simple|key|main|single|such|numbered|nested|relevant|popular|well-written|"
    r"complete|coherent|detailed|square|bracketed|bolded|fill-in|more|less|fewer|new|additional|total|"
    r"max|maximum|minimum|min|or|plain|real|proper|short) ){0,3}"
)
_UNITS: dict[str, Kind] = {
    "word": "word_count",
    "words": "word_count",
    "sentence": "sentence_count",
    "paragraph": "paragraph_count",
    "line": "line_count",
    "character": "character_count",
    "bullet": "bullet_count",
    "placeholder": "placeholder_count",
    "hashtag": "hashtag_count",
    "emoji": "emoji_count",
    "heading": "heading_count",
    "header": "heading_count",
    "subheading": "heading_count",
}
_UNIT = rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})"
COUNTED = Pattern(rf"\b(?P<q>Q\d+) {_ADJECTIVES}{_UNIT} ")
NUMBER_OF = Pattern(
    rf"\b(?:number|amount|count|quantity) {_UNIT} (?:[^ |Q]+ ){{0,8}}(?P<q>Q\d+) "
    rf"|\b{_UNIT.replace('unit', 'unit2')} (?:count|limit|length|maximum|minimum|max|min) (?:[^ |Q]+ ){{0,6}}(?P<q2>Q\d+) "
    rf"|(?:^|\| |, ){_UNIT.replace('unit', 'unit3')} (?:: )?(?P<q3>Q\d+) \|"
)
PATTERNS = (COUNTED, NUMBER_OF)

_BOUNDARIES = frozenset({",", ";", "and", "but", ":", "(", ")"})
# Parts of a text: a count said of one of them is not a count of the whole response.
_PARTS = frozenset(
    """title introduction intro conclusion heading header headline subject paragraph sentence bullet
    section verse chorus line stanza item point slide subtitle caption summary ORD step scene act
    hook body abstract chapter letters word keyword name sender recipient character""".split()
)
_ROUGH_SHARE = 0.25


def read(reading: Reading, taken: set[int]) -> Iterator[Demand]:
    """Yield the counts asked of the whole response; quantities already taken are left alone."""
    found: list[Demand] = []
    for match in reading.find(NUMBER_OF):
        symbol, unit = next((match[f"q{n}"], match[f"unit{n}"]) for n in ("", 2, 3) if match[f"q{n}"])
        _demand(reading, match, symbol, unit, taken, found, named=True)
    for match in reading.find(COUNTED):
        _demand(reading, match, match["q"], match["unit"], taken, found, named=False)
    yield from found


def _demand(
    reading: Reading, match: Match, symbol: str, unit: str, taken: set[int], found: list[Demand], *, named: bool
) -> None:
    number = int(symbol[1:])
    quantity = reading.quantity(symbol)
    if number in taken or quantity.often:
        return
    repeated = any(demand.kind == _UNITS[unit] for demand in found)
    before, after = reading.around(match)
    if repeated and (quantity.vague or "(" in before[:3]):
        return
    kind = _UNITS[unit]
    if not named and not _judged(reading, match, quantity, kind, before, after):
        return
    if named and quantity.vague:
        return
    taken.add(number)
    bounds, firm = _bounds(quantity, kind, after)
    terms = ("markdown",) if kind == "bullet_count" and _markdown(reading) else ()
    found.append(Demand(kind, reading.span(match), bounds, terms=terms, firm=firm))


def _markdown(reading: Reading) -> bool:
    """Tell whether bullets are asked for in Markdown, by name or by example."""
    return "markdown" in reading.text.lower or "\n* " in reading.text.value or "\n- " in reading.text.value


def _judged(
    reading: Reading, match: Match, quantity: Quantity, kind: Kind, before: list[str], after: list[str]
) -> bool:
    """Tell whether a count is surely meant of the whole response."""
    if _of_a_part(before, kind) or _shared_out(after) or _about_code(reading, match):
        return False
    if "time" in after[:1]:
        return False
    if quantity.vague:
        return kind in {"bullet_count", "placeholder_count", "hashtag_count", "emoji_count"}
    if kind == "word_count" and (_words_themselves(after) or _defined(reading, match)):
        return False
    size = quantity.bounds.at_least or quantity.bounds.at_most or 0
    if kind == "character_count" and size < 20:
        return False
    if not quantity.bare:
        return True
    if kind == "word_count" and size < 10 and "RESP" not in before[:3] and not _said(reading, quantity, "in"):
        return False
    return _bare_is_meant(reading, match, quantity, kind, before, after)


def _of_a_part(before: list[str], kind: Kind) -> bool:
    for distance, symbol in enumerate(before[:8]):
        if symbol in {"each", "every"}:
            return True
        if symbol in _BOUNDARIES:
            return symbol == ":" and distance == 0 and before[1:2] == ["title"]
        if symbol in _PARTS and _UNITS.get(symbol) != kind:
            return True
    return False


def _shared_out(after: list[str]) -> bool:
    """Tell whether the count is per something: "3 sentences each", "two lines per verse"."""
    if "each" not in after[:4] or _BOUNDARIES & set(after[: after.index("each")]):
        return False
    following = after[after.index("each") + 1 : after.index("each") + 3]
    return not {"SEP", "section", "paragraph"} & set(following) or "each" == after[0] and "SEP" not in following


def _about_code(reading: Reading, match: Match) -> bool:
    index = reading.token_index(match.start)
    first, _ = reading.sentence_of(index)
    words = set(reading.lows(first, index))
    return bool(CODE & words) and not {"response", "answer", "reply", "output"} & words


def _words_themselves(after: list[str]) -> bool:
    """Tell whether the words are the thing listed ("10 words that rhyme"), not the length."""
    if not after:
        return False
    if after[0] in {"in", "with"}:
        return not ({"RESP", "WORK", "length", "total", "or", "all"} & set(after[1:3]))
    return after[0] in {
        "STARTS", "ENDS", "from", "rhyming", "related", "associated", "describing", "rhyme", "synonymous",
        "similar", "meaning", "S", ":", "synonyms", "capitalize", "APPEAR", "through",
    }  # fmt: skip


def _said(reading: Reading, quantity: Quantity, word: str) -> bool:
    return reading.lows(quantity.first - 1, quantity.first) == [word]


def _defined(reading: Reading, match: Match) -> bool:
    """Tell whether the words are told apart by what follows ("words that rhyme"): no length then."""
    last = reading.token_index(max(match.end - 2, match.start))
    return reading.lows(last + 1, last + 2)[:1] in (["that"], ["which"], ["to"], ["whose"])


def _bare_is_meant(
    reading: Reading, match: Match, quantity: Quantity, kind: Kind, before: list[str], after: list[str]
) -> bool:
    """A number nobody compared counts only in the shapes that ask for a length."""
    raw = reading.lows(quantity.first - 2, quantity.first)
    previous = raw[-1] if raw else ""
    leads_into_work = after[:1] == ["WORK"] or after[1:2] == ["WORK"] or after[:1] == ["RESP"]
    if leads_into_work:
        return previous in {"a", "an", "me", "one", "write", "create", "compose", "draft", "single", "short"}
    if previous in {"this", "these", "those", "following", "my", "the", "his", "her", "their"}:
        return False
    if kind in {"bullet_count", "placeholder_count", "hashtag_count", "emoji_count"}:
        return True
    if kind == "line_count":
        return previous in {"in"} or (before[:1] == ["USE"] and "WORK" in before[:3])
    said_of_response = previous in {"in", "with", "of", "into", "using"} or bool(
        {"RESP", "WORK"} & set(before[:3])
    )
    if kind == "paragraph_count":
        return said_of_response or before[:1] in (["WRITE"], ["USE"], [])
    return said_of_response or after[:1] == ["long"] or not before


def _bounds(quantity: Quantity, kind: Kind, after: list[str]) -> tuple[Bounds, bool]:
    bounds, firm = quantity.bounds, not quantity.rough
    if after[:1] == ["limit"] and quantity.bare:
        return Bounds(at_most=bounds.at_most), True
    small = (bounds.at_most or 0) < 10
    if kind in {"word_count", "character_count"} and quantity.bare and not small:
        firm = False
    if kind in {"placeholder_count", "hashtag_count", "emoji_count", "highlight_count"} and quantity.bare:
        return Bounds(at_least=bounds.at_least), firm
    return (bounds, True) if firm else (roughly(bounds), False)


def roughly(bounds: Bounds) -> Bounds:
    """Widen bounds by a quarter: "about 200 words" and "a 200-word essay" are kept by 150 to 250."""
    low, high = bounds.at_least, bounds.at_most
    return Bounds(
        None if low is None else int(low * (1 - _ROUGH_SHARE)),
        None if high is None else -int(-high * (1 + _ROUGH_SHARE)),
    )
