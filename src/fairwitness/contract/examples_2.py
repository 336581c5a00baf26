"""One worked example for each operation of contract 2, used by OpenAPI, the docs and the tests."""

from __future__ import annotations

from typing import Any

from fairwitness.contract.examples import REQUESTS, RESULTS
from fairwitness.contract.requests_2 import CONTRACT_2

_ASKED: dict[str, Any] = {"contractVersion": CONTRACT_2, "privacyAcknowledged": True}
_STAMPS: dict[str, Any] = {
    "contractVersion": CONTRACT_2,
    "protocol": "fairwitness",
    "protocolDigest": "5d1b0c6c0b8c0a6f5e0f5a9e3d7f2c4b1a0e9d8c7b6a5f4e3d2c1b0a99887766",
}
_ARENA = RESULTS["runArena"] | _STAMPS
_EVALUATED = RESULTS["evaluateResponse"]

REQUESTS_2: dict[str, dict[str, Any]] = {
    "evaluateExchange": {
        **_ASKED,
        "messages": [
            {"role": "system", "content": "Answer from the context."},
            {"role": "user", "content": "How can I reach the support team?"},
        ],
        "response": "You can reach her at jane.roe@gmail.com.",
        "context": [{"id": "handbook", "text": "Support answers at the front desk, from 9 to 5."}],
    },
    "compareProviders": {
        **_ASKED,
        "prompt": REQUESTS["runArena"]["prompt"],
        "providers": REQUESTS["runArena"]["providers"],
        "system": "Answer in one sentence.",
        "temperature": 0.2,
    },
}

RESULTS_2: dict[str, dict[str, Any]] = {
    "evaluateExchange": {
        **_EVALUATED,
        **_STAMPS,
        "evaluationScope": "response_text_and_context",
        "coverage": {
            "contextRead": 47,
            "contextTotal": 47,
            "responseRead": 40,
            "responseTotal": 40,
        },
    },
    "compareProviders": _ARENA,
}
