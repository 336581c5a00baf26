"""Finds demands in ordinary words: what to leave out, what is not eaten, which keys, columns, marks and spelling.

Each is a closed form: fixed words around a name that is looked for as it stands, or in a table. The page "Demands" lists
them, and what is left to learned signals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import takewhile

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.ingredient_table import DIETS, SUBSTANCES
from fairwitness.evaluator.criteria.instruction_following.parsing.languages import LANGUAGES
from fairwitness.evaluator.criteria.instruction_following.parsing.numerals import number_of
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import STRING
from fairwitness.evaluator.patterns import Match, Pattern, PatternSet
from fairwitness.evaluator.text import Region, Text

_NOT = r"(?:don'?t|do not|never|please don'?t|shouldn'?t|should not|must not|mustn'?t)"
_TALK = r"(?:mention|talk about|discuss|refer to|bring up|reveal|say anything about|name)"
_TALKING = r"(?:mentioning|talking about|discussing|referring to|bringing up|revealing|saying anything about|(?:any |all )?(?:mentions?|references?) (?:of|to)|naming)"
_TOPIC = r"(?:the |my |our |her |his |their |your |any |an? |word )*(?P<topic>\pL[\pL'-]*(?: \pL[\pL'-]*){0,2}?)(?: at all| please| anywhere| in (?:it|your \pL+|the \pL+)| though| either)?(?P<end>[.,;!?)\n]|$| and | but | or )"
_NAMES = r"(?P<names>[\"'`“]?[\pL_][^.;!?)(\n:]{1,120})"
# "Name Tom", "age 5", "in lowercase": what a field holds, or how it is written.
_IS_DATA = Pattern(r" (?:[A-Z]\pL|\d)|^(?:in|as|only|with) ")
_NO_OTHERS = Pattern(r"\band (?:no others?|nothing else)\b| only(?:[.,;!?]|$)")
# A list of names ends where the sentence goes on.
_GOES_ON = (
    " and nothing else ",
    " and no other",
    " for ",
    " from ",
    " about ",
    " as ",
    " comparing ",
    " where ",
    " with ",
    " in ",
    " of ",
    " that ",
)
_SUBSTANCE = "|".join(sorted(SUBSTANCES, key=len, reverse=True))
_DIET = "|".join(DIETS)
_WHO = r"\b(?:i'?m|i am|we'?re|we are|(?:my|our|one|a) [\pL-]+ (?:is|are)|she is|he is|she's|he's|as|for|i'm cooking for) (?:strictly |both |all )?(?:an? )?(?:strict )?"
_LANGUAGE = rf"(?P<language>{'|'.join(LANGUAGES)})"
_STARTED = r"(?:the letter (?P<letter>\pL)\b|(?:a |an |the (?:word|phrase|character|symbol|letter) )?(?P<mark>\"[^\"\n]{1,30}\"|“[^”\n]{1,30}”|'[^'\n]{1,30}'|`[^`\n]{1,30}`|dash|hyphen|asterisk|number|[a-z]{1,12}:))"


def _topic(prompt: Prompt, match: Match) -> Demand | None:
    name = match["topic"].strip()
    words = name.split()
    if not words or words[0] in _NO_TOPIC or words[-1] in _NO_TOPIC or len(name) < 3:
        return None
    return Demand("topic", _span(match), terms=(name,))


def _diet(prompt: Prompt, match: Match) -> Demand | None:
    return _eaten(prompt, match, match["diet"])


def _substance(prompt: Prompt, match: Match) -> Demand | None:
    return _eaten(prompt, match, match["what"])


def _eaten(prompt: Prompt, match: Match, name: str) -> Demand | None:
    """Make a demand on food of what somebody does not eat, where the prompt asks for food."""
    if not asks_for_food(prompt) or _SELDOM.search(prompt.text.lower[match.end :].encode()):
        return None
    return Demand("ingredients", _span(match), terms=(name,))


def asks_for_food(prompt: Prompt) -> bool:
    """Tell whether a prompt asks for food and for little else."""
    low = prompt.text.lower.encode()
    return (
        len(prompt.text) <= _MAX_FOOD_CHARS
        and _FOOD.search(low)
        and not _NOT_FOOD.search(low)
        and (not _PLAYED.search(low) or _FOOD_ORDERED.search(low))
    )


def _names(prompt: Prompt, match: Match) -> tuple[str, ...]:
    """Return the names of a list, in the prompt's own spelling."""
    start, end = match.span("names")
    listed = prompt.text.value[start:end]
    for word in _GOES_ON:
        listed = f"{listed} ".partition(word)[0]
    for joint in (", and ", " and ", " & "):
        listed = listed.replace(joint, ",")
    names = (
        name.strip().removesuffix(" only").strip("\"'`“”").strip() for name in listed.split(",")
    )
    return tuple(name for name in names if name)


