"""Pieces that demands are made of; every way of putting them together must be read the same."""

from __future__ import annotations

# A comparison of N (and M, two more) with what it leaves: how far both bounds lie from N, None where open.
COMPARISONS: dict[str, tuple[int | None, int | None]] = {
    "at least N": (0, None),
    "at most N": (None, 0),
    "less than N": (None, -1),
    "fewer than N": (None, -1),
    "more than N": (1, None),
    "exactly N": (0, 0),
    "no fewer than N": (0, None),
    "a minimum of N": (0, None),
    "N or more": (0, None),
    "N+": (0, None),
    "up to N": (None, 0),
    "no more than N": (None, 0),
    "at least N or more": (0, None),
    "N or fewer": (None, 0),
    "under N": (None, -1),
    "N to M": (0, 2),
    "between N and M": (0, 2),
    "no less than N and no more than M": (0, 2),
}
FRAMES = (
    "Write an essay about owls with {}.",
    "Write an essay about owls that has {}.",
    "Write an essay about owls. Your response should contain {}.",
    "Write an essay about owls. Please include {} in your response.",
    "Write an essay about owls. There must be {}.",
    "Write an essay about owls. I want {}.",
    "Write an essay about owls.\n- {}",
    "Can you write an essay about owls with {}?",
    "I am looking for an essay on owls that contains {}.",
    "Answer this with {}: what is an owl?",
    "Write an essay about owls, making sure to have {}.",
    "Rewrite the following sentence: The owl sat on the tree. It should contain {}.",
)
UNITS = {
    "words": "word_count",
    "sentences": "sentence_count",
    "paragraphs": "paragraph_count",
    "bullet points": "bullet_count",
    "placeholders in square brackets, such as [name]": "placeholder_count",
    "highlighted sections in markdown, i.e. *section*": "highlight_count",
}

# Each family: the kind read, how it is led up to, and the ways to say it.
FAMILIES: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "separated_parts 2..2",
        (
            "Give me two different responses",
            "I want two versions",
            "Respond with 2 different answers",
        ),
        (
            " separated by 6 asterisk symbols: ******.",
            " with ****** between them.",
            ". Use ****** as a separator.",
            ". Between the two, add 6 asterisks (******).",
            ", using ****** to set them apart.",
            ". Mark the split with ******.",
        ),
    ),
    (
        "section_count 3..",
        ("Your response must have 3 sections. ", "Divide your essay into at least 3 sections. "),
        (
            "Mark the beginning of each section with SECTION X.",
            "Start each one with Section X.",
            'Each must begin with "SECTION X".',
            "The sections should be labeled Section 1, Section 2, and so on.",
            "Sections must be in the form of Section X.",
            "Preface each section with Section X.",
            'Have them titled with "Section" followed by the number.',
        ),
    ),
    (
        "ends_with",
        ("Write a note on ice. ",),
        (
            'The very end of your response should be the phrase "Stay safe."',
            'Make sure the ending of the note is the phrase "Stay safe."',
            'It has to end in the words "Stay safe."',
            'The phrase "Stay safe." must come at the very end.',
            'Finish off by saying "Stay safe."',
            "End with: Stay safe. No other words should follow this phrase.",
            "The final sentence of your reply should be: Stay safe. Do not add anything after that.",
        ),
    ),
    (
        "uppercase",
        ("Tell me about owls. ", "Rewrite the text below: owls hoot. "),
        (
            "Use only capital letters in your response.",
            "Your response should be fully capitalized.",
            "Make sure all the letters of your response are capital.",
            "Your answer should be written with capital letters only.",
            "Lowercase letters should not be used in your response.",
        ),
    ),
    (
        "paragraph_start",
        ("Tell me about owls. ",),
        (
            'Paragraph 2 must start with the word "however".',
            'Use "however" as the first word of paragraph 2.',
            'The word "however" should start the second paragraph.',
            'In the second paragraph, the first word must be "however".',
            'Paragraph 2\'s first word must be "however".',
            'Have paragraph number two begin with the word "however".',
            'The 2nd paragraph of your response has to start with the word "however".',
        ),
    ),
    (
        "forbidden_words",
        ("Write a note on winter. ", "Fix the following sentence: me cold. "),
        (
            'Do not use either of the words "snow" and "ice".',
            "I don't want to see the words snow or ice in your response.",
            "Do not include the keywords [snow, ice].",
            "Avoid the words (snow, ice).",
            "Don't use any of these words:\n1. snow\n2. ice",
            "Never use the word snow or the word ice.",
            'Use neither the word "snow" nor the word "ice".',
        ),
    ),
)
