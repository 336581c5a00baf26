"""A batch as SARIF 2.1.0: a result a finding, at the line of its row, by the criterion it speaks of."""

from __future__ import annotations

import gzip
import hashlib
import heapq
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from fairwitness.contract.evaluation import FindingItem, Severity
from fairwitness.evaluator.protocol import CriterionSpec
from fairwitness.reports.printable import visible
from fairwitness.reports.reported_rows import ReportedRow, Totals

# GitHub takes at most so many results of one run: the gravest are kept, the first of equals.
MAX_RESULTS = 25_000
# And so many bytes, once it is compressed.
MAX_COMPRESSED_BYTES = 10_000_000
_MAX_TEXT = 1000
_LEVELS: dict[Severity, str] = {
    "critical": "error",
    "high": "error",
    "medium": "warning",
    "low": "note",
    "info": "note",
}
_GRAVITY: dict[Severity, int] = {"critical": 4, "high": 3, "medium": 2, "low": 1, "info": 0}


class SarifReport:
    """The gravest findings of a batch."""

    def __init__(self, criteria: Sequence[CriterionSpec], version: str) -> None:
        """Name the protocol's criteria as rules, and the evaluator's version."""
        self._criteria = criteria
        self._version = version
        self._index = {spec.id: index for index, spec in enumerate(criteria)}
        # A heap whose least is the next to go: gravity, then how early it came.
        self._kept: list[tuple[int, int, dict[str, Any]]] = []
        self._seen = 0

    def add(self, row: ReportedRow) -> None:
        """Take the findings of one row."""
        if row.evaluation is None:
            return
        occurrences: Counter[tuple[str, str]] = Counter()
        for finding in row.evaluation.findings:
            self._seen += 1
            quoted = "\0".join(item.text for item in finding.evidence)
            occurrences[finding.criterion_id, quoted] += 1
            nth = occurrences[finding.criterion_id, quoted]
            item = (
                _GRAVITY[finding.severity],
                -self._seen,
                self._result(row, finding, quoted, nth),
            )
            if len(self._kept) < MAX_RESULTS:
                heapq.heappush(self._kept, item)
            else:
                heapq.heappushpop(self._kept, item)

    def write(self, path: Path, totals: Totals) -> None:
        """Write the file, results in the order of the rows; what would not be taken is left out."""
        content = self._content(totals)
        while len(gzip.compress(content)) > MAX_COMPRESSED_BYTES:
            for _ in range(len(self._kept) // 5 + 1):
                heapq.heappop(self._kept)
            content = self._content(totals)
        path.write_bytes(content)

    def _content(self, totals: Totals) -> bytes:
        results = [result for _, _, result in sorted(self._kept, key=lambda item: -item[1])]
        run = {
            "tool": {
                "driver": {
                    "name": "Fair Witness",
                    "semanticVersion": self._version,
                    "rules": [_rule(spec) for spec in self._criteria],
                }
            },
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": {
                "rows": totals.rows,
                "findingsLeftOut": self._seen - len(results),
                **totals.made_by.to_dict(),
            },
        }
        content = {
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        }
        return msgspec.json.encode(content) + b"\n"

    def _result(
        self, row: ReportedRow, finding: FindingItem, quoted: str, nth: int
    ) -> dict[str, Any]:
        mark = "\0".join((finding.criterion_id, quoted, str(nth), row.id)).encode()
        # The line alone: a row's text is escaped in its file, so columns would not be those of the text.
        region = {"startLine": row.line}
        return {
            "ruleId": finding.criterion_id,
            "ruleIndex": self._index[finding.criterion_id],
            "level": _LEVELS[finding.severity],
            "message": {"text": visible(f"Row {row.id}: {finding.message}"[:_MAX_TEXT])},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": quote(row.file)},
                        "region": region,
                    }
                }
            ],
            "partialFingerprints": {"fairwitness/v1": hashlib.sha256(mark).hexdigest()},
        }


def _rule(spec: CriterionSpec) -> dict[str, Any]:
    return {
        "id": spec.id,
        "name": spec.title,
        "shortDescription": {"text": spec.title},
        "fullDescription": {"text": spec.question},
        "defaultConfiguration": {"level": "warning"},
    }