def _keys(prompt: Prompt, match: Match) -> Demand | None:
    names = _names(prompt, match)
    if (
        "json" not in prompt.text.lower
        or any(len(name.split()) > 2 or _IS_DATA.search(name.encode()) for name in names)
        or _VAGUE & set(names)
    ):
        return None
    # A remark in brackets ends what is read of the list: more names may follow it.
    whole = not prompt.text.value[match.end :].lstrip().startswith("(")
    alone = bool(match["exact"] or match["alone"] or _NO_OTHERS.search(match.text.encode()))
    return Demand("json_keys", _span(match), terms=names, alone=alone and whole)


def _columns(prompt: Prompt, match: Match) -> Demand | None:
    names = tuple(
        takewhile(
            lambda name: not (_ROWS & set(name.lower().split()) or _ORDER.search(name.encode())),
            _names(prompt, match),
        )
    )
    long = any(len(name.split()) > 3 or name.split()[0].endswith("ing") for name in names)
    if long or _VAGUE & set(names) or len(names) < 2:
        return None
    return Demand("columns", _span(match), terms=names)


def _column_count(prompt: Prompt, match: Match) -> Demand | None:
    count = int(match["n"]) if match["n"].isdigit() else number_of(match["n"])
    return Demand("columns", _span(match), Bounds(count, count)) if count and count > 1 else None


def _mark(prompt: Prompt, match: Match) -> Demand | None:
    start, end = match.span("letter" if match["letter"] else "mark")
    mark = _MARKS.get(match["mark"] or "", prompt.text.value[start:end].strip("\"'`“”"))
    return Demand("line_start", _span(match), terms=(mark,)) if mark.strip() else None


def _language(prompt: Prompt, match: Match) -> Demand | None:
    name = match["language"]
    others = [other for other in LANGUAGES if other != name and f"to {other}" in prompt.text.lower]
    if others:
        return None
    return Demand("translation", _span(match), terms=(LANGUAGES[name], name.capitalize()))


def _reversed(prompt: Prompt, match: Match) -> Demand | None:
    word = (match["word"] or match["word2"]).strip("\"'`“”‘’ ")
    return Demand("reversed", _span(match), terms=(word,)) if len(word) > 2 else None


def _named(
    kind: Kind, *terms: str, alone: bool = False, negated: bool = False
) -> Callable[[Prompt, Match], Demand]:
    """Return the maker of a demand that says no more than itself."""
    return lambda prompt, match: Demand(
        kind, _span(match), terms=terms, alone=alone, negated=negated
    )


