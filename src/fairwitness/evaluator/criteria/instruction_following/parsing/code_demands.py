"""Finds what code must or must not be made of, where the thing can be seen in it by name.

"No imports", "without loops", "recursive", "don't print anything", "use flexbox, not grid", "a comment on every line",
"keywords in lower case", "stop on the first error", "a query for Postgres".
"""

from __future__ import annotations

from collections.abc import Iterator

from fairwitness.evaluator.criteria.instruction_following.code_constructs import (
    CONSTRUCTS,
    DIALECTS,
)
from fairwitness.evaluator.criteria.instruction_following.demand import Demand
from fairwitness.evaluator.criteria.instruction_following.parsing.made_demands import (
    CLOSES,
    OPENS,
    Made,
    spanned,
)
from fairwitness.evaluator.criteria.instruction_following.parsing.only_it import ASKS_CODE
from fairwitness.evaluator.criteria.instruction_following.parsing.prompt import Prompt
from fairwitness.evaluator.patterns import Match, Pattern

_NO = r"(?:no|without(?: using)?(?: any| an?)?|(?:don't|do not|never|can't|cannot|must not|mustn't) use(?: any| an?)?|avoid(?: using)?(?: any| an?)?)"
_NOT = r"(?:don't|do not|never|must not|mustn't|should not|shouldn't)"
# A construct is ruled out by these words alone; the others only where another is asked for instead.
_NAMED = "|".join(sorted(CONSTRUCTS, key=len, reverse=True))
_RULED_OUT = "|".join(
    sorted((name for name, one in CONSTRUCTS.items() if one.plain), key=len, reverse=True)
)
FORBIDDEN: tuple[tuple[str, Pattern], ...] = (
    ("imports", Pattern(rf"(?:{OPENS}|\b)(?:{_NO} imports?|without importing (?:anything|any(?: \pL+)?|modules|libraries|packages|a (?:module|library|package))|{_NOT} import (?:anything|any (?:modules?|librar(?:y|ies)|packages?)))(?: statements?)?{CLOSES}")),
    ("loops", Pattern(rf"(?:{OPENS}|\b){_NO} (?:explicit )?loops?{CLOSES}")),
    ("for loops", Pattern(rf"(?:{OPENS}|\b){_NO} for[- ]loops?{CLOSES}")),
    ("while loops", Pattern(rf"(?:{OPENS}|\b){_NO} while[- ]loops?{CLOSES}")),
    ("recursion", Pattern(rf"(?:{OPENS}|\b)(?:{_NO} recursion|not recursive(?:ly)?|non-recursive (?:function|version|solution|implementation)){CLOSES}")),
    ("printing", Pattern(rf"(?:{OPENS}|\b)(?:{_NOT} print(?: (?:anything|it|them|the (?:result|output|list|value|answer)s?))?|no print(?:s|ing| statements?| calls?)?|without printing(?: anything| it)?|returns?\b[^.?!\n]{{1,60}}?(?:,? (?:instead of|rather than) print(?:ing|s)?|, (?:and )?(?:not|doesn't|don't) prints?)(?: it| anything)?){CLOSES}")),
)  # fmt: skip
REQUIRED: tuple[tuple[str, Pattern], ...] = (
    ("a list comprehension", Pattern(r"\b(?:as|into|using|use|with|by|to) (?:an? |one |a single )(?:python )?list comprehension\b")),
    ("recursion", Pattern(r"\b(?:recursive (?:\pL+ )?(?:function|version|solution|implementation|approach|algorithm)|recursive \pL+ (?:function )?in (?:python|javascript|js)|(?:use|using|with|by|via) recursion|(?:do|solve|write|implement) it recursively|(?:must|should|has to) be recursive)\b")),
    ("a comment on every line", Pattern(r"\b(?:(?:an?|add|with|one|put|include|want|need)(?: \pL+){0,2} comments? (?:on|for|to|above|after|next to|behind) (?:each|every)(?: single)? line|add comments (?:on|to) (?:each|every)(?: single)? line|comment (?:each|every)(?: single)? line|(?:each|every)(?: single)? line (?:of (?:the |your )?\pL+ )?(?:must |should |needs to )?(?:has|have|be|gets?|with|is)? ?(?:an? comment|commented|explained (?:in|by|with) a comment))\b")),
    ("a stop on the first error", Pattern(r"\b(?:(?:stop|exit|abort|fail|quit|bail out|halt|terminate)s? (?:immediately |right away |straight away )?(?:(?:on|at|upon|after|with) (?:the |any |an )?(?:very )?(?:first )?(?:error|failure|failing command)|(?:as soon as|if|when|whenever|once) (?:anything|something|any (?:command|step|part)|(?:a|one) (?:command|step)) (?:fails|goes wrong|errors)))\b")),
)  # fmt: skip
_INSTEAD = Pattern(
    rf"\b(?:use|using|with|want|only|in|via|prefer|by) (?:an? |the )?(?P<this>{_NAMED})(?:,? (?:and |but )?(?:not|never|no)(?: with| using)?| instead of| rather than|, (?:don't|do not) use) (?:an? |the |any )?(?P<that>{_NAMED})\b"
)
_PLAINLY_NOT = Pattern(rf"(?:{OPENS}|\b){_NO} (?P<that>{_RULED_OUT}){CLOSES}")
_KEYWORDS = Pattern(
    r"\b(?:(?:sql )?key ?words? (?:all |should be |must be |are |written |need to be )*(?:in )?(?:all )?(?P<a>lower|upper)[- ]?case|(?P<b>lower|upper)[- ]?case (?:for )?(?:the |all |sql )*key ?words|key ?words (?:all )?in (?:all )?(?P<c>capitals|caps|capital letters))\b"
)
_SQL = Pattern(r"\b(?:sql|query|queries|sqlite|postgres|postgresql|mysql)\b")
_SHELL = Pattern(r"\b(?:bash|shell|sh|zsh|posix) (?:\pL+ )?script\b|\bscript in bash\b")
_DIALECT = Pattern(
    rf"\b(?:(?:sql|query|queries|statement|view) (?:\pL+ )?(?:for|in|on) (?:my |our |a )?(?P<a>{'|'.join(DIALECTS)})|\((?P<b>{'|'.join(DIALECTS)})\)|(?P<c>{'|'.join(DIALECTS)}) (?:sql )?(?:query|statement|view))\b"
)
# What code already is, and is to be no longer.
_REWRITTEN = Pattern(
    r"\b(?:convert|turn|replace|rewrite|change|refactor)\b[^.!?\n]*\b(?:to|into|as|with|by|using) (?:an? )?(?:[\pL-]+ ){0,2}(?:iterative\w*|loops?|stack|generator)\b"
)
_TRANSLATES = Pattern(r"\b(?:convert|migrat\w+|translat\w+|port|from \pL+ to|error)\b")


