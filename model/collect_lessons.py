"""Takes newly written lessons in: python -m model.collect_lessons --new FOLDER --bench BENCH.

Lines that do not parse, that nearly repeat an earlier line, or whose prompt or context is a benchmark row's are left out; so is
every text that shares a run of eight words with one, or equals one. A set that loses a side goes. Counts are printed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from .lessons import FOLDER

RUN, SHINGLE, ALIKE = 8, 4, 0.8
#: What a line must keep to teach anything: every one of these keys that it has.
SIDES = ("yes", "no", "supported", "contradicted", "unsupported", "better", "worse", "response")
ASKED = ("prompt", "context", "task")


def words(text: str) -> list[str]:
    """Lower-case words alone."""
    return re.findall(r"[^\W_]+", text.lower())


def runs(text: str, size: int) -> set[int]:
    """Every run of that many words, as a number."""
    found = words(text)
    return {hash(tuple(found[i : i + size])) for i in range(len(found) - size + 1)}


class Bench:
    """What the benchmark holds: runs of words, and whole texts."""

    def __init__(self, folder: Path) -> None:
        self.runs: set[int] = set()
        self.texts: set[str] = set()
        for path in sorted(folder.glob("*.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    row = json.loads(line)
                    for name in ("prompt", "context", "response", "response_a", "response_b"):
                        if row.get(name):
                            self.runs |= runs(row[name], RUN)
                            self.texts.add(" ".join(words(row[name])))

    def holds(self, text: str) -> bool:
        """Whether a text equals one of the benchmark's (three words or more), or shares a run of words with one."""
        found = words(text)
        same = len(found) > 2 and " ".join(found) in self.texts
        return same or not self.runs.isdisjoint(runs(text, RUN))


def texts(item: dict) -> Iterator[str]:
    """Every text of a line."""
    for name, value in item.items():
        if name != "why" and isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (text for text in value if isinstance(text, str))


def cleaned(item: dict, bench: Bench, counts: Counter) -> dict | None:
    """The line without texts the benchmark holds; None where too little is left."""
    if any(bench.holds(item[name]) for name in ASKED if isinstance(item.get(name), str)):
        counts["asked as in the benchmark"] += 1
        return None
    kept = {}
    for name, value in item.items():
        if isinstance(value, list):
            fine = [t for t in value if isinstance(t, str) and t.strip() and not bench.holds(t)]
            counts["texts as in the benchmark"] += len(value) - len(fine)
            kept[name] = fine
        elif name in SIDES and isinstance(value, str) and bench.holds(value):
            counts["texts as in the benchmark"] += 1
            kept[name] = ""
        else:
            kept[name] = value
    if any(not kept[name] for name in SIDES if item.get(name)):
        counts["a side lost"] += 1
        return None
    return kept


class Seen:
    """Earlier lines, to know near repetitions by."""

    def __init__(self) -> None:
        self.by: dict[int, list[int]] = defaultdict(list)
        self.sizes: list[int] = []

    def repeats(self, item: dict) -> bool:
        """Whether most of a line's runs are those of one earlier line; it is remembered if not."""
        mine = set().union(*(runs(text, SHINGLE) for text in texts(item)), set())
        mine = mine or {hash(" ".join(texts(item)))}
        shared = Counter(at for run in mine for at in self.by.get(run, ()))
        for at, count in shared.most_common(3):
            if count / (len(mine) + self.sizes[at] - count) >= ALIKE:
                return True
        for run in mine:
            if len(self.by[run]) < 50:
                self.by[run].append(len(self.sizes))
        self.sizes.append(len(mine))
        return False


def take(path: Path, bench: Bench, seen: Seen, counts: Counter) -> list[dict]:
    """The lines of one file that stay."""
    kept = []
    for line in path.read_text("utf-8").splitlines():
        if not line.strip():
            continue
        counts["lines"] += 1
        try:
            item = json.loads(line)
        except ValueError:
            counts["unreadable"] += 1
            continue
        if not isinstance(item, dict) or not any(
            name in item for name in (*SIDES, "comply", "refuse")
        ):
            counts["no lesson"] += 1
            continue
        fine = cleaned(item, bench, counts)
        if fine is None:
            continue
        if seen.repeats(fine):
            counts["repeated"] += 1
            continue
        kept.append(fine)
    counts["kept"] += len(kept)
    return kept


def main() -> None:
    """Read the new folder, write what stays beside the older lessons, and say what left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--new", type=Path, required=True)
    parser.add_argument("--bench", type=Path, required=True)
    args = parser.parse_args()
    bench, seen, total = Bench(args.bench), Seen(), Counter()
    for path in sorted(args.new.glob("*.jsonl")):
        counts: Counter = Counter()
        kept = take(path, bench, seen, counts)
        lines = [json.dumps(item, ensure_ascii=False) for item in kept]
        (FOLDER / path.name).write_text("".join(line + "\n" for line in lines), "utf-8")
        print(path.name, dict(counts), flush=True)
        total += counts
    print("all", dict(total), flush=True)


if __name__ == "__main__":
    main()
