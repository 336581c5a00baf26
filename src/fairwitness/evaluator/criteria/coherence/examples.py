"""Small exchanges with the verdict coherence must give; the docs show them and the tests run them."""

from __future__ import annotations

from fairwitness.evaluator.judgement import Example

_LOOP = "I think the answer is that we should go to the park today. "
_BIKE = "Wie repariere ich am besten mein Fahrrad, wenn die Kette ständig abspringt?"

EXAMPLES = (
    Example("Water boils at 100 °C at sea level.", "pass", why="whole"),
    Example("4", "pass", prompt="What is 2 + 2?", why="short is not broken"),
    Example(
        "Bring the water to a boil, add the pasta, and stir it with the",
        "fail",
        prompt="How do I cook pasta?",
        why="stops in the middle of a sentence",
    ),
    Example(
        "Fill the pot. Salt the water. Bring it to a boil. Add the pasta and stir once or twice",
        "needs_review",
        prompt="How do I cook pasta?",
        why="only the last sentence has no end: cut, or a full stop forgotten",
    ),
    Example(
        "You put the pasta into boiling water and wait until it is sof",
        "needs_review",
        prompt="How do I cook pasta?",
        why="stops in the middle of a word",
    ),
    Example(
        "Fill a pot with water, salt it, bring it to a boil and add the\n\nEnjoy your meal with a good sauce.",
        "needs_review",
        prompt="How do I cook pasta?",
        why="a paragraph breaks off though the last one is whole",
    ),
    Example(
        "Buy:\n- flour\n- two eggs\n- a pinch of salt",
        "pass",
        prompt="What do I need for pasta?",
        why="this list never uses full stops",
    ),
    Example(
        "Paris is the capital of France.",
        "needs_review",
        prompt="What is the capital of France?",
        why="reads well, but the provider says it stopped at its limit",
        finish_reason="length",
    ),
    Example("Use a loop:\n```python\nfor i in range(3):\n    print(i)\n", "needs_review", why="open fence"),
    Example(_LOOP * 6, "fail", prompt="What shall we do?", why="one sentence over and over"),
    Example(_LOOP * 6, "pass", prompt="Repeat that sentence 6 times.", why="repetition was asked for"),
    Example(
        "Le cafÃ© est fermÃ©, mais l'Ã©picerie reste ouverte jusqu'Ã\xa0 vingt heures, mÃªme l'Ã©tÃ©.",
        "fail",
        prompt="Où puis-je acheter du pain ?",
        why="UTF-8 read as Windows-1252",
    ),
    Example("The caf\ufffd is closed.", "pass", why="one lost character is a blemish, noted as low"),
    Example(
        "sdkfj wlkrnt qwlkfd zxcvbn asdfgh pqrstl wkjhgf lkjhgf zzxqj vbnqw",
        "fail",
        why="letters without words",
    ),
    Example(
        "You should first check whether the chain is worn, and then adjust the derailleur so that it "
        "does not jump off again when you change the gears on a hill.",
        "needs_review",
        prompt=_BIKE,
        why="asked in German, answered in English",
    ),
    Example(
        "Prüfe zuerst, ob die Kette verschlissen ist, und stelle dann die Schaltung neu ein, damit sie beim "
        "Schalten am Berg nicht wieder abspringt.",
        "pass",
        prompt=_BIKE,
    ),
    Example("```python\ndef area(width, height:\n    return width * height\n```", "needs_review", why="does not parse"),
    Example("```python\ndef area(width, height):\n    ...\n```", "pass", why="left out on purpose"),
    Example('```json\n{"name": "Ann", "age": 41,}\n```', "needs_review", why="JSON allows no last comma"),
    Example("1. Open it.\n2. Read it.\n4. Sign it.\n5. Send it.", "pass", why="a lost number is noted as low"),
    Example(
        "The tower is open today. Bring a coat. The tower is not open today.",
        "needs_review",
        prompt="When can I visit the tower?",
        why="two statements contradict each other",
    ),
    Example(
        "Here are four tips:\n1. Rest.\n2. Drink.\n3. Walk.\n4. Read.\n5. Sleep.",
        "needs_review",
        prompt="How do I relax?",
        why="announces four and lists five",
    ),
    Example(
        "Flights are $420 and the hotel $360. The total is $780. So the total is $870.",
        "needs_review",
        prompt="What does it cost?",
        why="two different totals",
    ),
    Example("...", "fail", prompt="Please tell me about rivers.", why="not a word"),
    Example("+", "pass", prompt="Which operator adds two numbers?", why="the sign is the answer"),
    Example(
        "ᎣᏏᏲ ᏙᎯᏧ ᏥᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎠᏂᏴᏫᏯ",
        "needs_review",
        prompt="Say hello in Cherokee.",
        why="a script that no rule here can read",
    ),
)  # fmt: skip
