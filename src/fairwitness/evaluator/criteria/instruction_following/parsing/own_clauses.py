"""Finds clauses in the user's own words, whatever else their sentence says: "We can't come, but don't use the word X".

The line of symbols leaves out a sentence that tells of somebody. An order or a short note may still be a clause of
it. Only what is quoted, pasted, code, or told of others is left out here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import COMMANDS
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.set_apart import set_apart
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

# Where a clause begins, and how a negative order does.
OPENS = r"(?:^|[.!?,;:(\n–—] *| - |\b(?:but|and|so|please|also|just|oh|ok) )(?P<own>(?:please |also |just |and )?"
NOT = (
    r"(?:don'?t|do not|never|please don'?t|you must not|you mustn'?t|you shouldn'?t|you should not)"
)
# Where a short note ends.
CLOSES = r"(?:,? (?:please|thanks|thank you|pls|though|ok))?(?: ?[.,;!?)\n–—]|$)"
QUOTED = r"(?:\"[^\"\n]{1,60}\"|“[^”\n]{1,60}”|‘[^'\n]{1,40}'|'[^'\n]{1,40}')"
QUOTED_LIST = rf"(?P<quoted>{QUOTED}(?:(?:,? (?:or|and|nor) |, ?| ?/ ?)(?:no |not |(?:the )?(?:word|phrase) )?{QUOTED}){{0,7}})"
NUMBER = "(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)"

_QUOTED = Pattern(QUOTED)
_MAX_CHARS = 4_000
_MAX_SAMPLE_CHARS = 16
_MAX_SENTENCE_CHARS = 600  # further back nothing governs a clause
# Whose words or rules they are.
_TOLD = Pattern(
    r"\b(?:says|said|tells|told|wants|asks|asked|requires|required|insists|insisted|demands|demanded|forbids|bans|banned|claims|"
    r"according|advised|advises|recommends|texted|wrote|messaged|replied|answered|warned|reminded|begged|whispered|shouted|whether|why)\b"
    r"|\b(?:my|our|his|her|their|the|an?|\pL+'s) (?:\pL+ ){0,3}?(?:rules?|guidelines?|policy|rubric|checklist|style guide|"
    r"handbook|manual|motto|form|portal|website|password|contest|exam|assignment)\b"
)
_TOLD_AFTER = Pattern(
    r"\b(?:(?:my|our|his|her|their|the) (?:\pL+ ){1,2}?(?:says|said|told|insists|wants|keeps)|(?:they|he|she) (?:say|says|said|told)|"
    r"says (?:the|my|our|her|his)|according to|(?:is|was|are|were) (?:the|my|our|their|his|her) (?:\pL+ )?(?:rules?|policy|advice|motto))\b"
)
# What a colon after one of these leads up to is named, and not ordered: "the saying: never say never".
_NAMED = Pattern(
    r"\b(?:saying|rule|proverb|advice|motto|sign|phrase|title|called|quote|joke|story|scene|dialogue|lyrics?|about)\b[^.,;!?:]{0,40}: *$"
    r"|\b(?:don'ts|tips|advice|rules (?:for|of))\b[^.!?:]{0,40}:[^.!?]*$|\b(?:e\.g\.|for example|for instance|such as|like),? *$"
)
# A note that is denied: "not as numbered steps", "more than a one-word answer".
_DENIED = Pattern(
    r"\b(?:not|don't|do not|doesn't|never|no need|more than|at least|rather than|instead of|without|isn't|needn't|avoid)\b[^,.;:!?]*$"
)
_OWN_RULE = Pattern(r"\bso (?:please |also |just )?$")
_FINITE = Pattern(
    r"\b(?:is|are|was|were|has|have|had|must|should|would|could|can|will|does|do|did|i|we|he|she|they|it|i'm|it's|we're|who|there|my|our|"
    r"shows?|sorts?|lists|displays|comes|uses|used|gets?|gives|puts|prints|returns|looks|works|seems|wrote|sent|made|got|went|keeps|appears?)\b"
    r"|^(?:the|their|his|her|this|that|these|those|your)\b"
)
_ORDERS = Pattern(
    rf"^(?:(?:and|but|so|ok|okay|hi|hey|hello|please|now|also|just|then|well)[, ]+)*(?:{'|'.join(sorted(COMMANDS))}|could you|can you|would you|will you|"
    r"i'd like|we'd like|i would like|(?:i|we) (?:need|want)(?: (?:a|an|some|the|\d+|two|three|four|five|ten)|$)|looking for|need|what|which|who|where|top)\b"
    r"|^(?:i|we) (?:need|want) (?:[^t]|t[^o]|to\pL)"  # but not "I need to"
)
_ORDERS_INSIDE = Pattern(
    rf"(?:[,;:–—] ?|\b(?:so|and|but) )(?:please |just )?(?:{'|'.join(sorted(COMMANDS - {'do', 'have', 'be', 'like', 'name', 'post', 'note', 'title', 'number'}))}|could you|can you)\b"
)
_CODE = Pattern(
    r"\b(?:functions?|scripts?|query|queries|sql|regex|program|class|app|page|component|code|endpoint|api|css|html|excel|spreadsheet|"
    r"formula|macro|method|plugin|database|git)\b"
)


class Form(NamedTuple):
    """A form of words, whether it is a note that needs an order around it, and what it makes."""

    pattern: Pattern
    note: bool
    make: Callable[[Clauses, Match], Demand | None]


class Clauses:
    """A prompt in lower case with plain apostrophes, and which places of it are the user's own orders."""

    def __init__(self, prompt: Prompt, found: list[Demand]) -> None:
        """Keep the prompt and what other families read in it."""
        self.prompt, self.found = prompt, found
        self.text = Text(prompt.text.lower[:_MAX_CHARS].replace("’", "'"))
        self._value = self.text.value

    @cached_property
    def _apart(self) -> list[Region]:
        return set_apart(self.prompt)

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        tokens = self.prompt.tokens
        return [(tokens[one].start, tokens[two - 1].end) for one, two in self.prompt.sentences]

    def _sentence(self, at: int) -> tuple[str, str]:
        """Return what the sentence says before a place, and from it on."""
        span = next((span for span in self._sentences if span[0] <= at < span[1]), (at, at))
        low, high = max(span[0], at - _MAX_SENTENCE_CHARS), min(span[1], at + _MAX_SENTENCE_CHARS)
        return self._value[low:at], self._value[at:high]

    def is_own(self, form: Form, match: Match) -> bool:
        """Tell whether a match is an order of the user's own, on the response."""
        at = match.span("own")[0]
        if any(region.contains(at) for region in self._apart):
            return False
        before, after = self._sentence(at)
        # "e.g." looks like the end of a sentence.
        named = before or self._value[max(at - _MAX_SAMPLE_CHARS, 0) : at]
        if _NAMED.search(named.encode()) or (form.note and _DENIED.search(before.encode())):
            return False
        if _TOLD_AFTER.search(after[len(match.text) :].encode()):
            return False
        lead = before.strip()
        ordered = bool(_ORDERS.search(lead.encode()))
        if _TOLD.search(before.encode()) and not (ordered or _OWN_RULE.search(before.encode())):
            return False
        if not form.note or not lead:
            return True
        if _CODE.search(before.encode()):
            return False
        inside = ordered or _ORDERS_INSIDE.search(before.encode()) or "please" in match.text
        return bool(inside) or not _FINITE.search(before.encode())

    def quoted(self, match: Match, group: str = "quoted") -> tuple[str, ...]:
        """Return the quoted strings of a group, in the prompt's own spelling."""
        start, end = match.span(group)
        value = self.prompt.text.value[start:end]
        terms = (
            value[one.start + 1 : one.end - 1].strip().rstrip(",;.")
            for one in Text(self._value[start:end]).matches(_QUOTED)
        )
        return tuple(term for term in terms if any(map(str.isalnum, term)))

    def said(self, match: Match, group: str) -> str:
        """Return a group in the prompt's own spelling."""
        start, end = match.span(group)
        return self.prompt.text.value[start:end].strip()

    def has(self, kind: str) -> bool:
        """Tell whether another family has read a demand of a kind."""
        return any(demand.kind == kind for demand in self.found)


def span_of(match: Match) -> Region:
    """Return the stretch of a match without the marks around it."""
    start, end = match.span("own")
    return Region(start, max(start + 1, end))
