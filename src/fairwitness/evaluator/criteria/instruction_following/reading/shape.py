"""Reads demands on form: case, wrapping, titles, highlighting."""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.demand import Bounds, Demand
from fairwitness.evaluator.criteria.instruction_following.reading.clauses import Reading, Taken
from fairwitness.evaluator.patterns import Match, Pattern

LOWER = Pattern(
    r"\b(?:lowercase )(?:letters? )?"
    r"|\bNEG (?:USE |in |with |WRITE |a |single |words? |from |allow |or ){0,4}(?:capital letters?|uppercase|capitalize) (?:letters? )?"
    r"|\b(?:capital letters?|uppercase) (?:letters? )?(?:[^ |]+ ){0,3}?NEG (?:allow|USE|APPEAR|in|(?P<ban>\|))"
    r"|\bNEG (?:[^ |,]+ ){0,2}letters? (?:[^ |,]+ ){0,4}?capitalize "
)
UPPER = Pattern(
    r"\b(?:all|only|in|full|WRITE|USE|block) (?:all |full |block |english |only )*(?:uppercase|capital letters?|capitalize letters?) (?:letters? )?"
    r"|\bcapitalize (?:all )(?:letters?|words?|RESP|WORK|text) "
    r"|\b(?:all) (?:letters?|words?) (?:in RESP |in WORK )?(?:in )?(?:capitalize|uppercase|capital) "
    r"|\b(?:RESP|WORK) (?:all |only |in ){1,2}capitalize "
    r"|\ball capitalize (?:\||,)"
    r"|\bNEG (?:[^ |,]+ ){0,4}?lowercase (?:letters? )?"
    r"|\blowercase (?:letters? )?(?:in |RESP |WORK |all ){0,2}NEG (?:allow |USE |APPEAR |in |(?P<ban>\|))"
)
WRAPPED = Pattern(
    r"\b(?P<wrap>WRAP|STARTS and ENDS|ORD and last|in) (?:[^ |]+ ){0,9}?(?:double |single )?quotation (?:mark )?"
    r"|\b(?:double |single )?quotation (?:mark )?(?:[^ |]+ ){0,3}?(?P<around>WRAP) (?:[^ |,]+ ){0,3}?(?:RESP|WORK|all)"
)
TITLE = Pattern(r"\bdouble (?:angle |square )?(?P<angle>angle )?bracket |\bANGLE ")
HIGHLIGHT = Pattern(
    r"\bhighlight (?:in |for |on |WORK |RESP |, |with |markdown |by |USE |mark |and |STAR ){0,4}?(?P<q>Q\d+) "
    r"|\b(?P<q2>Q\d+) (?:[^ |Q]+ ){0,3}?highlight (?P<what>[^ |,]+ )?"
    r"|\bEMPHASIS (?:for|on) (?P<q3>Q\d+) "
    r"|\bhighlight (?:[^ |Q,]+ ){0,6}?(?P<q4>Q\d+) (?:section|part|phrases?|areas?) "
    r"|\b(?P<q5>Q\d+) (?:section|part|phrases?) (?:[^ |Q]+ ){0,8}?EMPHASIS "
    r"|\bhighlight (?:[^ |Q]+ ){0,8}?(?P<star>STAR|EMPHASIS|asterisk) "
    r"|\bWRAP (?P<q6>Q\d+) (?:[^ |Q]+ ){1,4}?(?:in|with|by) (?:STAR|EMPHASIS|asterisk) "
    r"|\bhighlight (?:[^ |Q]+ ){0,8}?(?P<q7>Q\d+) (?:different )?(?:time|WRAP|places|spots|instances) "
)
PATTERNS = (LOWER, UPPER, WRAPPED, TITLE, HIGHLIGHT)

_PARTIAL = frozenset(
    "string substring password other input between title heading header ORD name names headline keyword keywords subtitle each bullet".split()
)


def read(reading: Reading, taken: Taken) -> Iterator[Demand]:
    """Yield the demands on form."""
    yield from _case(reading)
    yield from _wrapped(reading)
    yield from _title(reading)
    yield from _highlights(reading, taken)


