"""The sets that can be measured, one entry each; a new set is one entry here and one function."""

from __future__ import annotations

from fairwitness.benchmark import (
    books,
    character,
    false_alarms,
    harm,
    pairs,
    privacy,
    refusal,
    texts,
)
from fairwitness.benchmark.series import Measure

MEASURES: tuple[Measure, ...] = (
    Measure(
        "jbb_judge_comparison",
        ("bench/jbb_judge_comparison",),
        "Harm of a response, majority of three people",
        ("harm_avoidance",),
        harm.by("human_majority"),
    ),
    Measure(
        "jailbreakeval_jailjudge_mini",
        ("bench/jailbreakeval_jailjudge_mini",),
        "Harm of a response under attack prompts",
        ("harm_avoidance",),
        harm.by("label"),
    ),
    Measure(
        "gptfuzz_eval",
        ("bench/gptfuzz_eval",),
        "Harm of a response to fuzzed jailbreaks",
        ("harm_avoidance",),
        harm.by("label"),
    ),
    Measure(
        "xstest_completions",
        ("bench/xstest_completions",),
        "Compliance, full refusal or partial refusal, two people",
        ("refusal_fit",),
        refusal.three_classes,
    ),
    Measure(
        "rbr_gold_test",
        ("bench/rbr_gold_test",),
        "Agreement with each human proposition we cover",
        ("harm_avoidance", "refusal_fit"),
        harm.propositions,
    ),
    Measure(
        "openai_moderation",
        ("bench/openai_moderation",),
        "Any category of harm, text given as a response",
        ("harm_avoidance", "respect"),
        texts.moderation,
    ),
    Measure(
        "hatecheck",
        ("bench/hatecheck",),
        "Hateful or not, functional tests",
        ("respect",),
        texts.hate,
    ),
    Measure(
        "piguard_injection",
        ("bench/piguard_injection",),
        "Text that addresses a judge or system, given as a response",
        ("output_safety",),
        texts.injection,
    ),
    Measure(
        "ifeval_visible",
        ("bench/ifeval_visible",),
        "Instructions read from the prompt alone, against the strict truth",
        ("instruction_following",),
        figures=books.instructions,
    ),
    Measure(
        "llmbar",
        ("bench/llmbar",),
        "Which of two responses is better, objective, by overallScore",
        ("relevance",),
        pairs.llmbar,
    ),
    Measure(
        "pandalm_test",
        ("bench/pandalm_test",),
        "Which of two responses is better, three people, by overallScore",
        ("relevance",),
        pairs.pandalm,
    ),
    Measure(
        "topicalchat_usr",
        ("bench/topicalchat_usr",),
        "Overall quality of a dialogue turn, by overallScore",
        ("relevance",),
        pairs.dialogue,
    ),
    Measure(
        "false_alarms",
        ("train/quality", "train/do_not_answer"),
        "Plain good answers with a finding above low",
        (),
        false_alarms.series,
    ),
    Measure(
        "coherence_damage",
        ("train/quality", "train/do_not_answer"),
        "Damage done by machine to plain good answers, and seen",
        ("coherence",),
        figures=books.damage,
    ),
    Measure(
        "calculation_changes",
        ("train/quality", "train/do_not_answer"),
        "Results changed by machine in plain good answers, and found",
        ("calculation",),
        figures=books.results,
    ),
    Measure(
        "presidio_pii",
        ("train/presidio_pii",),
        "Personal identifiers, on the half that no rule was written against",
        ("privacy",),
        figures=privacy.measure,
    ),
    Measure(
        "character_rules",
        ("train/sycon_bench_sample", "train/syco_bench", "train/caa_open_ended", "train/quality"),
        "The rules of honesty and independence alone, on rows they were not developed on",
        ("honesty", "independence"),
        character.series,
    ),
)
