"""The code of a response by block: its language family, its text without strings and comments, its Python tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fairwitness.evaluator.criteria.coherence import python_syntax
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_BLOCKS = 8
_MAX_CHARS = 20_000
_FAMILIES = {
    "py": "python python3 py ipython",
    "brace": "js javascript ts typescript jsx tsx node mjs java c cpp c++ cs csharp c# go golang rust rs php kotlin kt swift scala dart",
    "css": "css scss sass less html",
    "sql": "sql postgresql postgres pgsql mysql sqlite tsql plpgsql",
    "sh": "bash sh shell zsh",
}
_FAMILY_OF = {language: family for family, names in _FAMILIES.items() for language in names.split()}
# What is not closed runs on to the end, so that no character is read twice.
_QUOTES = r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_SLASHES = r"/\*(?s:.*?)(?:\*/|\z)"
_HIDDEN = {
    "py": Pattern(
        rf"(?P<string>'''(?s:.*?)(?:'''|\z)|\"\"\"(?s:.*?)(?:\"\"\"|\z)|{_QUOTES})|(?P<comment>#[^\n]*)"
    ),
    "brace": Pattern(rf"(?P<string>{_QUOTES})|(?P<comment>//[^\n]*|{_SLASHES})"),
    "css": Pattern(rf"(?P<string>{_QUOTES})|(?P<comment>{_SLASHES}|<!--(?s:.*?)(?:-->|\z))"),
    "sql": Pattern(rf"(?P<string>{_QUOTES}|`[^`\n]*`)|(?P<comment>--[^\n]*|{_SLASHES})"),
    "sh": Pattern(rf"(?P<string>{_QUOTES})|(?P<comment>(?:^|[ \t\n;])#[^\n]*)"),
}
_DEFINES = Pattern(r"\b(?:def|function|class|fn|func)\b|=>|\blambda\b|\bcreate\b|\{")
_OPENINGS = (
    ("py", Pattern(r"^(?:def |import |from \w+ import |class \w+[:(]|\w+ = \[)")),
    ("brace", Pattern(r"^(?:function |const |let |var |export |async function )")),
    ("sql", Pattern(r"^(?i:select|with|insert into|update|delete from|create) ")),
    ("sh", Pattern(r"^(?:#!|set -)")),
)


@dataclass(frozen=True)
class Code:
    """One block of code."""

    family: str
    region: Region
    value: str

    @cached_property
    def bare(self) -> str:
        """The code with blanks in place of strings and comments."""
        return self._blanked()

    @cached_property
    def utf8(self) -> bytes:
        """The bare code as RE2 searches it."""
        return self.bare.encode()

    @cached_property
    def comments(self) -> list[Region]:
        """Where the comments are; in Python also strings that stand for themselves."""
        found = [
            Region(*match.span("comment"))
            for match in Text(self.value).matches(_HIDDEN[self.family])
            if match["comment"]
        ]
        return found + self._docstrings()

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree of Python code that parses."""
        return python_syntax.parsed(self.value) if self.family == "py" else None

    @cached_property
    def defines(self) -> bool:
        """Whether the block makes something, and is no mere call of it."""
        return _DEFINES.search(self.utf8)

    def _blanked(self) -> str:
        kept: list[str] = []
        at = 0
        for match in Text(self.value).matches(_HIDDEN[self.family]):
            kept += (self.value[at : match.start], " ")
            at = match.end
        return "".join([*kept, self.value[at:]])

    def _docstrings(self) -> list[Region]:
        return [
            Region(*match.span("string"))
            for match in Text(self.value).matches(_HIDDEN[self.family])
            if match["string"].startswith(('"""', "'''"))
        ]


def codes(text: Text, likely: str = "") -> Iterator[Code]:
    """Yield the blocks in a known language; `likely` is the family of those that name none."""
    for block in text.code_blocks[:_MAX_BLOCKS]:
        family = _FAMILY_OF.get(block.language, "" if block.language else likely)
        size = block.body.end - block.body.start
        if family and block.closed and 0 < size <= _MAX_CHARS:
            yield Code(family, block.region, text.slice(block.body))
    if not text.code_blocks and len(text) <= _MAX_CHARS:
        body = text.value.strip()
        for family, opening in _OPENINGS:
            if opening.search(body.encode()):
                yield Code(family, Region(0, len(text)), text.value)
                return


def likely_family(prompt: str) -> str:
    """Return the family of the one language that a prompt names."""
    words = set(prompt.lower().replace(",", " ").replace(".", " ").replace("?", " ").split())
    named = {_FAMILY_OF[word] for word in words if word in _FAMILY_OF and len(word) > 1}
    return named.pop() if len(named) == 1 else ""
