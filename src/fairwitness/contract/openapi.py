"""The machine-readable description: OpenAPI 3.1, generated from the types that decode and encode."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from fairwitness.contract.errors import ErrorCode, ServiceError, public_errors
from fairwitness.contract.evaluation import Evaluation, StampedEvaluation
from fairwitness.contract.examples import REQUESTS, RESULTS
from fairwitness.contract.examples_2 import REQUESTS_2, RESULTS_2
from fairwitness.contract.openapi_names import name_parts
from fairwitness.contract.operations import OPERATIONS, OPERATIONS_2, Operation
from fairwitness.contract.requests_2 import CONTRACT_2, EvaluateRequest2
from fairwitness.contract.results import INTERPRETATION, ErrorAnswer

SERVICE_VERSION = "0.1.0"
_REF = "#/components/schemas/{name}"

_MEANINGS = {
    400: "Invalid request; `details` list every problem.",
    401: "Unknown or revoked API key.",
    405: "Method not allowed; use POST.",
    413: "Payload too large: more than {limit} bytes.",
    415: "Unsupported media type; use application/json in UTF-8.",
    429: "Admission, quota, global-budget, concurrency or duplicate-request limit reached.",
    500: "Internal evaluation failure.",
    503: "Public service or protected provider-spend path unavailable.",
}
_FEEDBACK_MEANINGS = {400: "Invalid feedback.", 503: "Feedback persistence unavailable."}
_DEFAULT_CODES = {500: "internal_error", 503: "overloaded", 429: "quota_exceeded"}


@cache
def document() -> dict[str, Any]:
    """Return the whole description of contract 1 as plain data."""
    schemas = _schemas(OPERATIONS)
    # Contract 1 knows two texts.
    schemas["Evidence"]["properties"]["source"] = {"type": "string", "enum": ["prompt", "response"]}
    schemas["ErrorCode"]["enum"].remove(ErrorCode.UNKNOWN_API_KEY.value)
    return _described(OPERATIONS, schemas, SERVICE_VERSION)


@cache
def document_2(protocols: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    """Return the whole description of contract 2 as plain data, with the deployment's protocols: names and digests."""
    schemas = _schemas(OPERATIONS_2)
    if protocols:
        chosen = schemas[EvaluateRequest2.__name__]["properties"]
        chosen["protocol"]["enum"] = [name for name, _ in protocols]
        chosen["protocolDigest"]["enum"] = [digest for _, digest in protocols]
    for operation in OPERATIONS_2:
        schemas[operation.request.__name__]["not"] = _not_one_of("prompt", "messages")
    schemas["Answer"]["anyOf"] = [
        {"required": ["content"], "properties": {"content": {"minLength": 1}}},
        {"required": ["toolCalls"], "properties": {"toolCalls": {"minItems": 1}}},
    ]
    found = _described(OPERATIONS_2, schemas, CONTRACT_2)
    found["components"]["securitySchemes"] = {
        "apiKey": {
            "type": "apiKey",
            "in": "header",
            "name": "x-api-key",
            "description": "Optional: a key the operator issued, with quotas of its own.",
        }
    }
    found["security"] = [{}, {"apiKey": []}]
    arena = found["paths"]["/api/v2/arena"]["post"]
    arena["parameters"] = [
        {
            "name": "evidence",
            "in": "query",
            "description": "`true` adds the request and a signed evidence artifact to the answer.",
            "schema": {"type": "string", "enum": ["true", "false"], "default": "false"},
        }
    ]
    arena["responses"]["200"]["content"]["text/event-stream"] = {
        "schema": {
            "type": "string",
            "description": "Server-sent events: `result` for each provider as it finishes, in any order, then "
            "`arena` with the whole body, or `error` with the error object.",
        }
    }
    return found


