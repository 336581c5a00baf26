"""Corrects common misspellings in demands: a letter lost, doubled or swapped, an apostrophe left out.

Only long words are corrected by one letter, since that gives no other word; short ones by a list.
"""

from __future__ import annotations

_MIN_LETTERS = 7
_LONG_WORDS = (
    "sentence sentences paragraph paragraphs character characters lowercase uppercase punctuation "
    "exclamation alphabetical alphabetically response placeholder placeholders postscript asterisk asterisks "
    "quotation exactly separate separated highlighted capital letters keywords numbered "
    "bullets question hashtags maximum minimum without including"
).split()
# Words one letter away from a listed one that are words of their own.
_CORRECT_WORDS = frozenset(
    "sentenced sentience separates separately questions questioned ballets litters lettered capitals capitol "
    "keyword hashtag quotations responses responded".split()
)
_REPLACEMENTS = {
    "dont": "don't", "doesnt": "doesn't", "cant": "can't", "shouldnt": "shouldn't", "mustnt": "mustn't",
    "wont": "won't", "isnt": "isn't", "arent": "aren't", "pls": "please", "plz": "please", "plese": "please",
    "ur": "your", "u": "you", "wrods": "words", "wods": "words", "woords": "words", "comas": "commas",
    "awnser": "answer", "anwser": "answer", "answr": "answer", "reponse": "response", "writting": "writing",
    "wirte": "write", "emojies": "emojis", "emjois": "emojis", "hastags": "hashtags", "excactly": "exactly",
}  # fmt: skip
# One word for two: what the first half is, what the second.
JOINED = {"atleast": ("at", "least"), "atmost": ("at", "most"), "nomore": ("no", "more")}
_COMPARED = frozenset("less more fewer longer shorter greater lesser".split())


def _without_one(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


_KNOWN = frozenset(_LONG_WORDS) | _CORRECT_WORDS
_BY_PIECE = {piece: word for word in reversed(_LONG_WORDS) for piece in (word, *_without_one(word))}
# A longer word is none of them with a letter too many.
_MAX_LETTERS = max(map(len, _LONG_WORDS)) + 1


def corrected(word: str) -> str:
    """Return a word as it should be spelled, or the word itself."""
    if word in _REPLACEMENTS:
        return _REPLACEMENTS[word]
    if not _MIN_LETTERS <= len(word) <= _MAX_LETTERS or word in _KNOWN or not word.isalpha():
        return word
    if word in _BY_PIECE:
        return _BY_PIECE[word]
    for at in range(1, len(word)):
        meant = _BY_PIECE.get(word[:at] + word[at + 1 :])
        if meant is not None and abs(len(meant) - len(word)) <= 1:
            return meant
    return word


def then_to_than(word: str, before: str) -> str:
    """Return "than" for the "then" of "less then"."""
    return "than" if word == "then" and before in _COMPARED else word
