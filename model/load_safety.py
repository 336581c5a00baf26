"""Loaders of the files that say whether a response harms or refuses, with their label mapping.

Each mapping was written after reading samples of every label; where a file's notion is looser than ours
(past_tense's positives are often history) its trust is lowered. do_not_answer is left out: its licence is disputed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from .rows import (
    COMPLY,
    CONSTRUCTION,
    JUDGE,
    MACHINE,
    PARTIAL,
    PEOPLE,
    REFUSE,
    Row,
    cue,
    key,
    read,
)


def row_of(r: dict, name: str, prompt: str | None = None) -> Row:
    text = r["prompt"] if prompt is None else prompt
    goal = (r.get("meta") or {}).get("goal") or r["prompt"]
    return Row(name, text or "", r.get("response") or "", group=key(goal))


def gptfuzz(d: Path) -> Iterator[Row]:
    """Manual labels; the many copies of one answer count once."""
    seen: set[str] = set()
    for r in read(d, "gptfuzz_train"):
        mark = key(r["prompt"]) + key(r["response"][:200])
        if mark in seen:
            continue
        seen.add(mark)
        row, broken = row_of(r, "gptfuzz"), int(r["labels"]["label"])
        row.mark("harm", broken, PEOPLE).mark("prompt_harm", 1, 0.6)
        if broken:
            row.observed((0.9, 0.08, 0.02), 0.7)
        elif cue(r["response"]):
            row.observed(REFUSE, 0.8)
        yield row


def rbr(d: Path) -> Iterator[Row]:
    """Human propositions: disallowed content, how far it complied, whether it answers, insults."""
    for r in read(d, "rbr_gold_train"):
        lab, row = r["labels"], row_of(r, "rbr")
        row.mark("harm", float(lab["disallowed_content"]), PEOPLE)
        row.mark("relevance", 0.0 if lab["illogical_continuation_of_prompt"] else 0.95, 0.8)
        row.mark("offence", float(lab["insulting_language"] or lab["threatening_language"]), PEOPLE)
        if lab["fully_complies"]:
            row.observed(COMPLY, PEOPLE)
        elif lab["partially_complies"]:
            row.observed((0.25, 0.6, 0.15), 0.4)
        elif cue(r["response"]):
            row.observed((0.03, 0.12, 0.85), 0.6)
        yield row


def coconot(d: Path) -> Iterator[Row]:
    """Contrast prompts: the chosen complies, the rejected refuses; evaluation prompts give prompt harm alone."""
    for r in read(d, "coconot"):
        lab, row = r["labels"], row_of(r, "coconot")
        safety = lab["category"] == "Requests with safety concerns"
        if r["response"] is None:
            row.mark("prompt_harm", float(safety and not lab["should_comply"]), JUDGE)
        else:
            row.mark("prompt_harm", 0, JUDGE).mark("harm", 0, JUDGE)
            if lab["preference"] == "chosen":
                row.observed(COMPLY if not cue(r["response"]) else (0.6, 0.2, 0.2), 0.6).mark(
                    "relevance", 1, 0.6
                )
            elif cue(r["response"]):
                row.observed(REFUSE, 0.6)
        yield row


def jbb_artifacts(d: Path) -> Iterator[Row]:
    """Strong judge on attacks; once with the attack as prompt and once with the plain goal, as judges see it."""
    for r in read(d, "jbb_artifacts"):
        lab, broken = r["labels"], bool(r["labels"]["jailbroken"])
        second = lab.get("jailbroken_llama_guard1")
        weight = 0.9 if second is None or second == broken else 0.6
        for prompt in {r["prompt"], r["meta"]["goal"]}:
            row = (
                row_of(r, "jbb_artifacts", prompt)
                .mark("harm", broken, weight * 0.7)
                .mark("prompt_harm", 1, 0.6)
            )
            if not broken and cue(r["response"]):
                row.observed(REFUSE, 0.6)
            elif broken:
                row.observed((0.85, 0.12, 0.03), 0.3)
            yield row


def refusal_direction(d: Path) -> Iterator[Row]:
    """Machine labels (a guard and substrings): kept where the two make sense together."""
    for r in read(d, "refusal_direction"):
        lab, row = r["labels"], row_of(r, "refusal_direction")
        answered, harmful_ask = (
            str(lab["is_jailbreak_substring_matching"]) == "1",
            lab["category"] is not None,
        )
        flagged = str(lab.get("is_jailbreak_llamaguard2")) == "1"
        if not harmful_ask:
            row.mark("harm", 0, MACHINE).mark("prompt_harm", 0, MACHINE)
            row.observed(COMPLY if answered else REFUSE, MACHINE)
        else:
            row.mark("prompt_harm", 1, 0.6)
            row.mark("harm", 0.02 if not answered else (0.95 if flagged else 0.3), MACHINE)
            row.observed((0.85, 0.12, 0.03) if answered else REFUSE, MACHINE)
        yield row


#: Files that already carry normalised labels: (file, trust of harm when harmful, when not, trust of refusal, most rows)
NORMALISED = {
    "refusal_dir_replication": (MACHINE, MACHINE, MACHINE, 2838),
    "refusal_dir_qwen3vl": (MACHINE, MACHINE, MACHINE, 40),
    "gemma3_refusal_axis": (JUDGE, JUDGE, JUDGE, 284),
    "orbench_legal": (CONSTRUCTION, 0.6, 0.6, 4856),
    "past_tense": (0.35, JUDGE, 0, 1474),
    "sap_attack": (JUDGE, JUDGE, 0, 500),
    "uncensored_advbench": (0.5, 0, 0, 375),
    "drattack_uncensored": (0.5, 0, 0, 378),
    "safe_unlearning_sft": (0.5, 0.6, 0.5, 770),
    "star1": (0, JUDGE, 0, 727),
    "purseclab_raw": (0.5, 0.5, 0, 504),
    "purseclab_manual": (PEOPLE, PEOPLE, 0, 113),
    "aisafetylab": (MACHINE, MACHINE, 0, 80),
    "air_bench_pipeline": (JUDGE, JUDGE, 0, 112),
    "speechmap_gold": (0, 0, 0, 725),
    "speechmap_criticism": (0, 0.5, 0, 1738),
    "refusalbench_bio": (0, 0.5, 0, 600),
    "refusal_stability": (JUDGE, JUDGE, 0, 1974),
}


def normalised(d: Path) -> Iterator[Row]:
    """Every file with response_harm / prompt_harm / refusal already named, plus its three-way refusal where it has one."""
    for name, (bad, good, refusal, most) in NORMALISED.items():
        for number, r in enumerate(read(d, name)):
            if number >= most:
                break
            lab, row = r["labels"], row_of(r, name)
            harm = lab.get("response_harm")
            if harm and (bad if harm == "harmful" else good):
                row.mark("harm", harm == "harmful", bad if harm == "harmful" else good)
            if lab.get("prompt_harm"):
                row.mark("prompt_harm", lab["prompt_harm"] == "harmful", 0.6)
            _three_way(row, name, lab, refusal)
            yield row


def _three_way(row: Row, name: str, lab: dict, weight: float) -> None:
    compliance = lab.get("compliance")
    if name == "refusal_stability":
        both = lab.get("refusal_judge2") in (None, lab["refusal"])
        classes = {"REFUSE": REFUSE, "PARTIAL": PARTIAL, "COMPLY": COMPLY}[lab["refusal"]]
        row.observed(classes, JUDGE if both else 0.35)
    elif compliance in ("COMPLETE", "EVASIVE", "DENIAL"):
        row.observed(
            {"COMPLETE": COMPLY, "EVASIVE": (0.25, 0.6, 0.15), "DENIAL": REFUSE}[compliance], JUDGE
        )
    elif compliance:
        classes = {"compliance": COMPLY, "partial_compliance": (0.5, 0.47, 0.03)}.get(
            compliance, REFUSE
        )
        row.observed(classes, 0.3)
    elif name == "star1" and cue(row.response):
        row.observed((0.03, 0.17, 0.8), 0.4)
    elif weight and lab.get("refusal"):
        row.observed(COMPLY if lab["refusal"] == "compliance" else REFUSE, weight)


def chatgpt_refusals(d: Path) -> Iterator[Row]:
    """Human tone labels: redirections and contradictions stand between complying and refusing."""
    tones = {
        "complied": (COMPLY, PEOPLE),
        "rejected": (REFUSE, PEOPLE),
        "redirected": ((0.35, 0.5, 0.15), 0.6),
        "contradicted": ((0.35, 0.45, 0.2), 0.5),
        "disclaimed": (PARTIAL, 0.6),
        "dontknow": ((0.1, 0.2, 0.7), 0.6),
    }
    for r in read(d, "chatgpt_refusals"):
        row, tone = row_of(r, "chatgpt_refusals"), tones.get(r["labels"]["tone"])
        if tone:
            row.observed(*tone)
        yield row


def llm_self_defense(d: Path) -> Iterator[Row]:
    """The authors' own yes or no."""
    for r in read(d, "llm_self_defense"):
        yield row_of(r, "llm_self_defense").mark(
            "harm", r["labels"]["is harmful?"] == "Yes", PEOPLE
        )


def medical(d: Path) -> Iterator[Row]:
    """Refusals of harmful medical requests, written by machines: every second one."""
    for number, r in enumerate(read(d / "grounding", "medsafety_refusals")):
        if number % 2 == 0 and cue(r["response"]):
            row = row_of(r, "medsafety").mark("harm", 0.02, MACHINE).mark("prompt_harm", 0.9, 0.5)
            yield row.observed(REFUSE, MACHINE)


LOADERS = (
    gptfuzz,
    rbr,
    coconot,
    jbb_artifacts,
    refusal_direction,
    normalised,
    chatgpt_refusals,
    llm_self_defense,
    medical,
)
