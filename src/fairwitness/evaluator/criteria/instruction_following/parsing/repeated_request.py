"""Finds the demand to repeat the request first, and which part of the prompt to repeat."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Consumed, Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import LINE, STRING
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region

REPEAT = Pattern(r"\bREPEAT (?:[^ |]+ ){0,8}?(?:request|sentence|line|S|above|below) ")
PATTERNS = (REPEAT,)

_BY_WORD = (["word", "for", "word"], ["word", "by", "word"])

_VERBATIM = frozenset(
    "exact exactly verbatim change changing changes is first before beginning start".split()
)
_NOT_THE_REQUEST = frozenset("yourself phrase each every times forever".split())


def find_demands(prompt: Prompt, consumed: Consumed) -> Iterator[Demand]:
    """Yield the text to be repeated, at most once."""
    seen = -1
    for match in prompt.find(REPEAT):
        first, last = prompt.sentence_of(prompt.token_index(match.start))
        if first == seen:
            continue
        seen = first
        lows = prompt.lows(first, last)
        words = set(lows)
        before, _ = prompt.around(match)
        if "NEG" in before[:2] or before[:1] in (["before"], ["when"], ["after"]):
            continue
        verbatim = words & _VERBATIM
        triples = (lows[n : n + 3] for n in range(len(lows)))
        spelled = any(triple in _BY_WORD for triple in triples)
        if not (verbatim or spelled) or words & _NOT_THE_REQUEST:
            continue
        text, where = _to_repeat(prompt, first, last, words)
        if text.lower().startswith(("system:", "system prompt:")):
            continue  # a conversation, in which someone asks for the instructions
        rest = prompt.text.value[prompt.tokens[last - 1].end :].strip()
        if text:
            yield Demand("repeated_request", where, terms=(text,))
        elif rest and not first:
            # Nothing comes before the demand: it means what follows, or all of the prompt.
            yield Demand("repeated_request", where, terms=(rest, prompt.text.value.strip()))
        if text or (rest and not first):
            return


def _first_mention(prompt: Prompt, first: int) -> int:
    """Return where the sentences about repeating begin: they are no part of what is repeated."""
    places = [n for n, (start, _) in enumerate(prompt.sentences) if start <= first]
    for place in reversed(places):
        start, stop = prompt.sentences[place]
        if not {"repeat", "repeated", "repeating"} & set(prompt.lows(start, stop)):
            break
        first = start
    return prompt.tokens[first].start


def _to_repeat(prompt: Prompt, first: int, last: int, words: set[str]) -> tuple[str, Region]:
    """Find the text that is to be repeated: quoted, below the demand, or above it."""
    value, tokens = prompt.text.value, prompt.tokens
    span = Region(tokens[first].start, tokens[last - 1].end)
    for token in tokens[first:last]:
        if token.kind == STRING and token.end - token.start > 20:
            return value[token.start + 1 : token.end - 1].strip(), span
    above = value[: _first_mention(prompt, first)].strip()
    below_said = {"below", "following"} & {*words, *prompt.lows(0, first)} and "above" not in words
    blank = next(
        (token for token in tokens[last - 1 :] if token.kind == LINE and token.low == "blank"), None
    )
    below = value[blank.end :].strip() if blank else ""
    if below and (below_said or not above):
        return below, span
    if below_said and not blank:
        line = next((token for token in tokens[last - 1 :] if token.kind == LINE), None)
        return (value[line.end :].strip() if line else ""), span
    return above, span
