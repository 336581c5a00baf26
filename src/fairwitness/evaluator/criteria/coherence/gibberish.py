"""Finds text that is not writing: random letters, keyboard mashing, one character repeated, stray bytes.

It judges paragraphs, never single words: names, codes, hashes and loan words look odd one at a time.
"""

from __future__ import annotations

from bisect import bisect_left
from unicodedata import category

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding, counted
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# Prompts whose right answer may be letters without words.
_ASKS_FOR_NOISE = Pattern(
    r"\b(?:gibberish|nonsense|random|passwords?|passphrases?|cipher\w*|encrypt\w*|decrypt\w*|base ?64|"
    r"hash\w*|dna|rna|genom\w*|protein|amino|phonetic\w*|pronounc\w*|onomatopoe\w*|abbreviat\w*|"
    r"acronyms?|consonants|anagrams?|scrambl\w*|keyboard|typing|stutter\w*|scream\w*|drunk|alien|conlang|"
    r"fictional language|zalgo|riddles?|puzzles?|crypt\w*|glitch\w*)\b",
    ignore_case=True,
)
_LATIN_WORD = Pattern(r"[a-zA-Z]{4,40}")
# Pairs of letters that English words all but never hold, by first letter: fewer than 2 in 100,000
# pairs over the answers measured. One in a word proves nothing; words full of them are no words.
_RARE_PAIRS = (
    "bfghknqvxz cbdfgjmpvwxz dkqxz fbcdghjkmnpqvwxz gbcfjkpqvwxz hghjkqvxz iwy "
    "jbcdfghklmnpqrstvwxyz kchjqvxz ljqxz mcdghjkqrvxz oq pjknqvwxz "
    "qabcdefghijklmnopqrstvwxyz rjqxz sjvxz tjkqvxz ujqw vbcdfghjklmnpqstvwxz wgjpqtuvxz "
    "xbdfgjkmnqrsvwxz yhjkquvxy zbcdfghjkmnpqrstvwx "
)
_RARE_PAIR = Pattern("|".join(f"{row[0]}[{row[1:]}]" for row in _RARE_PAIRS.split()))
_KEYBOARD_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "poiuytrewq", "lkjhgfdsa", "mnbvcxz")
_KEYBOARD_RUNS = frozenset(row[at : at + 4] for row in _KEYBOARD_ROWS for at in range(len(row) - 3))
_MIN_RUN_CHARS = 40
_MAX_PARAGRAPH_CHARS = 2000  # enough to judge the rest


def find(exchange: Exchange) -> list[Finding]:
    """Return the first stretch that is no writing, where the prompt did not ask for such."""
    text = exchange.response
    suspect = _run(text) or _stray_characters(text) or _letter_noise(text)
    if suspect is None or exchange.prompt.search(_ASKS_FOR_NOISE) is not None:
        return []
    return [suspect]


def _run(text: Text) -> Finding | None:
    longest = max(text.value.split(), key=len, default="")
    if len(longest) < _MIN_RUN_CHARS:
        return None
    for char in set(longest):
        if char.isalnum() and char * _MIN_RUN_CHARS in longest:
            start = text.value.index(char * _MIN_RUN_CHARS)
            if text.in_code(start):
                return None
            end = start
            while end < len(text) and text.value[end] == char:
                end += 1
            message = f"The character “{char}” repeats {end - start} times in a row."
            return _finding("medium", "run", message, start, end)
    return None


def _stray_characters(text: Text) -> Finding | None:
    """Find control characters and unassigned code points, which writing does not use."""
    noise = {char for char in set(text.value) if not char.isprintable() and _is_noise(char)}
    if not noise:
        return None
    places = [index for index, char in enumerate(text.value) if char in noise]
    share = len(places) / len(text)
    severity: Severity = "high" if share >= 0.05 else "medium" if len(places) >= 3 else "low"
    message = (
        f"{counted(len(places), 'control or unassigned character')} in the text, "
        f"the first U+{ord(text.value[places[0]]):04X}."
    )
    return _finding(severity, "bytes", message, places[0], places[0] + 1)


def _is_noise(char: str) -> bool:
    # Escapes, marks of direction and invisible characters are output safety's.
    kind = category(char)
    return kind in {"Cn", "Co"} or (kind == "Cc" and char not in "\t\n\x0b\x0c\r\x08\x1b\x85\x9b")


def _letter_noise(text: Text) -> Finding | None:
    # Honest prose has a handful of rare pairs in a page, and is done with here.
    places = [match.start for match in text.matches(_RARE_PAIR)]
    if len(places) < 4:
        return None
    for stretch in text.paragraphs:
        if bisect_left(places, stretch.end) - bisect_left(places, stretch.start) < 4:
            continue
        if found := _noise_in(text, stretch):
            return found
    return None


def _noise_in(text: Text, stretch: Region) -> Finding | None:
    value = text.slice(stretch)[:_MAX_PARAGRAPH_CHARS]
    if text.in_code(stretch.start) or any(char > "\x7f" and char.isalpha() for char in value):
        return None  # other alphabets' accents come with other habits of consonants
    words = [match.text for match in _LATIN_WORD.find(value.encode(), lambda byte: byte)]
    # Names and abbreviations may be all consonants; words in lower case are neither.
    odd = [word for word in words if word.islower() and is_odd(word)]
    if len(odd) < 4 or len(odd) * 2 < len(words):
        return None
    severity: Severity = "high" if len(odd) >= 12 or len(odd) * 3 >= len(text.words) else "medium"
    message = (
        f"{len(odd)} of {len(words)} longer words here do not look like words, such as “{odd[0]}”."
    )
    return _finding(
        severity, "letters", message, stretch.start, min(stretch.end, stretch.start + 120)
    )


def is_odd(word: str) -> bool:
    """Tell whether a word holds pairs of letters that words do not, or runs along the keyboard."""
    return _RARE_PAIR.search(word.encode()) or any(
        word[at : at + 4] in _KEYBOARD_RUNS for at in range(len(word) - 3)
    )


def _finding(severity: Severity, kind: str, message: str, start: int, end: int) -> Finding:
    return Finding(
        severity=severity,
        message=message,
        detector=f"coherence.gibberish.{kind}",
        spans=(Span(start, end),),
        suggestion="Replace it with readable text.",
    )
