"""Packs an exported student into the folder the evaluator loads: int8 graph, tokenizer, and the manifest with its constants."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np

from fairwitness.evaluator.heads import BINARY, HEADS, RANKED, heads_of
from fairwitness.evaluator.readers.encoder import GRAPHS, Encoder, sessions

from .calibrate import (
    UNIT,
    collect,
    collect_asked,
    fit_head,
    samples,
)
from .reader import Read, reader
from .refusal import fit_refusal
from .rows import Pair, Row

LICENCES = {
    "model/lessons": "the project's; written, and rows of the other files judged again, by a large language model",
    "gptfuzz_train": "MIT",
    "diasafety": "Apache-2.0",
    "hh_harmless_pairs": "MIT",
    "rbr_gold_train": "MIT",
    "coconot": "MIT",
    "jbb_artifacts": "MIT",
    "refusal_direction": "Apache-2.0",
    "llm_self_defense": "BSD-3-Clause (held out)",
    "latent_jailbreak": "MIT",
    "davidson_hate_offensive": "MIT",
    "surge_toxicity": "MIT (held out)",
    "presidio_pii": "MIT; names CC-BY-SA-3.0-US",
    "caa_open_ended": "MIT",
    "syco_bench": "MIT-0 (held out)",
    "sycon_bench_sample": "MIT",
    "quality": "Apache-2.0 / MIT by part",
    "dices": "CC-BY-4.0",
    "purseclab_manual": "Apache-2.0 (held out)",
    "chatgpt_refusals": "MIT",
    "refusal_stability": "MIT",
    "orbench_legal": "CC-BY-4.0 / MIT",
    "speechmap_gold": "Apache-2.0",
    "speechmap_criticism": "Apache-2.0",
    "refusalbench_bio": "MIT",
    "gemma3_refusal_axis": "MIT (held out)",
    "refusal_dir_qwen3vl": "Apache-2.0 (held out)",
    "refusal_dir_replication": "MIT",
    "sap_attack": "Apache-2.0",
    "past_tense": "MIT",
    "uncensored_advbench": "Apache-2.0",
    "drattack_uncensored": "MIT",
    "safe_unlearning_sft": "MIT",
    "aisafetylab": "MIT (held out)",
    "air_bench_pipeline": "Apache-2.0 / CC-BY-4.0 (held out)",
    "purseclab_raw": "Apache-2.0",
    "star1": "Apache-2.0",
    "toxigen_human": "MIT",
    "hatemoji_build": "CC-BY-4.0",
    "factbench": "Apache-2.0 (held out)",
    "prompts_only": "Apache-2.0, CC-BY-4.0, MIT by part",
    "grounding/begin_wow_cmu": "CC-BY-4.0",
    "grounding/begin_topicalchat": "CDLA-Sharing-1.0 (held out)",
    "grounding/faithdial_audit": "MIT",
    "grounding/q2_wow": "MIT (held out)",
    "grounding/fever_symmetric": "CC-BY-SA-3.0",
    "grounding/summedits": "Apache-2.0",
    "grounding/xsum_hallucination": "CC-BY-4.0, articles BBC",
    "grounding/wice_claim_dev": "ODC-BY, CC-BY-SA (held out)",
    "grounding/wice_unsupported_tokens": "ODC-BY, CC-BY-SA",
    "grounding/expertqa_claims": "MIT",
    "grounding/factcheckgpt_stance": "Apache-2.0",
    "grounding/halueval_qa_seed": "MIT",
    "grounding/chatprotect_contradiction": "Apache-2.0",
    "grounding/xquad_right_wrong": "CC-BY-SA-4.0 (English passages alone)",
    "grounding/safetext": "MIT",
    "grounding/medsafety_refusals": "MIT",
    "pairs/community_alignment": "CC-BY-4.0",
    "pairs/lamp_writing": "BSD-3-Clause",
    "pairs/cragc25_rag_crowd": "CC-BY-4.0 (held out)",
    "pairs/haluquestqa_experts": "Apache-2.0",
    "pairs/lfqa_experts": "MIT",
    "pairs/llmfao_crowd_gpt4": "CC-BY-4.0",
    "pairs/llamafactory_dpo_demo": "Apache-2.0",
    "pairs/alce_utility": "MIT",
    "pairs/factscore_human": "MIT",
    "pairs/ukp_convarg_lenbalanced": "CC-BY-4.0",
    "pairs/newsroom_human": "MIT",
    "pairs/fewshot_explanations": "Apache-2.0",
    "pairs/evouna_qa": "Apache-2.0",
    "pairs/rm_bench": "ODC-BY",
    "pairs/nq301_human": "MIT",
    "pairs/qgen_teachers": "BSD-3-Clause",
    "pairs/fib_summaries": "CC-BY-4.0",
    "pairs/tool_aug_rm": "MIT",
    "pairs/gsm8k_openai_solutions": "MIT",
    "pairs/zeroeval_gsm": "Apache-2.0",
    "pairs/mmlu_pro_cot": "Apache-2.0",
}


LINES_MEANING = (
    "a probability under accept passes (95% of such held-out rows are fine), at or over fail fails (90% are not), between "
    "them a person should look; decide is the one line where a yes or no is forced. For relevance and support the order is reversed: "
    "at or over accept passes, under fail fails."
)


def named(head: str, low: float, high: float, decide: float) -> dict[str, float]:
    """The lines by what they mean; of relevance and support, low is bad."""
    if head in ("relevance", "support"):
        return {"accept": high, "fail": low, "decide": decide}
    return {"accept": low, "fail": high, "decide": decide}


def digest(path: Path) -> dict:
    """Size and sha256 of a file."""
    data = path.read_bytes()
    return {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def compared(pairs: list[Pair]) -> list[Row]:
    """The two sides of neighbour pairs as rows: the answer fits its prompt, the neighbour's does not."""
    made = []
    for p in pairs:
        if p.source == "neighbour":
            made.append(Row("neighbour", p.prompt, p.a, group=p.group).mark("relevance", 0.97, 0.6))
            made.append(Row("neighbour", p.prompt, p.b, group=p.group).mark("relevance", 0.03, 0.6))
    return made


