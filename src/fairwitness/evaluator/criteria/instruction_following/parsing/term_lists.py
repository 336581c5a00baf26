"""Finds the words or phrases a demand names: quoted or not, one or a list of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairwitness.evaluator.criteria.instruction_following.parsing.lexicon import COMMANDS, WORKS
from fairwitness.evaluator.criteria.instruction_following.parsing.tokens import (
    END,
    LINE,
    MARK,
    NUMBER,
    STRING,
    WORD,
    Token,
)

_LEAD_IN = frozenset(
    """: [ { of such as like the following below these namely including either called e g i is are
    in any all both words word keywords keyword phrases phrase terms term list - listed here
    one exact your response answer text""".split()
)
_JOINTS = frozenset({",", "and", "or", "&", "/", "nor", ";", "|"})
# What may follow one unquoted word that is meant as a word.
_FOLLOWERS = frozenset(
    """at should must appear appears appearing occur occurs show shows in less more no exactly only to
    is are be twice once thrice out never isn't aren't and or but , ; ) between used has needs a for somewhere throughout anywhere
    can cannot may not shouldn't mustn't can't doesn't from within fewer up as than must:""".split()
)
# Words that follow "word" without being the word that is meant.
_NOT_A_TERM = frozenset(
    """count limit for in that of with and or should must appears appear you to before after above
    below is are at on which it can has have choice order problem document processor used using use
    long length from per each will not do as by the a an all only if may cannot your this these those
    be without any repeated other than so but such like list search games game play minimum maximum
    total starting beginning ending given provided once twice thrice""".split()
)
# What ends an unquoted list: "moon, sun and star in your response".
_AFTER_LIST = frozenset("in throughout anywhere within at somewhere when while".split())
_NOUNS = frozenset("word words term phrase keyword".split())
_MAX_ITEM_WORDS = 3
_MAX_TERMS = 40


class Terms(NamedTuple):
    """The terms, and the token after the last of them."""

    terms: tuple[str, ...]
    last: int


NONE = Terms((), 0)


def named_terms(value: str, tokens: Sequence[Token], index: int, *, plural: bool) -> Terms:
    """Find the terms that start at a token; empty where none is surely there."""
    colon = False
    while index < len(tokens):
        token = tokens[index]
        if (token.kind == LINE and colon) or (
            token.low == "(" and _parenthesised(tokens, index + 1)
        ):
            index += 1
        elif token.low in WORKS and tokens[index - 1].low in {"the", "your", "this"}:
            index += 1  # "the words in the recipe: ..."
        elif token.low == "(" and plural and _several(tokens, index + 1):
            colon = True
            index += 1
        elif (
            token.kind in {WORD, MARK}
            and token.low in _LEAD_IN
            and not _is_term(tokens, index, plural)
        ):
            colon = colon or token.low == ":"
            index += 1
        else:
            break
    if index >= len(tokens):
        return NONE
    if tokens[index].kind == STRING:
        return quoted_terms(value, tokens, index)
    if tokens[index].low == "BRACKET":
        return _bracketed(value, tokens[index], index)
    if colon:
        return _after_colon(value, tokens, index)
    if not plural and tokens[index - 1].low in {"of", "the", "is", "are"}:
        return NONE  # "the name of the company", "the word is unique" name no word
    return _plain(value, tokens, index, plural)


def _bracketed(value: str, token: Token, index: int) -> Terms:
    """Find the words of "keywords [sea, sand]"; one alone in brackets may be a placeholder."""
    inside = [term.strip() for term in value[token.start + 1 : token.end - 1].split(",")]
    short = all(term and len(term.split()) <= _MAX_ITEM_WORDS for term in inside)
    return Terms(tuple(inside), index + 1) if len(inside) > 1 and short else NONE


def _words_end(tokens: Sequence[Token], index: int) -> int:
    """Return where the last item of a plain list ends if it is of two or three words, else where it begins."""
    for last in range(index, min(index + _MAX_ITEM_WORDS + 1, len(tokens))):
        token = tokens[last]
        if last > index and (token.kind in {END, LINE} or token.low in _FOLLOWERS):
            return last
        if token.kind != WORD or token.low in COMMANDS or token.low in _NOT_A_TERM:
            return index
    return len(tokens) if len(tokens) - index <= _MAX_ITEM_WORDS else index


def _is_term(tokens: Sequence[Token], index: int, plural: bool) -> bool:
    # "the word like should appear": a lead-in word is the term where a follower proves it.
    token = tokens[index]
    if plural or token.kind != WORD or index + 1 >= len(tokens) or token.low in _NOT_A_TERM:
        return False
    return tokens[index + 1].low in {"should", "must", "appears", "appear"}


def _parenthesised(tokens: Sequence[Token], index: int) -> bool:
    ahead = tokens[index : index + 1]
    return bool(ahead) and (ahead[0].kind == STRING or ahead[0].low in {"such", "like", "e", "i"})


def _several(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a parenthesis holds a list: "the words (sea, sand)"."""
    inside = [token.low for token in tokens[index : index + 2 * _MAX_TERMS]]
    return ")" in inside and "," in inside[: inside.index(")")]


def quoted_terms(value: str, tokens: Sequence[Token], index: int) -> Terms:
    """Find one or more quoted strings joined by commas, and, or."""
    terms: list[str] = []
    last = index
    while index < len(tokens) and len(terms) < _MAX_TERMS:
        token = tokens[index]
        if token.kind == STRING:
            terms.append(_inside(value, token))
            last = index + 1
        elif token.kind == LINE and tokens[index - 1].kind == STRING and index > 0:
            break  # a string on the next line is another matter
        elif token.low not in _JOINTS and token.kind != LINE and token.low != "-":
            break
        index = _past_noun(tokens, index + 1)
    kept = tuple(term for term in terms if any(char.isalnum() for char in term))
    return Terms(kept, last)


def _past_noun(tokens: Sequence[Token], index: int) -> int:
    """Skip the noun said again in "the word fog or the word mist"."""
    at = index + 1 if index < len(tokens) and tokens[index].low == "the" else index
    named = at < len(tokens) and tokens[at].low in _NOUNS
    return at + 1 if named else index


def _inside(value: str, token: Token) -> str:
    inner = value[token.start + 1 : token.end - 1].strip()
    # American habit puts the comma or stop of the sentence inside the quotation marks.
    stops = ",;" if " " in inner else ",;."
    return inner[:-1].rstrip() if inner[-1:] in stops and len(inner) > 1 else inner


def _after_colon(value: str, tokens: Sequence[Token], index: int) -> Terms:
    terms: list[str] = []
    item: list[Token] = []
    last = index
    commas = False
    while index <= len(tokens):
        if not item and _numbered(tokens, index):
            index += 2
        token = tokens[index] if index < len(tokens) else None
        commas = commas or (token is not None and token.low == ",")
        ended = token is None or token.kind == END or _line_ends(token, commas)
        ended = ended or (bool(item) and token is not None and token.low in _AFTER_LIST)
        if token is None or ended or token.kind in {LINE, MARK} or token.low in {"and", "or"}:
            if len(item) > _MAX_ITEM_WORDS:
                return Terms(tuple(terms), last) if len(terms) > 1 else NONE
            if item and (term := value[item[0].start : item[-1].end].strip("*_`")):
                terms.append(term)
                last = index
            item = []
            if ended or len(terms) >= _MAX_TERMS:
                break
            if token is not None and token.low in {"(", ")", "]", "}"}:
                break
        else:
            item.append(token)
        index += 1
    return Terms(tuple(terms), last)


def _numbered(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether an item opens with its number: "1. sea"."""
    opening = tokens[index : index + 2]
    led = index and (tokens[index - 1].kind == LINE)
    return (
        len(opening) == 2
        and bool(led)
        and opening[0].kind == NUMBER
        and opening[1].low in {".", ")"}
    )


def _line_ends(token: Token, commas: bool) -> bool:
    """Tell whether a line end closes the list: a blank line does, and any does where commas part it."""
    return token.kind == LINE and (commas or token.low == "blank")


def _plain(value: str, tokens: Sequence[Token], index: int, plural: bool) -> Terms:
    terms: list[str] = []
    while index < len(tokens) and tokens[index].kind in {WORD, NUMBER}:
        token = tokens[index]
        if token.low in _NOT_A_TERM or (token.kind == NUMBER and not terms):
            break
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        ends = after is None or after.kind in {END, LINE, NUMBER} or after.low in _FOLLOWERS
        if not ends:
            last = _words_end(tokens, index) if terms else index
            if last > index:
                terms.append(value[token.start : tokens[last - 1].end])
                index = last
            break
        noun = tokens[index - 1]
        if not plural and value[noun.start].isupper() and value[token.start].isupper():
            break  # "the Keyword Cluster" is a name
        terms.append(value[token.start : token.end])
        index += 1
        again = _past_noun(tokens, index + 1)
        if after is not None and after.low in {"and", "or", "nor"} and again > index + 1:
            index = again
            continue
        if not plural or after is None or after.low not in {",", "and", "or"}:
            break
        step = (
            2
            if after.low == ","
            and index + 1 < len(tokens)
            and tokens[index + 1].low in {"and", "or"}
            else 1
        )
        index += step
    if plural and len(terms) < 2:
        return NONE
    return Terms(tuple(terms), index)
