"""Seals contacts so that the database alone tells nobody's: AES-256-GCM, bound to the entry it belongs to."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable

from fairwitness.settings import Settings
from fairwitness.store.key_file import read_or_make

KEY_FILE = "feedback-contact.key"
_NAME_BYTES, _NONCE_BYTES = 8, 12


class SealedElsewhere(Exception):
    """The contact was sealed with another key, or changed since."""


class ContactSeal:
    """Seals and opens contacts; the key is read when it is first needed."""

    def __init__(self, material: Callable[[], bytes]) -> None:
        """Take where the key's material comes from; it may raise StoreUnavailable."""
        self._material = material
        self._key: bytes | None = None

    @classmethod
    def of(cls, settings: Settings) -> ContactSeal:
        """Use the key the settings give, or one made in the data folder."""
        given = settings.feedback_contact_key
        if given is not None:
            return cls(given.encode)
        return cls(lambda: read_or_make(settings.data_dir / KEY_FILE))

    def seal(self, contact: str, feedback_id: str) -> bytes:
        """Return the contact sealed: the key's name, a nonce, and what only the key opens."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        key = self._derived()
        nonce = os.urandom(_NONCE_BYTES)
        sealed = AESGCM(key).encrypt(nonce, contact.encode(), feedback_id.encode())
        return _name(key) + nonce + sealed

    def open(self, sealed: bytes, feedback_id: str) -> str:
        """Return the contact, or raise SealedElsewhere."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        key = self._derived()
        name, rest = sealed[:_NAME_BYTES], sealed[_NAME_BYTES:]
        if name != _name(key):
            raise SealedElsewhere(f"encrypted with another key ({name.hex()}); set that key")
        try:
            contact = AESGCM(key).decrypt(
                rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], feedback_id.encode()
            )
        except (InvalidTag, ValueError):
            raise SealedElsewhere("changed since it was encrypted") from None
        return contact.decode()

    def _derived(self) -> bytes:
        if self._key is None:
            from cryptography.hazmat.primitives.hashes import SHA256
            from cryptography.hazmat.primitives.kdf.hkdf import HKDF

            kdf = HKDF(SHA256(), length=32, salt=None, info=b"fairwitness feedback contact")
            self._key = kdf.derive(self._material())
        return self._key


def _name(key: bytes) -> bytes:
    return hashlib.sha256(b"name of the key\0" + key).digest()[:_NAME_BYTES]
