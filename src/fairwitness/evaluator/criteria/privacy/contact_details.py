"""Finds contact details: email addresses, phone numbers and IP addresses.

An IP address identifies a connection, rarely a person, and in technical answers it is mostly an
example: it is reported only where it is public and the words around it name it, and then as low.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_address

import phonenumbers

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.privacy import placeholders
from fairwitness.evaluator.criteria.privacy.identifier_kinds import EMAIL, IP, PHONE, Identifier
from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Text

# Limits on how many matches of each kind are checked, so that a hostile text costs little.
_MAX_CANDIDATES, _MAX_ADDRESSES, _MAX_SHAPES = 30, 80, 120

_DOMAIN = Pattern(r"[\pL\d-]+(?:\.[\pL\d-]+)*\.\pL{2,24}")
# "john (dot) harper (at) gmail (dot) com": written so that machines miss it; the brackets give it away.
_DOT = r"(?:\s?[(\[{]\s?dot\s?[)\]}]\s?|\.)"
SPELLED = Pattern(
    rf"\b(?P<user>[\pL\d_-]{{1,32}}(?:{_DOT}[\pL\d_-]{{1,32}}){{0,3}})\s?[(\[{{]\s?at\s?[)\]}}]\s?"
    rf"(?P<domain>[\pL\d-]{{2,40}}(?:{_DOT}[\pL\d-]{{2,24}}){{1,3}})\b",
    ignore_case=True,
)
_SPELLED_DOT = Pattern(_DOT, ignore_case=True)
PHONE_SHAPE = Pattern(
    r"(?:\+\(?\d{1,4}\)?|\(\+?\d{1,5}\)|\b\d{2,11})(?:[ \x{a0}.\-–/]{0,2}\(?\d{1,7}\)?){1,6}"
    r"(?:\s?(?:x|ext\.?|extension)\s?\d{1,6}\b)?"
)
_NORTH_AMERICAN = Pattern(
    r"(?:(?:\+?1|001)[ .-]?)?(?:\(\d{3}\)\s?|\d{3}[ .-])\d{3}[ .-]\d{4}(?:\s?(?:x|ext\.?|extension)\s?\d{1,6})?"
)
_GROUPED = Pattern(
    r"\+?\(?\d{1,5}\)?(?:[ .\-–/]+\(?\d{1,8}\)?){1,6}|\+?\d{7,13}|\(\d{2,5}\)\s?\d{3,8}"
)
_CALLING = Pattern(
    r"\b(?:phone|telephone|tel|call|called|calling|mobile|cell|cellphone|fax|desk|dial|whatsapp|sms|text|texting|reach|"
    r"contact|answering|messages? to|registered|landline|(?:my|his|her|their|your) number|ring|number is|tel[eé]fono|t[eé]l[eé]phone|telefon\w*|handy|celular|"
    r"telefone|móvil|gsm|viber|signal|home|work|ph)\b|☎|📞|📱|电话|電話|телефон",
    ignore_case=True,
)  # fmt: skip
_CALLING_AFTER = Pattern(
    r"^[\s(,-]{0,3}(?:office|fax|mobile|cell|home|work|tel|phone)\b", ignore_case=True
)
# Numbers an organisation gives to everyone.
_PUBLIC = Pattern(
    r"\b(?:hot-?lines?|help-?lines?|lifelines?|toll[- ]free|freephone|emergency|emergencies|crisis|suicide|poison|samaritans|"
    r"customer (?:service|support|care)|support (?:line|team)|headquarters|departments?|clinics?|hospitals?|hotels?|restaurants?|"
    r"museums?|police|fire|ambulance|agency|agencies|cent(?:er|re)s?|services?|associations?|universit\w+|bank|airport|airlines?|"
    r"embassy|consulate|contact us|call us|our|national|foundation|institute|society|council|government|ministry|"
    r"library|school|college|company|inc|ltd|llc|gmbh|box office|tickets|reservations?|booking|fictional|made[- ]up|press|media|switchboard|spokes\w+|commission|"
    r"organi[sz]ations?|capitol|white house|congress\w*|by phone|office of)\b",
    ignore_case=True,
)  # fmt: skip
_TOLL_FREE = ("800", "888", "877", "866", "855", "844", "833", "822")
# "911/112/999"
_EMERGENCY = "(?:911|112|999|000|110|111|118)"
_SHORT = Pattern(rf"{_EMERGENCY}(?: ?/ ?{_EMERGENCY}){{1,3}}")
_NOT_A_PHONE = Pattern(
    r"\b(?:isbn|issn|doi|order|tracking|invoice|serial|model|part|sku|zip|postal|postcode|version|case|ticket|"
    r"card|credit|iban|account|routing|license|licence|ssn|id|reference|patent|article|section|page|pages|"
    r"coordinates|latitude|longitude|\d{4}\s?[-–]\s?)\W{0,6}(?:number|no\.?|#|:|is)?\W{0,4}$|[$€£#=]\s?$|[+*/^×÷]\s?$",
    ignore_case=True,
)  # fmt: skip
_DATE = Pattern(
    r"(?:19|20)\d{2}[-./ ]\d{1,2}[-./ ]\d{1,2}.*|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d{2}|(?:1[0-9]|20)\d{2}\s?[-–/]\s?(?:1[0-9]|20)?\d{2}"
)
# Two short groups are a range; four with dots are an IP address.
_RANGE = Pattern(
    r"\d{1,3}\s?[-–]\s?\d{1,3}|\d{4}\s?[–]\s?\d{4}|(?:\d{1,3}\.){3}\d{1,3}|\d{1,3} ?/ ?\d{1,4}|\d{4,6}[-–]\d{1,2}"
)
# Digits without grouping need a clear word close by.
_CALLING_CLOSE = Pattern(
    r"\b(?:phone|telephone|tel|mobile|cell|call|fax|desk|whatsapp|dial|ring|telefon\w*|(?:my|his|her|their|your) number)\b(?:\W{0,3}\w+){0,2}\W{0,6}$",
    ignore_case=True,
)
IP_SHAPE = Pattern(
    r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b|\b(?:[0-9a-f]{1,4}:){2,6}:[0-9a-f]{0,4}",
    ignore_case=True,
)
_IP_NAMED = Pattern(
    r"\b(?:ip|address|client_?ip|user|visitor|login|logged|connect\w*|located|track\w*)\b",
    ignore_case=True,
)


def emails(text: Text) -> Iterator[Identifier]:
    """Find email addresses around each @; an office's address is only info."""
    value, at, tried = text.value, -1, 0
    while (at := value.find("@", at + 1)) >= 0 and tried < _MAX_ADDRESSES:
        tried += 1
        start, end = _user_start(value, at), _domain_end(value, at)
        user, domain = value[start:at], value[at + 1 : end]
        if not user or not _DOMAIN.fullmatch(domain):
            continue
        if _inside_url(value, start):
            continue  # a user name and password before a host
        if placeholders.example_email(user, domain) or (
            user == "git" and value[end : end + 1] == ":"
        ):
            continue
        severity: Severity = "info" if placeholders.role_email(user) else EMAIL.severity
        yield Identifier(start, end, EMAIL, severity)


