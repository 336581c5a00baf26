"""The signed envelope as it travels: DSSE, with one signature. What it carries is the evidence room's."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class EvidenceSignature(Struct, frozen=True, kw_only=True):
    """One DSSE signature."""

    keyid: Annotated[str, Meta(description="SHA-256 of the raw public key, in hex.")]
    sig: Annotated[str, Meta(description="Ed25519 over the DSSE pre-authentication encoding.")]


class EvidenceEnvelope(Struct, frozen=True, kw_only=True, rename="camel"):
    """A DSSE envelope; its payload is an in-toto statement in canonical JSON."""

    payload_type: Literal["application/vnd.in-toto+json"] = "application/vnd.in-toto+json"
    payload: Annotated[str, Meta(description="The statement, in canonical base64.")]
    signatures: Annotated[list[EvidenceSignature], Meta(min_length=1, max_length=1)]
