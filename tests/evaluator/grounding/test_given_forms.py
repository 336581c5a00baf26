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


NOTES = "Ferry Alba, crossing 14. Left Tarbet at 07:50 with 212 passengers; the lift was out of order. Mr Quill fell ill and was met by a doctor in Portree."
PLAIN_NOTES = "The hedge was cut in autumn and has grown back thickly since then. Both gates now close without a push. The pond leaks at its shallow end, which the gardener means to line with clay before the frost."
SUMMARY = "Abstract. We tested whether lamps of a warmer colour help night nurses to sleep. For 6 weeks 84 nurses in Turku used either lamp. Sleep grew by 22 minutes in one group."
QUOTED = '"When the tide went out, Morwen found the bell in the sand. Old Petrok told her to leave it, since the sea had lent it and would ask for it."'
CARD = "Oat bars - stir 200 g oats into 90 g melted butter, add 3 spoons of honey. Bake 25 min at 170 C. Cut while warm."
STAFF = "* Nuria - sold tickets from 5 pm\n* Bram - lights and curtain\n* the Adeyemi sisters - costumes"
CHANGES = "## 2.5.0\n- Default page size raised from 20 to 50.\n- Dropped support for Python 3.8.\n## 2.4.9\n- Fixed a leak in the cache."
HOURS = "HELP\n- The hall is open 7:00-22:00 on weekdays.\n- Rackets cost 3 euros an hour.\n- Children under 10 must play with an adult."
DAY = "Thursday in Graz\n08:45 castle lift\n10:15 market hall\n12:30 lunch\n15:10 train to Vienna"
TICKETS = "#71 no sound on start [major]\n#74 wrong flag for Malta [minor]\n#80 crash on rotate [critical]"
SIZES = "photos    3.4 GB\nmusic     1,250 MB\nletters   0.2 GB"
MAIL = "Dear Ms Aalto, your parcel of 3 May reached our depot in Turku. The duty of 18 euros is still open. Kind regards, Postbox Nord"


@pytest.mark.parametrize(
    "block",
    [NOTES, PLAIN_NOTES, SUMMARY, QUOTED, CARD, CHANGES, HOURS, DAY, TICKETS, SIZES, MAIL],
)
@pytest.mark.parametrize(
    "prompt",
    [
        "{}\n\nWrite two lines about it for the newsletter.",
        "Write two lines about it for the newsletter.\n\n{}",
        "What happened? We can't agree.\n\n{}",
        "{}\n---\nwhat stands out",
    ],
)
def test_a_block_that_tells_is_handed_over_beside_one_that_asks(block: str, prompt: str) -> None:
    told = "\n".join(handed(prompt.format(block)))
    assert block.splitlines()[-1].strip('"') in told
    assert not any(said in told for said in ("newsletter", "agree", "stands out"))


def test_a_list_on_the_lines_after_an_order_is_handed_over_without_it() -> None:
    assert handed(f"Draft a note of thanks. Thank each for their part:\n{STAFF}\nSign as Ott.") == [
        STAFF
    ]


def test_a_quotation_or_a_title_before_a_colon_hands_over_what_follows() -> None:
    will = '"My boat goes to my niece Vesna and my books to the library of Piran. Luka is to see to it all."'
    assert handed(f"Her last will says: {will}\n\nSay plainly who gets what.")[0].endswith(will)
    assert handed(f"My aunt's will says: {will}\n\nSay plainly what I get.") == [will]
    terms = (
        "a stay of 9 nights or more; arrival before 10 June; no pets on pitch 4. It comes to 12%."
    )
    told = handed(f"Do I get it? House terms for the early rebate: {terms}\n\nI'd come on 2 June.")
    assert told[0].startswith("a stay of 9 nights")


def test_a_letter_of_several_paragraphs_is_handed_over_whole() -> None:
    letter = "Dear members,\n\nthe pool shuts on 4 March. I will write when I know more.\n\nBest wishes,\nIlka"
    assert handed(f"{letter}\n\n---\nWhen does it shut?") == [letter]


def test_the_paragraphs_of_a_text_belong_together() -> None:
    text = f"Harbour log\n\n{NOTES}\n\nNo wind."
    assert handed(f"{text}\n\nWho fell ill?") == [text]


@pytest.mark.parametrize(
    "prompt",
    [
        "Constraints: answer in at most fifty plain words and do not use any lists or headings at all.\n\nWhat is rain?",
        "Create a scene: it has a dragon, two knights, a long bridge and a very old horse in it.\n\nCan you do that?",
        "Your task: you must answer every question of the user with care and in a friendly tone of voice.\n\nWhat is rain?",
        "Background on me: I run 20 km a week and I want to finish a marathon in under four hours.\n\nWhat do I need?",
        "09:00 Welcome\n09:30 Keynote\n10:45 Break\n11:00 Workshops\n\nStart everything 15 minutes later.",
        "Write a page about kettles.\n\nThe text should be cheerful. It should have 120 words. Mention Bonn twice and Graz once.",
        "You are Marta of Blue Coast Tours in Faro. You speak in short sentences. You never mention prices.\n\nWhere is it warm in May?",
        "Write a Python function that reads dates.\n\nThe input has 3 columns. Dates are in ISO form. Rows before 2001 are skipped.",
        "A bus leaves Lyon at 9:00 and does 80 km per hour. A car leaves Paris at 10:00, twice as fast.\n\nHow many hours until they meet?",
        "Line A costs 18 a month with 5 rides. Each further ride is 2. Line B costs 30.\n\nWhich is cheaper for 12 rides?",
        "Anna has 14 plums and gives 5 to Ben. Ben eats 2 of them. How many does Ben have?",
        "Write a haiku.\n\nExample:\nOld pond in Kyoto\nA frog of 3 summers jumps\nThe water of May",
        "Plan my week:\n- gym 3 times\n- 2 calls with Ana\n- dentist on Friday",
        "Write a post in this form:\n* This is bullet 1\n* This is bullet 2\n...",
        "Make a quiz about Rome.\n\n1. Use 10 questions.\n2. Give 4 choices each.\n3. Put the key at the end.",
        "Which one is true?\n\nA) Paris has 3 airports.\nB) Rome has 5 rivers.\nC) Oslo has 2 castles.",
        "Which names fit a club?\n\nAlliance\nBureau\nConsortium\nFederation\nGuild\nInstitute\nLeague\nLodge\nNetwork\nOrder\nSociety\nTrust",
        "Suppose Anna has 3 keys and Ben has 4. Each opens one door in Bonn.\n\nWho can open the blue door?",
        "I am planning a week in Japan with my two children and my old father next spring.\n\nWhat should I pack?",
    ],
)
def test_what_is_said_of_the_answer_or_of_oneself_is_no_source(prompt: str) -> None:
    assert handed(prompt) == []


def claims(prompt: str, response: str) -> list[str]:
    found = shipped().judge("grounding", Exchange(prompt, response)).findings
    return [finding.message for finding in found if finding.severity not in {"info", "low"}]


RAIN = "| City | Rainy days | Sunshine hours |\n|---|---|---|\n| Porto | 127 | 2468 |\n| Split | 108 | 2697 |\n| Lyon | 104 | 2002 |"
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
