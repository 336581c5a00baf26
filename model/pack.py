"""Packs an exported student into the folder the evaluator loads: int8 graph, tokenizer, and the manifest with its constants."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np

from fairwitness.evaluator.encoder import BINARY, Encoder

from . import moderation
from .calibrate import UNIT, collect, fit_head, fit_refusal, samples
from .rows import Pair, Row

LICENCES = {
    "do_not_answer": "Apache-2.0",
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
    "syco_bench": "MIT-0",
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
}


LINES_MEANING = (
    "a probability under accept passes (95% of such held-out rows are fine), at or over fail fails (90% are not), between "
    "them a person should look; decide is the one line where a yes or no is forced. For relevance the order is reversed: "
    "at or over accept passes, under fail fails."
)


def named(head: str, low: float, high: float, decide: float) -> dict[str, float]:
    """The lines by what they mean; of relevance, low is bad."""
    if head == "relevance":
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


def disrespect(found: list[tuple[Row, np.ndarray]]) -> dict:
    """Offence and hate joined: whichever is higher speaks; fitted where people said toxic or not."""
    h, o = BINARY.index("hate"), BINARY.index("offence")
    by = dict(samples(found, "offence").items())
    rows: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    for source in by:
        mine = [
            (z[h], z[o], r.targets["offence"])
            for r, z in found
            if r.source == source
            and "offence" in r.targets
            and abs(r.targets["offence"] - 0.5) > 0.1
        ]
        rows[source] = (
            np.array([0.3 * a + 0.7 * b for a, b, _ in mine]),
            np.array([t > 0.5 for _, _, t in mine], float),
        )
    if not rows:
        unit = {"bias": 0.0, "weights": {"hate": 0.3, "offence": 0.7}}
        return {**unit, "lines": (0.2, 0.8, 0.5), "left_out": {}}
    made = fit_head(rows)
    slope, shift = made.pop("constants")
    return {
        "bias": shift,
        "weights": {"hate": round(0.3 * slope, 4), "offence": round(0.7 * slope, 4)},
        **made,
    }


def tolerance(
    encoder: Encoder, full: Path, found: list[tuple[Row, np.ndarray]], count: int = 120
) -> dict:
    """How far int8 stands from float32 on held-out rows: the outer bound of what CPU kinds can differ by."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    other = Encoder(
        onnxruntime.InferenceSession(str(full), options, providers=["CPUExecutionProvider"]),
        encoder._tokenizer,
        encoder.manifest,
    )
    gaps, flips = [], 0
    for row, _ in found[:: max(1, len(found) // count)]:
        a, b = encoder.read(row.prompt, row.response), other.read(row.prompt, row.response)
        gaps.append(
            [
                abs(getattr(a, k) - getattr(b, k))
                for k in ("harm", "disrespect", "relevance", "quality", "sycophancy")
            ]
        )
        flips += (a.harm > 0.5) != (b.harm > 0.5)
    return {
        "rows": len(gaps),
        "mean": round(float(np.mean(gaps)), 4),
        "p95": round(float(np.percentile(gaps, 95)), 4),
        "max": round(float(np.max(gaps)), 4),
        "harm_flips": int(flips),
    }


def pack(
    exported: Path, tokenizer: Path, rows: list[Row], pairs: list, target: Path, notes: dict
) -> dict:
    """Calibrate on held-out rows with the int8 file itself and write the folder; returns the manifest."""
    target.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(exported / "encoder.onnx", target / "encoder.onnx")
    shutil.copyfile(tokenizer, target / "tokenizer.json")
    manifest: dict = {
        "files": {n: digest(target / n) for n in ("encoder.onnx", "tokenizer.json")},
        **UNIT,
    }
    (target / "manifest.json").write_text(json.dumps(manifest))
    rows = [*rows, *compared(pairs)]
    found = collect(target, rows)
    calibration: dict = {}
    chosen, reports = {}, {}
    for head in BINARY:
        by = samples(found, head)
        if not by:
            calibration[head] = [1.0, 0.0]
            continue
        report = fit_head(by)
        calibration[head], chosen[head], reports[head] = (
            report.pop("constants"),
            report.pop("lines"),
            report,
        )
    calibration["quality"] = [round(1 / max(0.5, float(np.std([z[-1] for _, z in found]))), 4), 0.0]
    refusal = fit_refusal(found)
    calibration["refusal"] = {
        "temperature": refusal.pop("temperature"),
        "bias": refusal.pop("bias"),
    }
    reports["refusal"] = refusal
    joint = disrespect(found)
    calibration["disrespect"] = {"bias": joint.pop("bias"), "weights": joint.pop("weights")}
    chosen["disrespect"], reports["disrespect"] = joint.pop("lines"), joint
    calibration["moderation"] = moderation.fit(target, rows)
    manifest = {
        "model": "fairwitness-encoder",
        **notes,
        "files": manifest["files"],
        "calibration": calibration,
        "lines": {h: named(h, *found_lines) for h, found_lines in chosen.items()},
        "lines_meaning": LINES_MEANING,
        "held_out": reports,
        "data": LICENCES,
    }
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    manifest["tolerance_fp32_int8"] = tolerance(
        Encoder.load(target), exported / "encoder.fp32.onnx", found
    )
    (target / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest
