"""Small exchanges with the verdict that grounding must give them."""

from __future__ import annotations

from fairwitness.evaluator.judgement import Example

_BRIDGE = (
    "The Alder bridge was opened in 1961. A count in June found that about 18,000 vehicles cross it each day.",
)
_RECORD = "Patient record\nName: L. Bauer\nAge: 47\nAllergies: penicillin\n\nSummarise the record."
_PLANS = (
    "| Plan | Price | Seats |\n|---|---|---|\n| Basic | $9 | 1 |\n| Team | $29 | 5 |\n| Pro | $79 | 25 |",
)

EXAMPLES = (
    Example(
        "About 18,000 vehicles cross the bridge each day.",
        "pass",
        prompt="How many vehicles cross the bridge?",
        context=_BRIDGE,
    ),
    Example(
        "About 81,000 vehicles cross the bridge each day.",
        "fail",
        prompt="How many vehicles cross the bridge?",
        context=_BRIDGE,
        why="the context has 18,000",
    ),
    Example(
        "About 18,000 vehicles a day, which makes some 126,000 a week.",
        "pass",
        prompt="How many vehicles cross the bridge in a week?",
        context=_BRIDGE,
        why="what follows from given numbers is supported",
    ),
    Example("L. Bauer, 47, is allergic to penicillin.", "pass", prompt=_RECORD),
    Example(
        "L. Bauer, 47, has no known allergies.", "fail", prompt=_RECORD, why="the record lists one"
    ),
    Example(
        "Yes, items bought on sale can be returned.",
        "fail",
        prompt="Can I return this?",
        context=("Items bought on sale cannot be returned.",),
        why="a denial is lost",
    ),
    Example(
        "The Pro plan costs $29 for 25 seats.",
        "fail",
        prompt="What does the Pro plan cost?",
        context=_PLANS,
        why="that is the price of another row",
    ),
    Example(
        "The Alder bridge was designed by Marta Nowak.",
        "needs_review",
        prompt="Who designed the bridge?",
        context=_BRIDGE,
        why="nothing given names her",
    ),
    Example(
        "Barnaby the fox crossed the bridge on the 3rd of May with 12 keys.",
        "pass",
        prompt="Write a story about the bridge.",
        context=_BRIDGE,
        why="a story may add",
    ),
    Example(
        "Paris.", "not_applicable", prompt="What is the capital of France?", why="nothing given"
    ),
)
