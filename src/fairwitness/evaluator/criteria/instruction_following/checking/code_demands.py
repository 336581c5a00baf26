"""Checks what code is made of: Python by its syntax tree, other languages by words outside strings and comments.

A response may show more than one block: something ruled out counts where every block that defines something has it, and
something asked for is met where any block has it. Code that cannot be read is not judged.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from fairwitness.evaluator.criteria.instruction_following.checking import evidence
from fairwitness.evaluator.criteria.instruction_following.checking.code_text import (
    Code,
    codes,
    likely_family,
)
from fairwitness.evaluator.criteria.instruction_following.code_constructs import (
    CONSTRUCTS,
    NOT_OF_DIALECT,
)
from fairwitness.evaluator.criteria.instruction_following.demand import Demand, Outcome
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Text

_IMPORTS = Pattern(
    r"^[ \t]*(?:import\b|from[ \t]+\S+[ \t]+import\b|using[ \t]+\w|#include\b)|\brequire\s*\(",
    multiline=True,
)
_FOR, _WHILE = Pattern(r"\bfor\b\s*[({\w]"), Pattern(r"\bwhile\b")
_PRINTS = Pattern(r"\bconsole\.log\s*\(")
_RETURNS = Pattern(r"\breturn\b")
_FUNCTION = Pattern(
    r"\bfunction\s+(?P<name>[\w$]+)\s*\(|\b(?:const|let|var)\s+(?P<name2>[\w$]+)\s*=\s*(?:async\s*)?(?:function\b|\([^()\n]*\)\s*=>|[\w$]+\s*=>)"
)
_OWN_METHOD = Pattern(r"\bthis\.[\w$]+\s*\(|\bclass\b")
_COMPREHENSION = Pattern(r"[\[({][^\[\]]* for [^\[\]]* in ")
_HANDLED = Pattern(
    r"\bset\s+-[a-zA-Z]*e|\berrexit\b|^#!\S+(?:[ \t]\S+)*[ \t]-[a-z]*e|&&|\|\||\btrap\b|\bexit\b|\breturn\b|\bif\b"
)
_KEYWORDS = "select from where having join distinct union".split()
_SELECTS = Pattern(
    rf"\b(?:{'|'.join(_KEYWORDS)}|group by|order by|insert into)\b", ignore_case=True
)
_NAMES_FUNCTION = Pattern(r"\bcreate\b[^;]{0,40}\bfunction\b", ignore_case=True)
_ONLY_CLOSES = frozenset("})];,(:{ \t")
_NO_COMMENT_NEEDED = frozenset({"end", "fi", "done", "else", "else:", "try:", "begin", "esac"})
_MIN_LINES, _MAX_BARE_SHARE = 3, 0.2
_MIN_COMMANDS = 2
_MAX_FUNCTIONS = 200
_DEMOS = ("main", "test", "demo", "example")
_Seen = Callable[[Code], bool | None]


def construct(demand: Demand, exchange: Exchange) -> Outcome:
    """The code has the construct asked for, or none that was ruled out."""
    name = demand.terms[0]
    blocks = list(codes(exchange.response, likely_family(exchange.prompt.value)))
    seen = [(block, shown) for block in blocks if (shown := _look(name, block, demand)) is not None]
    if demand.negated and any(block.defines for block, _ in seen):
        seen = [(block, shown) for block, shown in seen if block.defines]
    if demand.negated:
        met = not seen or not all(shown for _, shown in seen)
    else:
        met = any(shown for _, shown in seen)
    asked = f"code without {name}" if demand.negated else f"code with {name}"
    if len(demand.terms) > 1:
        asked = f"code with {demand.terms[1]}, not {name}"
    there = met is not demand.negated
    return Outcome(
        met=met,
        asked=asked,
        found=f"{name} in the code" if there else f"no {name.removeprefix('a ')} in the code",
        spans=() if met else (evidence.cut(seen[0][0].region),) if seen else (),
        unchecked="" if seen else "The response has no code that can be read",
    )


def _look(name: str, block: Code, demand: Demand) -> bool | None:
    if name in _LOOKS:
        return _LOOKS[name](block)
    found = CONSTRUCTS[name].pattern.search(block.utf8)
    if found and len(demand.terms) > 1:
        # Code with both may be right: a flexbox inside of a page that has a grid.
        return not CONSTRUCTS[demand.terms[1]].pattern.search(block.utf8)
    return found


def _nodes(block: Code, *kinds: type[ast.AST]) -> bool | None:
    if block.tree is None:
        return None
    return any(isinstance(node, kinds) for node in ast.walk(block.tree))


def _within(block: Code, *kinds: type[ast.AST]) -> bool | None:
    """Tell whether a function has such a part; where there is none, the whole code counts."""
    if block.tree is None:
        return None
    inside = list(_functions(block.tree).values())[:_MAX_FUNCTIONS] or [block.tree]
    return any(isinstance(node, kinds) for each in inside for node in ast.walk(each))


def _inner(block: Code) -> bytes:
    """Return the lines inside of something, so that a call which shows the result does not count."""
    lines = block.bare.split("\n")
    inside = [line for line in lines if line[:1].isspace() or _FUNCTION.search(line.encode())]
    return "\n".join(inside or lines).encode()


def _imports(block: Code) -> bool | None:
    if block.family == "py":
        return _nodes(block, ast.Import, ast.ImportFrom)
    return _IMPORTS.search(block.utf8) if block.family == "brace" else None


def _for_loops(block: Code) -> bool | None:
    if block.family == "py":
        return _within(block, ast.For, ast.AsyncFor)
    return _FOR.search(_inner(block)) if block.family == "brace" else None


def _while_loops(block: Code) -> bool | None:
    if block.family == "py":
        return _within(block, ast.While)
    return _WHILE.search(_inner(block)) if block.family == "brace" else None


def _loops(block: Code) -> bool | None:
    one, two = _for_loops(block), _while_loops(block)
    return None if one is None else bool(one or two)


def _functions(tree: ast.Module) -> dict[str, ast.AST]:
    """Return what has a name and can be called: functions, and lambdas that are assigned."""
    found: dict[str, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            found |= {one.id: node for one in node.targets if isinstance(one, ast.Name)}
    return found


def _called(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id  # also where it is only handed on, as in map(f, ...)
        elif isinstance(each, ast.Attribute):
            yield each.attr


def _recursion(block: Code) -> bool | None:
    """Tell whether a function comes back to itself, by way of others or not."""
    if block.family == "brace":
        return _calls_itself(block)
    if block.tree is None:
        return None
    functions = _functions(block.tree)
    if not 0 < len(functions) <= _MAX_FUNCTIONS:
        return None
    calls = {name: functions.keys() & set(_called(node)) for name, node in functions.items()}
    left = dict(calls)
    # What calls nothing that is left can come back to nothing: drop it until no more can be dropped.
    for _ in functions:
        left = {name: called & left.keys() for name, called in left.items() if called & left.keys()}
    return bool(left)


def _calls_itself(block: Code) -> bool | None:
    """Tell whether a name is used again where it is defined; sure only where there is a loop instead."""
    names = {
        match["name"] or match["name2"] for match in Text(block.bare).matches(_FUNCTION, limit=20)
    }
    lines = block.bare.split("\n")
    within = [line for line in lines if line[:1].isspace() or "=>" in line]
    again = any(f"{name}(" in line for name in names for line in within)
    if _OWN_METHOD.search(block.utf8):
        return True if again else None
    return True if again else False if names and _loops(block) else None


def _printing(block: Code) -> bool | None:
    """Tell whether a function prints; a call that shows its result is no part of it."""
    if block.family == "brace":
        printed = _PRINTS.search(block.utf8)
        return printed and not _RETURNS.search(block.utf8)
    if block.tree is None:
        return None
    functions = [
        node
        for name, node in _functions(block.tree).items()
        if not name.lower().lstrip("_").startswith(_DEMOS)
    ]
    return any(_prints(node) for node in functions) if functions else None


def _prints(node: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Name)
        and each.func.id == "print"
        and not any(word.arg == "file" for word in each.keywords)
        for each in ast.walk(node)
    )


def _comprehension(block: Code) -> bool | None:
    if block.tree is not None:
        return _nodes(block, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    return _COMPREHENSION.search(block.utf8) if block.family == "py" else None


def _commented(block: Code) -> bool | None:
    """Tell whether nearly every line of code has a comment, on it or right above it."""
    covered = {
        line
        for comment in block.comments
        for line in range(
            block.value.count("\n", 0, comment.start), block.value.count("\n", 0, comment.end) + 1
        )
    }
    lines = block.value.split("\n")
    needed = [
        at
        for at, line in enumerate(lines)
        if set(line) - _ONLY_CLOSES
        and line.strip() not in _NO_COMMENT_NEEDED
        and not line.lstrip().startswith(("#", "//", "/*", "*", "--", '"""', "'''", "<!--"))
    ]
    bare = [at for at in needed if at not in covered and at - 1 not in covered]
    if len(needed) < _MIN_LINES:
        return None
    return len(bare) <= max(1, _MAX_BARE_SHARE * len(needed))


