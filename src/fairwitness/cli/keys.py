"""`fairwitness keys`: shows the public evidence keys and their fingerprint, rotates the one that signs, revokes old ones."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from fairwitness import settings
from fairwitness.cli.terminal import write_json

app = App(
    name="keys", help="Show, rotate, fingerprint or revoke the keys that sign Arena evidence."
)


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


@app.command
def fingerprint(
    *, json: Annotated[bool, Parameter(help="Print the fingerprint as JSON.")] = False
) -> int:
    """Print the signing key's fingerprint, to be published where readers of evidence trust you.

    Exit code: 0, or 2 when the keys cannot be read or made.
    """
    from fairwitness.evidence.keys import Keyring

    keyid = Keyring(settings.load()).signer().public.keyid
    record = f"v=fairwitness1; k=ed25519; sha256={keyid}"
    if json:
        write_json({"algorithm": "Ed25519", "sha256": keyid, "dnsTxt": record})
        return 0
    print(f"SHA256:{keyid}")
    print(f'DNS record: _fairwitness.<your domain>. TXT "{record}"')
    return 0


@app.command
def revoke(keyid: Annotated[str, Parameter(help="The id of a key that signs no more.")], /) -> int:
    """Mark a key whose private half may be known to others: `verify` then refuses what it signed.

    Exit code: 0, or 2 when it is the current key, or none of those kept here.
    """
    from fairwitness.evidence.keys import Keyring

    keyring = Keyring(settings.load())
    keyring.revoke(keyid)
    print(keyring.keys_json().decode(), end="")
    return 0
