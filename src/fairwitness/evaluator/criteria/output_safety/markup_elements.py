"""Finds the elements and links of a text that would run or load something when displayed, each from its start to its end.

Quotes, entities and scripts are read as a browser reads them, in one pass; whether an element was asked for
or is only shown is not decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from fairwitness.evaluator.patterns import Match, Pattern
from fairwitness.evaluator.text import Region, Text

SCRIPT = "a script"
LOADS = "an element that loads or sends data automatically"
HANDLER = "an event handler"
LINK = "a link that runs code"

_TAG = Pattern(
    r"<([a-zA-Z][a-zA-Z0-9:-]{0,30})((?:[\s/](?:\"[^\"]*\"|'[^']*'|[^'\"<>])*)?)(>?)", captures=True
)
_ATTRIBUTE = Pattern(r"([^\s\"'<>/=]{1,40})\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'<>]+)")
_MARKDOWN_LINK = Pattern(r"\]\(\s*<?([^\s)<>]{4,80})")
_REFERENCE = Pattern(r"^\s{0,3}\[[^\]\n]{1,80}\]:\s*<?([^\s<>]+)", multiline=True)
_CODE_SIGN = Pattern(r"[=;{}`]|\w\(|\w\.\w+\(")
_SURE_CODE_SIGN = Pattern(r"[{}`]|\w\(")
_HANDLER_NAME = Pattern(r"^on[a-z]{3,20}$", ignore_case=True)
_LOADS_STYLE = Pattern(r"(?:@import|url\()[^<]{0,20}//", ignore_case=True)
_MEDIA_DATA = ("data:image/png", "data:image/jp", "data:image/gif", "data:image/webp", "data:image/avif",
               "data:font/", "data:audio/", "data:video/")  # fmt: skip
_RUNS = ("javascript:", "vbscript:", "data:")
_ADDRESSES = ("href", "src", "action", "formaction", "xlink:href", "data", "to", "values")
_FRAMES = frozenset({"iframe", "frame", "object", "embed", "applet", "portal"})
_VOID = frozenset(
    {"img", "input", "meta", "base", "link", "embed", "frame", "br", "source", "body", "html"}
)
_MAX_TAGS = 1_000


class Element(NamedTuple):
    """One active element: what it is, and the parts of the text that belong to it alone.

    An element that is active as a whole has one part; of one that only has an active attribute the tags are
    the parts, so that its text can stay.
    """

    what: str
    parts: tuple[Region, ...]
    # What a reader sees of it: the words of a link.
    shown: str = ""

    @property
    def start(self) -> int:
        """Where it starts."""
        return self.parts[0].start


def active_elements(text: Text) -> list[Element]:
    """Return every active element and link, in the order of the text."""
    found: list[Element] = []
    if "<" in text.value:
        found += _Markup(text).elements()
    if "](" in text.value:
        found += _markdown_links(text)
    if "]:" in text.value:
        found += [
            Element(LINK, (Region(match.start, match.end),))
            for match in text.matches(_REFERENCE, limit=_MAX_TAGS)
            if runs_code(match[1])
        ]
    return sorted(found, key=lambda element: element.start)


def runs_code(address: str) -> bool:
    """Tell whether opening an address runs code; entities and white space inside it do not hide that."""
    plain = "".join(char for char in unescape(address).lower() if char > " ")
    return plain.startswith(_RUNS) and not plain.startswith(_MEDIA_DATA)


class _Markup:
    """One pass over the tags of a text."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.missing: set[str] = set()  # elements whose end tag does not occur any more

    def elements(self) -> list[Element]:
        """Return the active elements; what is active inside a picture makes the picture active."""
        found: list[Element] = []
        done, picture = 0, Region(0, 0)
        for match in self.text.matches(_TAG, limit=_MAX_TAGS):
            if match.start < done:
                continue
            name = match[1].lower()
            if name == "svg" and match.start >= picture.end:
                picture = self._whole(match, name)
            element = self._element(match, name)
            if element is None:
                continue
            if picture.contains(match.start):
                element = Element(element.what, (picture,))
            found.append(element)
            done = element.parts[0].end
        return found

    def _element(self, match: Match, name: str) -> Element | None:
        if name == "script":
            return self._script(match)
        attributes = dict(_attributes(match[2]))
        if any(_HANDLER_NAME.fullmatch(key) for key in attributes):
            return self._tags(match, name, HANDLER)
        if any(runs_code(attributes[key]) for key in _ADDRESSES if key in attributes):
            return self._tags(match, name, LINK)
        if _loads(name, attributes):
            return Element(LOADS, (self._whole(match, name),))
        if name == "style":
            whole = self._whole(match, name)
            if _LOADS_STYLE.search(self.text.slice(whole).encode()):
                return Element(LOADS, (whole,))
        return None

    def _script(self, match: Match) -> Element | None:
        """A script that is only named in a sentence holds no code."""
        whole = self._whole(match, "script", to_the_end=True)
        body = unescape(self.text.value[match.end : whole.end].removesuffix("</script>"))
        # One that never ends may be named in a sentence, whose stops and signs are not code.
        sign = _SURE_CODE_SIGN if "script" in self.missing else _CODE_SIGN
        if "src" in dict(_attributes(match[2])) or sign.search(body.encode()):
            return Element(SCRIPT, (whole,))
        return None

    def _tags(self, match: Match, name: str, what: str) -> Element:
        opening = Region(match.start, match.end)
        if name in _VOID or name == "svg" or match[2].rstrip().endswith("/"):
            return Element(what, (opening,))
        closing = self._end_tag(name, match.end)
        return Element(what, (opening, closing) if closing else (opening,))

    def _whole(self, match: Match, name: str, *, to_the_end: bool = False) -> Region:
        """Return an element with what is in it, up to its end tag."""
        if name in _VOID or match[2].rstrip().endswith("/"):
            return Region(match.start, match.end)
        closing = self._end_tag(name, match.end)
        end = len(self.text) if to_the_end else match.end
        return Region(match.start, closing.end if closing else end)

    def _end_tag(self, name: str, after: int) -> Region | None:
        if name in self.missing:
            return None
        start = self.text.lower.find(f"</{name}", after)
        if start < 0:
            self.missing.add(name)
            return None
        end = self.text.value.find(">", start, start + len(name) + 40)
        return Region(start, end + 1 if end >= 0 else start + len(name) + 2)


