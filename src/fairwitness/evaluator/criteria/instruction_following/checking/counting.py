"""Counts what a response holds: words, sentences, paragraphs, lines, bullets, marked and capital words."""

from __future__ import annotations

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_STOP = Pattern(r"[.!?。！？।]+[\"'”’)\]*_»]*(?:\s+|$)|[。！？।]+")
_BULLET = Pattern(r"^[ \t]*(?:[-+]|\*(?:[^*\n]|$))[^\n]*", multiline=True)
_ANY_BULLET = Pattern(r"^[ \t]*(?:[-+•‣◦▪●○–]|\*(?:[^*\n]|$))[^\n]*", multiline=True)
_NUMBERED = Pattern(r"^[ \t]*\(?\d{1,3}[.):][ \t]+\S[^\n]*", multiline=True)
_HEADING = Pattern(r"^#{1,6}[ \t]+\S[^\n]*", multiline=True)
_PLACEHOLDER = Pattern(r"\[[^\]\n]*\]")
_HIGHLIGHT = Pattern(r"\*\*\*[^*\n]+\*\*\*|\*\*[^*\n]+\*\*|\*[^*\n]+\*")
_HASHTAG = Pattern(r"#[\pL\pN_]+")
_TITLE = Pattern(r"<<[^\n]+>>")
_FACE = "[\U0001f300-\U0001f3fa\U0001f400-\U0001faff☀-➿⬀-⯿⌚⌛⏩-⏺]"
_TONE = "[\U0001f3fb-\U0001f3ff\ufe0f]*"
# Two letters make a flag; what joiners hold together is one.
_EMOJI = Pattern(
    f"[\U0001f1e6-\U0001f1ff]{{1,2}}|{_FACE}{_TONE}(?:\u200d{_FACE}{_TONE})*|[\U0001f3fb-\U0001f3ff]"
)
_CAPITAL_WORD = Pattern(r"[\pL\pN]+(?:[-'’.&][\pL\pN]+)*")
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st jr sr vs e.g i.e cf fig no vol inc ltd co gen gov rep sen rev hon "
    "u.s u.k p.p p p.m a.m ph.d dept approx mt".split()
)


_LIST_MARKS = frozenset("-*•+0123456789|")


def words(text: Text) -> int:
    """Count words; the halves of a hyphenated or contracted word are counted apart."""
    value = text.value
    if not any(mark in value for mark in "'’-"):
        return len(text.words)
    written = "".join(value[word.start : word.end] for word in text.words)
    return len(text.words) + sum(map(written.count, "'’-"))


def word_counts(text: Text) -> tuple[int, ...]:
    """Return every count people could mean: halves of words apart, words whole, or what spaces part."""
    spaced = sum(any(map(str.isalnum, piece)) for piece in text.value.split())
    return (words(text), len(text.words), spaced)


def sentences(text: Text) -> list[Region]:
    """Return sentences: stretches closed by a stop. A line end alone closes none."""
    found: list[Region] = []
    value = text.value
    # Where nothing is written in capitals, a small letter after a stop says nothing.
    cased = sum(map(str.isupper, value)) * 200 > len(value)
    start = 0
    for match in text.matches(_STOP):
        if match.start < start or _goes_on(value, match.start, match.end, cased):
            continue
        found.append(_trimmed(value, start, match.end))
        start = match.end
    if value[start:].strip():
        found.append(_trimmed(value, start, len(value)))
    return found


def _trimmed(value: str, start: int, end: int) -> Region:
    while start < end and value[start].isspace():
        start += 1
    while end > start and value[end - 1].isspace():
        end -= 1
    return Region(start, end)


def _goes_on(value: str, stop: int, after: int, cased: bool) -> bool:
    """Tell whether a stop closes no sentence: an abbreviation, an initial, a small letter after it."""
    if value[stop] != ".":
        return False
    following = value[after : after + 1]
    if following.islower() and (cased or value[stop - 1 : stop].isdecimal()):
        return True
    begin = stop
    while begin > 0 and not value[begin - 1].isspace() and stop - begin < 12:
        begin -= 1
    word = value[begin:stop].lower().lstrip("(\"'“‘*_")
    if word in _ABBREVIATIONS:
        return True
    return len(word) == 1 and word.isalpha() and value[stop - 1].isupper() and word != "i"


