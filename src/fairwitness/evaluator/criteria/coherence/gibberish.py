"""Finds stretches that are no writing at all: letter noise, keyboard mash, runs of one character, byte noise.

It judges stretches, never single words: names, codes, hashes and loan words look odd one at a time.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairwitness.contract.results import Severity
from fairwitness.evaluator.judgement import Exchange, Finding, Span
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# Prompts whose right answer may be letters without words.
_ASKS_FOR_NOISE = Pattern(
    r"\b(?:gibberish|nonsense|random|passwords?|passphrase|cipher\w*|encrypt\w*|decrypt\w*|encod\w+|decod\w+|"
    r"base ?64|hash\w*|md5|sha-?\d*|uuid|hex\w*|binary|dna|rna|genom\w*|sequences?|protein|amino|phonetic\w*|"
    r"pronounc\w*|ipa|onomatopoe\w*|abbreviat\w*|acronyms?|consonants?|vowels?|letters?|alphabet|anagrams?|"
    r"scrambl\w*|keyboard|typing|morse|ascii|stutter\w*|scream\w*|drunk|alien|fictional language|conlang|"
    r"tickers?|license|serial|keys?|tokens?|codes?|unicode|emojis?|zalgo|glitch\w*|symbols?)\b",
    ignore_case=True,
)
# Five consonants of the Latin alphabet in a row; y and the accented vowels break a run.
_CLUSTER = Pattern(r"[bcdfghjklmnpqrstvwxz]{5}", ignore_case=True)
_LATIN_WORD = Pattern(r"[a-zA-Z]{4,40}")
_VOWELS = frozenset("aeiouyAEIOUY")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "poiuytrewq", "lkjhgfdsa", "mnbvcxz")
_MASH = frozenset(row[at : at + 4] for row in _ROWS for at in range(len(row) - 3)) - {
    "were",
    "tree",
    "poiu",
}
_RUN = 40


def find(exchange: Exchange) -> list[Finding]:
    """Return the first stretch that is no writing, where the prompt did not ask for such."""
    text = exchange.response
    suspect = _run(text) or _noise_bytes(text) or _letter_noise(text)
    if suspect is None or exchange.prompt.search(_ASKS_FOR_NOISE) is not None:
        return []
    return [suspect]


def _run(text: Text) -> Finding | None:
    longest = max(text.value.split(), key=len, default="")
    if len(longest) < _RUN:
        return None
    for char in set(longest):
        if char.isalnum() and char * _RUN in longest:
            start = text.value.index(char * _RUN)
            if text.in_code(start):
                return None
            end = start
            while end < len(text) and text.value[end] == char:
                end += 1
            return _finding(
                "medium", "run", f"One character comes {end - start} times in a row.", start, end
            )
    return None


def _noise_bytes(text: Text) -> Finding | None:
    """Control characters and unassigned code points do not come in writing."""
    if text.value.isprintable():
        return None
    noise = [
        index
        for index, char in enumerate(text.value)
        if not char.isprintable()
        and (char < "\t" or "\x0d" < char < "\x1b" or "\x7f" <= char < "\x85" or char > "\ud7ff")
        and char not in "\ufeff\ufff9\ufffa\ufffb"
        and not "\U000e0000" <= char <= "\U000e0fff"
    ]
    if not noise:
        return None
    severity: Severity = (
        "high" if len(noise) * 20 >= len(text) else "medium" if len(noise) >= 3 else "low"
    )
    message = f"{len(noise)} control or unassigned character(s) stand in the text."
    return _finding(severity, "bytes", message, noise[0], noise[0] + 1)


def _letter_noise(text: Text) -> Finding | None:
    if not text.search(_CLUSTER) and not any(
        mash in text.lower for mash in ("asdf", "qwer", "zxcv")
    ):
        return None
    for stretch in _stretches(text):
        words = text_words(text, stretch)
        odd = [word for word in words if is_odd(word)]
        if len(odd) >= 4 and len(odd) * 2 >= len(words):
            severity: Severity = (
                "high" if len(odd) >= 12 or len(odd) * 3 >= len(text.words) else "medium"
            )
            message = (
                f"{len(odd)} of {len(words)} longer words here are letters without a word in them."
            )
            return _finding(
                severity, "letters", message, stretch.start, min(stretch.end, stretch.start + 120)
            )
    return None


def _stretches(text: Text) -> Iterable[Region]:
    return (line for line in text.paragraphs if not text.in_code(line.start))


def text_words(text: Text, stretch: Region) -> list[str]:
    """Return a stretch's words of four plain letters or more that are not written as names or codes."""
    found = _LATIN_WORD.find(text.slice(stretch).encode(), lambda byte: byte)
    return [
        match.text
        for match in found
        if match.text.islower() or match.text.isupper() or match.text[1:].islower()
    ]


def is_odd(word: str) -> bool:
    """Tell whether a word has no vowel, a knot of consonants, or runs along the keyboard."""
    lowered = word.lower()
    return (
        not _VOWELS.intersection(word)
        or _CLUSTER.search(word.encode())
        or any(lowered[at : at + 4] in _MASH for at in range(len(lowered) - 3))
    )


def _finding(severity: Severity, kind: str, message: str, start: int, end: int) -> Finding:
    return Finding(
        severity=severity,
        message=message,
        detector=f"coherence.gibberish.{kind}",
        spans=(Span(start, end),),
        suggestion="Replace it with words.",
    )
