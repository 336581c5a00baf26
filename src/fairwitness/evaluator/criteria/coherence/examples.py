"""Small exchanges with the verdict coherence must give; the docs show them and the tests run them."""

from __future__ import annotations

from fairwitness.evaluator.judgement import Example

_LOOP = "I think the answer is that we should go to the park today. "

EXAMPLES = (
    Example("Water boils at 100 °C at sea level.", "pass", why="whole"),
    Example("4", "pass", prompt="What is 2 + 2?", why="short is not broken"),
    Example(
        "Bring the water to a boil, add the pasta, and stir it with the",
        "fail",
        prompt="How do I cook pasta?",
        why="stops mid-sentence",
    ),
    Example(_LOOP * 6, "fail", prompt="What shall we do?", why="one sentence over and over"),
    Example(
        _LOOP * 6, "pass", prompt="Repeat that sentence 6 times.", why="repetition was asked for"
    ),
    Example(
        "Le cafÃ© est fermÃ©, mais l'Ã©picerie reste ouverte jusqu'Ã\xa0 vingt heures, mÃªme l'Ã©tÃ©.",
        "fail",
        prompt="Où puis-je acheter du pain ?",
        why="UTF-8 read as Windows-1252",
    ),
    Example(
        "Use a loop:\n```python\nfor i in range(3):\n    print(i)\n",
        "needs_review",
        why="open fence",
    ),
    Example(
        "Paris is the capital of France.",
        "needs_review",
        prompt="What is the capital of France?",
        why="reads well, but the provider says it was cut",
        finish_reason="length",
    ),
)
