"""Analyses link hosts: which site they belong to, and whether they imitate another.

It knows which letters of other alphabets look Latin; it has no list of good or bad sites.
"""

from __future__ import annotations

import unicodedata

# Letters that look like a Latin one in most typefaces.
_LOOKALIKES = frozenset("аɑαвсҫԁеёєһіїıјкӏⅼоοσөрԛѕтυսνѵԝхχуүᴢᴏᴄ")
_SECOND_LEVEL = frozenset("co com org gov ac edu net or ne go gob".split())
_ALIASES = {
    "youtu.be": "youtube.com",
    "amzn.to": "amazon.com",
    "goo.gl": "google.com",
    "fb.com": "facebook.com",
    "fb.me": "facebook.com",
    "x.com": "twitter.com",
    "t.co": "twitter.com",
    "redd.it": "reddit.com",
    "wa.me": "whatsapp.com",
    "t.me": "telegram.org",
    "dx.doi.org": "doi.org",
}


def host_of(address: str) -> str:
    """Return the host of an address with or without a scheme, in lower case, without port or userinfo."""
    rest = address.split("//", 1)[-1]
    for mark in "/?#\\":
        rest = rest.split(mark, 1)[0]
    return rest.rsplit("@", 1)[-1].split(":", 1)[0].strip(". ").lower()


def percent_decoded(value: str) -> str:
    """Return a query value with its percent escapes decoded; anything else is unchanged."""
    first, *rest = value.replace("+", " ").split("%")
    out = bytearray(first.encode())
    for piece in rest:
        code = piece[:2]
        if len(code) == 2 and all(char in "0123456789abcdefABCDEF" for char in code):
            out.append(int(code, 16))
            out += piece[2:].encode()
        else:
            out += b"%" + piece.encode()
    return out.decode(errors="replace")


def site_of(host: str) -> str:
    """Return the registered part of a host: its last two labels, or three under a country's second level."""
    labels = host.removeprefix("www.").split(".")
    wide = len(labels) >= 3 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    site = ".".join(labels[-3:] if wide else labels[-2:])
    return _ALIASES.get(site, site)


def is_disguised(host: str) -> bool:
    """Tell whether a host is spelled with letters that look Latin, so that it imitates another."""
    if "xn--" in host:
        host = ".".join(_from_punycode(label) for label in host.split("."))
    if host.isascii():
        return False
    return any(_is_disguised_label(label, host) for label in host.split("."))


def _is_disguised_label(label: str, host: str) -> bool:
    if label.isascii():
        return False
    if unicodedata.normalize("NFKC", label) != label:
        return True  # full-width, mathematical and other styled letters
    if any(char in "\u2024\u2044\u2215\u29f8\u3002\uff0e\uff0f" for char in label):
        return True  # characters that look like dots and slashes
    scripts = {_script(char) for char in label if char.isalpha()}
    if len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}) > 1:
        return True
    # A label made only of look-alikes under a Latin top-level domain imitates a Latin name.
    ending = host.rsplit(".", 1)[-1]
    letters = [char for char in label if char.isalpha()]
    return bool(letters) and ending.isascii() and all(char in _LOOKALIKES for char in letters)


def _script(char: str) -> str:
    return unicodedata.name(char, "?").split(" ")[0]


def _from_punycode(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode().decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return label
