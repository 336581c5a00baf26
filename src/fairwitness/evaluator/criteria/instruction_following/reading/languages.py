"""Reads which language the response is to be in. Only languages the checker can tell apart."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import WORD
from fairwitness.evaluator.patterns import Pattern

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
LANGUAGE = Pattern(
    rf"\b(?:RESP (?:[^ |]+ ){{0,4}}?|WORK (?:WRITE |all |only ){{0,2}}|WRITE (?:[^ |]+ ){{0,5}}?|all |only )(?:in|USE|only|all) "
    rf"(?:only |all |lowercase |standard |simple |plain |proper )*{_NAME} (?P<after>[^ |]+ )?"
    rf"|\b(?:in|USE) (?:only |all )*{_NAME.replace('language', 'language2')} (?:language )?(?:only |[^ |]+ ){{0,6}}?(?:\(|,)? ?NEG other languages? "
    rf"|, in {_NAME.replace('language', 'language6')} (?:language )?(?:\||,)"
    rf"|\b(?:only|all) (?:in |USE |allow ){{0,3}}{_NAME.replace('language', 'language3')} "
    rf"|(?:^|\| )in {_NAME.replace('language', 'language4')} (?:, |: )(?:WRITE|RESP)"
    rf"|\b(?:than|except|outside|besides) {_NAME.replace('language', 'language5')} "
)
PATTERNS = (LANGUAGE,)

_MAY_FOLLOW = frozenset(
    """language only and about but with for on regarding by in as at without please that while from
    first or if using of to when where first then no all on""".split()
)
_OTHERS = frozenset(
    """translation word words name names class teacher course speakers students sentence phrase phrases
    expressions expression conversation from translate equivalent learn learning lesson convert
    paraphrase given literature history S : culture term terms""".split()
)


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the language asked for; two languages asked for are none we judge."""
    found: dict[str, Demand] = {}
    for match in reading.find(LANGUAGE, overlapping=True):
        name = next(match[f"language{n}"] for n in ("", 2, 3, 4, 5, 6) if match[f"language{n}"])
        before, after = reading.clause_before(match), reading.around(match)[1]
        if "NEG" in before[:3] and "other" not in match.text and "other" not in before[:4]:
            continue
        follower = after[:1] if match["after"].strip() not in {"and", ","} else []
        if _OTHERS & {*_last_clause(match.text), *follower, *(set(before[:3]) - {"S", ":"})}:
            continue
        verb = reading.tokens[reading.token_index(match.start)].low
        who = reading.lows(reading.token_index(match.start) - 1, reading.token_index(match.start))
        if (
            verb in {"translate", "list"}
            or who in (["who"], ["which"])
            or "translate" in before[:6]
        ):
            continue
        named = reading.token_index(match.start + match.text.index(name))
        if _idiom(reading, named):
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
            Demand("language", reading.span(match), terms=(code, name.capitalize()), firm=firm),
        )
    if len(found) == 1:
        yield from found.values()


def _last_clause(symbols: str) -> list[str]:
    """Return the symbols after the last comma or joining word."""
    listed = symbols.split()
    cut = max((n for n, symbol in enumerate(listed[:-1]) if symbol in {"and", ","}), default=-1)
    return listed[cut + 1 :]


def _ends_there(after: str) -> bool:
    """Tell "in Kannada, ..." from "in Kannada weddings" by the symbol that follows."""
    return after in _MAY_FOLLOW or not after.islower()


def _idiom(reading: Reading, named: int) -> bool:
    """Tell "plain English" and "French Impressionist" from the language itself."""
    if {"plain", "simple"} & set(reading.lows(named - 1, named)):
        return True
    after = reading.tokens[named + 1 : named + 2]
    return bool(after) and after[0].kind == WORD and reading.text.value[after[0].start].isupper()
