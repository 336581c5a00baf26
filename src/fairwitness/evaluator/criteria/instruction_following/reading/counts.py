"""Reads how many of what: words, sentences, paragraphs, lines, bullets, placeholders and the like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.quantities import Quantity
from fairwitness.evaluator.patterns import Match, Pattern

_ADJECTIVES = (
    r"(?:(?:separate|different|short|long|unique|distinct|english|markdown|text|full|individual|"
    r"concise|brief|simple|key|main|single|numbered|nested|relevant|popular|well-written|"
    r"complete|coherent|detailed|square|bracketed|bolded|fill-in|less|fewer|total|"
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
    rf"|(?:^|\| |, |and ){_UNIT.replace('unit', 'unit3')} (?:: )?(?P<q3>Q\d+) (?:\||,|and)"
)
ONE_A_LINE = Pattern(
    r"\bWRITE (?P<q>Q\d+) (?:[^ |,:Q]+ ){1,4}(?:, |\( |with |and )?(?P<one>Q\d+) (?:on )?each line (?:\||,|\)|and)"
)
MARKS = Pattern(r"\b(?P<q>Q\d+) (?:(?P<mark>exclamation|request) mark|(?P<comma>comma)) ")
PATTERNS = (COUNTED, NUMBER_OF, ONE_A_LINE, MARKS)

_BOUNDARIES = frozenset({",", ";", "and", "but", ":", "(", ")"})
# Parts of a text: a count said of one of them is not a count of the whole response.
_PARTS = frozenset(
    """title introduction intro conclusion heading header headline subject paragraph sentence bullet
    section verse chorus line stanza item point slide subtitle caption summary ORD step scene act
    hook body abstract chapter letters word keyword name sender recipient character""".split()
)
# Things that are listed rather than written out: a number of them needs no "exactly".
_LISTED = frozenset({"bullet_count", "placeholder_count", "hashtag_count", "emoji_count"})
# What stands before the number in "a 200-word essay", before somebody's text, and before a length.
_INTRODUCE = frozenset("a an me one write create compose draft single short".split())
_GIVEN = frozenset("this these those following my the his her their".split())
_LEAD = frozenset("in with of into using".split())
# Nouns that are often part of the subject: they must stand right at the count.
_WEAK = frozenset(
    "section line item point step scene act body letters word keyword name character ORD".split()
)
_JOINED = frozenset("USE with long short WRITE all only limit NEG ORD".split())
# What is too small to hold the thing counted is no part it could be counted in.
_SMALLER: dict[Kind, tuple[str, ...]] = {
    "bullet_count": ("bullet", "sentence", "word", "line"),
    "sentence_count": ("sentence", "word", "keyword"),
    "paragraph_count": ("sentence", "word", "keyword", "line", "bullet", "point", "summary"),
}
_ROUGH_SHARE = 0.25


class _Count(NamedTuple):
    """A quantity met in the prompt: what it counts, and the symbols around it, nearest first."""

    match: Match
    quantity: Quantity
    kind: Kind
    before: list[str]
    after: list[str]


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the counts asked of the whole response; quantities already taken are left alone."""
    yield from _one_a_line(reading, taken)
    yield from _marks(reading, taken)
    seen: set[Kind] = set()
    for pattern in (NUMBER_OF, COUNTED):
        for match in reading.find(pattern):
            groups = ("", "2", "3") if pattern is NUMBER_OF else ("",)
            group = next(n for n in groups if match[f"q{n}"])
            number = int(match[f"q{group}"][1:])
            kind = _UNITS[match[f"unit{group}"]]
            count = _Count(match, reading.quantities[number], kind, *reading.around(match))
            if number in taken.quantities or count.quantity.often or _said_again(count, seen):
                continue
            named = not (count.quantity.vague or (group == "3" and count.quantity.bare))
            judged = named if pattern is NUMBER_OF else _judged(reading, count)
            if judged:
                taken.quantities.add(number)
                seen.add(kind)
                yield _demand(reading, count)


