"""What happens to answers in other languages: does the evaluator say that it cannot judge them?

Real answers, told apart by script or by the commonest words of a language, not by the identifier the
evaluator itself uses; and short answers of ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.benchmark.bias_texts import load
from fairwitness.benchmark.false_alarms import Answer, select
from fairwitness.benchmark.judged import Judged
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.sampling import answers, in_turn, placed
from fairwitness.benchmark.series import Series, Tick
from fairwitness.benchmark.statistics import MEAN

LIMIT = 40
ENGLISH = 200
LONGEST = 2500
FEWEST = 5
SAYS, PASSES, FAILS = "says it cannot judge the language", "passes", "fails"
_WORDS = {
    "English": "the and of to in is that for it with as are this on be by you not or have can your which from",
    "French": "le la les des est une dans pour que qui vous avec sur pas sont plus et du en un",
    "Spanish": "el los las una que para con por como más está es del pero se su y en la un",
    "German": "der die das und ist nicht ein eine mit für auf sie von den zu werden im es dass",
    "Italian": "il che di per una sono con non gli della è nel le più e un la in si",
    "Portuguese": "não uma para com que os as do da em é são você mais como e o um",
}
_COMMONEST = {name: frozenset(words.split()) for name, words in _WORDS.items()}
_SCRIPTS = {
    "Japanese": ("\u3040", "\u30ff"),
    "Chinese": ("\u4e00", "\u9fff"),
    "Russian": ("\u0400", "\u04ff"),
    "Korean": ("\uac00", "\ud7a3"),
    "Hindi": ("\u0900", "\u097f"),
}
# The share of an answer's words that are among the commonest, or of its letters in the script.
_COMMON, _LETTERS = 0.2, 0.3


def series(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return, for each language, the share said to be out of reach, and the shares that pass and fail all the same."""
    by_language: dict[str, list[Answer]] = {
        "English, plain good answers": select(rows)[:ENGLISH],
    }
    for answer in in_turn(answers(rows, LONGEST)):
        language = told(answer.response)
        if language is not None:
            by_language.setdefault(language, []).append(answer)
    for said in load().said:
        for name in ("French", "Spanish", "German", "Chinese"):
            ours = Answer("ours", said.prompt, said.versions[name])
            by_language.setdefault(f"{name}, ours", []).append(ours)
    chosen = {
        name: held if name.startswith("English") else held[:LIMIT]
        for name, held in by_language.items()
        if len(held) >= FEWEST
    }
    made: list[Series] = []
    done, total = 0, sum(map(len, chosen.values()))
    for name, held in sorted(chosen.items()):
        says, passes, fails = [], [], []
        for answer in held:
            assessment = judged.assessed(answer.prompt, answer.response)
            says.append(placed(answer, "language_unsupported" in assessment.reasons))
            passes.append(placed(answer, assessment.overallVerdict == "pass"))
            fails.append(placed(answer, assessment.overallVerdict == "fail"))
            done += 1
            tick(done, total)
        for kind, points in ((SAYS, says), (PASSES, passes), (FAILS, fails)):
            made.append(Series(f"{name}: {kind}", MEAN, points))
    return made


def told(text: str) -> str | None:
    """Name a language other than English where its letters or commonest words plainly say so."""
    letters = [char for char in text[:600] if char.isalpha()]
    if len(letters) < 40:
        return None
    for name, (low, high) in _SCRIPTS.items():
        within = sum(low <= char <= high for char in letters)
        if within >= (0.05 if name == "Japanese" else _LETTERS) * len(letters):
            return name
    words = text.lower().split()[:80]
    shares = {
        name: sum(map(common.__contains__, words)) / len(words)
        for name, common in _COMMONEST.items()
    }
    best = max(shares, key=lambda name: shares[name])
    return best if best != "English" and shares[best] >= _COMMON else None
