"""Checks one demand against an exchange: a table from kind to the checker that knows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fairwitness.evaluator.criteria.instruction_following.checking import (
    acrostics,
    case_and_wrapping,
    code_demands,
    content,
    counting,
    evidence,
    forbidden_marks,
    formats,
    list_orders,
    lists,
    number_only,
    only_it,
    options,
    part_sizes,
    section_sizes,
    shapes,
    start_and_end,
    table_orders,
    transformations,
    wording,
)
from fairwitness.evaluator.criteria.instruction_following.checking.language import language
from fairwitness.evaluator.criteria.instruction_following.demand import (
    Bounds,
    Demand,
    Kind,
    Outcome,
)
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import counted
from fairwitness.evaluator.text import Region, Text

_MAX_SPANS = 5
_MAX_AMBIGUOUS_WORDS = 60  # more are counted in one way only


def _count_of(
    noun: str, find: Callable[[Text], list[Region]]
) -> Callable[[Demand, Exchange], Outcome]:
    def checker(demand: Demand, exchange: Exchange) -> Outcome:
        found = find(exchange.response)
        return _outcome(demand, noun, len(found), tuple(found[:_MAX_SPANS]))

    return checker


def _outcome(
    demand: Demand, noun: str, count: int, spans: tuple[Region, ...] = (), where: str = ""
) -> Outcome:
    assert demand.bounds is not None
    rough = "" if demand.firm else "about "
    return Outcome(
        met=demand.bounds.hold(count),
        asked=rough + demand.bounds.of(noun) + where,
        found=counted(count, noun) + where,
        spans=spans,
        near=not demand.firm and _near(demand.bounds, count),
    )


def _shown(outcome: Outcome, demand: Demand, found: list[Region]) -> Outcome:
    """Quote what was counted where the count is missed."""
    if outcome.met:
        return outcome
    return replace(outcome, spans=evidence.miscounted(found, demand.bounds))


def _near(bounds: Bounds, count: int) -> bool:
    """Tell whether a count misses its bounds by less than half."""
    return 2 * count > (bounds.at_least or 0) and (
        bounds.at_most is None or count < 2 * bounds.at_most
    )


def _words(demand: Demand, exchange: Exchange) -> Outcome:
    count = counting.words(exchange.response)
    if count <= _MAX_AMBIGUOUS_WORDS and demand.bounds is not None:
        # In a few words it matters whether "well-known" is one or two: either will do.
        fitting = filter(demand.bounds.hold, counting.word_counts(exchange.response))
        count = next(fitting, count)
    outcome = _outcome(demand, "word", count)
    starts = [] if outcome.met else [word.start for word in exchange.response.words]
    return replace(outcome, spans=evidence.past_limit(exchange.response, starts, demand.bounds))


def _characters(demand: Demand, exchange: Exchange) -> Outcome:
    value = exchange.response.value
    length = len(value.strip())
    outcome = _outcome(demand, "character", length)
    start = len(value) - len(value.lstrip())
    starts = range(start, start if outcome.met else start + length)
    return replace(outcome, spans=evidence.past_limit(exchange.response, starts, demand.bounds))


def _sentences(demand: Demand, exchange: Exchange) -> Outcome:
    text = exchange.response
    found, bounds = counting.sentences(text), demand.bounds
    outcome = _shown(_outcome(demand, "sentence", len(found)), demand, found)
    if bounds is not None and bounds.at_least == bounds.at_most and not outcome.met:
        # Sentences asked for as a list come one per item, with other words around the list.
        listed = filter(bounds.hold, (len(counting.numbered(text)), len(counting.bullets(text))))
        outcome = next((_outcome(demand, "sentence", count) for count in listed), outcome)
    if not outcome.met and counting.unstopped(text):
        return replace(outcome, unchecked="Most lines of the response end without punctuation")
    return outcome


def _paragraphs(demand: Demand, exchange: Exchange) -> Outcome:
    if demand.separator.strip():
        found = counting.parts(exchange.response, demand.separator)
        empty = any(part.start >= part.end for part in found)
        outcome = _shown(_outcome(demand, "paragraph", len(found)), demand, found)
        return (
            replace(outcome, met=False, found=f"{outcome.found}, one of them empty")
            if empty
            else outcome
        )
    found = exchange.response.paragraphs
    count = _favourable(demand, exchange, found, strict=bool(demand.separator))
    return _shown(_outcome(demand, "paragraph", count), demand, found)


def _lines(demand: Demand, exchange: Exchange) -> Outcome:
    found = counting.lines(exchange.response)
    if demand.terms:
        # A haiku may have a title and words around it: one stanza of its length is enough.
        stanzas = counting.stanzas(exchange.response)
        fitting = (count for count in stanzas if demand.bounds and demand.bounds.hold(count))
        count = next(fitting, len(found))
        verse = _outcome(demand, "line", count, where=f" for a {demand.terms[0]}")
        return _shown(verse, demand, found)
    count = _favourable(demand, exchange, found, strict=False)
    return _shown(_outcome(demand, "line", count), demand, found)


def _favourable(demand: Demand, exchange: Exchange, found: list[Region], *, strict: bool) -> int:
    """Count blocks or lines; where titles and the like may count or not, the count that fits best."""
    assert demand.bounds is not None
    most = len(found)
    if strict or demand.bounds.hold(most):
        return most
    least = min(len(counting.prose(exchange.response, found)), most)
    fitting = (count for count in range(most, least - 1, -1) if demand.bounds.hold(count))
    return next(fitting, most)


def _bullets(demand: Demand, exchange: Exchange) -> Outcome:
    found = counting.bullets(exchange.response, markdown="markdown" in demand.terms)
    if "any" in demand.terms:
        found = found or counting.numbered(exchange.response)
    return _outcome(demand, "bullet point", len(found), tuple(found[:_MAX_SPANS]))


def _sections(demand: Demand, exchange: Exchange) -> Outcome:
    found = counting.sections(exchange.response, demand.terms[0])
    marked = f" marked “{demand.terms[0]}”"
    return _outcome(demand, "section", len(found), tuple(found[:_MAX_SPANS]), marked)


_CHECKERS: dict[Kind, Callable[[Demand, Exchange], Outcome]] = {
    "word_count": _words,
    "sentence_count": _sentences,
    "paragraph_count": _paragraphs,
    "line_count": _lines,
    "character_count": _characters,
    "bullet_count": _bullets,
    "numbered_count": _count_of("numbered item", counting.numbered),
    "section_count": _sections,
    "placeholder_count": _count_of("placeholder", counting.placeholders),
    "highlight_count": _count_of("highlighted part", counting.highlights),
    "heading_count": _count_of("heading", counting.headings),
    "hashtag_count": _count_of("hashtag", counting.hashtags),
    "emoji_count": _count_of("emoji", counting.emojis),
    "capital_word_count": _count_of("capitalized word", counting.capital_words),
    "letter_count": wording.letter_count,
    "keyword_count": wording.keyword_count,
    "required_words": wording.required_words,
    "forbidden_words": wording.forbidden_words,
    "forbidden_marks": forbidden_marks.forbidden_marks,
    "lowercase": case_and_wrapping.lowercase,
    "uppercase": case_and_wrapping.uppercase,
    "title": case_and_wrapping.title,
    "json": formats.json_only,
    "data_format": formats.data_format,
    "table": formats.table,
    "code_only": formats.code_only,
    "code_block": formats.code_block,
    "wrapped": case_and_wrapping.wrapped,
    "starts_with": start_and_end.starts_with,
    "ends_with": start_and_end.ends_with,
    "paragraph_start": start_and_end.paragraph_start,
    "postscript": start_and_end.postscript,
    "repeated_request": start_and_end.repeated_request,
    "separated_parts": start_and_end.separated_parts,
    "language": language,
    "options": options.options,
    "item_count": lists.item_count,
    "alphabetical": lists.alphabetical,
    "part_size": part_sizes.part_size,
    "ends_question": start_and_end.ends_question,
    "number_only": number_only.number_only,
    "acrostic": acrostics.acrostic,
    "section_size": section_sizes.section_size,
    "topic": content.topic,
    "ingredients": content.ingredients,
    "spelling": content.spelling,
    "translation": content.translation,
    "reversed": content.reversed_word,
    "transformed": transformations.transformed,
    "json_keys": shapes.json_keys,
    "columns": shapes.columns,
    "line_start": shapes.line_start,
    "boxed": shapes.boxed,
    "subject": shapes.subject,
    "no_code": shapes.no_code,
    "literal": shapes.literal,
    "name_only": shapes.name_only,
    "comma_list": shapes.comma_list,
    "only_it": only_it.only_it,
    "no_fence": only_it.no_fence,
    "decimals": only_it.decimals,
    "construct": code_demands.construct,
    "keyword_case": code_demands.keyword_case,
    "dialect": code_demands.dialect,
    "excluded_items": list_orders.excluded_items,
    "numbered_steps": list_orders.numbered_steps,
    "item_initial": list_orders.item_initial,
    "dated_order": list_orders.dated_order,
    "year_start": list_orders.year_start,
    "headings": list_orders.headings,
    "only_columns": table_orders.only_columns,
    "row_count": table_orders.row_count,
}


def check(demand: Demand, exchange: Exchange) -> Outcome:
    """Say whether the response meets a demand, and what was found."""
    return _CHECKERS[demand.kind](demand, exchange)
