"""Forms in which people hand over material, and what is then checked against it: both the fault and its right twin."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.given import given

LOG = "[08:10] ana: the pump is off\n[08:12] ben: which one?\n[08:13] ana: pump 3, I reset it"
VOTES = "Adler 41\nBode 57\nCruz 49"
COLUMNS = "Town    Rain  Sun\nAvon    120   1610\nBurr    88    2004"
POLICY = "Visitor rules, short version: Dogs stay outside. The garden closes at 18:00 and the café at 17:30 all year."
LETTER = '"Dear Kim, lunch has moved to the boat house because our oven gave up this morning. Please bring bread. Love, Jo"'


def handed(prompt: str) -> list[str]:
    return [part.text.slice(part.region) for part in given(Exchange(prompt, "Yes.")).passages]


@pytest.mark.parametrize(
    "block", [LOG, VOTES, COLUMNS, POLICY, LETTER, "id;kg\nA;4;x\nB;5;y\nC;6;z"]
)
@pytest.mark.parametrize("question", ["{}\n\nWhat does it come to?", "What does it come to?\n\n{}"])
def test_a_block_beside_a_question_is_handed_over(block: str, question: str) -> None:
    assert block.splitlines()[-1] in "\n".join(handed(question.format(block)))


def test_the_lines_around_rows_belong_to_them() -> None:
    order = (
        "Order 5081\nPlaced: 2 May\n3 x linen curtain\nDelivery: 12.90\nTotal: 226.90\nPole: 320 cm"
    )
    assert handed(f"{order}\n\nConfirm it in one line.") == [order]
    assert handed(f"{order}\nWhat did I pay?")[0].endswith("320 cm")


@pytest.mark.parametrize(
    "prompt",
    [
        "Constraints: answer in at most fifty plain words and do not use any lists or headings at all.\n\nWhat is rain?",
        "Create a scene: it has a dragon, two knights, a long bridge and a very old horse in it.\n\nCan you do that?",
        "Your task: you must answer every question of the user with care and in a friendly tone of voice.\n\nWhat is rain?",
        "Background on me: I run 20 km a week and I want to finish a marathon in under four hours.\n\nWhat do I need?",
        "09:00 Welcome\n09:30 Keynote\n10:45 Break\n11:00 Workshops\n\nStart everything 15 minutes later.",
        "I am planning a week in Japan with my two children and my old father next spring.\n\nWhat should I pack?",
    ],
)
def test_what_is_said_of_the_answer_or_of_oneself_is_no_source(prompt: str) -> None:
    assert handed(prompt) == []


def claims(prompt: str, response: str) -> list[str]:
    found = shipped().judge("grounding", Exchange(prompt, response)).findings
    return [finding.message for finding in found if finding.severity not in {"info", "low"}]


RAIN = "| City | Rainy days | Sunshine hours |\n|---|---|---|\n| Porto | 127 | 2468 |\n| Split | 108 | 2697 |\n| Lyon | 104 | 2002 |"
STOCK = "- Inner tube: 4\n- Chain short: 2\n- Chain long: 5\n- Bell: 0"
PLANT = "The plant opened in 2003 with eighteen employees. Today one hundred and forty people work there."
ORDER = "Order 5081\n3 x linen curtain\n1 x black pole, 320 cm\nPlaced: 2 May\nDelivery: 12.90\nTotal: 226.90"


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        (
            f"{RAIN}\n\nWhich has the fewest rainy days, and which has the most sun?",
            "Lyon has the fewest rainy days (104), while Split has the most sunshine (2697 hours).",
            "Porto has the fewest rainy days (127), while Split has the most sunshine (2697 hours).",
        ),
        (
            f"Here is the stock sheet.\n\n{STOCK}\n\nWhat is low?",
            "- Chain short (2 left)\n- Bell (0 left)",
            "- Chain long (2 left)\n- Bell (0 left)",
        ),
        (
            f"{ORDER}\n\nConfirm it in one line.",
            "Order 5081: 3 linen curtains and 1 black pole (320 cm), total 226.90.",
            "Order 5081: 3 linen curtains and 1 black pole (230 cm), total 226.90.",
        ),
        (
            f"Text: {PLANT}\n\nHow many people work there today?",
            "Today one hundred and forty people work there.",
            "Today one hundred and fourteen people work there.",
        ),
    ],
)  # fmt: skip
def test_the_fault_is_found_and_its_right_twin_is_not_accused(
    prompt: str, right: str, wrong: str
) -> None:
    assert claims(prompt, right) == []
    assert claims(prompt, wrong)


VOTED = "| Name | Votes | Age |\n|---|---|---|\n| Adler | 41 | 33 |\n| Bode | 57 | 48 |\n| Cruz | 49 | 52 |\n\nWho won?"
PLANS = "| Plan | Price | Users |\n|---|---|---|\n| Pro Plus | 40 | 20 |\n| Pro | 25 | 10 |\n\nWhat do they cost?"
FRUIT = "Apples 6\nPears 3\nPlums 2"


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        (VOTED, "Bode beat Cruz with 57 votes."),
        (f"{RAIN}\n\nHow wet are they?", "Porto and Split have 127 and 108 rainy days."),
        (f"{RAIN}\n\nHow wet are they?", "Porto beats Lyon 127 to 104."),
        (PLANS, "Pro Plus costs 40."),
        (f"{FRUIT}\n\nI ate three apples and one pear. What is left?", "Apples: 3\nPears: 2\nPlums: 2"),
        (
            "Notes: Rent is 900 euros a month. Heating is 100 euros a month. The flat has 3 rooms.\n\nWhat is the rent with heating?",
            "The rent is 1,000 euros a month with heating.",
        ),
        ("Six eggs cost £1.80. What does one egg cost?", "One egg costs £0.30."),
        (
            "Press text: Revenue rose 6.2% to 318 million kronor, while profit slipped 3.8% to 41 million.\n\nHow did profit do?",
            "Profit slipped 3.8% to 41 million kronor.",
        ),
        (
            "Sort these books by year, oldest first: The Glass Orchard (1998), Nine Winters (1974), A Map of Salt (2011)",
            "1974 - Nine Winters\n1998 - The Glass Orchard\n2011 - A Map of Salt",
        ),
        (
            "Information: Repairs take 20 working days. Complaints go to the office.\n\nTenant: My window has been broken for weeks. What can I do?",
            'Write to the office. Here is a draft:\n\n> "I reported a broken window weeks ago and have heard nothing since. Please tell me when it will be done."',
        ),
        (
            "Convert to metric using 1 cup = 240 ml, 1 tbsp = 15 ml.\n\n- 2 cups stock\n- 3 tbsp olive oil\n- 4 tomatoes",
            "- 480 ml stock\n- 45 ml olive oil\n- 4 tomatoes",
        ),
    ],
)  # fmt: skip
def test_right_answers_are_not_accused(prompt: str, response: str) -> None:
    assert claims(prompt, response) == []
