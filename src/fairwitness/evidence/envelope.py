"""The DSSE envelope: signs a payload with Ed25519, and opens an envelope naming every fault it has.

It knows nothing of what the payload says.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fairwitness.contract.envelope import EvidenceEnvelope, EvidenceSignature
from fairwitness.evidence.canonical import shown

PAYLOAD_TYPE: Literal["application/vnd.in-toto+json"] = "application/vnd.in-toto+json"


_FIELD = 2**255 - 19
_Y_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
# The second coordinates of the eight points whose multiples are only each other: anybody can sign for them.
_SMALL_ORDER = {0, 1, _FIELD - 1, _Y_OF_ORDER_8, _FIELD - _Y_OF_ORDER_8}


@dataclass(frozen=True)
class PublicKey:
    """An Ed25519 public key, named by its own digest, and its times as its service lists them."""

    raw: bytes
    created_at: str = ""
    valid_until: str | None = None
    revoked_at: str | None = None

    @property
    def small_order(self) -> bool:
        """Whether the key is one of those that any signature can be made for."""
        return (int.from_bytes(self.raw, "little") & (2**255 - 1)) % _FIELD in _SMALL_ORDER

    @property
    def keyid(self) -> str:
        """SHA-256 of the raw 32 bytes, in hex."""
        return hashlib.sha256(self.raw).hexdigest()

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """Say whether this key made the signature over the message."""
        if self.small_order:
            return False
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class Signer:
    """Holds a private key and seals payloads with it."""

    key: Ed25519PrivateKey

    @property
    def public(self) -> PublicKey:
        """The key that checks what this one signs."""
        return PublicKey(self.key.public_key().public_bytes_raw())

    def seal(self, payload: bytes) -> EvidenceEnvelope:
        """Return the signed envelope of a payload."""
        signature = self.key.sign(pre_authentication(PAYLOAD_TYPE, payload))
        return EvidenceEnvelope(
            payload_type=PAYLOAD_TYPE,
            payload=base64.b64encode(payload).decode(),
            signatures=[
                EvidenceSignature(keyid=self.public.keyid, sig=base64.b64encode(signature).decode())
            ],
        )


@dataclass(frozen=True)
class Opened:
    """An envelope as found: its payload where one could be read, its signer, and every fault."""

    payload: bytes | None
    signed_by: PublicKey | None
    faults: list[tuple[str, str]]
    # No trusted key has the id the signature names, so nothing can be said about the signature.
    unknown_signer: bool = False


def pre_authentication(payload_type: str, payload: bytes) -> bytes:
    """Return the bytes DSSE signs: type and payload, each with its length before it."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def decode_base64(text: Any) -> bytes | None:
    """Return what canonical base64 holds, or None: one content has one spelling here."""
    if not isinstance(text, str):
        return None
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return content if base64.b64encode(content).decode() == text else None


def open_envelope(envelope: Any, keys: Sequence[PublicKey]) -> Opened:
    """Read a stranger's envelope and check its signature against the keys we were given."""
    if not isinstance(envelope, dict):
        return Opened(None, None, [("evidence", "not a DSSE envelope")])
    faults = _member_faults("evidence", envelope, ("payloadType", "payload", "signatures"))
    if envelope.get("payloadType", PAYLOAD_TYPE) != PAYLOAD_TYPE:
        faults.append(("evidence.payloadType", f"must be {PAYLOAD_TYPE}"))
    payload = decode_base64(envelope.get("payload"))
    if payload is None and "payload" in envelope:
        faults.append(("evidence.payload", "not canonical base64"))
    keyid, signature = _signature(envelope.get("signatures", []), faults)
    if faults or payload is None or signature is None:
        return Opened(payload, None, faults)
    message = pre_authentication(PAYLOAD_TYPE, payload)
    maker = next((key for key in keys if key.verifies(signature, message)), None)
    faults = _signer_faults(keyid, maker, keys)
    unknown = maker is None and all(key.keyid != keyid for key in keys)
    return Opened(payload, None if faults else maker, faults, unknown)


def _member_faults(
    path: str, members: dict[str, Any], expected: Sequence[str]
) -> list[tuple[str, str]]:
    missing = [(f"{path}.{name}", "missing") for name in expected if name not in members]
    extra = [
        (f"{path}[{shown(name)}]", "not part of a signed envelope")
        for name in members
        if name not in expected
    ]
    return missing + extra


def _signature(signatures: Any, faults: list[tuple[str, str]]) -> tuple[Any, bytes | None]:
    where = "evidence.signatures"
    if not isinstance(signatures, list) or len(signatures) != 1:
        faults.append((where, "exactly one signature is expected"))
        return None, None
    (entry,) = signatures
    if not isinstance(entry, dict):
        faults.append((f"{where}[0]", "not a signature"))
        return None, None
    faults.extend(_member_faults(f"{where}[0]", entry, ("keyid", "sig")))
    signature = decode_base64(entry.get("sig"))
    if "sig" in entry and (signature is None or len(signature) != 64):
        faults.append((f"{where}[0].sig", "not 64 bytes in canonical base64"))
        signature = None
    return entry.get("keyid"), signature


def _signer_faults(
    keyid: Any, maker: PublicKey | None, keys: Sequence[PublicKey]
) -> list[tuple[str, str]]:
    where = "evidence.signatures[0]"
    if maker is not None:
        if maker.keyid == keyid:
            return []
        return [(f"{where}.keyid", f"the signature was made by the key {maker.keyid}")]
    if not keys:
        return [(where, "no public key to verify it with: give --key with the service's keys.json")]
    if all(key.keyid != keyid for key in keys):
        return [(f"{where}.keyid", f"{shown(keyid, 80)} is not in your trusted keys")]
    return [(f"{where}.sig", "does not match evidence.payload: one of the two was changed")]
