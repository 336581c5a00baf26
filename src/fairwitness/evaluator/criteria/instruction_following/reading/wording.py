"""Reads which words and phrases are asked for or forbidden, and how often."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.criteria.instruction_following.reading.terms import Terms, listed, quoted
from fairwitness.evaluator.criteria.instruction_following.reading.tokens import STRING
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region

_NOUN = r"(?P<noun>keywords?|words?|terms?|phrases?|names?|items?|line|sentence)"
_FILL = (
    r"(?:(?:following|below|given|required|specific|certain|each|all|next|vocabulary|new|provided|"
    r"highlight|these|target|key|in|RESP|WORK|at|Q\d+|only|,|exactly|hidden|magic) ){0,4}"
)
_NOT_Q = r"(?:[^ |Q][^ |]* )"

FREQUENCY = Pattern(
    rf"\b{_NOUN} {_NOT_Q}{{0,10}}?(?P<q>Q\d+) (?:or more |or less |or fewer )?(?P<time>time )?"
    rf"|\bS {_NOT_Q}{{0,7}}?(?P<q2>Q\d+) (?P<time2>time )?"
    rf"|\b(?P<q3>Q\d+) (?P<time3>time |APPEAR |instances )?(?:, )?(?P<uses>USE )?(?:in WORK |in RESP )?{_NOUN.replace('noun', 'noun3')} "
)
WORDS = Pattern(
    rf"(?:^|\| |and |, )(?:following |required |mandatory |NEG ){{0,2}}(?P<noun4>keywords?|words) (?:NEG |USE |APPEAR |allow |in RESP ){{0,3}}: "
    rf"|\b(?P<use>USE|with|APPEAR) {_FILL}{_NOUN} "
    rf"|\b(?P<neg>NEG) (?:from |allow |: |see |WRITE |[a-z]+ing |either |or |both |all |following |negative |USE |SAY |certain |listed |specific |in RESP ){{0,4}}{_NOUN.replace('noun', 'noun2')} "
    rf"|\b{_NOUN.replace('noun', 'noun3')} (?:[^ |Q]+ ){{1,6}}?(?P<verb>NEG|USE|APPEAR) "
    rf"|\b(?:NEG (?:from )?SAY|(?:NEG )?(?:from )?USE) (?P<s>S) "
    rf"|\bNEG (?:from )?(?P<s2>S) "
    rf"|\bUSE (?:following |below |: ){{1,2}}(?P<s3>S) "
    rf"|\b(?P<s4>S) (?:(?:,|and|or|S) )*(?P<shown>NEG|APPEAR|USE) (?:in )?(?:APPEAR |USE |RESP |WORK |\||at )"
    rf"|\b(?:keep|leave) {_NOUN.replace('noun', 'noun5')} (?:[^ |]+ ){{1,12}}?(?P<out>out) "
)
PATTERNS = (FREQUENCY, WORDS)

_NAMED = frozenset("word words keyword keywords term terms phrase phrases".split())
_HOLD = frozenset("include including contain mention incorporate".split())
_OTHERS = frozenset("people they we i he she who students users someone others writers".split())
_SELDOM = frozenset("typically usually often normally generally".split())
_TO_COMMANDS = frozenset(
    """sure need needs want like have has remember try required forget ensure you is are attempt aim
    careful not certain be going supposed asked ought to""".split()
)
_MAY_FOLLOW = frozenset(
    ", . ! ? and in line blank ) at but or anywhere somewhere throughout ; please - – — while when within".split()
)
_INDEFINITE = frozenset("a an any every some other".split())
_QUESTIONS = frozenset("what who why how when where which is are do does can".split())
# What else may be said of a word: where it stands, how it is set, what it is called.
_OTHER_MATTERS = frozenset("STARTS ENDS REPEAT SEP LETTER called titled each".split())
_FAR = frozenset({",", ";", "but", ":", "|"})


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the demands on words, and take the quantities they use."""
    used = taken.tokens
    yield from _frequencies(reading, taken, used)
    yield from _presence(reading, used)


