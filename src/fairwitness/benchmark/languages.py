"""What happens to answers in other languages: does the evaluator say that it cannot judge them?

Real answers, told apart by script or by the commonest words of a language, not by the identifier the
evaluator itself uses; and short answers of ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairwitness.benchmark.bias_texts import load
from fairwitness.benchmark.false_alarms import Answer, select
from fairwitness.benchmark.row_evaluation import Judged
from fairwitness.benchmark.rows import Row
from fairwitness.benchmark.sampling import answers, in_turn, placed
from fairwitness.benchmark.series import Series, Tick
from fairwitness.benchmark.statistics import MEAN

MAX_ANSWERS = 30
MAX_ENGLISH_ANSWERS = 150
MAX_RESPONSE_CHARS = 1200
MIN_ANSWERS = 5
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
# The share of letters that must be in the script. Japanese is told by its own syllables: its other signs are Chinese.
_SCRIPTS = {
    "Japanese": (0.3, "\u3040", "\u30ff"),
    "Chinese": (0.7, "\u4e00", "\u9fff"),
    "Russian": (0.7, "\u0400", "\u04ff"),
    "Korean": (0.7, "\uac00", "\ud7a3"),
    "Hindi": (0.7, "\u0900", "\u097f"),
}
_OTHERS = {*_WORDS, *_SCRIPTS} - {"English"}
# The share of an answer's words that are among the commonest.
_MIN_COMMON_WORD_SHARE = 0.2


def series(rows: Sequence[Row], judged: Judged, tick: Tick) -> list[Series]:
    """Return, for each language, the share said to be out of reach, and the shares that pass and fail all the same."""
    chosen = {name: held for name, held in _by_language(rows).items() if len(held) >= MIN_ANSWERS}
    made: list[Series] = []
    done, total = 0, sum(map(len, chosen.values()))
    for name, held in sorted(chosen.items()):
        says, passes, fails = [], [], []
        for answer in held:
            evaluation = judged.assessed(answer.prompt, answer.response)
            says.append(placed(answer, "language_unsupported" in evaluation.reasons))
            passes.append(placed(answer, evaluation.overall_verdict == "pass"))
            fails.append(placed(answer, evaluation.overall_verdict == "fail"))
            done += 1
            tick(done, total)
        for kind, points in ((SAYS, says), (PASSES, passes), (FAILS, fails)):
            made.append(Series(f"{name}: {kind}", MEAN, points))
    return made


def _by_language(rows: Sequence[Row]) -> dict[str, list[Answer]]:
    good = [answer for answer in select(rows) if told(answer.response) == "English"]
    found = {"English, plain good answers": good}
    # Hardly an answer in these languages is written without one letter outside ASCII.
    others = (item for item in answers(rows, MAX_RESPONSE_CHARS) if not item.response.isascii())
    for answer in in_turn(others):
        language = told(answer.response)
        if language is not None and language != "English":
            found.setdefault(language, []).append(answer)
    found = {
        name: held[: MAX_ANSWERS if name in _OTHERS else MAX_ENGLISH_ANSWERS]
        for name, held in found.items()
    }
    for said in load().said:
        for name, prompt in said.asked.items():
            ours = Answer("ours", prompt, said.versions[name])
            found.setdefault(f"{name}, ours", []).append(ours)
    return found


def told(text: str) -> str | None:
    """Name the language of most of a text where its letters or commonest words plainly say so."""
    letters = [char for char in text[:600] if char.isalpha()]
    if len(letters) < 40:
        return None
    for name, (share, low, high) in _SCRIPTS.items():
        if sum(low <= char <= high for char in letters) >= share * len(letters):
            return name
    words = text.lower().split()[:80]
    shares = {
        name: sum(map(common.__contains__, words)) / len(words)
        for name, common in _COMMONEST.items()
    }
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= _MIN_COMMON_WORD_SHARE else None
