"""LangSmith: one feedback a line on a run, the verdict as its value."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence

from fairwitness.integrations.exports import Exporter, Judged, Options, Request, lines_of, variable

_SPACE = uuid.UUID("6c1d6f0e-5f0a-5d6b-9a53-0f8c5f2f6f10")


class LangSmith(Exporter):
    """Sends to LANGSMITH_ENDPOINT with LANGSMITH_API_KEY."""

    name = "langsmith"
    columns = ("run_id", "runId", "langsmith_run_id")

    def address(self) -> str:
        """Return LANGSMITH_ENDPOINT."""
        return os.environ.get("LANGSMITH_ENDPOINT") or "https://api.smith.langchain.com"

    def headers(self) -> dict[str, str]:
        """Return the key's header."""
        return {"x-api-key": variable("LANGSMITH_API_KEY", "LangSmith")}

    def requests(self, rows: Sequence[Judged], options: Options) -> Iterator[Request]:
        """Yield one feedback a line; its id is made from run and name, so that twice is once."""
        for row in rows:
            for name, verdict, score, told in lines_of(row, options):
                yield Request(
                    "/feedback",
                    {
                        "id": str(uuid.uuid5(_SPACE, f"{row.target}:{name}")),
                        "run_id": row.target,
                        "key": name,
                        "score": None if score is None else score / 100,
                        "value": verdict,
                        "comment": told,
                        "feedback_source": {"type": "api", "metadata": dict(row.versions)},
                    },
                )