def find_demands(prompt: Prompt) -> Iterator[Demand]:
    """Yield what the code asked for is to be made of."""
    made = Made(prompt)
    if not made.has(ASKS_CODE) or made.asks_about() or made.tells_readers():
        return
    forbidden = set[str]()
    for name, pattern in FORBIDDEN:
        match = made.find(pattern)
        if match:
            forbidden.add(name)
            yield _construct(match, name, negated=True)
    rewritten = made.has(_REWRITTEN)
    for name, pattern in REQUIRED:
        match = None if rewritten else made.find(pattern)
        if match and made.is_denied(match):
            continue
        # "without recursion" names it too; a program in another language stops in other ways.
        shell = name != "a stop on the first error" or made.has(_SHELL)
        if match and name not in forbidden and shell:
            yield _construct(match, name)
    yield from _named(made)
    yield from _of_queries(made)


def _construct(match: Match, *names: str, negated: bool = False) -> Demand:
    return Demand("construct", spanned(match), terms=names, negated=negated)


def _named(made: Made) -> Iterator[Demand]:
    """Yield a construct to use in place of another, or one to do without."""
    match = made.find(_INSTEAD)
    if match and match["this"] != match["that"]:
        yield _construct(match, match["that"], match["this"], negated=True)
        return
    match = made.find(_PLAINLY_NOT)
    if match:
        yield _construct(match, match["that"], negated=True)


def _of_queries(made: Made) -> Iterator[Demand]:
    """Yield how keywords of SQL are written, and for which database."""
    match = made.find(_KEYWORDS) if made.has(_SQL) else None
    if match:
        lower = "lower" in {match["a"], match["b"]}
        yield Demand("keyword_case", spanned(match), terms=("lower" if lower else "upper",))
    match = None if made.has(_TRANSLATES) else made.find(_DIALECT)
    if match:
        name = match["a"] or match["b"] or match["c"]
        others = {DIALECTS[one] for one in DIALECTS if one in made.text.value}
        if others == {DIALECTS[name]} and made.has(_SQL):
            yield Demand("dialect", spanned(match), terms=(DIALECTS[name],))
