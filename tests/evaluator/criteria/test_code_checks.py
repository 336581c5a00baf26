"""Code blocks: what does not close is found where it opens, and hostile code costs no more than its length."""

from __future__ import annotations

import time

import pytest

from fairwitness.evaluator.criteria.coherence import bracket_balance, html_syntax, shell_syntax
from fairwitness.evaluator.criteria.output_safety.markup_elements import active_elements
from fairwitness.evaluator.text import Text

SIZE = 40_000


@pytest.mark.parametrize(
    ("language", "source", "line"),
    [
        ("js", "const a = 1;\nif (a) {\n  run(a;\n}\n", 4),
        ("js", "const a = `x ${b`;\nlet c = 1;\n", 1),
        ("rust", "fn f() {\n    g(&[1, 2);\n}\n", 2),
        ("sql", "SELECT 1;\nSELECT 'a FROM t;\n", 2),
        ("sql", "SELECT a, SUM(b FROM t;\n", 1),
        ("go", 'package a\n\nvar s = "open\n', 3),
    ],
)
def test_a_fault_says_its_line(language: str, source: str, line: int) -> None:
    fault = bracket_balance.fault(language, source)
    assert fault is not None
    assert source.count("\n", 0, fault.at) + 1 == line or f"line {line}" in fault.message


@pytest.mark.parametrize(
    "source",
    [
        "if (a) {",
        "  return 1;\n}",
        "f(a, ...)",
        "const re = /[(]/;",
        "a = b / c / (d);",
        "// it's (\nx();",
    ],
)
def test_a_part_of_a_program_is_no_fault(source: str) -> None:
    assert bracket_balance.fault("js", source) is None


UNITS = ("(", "a=`${", '\\"', "=/[", '"', "}", "a/", "#else\n", "'", 'R"(', "$a$", "/*", "$(", '"$(', "\n<<A\nA\n", "if ", "${",
         "<a>", "<script>", "<!--", '<a "', "</a>", "<svg>", "](javascript:(", "<a onx='", "<style>", "<b a=b ")  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_hostile_code_costs_no_more_than_its_length(unit: str) -> None:
    source = unit * (SIZE // len(unit))
    began = time.process_time()
    for language in ("js", "c", "rust", "sql", "csharp", "go", "css"):
        bracket_balance.fault(language, source)
    shell_syntax.fault(source)
    html_syntax.fault(source)
    active_elements(Text(source))
    # Ten checks of 40,000 characters each: a quadratic one would take minutes.
    assert time.process_time() - began < 5.0


def test_elements_end_where_they_end() -> None:
    value = 'A <script>if (1<2) { x("</b>") }</script> b <iframe srcdoc="<p>q</p>"></iframe> c <svg><g onload=x()></g></svg> d'
    parts = [part for element in active_elements(Text(value)) for part in element.parts]
    left = "".join(
        char for at, char in enumerate(value) if not any(part.contains(at) for part in parts)
    )
    assert left == "A  b  c  d"
