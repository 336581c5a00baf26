"""Checks of the document: the sections it has, the hosts it links to, and the language it is in."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from fairwitness.evaluator.checks.check import (
    Check,
    Fault,
    Phrases,
    beginning,
    brief,
    named,
    spans_of,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.language import are_similar, is_english, prose, sure_language
from fairwitness.evaluator.patterns import Pattern

_Host = Annotated[str, Meta(min_length=1, max_length=253)]
_Code = Annotated[str, Meta(min_length=2, max_length=3)]
# A Markdown heading, a line in bold, or a line that ends in a colon.
_HEADING = Pattern(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]+(?P<a>[^\n]{1,200})|\*\*(?P<b>[^*\n]{1,200})\*\*:?|__(?P<c>[^_\n]{1,200})__:?|"
    r"(?P<d>[^\n:]{1,100}):)[ \t\r]*$",
    multiline=True,
)
# Browsers take one slash, many, or backslashes after the scheme; without a scheme two are needed.
_ADDRESS = Pattern(
    r"\b(?:https?|ftp|wss?):[/\\]*(?P<a>[^\s/\\<>\"'`?#][^\s/\\<>\"'`?#]*)|[/\\]{2}(?P<b>[^\s/\\<>\"'`?#]+\.[^\s/\\<>\"'`?#]+)|"
    r"\b(?P<c>www\.[^\s/\\<>\"'`?#]+)",
    ignore_case=True,
)
# What the language identifier can tell.
_LANGUAGES = frozenset(
    "af am an ar as az be bg bn br bs ca cs cy da de dz el en eo es et eu fa fi fo fr ga gl gu he hi hr ht hu hy "
    "id is it ja jv ka kk km kn ko ku ky la lb lo lt lv mg mk ml mn mr ms mt nb ne nl nn no oc or pa pl ps pt qu "
    "ro ru rw se si sk sl sq sr sv sw ta te th tl tr ug uk ur vi vo wa xh zh zu".split()
)


class Sections(Check, frozen=True, kw_only=True, tag="sections"):
    """It has a section of each of these titles; `ordered` where they follow each other so."""

    values: Phrases
    ordered: bool = False

    def fault(self, exchange: Exchange) -> Fault | None:
        """Name the sections that are missing, or that stand too early."""
        text = exchange.response
        at: dict[str, int] = {}
        for match in text.matches(_HEADING):
            if not text.in_code(match.start):
                title = match["a"] or match["b"] or match["c"] or match["d"]
                at.setdefault(_bare(title), match.start)
        missing = [value for value in self.values if _bare(value) not in at]
        if missing:
            return Fault(f"missing: {named(missing)}")
        places = [at[_bare(value)] for value in self.values]
        if self.ordered and places != sorted(places):
            return Fault(
                "not in this order", spans_of(_line(text.value, place) for place in sorted(places))
            )
        return None


class Links(Check, frozen=True, kw_only=True, tag="links"):
    """It links to these hosts and what is below them, and to no other; to none where the list is empty."""

    hosts: Annotated[list[_Host], Meta(max_length=500)]

    def __post_init__(self) -> None:
        """Refuse what is not a host name."""
        for host in self.hosts:
            if not host.isascii() or any(char.isspace() or char in "/\\:@?#*()[]" for char in host):
                raise ValueError(f"{host!r} is not a host name; write it like example.com")

    def fault(self, exchange: Exchange) -> Fault | None:
        """Quote the addresses that lead elsewhere."""
        text = exchange.response
        allowed = tuple(host.lower().strip(".") for host in self.hosts)
        wrong: list[tuple[int, int]] = []
        for match in text.matches(_ADDRESS):
            if match["b"] and text.in_code(match.start):
                continue  # a comment
            host = _host(
                match["a"] or match["b"] or match["c"], text.value[match.start - 1 : match.start]
            )
            if not any(host == one or host.endswith(f".{one}") for one in allowed):
                wrong.append((match.start, match.end))
        return Fault(spans=spans_of(wrong)) if wrong else None


class Language(Check, frozen=True, kw_only=True, tag="language"):
    """It is in one of these languages; only a text that is surely in another has the fault."""

    values: Annotated[list[_Code], Meta(min_length=1, max_length=100)]

    def __post_init__(self) -> None:
        """Refuse a language that cannot be told."""
        for code in self.values:
            if code not in _LANGUAGES:
                raise ValueError(
                    f"unknown language {code!r}; write ISO 639-1 codes such as en, de, zh"
                )

    def fault(self, exchange: Exchange) -> Fault | None:
        """Say which language it is in."""
        text = exchange.response
        found = "en" if is_english(text.value) else sure_language(prose(text))
        if found is None or any(are_similar(found, code) for code in self.values):
            return None
        return Fault(f"it is in {found}", beginning(text))


CHECKS: tuple[type[Check], ...] = (Sections, Links, Language)


def _bare(title: str) -> str:
    return " ".join(title.strip("#*_: \t\r").casefold().split())


def _line(value: str, start: int) -> tuple[int, int]:
    end = value.find("\n", start)
    span = brief(start, len(value) if end < 0 else end)
    return span.start, span.end


def _host(authority: str, before: str) -> str:
    """Return the host of an address's authority, in lower case, without user, port or what a sentence adds.

    Only a bracket that was opened right before the address ends it: browsers take most signs as part of a host.
    """
    close = {"(": ")", "[": "]"}.get(before)
    if close is not None:
        authority = authority.partition(close)[0]
    host = authority.rpartition("@")[2]
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.rstrip(").,;:!*_~|]}").partition(":")[0].rstrip(".").lower()
