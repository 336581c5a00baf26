"""What a demand is and whether it was met: the types that parsing and checking share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairwitness.evaluator.text import Region

Kind = Literal[
    "word_count",
    "sentence_count",
    "paragraph_count",
    "line_count",
    "character_count",
    "bullet_count",
    "numbered_count",
    "section_count",
    "placeholder_count",
    "highlight_count",
    "heading_count",
    "hashtag_count",
    "emoji_count",
    "capital_word_count",
    "letter_count",
    "keyword_count",
    "required_words",
    "forbidden_words",
    "forbidden_marks",
    "lowercase",
    "uppercase",
    "title",
    "json",
    "table",
    "code_only",
    "wrapped",
    "starts_with",
    "ends_with",
    "paragraph_start",
    "postscript",
    "repeated_request",
    "separated_parts",
    "language",
    "options",
    "item_count",
    "part_size",
    "data_format",
    "code_block",
    "alphabetical",
    "ends_question",
    "number_only",
    "acrostic",
    "section_size",
    "topic",
    "ingredients",
    "json_keys",
    "columns",
    "line_start",
    "spelling",
    "translation",
    "reversed",
    "transformed",
    "boxed",
    "subject",
    "no_code",
    "literal",
    "name_only",
    "comma_list",
    "only_it",
    "no_fence",
    "decimals",
    "construct",
    "keyword_case",
    "dialect",
    "excluded_items",
    "numbered_steps",
    "item_initial",
    "dated_order",
    "year_start",
    "headings",
    "only_columns",
    "row_count",
]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many are asked for; None leaves that side open."""

    at_least: int | None = None
    at_most: int | None = None

    def hold(self, count: int) -> bool:
        """Tell whether a count is within the bounds."""
        low_enough = self.at_most is None or count <= self.at_most
        return low_enough and (self.at_least is None or count >= self.at_least)

    def __str__(self) -> str:
        """Say it in words, for messages."""
        low, high = self.at_least, self.at_most
        if low is not None and high is not None:
            return f"exactly {low}" if low == high else f"{low} to {high}"
        if high is not None:
            return f"at most {high}"
        return f"at least {low or 0}"

    def of(self, noun: str) -> str:
        """Return "exactly 1 word" or "at most 3 words"; the noun is given in the singular."""
        return f"{self} {noun}" if (self.at_most or self.at_least) == 1 else f"{self} {noun}s"


@dataclass(frozen=True, slots=True)
class Demand:
    """One checkable thing the prompt asks of the response.

    `terms` are the words, marks, options or phrases it names, in the prompt's own spelling;
    `position` is the paragraph meant by a demand about one paragraph, -1 the last; `separator` is the mark
    required between parts. `firm` is False where the prompt gave a rough figure or left room for more
    around what it asked for. `alone` is True where nothing else is allowed. `negated` is True where the
    thing itself is forbidden. `plain` is True where it was read from plain words anywhere in a sentence, which may be
    meant otherwise: to miss it needs review and fails nothing.
    """

    kind: Kind
    span: Region
    bounds: Bounds | None = None
    terms: tuple[str, ...] = ()
    position: int = 0
    separator: str = ""
    firm: bool = True
    alone: bool = False
    negated: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a demand was met, what was asked and found in words, and where in the response.

    `near` is True where a rough figure was missed by less than half: that earns half the credit.
    `unchecked` says why the demand cannot be checked in this response; it then counts for nothing.
    """

    met: bool
    asked: str
    found: str
    spans: tuple[Region, ...] = ()
    suggestion: str | None = None
    near: bool = False
    unchecked: str = ""

    @property
    def credit(self) -> float:
        """What this demand adds to the share of demands met."""
        return 1.0 if self.met else 0.5 if self.near else 0.0
