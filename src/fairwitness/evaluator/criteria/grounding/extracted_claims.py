"""Checks a list of all items of a closed kind in the source, addresses, links, dates or codes: none lost, none added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.closed_kinds import Found, items_of_kind, main_shape, shape_of
from fairwitness.evaluator.given import Passage
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_REQUEST_CHARS = 500
_MAX_SOURCE_CHARS = 20_000
_MIN_CODES = 2
_KINDS = {
    "email": r"e-?mail(?: address(?:es)?|s)",
    "link": r"links?|(?:web ?)?links|urls?|hyper-?links|web addresses",
    "hashtag": r"hash-?tags?",
    "handle": r"(?:user ?)?handles|@-?mentions",
    "phone": r"(?:tele)?phone numbers?",
    "date": r"(?:calendar )?dates?",
    "time": r"(?:clock )?times|times of day",
    "amount": r"(?:money|monetary|dollar|euro|pound) (?:amounts?|sums?|values?)|amounts? of money|prices?|amounts?",
    "percentage": r"percentages?",
    "number": r"numbers?",
    "year": r"years?",
    "code": r"(?:order|ticket|invoice|reference|tracking|product|item|part|flight|case|booking|confirmation|serial|article|catalogue|purchase order|po|error|issue|bug|model|course|sku)[ -](?:numbers?|ids?|codes?|references?|keys?)|skus?|ids|identifiers|codes",
}
_KIND = "|".join(f"(?P<{kind}>{words})" for kind, words in _KINDS.items())
# "Extract every e-mail address from the message", with nothing that says which of them.
_EVERY = r"(?:(?:each|every|all)(?: of)?(?: the| single| individual)?|the|any(?: and all)?)(?: (?:different|unique|distinct))?"
_VERB = r"(?:extract|list|find|identify|collect|gather|return|show|give|get|pull(?: out)?|pick out|copy(?: out)?|name|write (?:down|out)|output|note(?: down)?|locate|what are|which are)"
_AFTER = (
    r"(?:(?: (?:that|which)(?: are| is| appears?| occurs?)?)?(?: (?:mentioned|named|found|contained|listed|given|present|included|shown|stated|written|appearing|occurring|used))?"
    r"(?: you (?:can )?(?:find|see))?)?"
    r"(?: (?:in|from|out of|within) (?:the|this|that|these|my|our|his|her|their|it|following|below)[^.:;?!\n,]{0,50}| below| above| here)?"
    r"\s*(?:[.:;?!,\n(]|$|, | one | as | into | on | and | separated | in (?:a|the order|order|one|alphabetical|plain|json|csv|their)\b)"
)
_ASKED = Pattern(
    rf"\b{_VERB}(?: (?:me|us|out|down|up))? (?P<every>{_EVERY}) (?P<kind>{_KIND}){_AFTER}",
    ignore_case=True,
)
# "... and all phone numbers in it": another kind in the same sentence.
_ALSO = Pattern(
    rf"^(?P<every>(?:each|every|all)(?: the)?) (?P<kind>{_KIND}){_AFTER}", ignore_case=True
)
_MAX_KINDS = 3
_COPIED = frozenset({"email", "link", "hashtag", "handle", "phone", "code"})
# What follows in the sentence says which ones: "the dates and venues of our concerts".
_OF_SOME = Pattern(
    r"^[^.:;?!\n]{0,120}\b(?:of|for|who|that|with|about|when|to)\b", ignore_case=True
)
# Some of them, or more than is written there.
_LIMITED = Pattern(
    r"\b(?:except|excluding|exclude|ignor\w+|skip\w*|leav\w+ out|omit\w*|not the|but not|other than|apart from|unless|besides|only (?:those|the ones|if|from|for|of|the (?:e-?mail|link|phone|date|one)s?)|which (?:one|of)|"
    r"first|last|latest|earliest|most|top|largest|highest|relevant|important|valid|working|current|active|still|external|internal|unread|past|future|upcoming|overdue|unpaid|paid|correct|wrong|belong\w*|associated|related|whose|where|if any|"
    r"today|format|normali[sz]e|convert|belonging|after|before|between|(?:above|over|under) [$€£]?\d+|more than|less than|sum|total|add up|calculate|average|odd|even|prime|negative|positive|missing|don['’]t|do not)\b",
    ignore_case=True,
)
# The response says why something is not in its list, or that there are more.
_SAID = Pattern(
    r"\b(?:left out|leave out|leaving out|omit\w*|exclud\w*|except\w*|not includ\w*|did ?n[o’']t includ\w*|skipp\w*|and so on|etc|\d+ more|more)\b",
    ignore_case=True,
)
_NUMERIC_DATE = Pattern(r"\b\d{1,2}[/.]\d{1,2}\b")


class _Source(NamedTuple):
    part: Passage
    item: Found


def extracted_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for the first item of each kind that is asked for whole and is lost, and for each that is added."""
    parts = ground.given.passages
    request = Text(ground.given.instruction[:_MAX_REQUEST_CHARS])
    if not parts or sum(len(part.text.slice(part.region)) for part in parts) > _MAX_SOURCE_CHARS:
        return
    if ground.invents or ground.to_change or len(ground.given.instruction) > _MAX_REQUEST_CHARS:
        return
    if request.search(_LIMITED):
        return
    for kind in _kinds_asked(request):
        given = [
            _Source(part, item)
            for part in parts
            for item in items_of_kind(kind, part.text, part.region)
        ]
        text = ground.response
        stated = items_of_kind(kind, text, Region(0, len(text)))
        if kind == "code":
            given, stated = _of_one_shape(given, stated)
        if given and stated:
            yield from _compared(ground, kind, given, stated)


