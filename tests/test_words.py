"""Everything users read is plain English: phrases and words that people stumbled over stay out of it."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from fairwitness.cli.main import app
from fairwitness.site.pages import doc_pages
from tests.import_graph import tree_of

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "fairwitness"

# Sentences that readers had to read twice, without their numbers.
PHRASES = (
    "a person should look",
    "lies between the lines",
    "carries no data it must not",
    "everything holds",
    "holds body",
    "something was changed",
    "ended by itself",
    "measured as better",
    "follow on themselves",
    "has not the form its prompt's demands are checked in",
    "stand where no writing needs them",
    "may read as rude or coarse",
    "asks for a look",
    "ask for a look",
    "if it is heard",
)
WORDS = ("lent", "heed", "mend", "hears")
AVOIDED = re.compile(
    "|".join([*(re.escape(phrase) for phrase in PHRASES), *(rf"\b{word}\b" for word in WORDS)]),
    re.IGNORECASE,
)
# A pattern or a list of words matches what other people write; it is not read by users.
PATTERN = re.compile(r"\(\?|\\[bdswWS]|\[[^\]]*\]|\|")
# At least two words, so no identifier and no entry of a list of words.
SENTENCE = re.compile(r"\w \w")


def avoided(text: str) -> list[str]:
    """Return each avoided phrase with the words around it; line breaks and emphasis do not hide one."""
    flat = " ".join(re.sub(r"[*_`\"']{2,}", "", text).split())
    return [flat[max(0, m.start() - 40) : m.end() + 40] for m in AVOIDED.finditer(flat)]


def files() -> list[Path]:
    web = [path for path in SOURCE.joinpath("web").rglob("*") if path.suffix in {".html", ".js"}]
    protocols = SOURCE.joinpath("evaluator", "protocols").glob("*.toml")
    records = ROOT.joinpath("docs", "decisions").glob("*.md")
    pages = SOURCE.joinpath("pages").glob("*.md")
    named = [ROOT / "README.md", ROOT / "CHANGELOG.md"]
    return sorted([*named, *pages, *web, *protocols, *records])


def messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the sentences a module's code holds, with the lines they are on; an inserted value reads as X."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside.update(id(part) for part in ast.walk(node) if part is not node)
    hidden = inside | set(_private_docstrings(tree)) | set(_patterns(tree))
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        text = _text(node)
        if SENTENCE.search(text) and not PATTERN.search(text):
            yield getattr(node, "lineno", 0), text


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "X" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _private_docstrings(tree: ast.Module) -> Iterator[int]:
    """Yield docstrings that no help text and no documentation shows."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = node.body[0]
            if node.name.startswith("_") and isinstance(first, ast.Expr):
                yield id(first.value)


def _patterns(tree: ast.Module) -> Iterator[int]:
    """Yield the strings inside calls that compile patterns or split lists of words."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in {"split", "splitlines"} and isinstance(node.func, ast.Attribute):
            yield from (id(part) for part in ast.walk(node.func.value))
        if name in {"compile", "linear"} or _called(node) in {"compile", "linear", "Example"}:
            yield from (id(part) for part in ast.walk(node))


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def commands() -> Iterator[tuple[str, ...]]:
    """Yield every command and command of a group, as the command line takes it."""
    yield ()
    for name in app:
        if name.startswith("-"):
            continue
        yield (name,)
        group = app[name]
        yield from ((name, inner) for inner in group if not inner.startswith("-"))


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_files_people_read(path: Path) -> None:
    assert avoided(path.read_text(encoding="utf-8")) == []


def test_messages_in_code() -> None:
    found = [
        (str(module.relative_to(SOURCE)), line, said)
        for module in sorted(SOURCE.rglob("*.py"))
        for line, text in messages(tree_of(module))
        for said in avoided(text)
    ]
    assert found == []


def test_documents_as_served() -> None:
    found = {
        path: avoided(page.body.decode())
        for path, page in doc_pages().items()
        if path.endswith(".md")
    }
    assert {path: said for path, said in found.items() if said} == {}


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_help(command: tuple[str, ...]) -> None:
    printed = io.StringIO()
    app.help_print(list(command), console=Console(width=200, file=printed))
    text = printed.getvalue()
    assert "Usage" in text
    assert avoided(text) == []


def test_the_test_finds_what_it_looks_for() -> None:
    source = '''
def verify(fine, count):
    """Check it; something to mend."""
    words = "lent heed mend hears".split()
    pattern = compile("they (?:lent|heed) it")
    return "Everything holds." if fine else f"The same {count} word(s) follow on themselves"
def _hidden():
    """Nobody hears this one."""
'''
    found = [text for _, text in messages(ast.parse(source)) if avoided(text)]
    assert found == [
        "Check it; something to mend.",
        "Everything holds.",
        "The same X word(s) follow on themselves",
    ]
    assert avoided("A sneer *asks for\na look*.")
    assert not avoided("Recommended: silent, amend.")
