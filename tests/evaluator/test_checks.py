"""Every kind of check as data: what passes, what fails and which text is quoted, and hostile texts and files."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest

from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.checks import KINDS
from fairwitness.evaluator.protocol import ProtocolError

HEAD = protocol.shipped().source.decode().partition("[criteria.")[0]
PROSE = (
    "The cat sat on the mat and the dog lay by the door. It was a warm day and they were both glad "
    "to rest. The sun was high and the birds sang in the trees for a long time."
)
HARD = (
    "Notwithstanding considerable methodological heterogeneity, contemporary epidemiological investigations of the "
    "association demonstrate statistically indistinguishable cardiovascular consequences, and the interdisciplinary "
    "interpretation of that undifferentiated evidence necessitates extraordinarily conservative generalisations "
    "concerning the physiological mechanisms."
)
SHAPE = {
    "type": "object",
    "required": ["name", "tags"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]+$"},
        "age": {"type": ["integer", "null"], "minimum": 0, "exclusiveMaximum": 150},
        "kind": {"enum": ["cat", "dog", 1]},
        "v": {"const": True},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
        "more": {"additionalProperties": {"type": "number", "maximum": 5, "exclusiveMinimum": 1}},
    },
}


class Case(NamedTuple):
    """A check, a response, and what it finds: None for nothing, else the detail and the texts quoted."""

    check: dict[str, Any]
    response: str
    detail: str | None = None
    quoted: tuple[str, ...] = ()
    # What comes with the response.
    reference: str | None = None
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()


def _ref(
    check: dict[str, Any],
    response: str,
    reference: str,
    detail: str | None = None,
    quoted: tuple[str, ...] = (),
) -> Case:
    return Case(check, response, detail, quoted, reference)


def _calls(check: dict[str, Any], names: str, detail: str | None = None, *quoted: int) -> Case:
    """A response whose calls are `tool` or `tool=x`, which has the argument x; `quoted` are their numbers."""
    calls = tuple(
        (name, {"to": value} if value else {})
        for name, _, value in (one.partition("=") for one in names.split())
    )
    texts = tuple(
        json.dumps({"arguments": arguments, "name": name}, separators=(",", ":"))
        for name, arguments in (calls[number] for number in quoted)
    )
    return Case(check, "Done.", detail, texts, calls=calls)


def _json(response: Any, detail: str | None = None) -> Case:
    text = response if isinstance(response, str) else json.dumps(response)
    return Case({"kind": "json_schema", "schema": SHAPE}, text, detail)


CASES = [
    Case({"kind": "contains", "values": ["one", "two"]}, "two and one"),
    Case({"kind": "contains", "values": ["one", "two"]}, "one", "missing: “two”"),
    Case({"kind": "contains", "values": ["one", "two"], "need": "any"}, "one"),
    Case({"kind": "contains", "values": ["one", "two"], "need": "any"}, "six", "missing: “one”, “two”"),
    Case({"kind": "contains", "values": ["ONE"], "ignore_case": True}, "İone"),
    Case({"kind": "contains", "values": ["one"], "whole_words": True}, "someone, one_", "missing: “one”"),
    Case({"kind": "excludes", "values": ["Globex"]}, "globex"),
    Case({"kind": "excludes", "values": ["Globex", "Acme"]}, "Use Acme, Globex or 😀Globex.", "", ("Acme", "Globex", "Globex")),
    Case({"kind": "excludes", "values": ["globex"], "ignore_case": True, "whole_words": True}, "İGLOBEX Globexes GLOBEX.", "", ("GLOBEX",)),
    Case({"kind": "excludes", "values": ["a"]}, "a" * 500, "", ("a",) * 20),
    Case({"kind": "starts_with", "values": ["Dear", "Hello"]}, "\n Hello you"),
    Case({"kind": "starts_with", "values": ["Dear"]}, " Hi.\nDear", "", ("Hi.",)),
    Case({"kind": "starts_with", "values": ["dear"], "ignore_case": True}, "DEAR you"),
    Case({"kind": "ends_with", "values": ["Bye."]}, "So. Bye. \n"),
    Case({"kind": "ends_with", "values": ["Bye."]}, "Bye.\nOr not. ", "", ("Or not.",)),
    Case({"kind": "ends_with", "values": ["x"]}, " \n\t", "", ()),
    Case({"kind": "matches", "pattern": r"\bref-\d{4}\b"}, "see ref-1234"),
    Case({"kind": "matches", "pattern": r"^ref", "ignore_case": True, "multiline": True}, "a\nREF"),
    Case({"kind": "matches", "pattern": r"\bref-\d{4}\b"}, "see ref-123", ""),
    Case({"kind": "not_matches", "pattern": r"(?P<word>colou?r)"}, "paint"),
    Case({"kind": "not_matches", "pattern": r"(?P<word>colou?r)"}, "é color, colour", "", ("color", "colour")),
    Case({"kind": "not_matches", "pattern": "a*"}, "bb", "", ()),
    Case({"kind": "length", "unit": "words", "max": 3}, "one two three"),
    Case({"kind": "length", "unit": "words", "max": 3}, "one two three four five.", "5 words, at most 3", ("four five.",)),
    Case({"kind": "length", "unit": "words", "min": 3}, "one two", "2 words, at least 3"),
    Case({"kind": "length", "unit": "sentences", "min": 1, "max": 1}, "One. Two.", "2 sentences, at most 1", ("Two.",)),
    Case({"kind": "length", "unit": "characters", "max": 3}, "é😀xyz", "5 characters, at most 3", ("yz",)),
    Case({"kind": "length", "unit": "characters", "max": 0}, " ", "1 character, at most 0", ()),
    Case({"kind": "reading_level", "max": 8}, PROSE),
    Case({"kind": "reading_level", "max": 8}, "Too short to tell: " + HARD[:60]),
    Case({"kind": "reading_level", "min": 5}, PROSE, "grade 1.4, at least 5", (PROSE[:200],)),
    Case({"kind": "reading_level", "max": 8}, HARD, "grade 44.1, at most 8", (HARD[:200],)),
    Case({"kind": "number", "min": 1, "max": 10}, "I give it 7 of 10."),
    Case({"kind": "number", "min": 1, "max": 10}, "I give it 11.", "at most 10", ("11",)),
    Case({"kind": "number", "min": 1, "max": 10, "after": "Score:"}, "In 2026. Score: 9"),
    Case({"kind": "number", "min": 1, "max": 10, "after": "Score:"}, "9", "“Score:” not found"),
    Case({"kind": "number", "min": 0, "which": "every"}, "1, -2, 3-5, −4 and v-1", "at least 0", ("-2", "−4")),
    Case({"kind": "number", "max": 2000, "which": "last"}, "5 and 1,234.5e1", "at most 2000", ("1,234.5e1",)),
    Case({"kind": "number", "min": 0}, "none", "no number found"),
    Case({"kind": "sections", "values": ["Summary", "Next steps"]}, "## Summary\nx\n\n**Next  Steps:**\ny"),
    Case({"kind": "sections", "values": ["Summary", "Risks"]}, "Summary:\nRisks are few.", "missing: “Risks”"),
    Case({"kind": "sections", "values": ["Summary"]}, "```\n# Summary\n```", "missing: “Summary”"),
    Case({"kind": "sections", "values": ["A", "B"], "ordered": True}, "# B\n\n# A\n", "not in this order", ("# B", "# A")),
    Case({"kind": "links", "hosts": ["acme.com"]}, "See https://acme.com/x, http://docs.ACME.com:80. [a](//www.acme.com)"),
    Case({"kind": "links", "hosts": ["acme.com"]}, "http://acme.com.evil.example/ https://acme.com@evil.example", "", ("http://acme.com.evil.example", "https://acme.com@evil.example")),
    Case({"kind": "links", "hosts": ["acme.com"]}, r"https:\evil.example https:/evil.example http://[::1]/ notacme.com www.evil.example", "", (r"https:\evil.example", "https:/evil.example", "http://[::1]", "www.evil.example")),
    Case({"kind": "links", "hosts": ["acme.com"]}, "(https://acme.com), **https://acme.com**. [https://acme.com](https://acme.com:80) | https://acme.com! |"),
    Case({"kind": "links", "hosts": ["acme.com"]}, '<a href="https://acme.com,x.evil.example"> https://acme.com)x.evil.example', "", ("https://acme.com,x.evil.example", "https://acme.com)x.evil.example")),
    Case({"kind": "links", "hosts": ["acme.com"]}, "[https://acme.com](https://evil.example)", "", ("//evil.example)",)),
    Case({"kind": "links", "hosts": []}, "`//note.here` no link"),
    Case({"kind": "links", "hosts": []}, "//evil.example/x", "", ("//evil.example",)),
    Case({"kind": "language", "values": ["en"]}, PROSE),
    Case({"kind": "language", "values": ["en", "fr"]}, "ok"),
    Case({"kind": "language", "values": ["de"]}, PROSE, "it is in en", (PROSE[:200],)),
    Case({"kind": "language", "values": ["en"]}, "Der schnelle braune Fuchs springt über den faulen Hund, und alle Leute lachen darüber sehr laut.", "it is in de", ("Der schnelle braune Fuchs springt über den faulen Hund, und alle Leute lachen darüber sehr laut.",)),
    Case({"kind": "json_valid"}, ' {"a": [1, 2.5e3, null]}\n'),
    Case({"kind": "json_valid"}, '{"a": 1,\n "b": }', "Expecting value at line 2, column 7", (' "b": }',)),
    Case({"kind": "json_valid"}, 'Here: {"a": 1}', "Expecting value at line 1, column 1", ('Here: {"a": 1}',)),
    Case({"kind": "json_valid"}, '{"a": NaN}', "NaN is not JSON"),
    Case({"kind": "json_valid", "fenced": True}, "Here:\n```json\n[1]\n```\n"),
    Case({"kind": "json_valid", "fenced": True}, "Here:\n```json\n[1\n```\n", "Expecting ',' delimiter at line 2, column 1", ("[1",)),
    Case({"kind": "json_valid", "fenced": True}, "[1]", "no code block found"),
    Case({"kind": "json_valid"}, "[" * 100_000, "nested too deeply"),
    _json({"name": "ann", "tags": ["a"], "age": 3.0, "kind": "cat", "v": True, "more": {"x": 2}}),
    _json({"name": "ann", "tags": ["a"], "age": None}),
    _json([], "$ is not of type object"),
    _json({"tags": ["a"]}, "$.name is missing"),
    _json({"name": "a", "tags": ["a"]}, "the length of $.name is 1, at least 2"),
    _json({"name": "Ann", "tags": ["a"]}, "$.name does not match ^[a-z]+$"),
    _json({"name": "ann", "tags": []}, "the number of items of $.tags is 0, at least 1"),
    _json({"name": "ann", "tags": ["a", 1]}, "$.tags[1] is not of type string"),
    _json({"name": "ann", "tags": ["a"], "age": 1.5}, "$.age is not of type integer or null"),
    _json({"name": "ann", "tags": ["a"], "age": True}, "$.age is not of type integer or null"),
    _json({"name": "ann", "tags": ["a"], "age": 150}, "$.age is 150, less than 150"),
    _json({"name": "ann", "tags": ["a"], "kind": True}, "$.kind is not one of “cat”, “dog”, “1”"),
    _json({"name": "ann", "tags": ["a"], "v": 1}, "$.v is not true"),
    _json({"name": "ann", "tags": ["a"], "more": {"x": 9}}, "$.more.x is 9, at most 5"),
    _json({"name": "ann", "tags": ["a"], "else": 1}, "$.else is not expected"),
    _json('{"name": "an\\ud800", "tags": ["a"]}', "$.name does not match ^[a-z]+$"),
    _json('{"name": "ann", "tags": ["a"], "age": ' + "9" * 5_000 + "}", "$.age is not of type integer or null"),
    Case({"kind": "xml"}, " <a><b c='1'>é</b></a>\n"),
    Case({"kind": "xml"}, "<a>é\n<b></a>", "mismatched tag at line 2", ("<b></a>",)),
    Case({"kind": "xml"}, '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "it declares a document type", ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',)),
    Case({"kind": "xml"}, "no tags", "syntax error at line 1", ("no tags",)),
    Case({"kind": "xml", "fenced": True}, "```xml\n<a/>\n```"),
    Case({"kind": "yaml"}, "a: 1\nb: [x, y]\n"),
    Case({"kind": "yaml"}, "just words", "neither a mapping nor a list"),
    Case({"kind": "yaml"}, "a: [1\nb: 2", "did not find expected ',' or ']' at line 2", ("b: 2",)),
    Case({"kind": "yaml"}, "[" * 100_000, "nested too deeply"),
    Case({"kind": "yaml"}, "a: \x07", "a character that YAML does not allow"),
    Case({"kind": "equals_reference"}, "no reference at all"),
    _ref({"kind": "equals_reference"}, " PARIS \n", "Paris"),
    _ref({"kind": "equals_reference"}, "Paris.", "Paris", "differs from the reference", ("Paris.",)),
    _ref({"kind": "equals_reference", "ignore_punctuation": True}, "Paris.", "Paris"),
    _ref({"kind": "equals_reference", "ignore_case": False}, "paris", "Paris", "differs from the reference", ("paris",)),
    _ref({"kind": "close_to_reference"}, "The cat sat on a mat", "A cat sat on the mat"),
    _ref({"kind": "close_to_reference", "min": 0.9}, "dogs bark", "A cat sat", "overlap 0.00, at least 0.9", ("dogs bark",)),
    _ref({"kind": "close_to_reference"}, "the the the the", "the cat", "overlap 0.33, at least 0.5", ("the the the the",)),
    _ref({"kind": "close_to_reference", "by": "number"}, "So 3 x 4 = 12.0", "12"),
    _ref({"kind": "close_to_reference", "by": "number", "within": 0.1}, "about 11", "12"),
    _ref({"kind": "close_to_reference", "by": "number"}, "12 then 13", "12", "13, expected 12", ("13",)),
    _ref({"kind": "close_to_reference", "by": "number"}, "none", "12", "no number found"),
    _ref({"kind": "close_to_reference", "by": "number"}, "12", "none", "the reference has no number"),
    _calls({"kind": "tool_called", "tool": "refund"}, "look refund"),
    _calls({"kind": "tool_called", "tool": "refund"}, "look", "0 calls of “refund”, at least 1"),
    _calls({"kind": "tool_called", "tool": "refund", "arguments": {"to": "ann"}}, "refund=bob refund=ann"),
    _calls({"kind": "tool_called", "tool": "refund", "arguments": {"to": "ann"}}, "refund=bob", "called with other arguments: “to”", 0),
    _calls({"kind": "tool_called", "tool": "refund", "exact": True}, "refund=bob", "called with other arguments: “to”", 0),
    _calls({"kind": "tool_called", "tool": "refund", "arguments": {"to": "ann"}, "min": 2}, "refund=ann", "1 call of “refund”, at least 2", 0),
    Case({"kind": "number", "max": 5, "which": "every"}, "It takes 2-9 days.", "at most 5", ("9",)),
    Case({"kind": "xml"}, '<?xml version="1.0" encoding="ebcdic-cp"?><a>é</a>'),
    Case({"kind": "xml"}, '<?xml version="1.0" encoding="shift_jis"?><a>é</a>'),
    Case({"kind": "json_schema", "schema": {"additionalProperties": False}}, '{"\\ud800\\u001b[31m": 1}', "$.��[31m is not expected"),
    Case({"kind": "json_schema", "schema": {"const": True}}, "1", "$ is not true"),
    Case({"kind": "json_schema", "schema": {"enum": [True, "x"]}}, "1", "$ is not one of “true”, “x”"),
    _calls({"kind": "tool_called", "tool": "refund", "min": 0, "max": 1}, "refund refund=a", "2 calls, at most 1", 1),
    _calls({"kind": "tool_called", "tool": "refund", "min": 0, "max": 0}, "look"),
    _calls({"kind": "tool_order", "tools": ["look", "refund"]}, "look tell refund"),
    _calls({"kind": "tool_order", "tools": ["look", "refund"]}, "refund look", "“refund” not called after “look”", 0, 1),
    _calls({"kind": "tool_order", "tools": ["look", "refund"], "only": True}, "look tell refund", "3 calls, exactly 2", 1),
    _calls({"kind": "tool_order", "tools": ["look"], "only": True}, "look look", "2 calls, exactly 1", 0, 1),
    _calls({"kind": "no_repeated_calls"}, "look=a look=b tell=a"),
    _calls({"kind": "no_repeated_calls"}, "look=a tell look=a", "1 repeated", 2),
]  # fmt: skip


def _toml(value: Any) -> str:
    """Return plain data as inline TOML; strings as JSON writes them are TOML too."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{name}" = {_toml(inner)}' for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def evaluator(*checks: dict[str, Any]) -> Evaluator:
    written = [_toml({"severity": "high", "message": "House rule.", **check}) for check in checks]
    text = (
        f'{HEAD}[criteria.house]\ntitle = "House"\nquestion = "?"\nweight = 0.6\nfail_below = 50\n'
        f"pass_from = 80\nchecks = [\n{','.join(written)}\n]\n"
    )

    def broken(criterion: str, error: Exception) -> None:
        raise AssertionError(f"{criterion} broke") from error

    return Evaluator.of(protocol.read(text.encode(), "house.toml"), broken)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.check['kind']}")
