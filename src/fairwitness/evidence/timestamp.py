"""Checks an RFC 3161 time stamp of an evidence envelope: what it was made for, when, by whom; no network.

It reads just as much DER as a time stamp is made of, and knows nothing of what the envelope holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID

from fairwitness.evidence.canonical import BadDocument, digest, shown

MAX_STAMP_BYTES = 256 * 1024
_SEQUENCE, _SET, _OCTETS, _TIME, _FIRST = 0x30, 0x31, 0x04, 0x18, 0xA0
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_STAMP_INFO = bytes.fromhex("2a864886f70d0109100104")
_CONTENT_TYPE = bytes.fromhex("2a864886f70d010903")
_MESSAGE_DIGEST = bytes.fromhex("2a864886f70d010904")
_HASHES: dict[bytes, hashes.HashAlgorithm] = {
    bytes.fromhex("608648016503040201"): hashes.SHA256(),
    bytes.fromhex("608648016503040202"): hashes.SHA384(),
    bytes.fromhex("608648016503040203"): hashes.SHA512(),
}


@dataclass(frozen=True)
class Stamp:
    """A time stamp whose own signature is right: what it was made for, when, and who signed it."""

    imprint: str
    made_at: datetime
    signer: x509.Certificate
    certificates: tuple[x509.Certificate, ...]

    def vouched_for(self, trusted: Sequence[x509.Certificate]) -> bool:
        """Say whether a trusted certificate stands at the end of the signer's chain, for this use and time."""
        try:
            usage = self.signer.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
        except (x509.ExtensionNotFound, x509.DuplicateExtension, ValueError):
            return False
        if ExtendedKeyUsageOID.TIME_STAMPING not in usage:
            return False
        link = self.signer
        for _ in range(len(self.certificates) + 1):
            if not link.not_valid_before_utc <= self.made_at <= link.not_valid_after_utc:
                return False
            if link in trusted or any(_issued(link, one) for one in trusted):
                return True
            above = next(
                (c for c in self.certificates if _is_authority(c) and _issued(link, c)), None
            )
            if above is None:
                return False
            link = above
        return False


def envelope_digest(envelope: Any) -> str:
    """Return what a time stamp is to be made for: the SHA-256 of the envelope's canonical JSON, in hex."""
    return digest(envelope)


def read_stamp(data: bytes) -> Stamp:
    """Read a time-stamp response or token, and check its signature; raise BadDocument where it is none."""
    if len(data) > MAX_STAMP_BYTES:
        raise BadDocument("larger than a time stamp can be")
    try:
        return _read(data)
    except Exception as error:  # a stranger's file, and the certificates in it raise many kinds
        raise BadDocument(f"not a time stamp that can be checked: {shown(str(error))}") from None


def read_certificates(data: bytes) -> list[x509.Certificate]:
    """Read trusted certificates in PEM."""
    try:
        return x509.load_pem_x509_certificates(data)
    except ValueError:
        raise BadDocument("not certificates in PEM") from None


Item = tuple[int, bytes, bytes]  # tag, content, and both as they stand in the file


def _items(data: bytes) -> list[Item]:
    found: list[Item] = []
    at = 0
    while at < len(data):
        tag, size, start = data[at], data[at + 1], at + 2
        if size & 0x80:
            count = size & 0x7F
            if not 0 < count <= 4:
                raise ValueError("a length is not DER")
            size, start = int.from_bytes(data[start : start + count]), start + count
        end = start + size
        if end > len(data):
            raise ValueError("it is cut short")
        found.append((tag, data[start:end], data[at:end]))
        at = end
    return found


def _only(data: bytes, tag: int) -> bytes:
    items = _items(data)
    if len(items) != 1 or items[0][0] != tag:
        raise ValueError("its structure is another")
    return items[0][1]


def _read(data: bytes) -> Stamp:
    parts = _items(_only(data, _SEQUENCE))
    if parts[0][0] == _SEQUENCE:  # a response: its status, then the token
        if len(parts) < 2 or _items(parts[0][1])[0][1] not in {b"\0", b"\1"}:
            raise ValueError("the time-stamping authority refused")
        parts = _items(parts[1][1])
    if parts[0][1] != _SIGNED_DATA:
        raise ValueError("it holds no signed data")
    signed = _items(_only(parts[1][1], _SEQUENCE))
    kind, wrapped = _items(signed[2][1])[:2]
    if kind[1] != _STAMP_INFO:
        raise ValueError("what is signed is no time stamp")
    content = _only(wrapped[1], _OCTETS)
    certificates = tuple(
        x509.load_der_x509_certificate(whole)
        for tag, inner, _ in signed[3:]
        if tag == _FIRST
        for _, _, whole in _items(inner)
    )
    signer = _signer(_items(_only(signed[-1][1], _SEQUENCE)), content, certificates)
    info = _items(_only(content, _SEQUENCE))
    algorithm, imprint = _items(info[2][1])
    if not isinstance(_HASHES.get(_items(algorithm[1])[0][1]), hashes.SHA256):
        raise ValueError("it was not made for a SHA-256")
    moment = next(inner for tag, inner, _ in info[3:] if tag == _TIME).decode("ascii")
    made_at = datetime.strptime(moment.partition(".")[0].rstrip("Z"), "%Y%m%d%H%M%S")
    return Stamp(imprint[1].hex(), made_at.replace(tzinfo=UTC), signer, certificates)


def _signer(
    info: list[Item], content: bytes, certificates: Sequence[x509.Certificate]
) -> x509.Certificate:
    algorithm = _HASHES.get(_items(info[2][1])[0][1])
    if algorithm is None or info[3][0] != _FIRST:
        raise ValueError("its signature is of a kind not known here")
    claims = {name[1]: _items(values[1]) for name, values in map(_pair, _items(info[3][1]))}
    if not {_CONTENT_TYPE, _MESSAGE_DIGEST} <= claims.keys():
        raise ValueError("its signature does not say what it is over")
    if claims[_CONTENT_TYPE][0][1] != _STAMP_INFO:
        raise ValueError("its signature is over something else")
    if claims[_MESSAGE_DIGEST][0][1] != hashlib.new(algorithm.name, content).digest():
        raise ValueError("its content was changed after signing")
    message = bytes([_SET]) + info[3][2][1:]  # signed as the set it is, not under its place's tag
    signature = next(inner for tag, inner, _ in info[4:] if tag == _OCTETS)
    for certificate in certificates:
        if _verifies(certificate, signature, message, algorithm):
            return certificate
    raise ValueError("no certificate in it made its signature")


def _pair(item: Item) -> tuple[Item, Item]:
    name, values = _items(item[1])
    return name, values


def _verifies(
    certificate: x509.Certificate,
    signature: bytes,
    message: bytes,
    algorithm: hashes.HashAlgorithm,
) -> bool:
    key = certificate.public_key()
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, message, padding.PKCS1v15(), algorithm)
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, message, ec.ECDSA(algorithm))
        elif isinstance(key, ed25519.Ed25519PublicKey):
            key.verify(signature, message)
        else:
            return False
    except InvalidSignature:
        return False
    return True


def _issued(certificate: x509.Certificate, issuer: x509.Certificate) -> bool:
    try:
        certificate.verify_directly_issued_by(issuer)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _is_authority(certificate: x509.Certificate) -> bool:
    try:
        return bool(certificate.extensions.get_extension_for_class(x509.BasicConstraints).value.ca)
    except (x509.ExtensionNotFound, x509.DuplicateExtension, ValueError):
        return False