@cache
def encoded() -> bytes:
    """Return the description of contract 1 as it is served."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=2)


def encoded_2(protocols: tuple[tuple[str, str], ...]) -> bytes:
    """Return the description of contract 2 as it is served."""
    return msgspec.json.format(msgspec.json.encode(document_2(protocols)), indent=2)


def _not_one_of(first: str, second: str) -> dict[str, Any]:
    """Return the rule that refuses both and neither. Code generators read a plain `oneOf` as several types."""
    either = {"anyOf": [{"required": [first]}, {"required": [second]}]}
    return {"anyOf": [{"required": [first, second]}, {"not": either}]}


def _schemas(operations: Sequence[Operation]) -> dict[str, Any]:
    types: list[Any] = [ErrorAnswer]
    types += [kind for operation in operations for kind in (operation.request, operation.result)]
    _, named = msgspec.json.schema_components(types, ref_template=_REF)
    # The contract calls what the service sends an Evaluation; in Python that is the one without an id.
    schemas: dict[str, Any] = json.loads(
        json.dumps(named).replace(StampedEvaluation.__name__, Evaluation.__name__)
    )
    _close_error_codes(schemas)
    asked = {operation.request.__name__ for operation in operations} | {"Answer"}
    for name, schema in schemas.items():
        if name not in asked:
            _require_constants(schema)
        _type_choices(schema)
    name_parts(schemas)
    return schemas


def _described(
    operations: Sequence[Operation], schemas: dict[str, Any], version: str
) -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "Fair Witness",
            "version": version,
            "summary": "A public evaluation service for AI responses.",
            "description": f"Scores the text of a response against a published protocol.\n\n{INTERPRETATION}",
        },
        "servers": [{"url": "/"}],
        "paths": {operation.path: {"post": _operation(operation)} for operation in operations},
        "components": {
            "schemas": schemas,
            "headers": {
                "RequestId": {
                    "description": "The id under which this request was logged.",
                    "schema": {"type": "string", "format": "uuid"},
                },
                "RetryAfter": {
                    "description": "Seconds until a retry may succeed; absent if unknown.",
                    "schema": {"type": "integer", "minimum": 1},
                },
                "Allow": {
                    "description": "The methods this path supports.",
                    "schema": {"type": "string", "const": "POST"},
                },
            },
        },
    }


def _close_error_codes(schemas: dict[str, Any]) -> None:
    meanings = {code.value: error.meaning for code, error in public_errors().items()}
    schemas["ErrorBody"]["properties"]["code"] = {
        "type": "string",
        "enum": [code.value for code in ErrorCode],
        "description": "\n".join(f"- `{code}`: {meaning}" for code, meaning in meanings.items()),
    }


def _require_constants(schema: dict[str, Any]) -> None:
    """Mark as required what has a default in our types: an answer always carries it."""
    for name, rule in schema["properties"].items():
        if "default" in rule:
            del rule["default"]
            schema["required"] = [*schema.get("required", []), name]


def _type_choices(schema: Any) -> None:
    """Say of every choice of words that it is a string, and of a single choice that it is a constant."""
    if isinstance(schema, dict):
        values = schema.get("enum")
        if values and all(isinstance(value, str) for value in values):
            schema["type"] = "string"
            if len(values) == 1:
                schema["const"] = schema.pop("enum")[0]
        for part in list(schema.values()):
            _type_choices(part)
    elif isinstance(schema, list):
        for part in schema:
            _type_choices(part)


def _operation(operation: Operation) -> dict[str, Any]:
    answers = {str(operation.success): _success(operation)}
    answers |= {str(status): _error(operation, status) for status in operation.errors}
    return {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {"$ref": _REF.format(name=operation.request.__name__)},
                    "example": (REQUESTS | REQUESTS_2)[operation.id],
                }
            },
        },
        "responses": answers,
    }


def _success(operation: Operation) -> dict[str, Any]:
    found = _answered(operation)
    if (
        operation in OPERATIONS and operation.tag != "Feedback"
    ):  # contract 2 has no feedback of its own
        found["links"] = {
            "feedback": {
                "operationId": "submitFeedback",
                # Some generators take no object as the body of a link, so this says it in words.
                "description": "Send feedback about this result, with its `requestId`.",
            }
        }
    return found


def _answered(operation: Operation) -> dict[str, Any]:
    return {
        "description": f"{operation.summary}: done.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}},
        "content": {
            "application/json": {
                "schema": {"$ref": _REF.format(name=operation.result.__name__)},
                "example": (RESULTS | RESULTS_2)[operation.id],
            }
        },
    }


def _error(operation: Operation, status: int) -> dict[str, Any]:
    meanings = _FEEDBACK_MEANINGS if operation.id == "submitFeedback" else _MEANINGS
    headers = {"X-Request-Id": {"$ref": "#/components/headers/RequestId"}}
    if status in {429, 503}:
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    if status == 405:
        headers["Allow"] = {"$ref": "#/components/headers/Allow"}
    return {
        "description": meanings[status].format(limit=operation.max_body_bytes),
        "headers": headers,
        "content": {
            "application/json": {
                "schema": {"$ref": _REF.format(name="ErrorAnswer")},
                "example": _error_example(operation, status),
            }
        },
    }


def _error_example(operation: Operation, status: int) -> dict[str, Any]:
    error = _typical(operation, status)
    body: dict[str, Any] = {"code": error.code.value, "message": error.meaning}
    if status == 400:
        body["details"] = ["privacyAcknowledged: must be true"]
    return {"error": body}


def _typical(operation: Operation, status: int) -> type[ServiceError]:
    errors = public_errors()
    if operation.id == "submitFeedback" and status == 503:
        return errors[ErrorCode.FEEDBACK_UNAVAILABLE]
    if status in _DEFAULT_CODES:
        return errors[ErrorCode(_DEFAULT_CODES[status])]
    return next(error for error in errors.values() if error.status == status)
