"""Finds code in another language than the one the prompt asks for: by the fence's name, or by sure signs in the code."""

from __future__ import annotations

from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import CodeBlock, Text

# Every name of a language, on fences and in prompts; the first is the one shown.
_NAMES: dict[str, tuple[str, ...]] = {
    "Python": ("python", "py", "python3"),
    "JavaScript": ("javascript", "js", "jsx", "node", "nodejs", "node.js", "mjs"),
    "TypeScript": ("typescript", "ts", "tsx"),
    "SQL": ("sql", "mysql", "postgresql", "plpgsql", "sqlite", "tsql"),
    "Rust": ("rust", "rs"),
    "Go": ("go", "golang"),
    "C": ("c", "h"),
    "C++": ("c++", "cpp", "cc", "hpp"),
    "C#": ("c#", "csharp", "cs"),
    "Java": ("java",),
    "Kotlin": ("kotlin", "kt"),
    "Swift": ("swift",),
    "Ruby": ("ruby", "rb"),
    "PHP": ("php",),
    "shell": ("bash", "sh", "shell", "zsh"),
    "PowerShell": ("powershell", "pwsh", "ps1"),
    "batch": ("bat", "batch", "cmd"),
    "Perl": ("perl",),
    "Lua": ("lua",),
    "Scala": ("scala",),
    "Dart": ("dart",),
    "R": ("r",),
    "HTML": ("html",),
    "CSS": ("css", "scss"),
}
# Frameworks that are of one language.
_FRAMEWORKS = {
    "express": "JavaScript", "react": "JavaScript", "vue": "JavaScript", "node": "JavaScript", "node.js": "JavaScript",
    "flask": "Python", "django": "Python", "fastapi": "Python", "pandas": "Python", "rails": "Ruby", "laravel": "PHP",
}  # fmt: skip
_LANGUAGE_OF = _FRAMEWORKS | {
    name: language for language, names in _NAMES.items() for name in names
}
# Languages of which one serves where the other is asked for.
_ALIKE = (
    frozenset({"JavaScript", "TypeScript", "HTML", "CSS"}),
    frozenset({"C", "C++"}),
    frozenset({"PHP", "HTML"}),
    frozenset({"PowerShell", "batch"}),
)
_SPOKEN = r"(python|javascript|typescript|sql|rust|golang|go|c\+\+|c#|java|kotlin|swift|ruby|php|bash|powershell|perl|lua|c)"
_FRAMEWORK = (
    rf"({'|'.join(name.replace('.', '[.]') for name in sorted(_FRAMEWORKS, reverse=True))})"
)
_THING = (
    r"(?:code|functions?|scripts?|programs?|class(?:es)?|methods?|quer(?:y|ies)|snippets?|one-?liners?|"
    r"modules?|implementations?|structs?|interfaces?|types?)"
)
# What is written for a framework: "an Express (Node) route".
_PIECE = r"(?:apps?|routes?|servers?|endpoints?|components?|views?|controllers?|middleware|hooks?|scripts?|models?|apis?)"
# "in Rust", "to TypeScript", "a Python script": after a verb that asks for code to be written.
_WRITE = r"write|implement|give|show|create|code|convert|translate|port|rewrite|make|build|provide|generate|need|want|develop"
_ASKED = Pattern(
    rf"\b(?:{_WRITE})\b[^.?!\n]{{0,120}}?\b(?:in|into|to|using) {_SPOKEN}(?:[\s:.,?!;)]|$)|"
    rf"\b(?:{_WRITE}|like)\b[^.?!\n]{{0,120}}?\b(?:an?|me|some) (?:\w+ )?{_SPOKEN} (?:\w+ )?{_THING}\b|"
    rf"\b(?:{_WRITE})\b[^.?!\n]{{0,60}}?\b(?:an?|me|some|small|simple|minimal) {_FRAMEWORK} (?:\(\w[\w. ]{{0,12}}\) )?(?:\w+ )?{_PIECE}\b",
    ignore_case=True,
)
_CHOICE = Pattern(
    r"\b(?:or|and|vs\.?|versus|any|whichever|either|call|from|between) (?:in )?" + _SPOKEN + r"\b|"
    r"\b" + _SPOKEN + r"(?: (?:or|and|vs\.?|versus) )",
    ignore_case=True,
)
# Lines that only one of these languages has.
_SIGNS = {
    "Python": Pattern(
        r"^\s*def \w+\([^)\n]*\)(?: ?-> ?[^:\n]+)?:\s*$|^\s*(?:el)?if [^{}\n]+:\s*$|^\s*for [\w, ]+ in [^{}\n]+:\s*$|"
        r"^\s*print\([^;\n]*\)\s*$|^(?:from \w[\w.]* )?import \w[\w., ]*$",
        multiline=True,
    ),
    "JavaScript": Pattern(
        r"^\s*(?:export )?(?:const|let|var) [\w{\[][^;\n]* = |\bconsole\.log\(|=> ?[{(]|\brequire\([\"']|"
        r"^\s*(?:async )?function \w+\(",
        multiline=True,
    ),
    "Rust": Pattern(r"^\s*(?:pub )?fn \w+|\blet mut \b|\bprintln!\(|^\s*impl\b|^use \w+::", multiline=True),
    "Go": Pattern(r"^package \w+\s*$|^func (?:\(\w+ \*?\w+\) )?\w+\(|\bfmt\.\w+\(| := ", multiline=True),
    "Java": Pattern(
        r"\bpublic (?:static |final )*(?:class|void|int|String|boolean)\b|\bSystem\.out\.|^import java\.",
        multiline=True,
    ),
    "C": Pattern(r"^\s*#include\s*<\w+\.h>|\bprintf\(\"|^\s*int main\(", multiline=True),
    "C++": Pattern(r"\bstd::|^\s*#include\s*<\w+>|\bcout <<", multiline=True),
    "SQL": Pattern(r"^\s*(?:select\b[^;]*\bfrom|insert into|create table|update \w+\s+set)\b", ignore_case=True, multiline=True),
}  # fmt: skip
_MIN_SIGNS = 2
_SAMPLE_CHARS = 4_000


