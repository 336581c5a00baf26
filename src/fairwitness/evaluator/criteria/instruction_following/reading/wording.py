"""Reads which words, phrases and letters are asked for or forbidden, and how often."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading
from fairwitness.evaluator.criteria.instruction_following.reading.terms import Terms, listed, quoted
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import STRING
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region

_NOUN = r"(?P<noun>keywords?|words?|terms?|phrases?|names?|expressions?|items?)"
_CAPS = r"(?:(?:all|only|full|block|entirely) )*(?:uppercase(?: letters?)?|capital letters?|capitalize)"
_FILL = (
    r"(?:(?:following|below|given|required|specific|certain|each|all|next|vocabulary|new|provided|"
    r"highlight|these|target|key|in|RESP|WORK|at|Q\d+|only|,|exactly|hidden|magic) ){0,4}"
)
_NOT_Q = r"(?:[^ |Q][^ |]* )"

CAPITALS = Pattern(
    rf"\b(?P<q>Q\d+) (?:different |single |or |more ){{0,2}}words? {_NOT_Q}{{0,7}}?{_CAPS} "
    rf"|\b(?:USE )?words? (?:or phrases? )?(?:in|with|WRITE|USE|of) {_CAPS} {_NOT_Q}{{0,9}}?(?P<q2>Q\d+) (?:time )?"
    rf"|\b{_CAPS} words? {_NOT_Q}{{0,9}}?(?P<q3>Q\d+) time "
    rf"|\b(?P<q4>Q\d+) (?:or )?{_CAPS} words? "
    rf"|\bUSE words? (?:or phrases? )?(?:in|with|of) {_CAPS} "
)
LETTERS = Pattern(
    rf"\b(?:NEG )?(?:from )?(?:USE )?LETTER {_NOT_Q}{{0,9}}?(?P<q>Q\d+) (?:time )?"
    rf"|\b(?P<q2>Q\d+) (?:time |APPEAR |instances )?(?:USE )?LETTER "
    rf"|\b(?P<neg>NEG) (?:from )?(?:USE |in |words? ){{0,2}}LETTER "
    rf"|\bLETTER (?P<neg2>NEG) (?:USE|APPEAR|allow|in) "
    rf"|\bUSE LETTER "
)
FREQUENCY = Pattern(
    rf"\b{_NOUN} {_NOT_Q}{{0,10}}?(?P<q>Q\d+) (?:or more |or less |or fewer )?(?P<time>time )?"
    rf"|\bS {_NOT_Q}{{0,7}}?(?P<q2>Q\d+) (?P<time2>time )?"
    rf"|\b(?P<q3>Q\d+) (?P<time3>time |APPEAR |instances |mentions |USE )?(?:in WORK |in RESP )?{_NOUN.replace('noun', 'noun3')} "
)
WORDS = Pattern(
    rf"\b(?P<use>USE|with|APPEAR) {_FILL}{_NOUN} "
    rf"|\b(?P<neg>NEG) (?:from |following |negative |USE |SAY |certain |listed |specific |in RESP ){{0,3}}{_NOUN.replace('noun', 'noun2')} "
    rf"|\b{_NOUN.replace('noun', 'noun3')} (?:[^ |Q]+ ){{1,6}}?(?P<verb>NEG|USE|APPEAR) "
    rf"|\b(?:NEG (?:from )?SAY|(?:NEG )?(?:from )?USE) (?P<s>S) "
    rf"|\bNEG (?:from )?(?P<s2>S) "
    rf"|(?:^|\| )(?:following |required |mandatory |NEG )?(?P<noun4>keywords?|words) (?:NEG |USE ){{0,2}}: "
)
MENTION = Pattern(r"\bNEG (?:from )?USE (?:[^ |]+ ){1,5}in RESP ")
PATTERNS = (CAPITALS, LETTERS, FREQUENCY, WORDS, MENTION)

_TO_COMMANDS = frozenset(
    """sure need needs want like have has remember try required forget ensure you is are attempt aim
    careful not certain be going supposed asked ought to""".split()
)
_FAR = frozenset({",", ";", "but", ":", "|"})


def read(reading: Reading, taken: set[int]) -> Iterator[Demand]:
    """Yield the demands on words and letters, and take the quantities they use."""
    yield from _capitals(reading, taken)
    yield from _letters(reading, taken)
    used: set[int] = set()
    yield from _frequencies(reading, taken, used)
    yield from _presence(reading, used)
    yield from _bare_mentions(reading, used)


def _first(match: Match, *names: str) -> str:
    return next((match[name] for name in names if match[name]), "")


def _capitals(reading: Reading, taken: set[int]) -> Iterator[Demand]:
    bounded = False
    for match in reading.find(CAPITALS):
        symbol = _first(match, "q", "q2", "q3", "q4")
        if not symbol:
            if not bounded:
                yield Demand("capital_word_count", reading.span(match), Bounds(at_least=1))
            continue
        quantity = reading.quantity(symbol)
        if int(symbol[1:]) in taken:
            continue
        timed = match.text.endswith("time ") or quantity.often
        if match["q2"] and not timed and not {"number", "limit", "amount", "count"} & set(reading.around(match)[0][:3]):
            continue
        taken.add(int(symbol[1:]))
        bounded = True
        bounds = Bounds(at_least=quantity.bounds.at_least) if quantity.bare else quantity.bounds
        yield Demand("capital_word_count", reading.span(match), bounds)


def _letters(reading: Reading, taken: set[int]) -> Iterator[Demand]:
    for match in reading.find(LETTERS):
        at = match.start + match.text.index("LETTER")
        token = reading.tokens[reading.token_index(at) + 1]
        letter = reading.text.value[token.start : token.end].strip("\"'“”‘’`")
        symbol = _first(match, "q", "q2")
        before, after = reading.around(match)
        if {"STARTS", "ENDS", "each"} & set(before[:4] + after[:2]) or {"STARTS", "ENDS"} & set(
            match.text.split()
        ):
            continue
        if symbol:
            quantity = reading.quantity(symbol)
            timed = quantity.often or match.text.endswith("time ") or bool(match["q2"])
            if int(symbol[1:]) in taken or not timed:
                continue
            taken.add(int(symbol[1:]))
            bounds = quantity.bounds
        elif _first(match, "neg", "neg2"):
            bounds = Bounds(at_most=0)
        elif "NEG" in before[:3]:
            bounds = Bounds(at_most=0)
        else:
            bounds = Bounds(at_least=1)
        if len(letter) == 1:
            yield Demand("letter_count", reading.span(match), bounds, terms=(letter,))


def _frequencies(reading: Reading, taken: set[int], used: set[int]) -> Iterator[Demand]:
    for match in reading.find(FREQUENCY):
        symbol = _first(match, "q", "q2", "q3")
        quantity = reading.quantity(symbol)
        timed = quantity.often or bool(_first(match, "time", "time2", "time3"))
        if int(symbol[1:]) in taken or not timed or {"STARTS", "ENDS"} & set(match.text.split()):
            continue
        found, first = _terms(reading, match)
        if not found.terms:
            continue
        taken.add(int(symbol[1:]))
        used.update(range(first, found.last))
        yield Demand("keyword_count", reading.span(match), quantity.bounds, terms=found.terms)


def _terms(reading: Reading, match: Match) -> tuple[Terms, int]:
    """Read the terms after a match's noun, or the quoted strings it starts with."""
    for name in ("noun", "noun2", "noun3", "noun4"):
        try:
            start, _ = match.span(name)
        except KeyError:
            continue
        if start >= 0:
            index = reading.token_index(start)
            if reading.tokens[index].low == "key":
                index += 1
            noun = match[name]
            while name == "noun4" and reading.tokens[index + 1].low != ":":
                index += 1
            found = listed(reading.text.value, reading.tokens, index + 1, plural=noun.endswith("s"))
            return found, index
    at = match.start + match.text.index("S ") if match.text.startswith("S ") else -1
    for name in ("s", "s2"):
        try:
            start, _ = match.span(name)
        except KeyError:
            continue
        at = start if start >= 0 else at
    if at < 0:
        return Terms((), 0), 0
    index = reading.token_index(at)
    return quoted(reading.text.value, reading.tokens, index), index


