"""Compares our WordPiece with the `tokenizers` library on as many made texts as are asked for.

`python -m tests.evaluator.wordpiece_texts --count 1000000` prints how many differed; it exits 1 where one did.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import Any

from tokenizers import Tokenizer

from fairwitness.evaluator.readers.encoder import PACKAGED
from fairwitness.evaluator.readers.wordpiece import WordPiece

CONTENT = (PACKAGED / "tokenizer.json").read_bytes()
LIBRARY: Any = Tokenizer.from_str(CONTENT.decode("utf-8"))
LIBRARY.no_truncation()
LIBRARY.no_padding()
OURS = WordPiece(CONTENT)

# First and last code point of what a text may be made of, and how often: plain letters are most of it.
BLOCKS = (
    (60, 0x20, 0x7E),
    (8, 0x00, 0x20),
    (8, 0x80, 0x24F),
    (6, 0x300, 0x36F),
    (4, 0x370, 0x58F),
    (4, 0x590, 0x8FF),
    (4, 0x900, 0x109F),
    (4, 0x1100, 0x11FF),
    (3, 0x1AB0, 0x1DFF),
    (4, 0x1E00, 0x1FFF),
    (6, 0x2000, 0x2BFF),
    (6, 0x3000, 0x9FFF),
    (4, 0xAC00, 0xD7A3),
    (4, 0xE000, 0xFFFF),
    (2, 0x10000, 0x1CFFF),
    (3, 0x1D000, 0x1E9FF),
    (4, 0x1F000, 0x1FAFF),
    (3, 0x20000, 0x2FA1F),
    (1, 0x30000, 0x10FFFF),
)
WEIGHTS = [block[0] for block in BLOCKS]
# Marks that are sorted among their neighbours, with some that are dropped around them.
MARKS = "\u0316\u0345\u0334\u08d4\u08ca\u1b44\u1dfb\u302e\U0001d165\U0001d16d\U0001e000\u034f\u200d"
SPECIAL = ("[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]", "[cls]", "[", "]", "[[SEP]]", "[CL", "S]")
VOCABULARY: list[str] = sorted(LIBRARY.get_vocab())


def made_texts(count: int, seed: int = 0) -> Iterator[str]:
    """Yield texts of words, word pieces, special tokens and characters of every block, joined in many ways."""
    draw = random.Random(seed)
    for _ in range(count):
        parts = (_part(draw) for _ in range(draw.choice((1, 2, 3, 5, 8, 20))))
        yield draw.choice((" ", " ", "", ", ", "\n", "\t")).join(parts)


def _part(draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.45:
        word = draw.choice(VOCABULARY)
        return draw.choice((word, word, word.upper(), word.title(), word.lstrip("#")))
    if kind < 0.6:
        return "".join(draw.choice(VOCABULARY).lstrip("#") for _ in range(draw.randrange(1, 5)))
    if kind < 0.65:
        return draw.choice(SPECIAL)
    if kind < 0.7:
        return "".join(draw.choice(MARKS + "ae中") for _ in range(draw.randrange(1, 9)))
    if kind < 0.71:
        return draw.choice("ab가é\u0301#") * draw.choice((99, 100, 101, 150))
    chosen = draw.choices(BLOCKS, WEIGHTS, k=draw.randrange(1, 12))
    return "".join(_character(draw, first, last) for _, first, last in chosen)


def _character(draw: random.Random, first: int, last: int) -> str:
    code = draw.randint(first, last)
    return "?" if 0xD800 <= code <= 0xDFFF else chr(code)


def library(text: str) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the ids and offsets that the library gives a text."""
    found = LIBRARY.encode(text, add_special_tokens=False)
    return found.ids, found.offsets


def main() -> int:
    """Compare, and time both on the same texts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    differ, tokens, ours_s, library_s = 0, 0, 0.0, 0.0
    for text in made_texts(options.count, options.seed):
        started = perf_counter()
        ours = OURS.encode(text)
        between = perf_counter()
        theirs = library(text)
        library_s += perf_counter() - between
        ours_s += between - started
        tokens += len(ours[0])
        if ours != theirs:
            differ += 1
            print(f"differs: {text!r}")
    print(f"{options.count} texts, {tokens} tokens: {differ} differ")
    print(f"ours {ours_s:.1f} s, library {library_s:.1f} s")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
