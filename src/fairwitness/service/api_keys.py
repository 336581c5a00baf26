"""API keys: callers of their own, with quotas of their own. Of each key only a hash is kept, in a file all workers watch."""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from fairwitness.service.ids_and_times import now
from fairwitness.settings import PREFIX, Settings, SettingsError

HEADER = b"x-api-key"
QUOTAS = ("quota_per_hour", "quota_per_day", "units_per_day")
# How soon a key that was issued or revoked is known in every worker.
LOOK_EVERY_S = 1.0
_PREFIX, _ID_BYTES, _SECRET_BYTES = "fw", 6, 24
_HASH_BYTES = 16
Quota = Annotated[int, Meta(ge=0, le=10**9)]


class ApiKey(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One key as it is kept: who has it, the hash it is known by, and what it may do beyond the settings."""

    id: str
    name: str
    sha256: str
    created_at: str
    revoked_at: str | None = None
    quota_per_hour: Quota | None = None
    quota_per_day: Quota | None = None
    units_per_day: Quota | None = None

    @property
    def quotas(self) -> dict[str, int]:
        """The limits that replace the settings' for this key."""
        given = {name: getattr(self, name) for name in QUOTAS}
        return {name: value for name, value in given.items() if value is not None}


class _File(Struct, frozen=True):
    keys: list[ApiKey]


@dataclass
class ApiKeys:
    """The keys in force, read again when the file changes."""

    path: Path
    secret: bytes
    clock: Callable[[], float] = time.monotonic
    _seen: tuple[int, int, int] | None = None
    _looked: float = float("-inf")
    _by_hash: dict[str, tuple[bytes, ApiKey]] = field(default_factory=dict)
    _quotas: dict[bytes, Mapping[str, int]] = field(default_factory=dict)

    def caller(self, presented: str) -> bytes | None:
        """Return the caller a key stands for; None for a key that was never issued or is revoked."""
        self._look()
        found = self._by_hash.get(_hash(presented))
        return None if found is None else found[0]

    def quotas_of(self, caller: bytes) -> Mapping[str, int]:
        """Return the quotas of a caller's key; empty where it has none."""
        return self._quotas.get(caller, {})

    def _look(self) -> None:
        if self.clock() - self._looked < LOOK_EVERY_S:
            return
        self._looked = self.clock()
        try:
            about = os.stat(self.path)
            seen = (about.st_ino, about.st_mtime_ns, about.st_size)
        except OSError:
            self._seen, self._by_hash, self._quotas = None, {}, {}
            return
        if seen == self._seen:
            return
        # A file that cannot be read leaves the keys as they were: those in use go on.
        with suppress(SettingsError):
            in_force = [key for key in read(self.path) if key.revoked_at is None]
            named = [(self._caller_of(key), key) for key in in_force]
            self._by_hash = {key.sha256: (caller, key) for caller, key in named}
            self._quotas = {caller: key.quotas for caller, key in named}
            self._seen = seen

    def _caller_of(self, key: ApiKey) -> bytes:
        said = b"api-key\0" + key.id.encode()
        return hmac.digest(self.secret, said, hashlib.sha256)[:_HASH_BYTES]


def keys_of(settings: Settings, secret: bytes) -> ApiKeys | None:
    """Return the keys the settings name, or None where keys are off; raise SettingsError for a file that is none."""
    if settings.api_keys is None:
        return None
    read(settings.api_keys)
    return ApiKeys(settings.api_keys, secret)


def read(path: Path) -> list[ApiKey]:
    """Return every key of a file, revoked ones too; none where there is no file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File).keys
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SettingsError([f"{PREFIX}API_KEYS: {path}: {error.strerror}"]) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsError([f"{PREFIX}API_KEYS: {path}: not a file of keys: {error}"]) from None


def issue(path: Path, name: str, quotas: Mapping[str, int | None]) -> tuple[ApiKey, str]:
    """Add a key to the file; return it, and the key itself, which is kept nowhere."""
    identity = secrets.token_hex(_ID_BYTES)
    token = f"{_PREFIX}_{identity}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    key = ApiKey(
        id=identity,
        name=name,
        sha256=_hash(token),
        created_at=now(),
        quota_per_hour=quotas.get("quota_per_hour"),
        quota_per_day=quotas.get("quota_per_day"),
        units_per_day=quotas.get("units_per_day"),
    )
    _change(path, lambda keys: [*keys, key])
    return key, token


def revoke(path: Path, identity: str) -> ApiKey | None:
    """Revoke a key by its id; None where there is none. A key once revoked stays listed."""
    changed: list[ApiKey] = []

    def mark(keys: list[ApiKey]) -> list[ApiKey]:
        for key in keys:
            if key.id == identity:
                changed.append(msgspec.structs.replace(key, revoked_at=key.revoked_at or now()))
        return [next((one for one in changed if one.id == key.id), key) for key in keys]

    _change(path, mark)
    return changed[0] if changed else None


def _change(path: Path, change: Callable[[list[ApiKey]], list[ApiKey]]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        content = msgspec.json.format(msgspec.json.encode(_File(change(read(path)))), indent=2)
        aside = path.with_name(f"{path.name}.new")
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    finally:
        os.close(lock)


def _hash(token: str) -> str:
    # A key is 24 random bytes: there is nothing to guess, so nothing to slow down.
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
