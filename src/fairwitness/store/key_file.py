"""Secret key files: made once, readable by their owner alone, the same for every process that asks."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from fairwitness.store.errors import StoreUnavailable

KEY_BYTES = 32


def read_or_make(path: Path) -> bytes:
    """Return the key at `path`, making it (mode 0600) where there is none.

    Several processes may start at once: the key is written aside and linked into place, so that
    exactly one is published and nobody reads half of it.
    """
    try:
        if not path.exists():
            _publish(path, secrets.token_bytes(KEY_BYTES))
        key = path.read_bytes()
    except OSError as error:
        raise StoreUnavailable(f"cannot read or make the key file {path}: {error}") from error
    if len(key) < KEY_BYTES:
        raise StoreUnavailable(f"the key file {path} is shorter than {KEY_BYTES} bytes; remove it")
    return key


def _publish(path: Path, key: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):  # another was first: its key is the key
            os.link(aside, path)
    finally:
        aside.unlink()
