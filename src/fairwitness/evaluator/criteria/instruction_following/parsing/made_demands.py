"""Tells whether words that ask for something are said to the writer: not asked about, told of others, quoted or pasted.

The families that read plain words ("no imports", "just the body") share this: such words are often no sentence of their
own, so the sentences that command something are not enough.
"""

from __future__ import annotations

from functools import cached_property

from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.criteria.instruction_following.parsing.set_apart import set_apart
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

MAX_CHARS = 4_000
# Where a clause begins and where it ends.
OPENS = r"(?:^|[.!?,;:(\n–—] ?|[.!?,;:] - | - | and | but | with | please )(?:please,? |also |and |but |so |pls )?"
CLOSES = r"(?:[,;:!?)\n–—]|\.(?:[\s\")]|$)|$| - | please| pls| thanks| at all| allowed| whatsoever| and | but | or | since | because | as (?:i|it|we|my|the)\b)"
# Somebody else who rules so, or something that has happened: nothing is asked of the writer.
_TOLD = Pattern(
    r"\b(?:teacher|professor|prof|instructor|tutor|boss|manager|client|customer|linter|compiler|exam|assignment|form|forms|website|site|"
    r"passwords?|polic(?:y|ies)|style guide|docs|documentation|tutorial|book|article|blog|says?|said|told|tells|wants|asks|asked|requires?|"
    r"required|claims?|complains?|interviewer|colleague|coworker|they|he|she|someone|somebody|supposed to|allowed to|heard|"
    r"i(?:'ve| have)? (?:wrote|made|got|tried|built|was|had|received|used|found|saw|read|keep|have a|have an|have some)|i have (?:an?|some|this)|"
    r"(?:i|we) (?:have|know|own|use)|i'm (?:on|using)|i always|i usually|i often|there (?:is|are|was|were)|there's|it (?:has|had|was|came|arrived)|(?:came|arrived|comes|arrives|works?|worked) with)\b"
)
_SUPPOSED = Pattern(r"\b(?:if|when|whenever|unless|whether)\b")
_ASKS_ABOUT = Pattern(
    r"^[\s\"'(]*(?:so |and |but |ok,? |hi,? |hey,? |hello,? )*(?:why|what|what's|when|who|whose|is|are|was|were|does|do|did|should|which|has|have|am|if|how come|how (?:does|did|is|are|much|many|bad|good|common))\b"
)
# An answer to a question about such things may show both sides.
_ABOUT = Pattern(
    r"\b(?:why (?:does|do|is|are|did|can't|would|should)|what does|what do you think|what's the difference|difference between|explain (?:how|what|why|the|this|when|to me)|"
    r"pros and cons|compar(?:e|ison)|better to|quiz|exam question|interview questions?)\b"
)
# What such a text tells its readers is no demand on the text.
_TO_READERS = Pattern(
    r"\b(?:write|draft|compose|create|make|need|prepare|phrase|word)\b (?:me |us |up )?(?:(?:an?|the|my|our|some|two|three) )?(?:[\pL-]+ ){0,3}?"
    r"(?:essays?|e-?mails?|messages?|articles?|rules?|signs?|readme|guides?|guidelines?|tasks?|exercises?|poems?|announcements?|story|stories|reviews?|invitations?|letters?|posts?|tweets?|ads?|"
    r"polic(?:y|ies)|notes?|songs?|speech|lessons?|quiz|prompts?|notices?|posters?|questions?|checklists?|dialogues?|jokes?)\b"
)


# "Don't", and what data has or has not: "a graph that has no loops".
_NO_ORDER = (" not", "don't", "never", " has", " have", " had", " contains", " contain")
_DENIED = Pattern(
    r"\b(?:not|\pL+n't|never|no|without|w/o|instead of|rather than|avoid\w*)\b[^,;:.!?]*$"
)
_THERE = Pattern(
    r"\b(?:my|this|the|our|your|existing|current)(?: \pL+)? $|^\W*(?:here'?s|here is|this|my|our)\b"
)


class Made:
    """The plain words of a prompt, and which stretches of it speak to the writer."""

    def __init__(self, prompt: Prompt) -> None:
        """Keep the prompt in lower case, with plain apostrophes."""
        self.prompt = prompt
        self.text = Text(prompt.text.lower[:MAX_CHARS].replace("’", "'"))

    @cached_property
    def _apart(self) -> list[Region]:
        return set_apart(self.prompt)

    def find(self, pattern: Pattern) -> Match | None:
        """Return the first match that is said to the writer."""
        for match in self.text.matches(pattern, limit=4):
            if self._is_made(match):
                return match
        return None

    def has(self, pattern: Pattern) -> bool:
        """Tell whether a pattern occurs anywhere in the prompt."""
        return pattern.search(self.text.utf8)

    def asks_about(self) -> bool:
        """Tell whether the prompt wants something explained or compared."""
        return self.has(_ABOUT)

    def tells_readers(self) -> bool:
        """Tell whether a text is asked for that may itself say what its readers should do."""
        return self.has(_TO_READERS)

    def _is_made(self, match: Match) -> bool:
        # The clause's opening mark may belong to the sentence before.
        at = spanned(match).start
        if self.is_apart(match):
            return False
        sentence = self.text.sentence_at(min(at, len(self.text) - 1))
        whole = self.text.value[sentence.start : sentence.end]
        if whole.rstrip().endswith("?") and _ASKS_ABOUT.search(whole.encode()):
            return False
        before = self.text.value[sentence.start : max(sentence.start, at)]
        if before.rstrip().endswith(_NO_ORDER) or before.strip() == "not":
            return False
        return not (_TOLD.search(before.encode()) or _SUPPOSED.search(before.encode()))

    def is_denied(self, match: Match) -> bool:
        """Tell whether a thing is named as one to do without, or as one that is there already."""
        at = spanned(match).start
        start = self.text.sentence_at(min(at, len(self.text) - 1)).start
        before = self.text.value[start : max(start, at)].encode()
        return _DENIED.search(before) or _THERE.search(before)

    def is_apart(self, match: Match) -> bool:
        """Tell whether a match is quoted, code, or pasted to work on."""
        at = spanned(match).start
        return any(region.contains(at) for region in self._apart)


def spanned(match: Match) -> Region:
    """Return what a match covers, without the marks around its clause."""
    inner = match.text.lstrip(" .!?,;:(\n–—-")
    start = match.end - len(inner)
    return Region(start, start + max(1, len(inner.rstrip(" .!?,;:)\n–—-"))))
