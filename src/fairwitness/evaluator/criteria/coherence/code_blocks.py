"""Checks each code block in a language we can parse, and a response that is itself JSON."""

from __future__ import annotations

from itertools import islice

from fairwitness.evaluator.criteria.coherence import (
    bracket_balance,
    data_syntax,
    html_syntax,
    python_syntax,
    shell_syntax,
)
from fairwitness.evaluator.criteria.coherence.bracket_balance import Fault
from fairwitness.evaluator.exchange import Exchange, Span
from fairwitness.evaluator.judgement import Finding
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import CodeBlock, Text

_PYTHON = frozenset({"python", "py", "python3"})
_MAX_FINDINGS = 3
_MAX_BLOCKS = 40
_DATA = frozenset({"json", "yaml", "yml", "toml", "xml"})
# Elisions, comments and placeholders: the block shows a shape, it is not the data itself.
_SHOWS_TEMPLATE = Pattern(
    r"\.\.\.|…|\{\{|\{%|\$\{|<[A-Za-z][\w \-]{0,40}>|^\s*(?://|#|--)|\s//\s|/\*|\[(?:your|insert|add) ",
    ignore_case=True,
    multiline=True,
)
_SHOWS_XML_TEMPLATE = Pattern(r"\.\.\.|…|\{\{|\{%|\$\{|^\s*//", multiline=True)
# In YAML and TOML comments and ${VARIABLES} are ordinary.
_SHOWS_SETTINGS_TEMPLATE = Pattern(
    r"\.\.\.|…|\{\{|\{%|<[A-Za-z][\w \-]{0,40}>|^\s*//|\[(?:your|insert|add) ",
    ignore_case=True,
    multiline=True,
)
_TEMPLATES = {"xml": _SHOWS_XML_TEMPLATE} | dict.fromkeys(
    ("yaml", "yml", "toml"), _SHOWS_SETTINGS_TEMPLATE
)
_ABOUT_BROKEN_CODE = Pattern(
    r"\b(?:broken|invalid|malformed|syntax errors?|buggy|bugs?|debug\w*|fix\w*|incorrect|wrong|faulty|"
    r"errors?)\b",
    ignore_case=True,
)


_CHECKED = (
    _PYTHON | _DATA | bracket_balance.LANGUAGES | shell_syntax.LANGUAGES | html_syntax.LANGUAGES
)
# Words before a block that says it is shown because it is wrong.
_SHOWN_AS_BROKEN = Pattern(
    r"\b(?:broken|invalid|malformed|incorrect|wrong|faulty|syntax error|missing|not compile|not parse|"
    r"unclosed|no closing|unbalanced|mistakes?|problem|don[’']t|avoid|before|original|yours)\b",
    ignore_case=True,
)


def find(exchange: Exchange) -> list[Finding]:
    """Return code and data that do not parse; a prompt about broken code may show some."""
    text = exchange.response
    blocks = [block for block in text.code_blocks if block.closed and block.language in _CHECKED]
    bare = not text.code_blocks and text.value.lstrip()[:1] in {"{", "["}
    if not blocks and not bare:
        return []
    faults = (finding for block in blocks[:_MAX_BLOCKS] if (finding := _check(text, block)))
    findings = list(islice(faults, _MAX_FINDINGS))
    if bare and (finding := _bare_json(text)):
        findings.append(finding)
    if findings and exchange.prompt.search(_ABOUT_BROKEN_CODE) is not None:
        return []
    return findings


def _check(text: Text, block: CodeBlock) -> Finding | None:
    source = text.slice(block.body)
    fault = _fault(block.language, source)
    if fault is None or _is_shown_as_broken(text, block):
        return None
    # Some writers of JSON escape slashes; that slip says nothing of the code.
    if "\\/" in source and _fault(block.language, source.replace("\\/", "/")) is None:
        return None
    start = block.body.start
    start = text.value.rfind("\n", start, start + fault.at) + 1 or start
    return Finding(
        severity="medium",
        message=f"The {block.language} block {fault.message}.",
        detector="coherence.code.syntax",
        spans=(Span(start, min(block.body.end, start + 120)),),
        suggestion="Correct the block so that it parses.",
    )


def _fault(language: str, source: str) -> Fault | None:
    """Return what is wrong with a block, by what is known of its language."""
    if language in bracket_balance.LANGUAGES:
        return _unclosed(bracket_balance.fault(language, source))
    if language in shell_syntax.LANGUAGES:
        return _unclosed(shell_syntax.fault(source))
    if language in html_syntax.LANGUAGES:
        return _unclosed(html_syntax.fault(source))
    if language in _PYTHON:
        problem = python_syntax.fault(source)
    elif _TEMPLATES.get(language, _SHOWS_TEMPLATE).search(source.encode()):
        return None
    else:
        problem = data_syntax.fault(language, source)
    return None if problem is None else Fault(f"does not parse: {problem}", 0)


def _unclosed(fault: Fault | None) -> Fault | None:
    return None if fault is None else Fault(f"is not complete: {fault.message}", fault.at)


def _is_shown_as_broken(text: Text, block: CodeBlock) -> bool:
    """Tell whether the lines before a block say that it shows what is wrong."""
    before = text.value[max(0, block.region.start - 200) : block.region.start].rstrip()
    lines = before.split("\n")[-2:]
    return _SHOWN_AS_BROKEN.search("\n".join(lines).encode())


def _bare_json(text: Text) -> Finding | None:
    """Judge a whole response that begins as JSON does: an object of quoted keys, or an array of such."""
    source = text.value.strip()
    if not _BEGINS_JSON.search(source.encode()) or _SHOWS_TEMPLATE.search(source.encode()):
        return None
    problem = data_syntax.fault("json", source)
    if problem is None:
        return None
    start = text.value.index(source[0])
    return Finding(
        severity="medium",
        message=f"The response starts as JSON but does not parse: {problem}.",
        detector="coherence.code.json",
        spans=(Span(start, min(start + 80, len(text))),),
        suggestion="Correct the JSON so that it parses.",
    )


_BEGINS_JSON = Pattern(r'^\s*(?:\[\s*)?\{\s*"[^"\n]{0,200}"\s*:')
