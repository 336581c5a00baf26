"""The tables of what was given, beside the response, and what is told around them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.grid_reading import Reading
from fairwitness.evaluator.criteria.grounding.ground import Ground
from fairwitness.evaluator.facts.grid_labels import ROW
from fairwitness.evaluator.facts.grid_values import Value, same
from fairwitness.evaluator.facts.grid_words import tokens_of
from fairwitness.evaluator.facts.grids import grids_of
from fairwitness.evaluator.facts.polarity import whole
from fairwitness.evaluator.facts.quantities import Figures, Quantity, figures
from fairwitness.evaluator.given.orders import instructs
from fairwitness.evaluator.given.statements import asks
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_GRIDS, _MAX_TOLD = 6, 200
_MAX_OUTSIDE_CHARS = 20_000
_MAX_ASKING, _MIN_ROWS = 40, 3
# What is asked may be of another row than the one that is named: what comes after it, what is cheaper, where to change to.
_BESIDE = Pattern(
    r"\b(?:from|than|instead|versus|vs|compar\w+|switch\w*|upgrad\w+|downgrad\w+|chang\w+|mov\w+|swap\w*|replac\w+|if|or|not|no|never|nor|without|except|others?|another|else|besides|next|previous|before|after|until|since|by|like|similar|alternativ\w+|closest|nearest|between|more|less|least|most|"
    r"already|currently|now|again|still|too|also|both|difference|total|average|used to|had|was|were|\pL{3,}(?:er|est))\b|n['’]t\b",
    ignore_case=True,
)
# "I am on Basic" says where one is, and not what is asked for.
_OWNED = Pattern(
    r"(?:\b(?:am|have|has|pays?|uses?|owns?|got|did|took|bought|chose|booked|my)|['’](?:m|re|ve))\b[^.?!]{0,15}$",
    ignore_case=True,
)
_SUPPOSED = Pattern(
    r"(?:^|[,;:(] ?)(?:per|on average|in total|altogether|combined|together)\b|\b(?:you (?:said|say|wrote|mention\w*|thought|assum\w+|list\w*|gave)|wrong|typo|mistake\w*|correct\w*|should (?:be|read)|instead of|example|suppose|imagine|if)\b",
    ignore_case=True,
)
_OF_ONESELF = Pattern(
    r"\b(?:I|I['’]m|I['’]d|I['’]ve|[Ww]e|[Ww]e['’]\pL+|[Mm]y|[Oo]ur|[Mm]e|[Uu]s)\b|\b(?i:tell|write|draft|give|list|name|summari[sz]e|compare)\b"
)


class Grids:
    """The grids of what was given, each beside the response, and what is told around them."""

    def __init__(self, ground: Ground) -> None:
        """Read the grids of the texts that were handed over."""
        self.ground = ground
        sources = {
            part.source: part.text for part in (*ground.given.passages, *ground.given.stated)
        }
        each = (grid for source, text in sources.items() for grid in grids_of(source, text))
        # Every grid is held against every sentence, and against the others.
        found = list(islice(each, _MAX_GRIDS))
        readings = [Reading(ground, grid) for grid in found]
        #: Rows of the same name in two tables are none of one.
        self.readings = [one for one in readings if not _is_shared(one, readings)]
        for one in readings:
            one.others = [other.labels for other in readings if other is not one]
        self._sources = sources
        self._noted: dict[int, set[int]] = {}
        self._beside: dict[Value, bool] = {}
        self._regions = {
            source: [grid.region for grid in found if grid.source == source] for source in sources
        }

        for one in self.readings:
            one.asked = self._asked(one)

    def _asked(self, reading: Reading) -> int | None:
        """Return the one row that the request names, where it speaks of no change and of nothing beside it."""
        text, rows = self.outside, set()
        for sentence in text.sentences[:_MAX_ASKING]:
            found = reading.labels.mentions(text, tokens_of(text, sentence))
            named = {one.at for one in found if one.axis == ROW}
            if named and _BESIDE.search(text.slice(sentence).encode()):
                return None
            leads = (text.value[sentence.start : one.start] for one in found if one.axis == ROW)
            if any(_OWNED.search(lead.encode()) for lead in leads):
                return None
            rows |= named
        # "What does 20 GB cost?" asks for the row of the 20 GB.
        if any(one.unit for one in self.told):
            return None
        whole = len(self.readings) == 1 and len(reading.grid.rows) >= _MIN_ROWS
        return rows.pop() if len(rows) == 1 and whole else None

    @cached_property
    def outside(self) -> Text:
        """What is said around the tables: notes, conditions, the question."""
        pieces = (
            text.value[low:high][:_MAX_OUTSIDE_CHARS]
            for source, text in self._sources.items()
            for low, high in _around(text, self._regions[source])
        )
        return Text("\n".join(pieces)[:_MAX_OUTSIDE_CHARS])

    @cached_property
    def _told(self) -> Figures:
        return figures(self.outside)

    def noted(self, reading: Reading) -> set[int]:
        """Return the rows that a note beside the table speaks of: it may change their values."""
        if id(reading) not in self._noted:
            text, rows = self.outside, set()
            for sentence in text.sentences:
                requests = asks(text, sentence) or instructs(text, sentence)
                if not requests and not _OF_ONESELF.search(text.slice(sentence).encode()):
                    found = reading.labels.mentions(text, tokens_of(text, sentence))
                    rows |= {one.at for one in found if one.axis == ROW}
            self._noted[id(reading)] = rows
        return self._noted[id(reading)]

    def tells(self, value: Value) -> bool:
        """Tell whether a number or a moment is said beside the tables too."""
        if value not in self._beside:
            told = [Value(value.kind, number=one) for one in self._told.quantities[:_MAX_TOLD]]
            told += [Value(value.kind, moment=one) for one in self._told.moments[:_MAX_TOLD]]
            self._beside[value] = any(same(one, value) for one in told)
        return self._beside[value]

    def severity(self, *, plain: bool) -> Severity:
        """Return how severe it is to contradict a table; what is said in free words is to be reviewed."""
        against = self.ground.plainly_against
        return against if plain or against != "high" else "medium"

    @property
    def told(self) -> list[Quantity]:
        """The numbers beside the tables."""
        return self._told.quantities


def _around(text: Text, regions: list[Region]) -> Iterator[tuple[int, int]]:
    at = 0
    for region in regions:
        yield at, region.start
        at = region.end
    yield at, len(text)


def _is_shared(reading: Reading, readings: list[Reading]) -> bool:
    """Tell whether another grid has a row of the same name."""
    others = [one for one in readings if one is not reading]
    return any(reading.labels.names & one.labels.names for one in others)


def is_supposed(text: Text, sentence: Region) -> bool:
    """Tell whether a sentence asks, supposes, or speaks of what someone else said."""
    if _SUPPOSED.search(text.slice(sentence).encode()):
        return True
    return whole(text, sentence).supposing or text.value[sentence.end - 1] == "?"
