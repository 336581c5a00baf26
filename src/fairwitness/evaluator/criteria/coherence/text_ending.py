"""Checks how a text ends: in a finished sentence, or in the middle of a word, a list or a bracket.

It compares lines: only where the other lines end in punctuation must the last one too. Poems,
labels, signatures, addresses and lists that never use a full stop are thus left alone.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

from fairwitness.contract.evaluation import Severity
from fairwitness.evaluator.criteria.coherence import half_words
from fairwitness.evaluator.language import is_english
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_FINAL_MARKS = frozenset(".!?…。！？．｡।॥؟۔։።፧:;：；‽⁇⁈⁉¿¡~～")
_CLOSING_MARKS = "\"'”’“‘»«›‹）)]}*_`>」』】》〉 \u200f\u200e\u00a0"
_HANGING_MARKS = frozenset(",，、&=+([{“‘«—–-")
# English words that no sentence and no title ends in.
_HANGING_WORDS = frozenset(
    "the an and or nor of their your our its because whose although whereas than into onto upon "
    "between among towards including is are was were whether unless".split()
)
# ... and those that a sentence may end in, but seldom does where its full stop is missing too.
_SELDOM_LAST = frozenset(
    "a to for with that by in on at from as this these those such my his her who which where when while "
    "if be been being has have had will would can could should may might must not very more most "
    "some any each every other another also only about over under through during without within".split()
)
# Words that begin an item and are none by themselves, unless other items are as short.
_FIRST_WORDS = frozenset(
    "a an the which what how why when where who whose if in on at to for with by from is are do does did "
    "can could should would will and or but because although while your their its these those it they you we he she this that there as of".split()
)
_ITEM = Pattern(r"^\s{0,12}(?:[-*+•‣◦·]|\(?(?:\d{1,3}|[a-zA-Z])[.):])\s+\S")
_BARE_MARKER = Pattern(r"^\s*(?:[-+•‣◦]|\d{1,3}[.)]|#{1,6}|(?:[-*+•]|\d{1,3}[.)])\s+\*\*?)\s*$")
_SIGN_OFF = Pattern(
    r"(?i)^\W*(?:(?:yours?|best|kind(?:est)?|warm(?:est)?|many|with|sincerely|respectfully|regards|"
    r"cheers|love|thanks?|thank you|cordially|faithfully|atentamente|cordialement|saludos|"
    r"grüße)\b.{0,40})$"
)
_SALUTES = Pattern(r"(?i)^\W{0,6}(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))\b")
_KISSES = frozenset({"x", "xx", "xxx", "xo", "xoxo"})
# The last line of a key, a certificate or a signed message: its dashes are its end.
_KEY_END = Pattern(r"^\s*-----END [A-Z0-9 ]{3,60}-----\s*$")
_MAX_QUOTED_CHARS = 40  # of the last word
_MAX_NOTATION_CHARS = 10  # of one sign, such as a chess move
_MAX_CHAT_WORDS = 80
_ASKS_FOR_MESSAGE = Pattern(r"(?i)\b(?:text|message|dm|sms|chat|tweet|caption|post|reply)s?\b")
_ASKS_FOR_CASE = Pattern(r"\blower\b|lowercase|small letters|\bcaps\b|capital(?:s\b|i| letter)")
_MIN_WORDS = 5  # fewer are a label or a name
_LANGUAGE_SAMPLE_CHARS = 600
_MAX_LINES_BEFORE = 60


class BadEnding(NamedTuple):
    """What is wrong with the end of a text."""

    severity: Severity
    kind: str
    message: str
    region: tuple[int, int]


def find_bad_ending(text: Text, end: int, known: str = "") -> BadEnding | None:
    """Return what is wrong with how `text`, without trailing space, ends at `end`.

    `known` is the prompt in lower case: a word of its is no half word.
    """
    start = text.value.rfind("\n", 0, end) + 1
    line = text.value[start:end]
    if text.in_code(end - 1) or len(text.value[:end].split()) < 4:
        return None
    if _KEY_END.search(line.encode()):
        return None
    if _BARE_MARKER.fullmatch(line):
        return _bare_marker(text, start, end)
    if begun := _begun_item(text, start, end):
        return begun
    if line.lstrip().startswith("|"):
        return _table_row(text, start, end)
    last = line.rstrip(_CLOSING_MARKS)[-1:]
    if not last or (last in _FINAL_MARKS and last not in ":;：；"):
        return None
    tail = (max(start, end - 60), end)
    if line[-1] in ":：" and not line.lstrip().startswith("#"):
        if text.value[:start].rstrip()[-1:] in {":", "："}:
            return None  # a form with its fields left open
        return BadEnding(
            "medium", "announced", "The response ends with a colon and nothing after it.", tail
        )
    if _hangs(line):
        message = f"The response stops in the middle of a sentence, at “{_last_word(line)}”."
        return BadEnding("high", "sentence", message, tail)
    if not line[-1].isalnum() or line.lstrip().startswith("#"):
        return None  # a closing mark, a sign or an emoji can be an end
    if opened := _open_mark(line):
        return BadEnding("high", "bracket", f"The response stops with {opened} left open.", tail)
    return _against_habit(text, start, end, known) or _half_word(text, start, end, known)


def _bare_marker(text: Text, start: int, end: int) -> BadEnding | None:
    marker = text.value[start:end].split()[0]
    before = text.value[:start]
    if marker[0].isdigit():
        # "42." alone on a line is an answer; "4." after "3." is a list cut short.
        previous = f"{int(marker[:-1]) - 1}{marker[-1]}"
        known = f"\n{previous} " in f"\n{before}"
    else:
        known = marker[0] == "#" or f"\n{marker} " in f"\n{before}"
    if not known:
        return None
    return BadEnding("medium", "list", f"The last list item, “{marker}”, is empty.", (start, end))


def _begun_item(text: Text, start: int, end: int) -> BadEnding | None:
    """Tell whether the last item is one opening word, as in "3. Which", while the others say more."""
    line = text.value[start:end]
    words = line.split()
    if len(words) != 2 or not is_item(line) or words[1].strip("*_").lower() not in _FIRST_WORDS:
        return None
    others = [other for other in _lines_before(text, start) if is_item(other)]
    if not others or any(other.count(" ") < 2 for other in others):
        return None
    message = f"The last list item stops after “{_last_word(line)}”."
    return BadEnding("high", "list", message, (start, end))


def _table_row(text: Text, start: int, end: int) -> BadEnding | None:
    lines = [text.slice(line).strip() for line in text.lines]
    whole = [
        line for line in lines if line.startswith("|") and line.endswith("|") and len(line) > 2
    ]
    last = text.value[start:end].strip()
    if len(whole) < 2 or (last.endswith("|") and last.count("|") == whole[0].count("|")):
        return None
    if last.endswith("|") and any(row.count("|") != whole[0].count("|") for row in whole[:-1]):
        return None  # rows of unequal width are this table's habit
    return BadEnding("medium", "table", "The last table row is incomplete.", (start, end))


def _hangs(line: str) -> bool:
    words = line.split()
    if line[-1] in _HANGING_MARKS:
        return len(words) >= 4 and not _SIGN_OFF.fullmatch(line) and words[-1] not in _HANGING_MARKS
    return (
        len(words) >= 4 and words[-1] in _HANGING_WORDS and not words[-2].endswith((":", '"', "“"))
    )


def _open_mark(line: str) -> str:
    # Three and more asterisks draw a line; they open nothing.
    if line.replace("***", "").count("**") % 2:
        return "the bold marker “**”"
    for opening, closing, name in (
        ("(", ")", "a round bracket"),
        ("[", "]", "a square bracket"),
        ("“", "”", "a quotation mark"),
    ):
        at = line.rfind(opening)
        if at > 0 and line[at - 1] not in ":;=" and closing not in line[at:]:
            return name
    return ""


def _is_chat(text: Text, known: str) -> bool:
    """Tell a short message in small letters, as people type them, from a text that was asked to have no capitals."""
    short = "\n\n" not in text.value.strip() and len(text.words) <= _MAX_CHAT_WORDS
    typed = known.islower() or _ASKS_FOR_MESSAGE.search(known.encode())
    return short and typed and text.value.islower() and not _ASKS_FOR_CASE.search(known.encode())


def _against_habit(text: Text, start: int, end: int, known: str) -> BadEnding | None:
    """Tell whether the text's other lines of this kind end in a mark and only the last does not."""
    line = text.value[start:end]
    words = line.split()
    if any(sign in words[-1] for sign in "/@#[<=") or words[0][0] in "—–~[<(":
        return None
    # A line end closes a sentence, so the last line's own sentences are all that matters.
    last_line = Text(line)
    here = last_line.sentences
    fragment = last_line.slice(here[-1]).split() if here else words
    item = is_item(line)
    if _is_notation(fragment) or (not item and _is_labelled(fragment)):
        return None
    if fragment and fragment[-1][:1].isupper() and _SIGN_OFF.fullmatch(" ".join(fragment)):
        return None  # "Warm regards, Tom"
    if words[-1].lower() in _KISSES or (_SALUTES.search(text.utf8) and _SIGN_OFF.fullmatch(line)):
        return None  # the end of a message, or of a letter
    others = _lines_before(text, start)
    if item and sum(map(is_item, others)) >= 2:
        others = [other for other in others if is_item(other)]
    finished = sum(map(is_finished, others))
    # A list number's own full stop is no sentence.
    ended_here = len(here) - 1 - (item and line.lstrip("( ")[0].isdigit())
    after_sentence = ended_here >= 1 and len(fragment) >= 2 and finished >= 0.6 * len(others)
    enough = (2, 2) if item else (6, 2)  # words of the line, lines to compare it with
    by_habit = (
        len(words) >= enough[0] and len(others) >= enough[1] and finished >= 0.8 * len(others)
    )
    by_word = len(words) >= 5 and words[-1] in _SELDOM_LAST and (finished >= 1 or ended_here >= 1)
    if not (by_word or ((after_sentence or by_habit) and not _is_chat(text, known))):
        return None
    kind, what = ("list", "list item") if item else ("sentence", "sentence")
    return _without_end(
        text,
        kind,
        f"The last {what} has no closing punctuation, unlike most before it.",
        start,
        end,
    )