def _attributes(source: str) -> Iterator[tuple[str, str]]:
    for match in Text(source).matches(_ATTRIBUTE, limit=100):
        yield match[1].lower(), unescape(match[2].strip("\"'"))


def _loads(name: str, attributes: dict[str, str]) -> bool:
    """Tell whether an element loads or sends something by itself."""
    if name in _FRAMES:
        return bool(attributes.keys() & {"src", "srcdoc", "data", "code"})
    if name == "meta":
        return attributes.get("http-equiv", "").lower() == "refresh"
    if name == "form":
        return attributes.get("action", "").lower().startswith(("http:", "https:", "//"))
    if name == "link":
        return attributes.get("href", "").lower().startswith(("http:", "https:", "//"))
    return name == "base" and "href" in attributes


def _markdown_links(text: Text) -> Iterator[Element]:
    for match in text.matches(_MARKDOWN_LINK, limit=_MAX_TAGS):
        if not runs_code(match[1]):
            continue
        line = text.value.rfind("\n", 0, match.start) + 1
        opening = text.value.rfind("[", line, match.start)
        start = opening if opening >= 0 else match.start
        start -= text.value[start - 1 : start] == "!"
        shown = text.value[opening + 1 : match.start] if opening >= 0 else ""
        yield Element(LINK, (Region(start, _closing_bracket(text.value, match.start + 1)),), shown)


def _closing_bracket(value: str, opening: int) -> int:
    """Return the end of the round bracket that opens here, or of its line."""
    depth = 0
    for at in range(opening, min(len(value), opening + 2_000)):
        char = value[at]
        if char == "\n":
            return at
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return at + 1
    return min(len(value), opening + 2_000)