def _presence(reading: Reading, used: set[int]) -> Iterator[Demand]:
    for match in reading.find(WORDS):
        found, first = _terms(reading, match)
        if not found.terms or first in used or not _about_wording(reading, match, first, found):
            continue
        forbidden = _forbidden(reading, match)
        used.update(range(first, found.last))
        kind = "forbidden_words" if forbidden else "required_words"
        start = reading.span(match).start
        end = reading.tokens[found.last - 1].end
        yield Demand(kind, Region(start, max(end, start + 1)), terms=found.terms)


def _about_wording(reading: Reading, match: Match, first: int, found: Terms) -> bool:
    before, _ = reading.around(match)
    symbols = match.text.split()
    near = set(before[:3]) | set(symbols)
    if {"STARTS", "ENDS", "REPEAT", "SEP", "WRAP", "LETTER", "called", "titled", "each"} & near:
        return False
    if match["verb"] and match["verb"] == "NEG" and "follow" in reading.around(match)[1][:2]:
        return False
    if not _commanded(reading, match, first):
        return False
    direct = bool(match["s"] or match["s2"])
    if not direct:
        if match["use"] == "with" and not _quoted_or_colon(reading, first):
            return False
        return not match["noun3"] or _passive(reading, match, found)
    after = reading.lows(found.last, found.last + 2)
    boundary = not after or after[0] in {
        ",",
        ".",
        "!",
        "?",
        "and",
        "in",
        "line",
        "blank",
        ")",
        "at",
        "but",
        "or",
        "anywhere",
        "somewhere",
        "throughout",
        ";",
    }
    return boundary


