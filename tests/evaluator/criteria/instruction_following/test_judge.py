"""The criterion as a whole: its examples, its score, and texts that mean it harm."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.evaluator import protocol, scoring, shipped
from fairwitness.evaluator.criteria.instruction_following import EXAMPLES, demands
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Example, Judgement
from fairwitness.evaluator.scoring import Scored
from fairwitness.evaluator.text import Text

# A loaded machine is slow, which is no fault.
UNTIMED = settings(deadline=None)

PROTOCOL = protocol.shipped()
SPEC = next(spec for spec in PROTOCOL.criteria if spec.id == "instruction_following")


def scored(prompt: str, response: str) -> Scored:
    return scoring.score(_judged(prompt, response), SPEC, PROTOCOL)


def _judged(prompt: str, response: str) -> Judgement:
    exchange = Exchange(prompt, response)
    judgement = shipped().judge("instruction_following", exchange)
    for finding in judgement.findings:
        for span in finding.spans:
            assert 0 <= span.start < span.end <= len(exchange.text(span.source))
    return judgement


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.why)
def test_examples(example: Example) -> None:
    assert scored(example.prompt, example.response).verdict == example.expect


def test_one_of_three_unmet_scores_below_two_thirds() -> None:
    prompt = (
        "Name a bird. Use fewer than 9 words. Do not use commas. Answer in all lowercase letters."
    )
    result = scored(prompt, "One bird is the wren.")
    assert [finding.severity for finding in result.judgement.findings] == ["info", "info", "medium"]
    assert 0 < result.score <= 67


def test_the_only_demand_unmet_fails() -> None:
    assert scored("Explain tides. Do not use any commas.", "Moon, sun, sea.").verdict == "fail"


def test_what_the_handed_over_text_says_of_a_word_is_no_demand() -> None:
    notes = "## 2.1\n- Raised the limit from 20 to 40 files.\n- `queue.stop()` no longer fails when called twice.\n- Fixed a typo."
    prompt = f"Using just these notes, what is the limit in 2.1?\n\n{notes}"
    assert not _judged(prompt, "In 2.1 the limit is 40 files.").applicable


def test_nothing_else_is_no_key() -> None:
    prompt = 'Return JSON with the keys "rows" and "seats" and nothing else: 4 rows of 12.'
    judged = _judged(prompt, '{"rows": 4, "seats": 48}')
    assert judged.applicable
    assert judged.score == 1.0


def test_every_finding_quotes_its_demand() -> None:
    prompt = "Explain tides. Do not use any commas. Use at least 3 sentences."
    judgement = _judged(prompt, "The moon pulls.")
    quoted = [finding.spans[0] for finding in judgement.findings]
    assert all(span.source == "prompt" for span in quoted)
    assert [prompt[span.start : span.end] for span in quoted] == [
        "not use any commas",
        "at least 3 sentences",
    ]


WORDS = st.sampled_from(
    'at least most exactly 3 ten 1,000 words sentences use the word "moon" not do without commas , . '
    "? ! \n \n\n ( ) [x] <<t>> *a* *** ****** P.S. P.P.S all capital letters lowercase JSON in German "
    "end with start response repeat request first between and or - – 20-30 “ ” ' ` ``` : ; each "
    "paragraph bullet points highlight letter e times twice placeholders section X letters a top the what are "
    "Introduction conclusion first spell HOUSE acrostic for word only number just line starts of".split(
        " "
    )
)


@UNTIMED
@given(st.lists(WORDS, max_size=60), st.text(max_size=80))
def test_word_salad_never_breaks_it(words: list[str], response: str) -> None:
    _judged(" ".join(words) or "x", response or "x")


@UNTIMED
@given(st.text(min_size=1, max_size=200), st.text(min_size=1, max_size=200))
def test_any_text_never_breaks_it(prompt: str, response: str) -> None:
    _judged(prompt, response)


HOSTILE = (
    '"', "'", "“", "[", "<<", "*a", "`", "1-", "1,", "at least 3 ", "words ", "use the word ",
    'use "a" ', "not ", "p.s. ", "repeat the request ", "in german ", "end with ", "3 to 4 ", "\n",
    "section X ", "letter e ", "each ", "(", "two hundred and ", "use *a* ", "answer with 'a' or 'b' ",
    "separate them by ", "3 parts separated ", "mark it with part X ", "do not mention x in your reply ",
    "one of: a ", "postscript ", "P.S. ", "each paragraph has 2 sentences ", "give me 3 fruits ", "yes or no ",
    "say yes or no. ", "use the word fog. it must appear twice. ", "no lists, ", "alphabetical ", "yaml only ",
    "end with a question ", "who says that it must have 3 lines ", "at most 3 commas ", "write a haiku ",
    "letters a, b, ", "first letters spell A ", "acrostic for the word ", "reply with only a number ", "top 3 ",
    "an introduction of 2 sentences ", "introduction: 2 words\n",
)  # fmt: skip


def _steps(prompt: str) -> int:
    """Count the Python calls that reading a prompt takes: the same on every machine."""
    count = 0

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += 1

    text = Text(prompt)
    sys.setprofile(profile)
    try:
        demands(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("piece", HOSTILE)
def test_work_grows_with_length_and_no_faster(piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (500, 2000))
    demands(Text(long))
    assert _steps(long) <= 5 * _steps(short) + 500


def test_one_is_in_the_singular() -> None:
    exchange = Exchange("Explain rain in one sentence.", "Water falls. It is wet.")
    (finding,) = shipped().judge("instruction_following", exchange).findings
    assert finding.message == "Asked: exactly 1 sentence. Found: 2 sentences. Not met."
