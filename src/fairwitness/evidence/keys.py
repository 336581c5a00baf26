"""The signing key and the list of public keys: made once, kept private, rotated without losing the past.

Two files in DATA_DIR: the private key (mode 0600, or another file the operator names) and the list
of every public key that ever signed here. A lock serialises workers that start at once; each file
is replaced whole, so a crash leaves the old or the new and never a half.
"""

from __future__ import annotations

import base64
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fairwitness.contract.errors import InvalidRequest
from fairwitness.evidence.canonical import BadDocument, read, shown
from fairwitness.evidence.envelope import PublicKey, Signer, decode_base64
from fairwitness.settings import Settings, SettingsError

PRIVATE_FILE = "evidence-key.pem"
PUBLIC_FILE = "evidence-keys.json"
LOCK_FILE = "evidence.lock"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)


class Keyring:
    """The key that signs now and the public keys of all that ever did."""

    def __init__(self, settings: Settings) -> None:
        """Name the files; nothing is read or made before `signer` or `rotate`."""
        self._folder = settings.data_dir
        self._given = settings.evidence_key is not None
        self.path = (
            Path(settings.evidence_key).expanduser()
            if settings.evidence_key is not None
            else self._folder / PRIVATE_FILE
        )
        self._held: tuple[object, Signer] | None = None

    def signer(self) -> Signer:
        """Return the current signer, making the key on first use; a rotated key is noticed.

        Raises SettingsError where the key file cannot be used.
        """
        stamp = _stamp(self.path)
        if self._held is None or (stamp is not None and stamp != self._held[0]):
            with self._locked():
                if not self._given and not self.path.exists():
                    _replace(self.path, _pem(Ed25519PrivateKey.generate()), 0o600)
                signer = Signer(_read_private(self.path))
                self._remember(signer.public)
                self._held = (_stamp(self.path), signer)
        return self._held[1]

    def rotate(self) -> Signer:
        """Make a new key and keep the old one's public half. Refused where the operator gave the key."""
        if self._given:
            raise SettingsError(
                [f"FAIRWITNESS_EVIDENCE_KEY: names {self.path}; replace that file to rotate"]
            )
        self.signer()
        with self._locked():
            _replace(self.path, _pem(Ed25519PrivateKey.generate()), 0o600)
        return self.signer()

    def revoke(self, keyid: str) -> None:
        """Mark a key of the past as one whose signatures prove nothing any more.

        Raises InvalidRequest where it is the current key, or none of those kept here.
        """
        with self._locked():
            known = self.public_keys()
            if known and known[-1].keyid == keyid:
                raise InvalidRequest(
                    details=[f"current key: {keyid}; run `fairwitness keys rotate` first"]
                )
            if all(one.keyid != keyid for one in known):
                raise InvalidRequest(
                    details=[f"unknown key: {keyid}; `fairwitness keys show` lists those kept here"]
                )
            changed = [
                replace(one, revoked_at=one.revoked_at or _now()) if one.keyid == keyid else one
                for one in known
            ]
            _replace(self._folder / PUBLIC_FILE, _document(changed), 0o644)

    def public_keys(self) -> list[PublicKey]:
        """Return every public key that signed here, oldest first, the current one last."""
        try:
            return parse_public_keys((self._folder / PUBLIC_FILE).read_bytes())
        except FileNotFoundError:
            return []
        except (OSError, BadDocument) as error:
            raise SettingsError([f"{self._folder / PUBLIC_FILE}: {error}"]) from None

    def keys_json(self) -> bytes:
        """Return the public document (/docs/keys.json)."""
        return _document(self.public_keys())

    def _remember(self, key: PublicKey) -> None:
        known = self.public_keys()
        if known and known[-1].keyid == key.keyid:
            return
        now = _now()
        # A key that comes back keeps the day it was first seen and stands last again.
        seen = {entry.keyid: entry for entry in known}
        entry = replace(seen.pop(key.keyid, PublicKey(key.raw, now)), valid_until=None)
        past = [replace(one, valid_until=one.valid_until or now) for one in seen.values()]
        _replace(self._folder / PUBLIC_FILE, _document([*past, entry]), 0o644)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self._folder / LOCK_FILE, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise SettingsError([f"FAIRWITNESS_DATA_DIR: {error}"]) from None
        try:
            _lock(handle)
            yield
        except OSError as error:
            raise SettingsError([f"evidence key: {error}"]) from None
        finally:
            os.close(handle)


