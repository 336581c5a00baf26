"""Finds which words and phrases are asked for or forbidden, and how often."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Kind
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.term_lists import (
    Terms,
    named_terms,
    quoted_terms,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import STRING
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
# Data that are looked through: "the lines containing X" says which of them.
_LOOKED_THROUGH = frozenset(
    """ones those line lines row rows file files record records entry entries string strings url urls element elements
    values folder folders cell cells columns column log logs name names items keys nodes tags commits""".split()
)
_THOUGHT_UP = frozenset("write create give suggest invent make generate propose".split())
_WHICH = frozenset("the all any every only those these to that which for".split())
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
# What else may be said of a word: where it is, how it is formatted, what it is called.
_OTHER_MATTERS = frozenset("STARTS ENDS REPEAT SEP LETTER called titled each".split())
_CLAUSE_BREAKS = frozenset({",", ";", "but", ":", "|"})


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the demands on words, and consume the quantities they use."""
    used = consumed.tokens
    yield from _frequencies(prompt, consumed, used)
    yield from _presence(prompt, used)


def first_group(match: Match, *names: str) -> str:
    """Return the first of some groups that took part in a match."""
    return next((match[name] for name in names if match[name]), "")


def _frequencies(prompt: Prompt, consumed: Consumed, used: set[int]) -> Iterator[Demand]:
    for match in prompt.find(FREQUENCY, overlapping=True):
        symbol = first_group(match, "q", "q2", "q3")
        quantity = prompt.quantity(symbol)
        timed = quantity.often or bool(first_group(match, "time", "time2", "time3"))
        timed = timed or (
            bool(match["uses"]) and prompt.tokens[quantity.last].low in {"uses", "mentions"}
        )
        if (
            int(symbol[1:]) in consumed.quantities
            or not timed
            or {"STARTS", "ENDS"} & set(match.text.split())
        ):
            continue
        found, first = _counted_terms(prompt, match)
        if not found.terms or _SELDOM & set(match.text.split()):
            continue
        consumed.quantities.add(int(symbol[1:]))
        used.update(range(first, found.last))
        span = Region(prompt.tokens[first].start, prompt.span(match).end)
        yield Demand("keyword_count", span, quantity.bounds, terms=found.terms)


def _counted_terms(prompt: Prompt, match: Match) -> tuple[Terms, int]:
    """Find the terms a count is said of: those of the noun nearest before the number."""
    symbols = match.text.split()
    places = [n for n, symbol in enumerate(symbols) if symbol in _NAMED or symbol == "S"]
    if match["q3"] or len(places) < 2:
        return _terms(prompt, match)
    place = places[-1]
    while (
        place and symbols[place] == "S" and symbols[place - 1] in {*_NAMED, "S", ",", "or", "and"}
    ):
        place -= 1
    if symbols[place] not in {*_NAMED, "S"}:
        place = places[-1]
    index = prompt.token_index(match.start + sum(len(symbol) + 1 for symbol in symbols[:place]))
    if symbols[place] == "S":
        return quoted_terms(prompt.text.value, prompt.tokens, index), index
    plural = symbols[place].endswith("s")
    return named_terms(prompt.text.value, prompt.tokens, index + 1, plural=plural), index


def _terms(prompt: Prompt, match: Match) -> tuple[Terms, int]:
    """Find the terms after a match's noun, or the quoted strings it starts with."""
    for name in ("noun", "noun2", "noun3", "noun4", "noun5"):
        try:
            start, _ = match.span(name)
        except KeyError:
            continue
        if start >= 0:
            index = prompt.token_index(start)
            if prompt.tokens[index].low == "key":
                index += 1
            noun = match[name]
            while name == "noun4" and prompt.tokens[index + 1].low != ":":
                index += 1
            found = named_terms(
                prompt.text.value, prompt.tokens, index + 1, plural=noun.endswith("s")
            )
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
    index = prompt.token_index(at)
    return quoted_terms(prompt.text.value, prompt.tokens, index), index


def _presence(prompt: Prompt, used: set[int]) -> Iterator[Demand]:
    for match in prompt.find(WORDS, overlapping=True):
        found, first = _terms(prompt, match)
        if not found.terms or first in used or not _about_wording(prompt, match, first, found):
            continue
        forbidden = _forbidden(prompt, match)
        if not forbidden and _samples(prompt, first):
            continue
        used.update(range(first, found.last))
        kind: Kind = "forbidden_words" if forbidden else "required_words"
        if not forbidden and len(found.terms) > 1 and "or" in prompt.lows(first, found.last):
            kind = "options"
        start = prompt.span(match).start
        end = prompt.tokens[found.last - 1].end
        yield Demand(kind, Region(start, max(end, start + 1)), terms=found.terms)


