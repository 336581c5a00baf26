"""Checks that Python blocks parse; fragments, transcripts and Python 2 are not faults.

The source is only parsed, never compiled or run, and bounded in every way that makes parsing costly:
nesting of brackets and blocks, and the length of one expression's chain of operators.
"""

from __future__ import annotations

import ast

from fairwitness.evaluator.criteria.coherence.data_syntax import is_too_deep
from fairwitness.evaluator.patterns import Pattern

_MAX_BLOCK_DEPTH = 20
_MAX_OPERATORS = 200
# Prompts of shells and notebooks, templates, diffs, elisions: what is shown is not one program.
_NOT_A_PROGRAM = Pattern(
    r"^\s*(?:>>>|\.\.\. |In \[\d|Out\[\d|[$!%?]\s*\w|pip3? install|python3? \S+\.py|[+-]{3} |@@ |\.{3,}|…)"
    r"|\{%|\{\{\s*\w+\s*\}\}|<[A-Za-z][\w ]*>|\[(?:your|insert|add) |…|\.\.\.\s*\)|[(,\[]\s*\.\.\.",
    multiline=True,
)
_STARTS_INSIDE = ("elif", "else", "except", "finally", "case ")
# What comes after an omitted body, not in its place.
_NO_BODY = (
    "#", "def ", "class ", "async ", "@", "if ", "for ", "while ", "with ", "try:", *_STARTS_INSIDE,
)  # fmt: skip
# Messages for what was right in Python 2, for a body left to the reader, and for what only size forbids.
_NOT_FAULTS = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer literals",
    "Exceeds the limit",
    "too many",
    "inconsistent use of tabs",
)


def fault(source: str) -> str | None:
    """Return why `source` does not parse as Python, or None where it does or cannot be judged."""
    source = _dedent(source)
    if not source.strip() or source.lstrip().startswith(_STARTS_INSIDE) or _is_too_costly(source):
        return None
    if _NOT_A_PROGRAM.search(source.encode()):
        return None
    try:
        ast.parse(_without_escapes(source))
    except SyntaxError as error:
        message = error.msg or "invalid syntax"
        if message.startswith(_NOT_FAULTS):
            return None
        if message.startswith("expected an indented block") and not _lost_indent(source, error):
            return None
        return f"{message} at line {error.lineno}"
    except (RecursionError, MemoryError, ValueError):
        return None
    return None


def parsed(source: str) -> ast.Module | None:
    """Return the tree of Python code, without what its escapes stand for; None where it does not parse."""
    source = _dedent(source)
    if not source.strip() or _is_too_costly(source):
        return None
    try:
        return ast.parse(_without_escapes(source))
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return None


def _lost_indent(source: str, error: SyntaxError) -> bool:
    """Tell an unindented body from one left to the reader: it follows its opening line at once."""
    lines = source.split("\n")
    at = (error.lineno or 0) - 1
    if not 0 < at < len(lines):
        return False
    body, opener = lines[at].strip(), lines[at - 1].rstrip()
    return opener.endswith(":") and bool(body) and not body.startswith(_NO_BODY)


def _is_too_costly(source: str) -> bool:
    if is_too_deep(source):
        return True
    for line in source.split("\n"):
        indent = len(line) - len(line.lstrip())
        operators = sum(
            map(line.count, (".", "-", "+", "~", "*", " not ", "lambda", " if ", "await"))
        )
        if indent > 4 * _MAX_BLOCK_DEPTH or operators > _MAX_OPERATORS:
            return True
    return source.count("elif ") > _MAX_OPERATORS or source.count("\\\n") > _MAX_OPERATORS


def _dedent(source: str) -> str:
    lines = source.replace("\r\n", "\n").expandtabs(4).split("\n")
    margins = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    margin = min(margins, default=0)
    return "\n".join(line[margin:] for line in lines)


def _without_escapes(source: str) -> str:
    """Make every escape in the source one the parser does not warn of; where it ends does not change."""
    if "\\" not in source:
        return source
    out, at = [], 0
    while (found := source.find("\\", at)) >= 0:
        following = source[found + 1 : found + 2]
        out.append(source[at : found + 1])
        out.append(following if following in "\n\"'\\" else "n")
        at = found + 2
    out.append(source[at:])
    return "".join(out)
