"""Taking lessons in: what overlaps the benchmark, or nearly repeats an earlier line, leaves."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from model.collect_lessons import Bench, Seen, cleaned, take

KNOWN = "the quick brown fox jumps over the lazy dog near the river"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    with gzip.open(tmp_path / "x.jsonl.gz", "wt") as out:
        out.write(json.dumps({"prompt": "Name three rivers.", "response": KNOWN}) + "\n")
    return Bench(tmp_path)


def test_a_run_of_eight_words_or_a_whole_text_is_held(bench: Bench) -> None:
    assert bench.holds("He said: The quick brown fox jumps over the LAZY, and left.")
    assert not bench.holds("The quick brown fox jumps over the wall.")
    assert bench.holds("name three rivers")
    assert not bench.holds("rivers")


def test_a_text_the_benchmark_holds_leaves_and_a_set_without_a_side_goes(bench: Bench) -> None:
    counts: Counter[str] = Counter()
    kept = cleaned({"prompt": "q", "yes": [KNOWN, "fine"], "no": ["other"]}, bench, counts)
    assert kept == {"prompt": "q", "yes": ["fine"], "no": ["other"]}
    assert cleaned({"prompt": "q", "yes": [KNOWN], "no": ["other"]}, bench, counts) is None
    innocent = {"prompt": "q", "yes": [], "no": ["other"]}
    assert cleaned(innocent, bench, counts) == innocent
    assert (
        cleaned({"prompt": "Name three rivers.", "yes": ["a"], "no": ["b"]}, bench, counts) is None
    )
    assert counts["texts as in the benchmark"] == 2


def test_near_repetitions_and_bad_lines_are_counted_out(bench: Bench, tmp_path: Path) -> None:
    text = "a long enough line about the harbour, its boats, its gulls and the smell of tar at noon"
    items = [
        json.dumps({"prompt": "q", "yes": [text], "no": ["b"]}),
        json.dumps({"prompt": "q", "yes": [text + " today"], "no": ["b"]}),
        json.dumps({"prompt": "q", "yes": ["something else altogether, about tea"], "no": ["b"]}),
        "{broken",
        json.dumps({"unknown": "keys"}),
    ]
    (tmp_path / "new.jsonl").write_text("\n".join(items))
    counts: Counter[str] = Counter()
    assert len(take(tmp_path / "new.jsonl", bench, Seen(), counts)) == 2
    assert counts["repeated"] == counts["unreadable"] == counts["no lesson"] == 1
