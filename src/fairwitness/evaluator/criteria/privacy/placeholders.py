"""Recognises example values: reserved names and ranges, published test numbers, obvious fillers."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from itertools import pairwise

from fairwitness.evaluator.patterns import Pattern

# RFC 2606, and names that writers use in the same way.
_EXAMPLE_DOMAIN = Pattern(
    r"(?:.*\.)?(?:example|test|invalid|localhost|local|internal|your[\w-]*|my[\w-]*|some[\w-]*|"
    r"(?:example|domain|email|e-mail|mail|company|companyname|business|website|site|abc|xyz|xyzcompany|"
    r"abccompany|acme\w*|sample\w*|test\w*|placeholder|fake\w*|foo|bar|demo|school|university|organization|org|"
    r"provider|server|host|corp|contoso|fabrikam|emailprovider|mailprovider|[\w-]*domain|[\w-]*example)"
    r"\.[a-z.]{2,10})|(?:.*\.)?example\.[a-z.]{2,10}",
    ignore_case=True,
)
_EXAMPLE_USER = Pattern(
    r"(?:.*[._+-])?(?:example|test|your\w*|my|user\w*|name|username|first|last|firstname|lastname|first\.?last|someone|"
    r"somebody|nobody|anyone|john|jane|joe|jon)?(?:[._-]?(?:doe|name|user|email|address|mail|smith|here))+\d*|"
    r"(?:your|my)[\w.-]*|user\d*|test[\w.-]*|example[\w.-]*|name|x+|a+|abc\d*|xyz\d*|foo|bar|me|you|someone|"
    r"alice|bob|\[.*|jane|john|first\.last|firstname\.lastname|username\d*|recipient\w*|receiver\w*|sender\w*|email|student\w*",
    ignore_case=True,
)
# Public mail providers.
PROVIDER = Pattern(
    r"(?:gmail|googlemail|outlook|hotmail|live|yahoo|ymail|icloud|me|aol|proton|protonmail|gmx|web|mail|yandex|qq)\.[a-z.]+",
    ignore_case=True,
)
# "bob.smith": a name that real people have, unlike "john.doe".
_FULL_NAME = Pattern(
    r"(?:\pL{2,20}[._-]|john|jane|joe|jon|mary|[a-z][._-]?)(?:[a-z][._-])?smith[._-]?\d{0,4}",
    ignore_case=True,
)
# Addresses of an office, not of a person.
_ROLE = Pattern(
    r"(?:info|information|support|help|helpdesk|contact|contactus|sales|admin|administrator|hello|hi|press|media|"
    r"office|hr|jobs|careers?|recruit\w*|noreply|no-reply|donotreply|webmaster|postmaster|hostmaster|billing|accounts?|"
    r"privacy|security|abuse|legal|dpo|feedback|enquir\w+|inquir\w+|customer\.?-?(?:service|care|support)\w*|service|services|"
    r"team|editor|editors|newsletter|marketing|orders?|shop|store|booking|bookings|reservations?|events?|membership|"
    r"members|admissions?|registrar|library|research|donate|donations|volunteer|general|mail|pr|partners?|community|"
    r"compliance|complaints|returns|rsvp|invest\w*|news|tips|letters|permissions?|tickets?|training|education|report\w*|cybertip|hotels?|founders|\w+media|\w+info|\w+support|webadmin|secretar\w+|\w*feedback|\w*phish\w*|\w*spoof\w*|\w*spam|scams?|\w*fraud\w*)(?:[._-]\w+)?",
    ignore_case=True,
)
TEST_CARDS = frozenset(
    "4242424242424242 4111111111111111 4012888888881881 4222222222222 4000056655665556 5555555555554444 "
    "2223003122003222 5200828282828210 5105105105105100 378282246310005 371449635398431 378734493671000 "
    "6011111111111117 6011000990139424 6011981111111113 3056930009020004 30569309025904 36227206271667 "
    "38520000023237 3566002020360505 3530111333300000 6200000000000005 4000000000000002 4000000000009995 "
    "4000000000000069 4000000000000127 4000002500003155 5610591081018250 4917610000000000 4484070000000000 "
    "4539578763621486 4716108999716531 4532015112830366 4556737586899855 4012001037141112 5454545454545454 "
    "4444333322221111 4007000000027 5019717010103742 6331101999990016 4988080000000000 4026000000000002 "
    "5500000000000004 340000000000009 6011000000000004 4000000000000000 5431111111111111".split()
)
PUBLISHED_IBANS = frozenset(
    "GB82WEST12345698765432 GB29NWBK60161331926819 GB33BUKB20201555555555 DE89370400440532013000 "
    "FR1420041010050500013M02606 FR7630006000011234567890189 NL91ABNA0417164300 BE68539007547034 "
    "ES9121000418450200051332 IT60X0542811101000000123456 CH9300762011623852957 AT611904300234573201 "
    "PT50000201231234567890154 SE4550000000058398257466 NO9386011117947 DK5000400440116243 "
    "FI2112345600000785 IE29AIBK93115212345678 PL61109010140000071219812874 GR1601101250000000012300695 "
    "DE91100000000123456789 GB94BARC10201530093459 LU280019400644750000 CZ6508000000192000145399".split()
)
SAMPLE_NUMBERS = frozenset(
    "123456789 987654321 078051120 219099999 457555462 000000000 111111111 123121234 123456782 999999999 "
    "12345678909 11144477735 2950585420030 99999999999 12345678901 123456789012 111222333 046454286".split()
)
_FILLER = Pattern(
    r"x{3,}|X{3,}|\*{3,}|\.{3,}|…|(?i:example|sample|your|placeholder|changeme|dummy|fake|test|redacted|insert|"
    r"replace|secret|password|passwd|token|apikey|api_key|foobar|demo|lorem|0123456789|1234567|abcdef|qwerty|"
    r"abc123|aaaaa|00000|11111|todo|here|user|admin|my[_-])|[<>{}\[\]]|\$\("
)
# Public resolvers and common example addresses.
_KNOWN_ADDRESSES = frozenset(
    "8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 149.112.112.112 208.67.222.222 208.67.220.220 4.4.4.4 "
    "4.2.2.2 4.2.2.1 1.2.3.4 5.6.7.8 2.2.2.2 3.3.3.3 5.5.5.5 11.22.33.44 12.34.56.78 93.184.216.34".split()
)


def example_email(user: str, domain: str) -> bool:
    """Tell whether an address is only an example.

    A common name at an unknown company is a sample; at a public mail provider it is somebody's address.
    """
    if _EXAMPLE_DOMAIN.fullmatch(domain):
        return True
    if PROVIDER.fullmatch(domain) and _FULL_NAME.fullmatch(user):
        return False
    return _EXAMPLE_USER.fullmatch(user)


def role_email(user: str) -> bool:
    """Tell whether an address belongs to an office and not to a person."""
    return _ROLE.fullmatch(user)


def sample_digits(digits: str) -> bool:
    """Tell whether digits are a sample: published, repeated, or counting up or down."""
    if digits in SAMPLE_NUMBERS or len(set(digits)) <= 2:
        return True
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(digits)}
    return steps <= {1} or steps <= {9}


def sample_phone(digits: str) -> bool:
    """Tell whether a phone number is fictional: 555 exchanges, Ofcom's drama ranges, counting or repeated digits."""
    national = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    if len(national) == 10 and (
        "555" in {national[:3], national[3:6]} or national[:3] in {"000", "111", "999"}
    ):
        return True
    if len(national) == 7 and national.startswith("555"):
        return True
    if (
        "1234567" in digits
        or "7654321" in digits
        or "0000000" in digits
        or digits.endswith("4567890")
    ):
        return True
    drama = (
        "07700900",
        "447700900",
        "02079460",
        "442079460",
        "01632960",
        "441632960",
        "1800555",
        "491570006",
        "61491570",
    )
    return digits.startswith(drama) or sample_digits(digits)


def filler(secret: str) -> bool:
    """Tell whether a secret is only a filler: a filler word, or too few different characters."""
    return _FILLER.search(secret.encode()) or len(set(secret)) < min(8, len(secret) - 1)


def reserved_address(address: IPv4Address | IPv6Address) -> bool:
    """Tell whether an IP address is private, well known or reserved for documentation."""
    return not address.is_global or address.is_multicast or str(address) in _KNOWN_ADDRESSES
