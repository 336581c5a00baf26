"""Checks notes on lists: no such items, numbered steps, first letters, years in order, headings."""

from __future__ import annotations

from itertools import pairwise

from fairwitness.evaluator.criteria.instruction_following.checking import (
    counting,
    evidence,
    lists,
)
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_SPANS = 3
_ITEM = Pattern(
    r"^[ \t]*(?:#{1,6} )?(?:[-*+•–] |\(?\d{1,3}[.):] |\*\*)[ \t]*(?P<said>\S[^\n]*)", multiline=True
)
_STEP = Pattern(
    r"^[ \t>*_#|-]*(?:step |\(?)\d{1,3}(?:[.):|*]| -|️⃣|$)", ignore_case=True, multiline=True
)
_YEAR = Pattern(r"\b(?:1\d{3}|20\d{2})\b")
# Counted the other way round.
_BEFORE_CHRIST = Pattern(r"\d ?(?:BC|BCE|B\.C\.)")
_LEADING_YEAR = Pattern(
    r"^[\s*_#>|•–-]*(?:\d{1,3}[.)] +)?[*_]*\(?(?P<year>(?:1\d{3}|20\d{2}))\b[\s*_):–—|.-]"
)
_YEAR_OPENS = Pattern(
    r"^[\s*_#>|•+–-]*(?:\(?\d{1,3}[.)] +)?[*_`(\[]*(?:c\. ?|ca\. ?|around )?(?:AD )?\d{1,4}s?\b",
    ignore_case=True,
)
# Behind these words a noun says where something is or what it is not.
_ASIDE = frozenset(
    "no not without near by behind opposite from beside outside after before around under instead unlike than beyond non skip avoid between below above along past toward towards across over to view beneath inside".split()
)
_AFTER_HEAD = frozenset("of in at for on with and or & near".split())
_MAX_NAME_WORDS = 9
_MAX_BESIDE_CHARS = 16  # around the name in a heading
_ARTICLES = frozenset("the a an le la el los les".split())


def _singulars(things: str) -> frozenset[str]:
    """Return a plural noun and its singular."""
    forms = {things, things[:-1]}
    if things.endswith("ies"):
        forms.add(f"{things[:-3]}y")
    if things.endswith("es"):
        forms.add(things[:-2])
    return frozenset(forms)


def excluded_items(demand: Demand, exchange: Exchange) -> Outcome:
    """No item of the list is named after the thing that was ruled out."""
    text, things = exchange.response, demand.terms[0]
    *more, last = things.split()
    items = [match for match in text.matches(_ITEM) if not text.in_code(match.start)]
    wrong = [
        Region(match.span("said")[0], match.end)
        for match in items
        if _is_named(match["said"], _singulars(last), more)
    ]
    return Outcome(
        met=not wrong,
        asked=f"no {things} in the list",
        found=f"“{text.slice(wrong[0])[:60].strip()}”" if wrong else "none",
        spans=tuple(evidence.cut(region) for region in wrong[:_MAX_SPANS]),
        suggestion=f"Name something else than {things}." if wrong else None,
        unchecked="" if items else "The response has no list",
    )


def _is_named(said: str, forms: frozenset[str], more: list[str]) -> bool:
    """Tell whether the name of an item ends with the noun, or goes on with "of": "Museum of Tiles", not "Museum Café"."""
    name = (
        said.lower().removeprefix("**").partition("**")[0]
    )  # of an item with a bold part, that part
    for mark in (":", " – ", " — ", " - ", " (", ". ", ","):
        name = name.partition(mark)[0]
    words = [word.strip("*_`\"'“”.!?").removesuffix("'s") for word in name.split()]
    words = [word for word in words if word]
    if len(words) > _MAX_NAME_WORDS or _ASIDE & set(words):
        return False
    return any(
        word in forms
        and words[max(0, at - len(more)) : at] == more
        and (at + 1 == len(words) or words[at + 1] in _AFTER_HEAD)
        for at, word in enumerate(words)
    )


def numbered_steps(demand: Demand, exchange: Exchange) -> Outcome:
    """Steps with numbers are there, as a list, as headings or in a table."""
    found = exchange.response.matches(_STEP, limit=20)
    met = len(found) > 1
    return Outcome(
        met=met,
        asked="numbered steps",
        found="numbered steps" if met else "no numbered steps",
        spans=() if met else evidence.opening(exchange.response),
        suggestion=None if met else "Number the steps.",
    )


def item_initial(demand: Demand, exchange: Exchange) -> Outcome:
    """Every item of the list starts with the letter asked for, an article aside."""
    letter = demand.terms[0].casefold()
    items = lists.listed(exchange.response)
    # "Fruit: kiwi" names the thing behind the colon.
    text = exchange.response
    wrong = [
        item
        for item in items
        if not any(_opens(part, letter) for part in (item.said, *_behind(text.slice(item.region))))
    ]
    return Outcome(
        met=not wrong,
        asked=f"every item to start with “{demand.terms[0]}”",
        found=f"“{wrong[0].said[:40]}”" if wrong else "every item does",
        spans=tuple(evidence.cut(item.region) for item in wrong[:_MAX_SPANS]),
        unchecked="" if len(items) > 1 else "The response is not one clear list",
    )