def tolerance(
    encoder: Encoder, exported: Path, found: list[tuple[Row, np.ndarray]], count: int = 120
) -> dict:
    """How far int8 stands from float32 on held-out rows: the outer bound of what CPU kinds can differ by."""
    full = {name: (exported / f"{name}.fp32.onnx").read_bytes() for name in GRAPHS}
    other = Encoder(sessions(full), encoder._tokenizer, encoder.manifest)
    gaps, flips = [], 0
    whole = [row for row, _ in found if not row.against]
    for row in whole[:: max(1, len(whole) // count)]:
        a, b = encoder.read(row.prompt, row.response), other.read(row.prompt, row.response)
        gaps.append([abs(a[k] - b[k]) for k in ("harm", "hate", "relevance", "quality", "address")])
        flips += (a["harm"] > 0.5) != (b["harm"] > 0.5)
    return {
        "rows": len(gaps),
        "mean": round(float(np.mean(gaps)), 4),
        "p95": round(float(np.percentile(gaps, 95)), 4),
        "max": round(float(np.max(gaps)), 4),
        "harm_flips": int(flips),
    }


def fitted(read: Read, rows: list[Row], pairs: list[Pair]) -> tuple[dict, list]:
    """The part of the manifest that is fitted on held-out rows: constants, lines, figures; and the rows they rest on."""
    rows = [*rows, *compared(pairs)]
    found = collect(read, rows)
    each = {head: samples(found, head) for head in BINARY}
    # The harm of the prompt again, as it speaks where the prompt stands alone: a criterion asks it that way.
    each["asked"] = samples(collect_asked(read, rows), "prompt_harm")
    calibration: dict = {}
    chosen, reports = {}, {}
    for head, by in each.items():
        if not by:
            calibration[head] = [1.0, 0.0]
            continue
        report = fit_head(by)
        calibration[head], chosen[head], reports[head] = (
            report.pop("constants"),
            report.pop("lines"),
            report,
        )
    for name in RANKED:
        spread = np.std([z[HEADS.at(name)] for row, z in found if not row.against])
        calibration[name] = [round(1 / max(0.5, float(spread)), 4), 0.0]
    refusal = fit_refusal(found)
    calibration["refusal"] = {k: refusal.pop(k) for k in ("temperature", "bias")}
    reports["refusal"] = refusal
    made = {
        "calibration": calibration,
        "lines": {h: named(h, *found_lines) for h, found_lines in chosen.items()},
        "lines_meaning": LINES_MEANING,
        "held_out": reports,
    }
    return made, found


def write(target: Path, manifest: dict) -> None:
    """The manifest, as it is read and as people read it."""
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def pack(
    exported: Path, tokenizer: Path, rows: list[Row], pairs: list, target: Path, notes: dict
) -> dict:
    """Calibrate on held-out rows with the int8 file itself and write the folder; returns the manifest."""
    target.mkdir(parents=True, exist_ok=True)
    for name in GRAPHS:
        shutil.copyfile(exported / f"{name}.onnx", target / f"{name}.onnx")
    shutil.copyfile(tokenizer, target / "tokenizer.json")
    files = {
        name: digest(target / name)
        for name in (*(f"{graph}.onnx" for graph in GRAPHS), "tokenizer.json")
    }
    heads = {"heads": HEADS.named()}
    write(target, {"files": files, **heads, **UNIT})
    read = reader(target)
    made, found = fitted(read, rows, pairs)
    manifest = {
        "model": "fairwitness-encoder",
        **notes,
        "files": files,
        **heads,
        **made,
        "data": LICENCES,
    }
    write(target, manifest)
    manifest["tolerance_fp32_int8"] = tolerance(Encoder.load(target), exported, found)
    write(target, manifest)
    return manifest


def refit(target: Path, read: Read, rows: list[Row], pairs: list[Pair]) -> dict:
    """Fit the constants of a packed folder anew, its two files as they are; returns the manifest."""
    manifest = json.loads((target / "manifest.json").read_text())
    if heads_of(manifest) != HEADS:
        raise SystemExit("the packed file has other heads than are trained now")
    made, _ = fitted(read, rows, pairs)
    write(target, {**manifest, **made})
    return {**manifest, **made}