def spelled_emails(text: Text) -> Iterator[Identifier]:
    """Find addresses with "at" and "dot" written out in brackets."""
    for match in text.matches(SPELLED)[:_MAX_CANDIDATES]:
        user, domain = _dotted(match["user"]), _dotted(match["domain"])
        if _DOMAIN.fullmatch(domain) and not placeholders.example_email(user, domain):
            severity: Severity = "info" if placeholders.role_email(user) else EMAIL.severity
            yield Identifier(match.start, match.end, EMAIL, severity)


def _dotted(written: str) -> str:
    """Return part of an address with its spelled-out dots as dots."""
    for dot in reversed(Text(written).matches(_SPELLED_DOT)):
        written = f"{written[: dot.start]}.{written[dot.end :]}"
    return written


def _inside_url(value: str, start: int) -> bool:
    before = value[max(0, start - 80) : start]
    return bool(before) and not before[-1].isspace() and "://" in before.split()[-1]


def _user_start(value: str, at: int) -> int:
    start = at
    while (
        start and at - start < 64 and (value[start - 1].isalnum() or value[start - 1] in "._%+'-")
    ):
        start -= 1
    while start < at and not value[start].isalnum():
        start += 1
    return start


def _domain_end(value: str, at: int) -> int:
    end = at + 1
    while end < len(value) and end - at < 254 and (value[end].isalnum() or value[end] in ".-"):
        end += 1
    while end > at + 1 and not value[end - 1].isalpha():
        end -= 1
    return end


