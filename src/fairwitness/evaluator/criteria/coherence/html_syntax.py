"""Checks that the elements of an HTML block close in order; end tags that HTML lets people leave out may be missing."""

from __future__ import annotations

from collections import Counter

from fairwitness.evaluator.criteria.coherence.bracket_balance import ELISION, Fault
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

LANGUAGES = frozenset({"html", "htm", "xhtml"})
_TAG = Pattern(
    r"<!--|<(/?)([a-zA-Z][\w-]*)((?:\"[^\"]*\"|'[^']*'|[^'\"<>])*)>",
    ignore_case=True,
)
# A tag that another begins in: "<table <tr>", the first never ended.
_UNENDED = Pattern(r"<[a-zA-Z][\w-]*(?:\s+[\w-]+=(?:\"[^\"<>]*\"|'[^'<>]*'))*\s+</?[a-zA-Z]")
_NOT_TAGS = ("<script", "<style", "<textarea", "<!--")
# What follows these is text up to their end.
_ENDS = {"": "-->", "script": "</script", "style": "</style", "textarea": "</textarea"}
_TEMPLATE = Pattern(r"\{\{|\{%|<%|<\?|\$\{")
_VOID = frozenset(
    "area base br col embed hr img input link meta param source track wbr !doctype".split()
)
_END_MAY_BE_LEFT_OUT = frozenset(
    "p li dt dd option optgroup tr td th thead tbody tfoot colgroup rt rp html head body".split()
)
_MIN_LINES = 3
_MAX_TAGS = 2_000


def fault(source: str) -> Fault | None:
    """Return the first element that does not close, or None where all do or it cannot be told."""
    utf8 = source.encode()
    if _TEMPLATE.search(utf8) or ELISION.search(utf8):
        return None
    page = _Page(source)
    text, skip = Text(source), 0
    plain = not any(mark in text.lower for mark in _NOT_TAGS)
    if plain and (unended := text.search(_UNENDED)):
        line = source.count("\n", 0, unended.start) + 1
        return Fault(f"the tag that begins in line {line} has no “>”", unended.start)
    for match in text.matches(_TAG, limit=_MAX_TAGS):
        name, at = match[2].lower(), match.start
        if at < skip:
            continue
        if name in _ENDS and not match[1]:
            skip = text.lower.find(_ENDS[name], at)
            if skip < 0:
                return None
        if not name or name in _VOID or match[3].endswith("/"):
            continue
        if not match[1]:
            page.opened(name, at)
        elif found := page.closed(name):
            return found
    return page.left_open()


class _Page:
    """The elements that are open at one place of a page."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.open: list[tuple[str, int]] = []
        self.counts: Counter[str] = Counter()

    def opened(self, name: str, at: int) -> None:
        """Take a start tag."""
        self.open.append((name, at))
        self.counts[name] += 1

    def closed(self, name: str) -> Fault | None:
        """Take an end tag; return the fault where another element must end first."""
        if not self.counts[name]:
            # Where nothing is open, the start of the page is not shown.
            sure = self.open and self.open[-1][0] not in _END_MAY_BE_LEFT_OUT
            return _unclosed(self.source, *self.open[-1], f"</{name}>") if sure else None
        while self.open:
            last, at = self.open.pop()
            self.counts[last] -= 1
            if last == name:
                break
            if last not in _END_MAY_BE_LEFT_OUT:
                return _unclosed(self.source, last, at, f"</{name}>")
        return None

    def left_open(self) -> Fault | None:
        """Return the fault of an element that never ends."""
        left = [item for item in self.open if item[0] not in _END_MAY_BE_LEFT_OUT]
        if not left or self.source.strip().count("\n") + 1 < _MIN_LINES:
            return None
        # The part of a page up to a place to fill in ends with the tag that opens it.
        if self.source.rstrip()[left[-1][1] :].count("<") == 1:
            return None
        return _unclosed(self.source, *left[-1], "the end")


def _unclosed(source: str, name: str, at: int, before: str) -> Fault:
    line = source.count("\n", 0, at) + 1
    return Fault(f"<{name}> in line {line} is not closed before {before}", at)
