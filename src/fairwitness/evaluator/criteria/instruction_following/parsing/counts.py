"""Finds demands on counts: words, sentences, paragraphs, lines, bullets, placeholders and the like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.parsing.count_scope import (
    is_of_first_part,
    is_of_headline,
    is_of_mention,
    is_of_part,
    is_per_part,
    is_whole_response,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.quantities import Quantity
from fairwitness.evaluator.patterns import Match, Pattern

_ADJECTIVES = (
    r"(?:(?:separate|different|short|long|unique|distinct|english|markdown|text|full|individual|"
    r"concise|brief|simple|key|main|single|numbered|nested|relevant|popular|well-written|"
    r"complete|coherent|detailed|square|bracket|bracketed|WRAP|bolded|fill-in|less|fewer|total|"
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
    rf"|\b(?P<limit>max|maximum|min|minimum) {_UNIT.replace('unit', 'unit4')} (?:count |length )?(?:: )?(?P<q4>Q\d+) "
    rf"|\b(?P<unit5>placeholder|hashtag|emoji|heading|header|bullet) (?:[^ |Q]+ ){{0,8}}?(?:APPEAR|USE) (?:in RESP |in WORK )?(?P<q5>Q\d+) time "
    rf"|\b(?P<unit6>placeholder|hashtag|emoji|bullet) (?:[^ |Q]+ ){{0,8}}?(?:USE|WRITE|with) (?P<q6>Q\d+) (?:\||in (?:RESP|WORK)|\))"
    rf"|\b(?P<unit7>bullet) (?:point )?(?:WRITE|WORK) (?:with |USE |: )?(?P<q7>Q\d+) (?:item|point|bullet|entries|elements|things) "
)
ONE_A_LINE = Pattern(
    r"\bWRITE (?P<q>Q\d+) (?:[^ |,:Q]+ ){1,4}(?:, |\( |with |and )?(?P<one>Q\d+) (?:on )?each line (?:\||,|\)|and)"
)
PATTERNS = (COUNTED, NUMBER_OF, ONE_A_LINE)

# Things that are listed rather than written out: a number of them needs no "exactly".
_LISTED = frozenset({"bullet_count", "placeholder_count", "hashtag_count", "emoji_count"})
# What comes before the number in "a 200-word essay", before somebody's text, and before a length.
_INTRODUCE = frozenset("a an me one your write create compose draft single short".split())
_GIVEN = frozenset("this these those following my the his her their".split())
_SHORTENED = frozenset(
    "down cut boil condense shorten trim reduce compress squeeze distil distill abridge".split()
)
_LEAD = frozenset("in with of into using".split())
# Of a text, and so not of another that is ordered after it.
_OF_TEXT = frozenset(
    {"word_count", "sentence_count", "paragraph_count", "line_count", "character_count"}
)
_ROUGH_SHARE = 0.25
_BLANK_LINE_NAMES = (
    "new line", "newline", "new-line", "line break", "linebreak", "line-break", "\\n\\n", "blank line", "empty line",
)  # fmt: skip


class _Count(NamedTuple):
    """A quantity met in the prompt: what it counts, and the symbols around it, nearest first."""

    match: Match
    quantity: Quantity
    kind: Kind
    before: list[str]
    after: list[str]


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the counts asked of the whole response; quantities already taken are left alone."""
    yield from _one_a_line(prompt, consumed)
    seen: set[Kind] = set()
    for pattern in (NUMBER_OF, COUNTED):
        for match in prompt.find(pattern):
            groups = ("", *"234567") if pattern is NUMBER_OF else ("",)
            group = next(n for n in groups if match[f"q{n}"])
            number = int(match[f"q{group}"][1:])
            kind = _UNITS[match[f"unit{group}"]]
            count = _Count(match, prompt.quantities[number], kind, *prompt.around(match))
            if number in consumed.quantities or count.quantity.often or _said_again(count, seen):
                continue
            named = not (count.quantity.vague or (group == "3" and count.quantity.bare))
            judged = named if pattern is NUMBER_OF else _judged(prompt, count)
            if judged:
                consumed.quantities.add(number)
                seen.add(kind)
                demand = _demand(prompt, _limited(count) if group == "4" else count)
                if kind in _OF_TEXT and is_of_first_part(prompt, count.quantity):
                    # Both texts together have at least as much as the first.
                    least = demand.bounds.at_least if demand.bounds else None
                    if (least or 0) <= 1:
                        continue
                    demand = replace(demand, bounds=Bounds(at_least=least))
                yield demand


