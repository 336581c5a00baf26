"""Messages are plain English: they quote what was found, give the number, and get singular and plural right."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.criteria import calculation, coherence, instruction_following
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Example, Judgement

NOT_PLAIN = (
    "(s)",
    " stands",
    "hears",
    "heed",
    "mend",
    "lent",
    "asks for a look",
    "follow on",
    "goes round",
)
EXAMPLES = [
    (name, example)
    for name, module in (
        ("calculation", calculation),
        ("coherence", coherence),
        ("instruction_following", instruction_following),
    )
    for example in module.EXAMPLES
]


def judged(criterion: str, prompt: str, response: str) -> Judgement:
    return shipped().judge(criterion, Exchange(prompt, response))


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_no_dialect(name: str, example: Example) -> None:
    judgement = shipped().judge(
        name, Exchange(example.prompt, example.response, example.finish_reason)
    )
    said = [judgement.summary]
    for finding in judgement.findings:
        said += [finding.message, finding.suggestion or ""]
    assert not [text for text in said if any(word in text for word in NOT_PLAIN)]


@pytest.mark.parametrize(
    ("criterion", "prompt", "response", "message"),
    [
        ("coherence", "Why?", "The caf\ufffd is closed.", "1 character lost in decoding, shown as “\ufffd”."),
        ("coherence", "Why?", "We go to the park. " * 5, "The same 5 words repeat 5 times."),
        ("coherence", "How?", "Stir it well with the", "The response stops in the middle of a sentence, at “the”."),
        ("coherence", "How?", "# One\n\n# Two\n\nText.", "The heading “One” has nothing under it."),
        ("calculation", "Add.", "So 2 + 2 = 5.", "The result “5” is wrong: the calculation gives 4."),
        (
            "instruction_following",
            'Use the word "tide" exactly once.',
            "No such word.",
            "Asked: “tide” exactly 1 time. Found: “tide” 0 times. Not met.",
        ),
        (
            "instruction_following",
            'End your reply with "Goodbye."',
            "Hello there.",
            "Asked: the response to end with “Goodbye.”. Found: it ends with “Hello there.”. Not met.",
        ),
    ],
)  # fmt: skip
def test_a_message_quotes_and_counts(
    criterion: str, prompt: str, response: str, message: str
) -> None:
    (finding,) = judged(criterion, prompt, response).findings
    assert finding.message == message


@pytest.mark.parametrize(
    ("criterion", "prompt", "response", "summary"),
    [
        ("calculation", "Add.", "So 2 + 2 = 4 and 3 + 3 = 7.", "2 calculations checked: 1 not correct as stated."),
        ("calculation", "Add.", "So 2 + 2 = 4.", "1 calculation checked: all correct."),
        ("instruction_following", "Do not use commas.", "One, two.", "0 of 1 checkable demand met."),
        (
            "instruction_following",
            "Give me exactly 4 fruits.",
            "I like apples most.",
            "The response is not one clear list, so this could not be checked: exactly 4 fruits.",
        ),
    ],
)  # fmt: skip
def test_a_summary_counts(criterion: str, prompt: str, response: str, summary: str) -> None:
    assert judged(criterion, prompt, response).summary == summary
