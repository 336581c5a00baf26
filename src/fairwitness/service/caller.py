"""Who is asking: a network address, taken from forwarded headers only where a listed proxy sent them.

Pure functions over the peer's address, the request's headers and the trusted networks. What is
kept of a caller is a keyed hash, so that a stolen ledger names nobody.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Iterable, Sequence

from fairwitness.settings import Settings
from fairwitness.store.key_file import read_or_make

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Headers = Iterable[tuple[str, str]]

# No honest chain of proxies is longer; a longer header is read from its end only this far.
MAX_HOPS = 32
HASH_BYTES = 16


def secret_of(settings: Settings) -> bytes:
    """Return the key of the hashes: the setting, or a file in the data folder made on first use."""
    if settings.secret_key is not None:
        return settings.secret_key.encode()
    return read_or_make(settings.data_dir / "secret.key")


def trusted_networks(settings: Settings) -> tuple[Network, ...]:
    """Return the listed proxies as networks."""
    return tuple(ipaddress.ip_network(text, strict=False) for text in settings.trusted_proxies)


def caller_of(peer: str, headers: Headers, trusted: Sequence[Network], secret: bytes) -> bytes:
    """Return the caller as the ledger keeps it."""
    return caller_hash(secret, client_network(peer, headers, trusted))


def caller_hash(secret: bytes, network: str) -> bytes:
    """Return the keyed hash of a network."""
    return hmac.digest(secret, b"caller\0" + network.encode(), hashlib.sha256)[:HASH_BYTES]


def client_network(peer: str, headers: Headers, trusted: Sequence[Network]) -> str:
    """Return the caller's network: an IPv4 address as /32, an IPv6 one as its /64.

    A peer without an address (a Unix socket) is one caller called "local".
    """
    address = _address(peer)
    if address is None:
        return "local"
    if _is_trusted(address, trusted):
        address = _forwarded_client(address, list(headers), trusted)
    prefix = 32 if address.version == 4 else 64
    return str(ipaddress.ip_network((address.packed, prefix), strict=False))


def is_listed(peer: str, trusted: Sequence[Network]) -> bool:
    """Tell whether a peer is a proxy that may speak for many callers; so may one without an address."""
    address = _address(peer)
    return address is None or _is_trusted(address, trusted)


def _forwarded_client(
    peer: Address, headers: list[tuple[str, str]], trusted: Sequence[Network]
) -> Address:
    standard = [value for name, value in headers if name.lower() == "forwarded"]
    common = [value for name, value in headers if name.lower() == "x-forwarded-for"]
    claims = {
        _walk(peer, hops, trusted)
        for lines, hops in ((standard, _forwarded_hops(standard)), (common, _listed_hops(common)))
        if lines
    }
    # A proxy that sets one header may pass on the other as the client wrote it. Where they
    # disagree neither is believed, and the request is the proxy's own.
    return claims.pop() if len(claims) == 1 else peer


def _walk(peer: Address, hops: list[str], trusted: Sequence[Network]) -> Address:
    # From the nearest hop outwards: each trusted address vouches for the one written before it.
    nearest = peer
    for hop in reversed(hops[-MAX_HOPS:]):
        address = _address(hop)
        if address is None:
            return nearest
        nearest = address
        if not _is_trusted(address, trusted):
            return address
    return nearest


def _is_trusted(address: Address, trusted: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in trusted)


def _listed_hops(lines: list[str]) -> list[str]:
    return [part.strip() for line in lines for part in line.split(",")]


def _forwarded_hops(lines: list[str]) -> list[str]:
    # RFC 7239: elements between commas, pairs between semicolons, values that may be quoted.
    hops: list[str] = []
    for line in lines:
        for element in _split_unquoted(line, ","):
            values = [
                value.strip()
                for name, _, value in (
                    pair.partition("=") for pair in _split_unquoted(element, ";")
                )
                if name.strip().lower() == "for"
            ]
            hops.append(_unquoted(values[0]) if len(values) == 1 else "unknown")
    return hops


def _split_unquoted(text: str, separator: str) -> list[str]:
    # A quote that is never closed swallows the rest, which then is no address: nobody is believed.
    parts, start, quoted, escaped = [], 0, False, False
    for index, character in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and character == "\\":
            escaped = True
        elif character == '"':
            quoted = not quoted
        elif character == separator and not quoted:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return parts


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] == '"' else value


def _address(text: str) -> Address | None:
    """Read an address with or without brackets, port and zone; None for anything else."""
    host = text
    if text.startswith("["):
        host, closed, port = text[1:].partition("]")
        if not closed or (port and not _is_port(port)):
            return None
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
        if not _is_port(":" + port):
            return None
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _is_port(text: str) -> bool:
    return text[:1] == ":" and 1 <= len(text[1:]) <= 5 and text[1:].isascii() and text[1:].isdigit()
