"""Finds words to avoid, to keep or not to start with, and facts and things to leave out, as clauses of any sentence."""

from __future__ import annotations

from itertools import takewhile

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.ingredient_table import DIETS, SUBSTANCES
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import RESPONSES, WORKS
from fairwitness.evaluator.criteria.instruction_following.parsing.own_clauses import (
    CLOSES,
    NOT,
    OPENS,
    QUOTED_LIST,
    Clauses,
    Form,
    span_of,
)
from fairwitness.evaluator.patterns import Match, Pattern

_NOUN = r"(?:(?:any of )?(?:the |these |this )?(?:words?|phrases?|terms?|expressions?))"
_WRITTEN = Pattern(
    r"\b(?:write|draft|rewrite|rephrase|reword|compose|explain|describe|summari[sz]e|translate|create|come up with|"
    r"e-?mail|letter|post|reply|speech|message|announcement|article|story|poem|bio|caption|slogan|essay|invitation)\b"
)
_LISTED = Pattern(
    r"\b(?:top (?:\d|three|five|ten)|things to|places|ideas|suggest\w*|recommend\w*|list|name (?:\d|three|four|five|ten)|gifts?|activities|attractions|sights|"
    r"restaurants|where (?:can|should|could|to)|what (?:to|should|can|could) (?:i|we)? ?(?:do|see|visit|read|watch|get|buy)|plan|itinerary|tonight|"
    r"(?:movies|films|books|games|series|podcasts|hotels|names|presents) (?:for|like|about|to|in))\b"
)
# How an answer is written, and what is no thing to list.
_NOT_THINGS = frozenset(
    """bullets lists numbers emojis explanations headings headers spoilers questions words sentences duplicates repeats links
    excuses details comments sources examples quotes quotations hashtags tables titles names paragraphs lines items steps notes
    disclaimers introductions adjectives adverbs contractions abbreviations acronyms thanks worries problems idioms cliches brackets
    commas dashes digits symbols letters calories carbs kids children plans others ones strings attachments errors mistakes images
    pictures prices dates years columns rows points articles preferences restrictions allergies requirements limits options
    answers solutions surprises imports loops libraries metaphors puns jokes rhymes tricks ads cars fees costs stars descriptions summaries reasons captions labels passwords""".split()
)
# What a list may surely name; of other things "no" is an order only with "please".
_SURE_THINGS = frozenset(
    """museums churches beaches bars pubs clubs nightclubs restaurants castles parks zoos malls cafes cafés chains hotels hostels hikes
    cruises markets theatres theaters galleries temples gyms sports films movies musicals sequels remakes documentaries books novels
    biographies podcasts gadgets toys candles flowers mugs socks chocolates perfumes vouchers plants animals dogs cats birds insects""".split()
)
_STARTED = "|".join(sorted(WORKS | RESPONSES))
_SUBJECT = r"(?:i|we|he|she|they|(?:my|our|his|her|their) [\pL-]+)"
_BE = r"(?: am| was| were| is| are| have been| had been| has been| got| have| had| has|'m|'re|'s|'ve been|'ve)"
_FACT = rf"(?:that (?:{_SUBJECT}|(?P<other>it|this|the [\pL-]+))|(?:i|we|he|she|they))(?:{_BE})?(?: just| recently| also| already)? (?P<rest>[\pL][\pL' -]{{3,60}}?)"
_FACT_ENDS = r"(?: at all| anywhere| though| please)?(?:[.,;!?)\n]|$| but | because | since | and (?:i|we|keep|make|please|don't)\b)"
_TELLING = r"(?:mentioning|revealing|disclosing|bringing up)"
_ARTICLES = frozenset("a an the my our his her their your this that".split())
_PREPOSITIONS = frozenset("in on at from for with by of to about as into".split())
# Too common to prove that a fact is told: "last year", "very happy", "a new one".
_COMMON = frozenset(
    """last next year month week day today yesterday tomorrow now soon then again before after ago here there it them him her me us
    you one ones thing things time times very really good bad happy sorry new going been being having done doing this that anymore
    yet still already""".split()
)
# "Don't use the word X more than once", "... in the title": it may be used.
_NARROWED = Pattern(
    r"^ (?:more|too|again|twice|over|often|as|if|unless|except|only|when|before|after|without|to|so|every|in (?:the|your|its|any) (?:title|heading|headline|first|opening|last|subject)|at the (?:start|end|beginning))\b"
)
_MAX_AHEAD_CHARS = 40
_MAX_PHRASE_WORDS = 3
_MIN_SINGLE_CHARS = 5


def _forbidden(clauses: Clauses, match: Match) -> Demand | None:
    terms = clauses.quoted(match) if match["quoted"] else (clauses.said(match, "bare"),)
    if any(term.lower() in _ARTICLES for term in terms) and not match["quoted"]:
        return None
    ahead = clauses.text.value[match.end :][:_MAX_AHEAD_CHARS]
    if not terms or _NARROWED.search(ahead.encode()):
        return None
    return Demand("forbidden_words", span_of(match), terms=terms)


def _no_quoted(clauses: Clauses, match: Match) -> Demand | None:
    # Of a form or a button one says so too; here a text must be asked for.
    proverb = match["quoted"].strip("\"'“”‘’") == "never"
    return _forbidden(clauses, match) if clauses.text.search(_WRITTEN) and not proverb else None


