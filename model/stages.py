"""The steps between the gathered data and a trained student, each reading and writing one work folder.

work/data.jsonl.gz     gathered rows and pairs    work/tokenizer.json  the student's, and MPNet's by a shift
work/lessons.jsonl.gz  lessons, and what follows  work/base.pt         the student's starting weights
work/near.npy          neighbours of prompts      work/mpnet.pt        MPNet's weights
work/out/              soft labels, students      work/gte.pt          the comparer's starting layers
                                                  work/qwen/           Qwen's weights and tokenizer
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from pathlib import Path

import numpy as np
import torch

from . import dataset, gte, int8, judge, lessons, mpnet, neighbours, qwen, reworded, unlabelled
from .batches import Corpus
from .net import Student
from .rows import HEADS
from .train import predict, train

#: Tokens a batch holds.
BUDGET = {"cuda": 32768, "cpu": 2048}
#: Step sizes of body and heads for each kind of teacher.
RATES = {"mpnet": (6e-5, 5e-4), "qwen": (3e-5, 5e-4)}
#: The corpus each kind of teacher reads, and each corpus's tokenizer.
READS = {"mpnet": "student", "qwen": "qwen"}
TOKENIZERS = {"student": "tokenizer.json", "qwen": "qwen/tokenizer.json"}


def gathered(work: Path) -> tuple[list, list]:
    """The gathered rows and pairs, with the neighbours' answers and the lessons."""
    rows, pairs = dataset.load(work / "data.jsonl.gz")
    near_rows, near_pairs = neighbours.negatives(rows, pairs, np.load(work / "near.npy"))
    lessons.mark_plain([*rows, *near_rows])
    more_rows, more_pairs = dataset.load(work / "lessons.jsonl.gz")
    more_rows += unlabelled.made(pairs) + unlabelled.retold(more_rows)
    more_rows += unlabelled.closer([*rows, *more_rows])
    more_rows += reworded.made([*rows, *more_rows], unlabelled.SOURCE, work)
    return rows + near_rows + more_rows, pairs + near_pairs + more_pairs


def look_around(work: Path, device: str) -> None:
    """Find each answered prompt's neighbours by the base model."""
    started = time.time()
    found = neighbours.near(*dataset.load(work / "data.jsonl.gz"), work, device)
    np.save(work / "near.npy", found)
    print(f"neighbours of {len(found)} prompts in {time.time() - started:.0f}s", flush=True)


def teach_lessons(work: Path, limit: int = 0) -> None:
    """Put the lessons beside the gathered data; quick, so that new lessons need no new gathering."""
    taught = dataset.taught(dataset.load(work / "data.jsonl.gz")[0])
    rows, pairs = dataset.sampled(*taught, limit)
    dataset.save(work / "lessons.jsonl.gz", rows, pairs)
    print(f"lessons: {len(rows)} rows, {len(pairs)} pairs", flush=True)


def corpus_of(work: Path, kind: str, limit: int = 0) -> Corpus:
    """The corpus, tokenised for one kind of network; `limit` keeps a few rows for a trial."""
    started, kept = time.time(), work / f"corpus-{kind}.pkl"
    if kept.exists() and not limit:
        return pickle.loads(kept.read_bytes())
    rows, pairs = dataset.sampled(*gathered(work), limit)
    corpus = Corpus(rows, pairs)
    corpus.tokenise(kind, str(work / TOKENIZERS[kind]))
    lengths = np.array([len(i) for i in corpus.ids])
    print(
        f"{kind}: {len(rows)} rows, {len(pairs)} pairs, {len(corpus.texts)} sequences, {lengths.sum() / 1e6:.1f}M tokens, {time.time() - started:.0f}s",
        flush=True,
    )
    if not limit:
        kept.write_bytes(pickle.dumps(corpus))
    return corpus


def report(name: str, net: torch.nn.Module, corpus: Corpus, out: Path, device: str) -> dict:
    """Held-out figures of a network, printed and kept."""
    need, rows, pairs = judge.held_out(corpus)
    found = judge.figures(
        corpus,
        dict(zip(need, predict(net, corpus, need, device=device), strict=False)),
        rows,
        pairs,
    )
    (out / f"figures-{name}.json").write_text(json.dumps(found, indent=1))
    print(name, json.dumps(found), flush=True)
    return found


def soft_labels(
    name: str,
    net: torch.nn.Module,
    corpus: Corpus,
    out: Path,
    device: str,
    against: bool | None = None,
) -> None:
    """Write a network's logits for every sequence, for students to learn from; zeros for those it was not taught."""
    started = time.time()
    which = [k for k, text in enumerate(corpus.texts) if against is None or text[2] == against]
    said = np.zeros((len(corpus.texts), HEADS.outputs), np.float16)
    said[which] = predict(net, corpus, which, device=device)
    np.save(out / f"{name}.npy", said)
    print(f"soft labels in {time.time() - started:.0f}s", flush=True)


