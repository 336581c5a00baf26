"""Small exchanges with the verdict that reference must give them."""

from __future__ import annotations

from fairwitness.evaluator.judgement import Example

EXAMPLES = (
    Example("180 / 2 = 90, so 90 km/h.", "pass", prompt="How fast is it?", reference="90 km/h"),
    Example("It drives at 80 km/h.", "fail", prompt="How fast is it?", reference="90 km/h"),
    Example(
        "The answer is C) carbon dioxide.",
        "pass",
        prompt="Which gas? A) oxygen B) nitrogen C) carbon dioxide",
        reference="C",
    ),
    Example(
        "The answer is A) oxygen.",
        "fail",
        prompt="Which gas? A) oxygen B) nitrogen C) carbon dioxide",
        reference="C",
    ),
    Example("Yes, it is.", "fail", prompt="Is 91 prime?", reference="No"),
    Example(
        "It was written by Jane Austen.",
        "needs_review",
        prompt="Who wrote Middlemarch?",
        reference="George Eliot",
        why="a name may be right in another form",
    ),
    Example('{"paid": true, "id": 17}', "pass", reference='{"id": 17, "paid": true}'),
    Example('{"paid": true, "id": 71}', "fail", reference='{"id": 17, "paid": true}'),
    Example(
        "Helium and neon.", "needs_review", reference="helium, neon, argon", why="one is missing"
    ),
    Example("Because air scatters blue light most.", "not_applicable", why="no expected answer"),
    Example(
        "Because air scatters blue light most.",
        "not_applicable",
        reference="Air molecules scatter short wavelengths of sunlight more strongly than long ones.",
        why="open text is not compared",
    ),
)