def _one_a_line(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Read "list four fruits, one per line": as many lines as things."""
    for match in reading.find(ONE_A_LINE):
        number, quantity = int(match["q"][1:]), reading.quantity(match["q"])
        one = reading.quantity(match["one"]).bounds == Bounds(1, 1)
        if one and not quantity.vague and number not in taken.quantities:
            taken.quantities.update({number, int(match["one"][1:])})
            yield Demand("line_count", reading.span(match), quantity.bounds)


def _marks(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Read how often a mark may or must be used; a number nobody compared is left alone."""
    for match in reading.find(MARKS):
        number, quantity = int(match["q"][1:]), reading.quantity(match["q"])
        before = reading.around(match)[0]
        if number in taken.quantities or quantity.bare or quantity.vague:
            continue
        told = before[:1] == ["USE"] and {*before[1:2]} <= {",", "and", "RESP", "WORK"}
        if told and not _of_a_part(before, "keyword_count"):
            taken.quantities.add(number)
            mark = "," if match["comma"] else "!" if match["mark"] == "exclamation" else "?"
            yield Demand("keyword_count", reading.span(match), quantity.bounds, terms=(mark,))


def _said_again(count: _Count, seen: set[Kind]) -> bool:
    """Tell whether a count only says another way what was counted already."""
    return count.kind in seen and (count.quantity.vague or "(" in count.before[:3])


def _demand(reading: Reading, count: _Count) -> Demand:
    kind = count.kind
    bounds, firm = _bounds(count.quantity, kind, count.after)
    return Demand(
        kind,
        reading.span(count.match),
        bounds,
        terms=("markdown",) if kind == "bullet_count" and _markdown(reading) else (),
        separator="\n\n" if kind == "paragraph_count" and _blank_lines(reading) else "",
        firm=firm,
    )


def _judged(reading: Reading, count: _Count) -> bool:
    """Tell whether a count is surely meant of the whole response."""
    quantity, kind, after = count.quantity, count.kind, count.after
    if _of_a_part(count.before, kind) or _shared_out(after):
        return False
    if after[:1] == ["time"]:
        return False
    if quantity.vague:
        return kind in _LISTED
    listed = quantity.size < 25  # nobody asks for a hundred words that rhyme
    if (
        kind == "word_count"
        and listed
        and (_words_themselves(after) or _defined(reading, count.match))
    ):
        return False
    if kind == "character_count" and quantity.size < 20:
        return False  # the characters of a story
    return not quantity.bare or _bare_is_meant(reading, count)


def _bare_is_meant(reading: Reading, count: _Count) -> bool:
    """Tell whether a number nobody compared stands in one of the shapes that ask for a length."""
    quantity, kind, before, after = count.quantity, count.kind, count.before, count.after
    previous = "".join(reading.lows(quantity.first - 1, quantity.first))
    if (
        kind == "word_count"
        and quantity.size < 10
        and "RESP" not in before[:3]
        and previous != "in"
    ):
        return False
    if after[:1] in (["WORK"], ["RESP"]) or after[1:2] == ["WORK"]:
        return previous in _INTRODUCE
    if previous in _GIVEN:
        return False
    if kind in _LISTED:
        return True
    if kind == "line_count":
        told = before[:1] == ["WRITE"] and after[:1] in (["about"], ["on"])
        return told or previous == "in" or (before[:1] == ["USE"] and "WORK" in before[:3])
    said_of_response = previous in _LEAD or bool({"RESP", "WORK"} & set(before[:3]))
    if kind == "paragraph_count":
        return said_of_response or before[:1] in (["WRITE"], ["USE"], [])
    return said_of_response or after[:1] == ["long"] or not before


def _markdown(reading: Reading) -> bool:
    """Tell whether bullets are asked for in Markdown, by name or by example."""
    return (
        "markdown" in reading.text.lower
        or "\n* " in reading.text.value
        or "\n- " in reading.text.value
    )


def _blank_lines(reading: Reading) -> bool:
    """Tell whether the prompt says that blank lines, and they alone, part the paragraphs."""
    low = reading.text.lower
    return any(
        said in low
        for said in (
            "new line",
            "newline",
            "new-line",
            "line break",
            "linebreak",
            "line-break",
            "\\n\\n",
            "blank line",
            "empty line",
        )
    )


def _of_a_part(before: list[str], kind: Kind) -> bool:
    """Tell whether a count is said of one part: "the title should be", "each paragraph has"."""
    for distance, symbol in enumerate(before[:8]):
        if symbol in {"each", "every"}:
            return True
        if symbol == "," and before[distance - 1 : distance] in (["with"], ["USE"]):
            continue
        if symbol in _BOUNDARIES:
            return symbol == ":" and distance == 0 and before[1:2] == ["title"]
        if symbol in _PARTS and symbol not in _SMALLER.get(kind, ()):
            # "Rewrite the following sentence in 50 words" names the text to work on.
            given = "following" in before[distance + 1 : distance + 3]
            said_of_it = set(before[:distance]) <= (
                _JOINED if symbol in _WEAK else {*_JOINED, "in"}
            )
            return said_of_it and not given
    return False


def _shared_out(after: list[str]) -> bool:
    """Tell whether the count is per something: "3 sentences each", "two lines per verse"."""
    if "each" not in after[:5] or (_BOUNDARIES - {")"}) & set(after[: after.index("each")]):
        return False
    following = after[after.index("each") + 1 : after.index("each") + 3]
    if after[0] == "each":
        return "SEP" not in following
    return not {"SEP", "section", "paragraph"} & set(following)


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


def _defined(reading: Reading, match: Match) -> bool:
    """Tell whether the words are told apart by what follows ("words that rhyme"): no length then."""
    last = reading.token_index(max(match.end - 2, match.start))
    return reading.lows(last + 1, last + 2)[:1] in (["that"], ["which"], ["to"], ["whose"])


def _bounds(quantity: Quantity, kind: Kind, after: list[str]) -> tuple[Bounds, bool]:
    bounds, firm = quantity.bounds, not quantity.rough
    if after[:1] == ["limit"] and quantity.bare:
        return Bounds(at_most=bounds.at_most), True
    small = (bounds.at_most or 0) < 10
    if kind in {"word_count", "character_count"} and quantity.bare and not small:
        firm = False
    if (
        kind in {"placeholder_count", "hashtag_count", "emoji_count", "highlight_count"}
        and quantity.bare
    ):
        return Bounds(at_least=bounds.at_least), firm
    return (bounds, True) if firm else (roughly(bounds), False)


def roughly(bounds: Bounds) -> Bounds:
    """Widen bounds by a quarter: "about 200 words" and "a 200-word essay" are kept by 150 to 250."""
    low, high = bounds.at_least, bounds.at_most
    return Bounds(
        None if low is None else int(low * (1 - _ROUGH_SHARE)),
        None if high is None else -int(-high * (1 + _ROUGH_SHARE)),
    )
