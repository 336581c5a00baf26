"""Who is calling, for the queue, the ledger and feedback: an API key where one is given, else a network address."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from fairwitness.contract.errors import UnknownApiKey
from fairwitness.service.api_keys import HEADER, ApiKeys
from fairwitness.service.call import Call
from fairwitness.service.caller import Network, caller_hash, client_network, is_listed

_FORWARDED = (b"x-forwarded-for", b"forwarded")

# Reading an address costs more than all else the door asks of it, and most callers ask more than once.
_REMEMBERED = 4096
# Longer headers are read each time, so that nobody fills the memory with them.
_MAX_REMEMBERED_BYTES = 256


class Callers:
    """Tells callers apart."""

    def __init__(
        self,
        trusted: Sequence[Network],
        secret: bytes,
        keys: ApiKeys | None,
        on_unlisted_proxy: Callable[[str], None],
    ) -> None:
        """Believe `trusted` proxies and `keys`; `on_unlisted_proxy` is told once of a proxy that is not listed."""
        self._trusted = trusted
        self._known = lru_cache(_REMEMBERED)(self._read)
        self._hash = lru_cache(_REMEMBERED)(partial(caller_hash, secret))
        self._keys = keys
        self._on_unlisted_proxy = on_unlisted_proxy
        self._told = False

    def of(self, call: Call) -> bytes:
        """Return who is calling, as the ledger keeps it; raise UnknownApiKey where the contract refuses such a key."""
        if self._keys is not None:
            given = [value for name, value in call.raw_headers if name == HEADER]
            if given:
                found = self._keys.caller(given[0].decode("latin-1")) if len(given) == 1 else None
                if found is not None:
                    return found
                if not call.ignores_unknown_key:
                    raise UnknownApiKey()
        if not self._told:
            for name, _ in call.raw_headers:
                if name in _FORWARDED:
                    self._look_for_proxy(call)
                    break
        return self._hash(self.network(call.peer, call.raw_headers))

    def address(self, peer: str) -> str | None:
        """Return what a peer's connections are counted under; None for a listed proxy, which speaks for many."""
        return None if is_listed(peer, self._trusted) else client_network(peer, (), self._trusted)

    def network(self, peer: str, headers: Sequence[tuple[bytes, bytes]]) -> str:
        """Return the network of the caller behind a request."""
        if not self._trusted:
            return self._known(peer, ())
        told = tuple(header for header in headers if header[0] in _FORWARDED)
        short = sum(len(value) for _, value in told) <= _MAX_REMEMBERED_BYTES
        return (self._known if short else self._read)(peer, told)

    def _read(self, peer: str, told: Sequence[tuple[bytes, bytes]]) -> str:
        believed = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in told]
        return client_network(peer, believed, self._trusted)

    def _look_for_proxy(self, call: Call) -> None:
        # Any client can send such a header; one that comes from a private address is most likely a proxy.
        if is_listed(call.peer, self._trusted):
            return
        try:
            near = ipaddress.ip_address(call.peer.partition("%")[0]).is_private
        except ValueError:
            return
        if near:
            self._told = True
            self._on_unlisted_proxy(call.peer)
