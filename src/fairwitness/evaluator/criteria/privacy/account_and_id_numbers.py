"""Finds bank accounts, payment cards and national numbers by check digit, and by context where that is weak."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

from fairwitness.evaluator.criteria.privacy import placeholders
from fairwitness.evaluator.criteria.privacy.identifier_kinds import (
    CARD,
    DOCUMENT,
    IBAN,
    NATIONAL,
    Identifier,
)
from fairwitness.evaluator.patterns import Match, Pattern, PatternSet
from fairwitness.evaluator.text import Text

_MAX_CANDIDATES = 20

IBAN_SHAPE = Pattern(
    r"\b[A-Z]{2}\d{2}[ -]?(?:[A-Z0-9]{4}[ -]?){2,7}[A-Z0-9]{1,4}\b|\b[a-z]{2}\d{2}[a-z0-9]{11,30}\b"
)
CARD_SHAPE = Pattern(
    r"\b(?:\d{12,19}|\d{4}(?:[ -]\d{4}){2}[ -]\d{1,7}|\d{4}[ -]\d{6}[ -]\d{4,5})\b"
)
_CARD_WORD = Pattern(
    r"\b(?:card|credit|debit|visa|mastercard|master card|amex|american express|cc|discover|maestro|cvv)\b|💳",
    ignore_case=True,
)
_OTHER_NUMBER = Pattern(
    r"\b(?:order|tracking|isbn|issn|doi|ean|upc|gtin|barcode|invoice|serial|imei|model|part|sku|ticket|reference|"
    r"timestamp|unix|epoch|hash|id|digits|prime|factorial|fibonacci|population|distance)\b",
    ignore_case=True,
)  # fmt: skip
# Distinctive formats: no word nearby is needed.
SELF_EVIDENT = (
    ("us.ssn", Pattern(r"\b\d{3}[- ]\d{2}[- ]\d{4}\b")),
    ("it.codicefiscale", Pattern(r"\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b", ignore_case=True)),
    ("mx.curp", Pattern(r"\b[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d\b", ignore_case=True)),
    ("cn.ric", Pattern(r"\b[1-9]\d{5}(?:19|20)\d{2}[01]\d[0-3]\d{4}[\dXx]\b")),
    ("ch.ssn", Pattern(r"\b756\.\d{4}\.\d{4}\.\d{2}\b")),
    ("fi.hetu", Pattern(r"\b\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]\b")),
    ("br.cpf", Pattern(r"\b\d{3}\.\d{3}\.\d{3}-\d{2}\b")),
    ("es.dni", Pattern(r"\b\d{8}-?[A-HJ-NP-TV-Z]\b")),
    ("es.nie", Pattern(r"\b[XYZ]-?\d{7}-?[A-HJ-NP-TV-Z]\b")),
    ("cl.rut", Pattern(r"\b\d{1,2}\.\d{3}\.\d{3}-[\dkK]\b")),
    ("kr.rrn", Pattern(r"\b\d{6}-[1-8]\d{6}\b")),
)  # fmt: skip
# Where the check digit alone is weak, a word for the number must come shortly before it.
NAMED = (
    ("us.ssn", r"ssn|social security"),
    ("gb.nino", r"nino|national insurance|ni number"),
    ("gb.nhs", r"nhs"),
    ("fr.nir", r"nir|s[ée]curit[ée] sociale|insee|carte vitale"),
    ("de.idnr", r"steuer-?id\w*|steueridentifikationsnummer|idnr|german tax id\w*"),
    ("nl.bsn", r"bsn|burgerservicenummer|citizen service number"),
    ("br.cpf", r"cpf"),
    ("in_.aadhaar", r"aadhaar|aadhar|uidai"),
    ("in_.pan", r"pan (?:card|number|no)|permanent account number"),
    ("be.nn", r"rijksregisternummer|num[ée]ro national|national register number|belgian national number"),
    ("pl.pesel", r"pesel"),
    ("se.personnummer", r"personnummer|swedish personal (?:identity )?number"),
    ("no.fodselsnummer", r"f[øo]dselsnummer|norwegian (?:national )?identity number"),
    ("dk.cpr", r"cpr"),
    ("ca.sin", r"sin (?:number|no)|social insurance number|my sin|sin is"),
    ("au.tfn", r"tfn|tax file number"),
    ("za.idnr", r"south african id\w*|sa id"),
    ("tr.tckimlik", r"t\.?c\.? kimlik\w*|tckn"),
    ("pt.cc", r"cart[ãa]o de cidad[ãa]o"),
    ("at.vnr", r"sozialversicherungsnummer|svnr"),
    ("cz.rc", r"rodn[ée] [čc][íi]slo"),
    ("ro.cnp", r"cnp"),
    ("bg.egn", r"egn|егн"),
    ("hr.oib", r"oib"),
    ("ie.pps", r"pps|ppsn"),
    ("my.nric", r"nric|mykad"),
    ("th.pin", r"thai (?:national )?id\w*"),
    ("gr.amka", r"amka"),
    ("ee.ik", r"isikukood"),
    ("lt.asmens", r"asmens kodas"),
    ("il.idnr", r"teudat zehut|israeli id\w*"),
    ("pk.cnic", r"cnic"),
    ("id.nik", r"nik|ktp"),
)  # fmt: skip
NAMES = Pattern(r"\b(?:" + "|".join(words for _, words in NAMED) + r")\b", ignore_case=True)
_BY_NAME = {Pattern(rf"^(?:{words})$", ignore_case=True): module for module, words in NAMED}
_WHICH = PatternSet(list(_BY_NAME))
_NAMED_VALUE = Pattern(
    r"(?:\b[A-Z]{2} )?[A-Za-z]{0,5}\d[\dA-Za-z]*(?:[ ./-][\dA-Za-z]*\d[\dA-Za-z]*){0,7}(?:[ -]?[A-Z]\b)?"
)
DOCUMENTS = Pattern(
    r"\b(?:passport|driver'?s?[’']?s?,? licen[cs]e|driving licen[cs]e|national id|identity card|id card)"
    r"(?: (?:number|no\.?|num|#|id))?(?:\s*(?:is|was|:|=|#)\s*){1,2}"
    r"(?P<value>[A-Z]{0,3}[ -]?\d[\d -]{4,16}\d[A-Z]{0,2})\b",
    ignore_case=True,
)  # fmt: skip
# Letters and digits mixed, "L8R3K1P7Q": only after "number is" or similar, never in lower case.
MIXED_DOCUMENTS = Pattern(
    r"\b(?i:passport|driver['’]?s?['’]? licen[cs]e|driving licen[cs]e|id card) (?i:number|no\.?)(?i:\s*(?:is|was|:)\s*){1,2}"
    r"(?P<value>[A-Z\d]{8,10})\b"
)
_UNITS = ("suite ", "apt. ", "apt ", "unit ")
_NINO = Pattern(r"[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z]\d{6}[A-D]")


@cache
def _checker(name: str) -> ModuleType:
    return import_module(f"stdnum.{name}")


def _valid(name: str, value: str) -> bool:
    compact = "".join(char for char in value.upper() if char.isalnum())
    digits = "".join(char for char in compact if char.isdigit())
    if len(digits) > 5 and placeholders.sample_digits(digits):
        return False
    if name == "gb.nino":
        return _NINO.fullmatch(compact)
    check = _checker(name).is_valid
    return bool(check(value) or check(compact))


def ibans(text: Text) -> Iterator[Identifier]:
    """Find bank account numbers with correct check digits."""
    for match in text.matches(IBAN_SHAPE, limit=_MAX_CANDIDATES):
        found = _trimmed_iban(match)
        if found:
            yield Identifier(match.start, match.start + found, IBAN, IBAN.severity)


def _trimmed_iban(match: Match) -> int:
    """Return how much of the match is an IBAN: spaced groups may include the next word."""
    pieces = match.text.split(" ")
    for count in range(len(pieces), 0, -1):
        value = " ".join(pieces[:count])
        compact = value.replace(" ", "").replace("-", "").upper()
        if len(compact) >= 15 and _checker("iban").is_valid(compact, check_country=False):
            return 0 if compact in placeholders.PUBLISHED_IBANS else len(value)
    return 0


def cards(text: Text) -> Iterator[Identifier]:
    """Find payment cards by Luhn check, issuer range and length, and by a word nearby where those are weak."""
    for match in text.matches(CARD_SHAPE, limit=_MAX_CANDIDATES):
        digits = "".join(char for char in match.text if char.isdigit())
        if (
            digits in placeholders.TEST_CARDS
            or placeholders.sample_digits(digits)
            or "000000" in digits
        ):
            continue
        if not _touches(text, match) and _luhn(digits) and _issuer(digits):
            named = _CARD_WORD.search(
                text.value[max(0, match.start - 120) : match.end + 40].encode()
            )
            other = _OTHER_NUMBER.search(
                text.value[max(0, match.start - 50) : match.start].encode()
            )
            if named or (_usual_card(digits) and not other):
                yield Identifier(match.start, match.end, CARD, CARD.severity)


def _touches(text: Text, match: Match) -> bool:
    """Tell whether the digits are part of something longer: a decimal, a path, an identifier, an address."""
    if text.lower[max(0, match.start - 7) : match.start].endswith(_UNITS):
        return True
    before = text.value[match.start - 1 : match.start] if match.start else ""
    after = text.value[match.end : match.end + 2]
    return (
        before in {".", "/", "-", "_", "="}
        or after[:1] in {"/", "-", "_"}
        or (after[:1] == "." and after[1:].isdigit())
    )


def _luhn(digits: str) -> bool:
    total = 0
    for index, char in enumerate(reversed(digits)):
        value = int(char) * (2 if index % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _usual_card(digits: str) -> bool:
    return len(digits) == 16 or (len(digits) == 15 and digits[:2] in {"34", "37"})


def _issuer(digits: str) -> bool:
    """Tell whether length and leading digits are those of an issuing network."""
    size, head2, head4 = len(digits), int(digits[:2]), int(digits[:4])
    return (
        (digits[0] == "4" and size in {13, 16, 19})
        or (size == 16 and (51 <= head2 <= 55 or 2221 <= head4 <= 2720))
        or (size == 15 and head2 in {34, 37})
        or (size in {14, 16} and (head2 in {36, 38, 39} or 300 <= int(digits[:3]) <= 305))
        or (size in {16, 19} and (head4 == 6011 or head2 == 65 or 644 <= int(digits[:3]) <= 649))
        or (size in {15, 16} and (3528 <= head4 <= 3589 or head4 in {2131, 1800}))
        or (12 <= size <= 19 and (head2 in {50, 56, 57, 58, 62, 63, 67} or digits[0] == "6"))
        or (size == 16 and head2 in {81, 22})
    )  # fmt: skip


def shaped_numbers(text: Text) -> Iterator[Identifier]:
    """Find national numbers with a distinctive format and correct check digits."""
    for module, pattern in SELF_EVIDENT:
        for match in text.matches(pattern, limit=_MAX_CANDIDATES):
            if not _touches(text, match) and _valid(module, match.text):
                yield Identifier(match.start, match.end, NATIONAL, NATIONAL.severity)


def named_numbers(text: Text) -> Iterator[Identifier]:
    """Find national numbers that follow their name and pass their check."""
    for word in text.matches(NAMES, limit=_MAX_CANDIDATES):
        end = min(word.end + 60, len(text.value))
        stop = text.value.find("\n\n", word.end, end)
        piece = Text(text.value[word.end : stop if stop > 0 else end])
        modules = [_BY_NAME[pattern] for pattern in _WHICH.occurring(word.text.encode())]
        for match in piece.matches(_NAMED_VALUE)[:3]:
            if any(_valid(module, match.text) for module in modules):
                start = word.end + match.start
                yield Identifier(start, start + len(match.text), NATIONAL, NATIONAL.severity)
                break


def documents(text: Text) -> Iterator[Identifier]:
    """Find passport and licence numbers: they have no check digit, so only directly after their name."""
    for match in text.matches(DOCUMENTS, limit=_MAX_CANDIDATES):
        digits = "".join(char for char in match["value"] if char.isdigit())
        if (
            6 <= len(digits) <= 16
            and not placeholders.sample_digits(digits)
            and "12345" not in digits
        ):
            start, end = match.span("value")
            yield Identifier(start, end, DOCUMENT, DOCUMENT.severity)
    for match in text.matches(MIXED_DOCUMENTS, limit=_MAX_CANDIDATES):
        value = match["value"]
        digits = "".join(char for char in value if char.isdigit())
        # A word in capitals has no digits; a sample has consecutive ones.
        if 3 <= len(digits) <= len(value) - 2 and "123" not in digits and len(set(value)) > 5:
            start, end = match.span("value")
            yield Identifier(start, end, DOCUMENT, DOCUMENT.severity)
