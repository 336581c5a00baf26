"""Finds what is taken over from the source word for word with one thing in it changed: a number, a date, a name, "some"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fairwitness.evaluator.criteria.grounding.denial_claims import is_reported
from fairwitness.evaluator.criteria.grounding.ground import MAX_SENTENCES, Claim, Ground, states
from fairwitness.evaluator.criteria.grounding.number_support import in_round_figures
from fairwitness.evaluator.criteria.grounding.restated import reckons
from fairwitness.evaluator.criteria.grounding.taken_over import is_taken_over
from fairwitness.evaluator.exchange import Span
from fairwitness.evaluator.facts.derivation import Values, follows, is_rounded
from fairwitness.evaluator.facts.index import within
from fairwitness.evaluator.facts.moments import agree
from fairwitness.evaluator.facts.pieces import NAME, WORD, Piece, pieces, turned
from fairwitness.evaluator.facts.quantities import Figures
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

_MAX_CLAIMS = 6
# A longer sentence is none, or a list.
_MAX_CHARS = 600
# A sentence or a unit with more things that may be changed is a list.
_MAX_OPEN = 12
# How many pieces beside the changed one are the same in both; more where a number is nowhere given: it may be worked out.
_MIN_FRAME, _MIN_FRAME_OF_NEW = 3, 4
_MIN_TELLING = 2
_MAX_RUN = 6
_MAX_HOLDING = 48
# What was said once may have been said anew.
_ANEW = Pattern(
    r"\b(?:now|updat\w+|correct\w+|new|chang\w+|instead|revis\w+|moved|no longer)\b",
    ignore_case=True,
)


class _Rival(NamedTuple):
    """What the source has between the same words, how many of these are the same, and the unit it is in."""

    size: int
    unit: int
    piece: Piece


def frame_claims(ground: Ground) -> Iterator[Claim]:
    """Yield a claim for each piece of a sentence that the source has otherwise between the same words."""
    if not is_taken_over(ground):
        return
    frames, text, claims = _Frames(ground), ground.response, 0
    for sentence in text.sentences[:MAX_SENTENCES]:
        if sentence.end - sentence.start > _MAX_CHARS or text.in_code(sentence.start):
            continue
        asks = text.value[sentence.end - 1] == "?" or is_reported(text, sentence)
        found = None if asks else frames.changed(sentence)
        if found is not None:
            yield found
            claims += 1
            if claims >= _MAX_CLAIMS:
                return


class _Frames:
    """The pieces of the source's sentences, each made once."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._pieces: dict[int, list[Piece]] = {}

    def changed(self, sentence: Region) -> Claim | None:
        """Return a claim for one thing that stands where the source has another, and nowhere else in such words."""
        ground, text = self._ground, self._ground.response
        said = Figures(
            ground.figures_within(sentence), within(ground.figures.moments, sentence), True
        )
        mine = pieces(text, sentence, said, self._ground.index.proper)
        near = [
            item.unit for item in ground.nearest(sentence) if states(ground.index.units[item.unit])
        ]
        open_ones = [at for at, piece in enumerate(mine) if piece.kind]
        for at in open_ones[:_MAX_OPEN]:
            piece = mine[at]
            if not self._may_be_wrong(mine, at):
                continue
            rival = self._rival(mine, at, near)
            if rival is None or any(
                one.kind == piece.kind and one.same(rival.piece) for one in mine
            ):
                continue
            unit = ground.index.units[rival.unit]
            given = unit.text.value[rival.piece.start : rival.piece.end]
            return Claim(
                "changed",
                Region(piece.start, piece.end),
                Span(rival.piece.start, rival.piece.end, unit.source),
                ground.plainly_against,
                f"States “{text.value[piece.start : piece.end]}” where the source has “{given}”.",
            )
        return None

    def _may_be_wrong(self, mine: list[Piece], at: int) -> bool:
        """Tell whether a piece can be held against the response: it is no one of several, and not worked out."""
        ground, piece = self._ground, mine[at]
        if piece.kind == WORD:
            return True
        if piece.kind == NAME:
            return not _among_names(mine, at)
        if ground.brings_numbers or ground.given.works_out:
            return False
        return not _is_argument(ground.response, piece)

    def _rival(self, mine: list[Piece], at: int, near: list[int]) -> _Rival | None:
        """Return what the source has in the place of a piece, where it has that piece in no such place."""
        piece, best = mine[at], None
        for number in near:
            theirs = self._unit_pieces(number)
            alike = [place for place, other in enumerate(theirs) if other.kind == piece.kind]
            for place in alike[:_MAX_OPEN]:
                size, framed = _frame(mine, at, theirs, place)
                other = theirs[place]
                if framed and not piece.same(other) and self._replaces(piece, other, number, size):
                    best = max(best or _Rival(0, 0, piece), _Rival(size, number, other))
        return best if best is not None and not self._is_given(mine, at, near, best.size) else None

    def _is_given(self, mine: list[Piece], at: int, near: list[int], size: int) -> bool:
        """Tell whether the source has a piece in such a place, or says it anew."""
        piece = mine[at]
        holding = self._units_with(piece)
        for number in {*near, *holding}:
            theirs = self._unit_pieces(number)
            own = [
                p
                for p, other in enumerate(theirs)
                if other.kind == piece.kind and piece.same(other)
            ]
            if any(_frame(mine, at, theirs, place)[0] >= size - 1 for place in own):
                return True
        units = (self._ground.index.units[number] for number in holding)
        return any(_ANEW.search(unit.text.slice(unit.region).encode()) for unit in units)

    def _units_with(self, piece: Piece) -> set[int]:
        """Return the units that have a number, a date or a time."""
        index = self._ground.index
        if piece.kind.startswith("number"):
            return {number for number, _ in index.by_value.get(float(piece.key[0]), ())}
        if piece.kind in {WORD, NAME}:
            return set()
        said = within(self._ground.figures.moments, Region(piece.start, piece.end))
        found = [number for number, one in index.moments if any(agree(one, m) for m in said)]
        return {*found[:_MAX_HOLDING]}

    def _replaces(self, stated: Piece, given: Piece, unit: int, size: int) -> bool:
        """Tell whether a piece in a frame of this size stands for another."""
        ground = self._ground
        if stated.kind == WORD:
            return turned(str(stated.key), str(given.key))
        if stated.kind == NAME:
            return ground.index.stems.issuperset(map(str, stated.key))
        if not stated.kind.startswith("number"):
            return True
        one = next(q for q in ground.figures.quantities if q.start == stated.start)
        source = ground.index.figures_in(unit).quantities
        other = [q for q in source if q.start == given.start]
        if one.approximate or is_rounded(one, Values(other), same_unit=True):
            return False
        if any(in_round_figures(one, given_one) for given_one in other):
            return False
        sentence = ground.response.sentence_at(stated.start)
        if follows(one, source) and reckons(ground.response, sentence):
            return False
        return stated.key[0] in ground.index.by_value or size >= _MIN_FRAME_OF_NEW

    def _unit_pieces(self, number: int) -> list[Piece]:
        if number not in self._pieces:
            unit, index = self._ground.index.units[number], self._ground.index
            self._pieces[number] = pieces(
                unit.text, unit.region, index.figures_in(number), self._ground.index.proper
            )
        return self._pieces[number]


