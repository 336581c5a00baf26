"""The site: documents, tables, plots and the page, each rendered once into fixed bytes. It knows no HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from fairwitness.contract import openapi
from fairwitness.evaluator import protocol as protocols
from fairwitness.evidence.schema import schema_json
from fairwitness.site import pages, plots
from fairwitness.site.base_path import under_base
from fairwitness.site.document import Document

__all__ = ["Document", "documents"]


def documents(
    published: tuple[tuple[str, str], ...],
    base: str = "",
    answered: Iterable[str] = (),
    *,
    quotes: bool = False,
) -> dict[str, Document]:
    """Return every document by its path, which is without the base its links carry.

    `published` are the names and digests of the deployment's protocols, `answered` the other paths it answers at;
    `quotes` is whether quotations leave it for the operator's monitoring.
    """
    found = {
        "/openapi.json": Document(openapi.encoded, "application/json"),
        "/openapi-2.json": Document(partial(openapi.encoded_2, published), "application/json"),
        "/docs/evidence.schema.json": Document(schema_json, "application/schema+json"),
        **{
            f"/docs/plots/{name}.svg": Document(plot, "image/svg+xml")
            for name, plot in plots.plots().items()
        },
        **pages.web_page(quotes=quotes),
        **pages.doc_pages(),
        "/docs/protocol.toml": Document(
            lambda: protocols.shipped().source, "application/toml; charset=utf-8"
        ),
    }
    return under_base(base, found, {*found, *answered})
