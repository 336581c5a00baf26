"""Works out questions about prices and rates that the prompt determines: so many at so much, one of many, per unit."""

from __future__ import annotations

from fractions import Fraction

from fairwitness.evaluator.criteria.calculation.answers import Answer, literal, plain
from fairwitness.evaluator.criteria.calculation.quantities import DURATION, Line
from fairwitness.evaluator.criteria.calculation.silent_words import BREAKS
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text
from fairwitness.evaluator.vocabulary import SIZES, unit_of

_EACH = Pattern(
    r"\b(?P<count>[NU]\d+) (?:[^?.]{0,40} )?(?:at|for|costs?|cost) (?P<price>[MN]\d+)(?: \pL+)? (?:each|apiece|per \pL+|a \pL+)\b"
)
_TOTAL = Pattern(r"\b(?:total|altogether|how much|cost|pay|come to)\b")
_COST = Pattern(r"\b(?P<count>N\d+) (?:\pL+ ){1,3}(?:costs?|are|is|for) (?P<price>M\d+)\b")
_ONE = Pattern(r"\b(?:how much|what)\b[^?]*\b(?:N\d+|each|one|a|per|single|an)\b")
_HOW_MANY_MORE = Pattern(r"\b(?:how much|what)\b[^?]*\b(?P<wanted>N\d+)\b")
_AT = Pattern(
    r"\b(?P<count>[UD]\d+)\b[^?]{0,40}\b(?:at|for) (?P<price>[MN]\d+) (?:per|a|an|each) (?P<unit>\pL+)\b"
)
_WAGE = Pattern(
    r"\b(?P<price>[MN]\d+) (?P<per>D\d+)\b|\b(?P<price2>[MN]\d+) per (?P<unit>hour|day|week)\b"
)
_ASKS_AMOUNT = Pattern(
    r"\bhow much\b|\bwhat(?:’s|'s)?\b[^?]*\b(?:pay|wages?|earn|earnings|income|make|fee|bill|charge|cost|total)\b"
)
_NOT_PLAIN = Pattern(r"\b(?:net|tax\w*|overtime|deduct\w*|after|bonus)\b")
_PER = Pattern(
    r"\b(?P<one>U\d+)\b[^?]{0,30}\b(?:on|in|with|using|for|from) (?P<two>[UD]\d+)\b[^?]*\b(?:per (?P<unit>\pL+)|average speed|how fast|speed)\b"
    r"|\b(?:average|avg|mean) speed\b[^?]*?\b(?P<one2>U\d+)\b[^?]{0,30}\bin (?P<two2>D\d+)\b"
)
_PRICE_PER = Pattern(
    r"\b(?P<count>U\d+)\b[^?]{0,40}\b(?:costs?|is|are|for) (?P<price>[MN]\d+)\b[^?]*\bper (?P<unit>\pL+)\W*$"
)
_SPEED = Pattern(
    r"\b(?:(?P<speed>U\d+)|(?P<speed2>N\d+) (?:mph|km/h|kph|(?:miles|kilomet(?:er|re)s|km) (?:per|an) hour))(?:\W|$)"
)
_HOW_FAR = Pattern(r"\bhow far\b|\bwhat distance\b|\bhow many (?:miles|kilomet(?:er|re)s|km)\b")
_NOT_STEADY = Pattern(
    rf"\b(?:{BREAKS}|back|return\w*|stop\w*|then|faster|slower|accelerat\w*|apart|towards?|ahead|behind|catch\w*)\b"
)
_OFFERS = Pattern(
    r"\b(?P<one>[UN]\d+)(?: \pL+){0,3} (?:for|at|costs?) (?P<first>M\d+)(?: \pL+)?,? (?:or|and|vs\.?|versus) (?:an? )?(?P<two>[UN]\d+)(?: \pL+){0,3} (?:for|at|costs?) (?P<second>M\d+)"
)
_ASKS_CHEAPER = Pattern(r"\b(?:cheaper|cheapest|better (?:deal|value|buy)|best value)\b")
_HAD = Pattern(
    r"\b(?:had|have|with|start(?:ed)? with) (?P<all>M\d+)\b[^?]*?\b(?:bought|buy|spent|spend|paid|pay)\b(?P<bought>[^?]*?)[.,]? (?:so )?how much\b[^?]*\b(?:left|remain\w*|have now|change)\b"
)
_BOUGHT = Pattern(
    r"(?P<count>N\d+) (?:\pL+ ){1,3}(?:for|at) (?P<price>[MN]\d+)(?: \pL+)? (?:each|apiece)|(?P<lump>[MN]\d+)(?P<each> (?:\pL+ )?(?:each|apiece|per)\b)?"
)
_HOLDS = Pattern(
    r"\b(?:a|an|each|every|one) (?P<box>\pL{3,}) (?:holds?|contains?|has|costs?|weighs?) (?P<each>[NMU]\d+)(?: (?P<thing>\pL+))?\.? [^?]*\b(?:in|do|for|of) (?P<count>N\d+) (?P<boxes>\pL{3,})\b"
)


