"""Constructs of code that have a name in prompts and can be seen in the code, and functions that only one database has."""

from __future__ import annotations

from dataclasses import dataclass

from fairwitness.evaluator.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Construct:
    """How a construct looks in code without strings and comments; `plain` where "no X" can mean nothing else."""

    pattern: Pattern
    plain: bool = False


def _seen(source: str, *, plain: bool = False) -> Construct:
    return Construct(Pattern(source, ignore_case=True), plain)


_FLEX = _seen(r"\bdisplay\s*:\s*(?:inline-)?flex\b|\bd-flex\b", plain=True)
_GRID = _seen(r"\bdisplay\s*:\s*(?:inline-)?grid\b")
_FLOAT = _seen(r"\bfloat\s*:\s*(?:left|right)\b", plain=True)
_ARROWS = _seen(r"=>", plain=True)
_REGEX = _seen(r"\bimport re\b|\bre\.\w+\(|\.(?:match|test|replace|replaceAll)\(\s*/")
_AWAIT = _seen(r"\bawait\b")
_THEN = _seen(r"\.then\s*\(")
_LAMBDA = _seen(r"\blambda\b", plain=True)
_PANDAS = _seen(r"\bimport pandas\b|\bpd\.\w+", plain=True)
_NUMPY = _seen(r"\bimport numpy\b|\bnp\.\w+", plain=True)
_JQUERY = _seen(r"(?:^|[^\w])(?:\$|jQuery)\s*\(", plain=True)
_PATHLIB = _seen(r"\bpathlib\b|\bPath\s*\(")
_OS_PATH = _seen(r"\bos\.path\b", plain=True)
_JOIN = _seen(r"\bjoin\b")
_SUBQUERY = _seen(r"\(\s*select\b")
_CTE = _seen(r"\bwith\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(")
_COMPREHENSION = _seen(r"\[[^\[\]]* for [^\[\]]* in ", plain=True)
# The name in a prompt, and what it looks like.
CONSTRUCTS: dict[str, Construct] = {
    "flexbox": _FLEX, "flex": _FLEX, "grid": _GRID, "css grid": _GRID, "floats": _FLOAT, "float": _FLOAT,
    "arrow functions": _ARROWS, "arrow function": _ARROWS, "async/await": _AWAIT, "async await": _AWAIT, ".then": _THEN, "promises": _THEN, "then chains": _THEN,
    "var": _seen(r"\bvar\s+[\w$]"), "let": _seen(r"\blet\s+[\w$]"), "const": _seen(r"\bconst\s+[\w$]"),
    "fetch": _seen(r"\bfetch\s*\("), "axios": _seen(r"\baxios\b", plain=True), "xmlhttprequest": _seen(r"\bxmlhttprequest\b", plain=True),
    "jquery": _JQUERY, "foreach": _seen(r"\.foreach\s*\(", plain=True), "map": _seen(r"\bmap\s*\("), "filter": _seen(r"\bfilter\s*\("), "reduce": _seen(r"\breduce\s*\("),
    "requests": _seen(r"\bimport requests\b|\brequests\.\w+\("), "urllib": _seen(r"\burllib\b", plain=True), "httpx": _seen(r"\bhttpx\b", plain=True),
    "pathlib": _PATHLIB, "os.path": _OS_PATH, "pandas": _PANDAS, "numpy": _NUMPY, "lambda": _LAMBDA, "lambdas": _LAMBDA, "lambda functions": _LAMBDA,
    "regex": _REGEX, "regexes": _REGEX, "regular expressions": _REGEX, "eval": _seen(r"\beval\s*\(", plain=True),
    "list comprehensions": _COMPREHENSION, "list comprehension": _COMPREHENSION, "pytest": _seen(r"\bpytest\b|^def test_"), "unittest": _seen(r"\bunittest\b", plain=True),
    "argparse": _seen(r"\bargparse\b"), "click": _seen(r"\bimport click\b|@click\."), "sys.argv": _seen(r"\bsys\.argv\b"),
    "join": _JOIN, "joins": _JOIN, "a join": _JOIN, "subquery": _SUBQUERY, "subqueries": _SUBQUERY, "cte": _CTE, "ctes": _CTE,
    "for loop": _seen(r"\bfor\b"), "while loop": _seen(r"\bwhile\b"), "awk": _seen(r"\bawk\b", plain=True), "sed": _seen(r"\bsed\b", plain=True), "perl": _seen(r"\bperl\b", plain=True),
}  # fmt: skip
# The names of a database, and functions that it does not have but another has.
DIALECTS = {
    "postgres": "PostgreSQL", "postgresql": "PostgreSQL", "mysql": "MySQL", "sqlite": "SQLite", "sql server": "SQL Server",
}  # fmt: skip
NOT_OF_DIALECT = {
    "PostgreSQL": "date_format date_sub curdate ifnull getdate str_to_date group_concat datediff dateadd unix_timestamp strftime julianday".split(),
    "MySQL": "date_trunc to_char string_agg getdate dateadd strftime julianday generate_series to_date nvl".split(),
    "SQLite": "date_trunc to_char date_format date_sub curdate getdate datediff dateadd str_to_date to_date nvl".split(),
    "SQL Server": "date_format date_sub curdate ifnull group_concat to_char strftime julianday str_to_date nvl".split(),
}
