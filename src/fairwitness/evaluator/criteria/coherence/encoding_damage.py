"""Finds encoding damage: text decoded with the wrong character encoding, and characters that were lost.

Each claim of wrong decoding is proved by undoing it: encoded back, the characters are valid UTF-8.
"""

from __future__ import annotations

from unicodedata import combining

from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding, counted
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_ABOUT_ENCODING = Pattern(
    r"\b(?:encod\w+|decod\w+|mojibake|utf-?8|unicode|charset|ascii|latin-?1|garbled|windows-1252|cp1252|"
    r"replacement characters?)\b",
    ignore_case=True,
)
# A lead letter of a wrongly decoded multi-byte character, then the signs its other bytes become.
_MISREAD = Pattern(
    "[ÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙàáâãäåæçèéêëìíîïðñòóôŠšŽžŸ€™]"
    "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
    "[\u0080-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*"
)
_MAX_MATCHES = 100  # enough to judge the rest
_REPLACEMENT_CHAR = "\ufffd"


def find(exchange: Exchange) -> list[Finding]:
    """Return encoding damage the prompt did not bring and does not talk about."""
    response = exchange.response
    if response.value.isascii() or exchange.prompt.search(_ABOUT_ENCODING) is not None:
        return []
    return [*_lost(exchange), *_misread(response, exchange.prompt.value)]


def _lost(exchange: Exchange) -> list[Finding]:
    value = exchange.response.value
    count = value.count(_REPLACEMENT_CHAR)
    if not count or _REPLACEMENT_CHAR in exchange.prompt.value:
        return []
    first = value.index(_REPLACEMENT_CHAR)
    end = first
    while end < len(value) and value[end] == _REPLACEMENT_CHAR:
        end += 1
    return [
        Finding(
            severity="high" if count >= 10 else "medium" if count >= 3 else "low",
            message=f"{counted(count, 'character')} lost in decoding, shown as “{_REPLACEMENT_CHAR}”.",
            detector="coherence.damage.lost",
            spans=(Span(first, end),),
            suggestion="Restore the lost characters.",
        )
    ]


def _misread(text: Text, prompt: str) -> list[Finding]:
    proved = [
        match
        for match in text.matches(_MISREAD, limit=_MAX_MATCHES)
        if (was := undo(match.text)) is not None
        and _is_certain(match.text, was, text.value[match.start - 1 : match.start])
        and match.text not in prompt
        and not text.in_code(match.start)
    ]
    if not proved:
        return []
    first = proved[0]
    return [
        Finding(
            severity="high" if len(proved) >= 5 else "medium",
            message=f"{counted(len(proved), 'place')} decoded with the wrong character encoding: "
            f"“{first.text}” should be “{undo(first.text)}”.",
            detector="coherence.damage.misread",
            spans=tuple(Span(match.start, match.end) for match in proved[:3]),
            suggestion="Decode the text as UTF-8.",
        )
    ]


def undo(run: str) -> str | None:
    """Return what a run was before it was decoded as Windows-1252 or Latin-1, None where it was not."""
    try:
        return bytes(_BYTES[char] for char in run).decode()
    except (KeyError, UnicodeDecodeError):
        return None


def _is_certain(run: str, was: str, before: str) -> bool:
    # An accented letter before a quotation mark, dash or dots can be valid UTF-8 by chance; two
    # characters in a row cannot, nor the lead bytes that real text never shows before a sign.
    if len(was) > 1 or len(run) >= 3:
        return True
    if combining(was):
        return before.isalpha()  # an accent written after its letter
    if run[1] in "‘’“”–—…•":
        return run[0] == "â" or (run[0] == "Ã" and before.islower())
    return run[0] in "ÂÃ"


def _byte_table() -> dict[str, int]:
    table = {chr(byte): byte for byte in range(0x80, 0x100)}
    for byte in range(0x80, 0xA0):
        try:
            table[bytes([byte]).decode("cp1252")] = byte
        except UnicodeDecodeError:
            continue
    return table


_BYTES = _byte_table()
