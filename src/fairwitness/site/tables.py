"""The tables our pages show, made from the code they speak of, so that they cannot fall behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module, resources
from typing import Any

from fairwitness import settings
from fairwitness.contract.decode import request_schema
from fairwitness.contract.errors import ErrorCode, public_errors
from fairwitness.contract.examples import REQUESTS
from fairwitness.contract.operations import OPERATIONS
from fairwitness.contract.results import INTERPRETATION
from fairwitness.evaluator import confidence
from fairwitness.evaluator import protocol as protocols
from fairwitness.evaluator.judgement import Example
from fairwitness.site import evaluator_card, score_distance
from fairwitness.site.markdown import table


def _operations() -> str:
    return table(
        ("Operation", "Call", "Success", "Errors", "What it does"),
        (
            (
                f"`{operation.id}`",
                f"`POST {operation.path}`",
                operation.success,
                ", ".join(map(str, operation.errors)),
                operation.summary,
            )
            for operation in OPERATIONS
        ),
    )


def _requests() -> str:
    parts = []
    for operation in OPERATIONS:
        schema = request_schema(operation.request)
        rows = (
            (
                f"`{name}`",
                "yes" if name in schema["required"] else "no",
                _constraint(rule),
                rule.get("description", ""),
            )
            for name, rule in schema["properties"].items()
        )
        example = json.dumps(REQUESTS[operation.id], indent=2)
        parts.append(
            f"### {operation.summary}\n\n`POST {operation.path}` · {operation.description}\n\n"
            + table(("Field", "Required", "Constraint", "Meaning"), rows)
            + f"\n\n```json\n{example}\n```\n"
        )
    return "\n".join(parts)


def _constraint(rule: dict[str, Any]) -> str:
    if "const" in rule:
        return f"must be `{json.dumps(rule['const'])}`"
    if "enum" in rule:
        values = ", ".join(f"`{value}`" for value in rule["enum"])
        return f"must be {values}" if len(rule["enum"]) == 1 else f"one of {values}"
    if rule["type"] == "string":
        return f"string of {rule['minLength']} to {rule['maxLength']} characters"
    if rule["type"] == "number":
        return f"whole number from {rule['minimum']:g} to {rule['maximum']:g}"
    bound = f"{rule['minItems']} to {rule['maxItems']}" if "maxItems" in rule else "1 or more"
    items = ", ".join(f"`{value}`" for value in rule["items"]["enum"])
    return f"array of {bound} distinct items, each one of {items}"


def _errors() -> str:
    errors = public_errors()
    return table(
        ("Code", "Status", "Meaning"),
        ((f"`{code.value}`", errors[code].status, errors[code].meaning) for code in ErrorCode),
    )


def _settings() -> str:
    return table(
        ("Setting", "Default", "Meaning"),
        (
            (
                f"`{settings.PREFIX}{field.name.upper()}`",
                settings.shown_default(field),
                field.metadata["help"],
            )
            for field in settings.table()
        ),
    )


def _critical(spec: protocols.CriterionSpec) -> str:
    named = ", ".join(f"`{detector}`" for detector in spec.critical_when)
    return "yes" if spec.critical else f"with {named}" if named else "no"


def _protocol() -> str:
    protocol = protocols.shipped()
    criteria = table(
        (
            "Criterion",
            "Question",
            "Weight",
            "Critical",
            "Fails below",
            "Passes from",
            "Forced yes or no below",
        ),
        (
            (
                f"`{spec.id}`",
                spec.question,
                f"{spec.weight:g}",
                _critical(spec),
                f"{spec.fail_below:g}",
                f"{spec.pass_from:g}",
                f"{spec.decide_below:g}",
            )
            for spec in protocol.criteria
        ),
    )
    severities = table(
        ("Severity of a finding", "Share of the criterion's score it removes"),
        ((name, f"{share:.0%}") for name, share in protocol.severity.items()),
    )
    overall = protocol.overall
    return (
        f"Protocol version `{protocol.version}`, SHA-256 `{protocol.digest}`.\n\n{criteria}\n\n"
        f"{severities}\n\n"
        f"Overall: fail below {overall.fail_below:g}, pass from {overall.pass_from:g}; a failed "
        f"critical criterion caps the score at {overall.critical_cap:g}; one of weight "
        f"{overall.review_from_weight:g} or more that could not judge caps it at {overall.cap:g}. A criterion of weight "
        f"{overall.review_from_weight:g} or more that is less than "
        f"{overall.review_below_confidence:.0%} sure needs review. Scores that differ by less than "
        f"{overall.noise:g} are a tie in the Arena. The file itself: "
        "[/docs/protocol.toml](/docs/protocol.toml)."
    )


def _confidence() -> str:
    made = confidence.table()
    rows = (
        (
            f"`{name}`",
            f"{item.share(passed=True):.2f}",
            f"{item.rightly_passed} of {item.passed}",
            f"{item.share(passed=False):.2f}",
            f"{item.rightly_alarmed} of {item.alarmed}",
            ", ".join(f"`{each}`" for each in item.sets),
        )
        for name, item in made.criteria.items()
    )
    header = ("Criterion", "On a pass", "Right", "On a finding", "Right", "Rows from")
    return table(header, rows) + (
        f"\n\nMeasured on {made.date} by `python -m model.confidence`, as (right + 1) / (rows + 2), rounded down; the rows "
        "are in `protocols/confidence.json`, beside the protocol."
    )


def _examples() -> str:
    parts = []
    for spec in protocols.shipped().criteria:
        module = import_module(f"fairwitness.evaluator.criteria.{spec.id}")
        rows = (
            (
                example.expect.replace("_", " "),
                _code(_asked(example)),
                _code(example.response),
                example.why,
            )
            for example in module.EXAMPLES
        )
        parts.append(
            f"### {spec.title}\n\n" + table(("Verdict", "Prompt", "Response", "Why"), rows)
        )
    return "\n\n".join(parts)


def _asked(example: Example) -> str:
    """Return the prompt of an example with what was given beside it."""
    given = [f"Context: {text}" for text in example.context]
    expected = [] if example.reference is None else [f"Expected: {example.reference}"]
    return " · ".join([example.prompt, *given, *expected])


def _code(text: str) -> str:
    """Show a text on one line, with what cannot be seen spelled out, cut where it is long."""
    shown = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
    shown = shown.replace("`", "'")
    return f"`{shown[:160]}…`" if len(shown) > 160 else f"`{shown}`"


def _example_protocols() -> str:
    """Return every example protocol whole, under its name."""
    folder = resources.files("fairwitness.evaluator.protocols").joinpath("examples")
    files = sorted((entry.name, entry.read_text(encoding="utf-8")) for entry in folder.iterdir())
    # Four signs, because the files themselves hold blocks of three.
    return "\n\n".join(f"## {name}\n\n````toml\n{text}````" for name, text in files)


TABLES: dict[str, Callable[[], str]] = {
    **evaluator_card.TABLES,
    **score_distance.TABLES,
    "operations": _operations,
    "requests": _requests,
    "errors": _errors,
    "settings": _settings,
    "protocol": _protocol,
    "confidence": _confidence,
    "examples": _examples,
    "example_protocols": _example_protocols,
    "interpretation": lambda: f"> {INTERPRETATION}",
}
