"""Finds which language the response is to be in. Only languages the checker can tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import WORD
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

LANGUAGES = {
    "arabic": "ar", "bengali": "bn", "bangla": "bn", "bulgarian": "bg", "chinese": "zh", "mandarin": "zh",
    "czech": "cs", "danish": "da", "dutch": "nl", "english": "en", "finnish": "fi", "french": "fr",
    "german": "de", "greek": "el", "gujarati": "gu", "hebrew": "he", "hindi": "hi", "hungarian": "hu",
    "indonesian": "id", "italian": "it", "japanese": "ja", "kannada": "kn", "korean": "ko", "malayalam": "ml",
    "marathi": "mr", "nepali": "ne", "norwegian": "no", "persian": "fa", "farsi": "fa", "polish": "pl",
    "portuguese": "pt", "punjabi": "pa", "romanian": "ro", "russian": "ru", "spanish": "es", "swahili": "sw",
    "swedish": "sv", "tamil": "ta", "telugu": "te", "thai": "th", "turkish": "tr", "ukrainian": "uk",
    "urdu": "ur", "vietnamese": "vi", "croatian": "hr", "slovak": "sk", "catalan": "ca", "latin": "la",
    "estonian": "et", "latvian": "lv", "lithuanian": "lt", "icelandic": "is", "georgian": "ka", "armenian": "hy",
}  # fmt: skip
_NAME = rf"(?P<language>{'|'.join(LANGUAGES)})"
OTHER = Pattern(r"\bother language ")
LANGUAGE = Pattern(
    rf"\b(?:RESP (?:[^ |]+ ){{0,4}}?|WORK (?:WRITE |all |only ){{0,2}}|WRITE (?:[^ |]+ ){{0,5}}?|all |only )(?:in|USE|only|all) "
    rf"(?:only |all |lowercase |standard |simple |plain |proper )*{_NAME} (?P<after>[^ |]+ )?"
    rf"|\b(?:in|USE) (?:only |all )*{_NAME.replace('language', 'language2')} (?:language )?(?:only |[^ |]+ ){{0,6}}?(?:\(|,)? ?NEG other languages? "
    rf"|, in {_NAME.replace('language', 'language6')} (?:language )?(?:\||,)"
    rf"|\b(?:only|all) (?:in |USE |allow ){{0,3}}{_NAME.replace('language', 'language3')} "
    rf"|(?:^|\| )in {_NAME.replace('language', 'language4')} (?:, |: )(?:WRITE|RESP)"
    rf"|\b(?:than|except|outside|besides) {_NAME.replace('language', 'language5')} "
)
PATTERNS = (LANGUAGE, OTHER)

_LED_BY = frozenset(
    "in into only using use entirely completely exclusively the than except of".split()
)
_NO_OTHER = frozenset({("other", "language"), ("other", "languages")})
_MAY_FOLLOW = frozenset(
    """language only and about but with for on regarding by in as at without please that while from
    first or if using of to when where first then no all on""".split()
)
_OTHERS = frozenset(
    """translation word words name names class course sentence phrase phrases
    expressions expression conversation from translate equivalent learn learning lesson convert
    paraphrase given literature history S : culture term terms""".split()
)

_STUDIED = frozenset(
    "learn learning learned practice practise practicing study studying able".split()
)


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the language asked for; two languages asked for are none we judge."""
    only = _exclusive(prompt) if _NO_OTHER & _pairs(prompt) else None
    if only is not None:
        yield only
        return
    found: dict[str, Demand] = {}
    for match in prompt.find(LANGUAGE, overlapping=True):
        name = next(match[f"language{n}"] for n in ("", 2, 3, 4, 5, 6) if match[f"language{n}"])
        before, after = prompt.clause_before(match), prompt.around(match)[1]
        if "NEG" in before[:3] and "other" not in match.text and "other" not in before[:4]:
            continue
        named = prompt.token_index(match.start + match.text.index(name))
        follower = after[:1] if match["after"].strip() not in {"and", ",", "only"} else []
        if _STUDIED & set(prompt.lows(named - 5, named)):
            continue
        if _OTHERS & {_described(prompt, named), *follower} or "from" in match.text.split():
            continue
        verb = prompt.tokens[prompt.token_index(match.start)].low
        who = prompt.lows(prompt.token_index(match.start) - 1, prompt.token_index(match.start))
        if (
            verb in {"translate", "list"}
            or who in (["who"], ["which"])
            or "translate" in before[:6]
        ):
            continue
        if _idiom(prompt, named):
            continue
        if match["after"].strip() in {"and", "or"} and after[:1] and after[0] in LANGUAGES:
            return
        if not _ends_there(match["after"].strip()):
            continue
        firm = match.text.startswith("RESP") or bool(
            {"all", "only", "other"} & {*match.text.split(), *after}
        )
        code = LANGUAGES[name]
        found.setdefault(
            code,
            Demand("language", prompt.span(match), terms=(code, name.capitalize()), firm=firm),
        )
    if len(found) == 1:
        yield from found.values()


def _exclusive(prompt: Prompt) -> Demand | None:
    """Apply "no other language is allowed": the one language named is then the one asked for."""
    tokens = prompt.tokens
    found: dict[str, int] = {}
    for index, token in enumerate(tokens):
        if (
            token.kind == WORD
            and token.low in LANGUAGES
            and _LED_BY & set(prompt.lows(index - 2, index))
        ):
            found.setdefault(token.low, index)
    if len({LANGUAGES[name] for name in found}) != 1:
        return None
    name, index = next(iter(found.items()))
    span = Region(tokens[index].start, tokens[index].end)
    return Demand("language", span, terms=(LANGUAGES[name], name.capitalize()))


def _pairs(prompt: Prompt) -> set[tuple[str, str]]:
    return {(one.low, two.low) for one, two in pairwise(prompt.tokens)}


def _described(prompt: Prompt, named: int) -> str:
    """Return the word that "in German" describes, where it is right before it."""
    index = named - 1
    while index >= 0 and prompt.tokens[index].low in _LED_BY:
        index -= 1
    return prompt.tokens[index].low if index >= 0 else ""


def _ends_there(after: str) -> bool:
    """Tell "in Kannada, ..." from "in Kannada weddings" by the symbol that follows."""
    return after in _MAY_FOLLOW or not after.islower()


def _idiom(prompt: Prompt, named: int) -> bool:
    """Tell "plain English" and "French Impressionist" from the language itself."""
    if {"plain", "simple"} & set(prompt.lows(named - 1, named)):
        return True
    after = prompt.tokens[named + 1 : named + 2]
    return bool(after) and after[0].kind == WORD and prompt.text.value[after[0].start].isupper()
