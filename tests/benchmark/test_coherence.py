"""The measure of coherence: it damages what can be damaged, counts honestly, and repeats itself."""

import random

from fairwitness.benchmark import coherence

ANSWER = """Here is how to add two numbers in Python, step by step, for anyone's project.

1. Open the editor and make a new file for the program.
2. Write the function that adds the two numbers together.
3. Save the file in the folder where the others are kept.
4. Run the file and look at the number that it prints.
5. Change the numbers and run it again to see the difference.

```python
def add(first, second):
    return first + second
```

The function takes two numbers and returns their sum. It works for whole numbers and for fractions alike. \
You can call it as often as you like, because it keeps nothing between two calls.

```json
{"first": 1, "second": [2, 3]}
```

That is all there is to it. If anything stays unclear, ask again and I will explain it in other words."""
GERMAN = (
    "Wie repariere ich am besten mein Fahrrad, wenn die Kette ständig abspringt?",
    "Prüfe zuerst, ob die Kette verschlissen ist, und stelle dann die Schaltung neu ein, damit sie beim Schalten "
    "am Berg nicht wieder abspringt. Danach solltest du alles gut ölen und eine kurze Runde fahren, um zu sehen, "
    "ob das Problem wirklich behoben ist.",
)
ROWS = [
    {
        "prompt": "How do I add two numbers in the Python language, and what is the best way to do it?",
        "response": ANSWER,
    },
    {
        "prompt": "What is the best way to learn to cook for a person who has never done it?",
        "response": ANSWER,
    },
    {"prompt": GERMAN[0], "response": GERMAN[1]},
]


def test_every_damage_that_applies_changes_the_answer_and_is_seen() -> None:
    for name, damage in coherence.DAMAGES.items():
        damaged = damage(ANSWER, random.Random(1))
        assert damaged is None or damaged != ANSWER, name
    figures = coherence.measure(ROWS)
    certain = (
        "cut inside a code block",
        "the last fence left open",
        "a paragraph of random letters",
    )
    for name in certain:
        assert figures[f"seen: {name}"].share == 1, name


def test_good_rows_raise_no_alarm_and_languages_are_swapped() -> None:
    figures = coherence.measure(ROWS)
    assert figures["good answers with a finding above low"].hits == 0
    assert figures["good answers with a finding above low"].cases == len(ROWS)
    assert figures["seen: an answer in another language"].cases == 2


def test_measuring_twice_gives_the_same_figures() -> None:
    assert repr(coherence.measure(ROWS)) == repr(coherence.measure(ROWS))


def test_a_share_lies_inside_its_interval() -> None:
    found = coherence.share([True] * 30 + [False] * 70)
    assert (found.cases, found.hits) == (100, 30)
    assert 0.2 < found.low < found.share < found.high < 0.4


def test_no_case_has_no_share() -> None:
    found = coherence.share([])
    assert found.cases == 0
    assert found.share != found.share
