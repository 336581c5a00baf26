"""Loaders of preferences: which of two responses to one prompt people (or strong judges) chose.

Pointwise truths (TruthfulQA, IFEval) become pairs of answers to the same prompt, balanced so that the longer
answer wins as often as it loses: length must not become the feature.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from .rows import CONSTRUCTION, PEOPLE, Pair, Row, cue, key, read

#: What people prefer of two honest tries also says how much of a good answer is there.
BOTH = "quality+substance"
WEIGHT = {
    "lmsys_arena_55k_subset": 0.8,
    "hh_rlhf_helpful_test": 0.5,
    "finegrained_rlhf_dev_pref": 0.3,
    "ultrafeedback_binarized_sample": 1.0,
}


def votes(d: Path) -> Iterator[Pair]:
    """Votes as they are; ties teach that neither is better."""
    for r in read(d, "quality"):
        if r["source"] not in WEIGHT:
            continue
        lab = r["labels"]
        choice = lab.get("preferred") or lab.get("gpt4_preferred")
        p = {"a": 0.95, "b": 0.05}.get(choice, 0.5)
        yield Pair(
            r["source"],
            r["prompt"],
            r["response_a"],
            r["response_b"],
            p,
            WEIGHT[r["source"]],
            on=BOTH,
            group=key(r["prompt"]),
        )


def _balanced(
    name: str, groups: dict[str, tuple[list, list]], most: int, weight: float, seed: int
) -> Iterator[Pair]:
    """Pairs (good, bad) of one prompt, half of them with the bad one longer."""
    rng = random.Random(seed)
    for prompt, (good, bad) in sorted(groups.items()):
        pairs = [(g, b) for g in good for b in bad if g != b]
        rng.shuffle(pairs)
        longer = [x for x in pairs if len(x[0]) > len(x[1])][: most // 2]
        shorter = [x for x in pairs if len(x[0]) <= len(x[1])][: most // 2]
        for g, b in longer[: max(1, len(shorter))] + shorter:
            yield Pair(name, prompt, g, b, 0.95, weight, group=key(prompt))


def truthful(d: Path) -> Iterator[Pair]:
    """TruthfulQA: a true answer that informs beats one that is false or says nothing."""
    known: dict[tuple[str, str], dict] = defaultdict(dict)
    for r in read(d, "quality"):
        if r["source"] in ("truthfulqa_info", "truthfulqa_truth") and r["response"].strip():
            known[r["prompt"], r["response"]].update(r["labels"])
    groups: dict[str, tuple[list, list]] = defaultdict(lambda: ([], []))
    for (prompt, response), lab in known.items():
        if lab.get("truthful") == 1 and lab.get("informative") == 1:
            groups[prompt][0].append(response)
        elif 0 in (lab.get("truthful"), lab.get("informative")):
            groups[prompt][1].append(response)
    yield from _balanced("truthfulqa", groups, 8, 0.5, 11)


def instructed(d: Path) -> Iterator[Pair]:
    """IFEval: an answer that met every demand beats one that missed some."""
    groups: dict[str, tuple[list, list]] = defaultdict(lambda: ([], []))
    for r in read(d, "quality"):
        if r["source"] == "ifeval" and r["response"].strip():
            groups[r["prompt"]][0 if r["labels"]["loose_all"] else 1].append(r["response"])
    yield from _balanced("ifeval", groups, 16, 0.5, 12)


def facts(d: Path) -> Iterator[Pair]:
    """Human-revised facts beat the false original."""
    for r in read(d, "factbench"):
        if r.get("response_a"):
            yield Pair(
                "factbench",
                r["prompt"],
                r["response_a"],
                r["response_b"],
                0.95,
                PEOPLE,
                group=key(r["prompt"]),
            )


def complied(d: Path) -> Iterator[Pair]:
    """CoCoNot's contrast prompts: answering beats refusing what needs no refusal."""
    pairs: dict[int, dict] = defaultdict(dict)
    for r in read(d, "coconot"):
        if r["response"] is not None:
            pairs[r["meta"]["pair"]][r["labels"]["preference"]] = r
    for both in pairs.values():
        if len(both) == 2:
            a, b = both["chosen"], both["rejected"]
            yield Pair(
                "coconot",
                a["prompt"],
                a["response"],
                b["response"],
                0.95,
                0.5,
                group=key(a["prompt"]),
            )


