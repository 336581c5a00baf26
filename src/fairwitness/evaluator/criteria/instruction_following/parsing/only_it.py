"""Finds the demand for the thing itself and no words around it, for no fence, for a body alone, and for rounded results.

"Just the regex, nothing around it", "one command, no explanation", "no code fence", "just the body", "rounded to one decimal".
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.made_demands import (
    CLOSES,
    OPENS,
    Made,
    spanned,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.numerals import number_of
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.patterns import Match, Pattern

_GIVE = r"(?:(?:give|send|show|return|output|print|write|post|want|need|reply|respond|answer|provide)(?: me| us)?(?: back)?(?: with)? )?"
_CODE_NAMES = (
    r"(?:(?:python|javascript|js|bash|shell|sql|css|html|git|excel|finished|final|full|bare|raw|plain|complete|updated|fixed|corrected|working) )?"
    r"(?:code|regex|regexp|regular expression|command|one-liner|function|snippet|script|query|statement|sql|css|html|formula|selector|expression|yaml|config|class|method|program|dockerfile|rule)"
)
_SHORT_NAMES = r"(?:final |bare |plain |correct )?(?:answers?|results?|solutions?|values?|roots?|score|percentage|amount|total|sum|date|year|price)"
_LISTED_NAMES = r"(?:names|titles|words|terms|titles and authors|names and dates|names and years|countries|cities|synonyms|headlines|ingredients)"
_ONLY = rf"{OPENS}(?:(?:i|we) )?(?:{_GIVE}(?:just|only|nothing but)(?: {_GIVE}| )(?:the |an? |one |your )?"
# "Only the code and its name" asks for more than the code.
_ENDS = CLOSES.replace(" and | but | or |", " and nothing| and no |")
_TEXT = r"(?:extra |additional |other |further |surrounding )"
CODE_ALONE = Pattern(rf"{_ONLY}{_CODE_NAMES}|(?:the )?{_CODE_NAMES} only)(?: itself| part)?{_ENDS}")
SHORT_ALONE = Pattern(rf"{_ONLY}{_SHORT_NAMES})(?: itself)?(?:{_ENDS}| separated| to )")
LISTED_ALONE = Pattern(rf"{_ONLY}{_LISTED_NAMES}|{_LISTED_NAMES} only){_ENDS}")
NOTHING_ELSE = Pattern(
    rf"{OPENS}(?:(?:with )?(?:nothing|not a (?:single )?word) (?:else|more|around it|before or after(?: it)?|besides)|no {_TEXT}(?:text|words?|output|prose|content|commentary)"
    rf"|without (?:any )?{_TEXT}(?:text|words|prose|commentary))(?: around it)?{CLOSES}"
)
NO_EXPLANATION = Pattern(
    rf"{OPENS}(?:(?:no|without|skip (?:the|any|all)|leave out (?:the|any)|omit (?:the|any)) (?:any |an |the |further |extra |long |need for )?(?:explanations?|commentary|prose|explaining|explanatory text|walkthrough)"
    rf"|(?:don't|do not) explain(?: (?:it|anything|the (?:code|answer|solution|command|query)|how it works|yourself))?)(?: needed| necessary| required)?{CLOSES}"
)
NO_FENCE = Pattern(
    rf"{OPENS}(?:(?:no|without(?: an?| any| the)?) (?:markdown |code )*(?:fences?|fencing|backticks)|without (?:an?|any) code blocks?"
    rf"|(?:don't|do not) (?:use|add|put it in|wrap it in|wrap (?:the|your) \w+ in) (?:an? |any )?(?:markdown )?(?:code (?:fences?|blocks?)|fences?|backticks))(?: around it)?{CLOSES}"
)
BODY_ALONE = Pattern(
    rf"{OPENS}(?:(?:just|only) (?:{_GIVE}|)the (?:e-?mail |message )?(?:body|body text)|(?:the )?body only|(?:no|without an?|skip the|leave out the|leave the) subject(?: line)?(?: out)?){CLOSES}"
)
_N = r"(?P<n>one|two|three|four|a single|1|2|3|4)"
DECIMALS = Pattern(
    rf"\b(?:round(?:ed|ing)? (?:\pL+ ){{0,4}}(?:to|at) {_N} (?:decimals?|decimal places?|decimal points?|places after the (?:decimal )?point|digits? after the (?:decimal )?point)"
    rf"|(?:to|with|at|use|using) (?:at most |no more than )?{_N.replace('<n>', '<n2>')} (?:decimals|decimal(?: places?)?|decimal points?)){CLOSES}"
)
# What makes a prompt one for code, for mail, for calculations.
ASKS_CODE = Pattern(
    r"\b(?:regex|regexp|regular expression|commands?|one-liner|function|snippet|script|quer(?:y|ies)|sql|css|html|python|javascript|typescript|js|bash|shell|git|code|program|formula|selector|dockerfile|yaml|cron|comprehension|flexbox|loop|rust|golang|java|c\+\+)\b"
)
_MAIL = Pattern(
    r"\b(?:write|draft|compose|word|phrase|need|send|make)\b[^.?!\n]{0,60}\b(?:e-?mails?|mail|message|reply|note|letter)\b|\b(?:e-?mail|reply|message|note) (?:to|for|asking|telling|saying|about|inviting|thanking)\b"
)
_WHY = Pattern(r"\b(?:why|how come|explain|describe|tell me about|discuss)\b")
_ALLOWED = Pattern(
    r"\b(?:then explain|(?:and|with|plus|add|include) (?:a |an |one |some )?(?:\pL+ ){0,2}(?:explanation|example|sentence|note|comment on)|example usage|usage example)\b"
)


def find_demands(prompt: Prompt) -> Iterator[Demand]:
    """Yield the demands of this family."""
    made = Made(prompt)
    yield from _alone(made)
    fence = made.find(NO_FENCE)
    if fence and not made.asks_about():
        yield Demand("no_fence", spanned(fence))
    body = made.find(BODY_ALONE)
    if body and made.has(_MAIL):
        yield Demand("subject", spanned(body), negated=True)
    yield from _decimals(made)


def _alone(made: Made) -> Iterator[Demand]:
    """Yield one demand for the thing alone; it is strict where the prompt says that nothing else may be there."""
    nothing, silent = made.find(NOTHING_ELSE), made.find(NO_EXPLANATION)
    code, short, listed = (made.find(one) for one in (CODE_ALONE, SHORT_ALONE, LISTED_ALONE))
    first = code or silent or nothing or short or listed
    if first is None or made.asks_about() or made.has(_ALLOWED):
        return
    strict = nothing is not None
    if made.has(ASKS_CODE) and (code or silent or nothing) and not (short or listed):
        if made.tells_readers():
            return
        yield _demand(code or silent or nothing, "code", strict=strict)
    elif made.has(_WHY):
        return
    elif short:
        yield _demand(short, "answer", strict=strict)
    elif listed:
        yield _demand(listed, "items", strict=strict)


def _demand(match: Match | None, what: str, *, strict: bool) -> Demand:
    assert match is not None
    return Demand("only_it", spanned(match), terms=(what,), alone=strict)


def _decimals(made: Made) -> Iterator[Demand]:
    match = made.find(DECIMALS)
    if match is None or made.has(ASKS_CODE) or made.asks_about() or made.tells_readers():
        return
    word = match["n"] or match["n2"]
    places = 1 if word == "a single" else int(word) if word.isdigit() else number_of(word)
    if places:
        yield Demand("decimals", spanned(match), Bounds(at_most=places))
