"""Checks what an answer speaks of: topics to leave out, foods not eaten, spelling, the language of a translation."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.checking import evidence
from fairwitness.evaluator.criteria.instruction_following.checking.language import is_in
from fairwitness.evaluator.criteria.instruction_following.checking.wording import occurrences
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.criteria.instruction_following.ingredient_table import (
    DIETS,
    NOT_ITSELF_AFTER,
    NOT_ITSELF_BEFORE,
    SOUNDS_LIKE_AFTER,
    SOUNDS_LIKE_BEFORE,
    SUBSTANCES,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.language import are_similar, likely_language, rather_english
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_SPANS = 5
_MAX_SHORT_CHARS = 80
# More foods than that are not looked at, nor more of a sentence around one.
_MAX_FOODS, _MAX_SENTENCE_CHARS = 60, 400
_MAX_REVERSED_CHARS = 200
# A sentence with one of these may name a food to leave it out, to replace it, or to warn of it.
_SET_ASIDE = Pattern(
    r"\b(?:no|not|without|avoid\w*|free|instead|in place of|replac\w*|substitut\w*|alternatives?|skip|omit|swap\w*|allerg\w*|intoleran\w*|plant-based|check|labels?|"
    r"contain\w*|contaminat\w*|unless|except|rather|if|never|none|nor|imitation|mock|faux|meatless|leave out|steer|careful|traces?|safe|suitable|"
    r"like|similar|usually|traditional\w*|normally|typically|optional|vegan|vegetarian|veggie|halal|kosher|beyond|impossible|can't|don't|doesn't|isn't|aren't)\b|-free\b|n['’]t\b",
    ignore_case=True,
)
# Words spelled in one way only on each side; forms in use on both sides, such as -ize in Oxford spelling, are left out.
_BRITISH_AMERICAN = dict(
    pair.split("/")
    for pair in (
        "colour/color colours/colors coloured/colored colourful/colorful favour/favor favourite/favorite favourites/favorites favours/favors "
        "honour/honor honoured/honored labour/labor neighbour/neighbor neighbours/neighbors neighbourhood/neighborhood harbour/harbor "
        "behaviour/behavior flavour/flavor flavours/flavors humour/humor rumour/rumor centre/center centres/centers theatre/theater "
        "fibre/fiber litre/liter litres/liters grey/gray travelled/traveled travelling/traveling traveller/traveler cancelled/canceled "
        "jewellery/jewelry defence/defense offence/offense catalogue/catalog aluminium/aluminum plough/plow sceptical/skeptical "
        "mould/mold cosy/cozy pyjamas/pajamas manoeuvre/maneuver analyse/analyze paralyse/paralyze moustache/mustache "
        "modelling/modeling labelled/labeled fuelled/fueled vapour/vapor odour/odor savour/savor endeavour/endeavor"
    ).split()
)
# Only Americans never write these; in Britain both forms are right.
_NOT_AMERICAN = "apologise organise organised organising realise realised recognise recognised apologised specialise favouritism memorise programme learnt whilst".split()


def topic(demand: Demand, exchange: Exchange) -> Outcome:
    """The topic that was to be left out is not named."""
    name = demand.terms[0]
    found = [
        place for form in _forms(name) for place in occurrences(exchange.response, form, whole=True)
    ]
    return Outcome(
        met=not found,
        asked=f"the response not to mention “{name}”",
        found=f"mentioned {counted(len(found), 'time')}" if found else "not mentioned",
        spans=tuple(sorted(found)[:_MAX_SPANS]),
        suggestion=f"Leave out “{name}”." if found else None,
    )


def _forms(name: str) -> set[str]:
    """Return a noun in the singular and the plural."""
    forms = {name, f"{name}s"}
    if name.endswith("s") and not name.endswith("ss") and len(name) > 4:
        forms.add(name[:-1])
    if name.endswith("y"):
        forms.add(f"{name[:-1]}ies")
    if name.endswith("ies"):
        forms.add(f"{name[:-3]}y")
    return forms | ({f"{name}es"} if name.endswith(("s", "x", "ch", "sh", "o")) else set())


def ingredients(demand: Demand, exchange: Exchange) -> Outcome:
    """No food is suggested that holds what was ruled out."""
    name, text = demand.terms[0], exchange.response
    # A food that is in neither table stands for itself.
    foods = DIETS.get(name) or SUBSTANCES.get(name) or frozenset({name})
    named = _foods(text, foods)[:_MAX_FOODS]
    if len(foods) == 1 and name in foods:
        named = [place for place in named if _is_itself(text, place)]
    found = [place for place in named if not _set_aside(text, place)]
    if demand.plain:
        # A dish that the prompt names itself is asked for in its version without: "a dairy-free mac and cheese".
        found = [
            place
            for place in found
            if (said := text.lower[place.start : place.end].rstrip("s")) == name.rstrip("s")
            or said not in exchange.prompt.lower
        ]
    shown = ", ".join(dict.fromkeys(f"“{text.slice(place)}”" for place in found[:_MAX_SPANS]))
    asked = f"food that is {name}" if name in DIETS else f"food without {name}"
    return Outcome(
        met=not found,
        asked=asked,
        found=f"it names {shown}"
        if found
        else f"no food from our list for “{name}” (the list is not complete)",
        spans=tuple(found[:_MAX_SPANS]),
    )


def _is_itself(text: Text, place: Region) -> bool:
    """Tell a food from one that is made of it or only bears its name: "olive oil", "sweet potato"."""
    before = text.lower[max(0, place.start - 40) : place.start].split()[-1:]
    after = text.lower[place.end : place.end + 40].split()[:1]
    return not (
        NOT_ITSELF_BEFORE & set(before)
        or NOT_ITSELF_AFTER & {word.strip(".,;:!?)") for word in after}
    )


def _foods(text: Text, foods: frozenset[str]) -> list[Region]:
    words = text.words
    low = [text.lower[word.start : word.end] for word in words]
    found: list[Region] = []
    for at, word in enumerate(low):
        one = _singular(word)
        pair = f"{word} {_singular(low[at + 1])}" if at + 1 < len(low) else ""
        before = {low[at - 1] if at else "", " ".join(low[max(0, at - 2) : at])}
        after = low[at + 1] if at + 1 < len(low) else ""
        if pair in foods or f"{one} {after}" in foods:
            found.append(Region(words[at].start, words[at + 1].end))
        elif (word in foods or one in foods) and not (
            before & SOUNDS_LIKE_BEFORE or after in SOUNDS_LIKE_AFTER
        ):
            found.append(words[at])
    return found


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("oes", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _set_aside(text: Text, place: Region) -> bool:
    """Tell whether the sentence, or the heading above its list, leaves the food out or replaces it."""
    sentence = text.sentence_at(place.start)
    low = max(sentence.start, place.start - _MAX_SENTENCE_CHARS)
    near = text.value[low : min(sentence.end, place.end + _MAX_SENTENCE_CHARS)]
    if _SET_ASIDE.search(near.encode()):
        return True
    above = text.value[max(0, sentence.start - _MAX_SENTENCE_CHARS) : sentence.start].rstrip()
    heading = above.rpartition("\n")[2]
    return heading.rstrip("*_ ").endswith(":") and _SET_ASIDE.search(heading.encode())


def spelling(demand: Demand, exchange: Exchange) -> Outcome:
    """No word is spelled the other side's way."""
    text, british = exchange.response, demand.terms[0] == "British"
    wrong = dict(_BRITISH_AMERICAN)
    if british:
        wrong = {american: own for own, american in wrong.items()}
    else:
        wrong |= {word: word.replace("s", "z") for word in _NOT_AMERICAN}
    places = [word for word in text.words if text.lower[word.start : word.end] in wrong]
    # A name keeps its own spelling: "Lincoln Center".
    found = [place for place in places if not _is_name(text, place)]
    shown = ", ".join(dict.fromkeys(f"“{text.slice(place)}”" for place in found[:_MAX_SPANS]))
    first = found[0] if found else None
    return Outcome(
        met=not found,
        asked=f"{demand.terms[0]} spelling",
        found=f"{shown} {'is' if len(found) == 1 else 'are'} not {demand.terms[0]} spelling"
        if found
        else f"no word from our list of {'American' if british else 'British'} spellings",
        spans=tuple(found[:_MAX_SPANS]),
        suggestion=f"Write “{wrong[text.lower[first.start : first.end]]}”."
        if first and british
        else None,
    )


