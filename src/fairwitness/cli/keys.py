"""`fairwitness keys`: shows the public evidence keys, and rotates the one that signs."""

from __future__ import annotations

from cyclopts import App

from fairwitness import settings

app = App(name="keys", help="Show or rotate the keys that sign Arena evidence.")


@app.command
def show() -> int:
    """Print the public keys as served at /docs/keys.json; the first key is made where there is none.

    Exit code: 0, or 2 when the keys cannot be read or made.
    """
    from fairwitness.evidence.keys import Keyring

    keyring = Keyring(settings.load())
    keyring.signer()
    print(keyring.keys_json().decode(), end="")
    return 0


@app.command
def rotate() -> int:
    """Make a new signing key. Old public keys stay published; running workers take up the new one.

    Exit code: 0, or 2 when the keys cannot be read or made.
    """
    from fairwitness.evidence.keys import Keyring

    keyring = Keyring(settings.load())
    keyring.rotate()
    print(keyring.keys_json().decode(), end="")
    return 0