def test_what_a_check_finds(case: Case) -> None:
    response: Any = case.response
    if case.calls:
        calls = [{"name": name, "arguments": arguments} for name, arguments in case.calls]
        response = {"content": case.response, "toolCalls": calls}
    evaluation = evaluator(case.check).evaluate(
        "Please answer.", response, reference=case.reference
    )
    if case.detail is None:
        assert not evaluation.findings
        assert evaluation["house"].verdict == "pass"
        return
    (finding,) = evaluation.findings
    detail = f" ({case.detail})" if case.detail else ""
    assert finding.message == f"House rule.{detail}"
    assert (finding.severity, finding.detector) == ("high", f"house.{case.check['kind']}")
    assert tuple(quote.text for quote in finding.evidence) == case.quoted
    assert evaluation["house"].verdict == "fail"


def test_every_kind_has_cases_of_both_sorts() -> None:
    for fails in (True, False):
        assert {c.check["kind"] for c in CASES if (c.detail is not None) == fails} == set(KINDS)


HOSTILE = [
    "a" * 60_000,
    "a.a. " * 15_000,
    "\n" * 60_000,
    "1," * 30_000,
    "-1" * 30_000,
    "https://" * 10_000,
    "[a](" * 15_000,
    "<a>" * 20_000,
    "&a: " * 15_000,
    "- " * 30_000,
    '{"a":' * 12_000,
    '"' + "\\u0041" * 10_000,
    "```\n" * 15_000,
    "# a\n" * 15_000,
    "**" * 30_000,
    "\u200d😀é\u0301" * 10_000,
    "\x00\x1b[31m\x7f" * 5_000,
    "İ" * 20_000,
    "\ufeff{}",
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_response_breaks_no_check(kind: str) -> None:
    """Every span is verified by the engine, and a check that breaks fails this test."""
    judge = evaluator(*[case.check for case in CASES if case.check["kind"] == kind][:4])
    for text in HOSTILE:
        assert judge.evaluate("Hi", text)["house"].verdict in {"pass", "fail", "needs_review"}


def test_findings_of_several_checks_multiply_and_the_gravest_is_told() -> None:
    checks: list[dict[str, Any]] = [
        {"kind": "excludes", "values": ["x"], "severity": "low", "message": "Low."},
        {"kind": "contains", "values": ["y"], "severity": "medium", "message": "Medium."},
        {"kind": "matches", "pattern": "x", "severity": "critical", "message": "Never."},
    ]
    found = evaluator(*checks).evaluate("Hi", "x")["house"]
    assert found.score == 54.0
    assert found.summary == "Failed 2 of 3 checks: Medium. (missing: “y”)"
    assert evaluator(*checks).evaluate("Hi", "yx")["house"].verdict == "pass"


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ({"kind": "contain", "values": ["a"]}, "checks[0].kind: unknown kind; known kinds: contains, excludes,"),
        ({"values": ["a"]}, "checks[0].kind: unknown kind"),
        ({"kind": "contains"}, "checks[0]: values is missing"),
        ({"kind": "contains", "values": []}, "checks[0].values: must be a list of 1 to 500 items, and is empty"),
        ({"kind": "contains", "values": [""]}, "checks[0].values"),
        ({"kind": "contains", "values": ["a"], "speed": 1}, "checks[0].speed: unknown key; known keys: severity, message,"),
        ({"kind": "contains", "values": ["a"], "severity": "huge"}, "checks[0].severity: must be one of critical, high, info, low, medium, not \"huge\""),
        ({"kind": "contains", "values": ["a"], "message": "a\x1b[0m"}, "checks[0].message: contains a control"),
        ({"kind": "contains", "values": ["a\x00"]}, "checks[0].values[0]: contains a control"),
        ({"kind": "matches", "pattern": "(a"}, "checks[0]: the pattern cannot be used: missing ): (a"),
        ({"kind": "matches", "pattern": "(?=a)"}, "checks[0]: the pattern cannot be used: invalid perl operator"),
        ({"kind": "matches", "pattern": "((a{100}){100}){100}"}, "checks[0]: the pattern cannot be used: invalid repetition"),
        ({"kind": "matches", "pattern": "\\pL{500}"}, "checks[0]: the pattern cannot be used: pattern too large"),
        ({"kind": "matches", "pattern": "\\pL{30}"}, "checks[0]: the pattern cannot be used: it is too large"),
        ({"kind": "matches", "pattern": "a" * 1_001}, "checks[0].pattern: must be a text of 1 to 1,000 characters, and has 1,001 characters"),
        ({"kind": "matches", "pattern": "\\C"}, "checks[0]: the pattern has \\C"),
        ({"kind": "length", "unit": "words"}, "checks[0]: needs min or max"),
        ({"kind": "length", "unit": "words", "min": 5, "max": 2}, "checks[0]: needs min <= max"),
        ({"kind": "length", "unit": "lines", "min": 5}, "checks[0].unit: must be one of characters, sentences, words, not \"lines\""),
        ({"kind": "number", "max": 1e308}, "checks[0].max: must be a number from -1e+15 to 1e+15, not 1e+308"),
        ({"kind": "links", "hosts": ["https://acme.com"]}, "checks[0]: 'https://acme.com' is not a host name"),
        ({"kind": "language", "values": ["english"]}, "checks[0].values"),
        ({"kind": "language", "values": ["xx"]}, "checks[0]: unknown language 'xx'"),
        ({"kind": "json_schema", "schema": {"$ref": "#"}}, "checks[0]: schema.$ref: unknown keyword; known keywords: type, enum,"),
        ({"kind": "json_schema", "schema": {"type": "text"}}, "checks[0]: schema.type: invalid value"),
        ({"kind": "json_schema", "schema": {"type": [["a"]]}}, "checks[0]: schema.type: invalid value"),
        ({"kind": "json_schema", "schema": {"properties": {"a": 1}}}, "checks[0]: schema.properties.a: must be a table"),
        ({"kind": "json_schema", "schema": {"items": {"pattern": "("}}}, "checks[0]: the pattern cannot be used"),
        ({"kind": "json_schema", "schema": {"properties": {f"p{n}": {} for n in range(2_000)}}}, "checks[0]: schema: more than 1000 parts"),
    ],
    ids=range(29),
)  # fmt: skip
def test_a_wrong_check_is_refused_with_file_line_and_key(check: dict[str, Any], said: str) -> None:
    with pytest.raises(ProtocolError) as refusal:
        evaluator(check)
    told = str(refusal.value)
    assert told.startswith("house.toml:")
    assert f"criteria.house.{said}" in told
    assert "\n" not in told


