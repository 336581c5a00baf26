"""Speaks to one Python peer inside its own environment: rows in, decisions and milliseconds out, as JSON."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

# Told a prompt and its answer, says whether the answer has the fault that is looked for.
Decide = Callable[[str, str], bool]


def profanity() -> Decide:
    """Return alt-profanity-check's decision on one text."""
    from profanity_check import predict  # type: ignore[import-not-found, unused-ignore]

    return lambda prompt, text: bool(predict([text])[0])


def secrets() -> Decide:
    """Return detect-secrets' decision on one text, given as a file as it wants it."""
    from detect_secrets import SecretsCollection  # type: ignore[import-not-found, unused-ignore]
    from detect_secrets.settings import (  # type: ignore[import-not-found, unused-ignore]
        default_settings,
    )

    def decide(prompt: str, text: str) -> bool:
        found = SecretsCollection()
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            with default_settings():
                found.scan_file(file.name)
        return bool(found.data)

    return decide


def guarded() -> Decide:
    """Return guardrails-ai's decision, by a guard for each demand: the package has no validators of its own."""
    from guardrails import Guard  # type: ignore[import-not-found, unused-ignore]
    from guardrails.validator_base import (  # type: ignore[import-not-found, unused-ignore]
        FailResult,
        PassResult,
        Validator,
        register_validator,
    )

    def guard(name: str, holds: Callable[[str], bool]) -> Any:
        def validate(self: Any, value: str, metadata: Any) -> Any:
            return PassResult() if holds(value) else FailResult(error_message=name)

        made = type(name.title(), (Validator,), {"validate": validate})
        known = register_validator(name=f"bench/{name}", data_type="string")(made)
        return Guard().use(known(on_fail="noop"))

    guards = {
        "JSON": guard("json", _is_json),
        "lowercase": guard("lowercase", lambda text: text == text.lower()),
        "at most 20 words": guard("words", lambda text: len(text.split()) <= 20),
    }

    def decide(prompt: str, text: str) -> bool:
        (chosen,) = [one for demand, one in guards.items() if demand in prompt]
        return not chosen.validate(text).validation_passed

    return decide


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


PEERS: dict[str, Callable[[], Decide]] = {
    "alt-profanity-check": profanity,
    "detect-secrets": secrets,
    "guardrails-ai": guarded,
}


def main() -> None:
    """Decide on every row of the input."""
    rows = json.load(sys.stdin)
    decide = PEERS[sys.argv[1]]()
    decide(*rows[0])
    began = time.perf_counter()
    said = [decide(*row) for row in rows]
    taken = (time.perf_counter() - began) / len(rows) * 1000
    print(json.dumps({"said": said, "ms": taken}))


if __name__ == "__main__":
    main()
