"""Grounding: is what a response states supported by what it was given, and never against it?

It compares closed forms: numbers with their units, dates and times, names, quotations, denials, cells of tables.
Where a reader provides the signals `support` and `contradiction`, they order what closed forms cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from fairwitness.evaluator.criteria.grounding.calendar_claims import calendar_claims
from fairwitness.evaluator.criteria.grounding.converted_claims import converted_claims
from fairwitness.evaluator.criteria.grounding.denial_claims import denial_claims
from fairwitness.evaluator.criteria.grounding.examples import EXAMPLES
from fairwitness.evaluator.criteria.grounding.extracted_claims import extracted_claims
from fairwitness.evaluator.criteria.grounding.frame_claims import frame_claims
from fairwitness.evaluator.criteria.grounding.grid_claims import grid_claims
from fairwitness.evaluator.criteria.grounding.ground import Claim, Ground
from fairwitness.evaluator.criteria.grounding.identifier_claims import identifier_claims
from fairwitness.evaluator.criteria.grounding.learned_claims import Limit, doubt, learned_claims
from fairwitness.evaluator.criteria.grounding.list_claims import list_claims
from fairwitness.evaluator.criteria.grounding.moment_claims import moment_claims
from fairwitness.evaluator.criteria.grounding.name_claims import name_claims
from fairwitness.evaluator.criteria.grounding.number_claims import quantity_claims
from fairwitness.evaluator.criteria.grounding.order_claims import order_claims
from fairwitness.evaluator.criteria.grounding.pair_claims import pair_claims
from fairwitness.evaluator.criteria.grounding.part_claims import part_claims
from fairwitness.evaluator.criteria.grounding.polar_claims import polar_claims
from fairwitness.evaluator.criteria.grounding.quotation_claims import quotation_claims
from fairwitness.evaluator.criteria.grounding.record_claims import record_claims
from fairwitness.evaluator.criteria.grounding.rendering_claims import rendering_claims
from fairwitness.evaluator.criteria.grounding.role_claims import role_claims
from fairwitness.evaluator.criteria.grounding.sorted_claims import sorted_claims
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.given import given
from fairwitness.evaluator.judgement import Finding, Judgement, not_applicable
from fairwitness.evaluator.protocol import CriterionSpec, Share
from fairwitness.evaluator.signals import Signals
from fairwitness.evaluator.text import Region

__all__ = ["EXAMPLES", "READS", "Options", "claims", "judge"]

READS = ("context", "messages")
_MAX_CLAIMS = 40
# Right answers have as many small differences as wrong ones: with more of them, a response would need review.
_MAX_SMALL = 2
_CHECKS = (
    quantity_claims,
    moment_claims,
    quotation_claims,
    denial_claims,
    name_claims,
    part_claims,
    role_claims,
    calendar_claims,
    rendering_claims,
    identifier_claims,
    list_claims,
    extracted_claims,
    sorted_claims,
    pair_claims,
    polar_claims,
    order_claims,
    frame_claims,
    record_claims,
    converted_claims,
    grid_claims,
)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the protocol decides for this criterion beside its thresholds."""

    max_findings: int
    contradicted_from: Share
    contradicted_rise: Share = 0.0
    contradicted_score: Share
    doubt_cost: Share


def judge(exchange: Exchange, spec: CriterionSpec, signals: Signals) -> Judgement:
    """Compare every sentence of the response with what was given; each finding quotes both sides."""
    options: Options = spec.options
    told = given(exchange)
    if not told.passages and not told.stated:
        return not_applicable("Nothing was given that the response could be compared with.")
    ground = Ground(exchange, told)
    support, contradiction = signals.get("support"), signals.get("contradiction")
    limit = Limit(options.contradicted_from, options.contradicted_rise)
    learned = [*learned_claims(ground, support, contradiction, limit)]
    found = _without_small(_one_each([*_closed(ground), *learned]), learned)
    findings = tuple(_finding(claim) for claim in found[: options.max_findings])
    score = 1 - options.doubt_cost * doubt(ground, support, contradiction)
    if learned:
        score = min(score, options.contradicted_score)
    surely = sum(claim not in learned for claim in found)
    return Judgement(summary=_summary(surely, len(found)), findings=findings, score=score)


def _summary(surely: int, found: int) -> str:
    """Say how many statements differ; a model's word alone makes it a maybe."""
    if not found:
        return "No number, date, name, quotation or negation that differs from the given text was detected."
    differ = "differs" if surely == 1 else "differ"
    if not surely:
        surely, differ = found, "may differ"
    return f"{surely} statement{'s' if surely > 1 else ''} {differ} from the given text."


def claims(ground: Ground) -> list[Claim]:
    """Return what the closed forms find, in the order of the text."""
    return _one_each(_closed(ground))


def _closed(ground: Ground) -> Iterator[Claim]:
    for check in _CHECKS:
        yield from check(ground)


def _one_each(found: Iterable[Claim]) -> list[Claim]:
    """Return the claims in the order of the text; of several at one place the one found first."""
    kept: list[Claim] = []
    for claim in found:
        if not any(_overlap(claim.stated, other.stated) for other in kept):
            kept.append(claim)
        if len(kept) == _MAX_CLAIMS:
            break
    return sorted(kept, key=lambda claim: claim.stated)


def _without_small(found: list[Claim], learned: list[Claim]) -> list[Claim]:
    """Return all but the small differences, and the first few of these; what the model says is none of them."""
    small = [claim for claim in found if claim.severity == "low" and claim not in learned]
    return [claim for claim in found if claim not in small[_MAX_SMALL:]]


def _overlap(one: Region, other: Region) -> bool:
    return one.start < other.end and other.start < one.end


def _finding(claim: Claim) -> Finding:
    spans = (Span(claim.stated.start, claim.stated.end),)
    return Finding(
        severity=claim.severity,
        message=claim.message,
        detector=f"grounding.{claim.kind}",
        spans=spans if claim.source is None else (*spans, claim.source),
        suggestion="Make it agree with the source.",
    )