def first_group(match: Match, *names: str) -> str:
    """Return the first of some groups that took part in a match."""
    return next((match[name] for name in names if match[name]), "")


def _frequencies(reading: Reading, taken: Taken, used: set[int]) -> Iterator[Demand]:
    for match in reading.find(FREQUENCY, overlapping=True):
        symbol = first_group(match, "q", "q2", "q3")
        quantity = reading.quantity(symbol)
        timed = quantity.often or bool(first_group(match, "time", "time2", "time3"))
        timed = timed or (
            bool(match["uses"]) and reading.tokens[quantity.last].low in {"uses", "mentions"}
        )
        if (
            int(symbol[1:]) in taken.quantities
            or not timed
            or {"STARTS", "ENDS"} & set(match.text.split())
        ):
            continue
        found, first = _counted_terms(reading, match)
        if not found.terms or _SELDOM & set(match.text.split()):
            continue
        taken.quantities.add(int(symbol[1:]))
        used.update(range(first, found.last))
        span = Region(reading.tokens[first].start, reading.span(match).end)
        yield Demand("keyword_count", span, quantity.bounds, terms=found.terms)


def _counted_terms(reading: Reading, match: Match) -> tuple[Terms, int]:
    """Read the terms a count is said of: those of the noun nearest before the number."""
    symbols = match.text.split()
    places = [n for n, symbol in enumerate(symbols) if symbol in _NAMED or symbol == "S"]
    if match["q3"] or len(places) < 2:
        return _terms(reading, match)
    place = places[-1]
    while (
        place and symbols[place] == "S" and symbols[place - 1] in {*_NAMED, "S", ",", "or", "and"}
    ):
        place -= 1
    if symbols[place] not in {*_NAMED, "S"}:
        place = places[-1]
    index = reading.token_index(match.start + sum(len(symbol) + 1 for symbol in symbols[:place]))
    if symbols[place] == "S":
        return quoted(reading.text.value, reading.tokens, index), index
    plural = symbols[place].endswith("s")
    return listed(reading.text.value, reading.tokens, index + 1, plural=plural), index


def _terms(reading: Reading, match: Match) -> tuple[Terms, int]:
    """Read the terms after a match's noun, or the quoted strings it starts with."""
    for name in ("noun", "noun2", "noun3", "noun4", "noun5"):
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
    for name in ("s", "s2", "s3", "s4"):
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
    for match in reading.find(WORDS, overlapping=True):
        found, first = _terms(reading, match)
        if not found.terms or first in used or not _about_wording(reading, match, first, found):
            continue
        forbidden = _forbidden(reading, match)
        if not forbidden and _samples(reading, first):
            continue
        used.update(range(first, found.last))
        kind: Kind = "forbidden_words" if forbidden else "required_words"
        if not forbidden and len(found.terms) > 1 and "or" in reading.lows(first, found.last):
            kind = "options"
        start = reading.span(match).start
        end = reading.tokens[found.last - 1].end
        yield Demand(kind, Region(start, max(end, start + 1)), terms=found.terms)


def _about_wording(reading: Reading, match: Match, first: int, found: Terms) -> bool:
    before = reading.clause_before(match)
    symbols = match.text.split()
    near = set(before[:3]) | set(symbols)
    if _OTHER_MATTERS & near or "WRAP" in {*before[:1], *symbols}:
        return False
    if match["verb"] and match["verb"] == "NEG" and "follow" in reading.around(match)[1][:2]:
        return False
    if not _commanded(reading, match, first) or _is_length(reading, first, found):
        return False
    if reading.tokens[first].low.startswith("name") and not (
        match["use"] == "USE" and _quoted_or_colon(reading, first)
    ):
        return False
    if reading.tokens[first].low.startswith(("line", "sentence")) and not _quoted_next(
        reading, first
    ):
        return False
    if match["s4"]:
        told = _passive(reading, match, found, "shown") and _is_shown(reading, match)
        return told and "and" not in reading.lows(found.last, found.last + 2)
    if match["s3"]:
        verb = reading.tokens[reading.token_index(match.start)].low
        return "following" in match.text or verb in _HOLD
    direct = bool(match["s"] or match["s2"])
    if not direct:
        if match["use"] == "with" and not _quoted_or_colon(reading, first):
            return False
        return not match["noun3"] or _passive(reading, match, found)
    after = reading.lows(found.last, found.last + 2)
    return not after or after[0] in _MAY_FOLLOW