def find(exchange: Exchange) -> list[Finding]:
    """Return a finding where every block of code is in another language than the one asked for."""
    text = exchange.response
    blocks = [block for block in text.code_blocks if text.slice(block.body).strip()]
    asked = _asked(exchange.prompt) if blocks else None
    if asked is None:
        return []
    written = [_written(text, block) for block in blocks]
    # Commands beside the code, to install or run it, are in no language that was asked for.
    if any(language in {None, "shell"} or _serves(language, asked) for language in written):
        return []
    start = blocks[0].region.start
    return [
        Finding(
            severity="medium",
            message=f"The prompt asks for {asked}; the code is {written[0]}.",
            detector="coherence.code.language",
            spans=(Span(start, min(start + 120, blocks[0].region.end)),),
            suggestion=f"Write the code in {asked}.",
        )
    ]


def _asked(prompt: Text) -> str | None:
    """Return the one language a prompt asks for."""
    if prompt.search(_CHOICE) is not None:
        return None
    said = [match[1] or match[2] or match[3] for match in prompt.matches(_ASKED, limit=4)]
    also_words = {"go", "swift", "rust", "ruby", "java", "c"}
    found = {_LANGUAGE_OF[name.lower()] for name in said if name not in also_words}
    return found.pop() if len(found) == 1 else None


def _written(text: Text, block: CodeBlock) -> str | None:
    """Return the language of a block; None where neither its signs nor its fence tell."""
    named = _LANGUAGE_OF.get(block.language)
    sample = text.value[block.body.start : min(block.body.end, block.body.start + _SAMPLE_CHARS)]
    counts = {
        name: len(pattern.find(sample.encode(), lambda byte: byte, limit=_MIN_SIGNS))
        for name, pattern in _SIGNS.items()
    }
    sure = [name for name, count in counts.items() if count >= _MIN_SIGNS]
    if len(sure) == 1 and (named is None or counts.get(named) == 0):
        return sure[0]
    return named


def _serves(written: str | None, asked: str) -> bool:
    return written == asked or any(written in group and asked in group for group in _ALIKE)