def _one_a_line(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Find "list four fruits, one per line", which asks for as many lines as things."""
    for match in prompt.find(ONE_A_LINE):
        number, quantity = int(match["q"][1:]), prompt.quantity(match["q"])
        one = prompt.quantity(match["one"]).bounds == Bounds(1, 1)
        if one and not quantity.vague and number not in consumed.quantities:
            consumed.quantities.update({number, int(match["one"][1:])})
            yield Demand("line_count", prompt.span(match), quantity.bounds)


def _limited(count: _Count) -> _Count:
    """Apply "max words: 60": the word before the unit says which side is bounded."""
    size = count.quantity.size
    most = count.match["limit"].startswith("max")
    bounds = Bounds(at_most=size) if most else Bounds(at_least=size)
    return count._replace(quantity=count.quantity._replace(bounds=bounds, bare=False))


def _said_again(count: _Count, seen: set[Kind]) -> bool:
    """Tell whether a count only says another way what was counted already."""
    return count.kind in seen and (count.quantity.vague or "(" in count.before[:3])


def _demand(prompt: Prompt, count: _Count) -> Demand:
    kind = count.kind
    bounds, firm = _bounds(count.quantity, kind, count.after)
    return Demand(
        kind,
        prompt.span(count.match),
        bounds,
        terms=("markdown",) if kind == "bullet_count" and _markdown(prompt) else (),
        separator="\n\n" if kind == "paragraph_count" and _blank_lines(prompt) else "",
        firm=firm,
    )


def _judged(prompt: Prompt, count: _Count) -> bool:
    """Tell whether a count is surely meant of the whole response."""
    quantity, kind, after = count.quantity, count.kind, count.after
    if kind == "word_count" and after[:1] in (["sentence"], ["line"], ["paragraph"]):
        return False  # "three-word sentences"
    if is_of_headline(prompt, quantity) or is_of_mention(prompt, quantity):
        return False
    of_part = is_of_part(count.before, kind) and not is_whole_response(prompt, quantity)
    if (of_part and not _is_only_part(prompt, count.before)) or is_per_part(after):
        return False
    if after[:1] == ["time"]:
        return False
    if quantity.vague:
        return kind in _LISTED
    listed = quantity.size < 25  # nobody asks for a hundred words that rhyme
    if (
        kind == "word_count"
        and listed
        and (
            _words_themselves(after, _is_listing(prompt, quantity)) or _defined(prompt, count.match)
        )
    ):
        return False
    if kind == "character_count" and quantity.size < 20 and (quantity.bare or quantity.size < 5):
        return False  # the characters of a story
    return not quantity.bare or _bare_is_meant(prompt, count)


def _is_only_part(prompt: Prompt, before: list[str]) -> bool:
    """Tell whether the part is all there is to be: "in one sentence of at most 20 words"."""
    words = [word for word in before[:3] if word not in {"of", "with"}]
    if len(words) < 2 or words[0] not in {"sentence", "paragraph"} or words[1][:1] != "Q":
        return False
    return prompt.quantity(words[1]).bounds == Bounds(1, 1)


def _bare_is_meant(prompt: Prompt, count: _Count) -> bool:
    """Tell whether a number without a comparison is used in a way that asks for a length."""
    quantity, kind, before, after = count.quantity, count.kind, count.before, count.after
    previous = "".join(prompt.lows(quantity.first - 1, quantity.first))
    hyphenated = prompt.text.value[prompt.tokens[quantity.last - 1].end :][:1] == "-"
    few = kind == "word_count" and quantity.size < 10
    if few and "RESP" not in before[:3] and previous != "in" and not hyphenated:
        return False
    if after[:1] in (["WORK"], ["RESP"]) or after[1:2] == ["WORK"]:
        return previous in _INTRODUCE
    if previous in _GIVEN:
        return False
    if kind in _LISTED:
        return True
    if kind == "line_count":
        told = before[:1] == ["WRITE"] and after[:1] in (["about"], ["on"])
        told = told or (previous == "of" and before[:1] == ["WORK"])
        return told or previous == "in" or (before[:1] == ["USE"] and "WORK" in before[:3])
    said_of_response = previous in _LEAD or bool({"RESP", "WORK"} & set(before[:3]))
    if previous == "to":  # "boil this down to", "cut the text to"
        said_of_response |= not _SHORTENED.isdisjoint(
            prompt.lows(quantity.first - 8, quantity.first)
        )
    if kind == "paragraph_count":
        return said_of_response or before[:1] in (["WRITE"], ["USE"], [])
    return said_of_response or after[:1] == ["long"] or not before


def _markdown(prompt: Prompt) -> bool:
    """Tell whether bullets are asked for in Markdown, by name or by example."""
    return (
        "markdown" in prompt.text.lower
        or "\n* " in prompt.text.value
        or "\n- " in prompt.text.value
    )


def _blank_lines(prompt: Prompt) -> bool:
    """Tell whether the prompt says that blank lines, and they alone, part the paragraphs."""
    low = prompt.text.lower
    return any(name in low for name in _BLANK_LINE_NAMES)


def _is_listing(prompt: Prompt, quantity: Quantity) -> bool:
    """Tell whether a colon may open the words themselves: not behind "at most 3" nor behind "in one word:"."""
    return quantity.bare and prompt.lows(quantity.first - 1, quantity.first) != ["in"]


def _words_themselves(after: list[str], listing: bool) -> bool:
    """Tell whether the words are the thing listed ("10 words that rhyme"), not the length."""
    if not after or (after[0] == ":" and not listing):
        return False
    if after[0] in {"in", "with"}:
        return not ({"RESP", "WORK", "length", "total", "or", "all"} & set(after[1:3]))
    return after[0] in {
        "STARTS", "ENDS", "from", "rhyming", "related", "associated", "describing", "rhyme", "synonymous",
        "similar", "meaning", "S", ":", "synonyms", "capitalize", "APPEAR", "through",
    }  # fmt: skip


def _defined(prompt: Prompt, match: Match) -> bool:
    """Tell whether what follows describes the words ("words that rhyme"): then it is no length."""
    last = prompt.token_index(max(match.end - 2, match.start))
    return prompt.lows(last + 1, last + 2)[:1] in (["that"], ["which"], ["to"], ["whose"])


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