def _is_length(reading: Reading, first: int, found: Terms) -> bool:
    """Tell whether the words are counted and not named: "with at most 4 words: what is fog?"."""
    at = bisect_left(reading.quantities, first, key=lambda quantity: quantity.last)
    counted = any(q.last == first and not q.bare for q in reading.quantities[at : at + 1])
    if reading.lows(first - 1, first) in (["one"], ["single"]) and not _quoted_next(reading, first):
        return True  # "with a single word: capital of Peru?"
    asked = found.terms[0].lower().partition(" ")[0] in _QUESTIONS
    return counted or (asked and reading.lows(found.last, found.last + 1) == ["?"])


def _is_shown(reading: Reading, match: Match) -> bool:
    """Tell a quoted word that must show up from a name in code and from a show that is called so."""
    named = reading.tokens[reading.token_index(match.span("s4")[0])]
    verb = reading.tokens[reading.token_index(match.span("shown")[0])].low
    return reading.text.value[named.start] != "`" and verb not in {"show", "shows"}


def _samples(reading: Reading, first: int) -> bool:
    """Tell whether the words named are only samples of many: "words like", "terms such as"."""
    noun, *following = reading.lows(first, first + 3)
    return noun in {"word", "words", "terms", "phrases"} and (
        following[:1] == ["like"] or following == ["such", "as"]
    )


def _commanded(reading: Reading, match: Match, first: int) -> bool:
    """Tell a command to use a word from "ways to use", "the use of" and "a word"."""
    if _INDEFINITE & set(reading.lows(first - 1, first)):
        return False
    at = reading.token_index(match.start)
    earlier = reading.lows(at - 2, at)
    if earlier[-1:] == ["the"] and match["use"]:
        return False
    if earlier[-1:] and earlier[-1] in _OTHERS and "want" not in reading.lows(at, at + 2):
        return False
    if earlier[-1:] in (["can"], ["may"], ["could"], ["might"]):
        return False  # leave to use a word is no order to
    verb = reading.tokens[at].low
    if match["s"] and verb.endswith("s") and earlier[-1:] not in (["that"], ["which"], ["and"]):
        return False
    wished = {"want", "need", "like", "expect", "sure"} & set(reading.lows(at - 24, at))
    return earlier[-1:] != ["to"] or earlier[0] in _TO_COMMANDS or bool(wished)


def _passive(reading: Reading, match: Match, found: Terms, group: str = "verb") -> bool:
    """Tell whether "the word X" is what is used or appears, right after it is named."""
    index = reading.token_index(match.span(group)[0])
    verb = reading.tokens[index].low
    if match[group] == "USE" and not verb.endswith("ed"):
        return False
    return 0 <= index - found.last <= 4


def _quoted_next(reading: Reading, first: int) -> bool:
    return any(token.kind == STRING for token in reading.tokens[first + 1 : first + 2])


def _quoted_or_colon(reading: Reading, first: int) -> bool:
    ahead = reading.tokens[first + 1 : first + 4]
    return any(token.kind == STRING or token.low == ":" for token in ahead)


def _forbidden(reading: Reading, match: Match) -> bool:
    symbols = match.text.split()
    if match["verb"]:
        return match["verb"] == "NEG"
    if "NEG" in symbols or match["out"]:
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
