"""How a setting's text is read: each reader returns a value or says what the text must be."""

from __future__ import annotations

import csv
import io
import ipaddress
import re
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from fairwitness.settings.databases import Database, engine_of

Reader = Callable[[str], Any]


def whole(low: int, high: int) -> Reader:
    """Return a reader of whole numbers within bounds."""

    def reader(text: str) -> int:
        try:
            value = int(_plain(text))
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return value

    return reader


def seconds(low: float, high: float) -> Reader:
    """Return a reader of a time in seconds within bounds."""

    def reader(text: str) -> float:
        try:
            value = float(_plain(text))
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ValueError(f"must be a number of seconds from {low:g} to {high:g}")
        return value

    return reader


def usd(text: str) -> Decimal:
    """Read an amount of US dollars, exact to the micro-dollar."""
    try:
        value = Decimal(_plain(text))
    except (InvalidOperation, ValueError):
        value = Decimal(-1)
    if not (value.is_finite() and 0 <= value <= 1_000_000):
        raise ValueError("must be an amount of US dollars from 0 to 1000000, such as 5.00")
    if value != value.quantize(Decimal("0.000001")):
        raise ValueError("must have at most six decimals (micro-dollars)")
    return value


def _plain(text: str) -> str:
    # Python also reads 80_80 and the digits of other scripts; a slip of the hand is likelier.
    if "_" in text or not text.isascii():
        raise ValueError
    return text


def switch(text: str) -> bool:
    """Read true or false."""
    known = {"true": True, "1": True, "yes": True, "on": True}
    known |= {"false": False, "0": False, "no": False, "off": False}
    if text.strip().lower() not in known:
        raise ValueError("must be true or false")
    return known[text.strip().lower()]


def words(text: str) -> str:
    """Read any text that is not blank."""
    if not text.strip():
        raise ValueError("must not be empty")
    return text


def key(shortest: int) -> Reader:
    """Return a reader of secrets that are too long to be guessed."""

    def reader(text: str) -> str:
        if len(text.strip()) < shortest:
            raise ValueError(f"must have at least {shortest} characters")
        return text

    return reader


def path(text: str) -> Path:
    """Read a path; ~ is the user's home, and a relative one is meant from here, now."""
    return Path(words(text)).expanduser().absolute()


def base_path(text: str) -> str:
    """Read a sub-path; / means none."""
    found = text.strip().rstrip("/")
    if found and not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+", found):
        raise ValueError("must be a path such as /fairwitness, of letters, digits, - . _ and ~")
    return found


def proxy(text: str) -> str:
    """Read the address of a proxy."""
    parts = urlsplit(text.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/"):
        raise ValueError("must be an address such as http://proxy.example:3128")
    return text.strip()


def web_address(text: str) -> str:
    """Read the address of another service; a path may be part of it."""
    parts = urlsplit(text.strip())
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.username:
        raise ValueError(
            "must be an address such as http://127.0.0.1:4318, without a user or query"
        )
    return text.strip().rstrip("/")


def headers(text: str) -> tuple[tuple[str, str], ...]:
    """Read headers as OpenTelemetry writes them: name=value, comma-separated, values percent-encoded."""
    found = []
    for part in names(text):
        name, _, value = part.partition("=")
        name, value = name.strip(), unquote(value.strip())
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", name) or not re.fullmatch(r"[ -~]+", value):
            raise ValueError("must be headers such as x-api-key=SECRET, comma-separated")
        found.append((name, value))
    return tuple(found)


def names(text: str) -> tuple[str, ...]:
    """Read a comma-separated list; a name with a comma in it stands in double quotes."""
    found = next(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True), [])
    return tuple(part.strip() for part in found if part.strip())


def in_one(listed: Iterable[str]) -> str:
    """Write a list as one text that `names` reads back."""
    text = io.StringIO()
    csv.writer(text, lineterminator="", quoting=csv.QUOTE_ALL).writerow(listed)
    return text.getvalue()


def files(text: str) -> tuple[str, ...]:
    """Read a list of files; a relative one is meant from here, now. A plain word may be a name instead."""
    found = (Path(part).expanduser() for part in names(text))
    return tuple(
        str(file.absolute()) if file.suffix or file.is_file() else str(file) for file in found
    )


def networks(text: str) -> tuple[str, ...]:
    """Read a list of addresses or networks."""
    for part in names(text):
        try:
            ipaddress.ip_network(part, strict=False)
        except ValueError:
            raise ValueError(f"{part!r} is not an address or network, such as 10.0.0.0/8") from None
    return names(text)


def origins(text: str) -> tuple[str, ...]:
    """Read a list of web origins."""
    for part in names(text):
        scheme, _, rest = part.partition("://")
        if scheme not in {"http", "https"} or not rest or "/" in rest or "*" in rest:
            raise ValueError(f"{part!r} is not an origin, such as https://example.org")
    return names(text)


def store_url(text: str) -> str:
    """Read a database address."""
    engine = engine_of(text)
    file = Database(engine, text).file
    # A relative file would be another one for every folder a command is started in.
    if file is not None and not file.is_absolute():
        raise ValueError(f"the path must be absolute: {engine.example}")
    return text


# The readers a TOML list may be given to.
LISTS = (networks, origins, files)