def teach(
    work: Path,
    out: Path,
    kind: str,
    seed: int,
    epochs: float,
    seconds: float,
    device: str,
    limit: int = 0,
    against: bool | None = None,
) -> None:
    """Fine-tune a teacher on the labels and write its logits; `against` a passage, a teacher of the comparer alone."""
    corpus = corpus_of(work, READS[kind], limit)
    torch.manual_seed(seed)
    if kind == "mpnet":
        net = mpnet.Mpnet()
        int8.fill(net, work / "mpnet.pt")
    else:
        net = qwen.network()
        qwen.load_into(net, work / "qwen")
    rate, head_rate = RATES[kind]
    train(
        net,
        corpus,
        epochs=epochs,
        rate=rate,
        head_rate=head_rate,
        budget=BUDGET[device],
        seed=seed,
        device=device,
        seconds=seconds,
        against=against,
    )
    report(f"{kind}{seed}", net, corpus, out, device)
    soft_labels(f"{kind}{seed}", net, corpus, out, device, against)


def opinion(out: Path, teachers: tuple[str, ...]) -> np.ndarray:
    """The mean of the teachers' logits."""
    return np.mean([np.load(out / f"{t}.npy").astype(np.float32) for t in teachers], 0)


def checked(said: np.ndarray, corpus: Corpus) -> np.ndarray:
    """Soft labels, after a look whether they are of this corpus: lessons written since make it another one."""
    if len(said) != len(corpus.texts):
        raise SystemExit(
            f"{len(said)} soft labels for {len(corpus.texts)} sequences: write them anew"
        )
    return said


def learn(
    work: Path,
    out: Path,
    seed: int,
    epochs: float,
    seconds: float,
    device: str,
    limit: int = 0,
    teachers: tuple[str, ...] = (),
    faith: float = 0.5,
    rate: float = 1e-4,
    soft: bool = False,
    against: bool = False,
    head_rate: float = 1e-3,
) -> None:
    """Train the student, or `against` a passage its comparer, on labels alone or mixed with the mean of teachers' logits.

    The student reads responses to prompts. The comparer reads sentences held against a passage: it starts with gte-small's
    layers and the student's heads, on the student's embeddings, which it keeps.
    """
    corpus = corpus_of(work, "student", limit)
    name = f"{'comparer' if against else 'student'}{seed}"
    torch.manual_seed(2000 if against else 1000)
    net = Student(layers=gte.LAYERS if against else 6)
    if against:
        student = torch.load(out / f"student{seed}.pt")
        above = {k: v.float() for k, v in student.items() if not k.startswith("blocks.")}
        net.load_state_dict(above | int8.opened(work / "gte.pt"))
        for part in (net.word, net.place, net.side, net.norm):
            part.requires_grad_(False)
    else:
        int8.fill(net, work / "base.pt")
    train(
        net,
        corpus,
        epochs=epochs,
        rate=rate,
        head_rate=head_rate,
        budget=BUDGET[device],
        seed=seed,
        teacher=checked(opinion(out, teachers), corpus) if teachers else None,
        faith=faith,
        device=device,
        seconds=seconds,
        against=against,
    )
    report(name, net, corpus, out, device)
    # The comparer's embeddings are the student's.
    kept = {n for n, p in net.named_parameters() if p.requires_grad or not against}
    torch.save({k: v.half() for k, v in net.state_dict().items() if k in kept}, out / f"{name}.pt")
    if soft:
        soft_labels(name, net, corpus, out, device)


def mean(out: Path, names: tuple[str, ...]) -> None:
    """Write the mean of the weights of trainings that began at the same ones, which is often better than each of them."""
    states = [torch.load(out / f"{name}.pt", map_location="cpu") for name in names]
    mixed = {k: sum(state[k].float() for state in states) / len(states) for k in states[0]}
    torch.save({k: v.half() for k, v in mixed.items()}, out / "mean.pt")


def main() -> None:
    """Run one stage from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "stage", choices=("lessons", "near", "tokenise", "teach", "learn", "compare", "mean")
    )
    parser.add_argument("--kind", choices=tuple(RATES), default="mpnet")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=float, default=2)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--teachers", default="")
    parser.add_argument("--of", default="", help="the trainings to take the mean of")
    parser.add_argument("--faith", type=float, default=0.5)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--head-rate", type=float, default=1e-3)
    parser.add_argument("--soft", action="store_true")
    args = parser.parse_args()
    out = args.out or args.work / "out"
    out.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    if args.stage == "lessons":
        teach_lessons(args.work)
    elif args.stage == "near":
        look_around(args.work, device)
    elif args.stage == "tokenise":
        corpus_of(args.work, READS[args.kind])
    elif args.stage == "mean":
        mean(out, tuple(args.of.split(",")))
    elif args.stage == "teach":
        teach(
            args.work,
            out,
            args.kind,
            args.seed,
            args.epochs,
            args.seconds,
            device,
            args.limit,
        )
    else:
        learn(
            args.work,
            out,
            args.seed,
            args.epochs,
            args.seconds,
            device,
            args.limit,
            tuple(t for t in args.teachers.split(",") if t),
            args.faith,
            args.rate,
            args.soft,
            against=args.stage == "compare",
            head_rate=args.head_rate,
        )


if __name__ == "__main__":
    main()
