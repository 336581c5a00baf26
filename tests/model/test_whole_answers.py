"""Whole answers made of lessons: only those kept out of training, right ones and ones with a single fault."""

import json
from pathlib import Path

from model.rows import held, key
from model.whole_answers import LENGTHS, answers


def test_answers_are_made_of_lessons_kept_out_of_training(tmp_path: Path) -> None:
    contexts = [
        f"Room {number} is booked by Ada. Room {number + 1} is free." for number in range(60)
    ]
    lessons = [
        {"task": "Who booked it?", "context": text, "supported": ["Ada did.", "One is free."], "contradicted": ["Bo did."]}
        for text in contexts
    ]  # fmt: skip
    path = tmp_path / "grounding-test.jsonl"
    path.write_text("\n".join(map(json.dumps, lessons)))
    kept = {text for text in contexts if held("lesson_grounding-test", key(text))}
    found = [*answers([path])]
    assert {one.prompt.partition("\n\n")[2] for one in found} == kept
    assert 0 < len(kept) < len(contexts)
    right = [one for one in found if not one.faulty]
    faulty = [one for one in found if one.faulty]
    assert len(right) == len(faulty) == len(kept) * len(LENGTHS)
    assert {one.response for one in right} == {"Ada did.", "Ada did.\nOne is free."}
    assert {one.response for one in faulty} == {"Bo did.", "Bo did.\nOne is free."}
