"""Turns text into the encoder's tokens: BERT's uncased WordPiece, read from the packaged tokenizer.json.

It gives the token ids and code-point offsets of the `tokenizers` library, which the model was trained with, and needs
only the standard library and msgspec. Its cost is linear in the text.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import msgspec

# Chunks of text between spaces repeat: the pieces of this many are kept, unless a chunk is longer than this.
KEPT_CHUNKS = 32_768
KEPT_CHUNK_CHARS = 40


class UnknownTokenizer(ValueError):
    """The file describes a tokenizer that is not BERT's uncased WordPiece."""


# One token: its id, and its code points [start, end) in the text it was cut from.
Piece = tuple[int, int, int]


class WordPiece:
    """A vocabulary and the cutting of text by it; safe to share between threads."""

    def __init__(self, tokenizer_json: bytes) -> None:
        content = _checked(tokenizer_json)
        model = content["model"]
        self._first: dict[str, int] = {}
        self._later: dict[str, int] = {}
        prefix = model["continuing_subword_prefix"]
        for token, number in model["vocab"].items():
            self._first[token] = number
            if token.startswith(prefix):
                self._later[token[len(prefix) :]] = number
        self._unknown: int = self._first[model["unk_token"]]
        self._longest_token = max(map(len, self._first))
        self._longest_word: int = model["max_input_chars_per_word"]
        self._special: dict[str, int] = {
            token["content"]: token["id"] for token in content["added_tokens"]
        }
        self._kept = lru_cache(maxsize=KEPT_CHUNKS)(self._pieces)

    def encode(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the token ids of a text, and for each the code points [start, end) it came from."""
        ids: list[int] = []
        offsets: list[tuple[int, int]] = []
        at = 0
        for chunk in text.replace("\n", " ").split(" "):
            if chunk:
                cut = self._kept if len(chunk) <= KEPT_CHUNK_CHARS else self._pieces
                for number, start, end in cut(chunk):
                    ids.append(number)
                    offsets.append((at + start, at + end))
            at += len(chunk) + 1
        return ids, offsets

    def _pieces(self, chunk: str) -> list[Piece]:
        if chunk.isascii() and chunk.isalnum():
            return list(_placed(self._cut(chunk.lower()), range(len(chunk))))
        found: list[Piece] = []
        for start, part in self._around_special(chunk):
            if part in self._special:
                found.append((self._special[part], start, start + len(part)))
                continue
            text, origins = _normalized(part, start)
            at = 0
            for word in text.split(" "):
                found += _placed(self._cut(word), origins[at : at + len(word)])
                at += len(word) + 1
        return found

    def _around_special(self, chunk: str) -> Iterator[tuple[int, str]]:
        """Yield the special tokens written out in a chunk, and what stands between them."""
        start, at = 0, chunk.find("[")
        while at >= 0:
            token = next((name for name in self._special if chunk.startswith(name, at)), "")
            if token:
                if at > start:
                    yield start, chunk[start:at]
                yield at, token
                start = at + len(token)
            at = chunk.find("[", at + (len(token) or 1))
        if start < len(chunk):
            yield start, chunk[start:]

    def _cut(self, word: str) -> list[tuple[int, int]]:
        """Return the ids and lengths of the longest tokens a word is made of, from left to right."""
        whole = self._first.get(word)
        if whole is not None:
            return [(whole, len(word))]
        if not word:
            return []
        unknown = [(self._unknown, len(word))]
        if len(word) > self._longest_word:
            return unknown
        found, at, known = [], 0, self._first
        while at < len(word):
            for end in range(min(len(word), at + self._longest_token), at, -1):
                number = known.get(word[at:end])
                if number is not None:
                    break
            else:
                return unknown
            found.append((number, end - at))
            at, known = end, self._later
        return found


def _placed(tokens: list[tuple[int, int]], origins: Sequence[int]) -> Iterator[Piece]:
    """Yield the tokens of one word with the places its letters came from."""
    at = 0
    for number, length in tokens:
        yield number, origins[at], origins[at + length - 1] + 1
        at += length


def _checked(tokenizer_json: bytes) -> dict[str, Any]:
    """Return the file's content where it is the one kind of tokenizer that this module is."""
    content: dict[str, Any] = msgspec.json.decode(tokenizer_json)
    normalizer, cutter, model = (
        content.get(part) or {} for part in ("normalizer", "pre_tokenizer", "model")
    )
    expected = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    }
    plain = all(
        token["content"].startswith("[") and not (token["normalized"] or token["single_word"])
        for token in content["added_tokens"]
    )
    kinds = (cutter.get("type"), model.get("type"))
    if normalizer != expected or kinds != ("BertPreTokenizer", "WordPiece") or not plain:
        raise UnknownTokenizer("tokenizer.json does not describe BERT's uncased WordPiece")
    return content


