"""Grounding quotes both sides, reads conversations and tools, takes learned signals, and is bounded on any text."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from fairwitness.contract.conversation import Message, Passage
from fairwitness.evaluator import Evaluator, protocol, scoring, shipped
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.judgement import Finding, Judgement
from fairwitness.evaluator.readers import comparisons
from fairwitness.evaluator.signals import Signal
from tests.evaluator.building import asking

PAIRS = Path(__file__).parents[1] / "answers" / "one_fault_pairs.jsonl"
BRIDGE = "The Alder bridge was opened in 1961. About 18,000 vehicles cross it each day."


def judged(response: str, context: str = BRIDGE, prompt: str = "How many cross it?") -> Judgement:
    exchange = Exchange(prompt, response, context=[Passage(text=context)])
    return shipped().judge("grounding", exchange)


def quoted(finding: Finding, exchange: Exchange) -> list[tuple[str, str]]:
    return [(s.source, exchange.text(s.source).value[s.start : s.end]) for s in finding.spans]


def test_a_finding_quotes_the_response_and_its_source() -> None:
    exchange = Exchange(
        "How many?", "81,000 vehicles cross it each day.", context=[Passage(text=BRIDGE)]
    )
    (finding,) = shipped().judge("grounding", exchange).findings
    assert quoted(finding, exchange) == [("response", "81,000"), ("context[0]", "18,000")]
    assert finding.message == "States “81,000” where the source has “18,000”."


def test_with_one_fault_the_whole_does_not_pass_and_with_two_it_fails() -> None:
    one = shipped().evaluate("How many?", "81,000 vehicles cross it each day.", context=[BRIDGE])
    two = shipped().evaluate(
        "How many, and since when?",
        "81,000 vehicles cross it each day. The Alder bridge was opened in 1916.",
        context=[BRIDGE],
    )
    assert one.overall_verdict != "pass"
    assert two.overall_verdict == "fail"


def test_the_result_of_a_tool_is_a_source() -> None:
    messages = [
        Message(role="user", content="What is the balance of my account?"),
        Message(role="tool", content='{"balance": 1840.55, "currency": "EUR"}'),
    ]
    right = Exchange("", "Your balance is €1,840.55.", messages=messages)
    wrong = Exchange("", "Your balance is €2,840.55.", messages=messages)
    assert shipped().judge("grounding", right).findings == ()
    (finding,) = shipped().judge("grounding", wrong).findings
    assert [span.source for span in finding.spans] == ["response", "messages[1]"]


def test_a_text_of_an_earlier_message_is_a_source() -> None:
    messages = [
        Message(role="user", content=f"Summarise the following text.\n\n{BRIDGE}"),
        Message(role="assistant", content="A bridge with much traffic."),
        Message(role="user", content="According to the text, how many vehicles are that?"),
    ]
    (finding,) = shipped().judge("grounding", Exchange("", "81,000 vehicles cross it each day.", messages=messages)).findings  # fmt: skip
    assert finding.spans[1].source == "messages[0]"


def test_nothing_given_is_not_applicable() -> None:
    judgement = shipped().judge("grounding", Exchange("What is 2 + 2?", "It is 4."))
    assert not judgement.applicable


def test_other_languages_are_compared_by_their_numbers() -> None:
    german = "Die Brücke wurde 1961 eröffnet, und täglich überqueren sie rund {} Fahrzeuge aus aller Welt."
    assert judged(german.format("18.000")).findings == ()


class Says:
    """Gives the two signals of grounding for the second sentence."""

    signals: Sequence[str] = ("support", "contradiction")

    def __init__(self, support: float, contradiction: float) -> None:
        self._logits = {"support": support, "contradiction": contradiction}

    def read(self, exchange: Exchange) -> Mapping[str, Signal]:
        sentence = exchange.response.sentences[-1]
        return {
            name: Signal(0.5, ((sentence.start, sentence.end),), (logit,))
            for name, logit in self._logits.items()
        }


@pytest.mark.parametrize(
    ("support", "contradiction", "detectors"),
    [
        (4.0, -4.0, []),
        (4.0, 4.0, []),
        (-4.0, -4.0, []),
        (-4.0, 4.0, ["grounding.contradiction"]),
    ],
)
def test_learned_signals_are_taken_where_a_reader_gives_them(
    support: float, contradiction: float, detectors: list[str]
) -> None:
    spec = msgspec.structs.replace(
        protocol.shipped()["grounding"], signals=("support", "contradiction")
    )
    reader = Says(support, contradiction)
    evaluator = Evaluator(asking(protocol.shipped(), spec), shipped().criteria, (reader,))
    response = "It was opened long ago. The bridge carries nobody these days."
    exchange = Exchange("Summarise it.", response, context=[Passage(text=BRIDGE)])
    judged = evaluator.judge("grounding", exchange)
    findings = judged.findings
    assert [finding.detector for finding in findings] == detectors
    # Doubt ranks: the less support, the lower the score. What is contradicted too needs review, and does not fail.
    doubt = spec.options["doubt_cost"] / (1 + math.exp(support))
    most = spec.options["contradicted_score"] if detectors else 1.0
    assert judged.score == pytest.approx(min(most, 1 - doubt))
    verdict = scoring.score(judged, spec, protocol.shipped()).verdict
    assert verdict == ("needs_review" if detectors else "pass")
    for finding in findings:
        assert [span.source for span in finding.spans] == ["response", "context[0]"]
    # A model's word alone is a maybe.
    assert judged.summary.startswith("1 statement may differ" if findings else "No number")


def test_a_translation_is_not_held_against_what_stands_elsewhere_in_the_prompt() -> None:
    """The times and the date stand before what is found to be the passage, and are written otherwise there."""
    lines = PAIRS.read_text(encoding="utf-8").splitlines()
    pairs = (json.loads(line) for line in lines if "in Portuguese for parents" in line)
    (exchange,) = (Exchange(pair["prompt"], pair["good"]) for pair in pairs)
    assert "às 8h45" in exchange.response.value
    assert not shipped().judge("grounding", exchange).findings


PIECES = st.lists(
    st.sampled_from(
        ["12 ", "3,141.5 km", " | ", "\n", "5 May 2020", "10:30", "Ann Bo", '"a b c d e f"', "is not ", "no allergies", "A: b",
         "½", "²", "٣", "n’t ", "1.", "May ", "%", "$", "°C", " and a half", "é", "𝒳", ". ", "? ", "half an hour", "12-", "–"]
    ),
    max_size=60,
).map("".join)  # fmt: skip


ORDERS = st.sampled_from(
    ["Translate to German: ", "Sort these numbers: ", "Alphabetise: ", "List all the even numbers in this row: ", "Extract the code: ",
     "Turn into JSON: ", "Remove the duplicates: ", "Italian please: ", 'How do you say "', "Use only this sentence: "]
)  # fmt: skip
QUESTIONS = st.sampled_from(
    [" Who is the tallest?", " Does it say so?", " Who got the most?", " Rank them from fastest to slowest.", " Which is over 12?", ""]
)  # fmt: skip
SHORT = st.lists(
    st.sampled_from(
        ["12", ", ", "a 3, ", "b 4:05, ", "Ann is taller than Bo. ", "zwei", "treinta y ", "nicht ", "n’est", "7,", "1.5,2", "555-0142", "x@y.zz",
         "\n- ", "\n", "| a | 1 |", "half past ", "ß", "İ", "except ", "Chair: ", "Mr ", ", who beat ", "Yes", "No", "from 4 to 6", ":", '"', ". "]
    ),
    max_size=14,
).map("".join)  # fmt: skip


@settings(deadline=None, max_examples=200)
@drawn(ORDERS | st.just(""), SHORT, QUESTIONS, SHORT)
def test_any_short_prompt_is_judged_with_spans_inside_their_texts(
    order: str, given_text: str, question: str, response: str
) -> None:
    exchange = Exchange(f"{order}{given_text}{question}" or "x", response or "x")
    for finding in shipped().judge("grounding", exchange).findings:
        for span in finding.spans:
            assert 0 <= span.start < span.end <= len(exchange.text(span.source))


@settings(deadline=None, max_examples=150)
@drawn(PIECES, PIECES, PIECES)
def test_any_text_is_judged_with_spans_inside_their_texts(a: str, b: str, c: str) -> None:
    prompt, context = f"Summarise the following text: {c}", [Passage(text=b or "x")]
    exchange = Exchange(prompt, a or "x", context=context, reference=c)
    for criterion in ("grounding", "coherence", "reference"):
        for finding in shipped().judge(criterion, exchange).findings:
            for span in finding.spans:
                assert 0 <= span.start < span.end <= len(exchange.text(span.source))


SIZE = 60_000
PROSE = " ".join(
    f"In {1900 + n % 100} the town of Number{n} counted {n * 37} people, and {n % 50}% of them were not farmers."
    for n in range(700)
)[:SIZE]


def cost(context: str, response: str) -> float:
    started = time.process_time()
    judged(response, context, "Summarise the report.")
    return time.process_time() - started


@cache
def usual(attempt: int) -> float:
    """Return what ordinary text costs at most, over as many attempts."""
    judged(PROSE[:500], PROSE[:500])
    return max(cost(PROSE, PROSE[:8000]), usual(attempt - 1) if attempt else 0.0)


@pytest.mark.parametrize(
    "unit",
    ["12 ", "3,141.5 km ", "5 May 2020 ", "10:30 ", "1.", "1-", "May ", "| a | 1 | 2 |\n", "A: b\n",
     "it is not so. ", '"a b c d e f" ', "twenty one ", "Ann Bo ", ":", "n't ", "2*3+4-", "x except y. ", "a1@b.c ", "555-0142 "],
)  # fmt: skip
def test_a_hostile_text_costs_at_most_three_times_an_ordinary_one(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the model compares is bounded by its tokens, alike for every text: here the rest is measured.
    monkeypatch.setattr(comparisons, "MAX_TOKENS_COMPARED", 0)
    hostile = (unit * (SIZE // len(unit) + 1))[:SIZE]

    found = math.inf
    # Measured again only where a busy machine may have disturbed it; both are short, hence the margin.
    for attempt in range(3):
        found = min(found, cost(hostile, hostile[:8000]))
        if found <= 3 * usual(attempt) + 0.1:
            return
    raise AssertionError(f"{found:.2f} s, where ordinary text takes {usual(0):.2f} s")