def _lock(handle: int) -> None:
    """Wait for the lock on an open file; closing it gives the lock back."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)


def _document(keys: Sequence[PublicKey]) -> bytes:
    entries = [
        {
            "keyid": key.keyid,
            "algorithm": "Ed25519",
            "publicKey": base64.b64encode(key.raw).decode(),
            "createdAt": key.created_at,
            "validUntil": key.valid_until,
            "revokedAt": key.revoked_at,
            "current": index == len(keys) - 1,
        }
        for index, key in enumerate(keys)
    ]
    return json.dumps(entries, indent=2).encode() + b"\n"


def parse_public_keys(data: bytes) -> list[PublicKey]:
    """Read a keys.json, or one public key as PEM; raise BadDocument where it is neither."""
    if data.lstrip().startswith(b"-----BEGIN"):
        return [_public_pem(data)]
    entries = read(data)
    if not isinstance(entries, list):
        raise BadDocument("not a list of public keys")
    return [_public_entry(entry) for entry in entries]


def _public_entry(entry: Any) -> PublicKey:
    raw = decode_base64(entry.get("publicKey")) if isinstance(entry, dict) else None
    if raw is None or len(raw) != 32:
        raise BadDocument("an entry has no publicKey of 32 bytes in base64")
    until, revoked = entry.get("validUntil"), entry.get("revokedAt")
    if not all(moment is None or is_moment(moment) for moment in (until, revoked)):
        raise BadDocument("validUntil and revokedAt are times in UTC, or null")
    key = PublicKey(raw, str(entry.get("createdAt", "")), until, revoked)
    if entry.get("keyid", key.keyid) != key.keyid:
        raise BadDocument(f"keyid {shown(entry['keyid'], 80)} is not the digest of its publicKey")
    return _strong(key)


def _strong(key: PublicKey) -> PublicKey:
    if key.small_order:
        raise BadDocument("a key of small order: anybody can make signatures for it")
    return key


def is_moment(value: Any) -> bool:
    """Say whether a value is a time as this service writes them, in whole seconds of UTC or finer."""
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _public_pem(data: bytes) -> PublicKey:
    try:
        key = serialization.load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        raise BadDocument("not a public key in PEM") from None
    if not isinstance(key, Ed25519PublicKey):
        raise BadDocument("not an Ed25519 key")
    return _strong(PublicKey(key.public_bytes_raw()))


def _read_private(path: Path) -> Ed25519PrivateKey:
    name = f"evidence key {path}"
    try:
        with path.open("rb") as file:
            about = os.fstat(file.fileno())
            mode = stat.S_IMODE(about.st_mode)
            # A mounted secret is root's, and its readers are a group of their own.
            mounted = about.st_uid == 0 and sys.platform != "win32" and os.geteuid() != 0
            if mode & (0o037 if mounted else 0o077) and sys.platform != "win32":
                raise SettingsError(
                    [f"{name}: others can read it (mode {mode:04o}); run: chmod 600 {path}"]
                )
            content = file.read(64 * 1024)
    except OSError as error:
        raise SettingsError([f"{name}: {error.strerror}"]) from None
    try:
        key = serialization.load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise SettingsError([f"{name}: not a private key in PEM without a password"]) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SettingsError([f"{name}: not an Ed25519 key"])
    return key


def _pem(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _replace(path: Path, content: bytes, mode: int) -> None:
    # mkstemp makes the file 0600 from its first byte: no moment at which others could read it.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if sys.platform != "win32":  # where a file has no such mode
                os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns, found.st_size)