def _half_word(text: Text, start: int, end: int, known: str) -> BadEnding | None:
    """Tell whether an English text of several words stops inside its last one."""
    words = text.value[start:end].split()
    last = words[-1]
    if len(words) < _MIN_WORDS or last in known or not half_words.is_half(last):
        return None
    others = _lines_before(text, start)
    if 2 * sum(map(is_finished, others)) < len(others) or not is_english(
        text.value[:_LANGUAGE_SAMPLE_CHARS]
    ):
        return None  # verse and lists that never stop have no end to miss
    where = (max(start, end - 60), end)
    return BadEnding("medium", "word", _stops_in_word(last), where)


def _is_notation(fragment: list[str]) -> bool:
    """Tell chess moves and the like, numbered or not, from words: "4. Nf3 O-O" has no end to miss."""
    signs = [word for word in fragment if not word.rstrip(".)").isdecimal()]
    return bool(signs) and all(
        len(sign) <= _MAX_NOTATION_CHARS
        and (any(map(str.isdecimal, sign)) or not sign.strip("O0-+#!?"))
        for sign in signs
    )


def _is_labelled(fragment: list[str]) -> bool:
    """Tell a label and its value, or a label and its list of words, from a sentence."""
    labels = [at for at, word in enumerate(fragment) if word.rstrip("*_").endswith(":")]
    if not labels:
        return False
    listed = sum(word.endswith(",") for word in fragment) >= 3
    return len(fragment) <= 6 or (labels[0] <= 2 and listed)


