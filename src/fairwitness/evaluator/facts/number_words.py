"""Reads the plain numbers of a text in six languages, so that a translation can be held against its source.

Only the values are read: what is measured stays the same in every language, and its words do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.facts.words import first_word
from fairwitness.evaluator.facts.written_numbers import read_digits
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_NUMBERS = 60
# English, German, French, Spanish, Italian, Portuguese. "One" is an article in most of them, and not among them.
_WORDS = """
2 two zwei deux dos due dois duas
3 three drei trois tres tre três
4 four vier quatre cuatro quattro quatro
5 five fünf cinq cinco cinque
6 six sechs seis sei
7 seven sieben sept siete sette sete
8 eight acht huit ocho otto oito
9 nine neun neuf nueve nove
10 ten zehn dix diez dieci dez
11 eleven elf onze once undici
12 twelve zwölf douze doce dodici doze
13 thirteen dreizehn treize trece tredici treze
14 fourteen vierzehn quatorze catorce quattordici catorze
15 fifteen fünfzehn quinze quince quindici
16 sixteen sechzehn seize dieciséis sedici dezesseis dezasseis
17 seventeen siebzehn dix-sept diecisiete diciassette dezessete dezassete
18 eighteen achtzehn dix-huit dieciocho diciotto dezoito
19 nineteen neunzehn dix-neuf diecinueve diciannove dezenove dezanove
20 twenty zwanzig vingt veinte venti vinte
30 thirty dreißig dreissig trente treinta trenta trinta
40 forty vierzig quarante cuarenta quaranta quarenta
50 fifty fünfzig cinquante cincuenta cinquanta cinquenta
60 sixty sechzig soixante sesenta sessanta sessenta
70 seventy siebzig setenta settanta
80 eighty achtzig quatre-vingts ochenta ottanta oitenta
90 ninety neunzig quatre-vingt-dix noventa novanta
100 hundred hundert einhundert cent cien ciento cento cem
"""
_VALUES = {
    word: float(line.split()[0])
    for line in _WORDS.strip().splitlines()
    for word in line.split()[1:]
}
# Words that are also other words of one of these languages.
_DOUBTFUL = frozenset("due sei once neuf acht elf otto seize cent sept tres dos".split())
_TENS = {word: value for word, value in _VALUES.items() if value in range(20, 100, 10)}
_CLOCK_CHARS = 12
_JOINT_CHARS = 4  # " y "
_MAX_TEN_CHARS = 12
_HOURS = frozenset({"am", "pm", "a.", "p.", "uh", "h", "h "})
_DIGITS = Pattern(r"\d+(?:[.,’']\d+)*")
# Times of day are written in other hours elsewhere: "half past nine" is "halb zehn".
_CLOCK = Pattern(
    r"\b(?:half past|quarter (?:past|to)|o[’']clock|halb|viertel|uhr|heures?|y media|y cuarto|menos cuarto|e mezz[ao]|e meia|a las|às)\b|\d\s?h\d\d",
    ignore_case=True,
)


class Number(NamedTuple):
    """A value and where it is written; `sure` where its word is no other word."""

    value: float
    place: Region
    other: float | None
    sure: bool

    def is_one_of(self, numbers: list[Number]) -> bool:
        """Tell whether another text has the same value, in figures of thousands or in full."""
        return any(
            _same(mine, theirs) for one in numbers for mine in self.values for theirs in one.values
        )

    @property
    def values(self) -> tuple[float, ...]:
        """What it may be: with a decimal point, or a decimal comma."""
        return (self.value,) if self.other is None else (self.value, self.other)


def plain_numbers(text: Text, region: Region) -> list[Number]:
    """Return the numbers of a region in order, in digits or in words; times of day and dates in digits are not among them."""
    found = [*_in_digits(text, region), *_in_words(text, region)]
    return sorted(found, key=lambda number: number.place)[:_MAX_NUMBERS]


def _in_digits(text: Text, region: Region) -> Iterator[Number]:
    value = text.slice(region)
    for match in Text(value).matches(_DIGITS, limit=_MAX_NUMBERS):
        before, after = value[: match.start][-3:], value[match.end : match.end + 5].lower()
        if (
            before[-1:] == ":"
            or after[:1] == ":"
            or after.lstrip()[:2] in _HOURS
            or before == " h "
            # "1958-11-07" is one date.
            or (before[-1:] == "-" and before[-2:-1].isdecimal())
            or (after[:1] == "-" and after[1:3].isdecimal())
        ):
            continue
        start = region.start + match.start
        # "mop,3,6.50": commas between cells, not within a number.
        cells = (
            match.text.split(",")
            if before[-1:] == "," or ("," in match.text and after[:1] == ",")
            else [match.text]
        )
        for cell in cells:
            parsed = read_digits(cell)
            if parsed is not None:
                yield Number(parsed[0], Region(start, start + len(cell)), parsed[2], True)
            start += len(cell) + 1


def _in_words(text: Text, region: Region) -> Iterator[Number]:
    hours = [
        Region(
            max(0, region.start + match.start - _CLOCK_CHARS),
            region.start + match.end + _CLOCK_CHARS,
        )
        for match in Text(text.slice(region)).matches(_CLOCK, limit=_MAX_NUMBERS)
    ]
    read = region.start
    for at in range(first_word(text, region.start), first_word(text, region.end)):
        start, end = text.words[at]
        word = text.lower[start:end]
        value = _VALUES.get(word) or _joined(word)
        if value is None or start < read or any(hour.contains(start) for hour in hours):
            continue
        unit, read = _unit_after(text, at) if word in _TENS else (0.0, end)
        yield Number(value + unit, Region(start, read), None, word not in _DOUBTFUL)


def _unit_after(text: Text, at: int) -> tuple[float, int]:
    """Return the ones of "thirty two" and "treinta y dos", and where the number ends."""
    end = text.words[at].end
    for start, stop in text.words[at + 1 : at + 3]:
        unit = _VALUES.get(text.lower[start:stop], 0.0)
        if 0 < unit < 10 and start - end <= _JOINT_CHARS:
            return unit, stop
    return 0.0, end


def _joined(word: str) -> float | None:
    """Return the value of a number in one word: "twenty-two", "zweiundzwanzig", "ventidue"."""
    one, joint, ten = word.partition("und")
    if joint and ten in _TENS:
        return _TENS[ten] + (1 if one == "ein" else _VALUES.get(one, -100)) if one else None
    for size in range(min(len(word) - 2, _MAX_TEN_CHARS), 3, -1):
        if word[:size] in _TENS:
            rest = word[size:].strip("-")
            return _TENS[word[:size]] + _VALUES[rest] if _VALUES.get(rest, 10) < 10 else None
    return None


def _same(one: float, other: float) -> bool:
    return one == other or any(
        one == other * size or other == one * size for size in (1e3, 1e6, 1e9)
    )
