"""How a prompt and a response become the windows an encoder reads; training and serving share it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

CLS, SEP = 101, 102
WINDOW = 512
PROMPT_TOKENS = 160
OVERLAP = 48
# Of a passage and of the sentence compared with it: together, with their marks, one window.
PASSAGE_TOKENS, SENTENCE_TOKENS = 384, 125
# A name can be ninety characters: a response of nothing but symbols would be read for half a minute.
MAX_NAMED_SYMBOLS = 200
# A response is read up to this many tokens a character: English prose has about 0.25, code about 0.4.
# What has more (a script the vocabulary spells letter by letter, rows of signs) is read in part, so that
# no text of a given length costs more than three times ordinary prose.
MAX_TOKENS_PER_CHARACTER = 0.7
# Short texts are read whole, whatever they are made of.
MIN_TOKENS_READ = 1024


@dataclass(frozen=True, slots=True)
class Window:
    """One pass of the encoder: token ids, which side each stands on, and where the response part came from."""

    ids: list[int]
    sides: list[int]
    first: int
    taken: slice


def spelled(text: str) -> tuple[str, list[int] | None]:
    """The text with emoji named and fancy letters made plain, and for each new character where it came from.

    The vocabulary knows no emoji, and a slur in squared or mathematical letters is still a slur. Plain text comes back
    as it is, with None. Beyond the first MAX_NAMED_SYMBOLS, a symbol that has only a name is passed over.
    """
    if text.isascii() or max(text) < "\u2000":
        return text, None
    out, back, named = [], [], 0
    for at, char in enumerate(text):
        new = _plain(char) if char >= "\u2000" else char
        if len(new) > 1:
            named += 1
            new = new if named <= MAX_NAMED_SYMBOLS else " "
        out.append(new)
        back.extend([at] * len(new))
    return "".join(out), back


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if unicodedata.category(char) == "Cs":
        return "\ufffd"
    folded = unicodedata.normalize("NFKC", char)
    if folded.isascii() and folded.isalnum():
        return folded
    if unicodedata.category(char) not in ("So", "Sk", "Mn", "Cf"):
        return char
    name = unicodedata.name(char, "")
    if "LETTER" in name and len(name.rsplit(" ", 1)[-1]) == 1:
        return name[-1].lower()
    if (
        not name
        or char in "\u200d\ufe0f"
        or "MODIFIER" in name
        or "VARIATION" in name
        or unicodedata.category(char) == "Cf"
    ):
        return ""
    return f" {name.lower()} "


def shorten(ids: list[int], most: int = PROMPT_TOKENS) -> list[int]:
    """The start and the end of what is too long."""
    return ids if len(ids) <= most else ids[: most // 2] + ids[-(most - most // 2) :]


def windows(prompt: list[int], response: list[int], window: int = WINDOW) -> list[Window]:
    """Cut a response into evenly spread, overlapping windows; an empty one still gives one window."""
    head = shorten(prompt)
    room = window - 3 - len(head)
    count = 1 if len(response) <= room else -(-(len(response) - OVERLAP) // (room - OVERLAP))
    size = len(response) if count == 1 else -(-(len(response) + (count - 1) * OVERLAP) // count)
    found = []
    for number in range(count):
        start = 0 if count == 1 else round(number * (len(response) - size) / (count - 1))
        part = response[start : start + size]
        ids = [CLS, *head, SEP, *part, SEP]
        sides = [0] * (len(head) + 2) + [1] * (len(part) + 1)
        found.append(Window(ids, sides, len(head) + 2, slice(start, start + len(part))))
    return found


def readable(characters: int, tokens: int, limit: int | None = None) -> tuple[slice, slice]:
    """Return the two stretches of a response's tokens that are read: all of them, or its beginning and end."""
    most = max(MIN_TOKENS_READ, int(characters * MAX_TOKENS_PER_CHARACTER))
    most = most if limit is None else min(most, limit)
    if tokens <= most:
        return slice(0, tokens), slice(tokens, tokens)
    return slice(0, most // 2), slice(tokens - (most - most // 2), tokens)


def held_against(passage: list[int], sentence: list[int]) -> tuple[list[int], list[int]]:
    """Token ids and sides of a passage and a sentence compared with it; what is too long is cut at its end."""
    first, second = passage[:PASSAGE_TOKENS], sentence[:SENTENCE_TOKENS]
    ids = [CLS, *first, SEP, *second, SEP]
    return ids, [0] * (len(first) + 2) + [1] * (len(second) + 1)
