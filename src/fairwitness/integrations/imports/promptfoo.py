"""Assertions of a promptfoo config as checks: those that read the text, in every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import re2

from fairwitness.contract.errors import InvalidRequest
from fairwitness.integrations.imports import Imported, document, has_template

_JUDGED = "a model grades it; write its question as a judged criterion, see /docs/judges"
_CODE = "it is code; a criterion in Python can be a package, see /docs/criteria-packages"
_CALL = "it measures the call, not the text of the response"
_MEASURE = (
    "another measure of likeness; the nearest check is close_to_reference, which compares words"
)
_CALLS = "it reads tool calls; see the checks tool_called and tool_order in /docs/protocols"
_SHIPPED = "the shipped criterion {} judges it, by a measure of its own"
WHY_NOT = {
    **dict.fromkeys(
        "llm-rubric g-eval factuality model-graded-closedqa model-graded-factuality context-recall context-relevance "
        "conversation-relevance search-rubric agent-rubric select-best pi trajectory:goal-success".split(),
        _JUDGED,
    ),
    **dict.fromkeys("javascript python ruby webhook".split(), _CODE),
    **dict.fromkeys("latency cost perplexity perplexity-score finish-reason".split(), _CALL),
    **dict.fromkeys("similar levenshtein rouge-n bleu gleu meteor".split(), _MEASURE),
    **dict.fromkeys(
        "is-valid-openai-tools-call is-valid-function-call is-valid-openai-function-call tool-call-f1 "
        "trajectory:tool-used trajectory:tool-sequence trajectory:tool-args-match trajectory:step-count".split(),
        _CALLS,
    ),
    "context-faithfulness": _SHIPPED.format("grounding"),
    "answer-relevance": _SHIPPED.format("relevance"),
    "is-refusal": _SHIPPED.format("refusal_fit"),
    "moderation": _SHIPPED.format("harm_avoidance"),
    "classifier": "it asks a classifier of its own",
    "human": "a person decides; see /docs/review",
}


def read(path: Path) -> Imported:
    """Read a promptfoo config; raise InvalidRequest where it is none."""
    config = document(path)
    tests = config.get("tests", [])
    if not {"prompts", "providers", "tests", "defaultTest"} & set(config):
        raise InvalidRequest(
            details=[f"{path}: no promptfoo config: no prompts, providers or tests"]
        )
    imported = Imported(path.stem)
    default = config.get("defaultTest")
    if isinstance(default, dict):
        for place, one in _flat(default.get("assert"), "defaultTest.assert", imported):
            _take(one, place, imported)
    elif default:
        imported.leave("defaultTest", "it is another file; import that one")
    if not isinstance(tests, list):
        imported.leave("tests", "they are in another file")
        tests = []
    _take_tests(tests, imported)
    return imported


def _take_tests(tests: list[Any], imported: Imported) -> None:
    """Take what every test asserts: a protocol is the same for all rows."""
    of_tests = []
    for at, test in enumerate(tests):
        if isinstance(test, dict):
            of_tests.append(list(_flat(test.get("assert"), f"tests[{at}].assert", imported)))
        else:
            imported.leave(f"tests[{at}]", "it is in another file")
    kinds = [{one.get("type") for _, one in found} for found in of_tests]
    equal_everywhere = bool(kinds) and all("equals" in found for found in kinds)
    for found in of_tests:
        for place, one in found:
            if all(any(one == other for _, other in others) for others in of_tests):
                _take(one, place, imported)
            elif one.get("type") == "equals" and equal_everywhere:
                imported.take(
                    place,
                    "equals_reference",
                    "Differs from the expected answer.",
                    ignore_case=False,
                )
                imported.note("Give each test's `equals` value as the row's reference.")
            else:
                imported.leave(
                    place,
                    f"{one.get('type')}: only this test asserts it, and a protocol is the same for every row",
                )


def _flat(asserts: Any, place: str, imported: Imported) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each assertion with its place; those of a set too, where all of the set must pass."""
    for at, one in enumerate(asserts if isinstance(asserts, list) else []):
        here = f"{place}[{at}]"
        if not isinstance(one, dict) or not isinstance(one.get("type"), str):
            imported.leave(here, "no assertion with a type")
        elif one["type"] == "assert-set":
            if one.get("threshold") is not None:
                imported.leave(here, "assert-set: with a threshold, part of it may fail")
            else:
                yield from _flat(one.get("assert"), f"{here}.assert", imported)
        else:
            yield here, one


def _take(one: dict[str, Any], place: str, imported: Imported) -> None:
    kind, value = one["type"], one.get("value")
    negated, plain = kind.startswith("not-"), kind.removeprefix("not-")
    if plain in WHY_NOT:
        imported.leave(place, f"{kind}: {WHY_NOT[plain]}")
    elif one.get("weight") == 0:
        imported.leave(place, f"{kind}: its weight is 0, so it decides nothing")
    elif one.get("transform"):
        imported.leave(place, f"{kind}: it reads a transformed output")
    elif has_template(value):
        imported.leave(place, f"{kind}: its value is made from variables of the test")
    elif plain.removeprefix("i") in {"contains", "contains-all", "contains-any"}:
        _take_phrases(plain, negated, value, place, imported)
    else:
        _take_form(plain, negated, value, place, imported)


def _take_phrases(plain: str, negated: bool, value: Any, place: str, imported: Imported) -> None:
    ignore_case, plain = plain.startswith("i"), plain.removeprefix("i")
    values = value if isinstance(value, list) else [value]
    if plain != "contains" and isinstance(value, str):
        values = [part.strip() for part in value.split(",")]
    values = [str(each) for each in values]
    if negated and plain == "contains-all":
        imported.leave(place, "not-contains-all: no check asks that one of several is missing")
    elif negated:
        told = f"Contains {', '.join(values)}."
        imported.take(place, "excludes", told, values=values, ignore_case=ignore_case)
    else:
        need = "any" if plain == "contains-any" else "all"
        told = f"Does not contain {', '.join(values)}."
        imported.take(place, "contains", told, values=values, need=need, ignore_case=ignore_case)


def _take_form(plain: str, negated: bool, value: Any, place: str, imported: Imported) -> None:
    kind = f"not-{plain}" if negated else plain
    if plain in {"equals", "starts-with"} and isinstance(value, str | int | float):
        pattern = rf"\A{re2.escape(str(value))}" + (r"\z" if plain == "equals" else "")
        told = (
            f"{'Is' if plain == 'equals' else 'Starts with'} {value}."
            if negated
            else f"Not {plain} {value}."
        )
        imported.take(place, "not_matches" if negated else "matches", told, pattern=pattern)
    elif plain == "regex":
        told = f"{'Matches' if negated else 'Does not match'} {value}."
        imported.take(place, "not_matches" if negated else "matches", told, pattern=value)
    elif negated:
        imported.leave(place, f"{kind}: there is no check for its opposite")
    elif plain == "is-json":
        if isinstance(value, dict):
            imported.take(place, "json_schema", "Not JSON of this schema.", schema=value)
        elif value is None:
            imported.take(place, "json_valid", "Not JSON.")
        else:
            imported.leave(place, "is-json: its schema is in another file")
    elif plain == "is-xml" and value is None:
        imported.take(place, "xml", "Not XML.")
    elif plain == "word-count":
        bounds = value if isinstance(value, dict) else {"min": value, "max": value}
        imported.take(place, "length", "Not the number of words.", unit="words", **bounds)
    else:
        imported.leave(place, f"{kind}: no check does this")
