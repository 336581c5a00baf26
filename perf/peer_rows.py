"""Rows made here, so that they can be published: texts with and without secrets, answers that meet a format or not."""

from __future__ import annotations

import json
import random
import string

from perf.sample_texts import prose


def secrets(count: int = 60) -> list[tuple[str, bool]]:
    """Return texts of which every other holds a secret of a known form, made at random."""
    dice = random.Random(4)

    def drawn(letters: str, size: int) -> str:
        return "".join(dice.choice(letters) for _ in range(size))

    hidden = string.ascii_letters + string.digits
    makers = (
        lambda: "aws_access_key_id = AKIA" + drawn(string.ascii_uppercase + "234567", 16),
        lambda: "token: ghp_" + drawn(hidden, 36),
        lambda: "-----BEGIN RSA PRIVATE KEY-----\nMIIE" + drawn(hidden, 60),
        lambda: (
            "xoxb-"
            + drawn(string.digits, 12)
            + "-"
            + drawn(string.digits, 12)
            + "-"
            + drawn(hidden, 24)
        ),
        lambda: "sk_live_" + drawn(hidden, 24),
    )
    plain = (
        "the key lies under the mat",
        "token: see your own settings",
        "sha256 of the file: ask the tool",
    )
    rows = []
    for number in range(count):
        truth = number % 2 == 0
        line = makers[number // 2 % len(makers)]() if truth else plain[number // 2 % len(plain)]
        rows.append((f"{prose(300, number)}\n\n{line}\n\n{prose(100, number + 1)}", truth))
    return rows


def formats(count: int = 60) -> list[tuple[str, str, bool]]:
    """Return prompts with one demand, and answers of which every other breaks it (True)."""
    rows = []
    for number in range(count):
        broken = number % 2 == 0
        words = prose(400, number).replace("\n", " ").replace("- ", "").split()
        kind = number // 2 % 3
        if kind == 0:
            value = json.dumps({"name": words[0], "words": words[1:9]})
            rows.append(("Answer in JSON only.", value[:-3] if broken else value, broken))
        elif kind == 1:
            text = " ".join(words[:30])
            rows.append(
                (
                    "Answer in all lowercase letters.",
                    text.capitalize() if broken else text.lower(),
                    broken,
                )
            )
        else:
            text = " ".join(words[: 45 if broken else 15])
            rows.append(("Describe the mill in at most 20 words.", text, broken))
    return rows
