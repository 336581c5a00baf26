"""Finds street addresses in the formats of several languages; one not tied to a person is low."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.privacy.identifier_kinds import ADDRESS, Identifier
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_WORD = r"[\p{Lu}][\pL'’.-]{0,24}"
_ENGLISH = (
    r"Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Close|"
    r"Crescent|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Trail|Alley|Row|Gardens|Grove|Hill|Mews|Str"
)
_BEFORE_NAME = (
    r"Rua|Via|Viale|Vicolo|Piazza|Piazzetta|Corso|Calle|Avenida|Av\.|Rue|rue|Avenue|Boulevard|Chemin|Quai|quai|Allée|Paseo|"
    r"Carrera|Ulica|ul\.|Rúa|Camiño|Travessa|Largo|Plaza|Praça|Trg|trg|Strada|Impasse"
)
_ENDING = (
    r"(?:stra(?:ß|ss)e|str\.|straat|weg|laan|plein|plaats|gade|vej|vägen|gatan|gata|gaten|veien|vegen|katu|tie|kuja|"
    r"polku|gasse|platz|allee|alléen|steenweg|dreef|hove|stræti|straeti|braut|ulica|kade|gracht|singel)"
)
# Endings that only streets have, in lower case too.
_SURE_ENDING = (
    r"(?:stra(?:ß|ss)e|straat|steenweg|gatan|vägen|gasse|kuja|polku|katu|veien|gaten|stræti)"
)
_UNIT = r"(?:Apt|Apartment|Suite|Ste|Unit|Flat)\b\.?\s*#?\s?\d{1,5}"
_AFTER = (
    r"(?i:\b(?:(?:my|his|her|their|your|home|new|billing|mailing|shipping) address(?:es)?(?: is|:| with| to)|address:|address is|"
    r"addresses?, here they are:|lives? (?:at|on)|resid(?:es|ing) at|meet me at))[ \t]+"
)


class Form(NamedTuple):
    """An address format: a cheap pattern to search for, and the full pattern around it."""

    anchor: Pattern
    whole: Pattern


_UNIT_ANCHOR = Pattern(r"\b(?:apt|apartment|suite|ste|unit|flat)\b\.?\s*#?\s?\d", ignore_case=True)
FORMS = (
    Form(
        Pattern(rf"\b(?:{_ENGLISH})\b"),
        Pattern(rf"\b\d{{1,6}}[A-Za-z]?,? (?:{_WORD} ){{1,4}}(?:{_ENGLISH})\b\.?(?:,?\s+{_UNIT})?"),
    ),
    Form(
        Pattern(rf"\b(?:{_BEFORE_NAME})\s"),
        Pattern(
            rf"(?:\b\d{{1,6}} )?\b(?:{_BEFORE_NAME}) (?:[\pL'’-]+ ){{1,6}}\d{{1,5}}\b(?:,?\s+{_UNIT})?|"
            rf"\b\d{{1,5}},?\s+(?:bis\s+)?(?:{_BEFORE_NAME}|place)\s+(?:(?:de|du|des|la|le|les|d'|l')\s*){{0,3}}"
            r"[\p{Lu}][\pL'’-]+(?:[ -][\p{Lu}][\pL'’-]+){0,3}"
        ),
    ),
    Form(
        Pattern(rf"{_ENDING} \d"),
        Pattern(
            rf"(?:\b\d{{1,6}} )?(?:{_WORD} ){{0,3}}\b[\p{{Lu}}][\pL-]*{_ENDING} \d{{1,5}}[a-z]?\b(?:,?\s+{_UNIT})?"
        ),
    ),
    Form(
        Pattern(rf"{_SURE_ENDING} \d", ignore_case=True),
        Pattern(rf"(?:\b\d{{1,6}} )?\b[\pL-]{{3,24}}{_SURE_ENDING} \d{{1,5}}[a-z]?\b"),
    ),
    Form(
        Pattern(r" (?:u\.|út|útja|utca|tér|krt\.) \d"),
        Pattern(
            rf"(?:\b\d{{1,6}} )?(?:{_WORD} ){{1,3}}(?:fejedelem )?(?:u\.|út|útja|utca|tér|krt\.) \d{{1,4}}\b\.?"
        ),
    ),
    Form(
        _UNIT_ANCHOR,
        Pattern(
            rf"\b(?:\d{{1,6}} )?[\pL][\pL '’-]{{2,48}} \d{{1,5}}\.?,?[\s>?]+{_UNIT}|"
            rf"\b{_UNIT}\s+\d{{1,6}}\s+[\pL][\pL '’.-]{{2,48}}\d{{0,5}}",
            ignore_case=True,
        ),
    ),
    Form(
        Pattern(r"\b(?:apo|fpo|dpo|psc|cmr|box)\s+[a\d]", ignore_case=True),
        Pattern(
            r"\b(?:PSC|CMR|Unit)\s+\d{3,5},?\s+Box\s+\d{3,5}(?:\s+(?:APO|FPO|DPO)\s+A[AEP]\s+\d{5})?|"
            r"\b(?:US[A-Z]{2,3} \pL+\s+)?(?:APO|FPO|DPO)\s+A[AEP]\s+\d{5}",
            ignore_case=True,
        ),
    ),
    Form(
        Pattern(r"\pL\pL[\s,]+\d{5}\b"),
        Pattern(
            rf"\b(?P<place>\d{{1,6}} (?:\d{{1,6}} )?(?:{_WORD} ){{0,4}}{_WORD}(?: \d{{1,5}})?)(?:,? ?[\n,] ?(?:{_WORD}[\s,]+){{1,4}}"
            r"(?:[A-Z]{2,3}|nan|\p{Lu}\p{Ll}{3,})\s+\d{5}(?:-\d{4})?)\b"
        ),
    ),
    Form(
        Pattern(_AFTER),
        Pattern(
            rf"{_AFTER}(?P<place>(?:\d{{1,6}} )?(?:{_WORD} ){{1,5}}\d{{1,4}}\b|\d{{1,6}} (?:{_WORD} ?){{1,4}})"
        ),
    ),
)
_PERSON = Pattern(
    r"\pL['’]s (?:home )?address|\b(?:lives?|living|lived|resid\w+|home address|(?:my|his|her|their|billing|mailing|shipping|new|home) address(?:es)?|moved|"
    r"apt|apartment|flat|name:|dear|mr|mrs|ms|meet me|address:)\b",
    ignore_case=True,
)  # fmt: skip
_SAMPLE = Pattern(
    r"^(?:123|1234|12345|456|789|321|111|555|100|742|4567|5678|1111|101|12|10|221B?|1600|42)\b|"
    r"\b(?:Any|Anywhere|Fake|Example|Sesame|Evergreen|Baker|Downing|Pennsylvania|Wall|Fictional|Imaginary|"
    r"Muster\pL*|Beispiel\pL*|Supreme|People's|District|Appeals?|Circuit|Tiananmen|Times|Sample|Privet|Your|Street Name|Placeholder|Demo|Testing|Mock|Dummy|First|Broadway|Madison|Hollywood|"
    r"Brigade|Renegade|Auntie|Katie|Cutie|Hottie|Bowtie|Necktie|Sweetie|Christie|Bertie|Lottie|Scottie)\b"
)
# Names common in invented addresses and in real ones: samples with a sample number, or without a person or ZIP.
# "Maple Grove Road" is not "Maple Road".
_COMMON_NAME = Pattern(
    r"\b(?:Main|Elm|Oak|Maple|Pine|Cedar|Park|Sunset|Cherry|Willow|Birch|High)"
    rf"(?: (?:{_ENGLISH})\b\.?)?(?: (?:North|South|East|West))?(?:,?\s+{_UNIT})?$"
)
_SAMPLE_NUMBER = Pattern(
    r"^(?:(?:1428|\d{1,3}|\d0{2,4}|1?2345?6?|2345|3456|6789|9876|4321|\d{5,6})[A-Za-z]?)\b"
)
_STATE_ZIP = Pattern(r"^\.?,? [\p{Lu}][\pL .'’-]{1,30},? [A-Z]{2} \d{5}(?:-\d{4})?\b")
_SAMPLE_ZIP = Pattern(r"(?:12345|54321|00000|11111|99999|67890)\b")
# Addresses span lines, and quoted lines too.
_GAP = r"[\s,>?]+"
_NAME = r"(?:\p{Lu}[\pL.'’()-]{0,24}|de|da|do|la|le|du|des|of|upon|am|an|der|and|the|nan)"
_NUMBER_BEFORE = Pattern(
    r"(?:^|[\s>?])(?P<number>(?:\d|[1-9]\d|0\d+|[3-9]\d{2,3}|\d{3}|\d{5,6}) )$"
)
_UNIT_AFTER = Pattern(rf"^\.?{_GAP}{_UNIT}")
_TOWN_AFTER = Pattern(
    rf"^\.?(?:{_GAP}{_UNIT})?(?:(?:{_GAP}{_NAME}){{1,7}}{_GAP}(?:\d{{5,6}}(?:-\d{{4}})?|[3-9]\d{{3}}|"
    r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d)\b|,?\s+\d{4,5} \p{Lu}[\pL-]{2,24})"
)
_YEAR_FIRST = Pattern(r"^(?:1[789]|20)\d\d\b")
_YEAR_LAST = Pattern(r"\b(?:1[6789]|20)\d\d$")
_STREET_FIRST = Pattern(rf"^(?:\d{{1,6}} )?(?:{_BEFORE_NAME}) ")
_MAX_CANDIDATES = 16


def find(text: Text) -> Iterator[Identifier]:
    """Find street addresses; medium where a home or a person is named with them, else low."""
    for form in FORMS:
        done = 0
        for anchor in text.matches(form.anchor, limit=_MAX_CANDIDATES):
            # Windows do not overlap, so the cost stays linear.
            low, high = max(done, anchor.start - 110), min(len(text.value), anchor.end + 110)
            window = Text(text.value[low:high])
            for match in window.matches(form.whole):
                named = "(?P<place>" in form.whole.source
                start, end = match.span("place") if named else (match.start, match.end)
                core = low + start, low + end
                done = core[1]
                if not _is_sample(text, *core):
                    severity = _severity(text, *core)
                    yield Identifier(*_full_address(text, *core), ADDRESS, severity, core)


def _full_address(text: Text, start: int, end: int) -> tuple[int, int]:
    """Return the street with the number before it, and the unit, town and postcode after it."""
    before = Text(text.value[max(0, start - 8) : start]).search(_NUMBER_BEFORE)
    if before is not None:
        start -= len(before["number"])
    window = Text(text.value[end : end + 110])
    after = window.search(_TOWN_AFTER) or window.search(_UNIT_AFTER)
    return start, end + (after.end if after is not None else 0)


def _is_sample(text: Text, start: int, end: int) -> bool:
    """Tell whether this is an invented or famous place, a year before a name ("1989 Moon Square"), or code."""
    place = text.value[start:end].encode()
    if _is_year(text, start, end) and not _UNIT_ANCHOR.search(place):
        return True
    if _COMMON_NAME.search(place) and not _is_home(text, start, end):
        return True
    return _SAMPLE.search(place) or "[" in text.value[end : end + 3] or text.in_code(start)


def _is_year(text: Text, start: int, end: int) -> bool:
    """Tell "1989 Moon Square" and "Kade 1950" from a street whose own number happens to look like a year."""
    place = text.value[start:end].encode()
    if _YEAR_FIRST.search(place):
        return not _NUMBER_BEFORE.search(text.value[max(0, start - 8) : start].encode())
    return _YEAR_LAST.search(place) and not _STREET_FIRST.search(place)


def _is_home(text: Text, start: int, end: int) -> bool:
    """Tell "He lives at 2207 Oak Street, Dayton, OH 45402" from a sample: a home, its ZIP, and no sample's number."""
    place, after = text.value[start:end].encode(), text.value[end : end + 60].encode()
    if _SAMPLE_NUMBER.search(place) or _SAMPLE_ZIP.search(after):
        return False
    return _severity(text, start, end) == ADDRESS.severity and _STATE_ZIP.search(after)


def _severity(text: Text, start: int, end: int) -> Severity:
    around = text.value[max(0, start - 60) : end]
    return ADDRESS.severity if _PERSON.search(around.encode()) else "low"
