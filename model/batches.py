"""Turns rows and pairs into sequences of token ids, and those into padded batches of about equal work."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from fairwitness.evaluator.readers.framing import PASSAGE_TOKENS, held_against, spelled, windows

from . import qwen
from .rows import AGAINST, BINARY, HEADS, Pair, Row, held

HELD_HEADS = [HEADS.at(name) for name in AGAINST]
OTHER_HEADS = [HEADS.at(name) for name in BINARY if name not in AGAINST]
RANKS = slice(HEADS.refusal.stop, HEADS.outputs)


class Corpus:
    """Unique sequences (prompt, response, whether held against), their targets, and the pairs between them."""

    def __init__(self, rows: list[Row], pairs: list[Pair]) -> None:
        self.texts: list[tuple[str, str, bool]] = []
        self.index: dict[tuple[str, str, bool], int] = {}
        self.rows = [(self._at(r.prompt, r.response, r.against), r) for r in rows]
        self.pairs = [(self._at(p.prompt, p.a), self._at(p.prompt, p.b), p) for p in pairs]
        self.train_rows = [k for k, (_, r) in enumerate(self.rows) if not held(r.source, r.group)]
        self.train_pairs = [
            k for k, (_, _, p) in enumerate(self.pairs) if not held(p.source, p.group)
        ]
        self.ids: list[np.ndarray] = []
        self.side1: list[int] = []

    def _at(self, prompt: str, response: str, against: bool = False) -> int:
        name = (prompt, response, against)
        if name not in self.index:
            self.index[name] = len(self.texts)
            self.texts.append(name)
        return self.index[name]

    def tokenise(self, kind: str, tokenizer_file: str) -> None:
        """Token ids of every sequence: the first window for the student, chat framing for Qwen."""
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(tokenizer_file)
        tokenizer.no_truncation()
        tokenizer.no_padding()
        number = np.uint16 if tokenizer.get_vocab_size() <= 1 << 16 else np.uint32
        sides = [sorted({t[k] for t in self.texts}) for k in (0, 1)]
        coded = []
        for words in sides:
            found = {}
            for at in range(0, len(words), 20000):
                part = words[at : at + 20000]
                found.update(
                    zip(
                        part,
                        (
                            np.asarray(e.ids, number)
                            for e in tokenizer.encode_batch(
                                [spelled(t)[0] for t in part], add_special_tokens=False
                            )
                        ),
                        strict=False,
                    )
                )
            coded.append(found)
        user, reply = (tokenizer.encode(t).ids for t in ("user\n", "assistant\n"))
        self.ids, self.side1 = [], []
        for prompt, response, against in self.texts:
            p, r = coded[0][prompt].tolist(), coded[1][response].tolist()
            if kind == "student" and against:
                ids, sides_ = held_against(p, r)
            elif kind == "student":
                window = windows(p, r)[0]
                ids, sides_ = window.ids, window.sides
            else:
                most = PASSAGE_TOKENS if against else qwen.PROMPT_LIMIT
                ids, sides_ = qwen.frame(p, r, user, reply, most)
            self.ids.append(np.asarray(ids, number))
            self.side1.append(len(sides_) - sum(sides_))

    def size(self, at: int) -> int:
        """Tokens of a sequence's response, its end counted."""
        return len(self.ids[at]) - self.side1[at]

    def pad(self, which: list[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """ids, sides and the mask of real tokens of some sequences."""
        longest = max(len(self.ids[i]) for i in which)
        longest = min(512, -(-longest // 8) * 8)
        ids = np.zeros((len(which), longest), np.int64)
        sides = np.zeros((len(which), longest), np.int64)
        real = np.zeros((len(which), longest), bool)
        for k, i in enumerate(which):
            n = len(self.ids[i])
            ids[k, :n], real[k, :n], sides[k, self.side1[i] : n] = self.ids[i], True, 1
        return tuple(torch.from_numpy(x) for x in (ids, sides, real))

    def item(self, number: int) -> tuple:
        """A row, or behind the rows a pair, as `plan` numbers them: ("r", row) or ("p", pair)."""
        if number < len(self.rows):
            return "r", self.rows[number]
        return "p", self.pairs[number - len(self.rows)]

    def plan(
        self,
        budget: int,
        rng: np.random.Generator,
        share: dict[str, float],
        against: bool | None = None,
        labelled: bool = False,
    ) -> Iterator[list[np.ndarray]]:
        """For one epoch after another shuffled batches of numbers of train items, alike in length, each about `budget` tokens.

        `share` says how often an epoch shows the rows of a source: less than once thins it, more repeats it. `against` keeps
        only the sentences held against a passage, or only the rest; `labelled` leaves out rows that say nothing.
        """
        rows = [
            k
            for k in self.train_rows
            if (against is None or self.rows[k][1].against == against)
            and (not labelled or self.rows[k][1].targets or self.rows[k][1].refusal)
        ]
        pairs = [] if against else self.train_pairs
        sources = [self.rows[k][1].source for k in rows] + [self.pairs[k][2].source for k in pairs]
        shares = [share.get(s, share.get(s.partition("_")[0], 1)) for s in sources]
        numbers = np.array([*rows, *(len(self.rows) + k for k in pairs)], np.int64)
        lengths = np.array([len(i) for i in self.ids])
        longest = [lengths[self.rows[k][0]] for k in rows]
        longest += [max(lengths[self.pairs[k][0]], lengths[self.pairs[k][1]]) for k in pairs]
        sizes = np.array(longest)
        while True:
            times = (np.array(shares) + rng.random(len(shares))).astype(int)
            drawn = rng.permutation(np.repeat(np.arange(len(numbers)), times))
            batches = []
            for at in range(0, len(drawn), 8000):
                chunk = drawn[at : at + 8000]
                chunk = chunk[np.argsort(sizes[chunk], kind="stable")]
                batches += self._batches(numbers[chunk], sizes[chunk], budget)
            yield [batches[k] for k in rng.permutation(len(batches))]

    def _batches(self, numbers: np.ndarray, sizes: np.ndarray, budget: int) -> Iterator[np.ndarray]:
        """Cut items sorted by size into batches: the next item is the longest of its batch."""
        start, count = 0, 2
        for k, (number, size) in enumerate(zip(numbers.tolist(), sizes.tolist(), strict=True)):
            if k > start and (size * count > budget or count > 400):
                yield numbers[start:k]
                start, count = k, 2
            count += 1 if number < len(self.rows) else 2
        yield numbers[start:]


def targets(
    corpus: Corpus, batch: np.ndarray, teacher: np.ndarray | None, faith: float
) -> tuple[list[int], dict[str, torch.Tensor]]:
    """The sequences of a batch and what each head should say: labels, mixed with the teacher where there is one.

    Of pairs, `pairs` says which two sequences and on which head, `said` how likely the first is better, the pair's weight, and how
    much longer the first is.
    """
    which: list[int] = []
    pairs: list[tuple] = []
    rows: list[Row | None] = []
    for kind, item in map(corpus.item, batch.tolist()):
        if kind == "r":
            rows.append(item[1])
            which.append(item[0])
        else:
            a, b, p = item
            longer = float(np.log(corpus.size(a) / corpus.size(b)))
            for on in p.on.split("+"):
                pairs.append((len(which), len(which) + 1, HEADS.at(on), p.p, p.weight, longer))
            for seq, fits in ((a, 0.97), (b, 0.03)):
                row = Row("", "", "").mark("relevance", fits, 0.6)
                rows.append(row if p.source == "neighbour" else None)
                which.append(seq)
    n, k = len(which), len(BINARY)
    y, w = np.zeros((n, k), np.float32), np.zeros((n, k), np.float32)
    ry, rw = np.zeros((n, 3), np.float32), np.zeros(n, np.float32)
    ry[:, 0] = 1
    qy, qw = np.zeros((n, RANKS.stop - RANKS.start), np.float32), np.zeros(n, np.float32)
    if teacher is not None:
        logits = teacher[which].astype(np.float32)
        held_ = np.array([corpus.texts[i][2] for i in which])
        y[:] = 1 / (1 + np.exp(-logits[:, :k]))
        w[:, OTHER_HEADS] = np.where(held_, 0, faith)[:, None]
        w[:, HELD_HEADS] = np.where(held_, faith, 0)[:, None]
        e = np.exp(logits[:, HEADS.refusal] - logits[:, HEADS.refusal].max(1, keepdims=True))
        ry, rw[:] = e / e.sum(1, keepdims=True), np.where(held_, 0, faith)
        qy, qw[:] = logits[:, RANKS], np.where(held_, 0, 0.1 * faith)
    for at, row in enumerate(rows):
        if row is None:
            continue
        for name, value in row.targets.items():
            j, weight = HEADS.at(name), row.weights[name]
            # A label of full weight (rows made by rule, FEVER) is certain: the teacher has no say.
            own = weight if teacher is None or weight == 1 else min(0.7, 0.2 + 0.6 * weight)
            y[at, j] = value if teacher is None else own * value + (1 - own) * y[at, j]
            w[at, j] = weight if teacher is None else max(faith, weight)
        if row.refusal:
            weight = row.weights["refusal"]
            own = 1.0 if teacher is None else min(0.7, 0.2 + 0.6 * weight)
            ry[at] = own * np.asarray(row.refusal) + (1 - own) * ry[at]
            rw[at] = weight if teacher is None else max(faith, weight)
    aim = {"y": y, "w": w, "ry": ry, "rw": rw, "qy": qy, "qw": qw}
    if pairs:
        first, second, on, *said = zip(*pairs, strict=True)
        aim["pairs"], aim["said"] = np.array([first, second, on]), np.array(said, np.float32)
    return which, {name: torch.from_numpy(value) for name, value in aim.items()}


class Batches(torch.utils.data.Dataset):
    """Planned batches made ready one at a time, by whichever process asks."""

    def __init__(
        self, corpus: Corpus, planned: list[np.ndarray], teacher: np.ndarray | None, faith: float
    ) -> None:
        self.corpus, self.planned, self.teacher, self.faith = corpus, planned, teacher, faith

    def __len__(self) -> int:
        return len(self.planned)

    def __getitem__(self, at: int) -> tuple[tuple[torch.Tensor, ...], dict]:
        which, aim = targets(self.corpus, self.planned[at], self.teacher, self.faith)
        return self.corpus.pad(which), aim