def _without_end(text: Text, kind: str, message: str, start: int, end: int) -> BadEnding:
    """Set the severity: high where the last word is half a word or one that seldom comes last."""
    word = text.slice(text.words[-1])
    broken = word.islower() and _is_half_word(text, word)
    if broken:
        message = _stops_in_word(word)
    sure = broken or word in _SELDOM_LAST or word.endswith(("'s", "’s"))
    return BadEnding("high" if sure else "medium", kind, message, (max(start, end - 60), end))


def _stops_in_word(word: str) -> str:
    return f"The response stops in the middle of a word: “{_last_word(word)}”."


def _last_word(line: str) -> str:
    return line.rsplit(maxsplit=1)[-1][-_MAX_QUOTED_CHARS:]


def _is_half_word(text: Text, word: str) -> bool:
    if len(word) < 3:
        return False
    lower = text.lower
    others = [lower[start:end] for start, end in text.words[:-1]]
    return word not in others and any(each.startswith(word) for each in others)


def _lines_before(text: Text, before: int) -> list[str]:
    """Return the lines that could show a habit: items and longer lines; no headings, rows, code, lead-ins."""
    found = []
    at = bisect_left(text.lines, before, key=lambda region: region.start)
    for region in text.lines[max(0, at - _MAX_LINES_BEFORE) : at]:
        line = text.slice(region).strip()
        telling = (
            line
            and line[0] not in "#|>"
            and line[-1] not in ":："
            and not text.in_code(region.start)
        )
        if telling and (line.count(" ") >= 4 or is_item(line)):
            found.append(line)
    return found


def is_item(line: str) -> bool:
    """Tell whether a line opens with a list's mark."""
    return _ITEM.search(line.encode())


def is_finished(line: str) -> bool:
    """Tell whether a line ends in a mark that ends a sentence."""
    return line.rstrip(_CLOSING_MARKS)[-1:] in _FINAL_MARKS