_NO_TOPIC = frozenset(
    """it this that them him her you me us anything something everything names name yourself details explanation explanations
    introduction conclusion comments summary code words word sentence sentences examples example sources links more other others if
    what who how why when where which fact facts the be being any one way step steps text title titles subject heading headings
    disclaimer disclaimers preamble things thing numbers number emojis emoji person people answer question questions prompt
    instructions instruction request same following above below previous phrase phrases letter letters term terms keywords keyword
    specific certain both either neither all every each too much many lot""".split()
)
_VAGUE = frozenset(
    "the a an and please you want following these below above each as their its columns rows data headers".split()
)
# "..., Highlight, one row for each day", "..., largest first": the list of columns is over.
_ROWS = frozenset({"row", "rows", "line", "lines"})
_ORDER = Pattern(
    r"^(?:sorted|ordered) \pL|^(?:\pL+est|most|least)\b.* (?:first|last)$", ignore_case=True
)
_MARKS = {"dash": "-", "hyphen": "-", "asterisk": "*", "number": "0"}
_FOOD = Pattern(
    r"\b(?:recipes?|cook\w*|eat|eats|dish\w*|dinners?|lunch\w*|breakfasts?|brunch|snacks?|desserts?|meals?|menu|food|starter|appetizer|main course|sauce|bake\w*|"
    r"grill|drink|coffee|cakes?|cookies?|soups?|salads?|sandwich(?:es)?|restaurant|curry|smoothie|treats?|bring|serve|barbecue|bbq|picnic|potluck|order)\b"
)
_NOT_FOOD = Pattern(
    r"\b(?:symptoms?|rash|doctor|medic\w+|shoes?|leather|explain|why|what is an? \pL+ allergy|test(?:ed|ing)?|philosophy|ethics|argument|essay|difference|convert|dog|cat|pet)\b"
)
# In a scene that is played, a guest may ask for a meal and get none; who orders a recipe wants one.
_PLAYED = Pattern(
    r"\b(?:pretend|role-?play\w*|stay in character|in character|act out|improvis\w+|play the (?:role|part) of|(?:story|scene|sketch|dialogue|poem|joke) (?:about|where|in which|of))\b"
)
_FOOD_ORDERED = Pattern(
    r"\b(?:recipes?|menus?|meal plans?|ingredients?|ideas?|suggest\w*|recommend\w*|(?:make|cook|plan|give|find) (?:me|us)|what (?:should|can|could|shall|do) (?:i|we) (?:cook|make|eat|serve|bring|order|bake))\b"
)
_SELDOM = Pattern(r"^ (?:very )?(?:often|much|a lot|enough|every|usually|that)\b")
_MAX_FOOD_CHARS = 800
# The form, whether it must stand in a sentence that asks something of the writer, and what it makes.
_FORMS: tuple[tuple[Pattern, bool, Callable[[Prompt, Match], Demand | None]], ...] = (
    (Pattern(rf"\b(?:{_NOT} {_TALK}|(?:without|avoid|no|and not) {_TALKING}|leave out|leaves out|leaving out) {_TOPIC}"), True, _topic),
    (Pattern(rf"{_WHO}(?P<diet>{_DIET})s?\b"), False, _diet),
    (Pattern(rf"\b(?P<diet>{_DIET}) (?:guests?|friends?|people|family|colleagues?|recipes?|dinner|lunch|breakfast|meals?|dish(?:es)?|snacks?|desserts?|version|menu|options?)\b"), False, _diet),
    (Pattern(r"\b(?:we|i|they|she|he) (?:keeps?|eats?) (?P<diet>kosher|halal|vegan|vegetarian)\b"), False, _diet),
    (Pattern(rf"\b(?:allergic to|allergy to|intolerant to|intolerance to|can'?t (?:eat|have|tolerate|drink)|cannot (?:eat|have)|(?:don'?t|doesn'?t|do not|does not) (?:eat|drink)) (?:any |all )?(?P<what>{_SUBSTANCE})\b"), False, _substance),
    (Pattern(rf"\b(?P<what>{_SUBSTANCE})(?: allergy|-free| intoleran(?:t|ce))\b"), False, _substance),
    (Pattern(rf"\b(?P<exact>exactly |only |just )?(?:(?:the|these|this|two|three|four|\d) ){{0,2}}(?:exact )?(?:keys|fields|properties)(?P<alone> (?:and|but) (?:no others?|nothing else))?(?: are| named| called)?(?: (?:as|in) (?:a )?json(?: object)?)?(?:,? please)?:? {_NAMES}"), True, _keys),
    (Pattern(rf"\bwhose (?P<exact>)(?P<alone>only )?keys are:? {_NAMES}"), True, _keys),
    (Pattern(rf"\bcolumns?(?: headers?| headings?)?(?: named| called| titled| labelled| labeled|:| are:?) {_NAMES}"), True, _columns),
    (Pattern(rf"\b(?:the|these|following|with) columns:? (?:for )?{_NAMES}"), True, _columns),
    (Pattern(r"\bheader (?:row |line )?(?P<names>[a-z_]+(?:, ?[a-z_]+)+)\b"), True, _columns),
    (Pattern(r"\btable (?:with|of|that has|having) (?:exactly )?(?P<n>\d|two|three|four|five|six) columns\b"), True, _column_count),
    (Pattern(rf"\b(?:each|every) (?:line|item|bullet|tip|row)(?: of (?:the|your) \pL+)?(?: must| should| has to| needs to)? (?:starts?|begins?|starting|beginning) with {_STARTED}"), True, _mark),
    (Pattern(rf"\b(?:start|begin)(?:ning|ing)? (?:each|every) line with {_STARTED}"), True, _mark),
    (Pattern(r"\b(?:british|uk) (?:english(?: spelling)?|spellings?)\b"), True, _named("spelling", "British")),
    (Pattern(r"\b(?:american|us) (?:english|spelling)\b"), True, _named("spelling", "American")),
    (Pattern(rf"\btranslat(?:e|ion)\b[^.?!:\n]{{0,60}}?\b(?:in)?to {_LANGUAGE}\b"), False, _language),
    (Pattern(rf"\bhow (?:would|do|can|should|to) (?:you |i |we |one )?say\b[^?\n]{{0,120}}\bin {_LANGUAGE}\b"), False, _language),
    (Pattern(r"\b(?:write|spell|say|type|print) (?:the (?:word|name|string) )?(?P<word>[\"'`“‘][\pL ]{3,30}[\"'`”’]|\pL{3,20}) (?:backwards?|in reverse|reversed)\b|\breverse (?:the |this )?(?:string|word|letters of|text):? (?P<word2>[\"'`“‘]?[\pL]{3,30}[\"'`”’]?)(?:[.!?\n]|$)"), False, _reversed),
    (Pattern(r"\\boxed"), False, _named("boxed")),
    (Pattern(r"\b(?:no|without (?:a|any)|omit the|leave out the|don'?t (?:include|add|write) a) subject(?: line)?\b"), True, _named("subject", negated=True)),
    (Pattern(r"\b(?:include|add|with|and|needs|has|have) an? (?:\pL+ ){0,2}subject(?: line)\b"), True, _named("subject")),
    (Pattern(rf"\b(?:without (?:any |using |writing )?(?:any )?code|no code(?: please| at all| examples?| snippets?| blocks?)?|{_NOT} (?:write|use|include|show|give me|add|provide)(?: me)? (?:any )?code)(?:[.,;!?)\n]|$)"), False, _named("no_code")),
    (Pattern(r"\b(?:only|just|nothing but) (?:with |return |output |give me |as )?an? (?P<what>python list|json array|list literal)\b|\bas an? (?:python list|json array) and nothing else\b|\breturn an? (?:python list|json array) only\b|\b(?:python list|json array)\b[^.\n]{0,80}[.,;] (?:only|just) the (?:list|array)\b"), False, _named("literal", alone=True)),
    (Pattern(r"(?:^|[.!?\n] )(?:just|only) the code\b|\bcode only\b[.,]"), False, _named("code_only", alone=True)),
    (Pattern(r"\b(?:reply|respond|answer)(?: with)? (?:just|only|nothing but) (?:with )?the (?:\pL+ )?(?:name|word|title|city|country|letter|year|surname)\b"), True, _named("name_only", alone=True)),
    (Pattern(r"\bcomma[- ](?:separated|delimited) list\b|\bas a comma[- ]separated\b|, comma[- ]separated(?:[.!?\n]|$)"), True, _named("comma_list")),
)  # fmt: skip
_MAX_CHARS = 4_000


@cache
def _patterns() -> PatternSet:
    return PatternSet([pattern for pattern, _, _ in _FORMS])


def find_demands(prompt: Prompt) -> Iterator[Demand]:
    """Yield the demands of these forms, each kind once."""
    text = Text(prompt.text.lower[:_MAX_CHARS].replace("’", "'"))
    occurring = set(map(id, _patterns().occurring(text.utf8)))
    if not occurring:
        return
    asking = [
        (prompt.tokens[first].start, prompt.tokens[last - 1].end)
        for first, last in prompt.directives
    ]
    quoted = [(token.start, token.end) for token in prompt.tokens if token.kind == STRING]
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for pattern, commanded, make in _FORMS:
        if id(pattern) not in occurring:
            continue
        for match in text.matches(pattern, limit=3):
            if any(low <= match.start < high for low, high in quoted):
                continue
            if commanded and not any(low <= match.start < high for low, high in asking):
                continue
            demand = make(prompt, match)
            if demand is not None and (demand.kind, demand.terms) not in seen:
                seen.add((demand.kind, demand.terms))
                yield demand


def _span(match: Match) -> Region:
    return Region(match.start, match.end - (match.text[-1:] in ".,;!?)\n "))
