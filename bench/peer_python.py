"""Speaks to one Python peer inside its own environment: texts in, decisions and milliseconds out, as JSON."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable


def profanity() -> Callable[[str], bool]:
    """Return alt-profanity-check's decision on one text."""
    from profanity_check import predict  # type: ignore[import-not-found, unused-ignore]

    return lambda text: bool(predict([text])[0])


def secrets() -> Callable[[str], bool]:
    """Return detect-secrets' decision on one text, given as a file as it wants it."""
    from detect_secrets import SecretsCollection  # type: ignore[import-not-found, unused-ignore]
    from detect_secrets.settings import (  # type: ignore[import-not-found, unused-ignore]
        default_settings,
    )

    def decide(text: str) -> bool:
        found = SecretsCollection()
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(text)
            file.flush()
            with default_settings():
                found.scan_file(file.name)
        return bool(found.data)

    return decide


def main() -> None:
    """Decide on every text of the input."""
    texts = json.load(sys.stdin)
    decide = {"alt-profanity-check": profanity, "detect-secrets": secrets}[sys.argv[1]]()
    decide(texts[0])
    began = time.perf_counter()
    said = [decide(text) for text in texts]
    taken = (time.perf_counter() - began) / len(texts) * 1000
    json.dump({"said": said, "ms": taken}, sys.stdout)


if __name__ == "__main__":
    main()
