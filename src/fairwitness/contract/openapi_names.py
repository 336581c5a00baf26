"""Names for what generated clients would otherwise have to name themselves: choices of words, and the items of a result.

The values allowed stay the same; only how a rule is written changes. Code generators make a new type of every choice without
a name, read the constant `true` as a word, and a number that must be whole as any number.
"""

from __future__ import annotations

from typing import Any, get_args

from fairwitness.contract import evaluation, requests, results
from fairwitness.contract.errors import ErrorCode

_REF = "#/components/schemas/{name}"
_CHOICES = {
    tuple(code.value for code in ErrorCode): "ErrorCode",
    get_args(evaluation.Verdict): "Verdict",
    get_args(evaluation.CriterionVerdict): "CriterionVerdict",
    get_args(evaluation.Severity): "Severity",
    get_args(evaluation.Observed): "Observed",
    get_args(evaluation.ReviewReason): "ReviewReason",
    get_args(requests.FeedbackCategory): "FeedbackCategory",
    get_args(requests.GenerateProvider): "GenerateProvider",
    get_args(requests.ArenaProvider): "ArenaProvider",
    get_args(results.ProviderErrorCode): "ProviderErrorCode",
}
_NAMES = {frozenset(words): name for words, name in _CHOICES.items()}


def name_parts(schemas: dict[str, Any]) -> None:
    """Give names to choices and unions, in place."""
    for schema in list(schemas.values()):
        for field, rule in schema.get("properties", {}).items():
            schema["properties"][field] = _named(rule, schemas)


def _named(rule: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    if rule.get("const") is True:
        kept = {key: value for key, value in rule.items() if key != "const"}
        return {**kept, "type": "boolean", "not": {"const": False}}
    if rule.get("multipleOf") == 1:
        kept = {key: value for key, value in rule.items() if key != "multipleOf"}
        return {**kept, "type": "integer"}
    if "discriminator" in rule:
        choices = rule.get("anyOf") or rule["oneOf"]
        schemas["ResultItem"] = {"oneOf": choices, "discriminator": rule["discriminator"]}
        return {"$ref": _REF.format(name="ResultItem")}
    if isinstance(rule.get("items"), dict):
        return {**rule, "items": _named(rule["items"], schemas)}
    name = _NAMES.get(frozenset(rule.get("enum", ())))
    if name is None:
        return rule
    schemas[name] = {"type": "string", "enum": rule["enum"]}
    kept = {key: value for key, value in rule.items() if key not in {"enum", "type"}}
    return {**kept, "$ref": _REF.format(name=name)}
