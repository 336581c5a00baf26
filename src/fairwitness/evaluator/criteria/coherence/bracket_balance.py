"""Checks that brackets and quotes close in code of the C family, CSS and SQL; one pass, nothing is parsed.

Strings, comments, template literals and regular expressions are skipped as each language writes them. A
block may show a part of a program: what it leaves open on purpose, or closes from before, is no fault.
"""

from __future__ import annotations

from typing import NamedTuple

from fairwitness.evaluator.criteria.coherence.code_lexicons import LEXICONS, Lexicon
from fairwitness.evaluator.patterns import Pattern

_CLOSER_OF = {"(": ")", "[": "]", "{": "}", "${": "}"}
_CLOSERS = frozenset(")]}")
_MIN_LINES = 3  # in fewer, an open bracket is more likely a line quoted alone
# Three dots that stand for left-out code; "...args" and "args..." are code.
ELISION = Pattern(
    r"\.\.\.(?:[^\w\[{(.\"'`]|$)|…|[<\[](?:your|insert|add|rest of)\b|\{\{|\{%", ignore_case=True
)
_BEFORE_REGEX = frozenset({"", *"(,=:[!&|?{};+-*%<>~^\n"})
_MAX_SPACES = 200
_REGEX_WORDS = frozenset({"return", "typeof", "case", "in", "of", "delete", "void", "else", "do"})


class Fault(NamedTuple):
    """What is wrong, and where in the source."""

    message: str
    at: int


class _Open(NamedTuple):
    """A bracket or template literal that waits for its end."""

    mark: str
    at: int


LANGUAGES = frozenset(LEXICONS)


def fault(language: str, source: str) -> Fault | None:
    """Return the first bracket or quote that does not close, or None where all do or it cannot be told."""
    return _Scan(source, LEXICONS[language]).fault()