def _kinds_asked(request: Text) -> Iterator[str]:
    """Yield the kinds of which all items are asked for."""
    match = request.search(_ASKED)
    at = 0
    for _ in range(_MAX_KINDS):
        if match is None or _OF_SOME.search(request.value[at + match.end :].encode()):
            return
        kind, every = match.which(_KINDS), match["every"].lower()
        # "The date" is one of them, and "the prices" may be those of something.
        several = every.startswith(("each", "every", "any")) or match["kind"].endswith("s")
        if several and (kind in _COPIED or not every.startswith("the")):
            yield kind
        at += match.end
        match = Text(request.value[at:]).search(_ALSO)


def _of_one_shape(given: list[_Source], stated: list[Found]) -> tuple[list[_Source], list[Found]]:
    """Return the codes of the shape that the response lists; codes of other things have another."""
    shape = main_shape(stated, _MIN_CODES)
    return (
        [one for one in given if shape_of(one.item.key) == shape],
        [one for one in stated if shape_of(one.key) == shape],
    )


def _compared(
    ground: Ground, kind: str, given: list[_Source], stated: list[Found]
) -> Iterator[Claim]:
    text = ground.response
    known = {one.item.key for one in given}
    said = {one.key for one in stated}
    if not known & said:
        return
    lost = next(
        (one for one in given if one.item.key not in said and not _is_there(text, kind, one)), None
    )
    if lost is not None and not text.search(_SAID):
        source = Span(*lost.item.place, lost.part.source)
        written = lost.part.text.slice(lost.item.place)
        message = f"The list leaves out “{written}”, which is in the source."
        yield Claim("list", stated[-1].place, source, "medium", message)
    if kind not in _COPIED:
        return
    for one in stated:
        if one.key not in known and not _is_told(ground, kind, one):
            written = text.slice(one.place)
            message = f"Lists “{written}”, which is not in the source."
            yield Claim("list", one.place, None, "medium", message)
            return


def _is_there(text: Text, kind: str, one: _Source) -> bool:
    """Tell whether the response has an item in another form, or may have it in a form that is not read."""
    key = one.item.key
    if kind == "phone":
        return key in "".join(filter(str.isdecimal, text.value))
    if kind == "date":
        return text.search(_NUMERIC_DATE) is not None
    written = one.part.text.lower[slice(*one.item.place)]
    return key.lstrip("#@") in text.lower or written in text.lower


def _is_told(ground: Ground, kind: str, one: Found) -> bool:
    """Tell whether an item stands anywhere in what was given, in whatever form."""
    for part in ground.given.beside + ground.given.passages:
        told = part.text.lower[slice(*part.region)]
        if kind == "phone":
            told = "".join(filter(str.isdecimal, told))
        if one.key.lstrip("#@") in told:
            return True
    return False
