"""Phoenix: annotations of a span, many in one request."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fairwitness.integrations.exports import Exporter, Judged, Options, Request, lines_of, variable

_AT_ONCE = 200


class Phoenix(Exporter):
    """Sends to PHOENIX_COLLECTOR_ENDPOINT, with PHOENIX_API_KEY where the installation asks for one."""

    name = "phoenix"
    columns = ("span_id", "spanId", "context.span_id")

    def address(self) -> str:
        """Return PHOENIX_COLLECTOR_ENDPOINT."""
        return variable("PHOENIX_COLLECTOR_ENDPOINT", "Phoenix")

    def headers(self) -> dict[str, str]:
        """Return the key's header, or none."""
        key = os.environ.get("PHOENIX_API_KEY")
        return {"Authorization": f"Bearer {key}"} if key else {}

    def requests(self, rows: Sequence[Judged], options: Options) -> Iterator[Request]:
        """Yield requests of up to 200 annotations; the same span, name and identifier is replaced."""
        data = [
            {
                "span_id": row.target,
                "name": name,
                "annotator_kind": "CODE",
                "result": {
                    "label": verdict,
                    "score": None if score is None else score / 100,
                    "explanation": told,
                },
                "metadata": dict(row.versions),
                "identifier": "fairwitness",
            }
            for row in rows
            for name, verdict, score, told in lines_of(row, options)
        ]
        for at in range(0, len(data), _AT_ONCE):
            yield Request("/v1/span_annotations?sync=true", {"data": data[at : at + _AT_ONCE]})