def _about_wording(prompt: Prompt, match: Match, first: int, found: Terms) -> bool:
    before = prompt.clause_before(match)
    symbols = match.text.split()
    near = set(before[:3]) | set(symbols)
    if _OTHER_MATTERS & near or "WRAP" in {*before[:1], *symbols}:
        return False
    if match["verb"] and match["verb"] == "NEG" and "follow" in prompt.around(match)[1][:2]:
        return False
    if not _commanded(prompt, match, first) or _is_length(prompt, first, found):
        return False
    if prompt.tokens[first].low.startswith("name") and not (
        match["use"] == "USE" and _quoted_or_colon(prompt, first)
    ):
        return False
    if prompt.tokens[first].low.startswith(("line", "sentence")) and not _quoted_next(
        prompt, first
    ):
        return False
    if match["s4"]:
        told = _passive(prompt, match, found, "shown") and _is_shown(prompt, match)
        return told and "and" not in prompt.lows(found.last, found.last + 2)
    if match["s3"]:
        verb = prompt.tokens[prompt.token_index(match.start)].low
        return "following" in match.text or verb in _HOLD
    direct = bool(match["s"] or match["s2"])
    if not direct:
        if match["use"] == "with" and not _quoted_or_colon(prompt, first):
            return False
        return not match["noun3"] or _passive(prompt, match, found)
    after = prompt.lows(found.last, found.last + 2)
    return not after or after[0] in _MAY_FOLLOW


def _is_length(prompt: Prompt, first: int, found: Terms) -> bool:
    """Tell whether the words are counted and not named: "with at most 4 words: what is fog?"."""
    at = bisect_left(prompt.quantities, first, key=lambda quantity: quantity.last)
    counted = any(q.last == first and not q.bare for q in prompt.quantities[at : at + 1])
    if prompt.lows(first - 1, first) in (["one"], ["single"]) and not _quoted_next(prompt, first):
        return True  # "with a single word: capital of Peru?"
    asked = found.terms[0].lower().partition(" ")[0] in _QUESTIONS
    return counted or (asked and prompt.lows(found.last, found.last + 1) == ["?"])


def _is_shown(prompt: Prompt, match: Match) -> bool:
    """Tell a quoted word that must show up from a name in code and from a show that is called so."""
    named = prompt.tokens[prompt.token_index(match.span("s4")[0])]
    at = prompt.token_index(match.span("shown")[0])
    verb, after = prompt.tokens[at].low, prompt.lows(at + 1, at + 2)
    # "..., not using X" and "..., without including X" go on with something else.
    other = any(low.endswith("ing") for low in after)
    return prompt.text.value[named.start] != "`" and verb not in {"show", "shows"} and not other


def _samples(prompt: Prompt, first: int) -> bool:
    """Tell whether the words named are only samples of many: "words like", "terms such as"."""
    noun, *following = prompt.lows(first, first + 3)
    return noun in {"word", "words", "terms", "phrases"} and (
        following[:1] == ["like"] or following == ["such", "as"]
    )


def _commanded(prompt: Prompt, match: Match, first: int) -> bool:
    """Tell a command to use a word from "ways to use", "the use of" and "a word"."""
    if _INDEFINITE & set(prompt.lows(first - 1, first)):
        return False
    at = prompt.token_index(match.start)
    earlier = prompt.lows(at - 2, at)
    if earlier[-1:] == ["the"] and match["use"]:
        return False
    if earlier[-1:] and earlier[-1] in _OTHERS and "want" not in prompt.lows(at, at + 2):
        return False
    if earlier[-1:] in (["can"], ["may"], ["could"], ["might"]):
        return False  # leave to use a word is no order to
    verb = prompt.tokens[at].low
    if match["s"] and verb == "containing" and _is_looked_for(prompt, at):
        return False
    if match["s"] and verb.endswith("s") and earlier[-1:] not in (["that"], ["which"], ["and"]):
        return False
    wished = {"want", "need", "like", "expect", "sure"} & set(prompt.lows(at - 24, at))
    return earlier[-1:] != ["to"] or earlier[0] in _TO_COMMANDS or bool(wished)


def _is_looked_for(prompt: Prompt, at: int) -> bool:
    """Tell "print the rows containing X" from "give me a name containing X", which is to be thought up."""
    if not _LOOKED_THROUGH & set(prompt.lows(at - 1, at)):
        return False
    before = prompt.lows(at - 7, at - 1)
    made = next((n for n, low in enumerate(before) if low in _THOUGHT_UP), len(before))
    return not before[made:] or any(low in _WHICH or low.endswith("ing") for low in before[made:])


def _passive(prompt: Prompt, match: Match, found: Terms, group: str = "verb") -> bool:
    """Tell whether "the word X" is what is used or appears, right after it is named."""
    index = prompt.token_index(match.span(group)[0])
    verb = prompt.tokens[index].low
    if match[group] == "USE" and not verb.endswith("ed"):
        return False
    return 0 <= index - found.last <= 4


def _quoted_next(prompt: Prompt, first: int) -> bool:
    return any(token.kind == STRING for token in prompt.tokens[first + 1 : first + 2])


def _quoted_or_colon(prompt: Prompt, first: int) -> bool:
    ahead = prompt.tokens[first + 1 : first + 4]
    return any(token.kind == STRING or token.low == ":" for token in ahead)


def _forbidden(prompt: Prompt, match: Match) -> bool:
    symbols = match.text.split()
    if match["verb"]:
        return match["verb"] == "NEG"
    if "NEG" in symbols or match["out"]:
        return True
    before, _ = prompt.around(match)
    for symbol in before[:6]:
        if symbol in _CLAUSE_BREAKS:
            return False
        if symbol == "NEG":
            return True
        if symbol in {"and", "USE"}:
            return False
    return False
