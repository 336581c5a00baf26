"""Langfuse: numeric scores on a trace, the verdict as a category, and a place in a queue for people."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from fairwitness.integrations.exports import Exporter, Judged, Options, Request, lines_of, variable
from fairwitness.integrations.exports.asking import Tool

_PATH = "/api/public/scores"
_PAGE = 100


class Langfuse(Exporter):
    """Sends to LANGFUSE_HOST with LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY."""

    name = "langfuse"
    columns = ("traceId", "trace_id", "langfuse_trace_id")

    def __init__(self) -> None:
        """Know of no queue yet."""
        self._queued: set[str] = set()

    def address(self) -> str:
        """Return LANGFUSE_HOST, which every installation has to name."""
        return os.environ.get("LANGFUSE_BASE_URL") or variable("LANGFUSE_HOST", "Langfuse")

    def headers(self) -> dict[str, str]:
        """Return the pair of keys as basic authentication."""
        public = variable("LANGFUSE_PUBLIC_KEY", "Langfuse")
        secret = variable("LANGFUSE_SECRET_KEY", "Langfuse")
        pair = base64.b64encode(f"{public}:{secret}".encode()).decode()
        return {"Authorization": f"Basic {pair}"}

    def prepare(self, tool: Tool, options: Options) -> None:
        """Read what is in the queue: Langfuse would put it there a second time."""
        page = pages = 1
        while options.queue and page <= pages:
            found = tool.get(f"{_items(options.queue)}?page={page}&limit={_PAGE}")
            self._queued |= {str(item.get("objectId")) for item in tool.items(found)}
            meta = found.get("meta")
            pages = int(meta.get("totalPages", 1)) if isinstance(meta, dict) else 1
            page += 1

    def requests(self, rows: Sequence[Judged], options: Options) -> Iterator[Request]:
        """Yield one score a line, and the verdict; what needs review goes to the queue where one is named."""
        for row in rows:
            for name, _, score, told in lines_of(row, options):
                yield Request(_PATH, _score(row, name, score, "NUMERIC", told))
            verdict = row.evaluation.overall_verdict
            body = _score(row, "fairwitness.verdict", verdict, "CATEGORICAL", "")
            review = verdict == "needs_review"
            if review and options.config:
                # A score of a person's kind, with its configuration, is what a person finds filled in.
                body |= {"source": "ANNOTATION", "configId": options.config}
            yield Request(_PATH, body)
            if review and options.queue and row.target not in self._queued:
                self._queued.add(row.target)
                item = {"objectId": row.target, "objectType": "TRACE"}
                yield Request(_items(options.queue), item)


def _items(queue: str) -> str:
    return f"/api/public/annotation-queues/{quote(queue, safe='')}/items"


def _score(
    row: Judged, name: str, value: float | str | None, kind: str, told: str
) -> dict[str, object]:
    return {
        "id": f"fairwitness:{row.target}:{name}",
        "traceId": row.target,
        "name": name,
        "value": value,
        "dataType": kind,
        "comment": told,
        "metadata": dict(row.versions),
        "source": "API",
        # Langfuse replaces a score of the same id and time.
        "timestamp": row.made,
    }
