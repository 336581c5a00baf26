"""Finds short notes on the shape of the answer: numbering, lengths, first letters, order of years, headings, rows."""

from __future__ import annotations

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.numerals import number_of
from fairwitness.evaluator.criteria.instruction_following.parsing.own_clauses import (
    CLOSES,
    NUMBER,
    QUOTED_LIST,
    Clauses,
    Form,
    span_of,
)
from fairwitness.evaluator.patterns import Match, Pattern

_NUMBERING = r"(?:numbering|numbered (?:list|items|points)|list numbers)"
_BULLETS = r"(?:bullets?|bullet points?|bulleting|dashes)"
# Where a note begins.
_NOTE = r"(?:^|[.!?,;:(\n–—] *| - |\b(?:but|and|so|please|also|just) )"
_WITH = r"(?:^|[.!?,;:(\n–—] *|\b(?:as|in|with|using|into|give me|give|list|want|need|please|and) )"
# More than one text is asked for, or a text for each of several things: a length may then be of one part.
_PARTS = Pattern(
    r"\b(?:each|every|per|then|followed by|plus|headline|subject line|conclusion|intro(?:duction)?|sections?|versions?|options|variants|paragraphs?|bullets?|"
    r"tweets|captions|slogans|questions|abstract|thesis|steps|format|structure|template|outline|list|items|quiz|dialogue)\b"
)
# Questions are asked for, with answers of one word.
_ANSWERED = Pattern(r"\b(?:questions|quiz|riddles?|clues?|crossword|trivia|each|every)\b")
_LETTERS = Pattern(r"\b(?:e-?mails?|letter|card|mail|note|message|reply|invitation|speech|toast)\b")
_EVERY_WORD = Pattern(
    r"\b(?:every|each|all|all the|the|of the) words?\b|\b(?:sentences?|poem|lines?|paragraphs?|tongue twister|acrostic|alliterat\w+)\b"
)
_ROWS = r"(?:rows|records|entries|objects|customers|users|products|people|persons|employees|items|orders|books|students|countries|cities|movies|films|contacts|events|companies|transactions|recipes|planets|animals|members|patients|courses)"
_DATA = r"(?:csv|json|table)"
# Who reads, explains or changes data asks for no new data.
_WORKED_ON = Pattern(
    r"\b(?:how|why|read|reads|parse[sd]?|explain|load|convert|turn|sum|count|add|to the|this|schema|python|function|script|code|query|api|returns)\b"
)
_LEAST = frozenset({"at least", "minimum", "min"})
_MAX_HEADINGS = 8


def _count(word: str) -> int:
    return int(word) if word.isdigit() else number_of(word) or 0


def _no_numbering(clauses: Clauses, match: Match) -> Demand | None:
    both = bool(match["also"] or match["also2"])
    read = {
        term
        for demand in clauses.found
        if demand.kind == "forbidden_marks"
        for term in demand.terms
    }
    terms = tuple(mark for mark in ("numbered", "bullet")[: 1 + both] if mark not in read)
    return Demand("forbidden_marks", span_of(match), terms=terms) if terms else None


def _steps(clauses: Clauses, match: Match) -> Demand | None:
    if clauses.has("numbered_count"):
        return None
    return Demand("numbered_steps", span_of(match), Bounds(at_least=2))


def _sentences(clauses: Clauses, match: Match) -> Demand | None:
    low, high = _count(match["low"]), _count(match["high"] or match["low"])
    limited = bool(match["max"] or match["most"])
    counted = clauses.has("sentence_count") or clauses.has("item_count")
    if not 0 < low <= high or counted or (not limited and (match["rough"] or high < 2)):
        return None
    if clauses.text.search(_PARTS) or len(clauses.text.matches(_SENTENCES, limit=2)) > 1:
        return None
    # A greeting and a closing line stand around the sentences of a letter.
    around = 1 if clauses.text.search(_LETTERS) else 0
    least = None if limited else low
    return Demand("sentence_count", span_of(match), Bounds(least, high + around))