def _normalized(part: str, start: int) -> tuple[str, list[int]]:
    """Return a text in plain lower-case letters, spaces around punctuation, and where each character came from, counted from start."""
    if not part.isascii() and any(map(_has_sorted_mark, part)):
        return _with_sorted_marks(part, start)
    forms = [_form(char) for char in part]
    origins = [at for at, form in enumerate(forms, start) for _ in form]
    return "".join(forms), origins


@lru_cache(maxsize=8192)
def _form(char: str) -> str:
    """Return what one character becomes: nothing, a space, letters without accents, or a sign between spaces."""
    if char in _SPACE:
        return " "
    if char in _DROPPED:
        return ""
    letters = "".join(map(_shown, unicodedata.normalize("NFD", char)))
    return f" {letters} " if char in _IDEOGRAPHS else letters


@lru_cache(maxsize=8192)
def _shown(char: str) -> str:
    if char in _DROPPED:
        return ""
    lower = char.lower()
    return f" {lower} " if char in _PUNCTUATION else lower


@lru_cache(maxsize=8192)
def _has_sorted_mark(char: str) -> bool:
    return any(part in _SORTED_MARKS for part in unicodedata.normalize("NFD", char))


def _with_sorted_marks(part: str, start: int) -> tuple[str, list[int]]:
    """Do as `_normalized` does where marks that are kept change places with their neighbours.

    The library sorts each run of marks by their combining class, but not the places they came from; a control
    character is dropped before, a mark after.
    """
    found: list[tuple[int, str, bool]] = []
    places = []
    for at, char in enumerate(part, start):
        if char in _DROPPED and unicodedata.category(char)[0] != "M":
            continue
        places.append(at)
        padded = f" {char} " if char in _IDEOGRAPHS else char
        for number, each in enumerate(unicodedata.normalize("NFD", padded)):
            sorts = each in _DROPPED or each in _SORTED_MARKS
            found.append((unicodedata.combining(each) if sorts else 0, each, number == 0))
    text, origins, taken = [], [], -1
    for is_mark, run in groupby(found, key=lambda item: item[0] > 0):
        for _, char, is_first in sorted(run, key=lambda item: item[0]) if is_mark else run:
            taken += is_first
            shown = " " if char in _SPACE else _shown(char)
            text.append(shown)
            origins.extend([places[taken]] * len(shown))
    return "".join(text), origins


class _Codes:
    """A set of code points, written as hexadecimal ranges."""

    def __init__(self, ranges: str) -> None:
        self._bounds: list[int] = []
        for item in ranges.split():
            first, _, last = item.partition("-")
            self._bounds += int(first, 16), int(last or first, 16) + 1

    def __contains__(self, char: str) -> bool:
        return bisect_right(self._bounds, ord(char)) % 2 == 1


