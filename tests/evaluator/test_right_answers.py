"""Right answers of kinds that a rule once reported: each must get no finding above low."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

RIGHT = [
    # A letter's closing formula, and a message that ends with a kiss.
    (
        "coherence",
        "Write a short letter to Ms Roy about the new opening hours.",
        "Dear Ms Roy,\n\nFrom May on we open at nine. On Sundays we stay closed.\n\nPlease tell your neighbours too.\n\nWith warm wishes for the summer",
    ),
    (
        "coherence",
        "Text my sister that the train is late.",
        "The train is late, so don't wait for me. I'll walk from the station. See you around eight x",
    ),
    # A list of who opens and who closes.
    (
        "instruction_following",
        "Rota:\nMon – open: Ida, close: Omar\nTue – open: Omar, close: Ida\nTell Ida when she works.",
        "Hi Ida, you open on Monday and close on Tuesday.",
    ),
    (
        "instruction_following",
        "Extract the fields as JSON: town, litres.\n\nBath used 40 litres.",
        '{"town": "Bath", "litres": 40}',
    ),
    (
        "instruction_following",
        "My fence is 30 m long. I want two coats. A tin covers 12 m. How many tins do I buy?",
        "Five tins:\n\n1. One coat: 30 m\n2. Two coats: 60 m\n3. 60 ÷ 12 = 5",
    ),
    # Dates and amounts are no phone numbers.
    (
        "grounding",
        "Pull the invoice number and the date out of this note as JSON.\n\n“Our offer 2023-0412 stands. Invoice 2023-0755 was issued on 9 April 2023.”",
        '{"invoice": "2023-0755", "date": "2023-04-09"}',
    ),
    (
        "grounding",
        "Notes of the club:\nSpent: £186.00 (timber), £42.50 (printing).\nReceived: £320.00 (fees), £15 (gift).\n\nHow much did we take and spend?",
        "You took £335.00 and spent £228.50, so £106.50 more came in than went out.",
    ),
    # A line of a record that says no.
    (
        "grounding",
        "Intake form:\nName: Ola Berg\nSmoker: No\nConsent to newsletter contact: No\nConsent to share records: Yes\n\nWrite the handover sentence.",
        "Ola Berg does not smoke, has agreed to share records and has not consented to newsletter contact.",
    ),
    # Times that are worked out from "2 h 45 min".
    (
        "grounding",
        "Our plan: we leave Porto at 09:40, the drive takes 2 h 45 min, and the ferry sails at 15:10. How long do we wait for the ferry?",
        "You arrive at 12:25, so you wait 2 hours 45 minutes for the 15:10 ferry.",
    ),
    (
        "grounding",
        "Same beans, two bags: 250 g for £4.50 and 500 g for £8.50. Which is the better value by weight?",
        "The 500 g bag, at £17.00 per kilo against £18.00 for the small one.",
    ),
    # Another name, of what the source says of that name.
    (
        "grounding",
        "The Heron 4 kettle has a heater supplied by Nordal. The older Heron 3 had a heater from Brisk, which rusted.\n\nWho makes the heater of the Heron 4?",
        "The Heron 4's heater is supplied by **Nordal**. (Brisk supplied the heater of the older Heron 3.)",
    ),
]


@pytest.mark.parametrize(("criterion", "prompt", "response"), RIGHT)
def test_a_right_answer_gets_no_finding_above_low(
    criterion: str, prompt: str, response: str
) -> None:
    judged = shipped().judge(criterion, Exchange(prompt, response))
    assert [f.message for f in judged.findings if f.severity not in {"info", "low"}] == []