def _one_word(clauses: Clauses, match: Match) -> Demand | None:
    if clauses.has("word_count") or clauses.has("options") or clauses.text.search(_ANSWERED):
        return None
    return Demand("word_count", span_of(match), Bounds(1, 1))


def _initial(clauses: Clauses, match: Match) -> Demand | None:
    goes_on = match.text.endswith(",") and not match["all"]
    if goes_on or clauses.text.search(_EVERY_WORD):
        return None
    return Demand("item_initial", span_of(match), terms=(match["letter"].upper(),))


def _dated(clauses: Clauses, match: Match) -> Demand | None:
    newest = bool(match["newest"] or match["newest2"] or match["reverse"])
    return Demand("dated_order", span_of(match), negated=newest)


def _year_first(clauses: Clauses, match: Match) -> Demand | None:
    return Demand("year_start", span_of(match))


def _headings(clauses: Clauses, match: Match) -> Demand | None:
    names = clauses.quoted(match) if match["quoted"] else _capitalised(clauses.said(match, "names"))
    if not 1 < len(names) <= _MAX_HEADINGS:
        return None
    return Demand("headings", span_of(match), terms=names)


def _capitalised(listed: str) -> tuple[str, ...]:
    """Return the names of a plain list where each is written with a capital letter."""
    for joint in (", and ", " and ", " & "):
        listed = listed.replace(joint, ",")
    names = [name.strip() for name in listed.split(",")]
    good = all(name[:1].isupper() and len(name.split()) <= 3 for name in names)
    return tuple(names) if good else ()


def _columns(clauses: Clauses, match: Match) -> Demand | None:
    names = clauses.quoted(match)
    if len(names) < 2 or clauses.text.search(_WORKED_ON):
        return None
    return Demand("only_columns", span_of(match), terms=names)


def _rows(clauses: Clauses, match: Match) -> Demand | None:
    group = "" if match["n"] else "2"
    count, words = _count(match[f"n{group}"]), match[f"least{group}"].strip()
    ahead = clauses.text.value[match.end : match.end + 8].strip(" .,;!?").split()[:1]
    if count < 2 or clauses.text.search(_WORKED_ON) or ahead in (["each"], ["per"], ["or"]):
        return None
    bounds = Bounds(at_least=count) if words in _LEAST else Bounds(count, count)
    header = ("header",) if "header" in clauses.text.value else ()
    rows = ("rows",) if "rows" in match.text else ()
    return Demand("row_count", span_of(match), bounds, terms=header + rows)