def priced(line: Line) -> Answer | None:
    """Work out so many at so much each."""
    if match := line.first(_EACH) or line.first(_AT):
        count, price = line[match["count"]], line[match["price"]]
        if line.first(_TOTAL):
            return Answer(
                "number",
                ((count.amount * price.amount,),),
                plain(count.amount * price.amount, price),
            )
    return None


def wage(line: Line) -> Answer | None:
    """Work out what hours or days at a rate come to."""
    match = line.first(_WAGE)
    if match is None or not line.first(_ASKS_AMOUNT) or line.first(_NOT_PLAIN):
        return None
    price = line[match["price"] or match["price2"]]
    unit = line[match["per"]].unit if match["per"] else match["unit"]
    rate = line[match["per"]] if match["per"] else None
    spans = [q for q in line.of(DURATION) if q is not rate]
    if len(spans) != 1 or (rate is not None and rate.amount != 1):
        return None
    worked = price.amount * spans[0].value / SIZES[unit]
    return Answer("number", ((worked,),), plain(worked, price))


def one_of(line: Line) -> Answer | None:
    """Work out what one costs where many have a price, or many where a few have one."""
    match = line.first(_COST)
    if match is None or not line[match["count"]].value:
        return None
    count, price = line[match["count"]], line[match["price"]]
    others = [q for q in line.quantities if q not in (count, price)]
    if not line.first(_ONE) or (others and not line.first(_HOW_MANY_MORE)):
        return None
    worked = price.value / count.value * (others[0].value if others else 1)
    return Answer("number", ((worked,),), plain(worked, price))


def price_per(line: Line) -> Answer | None:
    """Work out the price of one unit of a measure."""
    match = line.first(_PRICE_PER)
    if match is None:
        return None
    count, price = line[match["count"]], line[match["price"]]
    unit = unit_of(match["unit"])
    own = unit_of(count.unit)
    if unit is None or own is None or unit[0] != own[0] or unit[1] not in SIZES or not count.value:
        return None
    worked = price.value / (count.value / SIZES[unit[1]])
    return Answer("number", ((worked,),), plain(worked, price))


def rate(line: Line) -> Answer | None:
    """Work out a rate of two measures: kilometres per litre, a speed."""
    match = line.first(_PER)
    if match is None:
        return None
    one, two = line[match["one"] or match["one2"]], line[match["two"] or match["two2"]]
    if match["unit"]:
        known, own = unit_of(match["unit"]), unit_of(two.unit)
        if known is None or own is None or known[0] != own[0] or known[1] not in SIZES:
            return None
        worked = one.amount / (two.value / SIZES[known[1]])
    elif two.kind == DURATION:
        worked = one.amount / (two.value / SIZES["hour"])
    else:
        return None
    return Answer("number", ((worked,),), plain(worked))


def distance(line: Line) -> Answer | None:
    """Work out how far something goes at a steady speed."""
    span = line.of(DURATION)[0]
    match = line.first(_SPEED)
    if match is None or not line.first(_HOW_FAR) or line.first(_NOT_STEADY):
        return None
    speed = line[match["speed"] or match["speed2"]]
    if match["speed"] and speed.unit not in {"km/h", "mph"}:
        return None
    worked = speed.amount * span.value / SIZES["hour"]
    return Answer("number", ((worked,),), plain(worked))


def cheaper(line: Line) -> Answer | None:
    """Work out which of two offers costs less for the same amount."""
    match = line.first(_OFFERS)
    if match is None or not line.first(_ASKS_CHEAPER):
        return None
    one, two = line[match["one"]], line[match["two"]]
    if one.kind != two.kind or not one.value or not two.value or one.text == two.text:
        return None
    rates = line[match["first"]].value / one.value, line[match["second"]].value / two.value
    if rates[0] == rates[1]:
        return None
    ordered = (one, two) if rates[0] < rates[1] else (two, one)
    words = [
        Pattern(
            rf"(?:^|[^\d.]){literal(each.text)}\b[^.?!\n\d]{{0,40}}\bis\b[^.?!\n\d]{{0,20}}\b(?:cheaper|cheapest|better|best)",
            ignore_case=True,
        )
        for each in ordered
    ]
    return Answer("word", (), f"{ordered[0].text} is cheaper", words=(words[0], words[1]))


def left_over(line: Line) -> Answer | None:
    """Work out what is left of an amount after everything that was bought."""
    match = line.first(_HAD)
    if match is None:
        return None
    spent, used = Fraction(0), 1
    for item in Text(match["bought"]).matches(_BOUGHT):
        if item["each"]:
            return None
        if item["count"]:
            spent += line[item["count"]].value * line[item["price"]].value
        else:
            spent += line[item["lump"]].value
        used += 2 if item["count"] else 1
    whole = line[match["all"]]
    worked = whole.value - spent
    if used != len(line.quantities) or used == 1 or worked < 0:
        return None
    return Answer("number", ((worked,),), plain(worked, whole))


def held(line: Line) -> Answer | None:
    """Work out how many are in several where one holds so many."""
    match = line.first(_HOLDS)
    if match is None or match["boxes"].rstrip("es") != match["box"].rstrip("es"):
        return None
    worked = line[match["each"]].amount * line[match["count"]].value
    return Answer("number", ((worked,),), plain(worked, line[match["each"]]))
