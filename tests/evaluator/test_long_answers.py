"""Good answers as assistants write them, in which a rule once saw a fault: each beside one that has the fault."""

from __future__ import annotations

from functools import cache

import pytest

from fairwitness.evaluator import Evaluator

PLANS = (
    "Which of the two tickets is cheaper for us over a year? Work it out from this.\n\n"
    "Zone ticket: 31.50 a month, plus 12.00 once for the card.\n"
    "Day tickets: 4.80 each; we would buy 60 of them in a year."
)
BREAD = (
    "Work out when each step has to begin, from these facts: the bread should come out of the oven at 12:40. It bakes "
    "for 45 minutes and has to rise for 90 minutes before that. Kneading takes 15 minutes."
)
RACE = (
    "Context:\nThe first regatta in the bay took place in 1988 with 41 boats. Interest was highest in 2011, when 236 crews "
    "crossed the line. After a pause the regatta returned in 2019 with 120 boats.\n\n"
    "Q: In which year was interest highest and how many boats were there?\nA:"
)
GAS = (
    "Contract: Either side may end the supply with two months' notice. Notice was given on 12 March.\n\n"
    "Work out the date from which we are out."
)
COLLECTION = (
    "Summarise this notice in two sentences.\n\nThe spring collection for the shelter brought in 2,340 pounds, more than "
    "ever before. It will pay for new beds in the east wing."
)
HOURS = (
    "Shorten this announcement.\n\nThe gate by the mill is open before 8 in the morning and after 5 in the afternoon. "
    "Bicycles may pass at all times. The kiosk closes at 6:45."
)
RULES = (
    "Summarise these notes for the volunteers.\n\n"
    "Keys: nobody needs a key for the side door any more.\n"
    "Tea: the kettle stays in the hall.\nPosters: please take the old ones down.\nChairs: twelve are missing."
)
STUDY = (
    "Summarise the text.\n\nThe authors do not warn against the drops altogether; they warn against using them at night. "
    "The drops were tested on forty people."
)
LETTER = 'Write a short letter to Mrs Olsen about the broken fence. Close with "Kind regards" and sign it as Ida Berg.'
ASKS = "Write a short e-mail to our club. End with a question. Sign as The Board."
SERVICES = (
    "Return JSON with exactly these keys: client, parts (list of names), total. The client is Ada, the part is a hinge, "
    "the total is 12."
)
COUNTS = "Sort these by number of votes, ties alphabetically: pear 3, fig 7, apple 3, plum 9."
ACCOUNTS = "Add up our club's income (20, 35, 45) and our expenses (10, 12, 30)."
HEADLINE = "Write about the new bridge. The text needs a headline of at most four words and two paragraphs of one sentence each."


@pytest.mark.parametrize(
    ("prompt", "good", "bad", "detector"),
    [
        (PLANS,
         "- Zone ticket: 12 × 31.50 + 12.00 = **390.00**\n- Day tickets: 60 × 4.80 = **288.00**\n\nDay tickets are cheaper: 288.00.",
         "- Zone ticket: 12 × 31.50 + 12.00 = **390.00**\n- Day tickets: 60 × 4.80 = **288.00**\n\nDay tickets are cheaper: 273.40.",
         "grounding"),
        (BREAD,
         "- **Bake:** in at **11:55**, out at 12:40.\n- **Rise:** from **10:25** to 11:55.\n- **Knead:** start at **10:10**.",
         "- **Bake:** in at **11:37**, out at 12:40.\n- **Rise:** from **10:25** to 11:55.\n- **Knead:** start at **10:10**.",
         "grounding.moment"),
        (RACE, "Interest was highest in 2011, with 236 boats.", "Interest was highest in 2011, with 263 boats.", "grounding"),
        (GAS, "Two months from 12 March is 12 May, so 12 May.", "You are out from 21 March.", "grounding.moment"),
        (COLLECTION,
         "The spring collection for the shelter raised £2,340, more than ever. It pays for new beds in the east wing.",
         "The spring collection for the shelter raised £2,430, more than ever. It pays for new beds in the east wing.",
         "grounding"),
        (HOURS,
         "Mill gate: open before 8 am and after 5 pm. Bicycles may always pass. The kiosk closes at 6:45.",
         "Mill gate: open before 9 am and after 5 pm. Bicycles may always pass. The kiosk closes at 6:45.",
         "grounding"),
        (RULES,
         "No key is needed for the side door. The kettle stays in the hall. Please take old posters down. Twelve chairs are missing.",
         "No key is needed for the side door. The kettle stays in the hall. Please take old posters down. Twenty chairs are missing.",
         "grounding"),
        (STUDY,
         "The authors warn against using the drops at night only. The drops were tested on forty people.",
         "The authors warn against using the drops at night only. The drops were not tested on forty people.",
         "grounding.denial"),
        (LETTER,
         "Dear Mrs Olsen,\n\nThe fence between our gardens is broken. Could we mend it on Saturday?\n\nKind regards,\nIda Berg",
         "Dear Mrs Olsen,\n\nThe fence between our gardens is broken. Could we mend it on Saturday?\n\nIda Berg",
         "instruction_following.ends_with"),
        (ASKS,
         "Dear members,\n\nThe hall is closed in May. Where shall we meet instead?\n\nThe Board",
         "Dear members,\n\nWhere shall we meet? The hall is closed in May.\n\nThe Board",
         "instruction_following.ends_question"),
        (SERVICES,
         '{"client": "Ada", "parts": ["hinge"], "total": 12}',
         '{"client": "Ada", "total": 12}',
         "instruction_following.json_keys"),
        (COUNTS, "1. plum (9)\n2. fig (7)\n3. apple (3)\n4. pear (3)", "", "instruction_following.alphabetical"),
        (ACCOUNTS,
         "**Income**\n- 20 + 35 + 45\n- Total: 100\n\n**Expenses**\n- 10 + 12 + 30\n- Total: 52",
         "The total is: 100. We looked at all of it twice. The total is: 52.",
         "coherence.two_totals"),
        (HEADLINE,
         "A Bridge at Last\n\nThe bridge over the Ems opened on Sunday after four years of work.\n\nTraffic through the old town is expected to fall.",
         "", "instruction_following.word_count"),
    ],
)  # fmt: skip
def test_a_good_answer_is_let_be_and_its_faulty_twin_found(
    prompt: str, good: str, bad: str, detector: str
) -> None:
    assert not _found(prompt, good, detector)
    # Without a twin: the form asked for is not the one the rule reads, so that nothing is there to break.
    assert not bad or _found(prompt, bad, detector)


def test_words_are_not_compared_across_languages() -> None:
    prompt = (
        "Übersetze ins Englische / translate into English:\n\n"
        '"Unser Kundendienst kommt am Mittwoch, dem 7. Mai, zwischen 7 und 18 Uhr. Der Kaufpreis wird bis zum 31. Dezember erstattet."'
    )
    answer = "Our Customer Service will come on Wednesday, 7 May, between 7 am and 6 pm. The price is refunded until 31 December."
    assert not _found(prompt, answer, "grounding")


def test_a_closing_line_needs_no_full_stop() -> None:
    answer = "Dear Ruth, thank you for your help with the move. It was a long day. Best wishes, Ole"
    assert not _found("Write a thank-you note to Ruth from Ole.", answer, "coherence.cut")


def _found(prompt: str, response: str, detector: str) -> list[str]:
    findings = _evaluator().evaluate(prompt, response).findings
    return [
        f.detector
        for f in findings
        if f.detector.startswith(detector) and f.severity not in {"info"}
    ]


@cache
def _evaluator() -> Evaluator:
    return Evaluator.shipped()