def prose(text: Text, regions: list[Region]) -> list[Region]:
    """Leave out what one may or may not count: headings, titles, salutations, lead-ins, lists."""
    return [region for region in regions if not _beside(text.value[region.start : region.end])]


def _beside(block: str) -> bool:
    stripped = block.strip()
    if "\n" in stripped:
        return all(
            line.lstrip()[:1] in _LIST_MARKS for line in stripped.split("\n") if line.strip()
        )
    marked = stripped[:1] in {"#", "*", "-", "<", "_", "("} or stripped[:1].isdecimal()
    return marked or (len(stripped) < 60 and stripped[-1:] not in {".", "!", "?", '"', "”", ";"})


def parts(text: Text, separator: str) -> list[Region]:
    """Return the stretches between separators, an empty one at either end left out."""
    value = text.value
    found: list[Region] = []
    start = 0
    while True:
        cut = value.find(separator, start)
        end = cut if cut >= 0 else len(value)
        found.append(_trimmed(value, start, end))
        if cut < 0:
            break
        start = cut + len(separator)
    if found and found[0].start >= found[0].end:
        found = found[1:]
    if found and found[-1].start >= found[-1].end:
        found = found[:-1]
    return found


def lines(text: Text) -> list[Region]:
    """Return the lines that hold something."""
    return [line for line in text.lines if text.value[line.start : line.end].strip()]


def unstopped(text: Text) -> bool:
    """Tell whether most of several lines end in no stop: verse, or a list."""
    ends = [text.value[line.end - 1] for line in lines(text)]
    return len(ends) > 3 and 2 * sum(end in ".!?。！？" for end in ends) < len(ends)


def stanzas(text: Text) -> list[int]:
    """Count the lines of each block, and those separated by slashes where a verse is on one line."""
    counts = [text.slice(block).count("\n") + 1 for block in text.paragraphs]
    return [*counts, *(text.slice(block).count(" / ") + 1 for block in text.paragraphs)]


def _regions(text: Text, pattern: Pattern) -> list[Region]:
    return [Region(match.start, match.end) for match in text.matches(pattern)]


def bullets(text: Text, *, markdown: bool = False) -> list[Region]:
    """Return lines that open with a bullet; with `markdown`, one that Markdown knows."""
    return _regions(text, _BULLET if markdown else _ANY_BULLET)


def numbered(text: Text) -> list[Region]:
    """Return lines that open with a number of a list."""
    return _regions(text, _NUMBERED)


def headings(text: Text) -> list[Region]:
    """Return Markdown headings."""
    return _regions(text, _HEADING)


def placeholders(text: Text) -> list[Region]:
    """Return placeholders in square brackets."""
    return _regions(text, _PLACEHOLDER)


def highlights(text: Text) -> list[Region]:
    """Return parts set between asterisks."""
    return [
        region
        for region in _regions(text, _HIGHLIGHT)
        if text.value[region.start : region.end].strip("* ")
    ]


def hashtags(text: Text) -> list[Region]:
    """Return hashtags."""
    return _regions(text, _HASHTAG)


def emojis(text: Text) -> list[Region]:
    """Return emojis."""
    return _regions(text, _EMOJI)


def titles(text: Text) -> list[Region]:
    """Return text in double angle brackets, where it is not empty."""
    return [
        region
        for region in _regions(text, _TITLE)
        if text.value[region.start : region.end].strip("<> ")
    ]


def capital_words(text: Text) -> list[Region]:
    """Return words with every letter a capital."""
    return [
        Region(match.start, match.end)
        for match in text.matches(_CAPITAL_WORD)
        if match.text.isupper()
    ]


def sections(text: Text, marker: str) -> list[Region]:
    """Return the places where a section is opened by its marker and a number."""
    # A marker the prompt writes in lower case may be a heading, with a capital.
    value = text.lower if marker.islower() else text.value
    found: list[Region] = []
    start = 0
    while (at := value.find(marker, start)) >= 0:
        end = at + len(marker)
        while end < len(value) and value[end] == " " and end - at - len(marker) < 2:
            end += 1
        start = end
        while end < len(value) and value[end].isdecimal():
            end += 1
        if end > start:
            found.append(Region(at, end))
        start = max(end, at + 1)
    return found