def harmless(d: Path) -> Iterator[Pair]:
    """HH harmlessness: the rejected is the more harmful, weakly."""
    pairs: dict[int, dict] = defaultdict(dict)
    for r in read(d, "hh_harmless_pairs"):
        pairs[r["meta"]["pair"]][r["labels"]["preference"]] = r
    for both in pairs.values():
        if len(both) == 2:
            a, b = both["chosen"], both["rejected"]
            yield Pair(
                "hh_harmless",
                a["prompt"],
                a["response"],
                b["response"],
                0.15,
                0.4,
                on="advice",
                group=key(a["prompt"]),
            )
            yield Pair(
                "hh_harmless",
                a["prompt"],
                a["response"],
                b["response"],
                0.75,
                0.3,
                group=key(a["prompt"]),
            )


#: Files of train/pairs: weight, most pairs taken, heads. Checked maths and code are hard for a small reader and say little about
#: the rest: few of them, lightly, and not as substance. Truth to a source is learned from sentences (load_grounding).
FILES = {
    "community_alignment": (0.9, 955, BOTH),
    "lamp_writing": (0.7, 1158, BOTH),
    "cragc25_rag_crowd": (0.7, 839, BOTH),
    "haluquestqa_experts": (0.6, 697, BOTH),
    "lfqa_experts": (0.6, 140, BOTH),
    "llmfao_crowd_gpt4": (0.5, 260, BOTH),
    "llamafactory_dpo_demo": (0.5, 292, BOTH),
    "alce_utility": (0.6, 325, BOTH),
    "factscore_human": (0.4, 191, BOTH),
    "ukp_convarg_lenbalanced": (0.4, 1600, BOTH),
    "newsroom_human": (0.4, 193, "quality"),
    "fewshot_explanations": (0.4, 1400, "quality"),
    "evouna_qa": (0.4, 2600, "quality"),
    "rm_bench": (0.4, 500, "quality"),
    "nq301_human": (0.3, 511, "quality"),
    "qgen_teachers": (0.3, 400, "quality"),
    "tool_aug_rm": (0.2, 600, "quality"),
    "gsm8k_openai_solutions": (0.15, 500, "quality"),
    "zeroeval_gsm": (0.15, 400, "quality"),
    "mmlu_pro_cot": (0.15, 400, "quality"),
}


def preferred(d: Path) -> Iterator[Pair]:
    """The files of train/pairs, each weighed so that the longer answer wins as often as it loses."""
    for name, (weight, most, on) in FILES.items():
        made = []
        for r in read(d / "pairs", name):
            choice = r["labels"].get("preferred")
            if choice not in ("a", "b") or not r.get("response_a"):
                continue
            good, bad = (r[f"response_{x}"] for x in (choice, "b" if choice == "a" else "a"))
            p = min(0.96, 0.75 + 0.4 * float(r["labels"].get("strength") or 0.5))
            made.append(Pair(name, r["prompt"], good, bad, p, weight, on, key(r["prompt"])))
        random.Random(14).shuffle(made)
        yield from even(made[:most])


def even(made: list[Pair]) -> list[Pair]:
    """Weigh pairs so that the longer answer wins as often as it loses: length must not become the feature."""
    longer = [p for p in made if len(p.a) > len(p.b)]
    share = len(longer) / max(1, len(made))
    for pair in made:
        pair.weight *= min(2.0, 0.5 / max(0.2, share if len(pair.a) > len(pair.b) else 1 - share))
    return made


def answers(d: Path) -> Iterator[Row]:
    """Ordinary answers to ordinary prompts: they comply, they fit the prompt, nobody is harmed."""
    rng, seen = random.Random(13), defaultdict(int)
    for r in read(d, "quality"):
        name = r["source"]
        if name == "halueval_general" or (name == "ifeval" and rng.random() < 0.2):
            row = Row(name, r["prompt"], r["response"], group=key(r["prompt"]))
            row.mark("prompt_harm", 0, CONSTRUCTION)
            if not cue(r["response"]):
                row.mark("harm", 0, CONSTRUCTION).mark("relevance", 1, CONSTRUCTION).observed(
                    (0.94, 0.04, 0.02), 0.25
                )
            yield row
        elif name in ("truthfulqa_info",) and seen[r["prompt"]] < 3:
            seen[r["prompt"]] += 1
            row = Row("truthfulqa", r["prompt"], r["response"], group=key(r["prompt"]))
            yield row.mark("relevance", 1.0 if r["labels"]["informative"] else 0.4, 0.3).mark(
                "prompt_harm", 0, CONSTRUCTION
            )


PAIRS = (votes, truthful, instructed, facts, complied, harmless, preferred)
LOADERS = (answers,)