def test_a_schema_of_a_megabyte_and_too_many_checks_are_refused() -> None:
    with pytest.raises(ProtocolError, match="is longer than 1,000,000 bytes"):
        evaluator({"kind": "json_schema", "schema": {"title": "x" * 1_000_000}})
    with pytest.raises(ProtocolError, match="more than 100 checks"):
        evaluator(*[{"kind": "matches", "pattern": "a"}] * 101)


def test_a_criterion_of_code_takes_no_checks() -> None:
    text = (
        'name = "a"\nversion = "1"\nextends = "fairwitness"\n[criteria.privacy]\n'
        'checks = [{kind = "matches", pattern = "a", severity = "low", message = "A."}]\n'
    )
    with pytest.raises(ProtocolError, match=r"a\.toml:5: criteria\.privacy\.checks: this criterion is judged by code"):  # fmt: skip
        Evaluator.of(protocol.read(text.encode(), "a.toml"))


def test_patterns_stay_linear_whatever_the_author_writes() -> None:
    bombs = ["(a+)+$", "(.*a){100}", "(a|aa)*b", "(a?b?){100}z", "(x+x+)+y"]
    judge = evaluator(*[{"kind": "not_matches", "pattern": bomb} for bomb in bombs])
    assert judge.evaluate("Hi", "a" * 100_000 + "!")["house"].verdict == "fail"


def test_calls_of_the_conversation_count_where_they_are_asked_for() -> None:
    calls = [{"name": "look", "arguments": {"n": 1, "on": True}}]
    given: dict[str, Any] = {
        "messages": [
            {"role": "user", "content": "Refund me."},
            {"role": "assistant", "content": "", "toolCalls": calls},
            {"role": "tool", "content": "found"},
        ]
    }
    response = {"content": "", "toolCalls": [{"name": "look", "arguments": {"on": True, "n": 1.0}}]}
    found = {
        where: evaluator({"kind": "no_repeated_calls", "where": where}).evaluate(
            None, response, **given
        )
        for where in ("response", "conversation")
    }
    assert found["response"]["house"].verdict == "pass"
    assert found["conversation"].findings[0].evidence[0].source == "response.toolCalls[0]"
    # To JSON true is not 1.
    check = {"kind": "tool_called", "tool": "look", "arguments": {"on": 1}}
    assert evaluator(check).evaluate(None, response, **given)["house"].verdict == "fail"
