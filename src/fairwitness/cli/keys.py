"""`fairwitness keys`: shows the public evidence keys and their fingerprint, rotates the one that signs, revokes old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import App, Parameter

from fairwitness import settings
from fairwitness.cli.output import TEXT, Output, Result, say

if TYPE_CHECKING:
    from fairwitness.evidence.keys import Keyring

app = App(
    name="keys", help="Show, rotate, fingerprint or revoke the keys that sign Arena evidence."
)


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


@app.command
def fingerprint(*, output: Output = TEXT) -> Result:
    """Print the signing key's fingerprint, to be published where readers of evidence trust you.

    Exit code: 0, or 2 when the keys cannot be read or made.
    """
    from fairwitness.evidence.keys import Keyring

    keyid = Keyring(settings.load()).signer().public.keyid
    record = f"v=fairwitness1; k=ed25519; sha256={keyid}"
    text = f'SHA256:{keyid}\nDNS record: _fairwitness.<your domain>. TXT "{record}"'
    content = {"algorithm": "Ed25519", "sha256": keyid, "dnsTxt": record}
    return output.result(content, lambda console: say(console, text))


@app.command
def revoke(
    keyid: Annotated[str, Parameter(help="The id of a key that signs no more.")],
    /,
    *,
    output: Output = TEXT,
) -> Result:
    """Mark a key whose private half may be known to others: `verify` then refuses what it signed.

    Exit code: 0, or 2 when it is the current key, or none of those kept here.
    """
    from fairwitness.evidence.keys import Keyring

    keyring = Keyring(settings.load())
    keyring.revoke(keyid)
    return _public_keys(keyring, output)


def _public_keys(keyring: Keyring, output: Output) -> Result:
    content = keyring.keys_json()
    text = content.decode().removesuffix("\n")
    return output.result(msgspec.json.decode(content), lambda console: say(console, text))