_SENTENCES = Pattern(
    rf"(?:^|[.!?,;:\n–—] *)(?P<own>(?:please |just |keep it to |in )?(?P<rough>like |about |around |maybe |roughly )?(?P<most>max\.? |maximum |at most |no more than |up to )?(?P<low>{NUMBER})(?: ?(?:-|–|to|or) ?(?P<high>{NUMBER}))? (?:short |simple |brief |full )?sentences?(?P<max>,? ?\(?(?:max|maximum|tops|at most|at the most|or less|or fewer)\)?\b)?){CLOSES}"
)
_NAMES = r"(?P<names>[\pL][\pL -]*(?:, ?[\pL][\pL -]*){0,7}?,? (?:and|&) [\pL][\pL-]*)"
FORMS = (
    Form(Pattern(rf"(?:{_NOTE}|\b(?:with|as) | )(?P<own>(?:(?:with no|no|without) (?:any )?(?:(?P<also>{_BULLETS})(?: and| or|,|/) ?(?:no )?{_NUMBERING}|{_NUMBERING}(?P<also2>(?: and| or|,|/) ?(?:no )?{_BULLETS})?)|(?:don't|do not) number (?:them|the (?:list|lines|items))|(?P<unnumbered>not numbered|unnumbered))){CLOSES}"), True, _no_numbering),
    Form(Pattern(rf"{_WITH}(?P<own>(?:an? |the )?(?:clear |short |simple |easy |{NUMBER} |step-by-step )?numbered (?:steps|instructions|points|list))(?: only)?(?:{CLOSES}| (?:for|on|to) )"), True, _steps),
    Form(_SENTENCES, True, _sentences),
    Form(Pattern(rf"(?:^|[.!?,;:(\n–—] *|\b(?:give me|with|want|need|just|only|please) )(?P<own>(?:an? |just )*(?:one|single|1)[- ]word (?:answer|reply|response)(?: only)?)(?:{CLOSES}|:)"), True, _one_word),
    Form(Pattern(rf"(?P<own>\b(?P<all>(?:that|which) all |(?:they|these|those|names?|items|ideas|titles|all of them|all|the (?:names|titles|items|ideas)) (?:should |must |have to |need to |all )(?:all |each )?|all |each |every one )(?:start|begin|starting|beginning|starts|begins) with (?:the letter |an? )?[\"'“]?(?:(?P<letter>\pL))[\"'”]?){CLOSES}"), False, _initial),
    Form(Pattern(rf"(?P<own>\b(?P<all>)(?:(?:that|which) (?:start|begin)|starting|beginning) with the letter [\"'“]?(?P<letter>\pL)[\"'”]?){CLOSES}"), True, _initial),
    Form(Pattern(rf"(?:^|[.!?,;:(\n–—] *|\b(?:with|and|in|from|sorted|ordered|listed|them|order) )(?P<own>(?:the |sorted )?(?:(?P<newest>newest|latest|most recent)(?: ones?)?(?: first)|(?:oldest|earliest)(?: ones?)? first|(?P<reverse>reverse[- ])?(?:chronological(?: order)?|chronologically)|(?:oldest|earliest) to (?:newest|latest|most recent)|(?P<newest2>newest|latest|most recent) to (?:oldest|earliest))){CLOSES}"), True, _dated),
    Form(Pattern(rf"(?:^|[.!?,;:(\n–—] *|\b(?:and|with|put) )(?P<own>(?:with |put )?(?:the |a )?year (?:at|in) the (?:start|beginning|front) of (?:each|every) (?:line|item|entry|bullet|row)|(?:each|every) (?:line|entry|item) (?:should |must )?(?:starts?|begins?|starting|beginning) with (?:the |a )year){CLOSES}"), True, _year_first),
    Form(Pattern(rf"\b(?P<own>(?:under|into|with|using|in|use) (?:the |these )?(?:{NUMBER} )?(?:following )?(?:headings|subheadings|headers|section headings)(?: called| named| titled)?:? (?:{QUOTED_LIST}|{_NAMES})){CLOSES}"), True, _headings),
    Form(Pattern(rf"\b(?P<own>(?:an?|one) (?:[\pL-]+ ){{0,2}}?table with (?:exactly |only )?(?:the |these )?(?:{NUMBER} )?columns:? {QUOTED_LIST}){CLOSES}"), True, _columns),
    Form(Pattern(rf"(?:^|[.!?,;:(\n–—] *|\b(?:an?|as|in|with|me|return|output|some|create|make) )(?P<own>(?:[\pL-]+ ){{0,2}}?{_DATA}(?: array| file| list| data)?(?:,? please)?(?: of|:| with| for|,| containing) ?(?P<least>at least |exactly )?(?P<n>{NUMBER}) (?:[\pL-]+ ){{0,2}}?{_ROWS}\b|(?P<least2>at least |exactly )?(?P<n2>{NUMBER}) (?:[\pL-]+ ){{0,2}}?{_ROWS}(?: of [\pL ]{{1,30}}?)? (?:as|in) (?:an? )?(?:[\pL-]+ )?{_DATA}\b)"), True, _rows),
)  # fmt: skip