class _Scan:
    """One pass over a source; `open` is the stack of what waits to be closed."""

    def __init__(self, source: str, lexicon: Lexicon) -> None:
        self.source, self.lexicon = source, lexicon
        self.open: list[_Open] = []
        self.line_end = -1
        self.markup = "</" in source or "/>" in source
        self.begins_inside = (
            False  # a closer without its opener was excused: the start is not shown
        )
        # Where a quote or slash was found not to open anything, up to which the same need not be tried again.
        self.hopeless: dict[str, int] = {}

    def fault(self) -> Fault | None:
        """Return the first fault of the source."""
        if ELISION.search(self.source.encode()):
            return None
        marks, done = self.lexicon.marks, 0
        # Only these characters are looked at one by one: most of a program is none of them.
        for at in [at for at, char in enumerate(self.source) if char in marks]:
            if at < done:
                continue
            step = self._template_step(at) if self._in_template else self._code_step(at)
            if isinstance(step, Fault):
                return step
            done = step
        return self._left_open() if self.open else None

    @property
    def _in_template(self) -> bool:
        return bool(self.open) and self.open[-1].mark == "`"

    def _template_step(self, at: int) -> int | Fault:
        char = self.source[at]
        if char == "`":
            self.open.pop()
        elif char == "\\":
            return at + 2
        elif char == "$" and self.source.startswith("${", at):
            self.open.append(_Open("${", at))
            return at + 2
        return at + 1

    def _code_step(self, at: int) -> int | Fault:
        """Take one character or one whole comment, string or character literal."""
        source, lexicon, char = self.source, self.lexicon, self.source[at]
        if char in "([{":
            self.open.append(_Open(char, at))
        elif char in _CLOSERS:
            return self._close(at)
        elif char == "`" and lexicon.template:
            self.open.append(_Open("`", at))
        elif char in lexicon.quotes or char in lexicon.long_quotes:
            return self._string(at)
        elif char == "'" and lexicon.characters:
            return self._character(at)
        elif char == "#" and lexicon.preprocessor:
            return self._directive(at)
        elif char == "$" and lexicon.dollar_quotes:
            return self._dollar_quoted(at)
        elif source.startswith(lexicon.line_comments or "\0", at):
            return self._end_of_line(at)
        elif source.startswith("/*", at):
            end = source.find("*/", at + 2)
            return end + 2 if end >= 0 else Fault("a comment is opened and never closed", at)
        elif char == "/" and lexicon.regex and self._begins_regex(at):
            return self._regex(at)
        return at + 1

    def _close(self, at: int) -> int | Fault:
        char = self.source[at]
        if not self.open:
            if self.begins_inside:
                return at + 1
            self.begins_inside = True
            return self._surplus(at) or at + 1
        opened = self.open[-1]
        if _CLOSER_OF[opened.mark] != char:
            opener = f"“{opened.mark}” from line {self._line(opened.at)}"
            return Fault(f"“{char}” in line {self._line(at)} does not close {opener}", at)
        self.open.pop()
        return at + 1

    def _surplus(self, at: int) -> Fault | None:
        """Return the fault of a closer that nothing opened; the end of a part shown alone is none."""
        before = self.source[self.source.rfind("\n", 0, at) + 1 : at]
        first = next((line for line in self.source.split("\n") if line.strip()), "")
        begins_inside = len(first) - len(first.lstrip()) > len(before) - len(before.lstrip())
        opener = {")": "(", "]": "[", "}": "{"}[self.source[at]]
        # A line that only closes may close what stands before the part that is shown.
        alone = not before.strip(" \t)]};,")
        if begins_inside or opener not in (self.source[:at] if alone else before):
            return None
        return Fault(f"“{self.source[at]}” in line {self._line(at)} has no opening bracket", at)

    def _left_open(self) -> Fault | None:
        opened = self.open[-1]
        lines = self.source.rstrip().count("\n") + 1
        rest = self.source[opened.at + len(opened.mark) :]
        if opened.mark == "`":
            return Fault(
                f"the template literal from line {self._line(opened.at)} is never closed", opened.at
            )
        # A block that ends in an opening line shows the line to write, not the whole.
        if opened.mark == "{" and not rest.strip():
            return None
        # Two lines are a line quoted alone too, unless the second is the body of the first.
        ended = self.lexicon.statements and opened.mark == "(" and rest.rstrip().endswith(";")
        if lines < _MIN_LINES and not rest.startswith(("\n ", "\n\t")) and not ended:
            return None
        return Fault(f"“{opened.mark}” in line {self._line(opened.at)} is never closed", opened.at)

    def _string(self, at: int) -> int | Fault:
        source, quote = self.source, self.source[at]
        if self.lexicon.triple and source.startswith('"""', at):
            end = source.find('"""', at + 3)
            return end + 3 if end >= 0 else Fault("a text block is never closed", at)
        if at < self.hopeless.get(quote, 0):
            return at + 1
        if (raw := self._raw_end(at)) is not None:
            return raw
        limit = len(source) if quote in self.lexicon.long_quotes else self._end_of_line(at)
        escapes = self.lexicon.escapes and quote != "`"
        end = source.find(quote, at + 1, limit)
        while end > 0 and escapes and self._is_escaped(end):
            end = source.find(quote, end + 1, limit)
        if end >= 0:
            return end + 1
        # In the text between tags an apostrophe is one; a line may continue after a backslash.
        if self.markup or source[limit - 1 : limit] == "\\":
            self.hopeless[quote] = limit
            return at + 1
        return Fault(f"the quote ({quote}) in line {self._line(at)} is never closed", at)

    def _raw_end(self, at: int) -> int | Fault | None:
        """Return where a raw string ends, or None where the quote opens an ordinary one."""
        source, raw = self.source, self.lexicon.raw
        begin = at
        while begin > 0 and source[begin - 1] in "#$" and at - begin < 8:
            begin -= 1
        if not raw or source[begin - 1 : begin] != raw or source[at] != '"':
            return None
        if raw == "@":
            return self._doubled_end(at)
        if raw == "R":
            name = source[at + 1 : at + 18].partition("(")
            closer = f'){name[0]}"' if name[1] else ""
        else:
            closer = '"' + "#" * (at - begin)
        end = source.find(closer, at + 1) if closer else -1
        return end + len(closer) if end >= 0 else Fault("a raw string is never closed", at)

    def _doubled_end(self, at: int) -> int | Fault:
        end = self.source.find('"', at + 1)
        while end >= 0 and self.source.startswith('""', end):
            end = self.source.find('"', end + 2)
        return end + 1 if end >= 0 else Fault("a verbatim string is never closed", at)

    def _character(self, at: int) -> int:
        source = self.source
        if source[at - 1 : at].isalnum() and at:
            return at + 1  # 1'000'000, or an apostrophe in a word
        if source[at + 1 : at + 2] == "\\":
            end = source.find("'", at + 3, at + 14)
            return end + 1 if end >= 0 else at + 1
        return at + 3 if source[at + 2 : at + 3] == "'" else at + 1

    def _directive(self, at: int) -> int:
        """Skip a directive; of several branches the first is read."""
        if self._before(at) not in {"", "\n"}:
            return at + 1
        end = self._end_of_line(at)
        if self.source[at + 1 : at + 6].lstrip().startswith(("else", "elif")):
            closing = -1 if "#" in self.hopeless else self.source.find("#endif", at)
            if closing < 0:
                self.hopeless["#"] = len(self.source)
                return end
            return closing
        while self.source[end - 1 : end] == "\\" and end < len(self.source):
            self.line_end = -1
            end = self._end_of_line(end + 1)
        return end

    def _dollar_quoted(self, at: int) -> int:
        tag_end = self.source.find("$", at + 1, at + 32)
        tag = self.source[at : tag_end + 1]
        if tag_end < 0 or not (tag == "$$" or tag[1:-1].isidentifier()):
            return at + 1
        end = self.source.find(tag, tag_end + 1)
        return end + len(tag) if end >= 0 else at + 1

    def _begins_regex(self, at: int) -> bool:
        if at < self.hopeless.get("/", 0) or self.source.startswith("/>", at):
            return False
        if self._before(at) in _BEFORE_REGEX:
            return True
        word = self.source[max(0, at - 12) : at].rstrip().rpartition(" ")[2]
        return word in _REGEX_WORDS

    def _regex(self, at: int) -> int:
        limit, inside, here = self._end_of_line(at), False, at + 1
        while here < limit:
            char = self.source[here]
            if char == "\\":
                here += 1
            elif char == "[":
                inside = True
            elif char == "]":
                inside = False
            elif char == "/" and not inside:
                return here + 1
            here += 1
        self.hopeless["/"] = limit
        return at + 1  # a division after all

    def _before(self, at: int) -> str:
        """Return the last character before a position that is no space, or a line end; empty at the start."""
        return self.source[max(0, at - _MAX_SPACES) : at].rstrip(" \t")[-1:]

    def _is_escaped(self, at: int) -> bool:
        begin = at
        while begin > 0 and self.source[begin - 1] == "\\":
            begin -= 1
        return (at - begin) % 2 == 1

    def _end_of_line(self, at: int) -> int:
        if self.line_end < at:
            found = self.source.find("\n", at)
            self.line_end = len(self.source) if found < 0 else found
        return self.line_end

    def _line(self, at: int) -> int:
        return self.source.count("\n", 0, at) + 1