def _among_names(mine: list[Piece], at: int) -> bool:
    """Tell whether a name is one of several: which of them are listed is free."""
    beside = mine[max(0, at - 2) : at] + mine[at + 1 : at + 3]
    return any(piece.kind == NAME for piece in beside)


def _is_argument(text: Text, piece: Piece) -> bool:
    """Tell whether a piece stands in a line of code: "is_prime(42)", "limit=3"."""
    before = text.value[max(0, piece.start - 2) : piece.start]
    return len(before) == 2 and before[1] in "(=[" and (before[0].isalnum() or before[0] == "_")


def _frame(mine: list[Piece], at: int, theirs: list[Piece], place: int) -> tuple[int, bool]:
    """Return how many pieces on both sides of a place are the same, and whether these make it the same place."""
    left, left_ends = _run(mine, at, theirs, place, -1)
    right, right_ends = _run(mine, at, theirs, place, 1)
    size = left + right
    telling = sum(piece.telling for piece in mine[at - left : at + right + 1]) - 1
    closed = (left and right) or (left and right_ends) or (right and left_ends)
    return size, bool(closed) and size >= _MIN_FRAME and telling >= _MIN_TELLING


def _run(
    mine: list[Piece], at: int, theirs: list[Piece], place: int, step: int
) -> tuple[int, bool]:
    """Return how many pieces in one direction are the same, and whether both sentences end after them.

    One plain word among them may be another.
    """
    size, passed = 0, False
    while size < _MAX_RUN:
        at, place = at + step, place + step
        mine_ends, theirs_end = not 0 <= at < len(mine), not 0 <= place < len(theirs)
        if mine_ends or theirs_end:
            return size, mine_ends and theirs_end
        if mine[at].equals(theirs[place]):
            size += 1
        elif passed or not size or mine[at].kind or theirs[place].kind:
            break
        else:
            passed = True
    return size, False