def _is_name(text: Text, place: Region) -> bool:
    start = text.sentence_at(place.start).start
    return text.value[place.start].isupper() and place.start > start


def translation(demand: Demand, exchange: Exchange) -> Outcome:
    """The translation is in the language asked for; words around it may be in any."""
    code, name = demand.terms
    value = exchange.response.value
    quoted = max(value.split("\n"), key=len)
    sure = likely_language(value, or_similar=True)
    met = (
        sure is None
        or are_similar(sure, code)
        or (is_in(quoted, code) and len(quoted) >= 24)
        or _holds(value, code)
    ) and not _is_short_english(value, code)
    return Outcome(
        met=met,
        asked=f"a translation into {name}",
        found=f"no clear sign that the translation into {name} is missing"
        if met
        else "text in another language",
        spans=() if met else evidence.opening(exchange.response),
    )


_QUOTED = Pattern(r"[\"“«'‘*](?P<said>[^\"”»*\n]{8,400})[\"”»'’*]")


def _is_short_english(value: str, code: str) -> bool:
    """Tell whether one short line, which quotes nothing, is English."""
    short = len(value) <= _MAX_SHORT_CHARS and "\n" not in value.strip()
    return short and not _QUOTED.search(value.encode()) and rather_english(value, code)


def _holds(value: str, code: str) -> bool:
    """Tell whether something quoted or on a line of its own may be in the language."""
    pieces = [match["said"] for match in Text(value).matches(_QUOTED, limit=20)]
    pieces += [line for line in value.split("\n")[:20] if line.strip()] if "\n" in value else []
    sure = (likely_language(piece, or_similar=True) for piece in pieces)
    return any(found is None or are_similar(found, code) for found in sure)


def reversed_word(demand: Demand, exchange: Exchange) -> Outcome:
    """The word is there backwards, its letters together or apart."""
    word = demand.terms[0]
    wanted = "".join(filter(str.isalnum, word.lower()))[::-1]
    text = exchange.response
    runs = "".join(filter(str.isalnum, text.lower))
    whole = any(text.lower[region.start : region.end] == wanted for region in text.words)
    apart = "-".join(wanted) in text.lower or " ".join(wanted) in text.lower or runs == wanted
    met = whole or apart or (" " in word and wanted in runs)
    return Outcome(
        met=met,
        asked=f"“{word}” backwards",
        found="it is there" if met else "it is not there",
        spans=() if met else evidence.opening(text),
        suggestion=None if met else wanted,
        unchecked="The response is too long to search for one word"
        if len(text) > _MAX_REVERSED_CHARS and not met
        else "",
    )
