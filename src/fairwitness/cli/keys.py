"""`fairwitness keys`: shows the public evidence keys, and rotates the one that signs."""

from __future__ import annotations

import sys

from cyclopts import App

from fairwitness import settings
from fairwitness.evidence.keys import Keyring

app = App(name="keys", help="The keys that sign Arena evidence.")


@app.command
def show() -> int:
    """Print the public keys, as served at /docs/keys.json (the first key is made where none is)."""
    return _with_keyring(rotate=False)


@app.command
def rotate() -> int:
    """Make a new signing key. Old public keys stay published; running workers take up the new one."""
    return _with_keyring(rotate=True)


def _with_keyring(*, rotate: bool) -> int:
    try:
        keyring = Keyring(settings.load())
        if rotate:
            keyring.rotate()
        else:
            keyring.signer()
        print(keyring.keys_json().decode(), end="")
    except settings.SettingsError as error:
        print(f"fairwitness keys: {error}", file=sys.stderr)
        return 2
    return 0
