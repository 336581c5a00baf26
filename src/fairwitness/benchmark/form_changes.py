"""Changes of an answer's form that change nothing a reader would judge; None where there is nothing to change."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import pairwise

from fairwitness.evaluator.text import Region, Text

Variant = Callable[[str], str | None]
# A paragraph that opens so leans on the one before it, or is part of a list, a table or code.
_LEANS = tuple("-*+•|>#`0123456789(")
_LEANING_WORDS = frozenset(
    "this that these those it its he she they his her their however but and so thus hence therefore then next also "
    "finally first second third lastly another moreover furthermore additionally instead still yet for in as after such "
    "here overall both similarly meanwhile once now there sincerely dear regards best".split()
)


def _more_space(answer: str) -> str | None:
    """Two spaces after a sentence, spaces at line ends, blank lines doubled; code and data stay as they are."""
    text = Text(answer)
    if answer.lstrip()[:1] in {"{", "[", "<"} or text.code:
        return None
    lines = []
    for line in text.lines:
        said = text.slice(line)
        lines.append(said.replace(". ", ".  ") + "  " if said.strip() else "\n")
    return "\n".join(lines)


def _trailing_newline(answer: str) -> str:
    return answer + "\n"


def _around(answer: str) -> str:
    return f"\n\n{answer.strip()}\n\n"


def _windows_lines(answer: str) -> str | None:
    plain = answer.replace("\r\n", "\n")
    return plain.replace("\n", "\r\n") if "\n" in plain else None


def _decomposed(answer: str) -> str | None:
    other = unicodedata.normalize("NFD", answer)
    if other == answer:
        other = unicodedata.normalize("NFC", answer)
    return None if other == answer else other


def _other_case(answer: str) -> str | None:
    """Headings of Markdown in capitals, or in small letters where they were in capitals."""
    text = Text(answer)
    lines, changed = [], False
    for line in text.lines:
        said = text.slice(line)
        if _is_heading(said) and not text.in_code(line.start):
            other = said.lower() if said.isupper() else said.upper()
            changed = changed or other != said
            said = other
        lines.append(said)
    return "\n".join(lines) if changed else None


def _is_heading(line: str) -> bool:
    marks = len(line) - len(line.lstrip("#"))
    if 1 <= marks <= 6:
        return line[marks : marks + 1] == " "
    bold = line.strip()
    return len(bold) > 4 and bold.startswith("**") and bold.rstrip(":").endswith("**")


def _swapped(answer: str) -> str | None:
    """Two neighbouring paragraphs in the middle change places, where neither leans on the other."""
    text = Text(answer)
    parts = text.paragraphs
    if text.code or len(parts) < 4:
        return None
    for first, second in pairwise(parts[1:-1]):
        if _stands_alone(text, first) and _stands_alone(text, second):
            return (
                answer[: first.start]
                + text.slice(second)
                + answer[first.end : second.start]
                + text.slice(first)
                + answer[second.end :]
            )
    return None


def _stands_alone(text: Text, part: Region) -> bool:
    said = text.slice(part)
    opening = said.split()[0].strip(",.:;").lower()
    whole = said.rstrip()[-1:] in {".", "!", "?"}
    return (
        whole and "\n" not in said and not said.startswith(_LEANS) and opening not in _LEANING_WORDS
    )


VARIANTS: dict[str, Variant] = {
    "more white space": _more_space,
    "a newline at the end": _trailing_newline,
    "blank lines around": _around,
    "Windows line ends": _windows_lines,
    "other Unicode form": _decomposed,
    "other case of headings": _other_case,
    "two paragraphs swapped": _swapped,
}