def _case(reading: Reading) -> Iterator[Demand]:
    """Read upper or lower case; a prompt that speaks of both asks for neither everywhere."""
    found = list(_cases(reading))
    if len({demand.kind for demand in found}) == 1:
        yield found[0]


def _cases(reading: Reading) -> Iterator[Demand]:
    for match in reading.find(LOWER, overlapping=True):
        if {"and", ","} & set(match.text.split()) or _passive(reading, match):
            continue
        if _whole(reading, match) and not _of_words(reading, match) and _bound(reading, match):
            negated = _negated(reading, match)
            yield Demand("uppercase" if negated else "lowercase", reading.span(match))
            break
    for match in reading.find(UPPER, overlapping=True):
        before = reading.clause_before(match)
        if before[:1] in (["why"], ["how"]) or not _banned(reading, match):
            continue
        if "NEG" in before[:3] or not _whole(reading, match) or _of_words(reading, match):
            continue
        yield Demand("uppercase", reading.span(match))
        break


def _passive(reading: Reading, match: Match) -> bool:
    """Tell whether a plain "lowercase" only leads up to "are not allowed", or "capitals" to no ban."""
    _, after = reading.around(match)
    to_ban = after[1:] if after[:1] in (["in"], ["RESP"]) else after
    forbidden = to_ban[:1] == ["NEG"] and bool({"allow", "USE"} & set(to_ban[1:2]))
    return forbidden if "NEG" not in match.text else not _banned(reading, match)


def _banned(reading: Reading, match: Match) -> bool:
    """Tell whether a negation that closes its sentence is a ban: "capitals are forbidden", not "or not"."""
    if not match["ban"]:
        return True
    said = reading.tokens[reading.token_index(match.start + match.text.rindex("NEG"))].low
    return said in {"forbidden", "prohibited", "banned"}


def _bound(reading: Reading, match: Match) -> bool:
    """Tell whether "lowercase" is said of something, and not a heading or an item of a list."""
    before, after = reading.around(match)
    said = {
        "all",
        "only",
        "in",
        "USE",
        "RESP",
        "WORK",
        "WRITE",
        "letters",
        "letter",
        "words",
        "with",
        "NEG",
    }
    return "NEG" in match.text or bool(said & set(before[:4])) or after[:1] == ["only"]


def _negated(reading: Reading, match: Match) -> bool:
    """Tell whether a plain "lowercase" stands under a negation of its own clause."""
    if "NEG" in match.text:
        return False
    for symbol in reading.around(match)[0][:8]:
        if symbol in {",", ";", "and", "but"}:
            return False
        if symbol == "NEG":
            return True
    return False


def _whole(reading: Reading, match: Match) -> bool:
    """Tell whether a demand on case is about everything, not a title or some of the words."""
    before, after = reading.clause_before(match), reading.around(match)[1]
    near = before[:5]
    cut = next(
        (n for n, symbol in enumerate(near) if symbol in {",", ";", "but", "and"}), len(near)
    )
    if _PARTIAL & set(near[:cut]):
        return False
    if any(symbol.startswith("Q") and symbol[1:].isdigit() for symbol in before[:2]):
        return False
    return after[:1] not in (["for"], ["title"], ["heading"], ["keyword"], ["keywords"])


def _of_words(reading: Reading, match: Match) -> bool:
    """Tell whether some words, not all, are to be in capitals."""
    before, after = reading.clause_before(match), reading.around(match)[1]
    if after[:1] in (["word"], ["words"]):
        if match.text.startswith("NEG ") and "any" in reading.lows(*_next_tokens(reading, match)):
            return False  # "do not capitalize any words"
        return "all" not in before[:2] and not match.text.startswith("all ")
    if reading.around(match)[0][:2] in (["(", "words"], ["(", "word"]):
        return True
    lowers = "lowercase" in match.text
    for distance, symbol in enumerate(before[:6]):
        if symbol in {"word", "words", "phrases"}:
            return not lowers and "all" not in before[distance : distance + 3]
        if symbol in {",", "|", ";", "and"}:
            break
    return "word" in match.text.split() and "USE" in match.text.split()


