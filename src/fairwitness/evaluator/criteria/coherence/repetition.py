"""Finds repetition: phrases said over and over, and sentences and paragraphs that come again.

It compares words, not meaning: two sentences that say the same in other words are not a repetition.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain, compress, count
from operator import eq

from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# What a prompt says when repetition is the point ...
_ASKS_FOR_REPETITION = Pattern(
    r"\b(?:(?:say|repeat|write|print|type|list|copy|echo|output)\b[^.\n]{0,80}\b\d+ times|over and over|"
    r"again and again|repetitive|repetitions?|infinite|endless\w*|forever|stuck in a loop|spam|litany|"
    r"mantras?)\b|"
    # RE2's \b and \w know ASCII only, so these go without them.
    r"重复|重複|繰り返|повтор",
    ignore_case=True,
)
# ... and when a form is asked for in which some is at home.
_ASKS_FOR_VERSE = Pattern(
    r"\b(?:repeat\w*|songs?|lyrics?|chorus|poems?|poet\w*|raps?|verses?|hymns?|chant\w*|lullaby|ballads?|"
    r"villanelle|pantoum|sestina|anaphora|rhymes?|jingles?|limericks?|tongue.twisters?|echo\w*|loops?|"
    r"prayers?|affirmations?|anthem|speech|chanson|lied|gedicht|canzone|poesia|poema)\b|canción|poème|"
    r"песн|стих|歌|诗|詩|노래",
    ignore_case=True,
)
_GRAM_WORDS = 4
_MIN_REPEATED_GRAMS = 9  # fewer can be chance
_MIN_WORDS = 120  # in a shorter text, phrases may well come back
_MIN_PROSE_VARIETY, _MIN_VERSE_VARIETY = (
    0.35,
    0.15,
)  # different phrases among all; prose and verse below this repeat themselves
_MIN_STUTTER_WORDS = 6  # of the same word in a row; the words below may repeat that often
_OFTEN_REPEATED = frozenset(
    "ha haha hehe la na no yes yeah buffalo blah tick tock very meow woof beep".split()
)


def find(exchange: Exchange) -> list[Finding]:
    """Return at most one finding: the strongest repetition, with its first and its last copy."""
    response = exchange.response
    words = response.value.split()
    stuttered = _may_stutter(words)
    if not stuttered and (len(words) < 12 or not _may_repeat(words)):
        return []
    if exchange.prompt.search(_ASKS_FOR_REPETITION) is not None:
        return []
    # A refrain comes back three or four times; only a loop repeats six times in a row.
    if exchange.prompt.search(_ASKS_FOR_VERSE) is not None:
        return _cycle(response, copies=6) or _few_phrases(response, _MIN_VERSE_VARIETY)
    return (
        _cycle(response, copies=3)
        or (_stutter(response) if stuttered else [])
        or _repeated_passage(response)
        or _few_phrases(response, _MIN_PROSE_VARIETY)
    )


def _may_stutter(words: Sequence[str]) -> bool:
    # The first word of a run may differ by its capital, the last by its stop.
    inner = _MIN_STUTTER_WORDS - 2
    return any(
        len(words[index]) > 2 and len(set(words[index : index + inner])) == 1
        for index in compress(count(), map(eq, words, words[inner - 1 :]))
    )


def _stutter(text: Text) -> list[Finding]:
    """Find one word of prose said again and again with nothing but spaces and commas between."""
    run: list[Region] = []
    before = ""
    for region, word in zip(text.words, _lowered(text, text.words), strict=True):
        if word != before or text.value[run[-1].end : region.start].strip(" ,"):
            run.clear()
        run.append(region)
        before = word
        if len(run) != _MIN_STUTTER_WORDS or len(word) < 3 or not word.isalpha():
            continue
        if word not in _OFTEN_REPEATED and not text.in_code(region.start):
            much = 5 * (region.end - run[0].start) >= len(text)
            return [
                Finding(
                    severity="high" if much else "medium",
                    message=f"The word “{word}” repeats {_MIN_STUTTER_WORDS} or more times in a row.",
                    detector="coherence.loop.stutter",
                    spans=(Span(run[0].start, region.end),),
                    suggestion="Say it once.",
                )
            ]
    return []


def _may_repeat(words: Sequence[str]) -> bool:
    # One pass in C: almost every text ends here. Single letters and signs do not count as words.
    words = [word for word in words if len(word) > 1]
    grams = list(zip(words, words[1:], words[2:], words[3:], strict=False))
    return len(grams) - len(set(grams)) >= _MIN_REPEATED_GRAMS


def _cycle(text: Text, copies: int) -> list[Finding]:
    """Find a phrase that repeats `copies` times in a row, by equal distances of equal 4-grams."""
    regions = _prose_words(text)
    words = _lowered(text, regions)
    covered, end, period = _longest_cycle(words, copies)
    if not covered or not _is_prose(words[end - period + 1 : end + 1]):
        return []
    first = end - covered + 1
    spans = (
        Span(regions[first].start, regions[first + period - 1].end),
        Span(regions[end - period + 1].start, regions[end].end),
    )
    share = covered / len(words)
    same = "The same word repeats" if period == 1 else f"The same {period} words repeat"
    return [
        Finding(
            severity="high" if share >= 0.2 or covered >= 6 * period else "medium",
            message=f"{same} {covered // period} times.",
            detector="coherence.loop.cycle",
            spans=spans,
            suggestion="Say it once.",
        )
    ]


def _longest_cycle(words: Sequence[str], copies: int) -> tuple[int, int, int]:
    """Return the longest cycle: words covered, index of its last word, and its period."""
    last: dict[tuple[str, ...], int] = {}
    period = run = 0
    best = (0, 0, 0)
    grams = zip(words, words[1:], words[2:], words[3:], strict=False)
    # One more gram that was never seen ends a run that reaches the end of the text.
    for index, gram in enumerate(chain(grams, [()])):
        distance = index - last.get(gram, index)
        last[gram] = index
        if distance and distance == period:
            run += 1
            continue
        covered = run + period + _GRAM_WORDS - 1
        # Complete copies, and enough repeated words.
        if run >= _MIN_REPEATED_GRAMS and covered >= copies * period:
            best = max(best, (covered, index + _GRAM_WORDS - 2, period))
        run, period = int(bool(distance)), distance
    return best


def _lowered(text: Text, regions: Sequence[Region]) -> list[str]:
    lower = text.lower
    return [lower[start:end] for start, end in regions]


def _few_phrases(text: Text, line: float) -> list[Finding]:
    """Find a long text with very few different phrases: it repeats with small changes, so no copy is exact."""
    regions = [region for region in _prose_words(text) if region.end - region.start > 1]
    words = _lowered(text, regions)
    if len(words) < _MIN_WORDS or len(set(words)) > line * len(words):
        return []
    places: dict[tuple[str, str, str], list[int]] = {}
    for index, phrase in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if not any(map(str.isdigit, phrase)):
            places.setdefault(phrase, []).append(index)
    said = sum(map(len, places.values()))
    if said < _MIN_WORDS or len(places) > line * said:
        return []
    often = max(places.values(), key=len)
    spans = tuple(
        Span(regions[index].start, regions[index + 2].end) for index in (often[0], often[-1])
    )
    return [
        Finding(
            severity="high" if len(places) <= line / 2 * said else "medium",
            message=f"Of {said} three-word phrases only {len(places)} are different: the text repeats itself.",
            detector="coherence.loop.variety",
            spans=spans,
            suggestion="Say it once.",
        )
    ]


def _prose_words(text: Text) -> list[Region]:
    """Return the words outside code and tables."""
    rows = [
        line for line in text.lines if text.value[line.start : line.end].lstrip().startswith("|")
    ]
    skipped = sorted([*text.code, *rows])
    return [region for region in text.words if not skipped or not _inside(skipped, region.start)]


def _inside(regions: Sequence[Region], position: int) -> bool:
    index = bisect_right(regions, position, key=lambda region: region.start) - 1
    return index >= 0 and regions[index].contains(position)


def _is_prose(words: Sequence[str]) -> bool:
    return any(word.isalpha() and len(word) > 1 for word in words)


def _repeated_passage(text: Text) -> list[Finding]:
    """Find whole sentences that come three times or more, and long paragraphs that come twice."""
    again = None
    if (
        max(line.end - line.start for line in text.lines) >= 60
    ):  # no sentence is longer than its line
        again = _repeats(text, text.sentences, least=3, letters=60)
    again = again or _repeats(text, text.paragraphs, least=2, letters=160)
    if again is None:
        return []
    places, share = again
    return [
        Finding(
            severity="high" if share >= 0.4 else "medium" if share >= 0.2 else "low",
            message=f"The same passage appears {len(places)} times.",
            detector="coherence.loop.passage",
            spans=(Span(*places[0]), Span(*places[-1])),
            suggestion="Say it once.",
        )
    ]


def _repeats(
    text: Text, parts: Sequence[Region], least: int, letters: int
) -> tuple[list[Region], float] | None:
    """Return the part said most often and the share of the text that is mere copy, where that is much."""
    places: dict[str, list[Region]] = {}
    for part in parts:
        said = text.slice(part)
        if len(said) < letters or text.in_code(part.start):
            continue
        if said[0] in _STRUCTURE_STARTS or said[-1] not in _SENTENCE_ENDS:
            continue  # rows, items and verse repeat by nature
        places.setdefault(said.lower(), []).append(part)
    again = {said: found for said, found in places.items() if len(found) >= least}
    copied = sum((len(found) - 1) * len(said) for said, found in again.items())
    share = copied / max(len(text), 1)
    if share < 0.12:
        return None
    return max(again.values(), key=len), share


# How table rows, list items, headings and quotations begin; how sentences of prose end.
_STRUCTURE_STARTS = frozenset("|-*•+#>0123456789")
_SENTENCE_ENDS = frozenset('.!?。！？।…"”')
