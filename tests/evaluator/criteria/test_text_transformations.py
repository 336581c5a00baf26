"""Counts of words and letters, and texts reversed, in another case or without some letters: worked out and compared."""

from __future__ import annotations

import pytest

from fairwitness.evaluator import shipped
from fairwitness.evaluator.exchange import Exchange


def faults(prompt: str, response: str) -> list[str]:
    exchange = Exchange(prompt, response)
    return [
        finding.message
        for criterion in ("calculation", "instruction_following")
        for finding in shipped().judge(criterion, exchange).findings
        if finding.severity != "info"
    ]


COUNTED = [
    ("How many words are in this line: Nobody told the lighthouse keeper about our visit?", "8", "7"),
    ('How many vowels are in the phrase "Green yard"?', "There are 4, if y counts; otherwise 3.", "There are 2 vowels."),
    ('How many times does the word "the" occur in "The cat saw the dog near the theatre"?', "Three times.", "It occurs 5 times."),
    ('How often does the letter e appear in "Seven seas were here"?', "It appears 7 times.", "6"),
    ('Count the letters in "well-known fact".', "13 letters", "There are 15 letters"),
    ('How many words does this headline have: "Council votes to re-open old mill"? Just the number.', "7", "5"),
    ('How many commas are in the text "One, two, and three"?', "There are two commas.", "3"),
]  # fmt: skip
MADE = [
    ("Reverse the order of these words: lamp chair window table", "1. table\n2. window\n3. chair\n4. lamp", "table chair window lamp"),
    ("Write this list in reverse order: red, dark blue, green, and white", "white, green, dark blue and red", "white, dark blue, green, red"),
    ('Convert this to uppercase: "meet me at the north gate"', "MEET ME AT THE NORTH GATE", "MEET ME AT THE GATE"),
    ("Put the following headline in title case: the quiet house by the lake", "The Quiet House by the Lake", "The quiet house by the lake"),
    ('Remove all vowels from "silent garden"', "Without vowels: slnt grdn", "slent grdn"),
    ('What is the fourth word of the sentence "Boats drift slowly past green reeds"?', 'It is "past".', "The fourth word is green."),
    ('What is the third letter of "lantern"?', "N", "The third letter is t."),
    ("What is the last word in this line: We never saw the harbour again", "again", "harbour"),
    ('Take the first letter of each word in "Big Orange Lamps Dim"', "They spell bold.", "BODL"),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "right", "wrong"), COUNTED + MADE)
def test_the_result_is_compared_with_what_comes_out(prompt: str, right: str, wrong: str) -> None:
    assert not faults(prompt, right)
    assert faults(prompt, wrong)


@pytest.mark.parametrize(
    ("prompt", "response"),
    [
        ("How many words are in the story? It is due on Monday.", "You have not shown me the story yet; it may have 500."),
        ('How many unique words are in "a rose is a rose"?', "3"),
        ('How many words are in the longest sentence of "Go. I like it here."?', "4"),
        ('Count the vowels in "rhythm".', "There are 0 (y would make it 1)."),
        ('Write a story in lower case about this: "The Big Dog" and the moon.', "once the big old dog saw the moon"),
        ('Write this sentence in all caps: "It\'s 5 o\'clock, Ms. Lee!"', "IT'S 5 O'CLOCK, MS. LEE!"),
        ('Remove the punctuation from: "Don\'t stop, ever!"', "Don't stop ever"),
        ('What is the first word of the sentence "A cat sat"?', "A"),
        ('Reverse the words in this sentence and explain why: "Never odd or even"', "It is a palindrome of letters, never of words."),
        ('Reverse the words in this sentence: "Never odd or even"', "Could you tell me whether never, odd and even are to stay?"),
    ],
)  # fmt: skip
def test_what_is_asked_otherwise_is_left_alone(prompt: str, response: str) -> None:
    assert not faults(prompt, response)