# How the library sorts characters: by Unicode 8 and, for marks that are kept, 9. Python's own tables are newer, and
# differ from one Python to the next.
_SPACE = _Codes("""
9-a d 20 a0 1680 2000-200a 2028-2029 202f 205f 3000
""")
_SORTED_MARKS = _Codes("""
8d4-8e1 1b44 1baa 1bf2-1bf3 1dfb 302e-302f a953 a9c0 111c0 11235 1134d 11442 11446 116b6 11c3f
1d165-1d166 1d16d-1d172 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e944-1e94a
""")
_IDEOGRAPHS = _Codes(
    "3400-4dbf 4e00-9fff f900-faff 20000-2a6df 2a700-2b81f 2b920-2ceaf 2f800-2fa1f"
)
_DROPPED = _Codes("""
0-8 b-c e-1f 7f-9f ad 300-36f 483-487 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 600-605 610-61a 61c
64b-65f 670 6d6-6dd 6df-6e4 6e7-6e8 6ea-6ed 70f 711 730-74a 7a6-7b0 7eb-7f3 816-819 81b-823
825-827 829-82d 859-85b 8e3-902 93a 93c 941-948 94d 951-957 962-963 981 9bc 9c1-9c4 9cd 9e2-9e3
a01-a02 a3c a41-a42 a47-a48 a4b-a4d a51 a70-a71 a75 a81-a82 abc ac1-ac5 ac7-ac8 acd ae2-ae3 b01
b3c b3f b41-b44 b4d b56 b62-b63 b82 bc0 bcd c00 c3e-c40 c46-c48 c4a-c4d c55-c56 c62-c63 c81 cbc
cbf cc6 ccc-ccd ce2-ce3 d01 d41-d44 d4d d62-d63 dca dd2-dd4 dd6 e31 e34-e3a e47-e4e eb1 eb4-eb9
ebb-ebc ec8-ecd f18-f19 f35 f37 f39 f71-f7e f80-f84 f86-f87 f8d-f97 f99-fbc fc6 102d-1030
1032-1037 1039-103a 103d-103e 1058-1059 105e-1060 1071-1074 1082 1085-1086 108d 109d 135d-135f
1712-1714 1732-1734 1752-1753 1772-1773 17b4-17b5 17b7-17bd 17c6 17c9-17d3 17dd 180b-180e 18a9
1920-1922 1927-1928 1932 1939-193b 1a17-1a18 1a1b 1a56 1a58-1a5e 1a60 1a62 1a65-1a6c 1a73-1a7c
1a7f 1ab0-1abd 1b00-1b03 1b34 1b36-1b3a 1b3c 1b42 1b6b-1b73 1b80-1b81 1ba2-1ba5 1ba8-1ba9
1bab-1bad 1be6 1be8-1be9 1bed 1bef-1bf1 1c2c-1c33 1c36-1c37 1cd0-1cd2 1cd4-1ce0 1ce2-1ce8 1ced
1cf4 1cf8-1cf9 1dc0-1df5 1dfc-1dff 200b-200f 202a-202e 2060-2064 2066-206f 20d0-20dc 20e1
20e5-20f0 2cef-2cf1 2d7f 2de0-2dff 302a-302d 3099-309a a66f a674-a67d a69e-a69f a6f0-a6f1 a802
a806 a80b a825-a826 a8c4 a8e0-a8f1 a926-a92d a947-a951 a980-a982 a9b3 a9b6-a9b9 a9bc a9e5
aa29-aa2e aa31-aa32 aa35-aa36 aa43 aa4c aa7c aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aaec-aaed
aaf6 abe5 abe8 abed d800-f8ff fb1e fe00-fe0f fe20-fe2f feff fff9-fffb fffd 101fd 102e0
10376-1037a 10a01-10a03 10a05-10a06 10a0c-10a0f 10a38-10a3a 10a3f 10ae5-10ae6 11001 11038-11046
1107f-11081 110b3-110b6 110b9-110ba 110bd 11100-11102 11127-1112b 1112d-11134 11173 11180-11181
111b6-111be 111ca-111cc 1122f-11231 11234 11236-11237 112df 112e3-112ea 11300-11301 1133c 11340
11366-1136c 11370-11374 114b3-114b8 114ba 114bf-114c0 114c2-114c3 115b2-115b5 115bc-115bd
115bf-115c0 115dc-115dd 11633-1163a 1163d 1163f-11640 116ab 116ad 116b0-116b5 116b7 1171d-1171f
11722-11725 11727-1172b 16af0-16af4 16b30-16b36 16f8f-16f92 1bc9d-1bc9e 1bca0-1bca3 1d167-1d169
1d173-1d182 1d185-1d18b 1d1aa-1d1ad 1d242-1d244 1da00-1da36 1da3b-1da6c 1da75 1da84 1da9b-1da9f
1daa1-1daaf 1e8d0-1e8d6 e0001 e0020-e007f e0100-e01ef f0000-ffffd 100000-10fffd
""")
_PUNCTUATION = _Codes("""
21-2f 3a-40 5b-60 7b-7e a1 a7 ab b6-b7 bb bf 37e 387 55a-55f 589-58a 5be 5c0 5c3 5c6 5f3-5f4
609-60a 60c-60d 61b 61e-61f 66a-66d 6d4 700-70d 7f7-7f9 830-83e 85e 964-965 970 af0 df4 e4f
e5a-e5b f04-f12 f14 f3a-f3d f85 fd0-fd4 fd9-fda 104a-104f 10fb 1360-1368 1400 166d-166e
169b-169c 16eb-16ed 1735-1736 17d4-17d6 17d8-17da 1800-180a 1944-1945 1a1e-1a1f 1aa0-1aa6
1aa8-1aad 1b5a-1b60 1bfc-1bff 1c3b-1c3f 1c7e-1c7f 1cc0-1cc7 1cd3 2010-2027 2030-2043 2045-2051
2053-205e 207d-207e 208d-208e 2308-230b 2329-232a 2768-2775 27c5-27c6 27e6-27ef 2983-2998
29d8-29db 29fc-29fd 2cf9-2cfc 2cfe-2cff 2d70 2e00-2e2e 2e30-2e42 3001-3003 3008-3011 3014-301f
3030 303d 30a0 30fb a4fe-a4ff a60d-a60f a673 a67e a6f2-a6f7 a874-a877 a8ce-a8cf a8f8-a8fa a8fc
a92e-a92f a95f a9c1-a9cd a9de-a9df aa5c-aa5f aade-aadf aaf0-aaf1 abeb fd3e-fd3f fe10-fe19
fe30-fe52 fe54-fe61 fe63 fe68 fe6a-fe6b ff01-ff03 ff05-ff0a ff0c-ff0f ff1a-ff1b ff1f-ff20
ff3b-ff3d ff3f ff5b ff5d ff5f-ff65 10100-10102 1039f 103d0 1056f 10857 1091f 1093f 10a50-10a58
10a7f 10af0-10af6 10b39-10b3f 10b99-10b9c 11047-1104d 110bb-110bc 110be-110c1 11140-11143
11174-11175 111c5-111c9 111cd 111db 111dd-111df 11238-1123d 112a9 114c6 115c1-115d7 11641-11643
1173c-1173e 12470-12474 16a6e-16a6f 16af5 16b37-16b3b 16b44 1bc9f 1da87-1da8b
""")