def _behind(line: str) -> list[str]:
    """Return what stands behind a colon or a dash of a line."""
    return [
        rest for mark in (":", " – ", " — ", " - ") if (rest := line.partition(mark)[2]).strip()
    ]


def _opens(said: str, letter: str) -> bool:
    words = ["".join(filter(str.isalnum, word)) for word in said.casefold().split()[:4]]
    words = [word for word in words if word]
    if words and words[0] in _ARTICLES and len(words) > 1:
        return words[0].startswith(letter) or words[1].startswith(letter)
    return bool(words) and words[0].startswith(letter)


def dated_order(demand: Demand, exchange: Exchange) -> Outcome:
    """The years of the list run the way that was asked for."""
    dated = _dated(exchange.response)
    wrong = [
        (one, two)
        for one, two in pairwise(dated)
        if one[1] != two[1] and (one[1] < two[1]) is demand.negated
    ]
    order = "the newest first" if demand.negated else "the oldest first"
    return Outcome(
        met=not wrong,
        asked=order,
        found=f"{wrong[0][1][1]} after {wrong[0][0][1]}" if wrong else "in order",
        spans=tuple(evidence.cut(region) for region, _ in wrong[0]) if wrong else (),
        suggestion=f"Put {order}." if wrong else None,
        unchecked="" if dated else "The response is no one list with a year in each line",
    )


def _dated(text: Text) -> list[tuple[Region, int]]:
    """Return the lines of one list with the year of each; empty where one of them has no year or more than one."""
    if text.code_blocks or counting.headings(text) or text.search(_BEFORE_CHRIST):
        return []
    items = [*counting.bullets(text), *counting.numbered(text)]
    lines = sorted(items) if len(items) > 1 else counting.lines(text)
    if len(items) < 2 and len(lines) > 2 and text.slice(lines[0]).rstrip().endswith(":"):
        lines = lines[1:]
    gaps = (text.value[one.end : two.start] for one, two in pairwise(lines))
    if any(row.strip() and not row[0].isspace() for gap in gaps for row in gap.split("\n")):
        return []  # a title between two lists
    found: list[tuple[Region, int]] = []
    for line in lines:
        said = Text(text.slice(line))
        leading = said.search(_LEADING_YEAR)
        years = {match.text for match in said.matches(_YEAR, limit=4)}
        if leading is None and len(years) != 1:
            return []
        found.append((line, int(leading["year"] if leading else years.pop())))
    return found if len(found) > 1 else []


def year_start(demand: Demand, exchange: Exchange) -> Outcome:
    """Every line of the list starts with a year, a bullet or a number of the list aside."""
    text = exchange.response
    items = [*counting.bullets(text), *counting.numbered(text)]
    lines = sorted(items) if len(items) > 1 else counting.lines(text)
    wrong = [line for line in lines if not _YEAR_OPENS.search(text.slice(line).encode())]
    # One line may lead up to the list, and one may follow it.
    met = not wrong or (
        len(items) < 2 and len(lines) - len(wrong) > 1 and set(wrong) <= {lines[0], lines[-1]}
    )
    return Outcome(
        met=met,
        asked="every line to start with the year",
        found="every line does" if met else f"{len(wrong)} of {len(lines)} lines do not",
        spans=() if met else tuple(evidence.cut(line) for line in wrong[:_MAX_SPANS]),
    )


def headings(demand: Demand, exchange: Exchange) -> Outcome:
    """Each heading asked for opens a line, or stands in a table."""
    text = exchange.response
    opened = [_folded(text.slice(line)) for line in text.lines]
    cells = {
        _folded(cell)
        for line in text.lines
        if "|" in text.slice(line)
        for cell in text.slice(line).split("|")
    }
    missing = [
        name
        for name in demand.terms
        if _folded(name) not in cells
        and not any(_is_headed(line, _folded(name)) for line in opened)
    ]
    named = ", ".join(f"“{name}”" for name in missing)
    return Outcome(
        met=not missing,
        asked="the headings " + ", ".join(f"“{name}”" for name in demand.terms),
        found=f"missing: {named}" if missing else "these headings",
        spans=evidence.opening(text) if missing else (),
        suggestion=f"Add the headings {named}." if missing else None,
    )


def _is_headed(line: str, name: str) -> bool:
    """Tell whether a line opens with a name, or is short and holds it: "Part 1: Before", "What to do after"."""
    return line.startswith(name) or (len(line) <= len(name) + _MAX_BESIDE_CHARS and name in line)


def _folded(line: str) -> str:
    """Return the letters and digits of a line in lower case, without marks and numbers in front of its words."""
    return "".join(filter(str.isalnum, line[:200].casefold())).lstrip("0123456789")