def _samples(clauses: Clauses, match: Match) -> Demand | None:
    """Read "words like a, b or c": of an unquoted list, the last may run on into the sentence and is then left."""
    if match["quoted"]:
        return Demand("forbidden_words", span_of(match), terms=clauses.quoted(match))
    listed = clauses.said(match, "listed")
    for joint in (", or ", ", and ", " or ", " and "):
        listed = listed.replace(joint, ",")
    names = [name.strip() for name in listed.split(",")]
    ended = match.text[-1:] in ".;!?)\n" or match.end == len(clauses.text.value)
    if len(names[-1].split()) > 1 or not ended:
        names = names[:-1]
    names = list(takewhile(lambda name: 0 < len(name.split()) < 3 and len(name) > 2, names))
    return Demand("forbidden_words", span_of(match), terms=tuple(names)) if names else None


def _kept(clauses: Clauses, match: Match) -> Demand | None:
    return Demand("required_words", span_of(match), terms=clauses.quoted(match))


def _start(clauses: Clauses, match: Match) -> Demand | None:
    terms = clauses.quoted(match)
    return Demand("starts_with", span_of(match), terms=terms, negated=True) if terms else None


def _fact(clauses: Clauses, match: Match) -> Demand | None:
    phrase = _closing_phrase(match["rest"].split(), personal=not match["other"])
    return Demand("topic", span_of(match), terms=(phrase,)) if phrase else None


def _closing_phrase(words: list[str], *, personal: bool) -> str:
    """Return the last words of a fact, as far as nobody would write them without telling it."""
    while words and words[0] in _ARTICLES | _PREPOSITIONS:
        words = words[1:]
    if len(words) > _MAX_PHRASE_WORDS:
        cut = max(
            (at for at, word in enumerate(words) if word in _ARTICLES | _PREPOSITIONS), default=-1
        )
        words = words[cut + 1 :]
    if not 0 < len(words) <= _MAX_PHRASE_WORDS or _COMMON & set(words):
        return ""
    if len(words) == 1 and (not personal or len(words[0]) < _MIN_SINGLE_CHARS):
        return ""
    return " ".join(words)


def _no_things(clauses: Clauses, match: Match) -> Demand | None:
    things = match["things"].split()[-1]
    eaten = things in SUBSTANCES or things[:-1] in SUBSTANCES or things in DIETS
    if things in _NOT_THINGS or things.endswith("ss") or eaten or len(things) < 4:
        return None
    # "A flat with two beds, no balconies" describes; who says "please" does not.
    asked = "please" in match.text or (things in _SURE_THINGS and not match["having"])
    if not asked or not clauses.text.search(_LISTED):
        return None
    return Demand("excluded_items", span_of(match), terms=(match["things"],))


FORMS = (
    Form(Pattern(rf"{OPENS}(?:{NOT} (?:use|say|write|include|put in|put|repeat)|avoid(?: using| saying)?|without(?: using| saying)?|skip|leave out|stay away from) {_NOUN} (?:{QUOTED_LIST}|(?P<bare>\pL[\pL'-]+)(?: at all| anywhere)?{CLOSES}))"), False, _forbidden),
    Form(Pattern(rf"{OPENS}{NOT} (?:use|say|write) {QUOTED_LIST}){CLOSES}"), False, _no_quoted),
    Form(Pattern(rf"{OPENS}(?:with )?no {QUOTED_LIST}(?: at all| anywhere| in it| allowed)?){CLOSES}"), False, _no_quoted),
    Form(Pattern(rf"{OPENS}(?:{NOT} use|avoid|no|skip|without|stay away from|steer clear of) (?:any |using )?(?:[\pL, -]{{0,40}}?[ ,])?(?:words?|terms?|phrases|expressions|jargon|buzzwords|language|cliches|clichés|fillers?) (?:like|such as) (?:{QUOTED_LIST}|(?P<listed>\pL[\pL' -]*(?:, ?[\pL' -]+){{0,7}}))(?:[.;!?)\n]|$)?)"), False, _samples),
    Form(Pattern(rf"{OPENS}(?:keep|leave) (?:the )?(?:[\pL-]+ )?(?:(?:words?|names?|terms?|phrases?|titles?|expressions?) )?{QUOTED_LIST} (?:as (?:it|they) (?:is|are)|as is|as-is|unchanged|untranslated|untouched|in (?:the )?(?:original|its original|german|french|spanish|italian|latin|japanese|english)|the way it is)\b)"), False, _kept),
    Form(Pattern(rf"{OPENS}(?:{NOT} (?:start|begin|open|lead)|without (?:starting|beginning|opening))(?: off| out)?(?: it| (?:the|your|my|this|that) (?:{_STARTED}))? (?:with|by saying) (?:the )?(?:(?:words?|phrase|line) )?{QUOTED_LIST}){CLOSES}"), False, _start),
    Form(Pattern(rf"\b(?P<own>(?:it|that|which|the (?:{_STARTED})) (?:shouldn't|should not|must not|mustn't|doesn't|does not|may not|can't|cannot) (?:start|begin|open) with (?:the )?(?:(?:words?|phrase|line) )?{QUOTED_LIST}){CLOSES}"), True, _start),
    Form(Pattern(rf"{OPENS}(?:{NOT} (?:mention|reveal|disclose|bring up|let on|give away|tell (?:them|him|her|anyone|people))|avoid {_TELLING}|leave out)(?: (?:to )?(?:them|him|her|anyone))?(?: the fact)? {_FACT}){_FACT_ENDS}"), False, _fact),
    Form(Pattern(rf"\b(?P<own>without {_TELLING}(?: the fact)? {_FACT}){_FACT_ENDS}"), True, _fact),
    Form(Pattern(rf"(?P<having>\b(?:has|have|had|with|is|are|there's) [^.,;!?\n(–—]{{0,60}})?(?:^|[.!?,;(\n–—] *)(?:but |and |so )?(?P<own>(?:please )?no (?:more )?(?P<things>(?:[\pL-]+ )?\pL+s)){CLOSES}"), True, _no_things),
)  # fmt: skip
