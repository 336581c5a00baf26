"""Right answers that the checks of lists, options and conclusions must let be: each is worded as what they look for."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange

HEIGHTS = "\n- Anna: 181 cm\n- Ben: 172 cm\n- Cleo: 165 cm\n"
ROUTES = "\n- Anna: 6 km\n- Ben: 4 km\n- Cleo: 3.1 km\n"
PRICES = "\n- Pen: $2.50\n- Book: $12.00\n- Bag: $30.00\n"
TIMES = "\n- Anna: 12:40\n- Ben: 13:05\n- Cleo: 14:20\n"
SCORES = "Scores: Reds 14, Blues 9, Greens 21."
PEOPLE = "| Name | Job | City |\n|---|---|---|\n| Anna | Engineer | Leeds |\n| Ben | Manager | York |\n| Cleo | Designer | Bath |\n\nTell me about Anna."

RESPONSES = [
    "- Train: $45 (was $60)\n- Coach: $50\n\nTrain is cheaper.",
    "- Hotel: $420, leaving $80\n- Hostel: $150, leaving $350\n\nHostel is cheaper.",
    "- Plan A: $100 premium, $2,000 deductible\n- Plan B: $180 premium, $500 deductible\n\nPlan A is the cheaper plan.",
    "- Train: $80, 2 hours\n- Bus: $30, 5 hours\n\nTrain saves three hours.",
    "- Basic: $10\n- Pro: $25\n\nPro saves you the trouble of backups.",
    "1. Gas: $4,000\n2. Heat pump: $9,000\n\nHeat pump is cheaper to run.",
    "- Large: $9 for 3 kg\n- Small: $4 for 1 kg\n\nLarge is cheaper by weight.",
    "For two people, 2 × ($4 + $5) comes to $18.",
    "The three years (2019 – 2021) come to 4,500 euros.",
    "The children (2 + 3) come to 15 euros in all.",
    "Double the side lengths (4 + 5) comes to 18.",
    "The Games were held every 4 years from 1896 to 1936.",
    "He ruled for nearly 50 years, from 1912 to 1956.",
    "Of his 30 years, from 1990 to 1999 he was abroad.",
    "That is 20 years, between 2010 and 1990.",
    "Rent: 2 × 725 = 1,450. On top of the 1,450 comes the key fee of 100.\nSo, with the fee, you need 1,550.",
    "Plan A: 12 × 110 = 1,320. Plan B is 1,320 plus 50.\nSo Plan B comes to 1,370.",
    "She was born in 1959, and 1959 + 65 = 2024. She turns 65 in 2024. So the first full year is 2025.",
    "The trip is 120 km with a 30 minute stop. At an average speed of 80 km/h you drive for 1.5 hours.",
]

EXCHANGES = [
    ("How much shorter is Ben than the tallest?" + HEIGHTS, "Ben is 9 cm shorter."),
    ("Is Ben the tallest?" + HEIGHTS, "No, Ben comes second."),
    ("How much must Ben grow to become the tallest?" + HEIGHTS, "Ben must grow 10 cm."),
    ("Who finished behind the highest scorer? " + SCORES, "Reds"),
    ("Who is the tallest boy?" + HEIGHTS, "The tallest boy is Ben."),
    (
        "Which is the longest river in Europe?\n- Nile: 6,650 km\n- Volga: 3,530 km\n- Danube: 2,850 km",
        "The longest river in Europe is the Volga.",
    ),
    (
        "I need to be there before noon. Which train is the latest?\n- Express: 9:10\n- Regional: 11:05\n- Night train: 22:15",
        "The latest is the Regional.",
    ),
    (
        "Which is the oldest?\n- Church: 1650\n- Tower: 1720\n- Mill: 1780",
        "The oldest is the Church.",
    ),
    (
        "World rankings: Nadal 9, Federer 4, Murray 1. Who is ranked highest?",
        "Murray is ranked highest.",
    ),
    (
        "Sandpaper: Fine 220, Medium 120, Coarse 60. Whose grains are the largest?",
        "Coarse has the largest.",
    ),
    ("Who is the tallest?" + HEIGHTS, "Anna is the tallest. Her closest rival is Ben."),
    ("Who is the tallest?" + HEIGHTS, "Anna is. The biggest surprise is Ben."),
    ("Who is the tallest, and by how much?" + HEIGHTS, "The tallest is 9 cm taller than Ben."),
    (
        "What is the difference?" + ROUTES,
        "Anna's route (6 km) is 1.5 times longer than Ben's (4 km).",
    ),
    ("What is the difference?" + PRICES, "The Book costs about $10 more than the Pen."),
    (
        "What is the difference?" + PRICES,
        "For less than the Bag you could get the Book and 4 pens.",
    ),
    (
        "What is the difference? " + SCORES,
        "They need 8 points more than the Reds have to beat the Greens.",
    ),
    (
        "What is the gap between Ben and Cleo (mm:ss)?" + TIMES,
        "The gap between Ben and Cleo is 75 seconds.",
    ),
    (
        "I picked 3 apples, 5 pears and 9 plums. How many pears and plums did I pick in total?",
        "You picked 14 pears and plums in total (the 3 apples don't count).",
    ),
]


@pytest.mark.parametrize(
    ("prompt", "response"), [*(("Which one?", r) for r in RESPONSES), *EXCHANGES]
)
def test_calculation_lets_it_be(prompt: str, response: str) -> None:
    found = shipped().judge("calculation", Exchange(prompt, response)).findings
    assert [finding.message for finding in found if finding.severity != "low"] == []


@pytest.mark.parametrize(
    "response",
    [
        "Anna travels to York on Monday.",
        "Anna works with a manager in York.",
        "Anna, an engineer, lives in Leeds.",
    ],
)
def test_a_word_of_another_row_is_often_only_a_word(response: str) -> None:
    found = shipped().judge("grounding", Exchange(PEOPLE, response)).findings
    assert [finding.message for finding in found if finding.detector == "grounding.cell"] == []


@pytest.mark.parametrize("response", ["", " ", "\n", "\u200b"])
def test_a_response_without_a_sentence_is_judged(response: str) -> None:
    assert (
        not shipped()
        .judge("calculation", Exchange("Which is the longest?" + ROUTES, response))
        .findings
    )


@pytest.mark.parametrize(
    ("criterion", "prompt", "response"),
    [
        (
            "coherence",
            "I'd like to import this CSV to SQL, how do I clean it first with pandas?",
            "```python\nimport pandas as pd\nprint(pd.read_csv('a.csv'))\n```",
        ),
        (
            "coherence",
            "Show a page.",
            "```html\n<!-- not: <table <tr> -->\n<p>One</p>\n<p>Two</p>\n```",
        ),
        ("coherence", "Show a tag.", '```html\n<p title="<b</b>">x</p>\n<p>y</p>\n<p>z</p>\n```'),
        (
            "instruction_following",
            "Explain to us spellings like colour; write about the colour red.",
            "The colour red is my favourite.",
        ),
        (
            "instruction_following",
            "Reply with the keys name and age only, as JSON.",
            '{"name": "Ann", "age": 4}',
        ),
        (
            "instruction_following",
            "Give me the fields as JSON: Name Tom, age 5, city Paris",
            '{"name": "Tom", "age": 5, "city": "Paris"}',
        ),
    ],
)
def test_other_criteria_let_it_be(criterion: str, prompt: str, response: str) -> None:
    found = shipped().judge(criterion, Exchange(prompt, response)).findings
    assert [finding.message for finding in found if finding.severity not in {"info", "low"}] == []
