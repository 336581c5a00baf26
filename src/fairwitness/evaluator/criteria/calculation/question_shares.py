"""Works out questions about shares that the prompt determines: percentages, splits, ratios."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fairwitness.evaluator.criteria.calculation import question_prices
from fairwitness.evaluator.criteria.calculation.answers import MORE_STEPS, Answer, plain
from fairwitness.evaluator.criteria.calculation.quantities import (
    MEASURE,
    MONEY,
    PERCENT,
    RATIO,
    Line,
    Quantity,
)
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.vocabulary import SIZES

_ASKS = (
    r"(?:what|how (?:much|many|far|fast)|calculate|find|work out|which|simplify|mean|price per|per)"
)
_ASKED = Pattern(
    rf"\b{_ASKS}\b|\b(?:per ?cent(?:age)?|%) (?:growth|increase|change|decrease|rise|drop|gain|loss)\b|\b(?:average|avg) speed\b|^\W*(?:add|take|split|share|divide|apply)\b"
)
_MAX_CHARS = 200
# What the percentage was taken of is asked for, or it is not the only step.
_BACKWARDS = Pattern(
    r"\b(?:original\w*|before|initial\w*|list price|net|without|excluding|includ\w*|incl|was the|per year|per month|annual\w*|"
    r"compound\w*|interest|each year|monthly|yearly|twice|then|again|probability|chance|concentration|solution|mix\w*|paid)\b"
)
_OFF = Pattern(
    r"\b(?:off|discount\w*|reduc\w*|sale|cheaper|drop\w*|fell|falls?|decreas\w*|cut|loses?|lost|less|down)\b"
)
_UP = Pattern(
    r"\b(?:goes? up|went up|ris\w*|rose|increas\w*|rais\w*|more|grow\w*|grew|add|plus|vat|tax|gst|mark-?up|surcharge)\b"
)
_PART = Pattern(
    r"\b(?:tip|gratuity|commission|deposit|down payment|fee)\b|P\d+ of (?:the |an? |my )?[NMU]\d+"
)
_FROM_TO = Pattern(
    r"(?:\bfrom )?(?P<old>[NMU]\d+)(?: \pL+)? ?(?:to|->|→) ?(?P<new>[NMU]\d+)\b|(?P<old2>[NMU]\d+) in \pL+(?:,| and|,? then) (?P<new2>[NMU]\d+) in \pL+\b"
)
_CHANGED = Pattern(
    r"\bper ?cent(?:age)? (?:\pL+ )?(?:increase|decrease|change|rise|drop|growth|fall)\b|\bwhat per ?cent(?:age)?\b[^?]*\b(?:more|less|up|down)\b"
)
_OUT_OF = Pattern(
    r"(?P<part>[NMU]\d+) (?:\pL+ ){0,2}?(?:out of|of|from) (?:a total of )?(?P<whole>[NMU]\d+)\b|(?P<part2>N\d+) ?/ ?(?P<whole2>N\d+)"
)
_PERCENTAGE = Pattern(r"\bper ?cent(?:age)?\b|%")
_FRACTION = Pattern(r"\bfraction\b")
_SPLIT = Pattern(
    r"\b(?:split|share[ds]?|divid\w*|distribut\w*|give)\b[^?]*\b(?:between|among|amongst|by|with|into|to) (?:the )?(?:\pL+ )?(?P<by>N\d+)\b"
    r"|\b(?P<by2>N\d+) (?:of us|people|friends|persons|flatmates|kids|children|siblings|colleagues|ways|guests)\b[^?]*(?:\beach\b|\bshare\w*|\bsplit\w*|\bowe\b|\bper person\b)"
    r"|\b(?:shared|split) (?:equally )?by (?P<by3>N\d+)\b"
)
_LEFT = Pattern(r"\b(?:left over|leftover|remain\w*|left)\b")
_EQUAL_SHARES = Pattern(r"\b(?:unequal\w*|twice|half as|more than|ratio|except|only)\b")
_SHARE_RATIO = Pattern(r"\b(?:share|split|divide)\b[^?]*\bratio\b")
_SIMPLIFY = Pattern(r"\bsimpl\w+\b")
_SCALE = Pattern(r"\bscale\b[^?]*\b(?:ground|real\w*|actual\w*|how far|distance)\b")
_MIX = Pattern(r"\b(?:mix\w*|dilut\w*)\b[^?]*\bhow much (?:water|thinner|milk)\b")
# "How much water is in 20 litres": what is given is the whole, not one part.
_IN_WHOLE = Pattern(r"\bhow much \pL+\b[^?]*\bin (?:a |the )?(?:total of )?[UN]\d+\b")
# "Paint and water in the ratio 3:2 ... how much water is in 20 litres": a share of the whole.
_PART_OF_MIX = Pattern(
    r"(?P<one>\pL+) (?:and|to|with) (?P<two>\pL+)\b[^?.]{0,20}\bratio(?: of)? R\d+\b[^?]*\bhow much (?P<what>\pL+)\b[^?]*\bin (?:a |the )?(?:total of )?[UN]\d+\b"
)
_FEEDS = Pattern(
    r"\b(?P<amount>[NU]\d+) [^?]{0,30}\b(?:feeds?|serves?|makes?|is enough for|are enough for) (?P<few>N\d+)\b[^?]*\bhow (?:many|much)\b[^?]*\b(?:for|serves?|feeds?) (?P<many>N\d+)\b"
)
_FOR = Pattern(
    r"\b(?:for|serves) (?P<few>N\d+)(?: \pL+)?\b[^?]*?(?P<amount>[UMN]\d+)\b[^?]*\bfor (?P<many>N\d+)\b"
)


def answer(line: Line) -> Answer | None:
    """Return what the question determines, or None where it is none of these."""
    if len(line.text) > _MAX_CHARS or not line.first(_ASKED):
        return None
    kinds = "".join(sorted(line.kinds()))
    if line.first(MORE_STEPS):
        return _change(line) if kinds in {"NN", "MM", "UU"} else None
    for known, solvers in _BY_KINDS:
        if kinds in known:
            for solve in solvers:
                if (found := solve(line)) is not None:
                    return found
    return None


def _percent(line: Line) -> Answer | None:
    part = line.of(PERCENT)[0]
    whole = next(q for q in line.quantities if q.kind != PERCENT)
    if line.first(_BACKWARDS):
        return None
    of, off, up = (line.first(pattern) for pattern in (_PART, _OFF, _UP))
    share, more, less = (
        whole.amount * each for each in (part.value, 1 + part.value, 1 - part.value)
    )
    if of and not off:
        return Answer("number", ((share,), (more,)), plain(share, whole))
    if off and not up:
        return Answer("number", ((less,), (share,)), plain(less, whole))
    return Answer("number", ((more,), (share,)), plain(more, whole)) if up and not off else None


def _tipped(line: Line) -> Answer | None:
    """Work out a bill with a tip, shared."""
    by = _people(line)
    whole, part = line.of(MONEY)[0], line.of(PERCENT)[0]
    if by is None or not line.first(_PART) or line.first(_EQUAL_SHARES):
        return None
    worked = whole.value * (1 + part.value) / by.value
    return Answer("number", ((worked,),), plain(worked, whole))


def _percentage(line: Line) -> Answer | None:
    if not line.first(_PERCENTAGE):
        return None
    if change := line.first(_FROM_TO):
        old, new = (line[change[name] or change[f"{name}2"]].value for name in ("old", "new"))
        worked = abs(new - old) / old * 100 if old else None
    elif share := line.first(_OUT_OF):
        part, whole = (line[share[name] or share[f"{name}2"]].value for name in ("part", "whole"))
        worked = 100 * part / whole if whole and part <= whole else None
    else:
        return None
    return None if worked is None else Answer("number", ((worked,),), f"{plain(worked)}%")


def _change(line: Line) -> Answer | None:
    """Work out a percentage of change, where more is asked besides it: only percentages are compared."""
    found = _percentage(line) if line.first(_FROM_TO) and line.first(_CHANGED) else None
    return replace(found, kind="percent") if found else None


def _fraction(line: Line) -> Answer | None:
    share = line.first(_OUT_OF)
    if share is None or not line.first(_FRACTION):
        return None
    part, whole = (line[share[name] or share[f"{name}2"]].value for name in ("part", "whole"))
    return Answer("ratio", ((part / whole,),), str(part / whole)) if whole else None


def _people(line: Line) -> Quantity | None:
    match = line.first(_SPLIT)
    by = line[match["by"] or match["by2"] or match["by3"]] if match else None
    return by if by and by.value > 1 and by.value.denominator == 1 else None


def _split(line: Line) -> Answer | None:
    by = _people(line)
    if by is None or line.first(_EQUAL_SHARES):
        return None
    whole = next(q for q in line.quantities if q is not by)
    worked = whole.amount / by.value
    if line.first(_LEFT):
        each, rest = divmod(whole.amount, by.value)
        return Answer("number", ((Fraction(rest),),), f"{each} each, {rest} left over")
    return Answer("number", ((worked,),), plain(worked, whole))


def _in_ratio(line: Line) -> Answer | None:
    ratio = line.of(RATIO)[0]
    whole = next(q for q in line.quantities if q.kind != RATIO)
    total = ratio.value + ratio.other
    if not total or not ratio.value:
        return None
    if line.first(_SHARE_RATIO):
        parts = whole.amount * ratio.value / total, whole.amount * ratio.other / total
        return Answer("number", (parts,), f"{plain(parts[0])} and {plain(parts[1])}")
    if mixed := line.first(_PART_OF_MIX):
        first = mixed["what"] == mixed["one"]
        worked = whole.amount * (ratio.value if first else ratio.other) / total
        named = first or mixed["what"] == mixed["two"]
        return Answer("number", ((worked,),), plain(worked, whole)) if named else None
    mixed_with = line.first(_MIX) and not line.first(_IN_WHOLE)
    if whole.kind == MEASURE and (line.first(_SCALE) or mixed_with):
        worked = whole.value * ratio.other / ratio.value
        size = SIZES.get("km" if line.first(_SCALE) else whole.unit, 1)
        shown = plain(worked / size) + (" km" if line.first(_SCALE) else f" {whole.unit}")
        return Answer("measure", ((worked,),), shown)
    return None


def _simplified(line: Line) -> Answer | None:
    if not line.first(_SIMPLIFY) or "ratio" not in line.value:
        return None
    parts = line.quantities[0].ratio
    if parts is None or not parts[1]:
        return None
    worked = parts[0] / parts[1]
    return Answer("ratio", ((worked,),), f"{worked.numerator}:{worked.denominator}")


def _scaled(line: Line) -> Answer | None:
    match = line.first(_FOR) if "how much" in line.value else line.first(_FEEDS)
    if match is None or not line[match["few"]].value:
        return None
    few, amount, many = (line[match[name]] for name in ("few", "amount", "many"))
    worked = amount.amount / few.value * many.value
    if amount.kind == MEASURE:
        return Answer(
            "measure", ((worked * SIZES.get(amount.unit, 1),),), f"{plain(worked)} {amount.unit}"
        )
    return Answer("number", ((worked,),), plain(worked, amount))


_BY_KINDS = (
    (("MP", "NP", "PU"), (_percent,)),
    (("MNP",), (_tipped,)),
    (("NN", "MM", "UU"), (_percentage, _fraction)),
    (("MN", "NN", "NU"), (_split, question_prices.held)),
    (("MN", "NN", "MU", "NU", "DM", "DN"), (question_prices.priced, question_prices.price_per)),
    (("DDM", "DDN", "DM", "DN"), (question_prices.wage,)),
    (("MN", "MNN"), (question_prices.one_of,)),
    (("UU", "DU"), (question_prices.rate,)),
    (("DU", "DN"), (question_prices.distance,)),
    (("MUU", "MMUU", "MMNN"), (question_prices.cheaper,)),
    (("MM", "MN", "MMM", "MNN", "MNNN", "MMMN", "MMN"), (question_prices.left_over,)),
    (("NR", "MR", "RU"), (_in_ratio,)),
    (("R", "T"), (_simplified,)),
    (("NNU", "MNN", "NNN"), (_scaled,)),
)
