"""The envelope opens only as signed, and an implementation that is not ours agrees."""

from __future__ import annotations

import base64
import copy
import hashlib
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer._crypto_signer import CryptoSigner
from securesystemslib.signer._key import SSlibKey

from fairwitness.contract.results import ArenaEvidenceResult
from fairwitness.evidence import Signer
from fairwitness.evidence.envelope import PAYLOAD_TYPE, decode_base64, open_envelope

OTHER = Signer(Ed25519PrivateKey.from_private_bytes(bytes(32)))


def their_key(signer: Signer) -> SSlibKey:
    public = signer.public
    return SSlibKey(public.keyid, "ed25519", "ed25519", {"public": public.raw.hex()})


def test_securesystemslib_verifies_our_envelope(
    answer: ArenaEvidenceResult, signer: Signer
) -> None:
    envelope = Envelope.from_dict(msgspec.to_builtins(answer.evidence))
    accepted = envelope.verify([their_key(signer)], threshold=1)
    assert list(accepted) == [signer.public.keyid]
    assert envelope.payload_type == PAYLOAD_TYPE
    assert msgspec.json.decode(envelope.payload)["_type"] == "https://in-toto.io/Statement/v1"


def test_securesystemslib_refuses_what_we_refuse(
    answer: ArenaEvidenceResult, signer: Signer
) -> None:
    changed = msgspec.to_builtins(answer.evidence)
    payload = base64.b64decode(changed["payload"]).replace(b"provider_a", b"provider_b", 1)
    changed["payload"] = base64.b64encode(payload).decode()
    assert open_envelope(copy.deepcopy(changed), [signer.public]).signed_by is None
    with pytest.raises(VerificationError):
        Envelope.from_dict(changed).verify([their_key(signer)], threshold=1)


def test_we_open_what_securesystemslib_signed() -> None:
    key = Ed25519PrivateKey.generate()
    ours = Signer(key)
    theirs = CryptoSigner(key, their_key(ours))
    envelope = Envelope(b'{"a":1}', PAYLOAD_TYPE, {})
    envelope.sign(theirs)
    opened = open_envelope(envelope.to_dict(), [ours.public])
    assert opened.faults == []
    assert opened.signed_by == ours.public


def test_keyid_is_the_digest_of_the_raw_key(signer: Signer) -> None:
    assert signer.public.keyid == hashlib.sha256(signer.public.raw).hexdigest()
    assert len(signer.public.raw) == 32


@given(st.binary(max_size=300))
def test_what_is_sealed_opens(payload: bytes) -> None:
    envelope = msgspec.to_builtins(OTHER.seal(payload))
    opened = open_envelope(envelope, [OTHER.public])
    assert (opened.payload, opened.signed_by, opened.faults) == (payload, OTHER.public, [])


def test_base64_has_one_spelling() -> None:
    assert decode_base64("TQ==") == b"M"
    for spelling in ("TR==", "TQ=", "TQ", "TQ==\n", " TQ==", "TQ==TQ==", "T-==", "é", "", None, 7):
        assert decode_base64(spelling) in (None, b"")


def _faults(envelope: Any, signer: Signer) -> list[tuple[str, str]]:
    return open_envelope(envelope, [signer.public]).faults


def test_each_fault_of_an_envelope_is_named(answer: ArenaEvidenceResult, signer: Signer) -> None:
    good = msgspec.to_builtins(answer.evidence)
    entry = good["signatures"][0]
    sig = entry["sig"]
    later = sig[:-3] + chr(ord(sig[-3]) + 1) + "=="
    other = msgspec.to_builtins(OTHER.seal(base64.b64decode(good["payload"])))
    cases: list[tuple[Any, str]] = [
        ({**good, "payloadType": "application/json"}, "evidence.payloadType"),
        ({**good, "payload": good["payload"] + "\n"}, "evidence.payload"),
        ({**good, "payload": None}, "evidence.payload"),
        ({**good, "note": 1}, 'evidence["note"]'),
        ({**good, "signatures": []}, "evidence.signatures"),
        ({**good, "signatures": [entry, entry]}, "evidence.signatures"),
        ({**good, "signatures": [entry, other["signatures"][0]]}, "evidence.signatures"),
        ({**good, "signatures": {"0": entry}}, "evidence.signatures"),
        ({**good, "signatures": ["x"]}, "evidence.signatures[0]"),
        ({**good, "signatures": [{**entry, "cert": ""}]}, 'evidence.signatures[0]["cert"]'),
        ({**good, "signatures": [{"sig": sig}]}, "evidence.signatures[0].keyid"),
        ({**good, "signatures": [{"keyid": entry["keyid"]}]}, "evidence.signatures[0].sig"),
        ({**good, "signatures": [{**entry, "sig": later}]}, "evidence.signatures[0].sig"),
        ({**good, "signatures": [{**entry, "sig": "AA=="}]}, "evidence.signatures[0].sig"),
        ({**good, "signatures": [{**entry, "keyid": "0" * 64}]}, "evidence.signatures[0].keyid"),
        ({**good, "signatures": [{**entry, "keyid": None}]}, "evidence.signatures[0].keyid"),
        (
            {**good, "signatures": [{**entry, "keyid": entry["keyid"].upper()}]},
            "evidence.signatures[0].keyid",
        ),
        (other, "evidence.signatures[0].keyid"),
        ({"payload": good["payload"]}, "evidence.payloadType"),
        ("envelope", "evidence"),
    ]
    for envelope, part in cases:
        assert part in [where for where, _ in _faults(envelope, signer)], part


def test_without_a_key_nothing_is_called_signed(answer: ArenaEvidenceResult) -> None:
    opened = open_envelope(msgspec.to_builtins(answer.evidence), [])
    assert opened.signed_by is None
    assert "--key" in opened.faults[0][1]
