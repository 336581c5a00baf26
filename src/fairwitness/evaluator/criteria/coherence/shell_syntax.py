"""Checks that quotes, substitutions and the blocks of a shell script close; one pass, nothing is run.

A transcript with prompts and output is not a script, and is not judged.
"""

from __future__ import annotations

from fairwitness.evaluator.criteria.coherence.bracket_balance import ELISION, Fault
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

LANGUAGES = frozenset({"bash", "sh", "shell", "zsh"})
_PROMPT = Pattern(r"^\s*(?:\$|>|[\w.@-]+[:~][^\n]{0,60}[$#]) \S", multiline=True)
# What may open or close something; a mark after a backslash does neither.
_EVENT = Pattern(
    r"\\.|<<<|<<-?\s*[\"']?[A-Za-z_]\w*[\"']?|\$[({]|[\"'#()}\n]|\b(?:if|fi|case|esac|do|done)\b"
)
_CLOSED_BY = {"if": "fi", "case": "esac", "do": "done", "(": ")", "$(": ")", "${": "}", '"': '"'}
_ENDS = {"fi": "if", "esac": "case", "done": "do"}
_BLOCKS = frozenset({"if", "case", "do"})
# After these a command begins, so that a word there may open or close a block.
_BEFORE_COMMAND = ("\n", ";", "&", "|", "(", ")", "{", "!")
_WORDS_BEFORE_COMMAND = frozenset({"then", "do", "else", "elif", "if", "while", "until", "time"})
_MAX_OPEN = 200
_MAX_EVENTS = 4_000  # a longer script is not judged
_LOOK_BACK_CHARS = 60


def fault(source: str) -> Fault | None:
    """Return the first quote or block that does not close, or None where all do or it cannot be told."""
    if _PROMPT.search(source.encode()) or ELISION.search(source.encode()):
        return None
    return _Scan(source).fault()


class _Scan:
    """One pass over a script; `open` is the stack of what waits to be closed."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.open: list[tuple[str, int]] = []
        self.heredocs: list[str] = []

    @property
    def _top(self) -> str:
        return self.open[-1][0] if self.open else ""

    def fault(self) -> Fault | None:
        """Return the first fault of the script."""
        done = 0
        events = Text(self.source).matches(_EVENT, limit=_MAX_EVENTS)
        if len(events) == _MAX_EVENTS:
            return None
        for match in events:
            if match.start < done or match.text[0] == "\\":
                continue
            step = self._step(match.text, match.start)
            if isinstance(step, Fault):
                return step
            done = step
            if len(self.open) > _MAX_OPEN:
                return None
        return self._left_open() if self.open else None

    def _left_open(self) -> Fault | None:
        mark, at = self.open[-1]
        if mark in _BLOCKS and "\n" not in self.source.strip():
            return None  # a line of a longer script
        if mark == "if" and "then" not in self.source:
            return None  # another language under this name
        return Fault(f"“{mark}” in line {self._line(at)} is never closed", at)

    def _step(self, mark: str, at: int) -> int | Fault:
        """Take one mark; return where to go on."""
        end = at + len(mark)
        if mark in {"$(", "${"}:
            self.open.append((mark, at))
        elif mark == '"':
            if self._top == '"':
                self.open.pop()
            else:
                self.open.append((mark, at))
        elif self._top == '"':
            pass
        elif mark == "'":
            return self._single_quoted(at)
        elif mark == "#":
            return self._comment(at)
        elif mark == "\n":
            return self._after_heredocs(at)
        elif mark.startswith("<<") and mark != "<<<":
            self.heredocs.append(mark.lstrip("<-").strip(" \t\"'"))
        elif mark in {"(", ")", "}"}:
            return self._bracket(mark, at)
        elif mark[0].isalpha() and self._is_command(at):
            return self._block(mark, at)
        return end

    def _bracket(self, mark: str, at: int) -> int | Fault:
        if mark == "(":
            self.open.append((mark, at))
        elif self._top and _CLOSED_BY[self._top] == mark:
            self.open.pop()
        elif mark == ")" and self._top == "${":
            where = self.open[-1][1]
            return Fault(f"“${{” in line {self._line(where)} is not closed before “)”", at)
        return at + 1  # the pattern of a case ends in a bracket of its own

    def _block(self, word: str, at: int) -> int | Fault:
        if word in _BLOCKS:
            self.open.append((word, at))
        elif self._top == _ENDS[word]:
            self.open.pop()
        elif self._top:
            mark, where = self.open[-1]
            message = f"“{mark}” in line {self._line(where)} is not closed before “{word}”"
            return Fault(f"{message} in line {self._line(at)}", at)
        return at + len(word)

    def _is_command(self, at: int) -> bool:
        before = self.source[max(0, at - _LOOK_BACK_CHARS) : at].rstrip(" \t")
        if not before or before.endswith(_BEFORE_COMMAND):
            return True
        return before.split()[-1] in _WORDS_BEFORE_COMMAND

    def _single_quoted(self, at: int) -> int | Fault:
        end = self.source.find("'", at + 1)
        if end >= 0:
            return end + 1
        if self.source[at - 1 : at].isalpha():
            return at + 1  # output of a command, or words
        return Fault(f"the quote (') in line {self._line(at)} is never closed", at)

    def _comment(self, at: int) -> int:
        if self._top == "${" or self.source[at - 1 : at] not in {"", " ", "\t", "\n", ";"}:
            return at + 1
        end = self.source.find("\n", at)
        return end if end >= 0 else len(self.source)

    def _after_heredocs(self, at: int) -> int:
        """Skip the bodies of here-documents that the line before announced."""
        here = at
        for name in self.heredocs:
            end = self.source.find(f"\n{name}\n", here)
            if end < 0:
                end = self.source.find(f"\n\t{name}\n", here)
            if end < 0:
                return len(self.source)
            here = end + len(name) + 1
        self.heredocs.clear()
        return here if here > at else at + 1

    def _line(self, at: int) -> int:
        return self.source.count("\n", 0, at) + 1
