"""The site: documents, tables, plots and the page, rendered once into fixed bytes. It knows no HTTP."""

from __future__ import annotations

from fairwitness.contract import openapi
from fairwitness.evaluator import protocol as protocols
from fairwitness.evidence.schema import schema_json
from fairwitness.site import pages, plots
from fairwitness.site.document import Document

__all__ = ["Document", "documents"]


def documents() -> dict[str, Document]:
    """Return every document by the path it is served at."""
    found = {
        "/openapi.json": Document(openapi.encoded(), "application/json"),
        "/docs/evidence.schema.json": Document(schema_json(), "application/schema+json"),
        **{
            f"/docs/plots/{name}.svg": Document(plot, "image/svg+xml")
            for name, plot in plots.plots().items()
        },
        **pages.web_page(),
        **pages.doc_pages(),
        "/docs/protocol.toml": Document(
            protocols.shipped().source, "application/toml; charset=utf-8"
        ),
    }
    return {**found, "/docs/": found["/docs"]}