def _stops(block: Code) -> bool | None:
    if block.family != "sh":
        return None
    commands = [
        line for line in block.value.split("\n") if line.strip() and line.lstrip()[0] != "#"
    ]
    handled = _HANDLED.search(block.utf8) or _HANDLED.search(block.value.split("\n")[0].encode())
    return handled if len(commands) > _MIN_COMMANDS or handled else None


_LOOKS: dict[str, _Seen] = {
    "imports": _imports, "loops": _loops, "for loops": _for_loops, "while loops": _while_loops, "recursion": _recursion,
    "printing": _printing, "a list comprehension": _comprehension, "a comment on every line": _commented,
    "a stop on the first error": _stops,
}  # fmt: skip


def keyword_case(demand: Demand, exchange: Exchange) -> Outcome:
    """The keywords of SQL are written as asked for."""
    lower = demand.terms[0] == "lower"
    blocks = [block for block in codes(exchange.response, "sql") if block.family == "sql"]
    found = [
        match.text for block in blocks for match in Text(block.bare).matches(_SELECTS, limit=50)
    ]
    wrong = [word for word in found if (word.isupper() if lower else word.islower())]
    return Outcome(
        met=not wrong,
        asked=f"SQL keywords in {demand.terms[0]} case",
        found=", ".join(f"“{word}”" for word in dict.fromkeys(wrong[:5])) or "they are",
        spans=(evidence.cut(blocks[0].region),) if wrong else (),
        unchecked="" if found else "The response has no SQL that can be read",
    )


def dialect(demand: Demand, exchange: Exchange) -> Outcome:
    """No function is called that only another database has."""
    name = demand.terms[0]
    blocks = [block for block in codes(exchange.response, "sql") if block.family == "sql"]
    # A second block may show how another database does it.
    block = blocks[0] if blocks else None
    calls = Pattern(rf"\b(?P<call>{'|'.join(NOT_OF_DIALECT[name])})\s*\(", ignore_case=True)
    own = block is None or _NAMES_FUNCTION.search(block.utf8)
    found = [] if own or block is None else Text(block.bare).matches(calls, limit=5)
    shown = ", ".join(dict.fromkeys(f"“{match['call']}”" for match in found))
    return Outcome(
        met=not found,
        asked=f"SQL for {name}",
        found=f"{shown}, which {name} does not have"
        if found
        else "no function of another database",
        spans=(evidence.cut(block.region),) if found and block else (),
        unchecked="" if blocks else "The response has no SQL that can be read",
    )