def _commanded(reading: Reading, match: Match, first: int) -> bool:
    """Tell a command to use a word from "ways to use", "the use of" and "a word"."""
    if reading.lows(first - 1, first)[:1] in (["a"], ["an"], ["any"], ["every"], ["some"], ["other"]):
        return False
    at = reading.token_index(match.start)
    earlier = reading.lows(at - 2, at)
    if earlier[-1:] == ["the"] and not match["noun3"]:
        return False
    return earlier[-1:] != ["to"] or earlier[0] in _TO_COMMANDS


def _passive(reading: Reading, match: Match, found: Terms) -> bool:
    """Tell whether "the word X" is what is used or appears, right after it is named."""
    index = reading.token_index(match.span("verb")[0])
    verb = reading.tokens[index].low
    if match["verb"] == "USE" and not verb.endswith("ed"):
        return False
    return 0 <= index - found.last <= 4


def _quoted_or_colon(reading: Reading, first: int) -> bool:
    ahead = reading.tokens[first + 1 : first + 4]
    return any(token.kind == STRING or token.low == ":" for token in ahead)


def _forbidden(reading: Reading, match: Match) -> bool:
    symbols = match.text.split()
    if match["verb"]:
        return match["verb"] == "NEG"
    if "NEG" in symbols:
        return True
    before, _ = reading.around(match)
    for symbol in before[:6]:
        if symbol in _FAR:
            return False
        if symbol == "NEG":
            return True
        if symbol in {"and", "USE"}:
            return False
    return False


def _bare_mentions(reading: Reading, used: set[int]) -> Iterator[Demand]:
    """Read "do not mention nursery and storytelling in your response": plain words, no noun."""
    for match in reading.find(MENTION):
        index = reading.token_index(match.start + match.text.index("USE"))
        verb = reading.tokens[index].low
        if verb not in {"mention", "mentioning"} or index + 1 in used:
            continue
        ahead = reading.tokens[index + 1 : index + 2]
        if not ahead or ahead[0].low in {
            "any",
            "anything",
            "the",
            "a",
            "that",
            "your",
            "more",
            "it",
            "how",
            "if",
            "why",
            "you",
        }:
            continue
        found = listed(reading.text.value, reading.tokens, index + 1, plural=True)
        if not found.terms:
            found = listed(reading.text.value, reading.tokens, index + 1, plural=False)
        if found.terms and not used & set(range(index + 1, found.last)):
            used.update(range(index + 1, found.last))
            span = Region(reading.span(match).start, reading.tokens[found.last - 1].end)
            yield Demand("forbidden_words", span, terms=found.terms)
