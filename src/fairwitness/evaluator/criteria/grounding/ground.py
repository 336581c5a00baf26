"""One response beside what it was given: both indexed once, for every check to look things up in."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.grounding.bounds import is_limit
from fairwitness.evaluator.criteria.grounding.told import beside_source, measures, tells
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.facts.derivation import Values
from fairwitness.evaluator.facts.index import Index, Near, Unit
from fairwitness.evaluator.facts.moments import Moment, agree
from fairwitness.evaluator.facts.polarity import Clause, clauses, whole
from fairwitness.evaluator.facts.quantities import Figures, Quantity, figures
from fairwitness.evaluator.facts.words import content_stems
from fairwitness.evaluator.given import Given, Task
from fairwitness.evaluator.given.task import changes, invents, last_turn
from fairwitness.evaluator.language import is_supported
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# A longer sentence says more than one thing, so that one "no" in it does not deny all of it.
_MAX_WHOLE_STEMS = 8
_MAX_QUESTION_CHARS = 400
_LANGUAGE_CHARS = 1000
# Of a response: one with more of them is a book, or lines of next to nothing.
MAX_SENTENCES = 1000
_MAX_LOOKED_UP_WORDS = 60
# From more numbers, dates and times than these, almost any other may be worked out. Those that a user tells beside a
# question are there for it.
_FEW_FIGURES, _FEW_TOLD = 8, 2
# What is to be judged is no source: an option, or a claim.
_JUDGED = Pattern(
    r"^\W*(?:[A-Ja-j][).:]\s|(?:hypothesis|claim|statement|assertion|conclusion|option|choice|answer)\b[^:\n]{0,12}:)",
    ignore_case=True,
)


_DENIED = Pattern(r"^[^:.\n]{3,60}: ?(?:no|none|never|nil|negative)\b", ignore_case=True)


class Claim(NamedTuple):
    """Something a response states otherwise than its source, or that its source does not have."""

    kind: str
    stated: Region
    source: Span | None
    severity: Severity
    message: str


class Ground:
    """The response, the given passages and everything else that was told, ready to be compared."""

    def __init__(self, exchange: Exchange, given: Given) -> None:
        """Index what was given; the rest is made when it is first used."""
        self.given = given
        self.response: Text = exchange.response
        self.prompt: Text = exchange.prompt
        told = given.passages or given.stated
        self.index = Index([(part.source, part.text, part.region) for part in told])
        self._near: dict[Region, list[Near]] = {}
        self._values: dict[Region, set[float]] = {}
        self._clauses: dict[int, list[Clause]] = {}
        #: The given numbers that count a noun, by its stem, as far as they were looked up.
        self.counts: dict[str, list[tuple[int, Quantity]]] = {}

    @property
    def task(self) -> Task:
        """What the prompt asks to do with what it gives."""
        return self.given.task

    @property
    def against(self) -> Severity:
        """How severe it is to state otherwise than the source; a task that may add may also mean something else."""
        if self.to_change:
            return "low"
        if self.task is Task.OPEN or self.reasoned:
            return "medium" if self.given.apart else "low"
        # What a prompt states by the way may be wrong, and rightly corrected.
        return "high" if self.given.passages else "medium"

    @property
    def plainly_against(self) -> Severity:
        """How severe it is to state otherwise what is taken over as it is: only a task that invents may mean it."""
        free = self.invents or self.to_change
        return "medium" if self.against == "low" and not free else self.against

    @cached_property
    def to_change(self) -> bool:
        """Whether the task is to change what the source has, to suppose something else, or a chat goes on with a number."""
        return changes(self._order) or tells(Text(last_turn(self.prompt)))

    @cached_property
    def invents(self) -> bool:
        """Whether the task is to make something up."""
        return invents(self._order)

    @cached_property
    def _order(self) -> str:
        """What the prompt says of the source."""
        return beside_source(self.given.instruction, self.index).value

    @property
    def closed(self) -> bool:
        """Whether what is not in the source can be held against the response."""
        return self.compared and self.given.firm

    @property
    def compared(self) -> bool:
        """Whether what the source has elsewhere can be held against the response."""
        return self.task is not Task.OPEN and self.index.complete and not self.reasoned

    @cached_property
    def reasoned(self) -> bool:
        """Whether the response works something out from what the prompt states by the way, instead of looking it up."""
        text = self.response
        return not self.given.passages and (
            len(text.words) > _MAX_LOOKED_UP_WORDS or "=" in text.value
        )

    @property
    def strict(self) -> bool:
        """Whether nothing may be added: the task says so, or a source was given apart."""
        return self.closed and (self.task is Task.FAITHFUL or self.given.apart)

    @cached_property
    def in_english(self) -> bool:
        """Whether the response is in English, or too short to tell."""
        return is_supported(self.response)

    @cached_property
    def both_in_english(self) -> bool:
        """Whether words of the response can be compared with words of the source."""
        told = " ".join(
            part.text.slice(part.region)[:_LANGUAGE_CHARS] for part in self.given.passages
        )
        return self.in_english and is_supported(Text(told[:_LANGUAGE_CHARS]))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The stems of the question, where the source was given apart from it."""
        whole_prompt = Region(0, min(len(self.prompt), _MAX_QUESTION_CHARS))
        return (
            frozenset(content_stems(self.prompt, whole_prompt)) if self.given.apart else frozenset()
        )

    @cached_property
    def beside(self) -> Index:
        """Everything else that was told: nothing in it is absent, but nothing is held against it."""
        return Index([(part.source, part.text, part.region) for part in self.given.beside])

    @cached_property
    def told(self) -> Text:
        """All that was said beside the passages, in the prompt or before it."""
        pieces = []
        for part in self.given.beside:
            at = part.region.start
            inside = [one.region for one in self.given.passages if one.text is part.text]
            for region in sorted(inside):
                pieces.append(part.text.value[at : region.start])
                at = max(at, region.end)
            pieces.append(part.text.value[at : part.region.end])
        return beside_source("\n".join(pieces), self.index)

    @cached_property
    def brings_numbers(self) -> bool:
        """Whether a number, a date or a time was told beside the source: others may follow from it."""
        told = figures(self.told)
        given = [moment for _, moment in self.index.moments]
        return any(
            item.key not in self.index.by_value and measures(self.told, item)
            for item in told.quantities
        ) or any(not any(agree(moment, one) for one in given) for moment in told.moments)

    @property
    def against_worked_out(self) -> Severity:
        """How severe it is to state a number that the source has otherwise: it may follow from those that were told."""
        return "low" if self.brings_numbers or self.many_figures else self.against

    @cached_property
    def many_figures(self) -> bool:
        """Whether the source has so many numbers, dates and times that another one may well follow from them.

        The same text in other words has its own figures and no others.
        """
        if self.given.rewords:
            return False
        counted = sum(not item.label for _, item in self.index.quantities)
        few = _FEW_FIGURES if self.given.passages else _FEW_TOLD
        return counted + len(self.index.moments) > few

    @property
    def retells(self) -> bool:
        """Whether the response is to say what the source says, so that little in it is worked out."""
        return self.given.rewords or self.task is Task.FAITHFUL

    @cached_property
    def limited(self) -> frozenset[str]:
        """The units in which the source says how far something goes."""
        units = self.index.units
        found = (one for n, one in self.index.quantities if is_limit(units[n].text, one))
        return frozenset(one.unit for one in found if one.unit)

    @cached_property
    def asked_quantities(self) -> list[Quantity]:
        """The quantities that were told beside the source: those of the question."""
        given = {(self.index.units[n].source, item.start) for n, item in self.index.quantities}
        units = self.beside.units
        return [
            item
            for n, item in self.beside.quantities
            if (units[n].source, item.start) not in given and measures(units[n].text, item)
        ]

    @cached_property
    def figures(self) -> Figures:
        """The quantities and moments of the response."""
        return figures(self.response)

    @cached_property
    def _by_sentence(self) -> dict[Region, list[Quantity]]:
        found: dict[Region, list[Quantity]] = {}
        for quantity in self.figures.quantities:
            found.setdefault(self.response.sentence_at(quantity.start), []).append(quantity)
        return found

    def figures_within(self, sentence: Region) -> list[Quantity]:
        """Return the quantities of one sentence of the response."""
        return self._by_sentence.get(sentence, [])

    def values_within(self, sentence: Region) -> set[float]:
        """Return the values of one sentence of the response, worked out once."""
        if sentence not in self._values:
            self._values[sentence] = {item.key for item in self.figures_within(sentence)}
        return self._values[sentence]

    @cached_property
    def values(self) -> Values:
        """Every given quantity, by size."""
        told = [*self.index.quantities, *self.beside.quantities]
        return Values(quantity for _, quantity in told)

    def occurrences(self, quantity: Quantity) -> list[Quantity]:
        """Return the given quantities of the same value."""
        keys = (
            [quantity.key] if quantity.other is None else [quantity.key, round(quantity.other, 6)]
        )
        return [
            found
            for index in (self.index, self.beside)
            for key in keys
            for _, found in index.by_value.get(key, ())
        ]

    def nearest(self, sentence: Region) -> list[Near]:
        """Return the given units nearest to a sentence of the response."""
        if sentence not in self._near:
            stems = content_stems(self.response, sentence)[:60]
            self._near[sentence] = self.index.nearest(stems, 4)
        return self._near[sentence]

    def unit_clauses(self, number: int) -> list[Clause]:
        """Return the clauses of a given unit, and the unit itself as one."""
        if number not in self._clauses:
            unit = self.index.units[number]
            value = unit.text.slice(unit.region)
            asks = not states(unit) or "|" in value or _DENIED.search(value.encode())
            parts = [] if asks else clauses(unit.text, unit.region)
            asks = asks or any(part.supposing for part in parts)
            parts = [] if asks else parts
            all_of_it = whole(unit.text, unit.region)
            short = not asks and len(parts) != 1 and len(all_of_it.stems) <= _MAX_WHOLE_STEMS
            self._clauses[number] = [*parts, all_of_it] if short else parts
        return self._clauses[number]

    def nearest_span(self, stated: Region) -> Span | None:
        """Return the given unit nearest to the sentence of a statement, as evidence."""
        near = self.nearest(self.response.sentence_at(stated.start))
        return self.index.units[near[0].unit].span if near else None


def states(unit: Unit) -> bool:
    """Tell whether a unit of the source states something: it is no question, and nothing to be judged."""
    value, (start, end) = unit.text.value, unit.region
    return value[end - 1] != "?" and not _JUDGED.search(value[start : start + 40].encode())


def words_of(text: Text, item: Quantity | Moment) -> str:
    """Return a quantity or a moment as it is written, on one line."""
    return " ".join(text.value[item.start : item.end].split())