def _next_tokens(reading: Reading, match: Match) -> tuple[int, int]:
    last = reading.token_index(match.end - 1)
    return last + 1, last + 2


def _wrapped(reading: Reading) -> Iterator[Demand]:
    for match in reading.find(WRAPPED, overlapping=True):
        before, after = reading.around(match)
        symbols = match.text.split()
        if (
            "NEG" in before[:3]
            or (_PARTIAL - {"ORD"}) & set(symbols)
            or {"word", "phrase", "dialogue"} & set(symbols)
        ):
            continue
        scope = set(symbols) | set(before[:3]) | set(after[:4])
        if not {"RESP", "WORK", "all", "thing"} & scope and not (
            match["wrap"] == "WRAP" and symbols[1:2] in (["in"], ["with"])
        ):
            continue
        if (
            match["wrap"] == "in"
            and "WRAP" not in [*before[:8], *symbols]
            and "RESP" not in before[:4]
        ):
            continue
        single = "single" in symbols
        yield Demand("wrapped", reading.span(match), terms=("'",) if single else ('"',))
        break


def _title(reading: Reading) -> Iterator[Demand]:
    for match in reading.find(TITLE):
        if "square" in match.text:
            continue
        before, after = reading.around(match)
        if "NEG" in before[:4]:
            continue
        near = set(before[:8]) | set(after[:8])
        if "angle" in match.text or near & {"title", "angle", "WRAP"}:
            yield Demand("title", reading.span(match))
            break


def _highlights(reading: Reading, taken: Taken) -> Iterator[Demand]:
    for match in reading.find(HIGHLIGHT, overlapping=True):
        symbol = next((match[f"q{n}"] for n in ("", *range(2, 8)) if match[f"q{n}"]), "")
        before, after = reading.clause_before(match), reading.around(match)[1]
        if "NEG" in before[:3]:
            continue
        if not symbol:
            yield Demand("highlight_count", reading.span(match), Bounds(at_least=1))
            continue
        number, quantity = int(symbol[1:]), reading.quantity(symbol)
        if quantity.vague and (often := _how_often(reading, after)):
            taken.quantities.add(int(often[1:]))
            at_least = Bounds(at_least=reading.quantity(often).size)
            yield Demand("highlight_count", reading.span(match), at_least)
            continue
        if match["q2"] and {"and", ","} & set(match.text.split()):
            continue
        nouns = set(after[:3] if match["q"] or match["q3"] else [*match.text.split(), *after[:2]])
        shown = (match["q"] or match["q4"]) and _in_asterisks(reading, match)
        if number in taken.quantities or not (
            shown
            or match["q6"]
            or match["q7"]
            or nouns
            & {
                "section",
                "part",
                "phrase",
                "phrases",
                "word",
                "words",
                "sentence",
                "text",
                "markdown",
                "keyword",
                "keywords",
                "point",
                "area",
                "areas",
                "terms",
                "term",
                "EMPHASIS",
            }
        ):
            continue
        taken.quantities.add(number)
        bounds = Bounds(at_least=quantity.bounds.at_least) if quantity.bare else quantity.bounds
        yield Demand("highlight_count", reading.span(match), bounds)


def _in_asterisks(reading: Reading, match: Match) -> bool:
    """Tell whether a sentence shows how to highlight: then whatever it names may be highlighted."""
    before, after = reading.around(match)
    if {"how", "ways"} & set(before):
        return False
    return bool({"markdown", "EMPHASIS", "STAR", "asterisk"} & {*before, *after})


def _how_often(reading: Reading, after: list[str]) -> str:
    """Find the "twice" of "highlight some words or phrases twice"."""
    for symbol, following in zip(after[:5], [*after[1:5], ""], strict=False):
        counts = symbol[0] == "Q" and symbol[1:].isdigit()
        if counts and (reading.quantity(symbol).often or following == "time"):
            return symbol
    return ""