def phones(text: Text) -> Iterator[Identifier]:
    """Find phone numbers by international prefix, North American format, or a word such as "phone" nearby."""
    tried = 0
    for match in text.matches(PHONE_SHAPE, limit=_MAX_SHAPES):
        number = match.text.rstrip(" .-–/(")
        number = number if "(" in number else number.rstrip(")")
        # "800-275-2273 (1-800-APL-CARE)": an unclosed bracket starts another number.
        if number.rfind("(") > number.rfind(")"):
            number = number[: number.rfind("(")].rstrip(" .-–/")
        digits = "".join(filter(str.isdigit, number.partition("x")[0].partition("e")[0]))
        if not 6 <= len(digits) <= 15 or tried >= _MAX_CANDIDATES:
            continue
        tried += 1
        if _is_phone(text, match, number, digits):
            yield Identifier(match.start, match.start + len(number), PHONE, PHONE.severity)


def _is_phone(text: Text, match: Match, number: str, digits: str) -> bool:
    end = match.start + len(number)
    before, after = text.value[max(0, match.start - 70) : match.start], text.value[end : end + 60]
    if _is_other(number, digits, before, after) or _is_public(digits, before, after):
        return False
    if number.startswith("+") or digits.startswith("00"):
        return len(digits) >= 8 and _possible(number)
    near = before.rpartition("\n\n")[2][-45:] if "\n\n" in before[:-4] else before[-45:]
    word = _CALLING_CLOSE if number.isdigit() else _CALLING
    named = word.search(near.encode()) or _CALLING_AFTER.search(after.encode())
    if _NORTH_AMERICAN.fullmatch(number):
        return named or (digits[-10] not in "01" and digits[-7] not in "01")
    return named and _GROUPED.fullmatch(number)


def _is_other(number: str, digits: str, before: str, after: str) -> bool:
    """Tell whether the digits belong to something else: a longer number, a date, a range, an order, a sample."""
    inside = before[-1:].isalnum() or before[-1:] in {"_", "@", ".", "/"}
    runs_on = after[:1].isalnum() or after[:1] in {"%", "_", "@"}
    clock = before[-1:] == ":" and before[-2:-1].isdigit()
    if inside or runs_on or clock or number.count("(") > 1:
        return True
    shaped = _DATE.fullmatch(number) or _RANGE.fullmatch(number) or _SHORT.fullmatch(number)
    return shaped or placeholders.sample_phone(digits) or _NOT_A_PHONE.search(before.encode())


def _is_public(digits: str, before: str, after: str) -> bool:
    """Tell whether this is an organisation's public number, by its own line and the one before."""
    own = "\n".join(before.rsplit("\n", 2)[-2:]) + " … " + after.partition("\n")[0]
    return _toll_free(digits) or _PUBLIC.search(own.encode())


def _possible(number: str) -> bool:
    try:
        parsed = phonenumbers.parse(
            "+" + number.lstrip("+0 ") if not number.startswith("+") else number, None
        )
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_possible_number(parsed)


def _toll_free(digits: str) -> bool:
    national = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    return (len(national) == 10 and national.startswith(_TOLL_FREE)) or digits.startswith(
        ("0800", "0808", "0300", "0345", "1300", "1800")
    )


def ip_addresses(text: Text) -> Iterator[Identifier]:
    """Find public IP addresses where the words before them refer to someone's connection."""
    for match in text.matches(IP_SHAPE)[:_MAX_CANDIDATES]:
        if text.in_code(match.start):
            continue
        try:
            address = ip_address(match.text)
        except ValueError:
            continue
        around = text.value[max(0, match.start - 50) : match.start]
        if (
            around[-1:] not in {".", "-"}
            and not placeholders.reserved_address(address)
            and _IP_NAMED.search(around.encode())
        ):
            yield Identifier(match.start, match.end, IP, IP.severity)
