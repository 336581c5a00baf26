"""`fairwitness keys`: shows the public evidence keys, and rotates the one that signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from cyclopts import App

from fairwitness import settings
from fairwitness.cli.output import TEXT, Output, Result, say

if TYPE_CHECKING:
    from fairwitness.evidence.keys import Keyring

app = App(name="keys", help="Show or rotate the keys that sign Arena evidence.")


@app.command
def show(*, output: Output = TEXT) -> Result:
    """Print the public keys as served at /docs/keys.json. Creates the first key if there is none.

    Exit code: 0, or 2 when the keys cannot be read or made.
    """
    from fairwitness.evidence.keys import Keyring

    keyring = Keyring(settings.load())
    keyring.signer()
    return _public_keys(keyring, output)


@app.command
def rotate(*, output: Output = TEXT) -> Result:
    """Create a new signing key. Old public keys stay published; running workers switch to the new one.

    Exit code: 0, or 2 when the keys cannot be read or made.
    """
    from fairwitness.evidence.keys import Keyring

    keyring = Keyring(settings.load())
    keyring.rotate()
    return _public_keys(keyring, output)


def _public_keys(keyring: Keyring, output: Output) -> Result:
    content = keyring.keys_json()
    text = content.decode().removesuffix("\n")
    return output.result(msgspec.json.decode(content), lambda console: say(console, text))
