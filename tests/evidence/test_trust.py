"""Whom a signature can be trusted to: strong keys, fingerprints, times of keys, and time stamps of others."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fairwitness.cli.main import main
from fairwitness.contract.errors import InvalidRequest
from fairwitness.contract.results import ArenaEvidenceResult
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Signer, as_sent
from fairwitness.evidence.canonical import BadDocument
from fairwitness.evidence.envelope import PAYLOAD_TYPE, PublicKey, pre_authentication
from fairwitness.evidence.keys import Keyring, parse_public_keys
from fairwitness.evidence.timestamp import envelope_digest, read_certificates, read_stamp
from fairwitness.evidence.verify import verify
from fairwitness.settings import Settings

FIELD = 2**255 - 19


def is_point_of_order_eight(y: int) -> bool:
    """Compute it: on -x² + y² = 1 + d x² y², eight times the point is the neutral one."""
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    square = (y * y - 1) * pow(d * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if (x * x - square) % FIELD:
        x = x * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
    assert (x * x - square) % FIELD == 0, "no point of the curve"
    for _ in range(3):
        product = d * x * x * y * y % FIELD
        x, y = (
            2 * x * y * pow(1 + product, -1, FIELD) % FIELD,
            (y * y + x * x) * pow(1 - product, -1, FIELD) % FIELD,
        )
    return (x, y) == (0, 1)


def weak_keys() -> list[bytes]:
    """Return every spelling of every point of small order, canonical or not."""
    order_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
    ys = [0, 1, FIELD - 1, order_8, FIELD - order_8]
    assert all(is_point_of_order_eight(y) for y in ys)
    spelt = [*ys, *(y + FIELD for y in ys if y + FIELD < 2**255)]
    return [(y | sign << 255).to_bytes(32, "little") for y in spelt for sign in (0, 1)]


def test_a_key_of_small_order_signs_nothing() -> None:
    payload = b"anything at all"
    message = pre_authentication(PAYLOAD_TYPE, payload)
    neutral = (1).to_bytes(32, "little")
    forged = neutral + bytes(32)
    # The library alone accepts it: one signature for every message.
    Ed25519PublicKey.from_public_bytes(neutral).verify(forged, message)
    assert not PublicKey(neutral).verifies(forged, message)


@pytest.mark.parametrize("raw", weak_keys(), ids=lambda raw: raw.hex()[:8])
def test_a_key_of_small_order_is_refused_by_name(raw: bytes) -> None:
    assert PublicKey(raw).small_order
    entry = {"publicKey": base64.b64encode(raw).decode(), "keyid": hashlib.sha256(raw).hexdigest()}
    with pytest.raises(BadDocument, match="small order"):
        parse_public_keys(json.dumps([entry]).encode())


def test_ordinary_keys_are_not_of_small_order(signer: Signer) -> None:
    assert not signer.public.small_order


def faults(
    answer: ArenaEvidenceResult, key: PublicKey, evaluator: Evaluator, **how: Any
) -> list[str]:
    report = verify(as_sent(answer), [key], evaluator, **how)
    return [check.message for check in report.faults()]


def test_what_a_key_says_of_its_times_is_held_to_it(
    answer: ArenaEvidenceResult, signer: Signer, evaluator: Evaluator
) -> None:
    completed = datetime.fromisoformat(answer.completed_at)

    def key(**times: datetime) -> PublicKey:
        told = {name: f"{value:%Y-%m-%dT%H:%M:%SZ}" for name, value in times.items()}
        return PublicKey(signer.public.raw, "", **told)

    day = timedelta(days=1)
    assert not faults(answer, key(), evaluator)
    assert not faults(answer, key(valid_until=completed + day), evaluator)
    assert not faults(answer, key(valid_until=completed - timedelta(minutes=1)), evaluator)
    (late,) = faults(answer, key(valid_until=completed - day), evaluator)
    assert "signed until" in late
    (revoked,) = faults(answer, key(revoked_at=completed + day), evaluator)
    assert "revoked" in revoked


def test_rotation_and_revocation_are_kept_as_history(tmp_path: Path) -> None:
    ring = Keyring(Settings(data_dir=tmp_path))
    first = ring.signer().public.keyid
    with pytest.raises(InvalidRequest, match="current key"):
        ring.revoke(first)
    second = ring.rotate().public.keyid
    with pytest.raises(InvalidRequest, match="unknown key: 00"):
        ring.revoke("00")
    ring.revoke(first)
    old, new = json.loads(ring.keys_json())
    assert (old["keyid"], new["keyid"]) == (first, second)
    assert (old["current"], new["current"]) == (False, True)
    assert old["validUntil"]
    assert old["revokedAt"]
    assert (new["validUntil"], new["revokedAt"]) == (None, None)
    assert [key.revoked_at is not None for key in ring.public_keys()] == [True, False]


def test_the_fingerprint_is_printed_and_held_to(
    tmp_path: Path,
    answer: ArenaEvidenceResult,
    signer: Signer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FAIRWITNESS_DATA_DIR", str(tmp_path))
    assert run("keys", "fingerprint", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    ring = Keyring(Settings(data_dir=tmp_path))
    assert told["sha256"] == ring.signer().public.keyid
    assert told["dnsTxt"] == f"v=fairwitness1; k=ed25519; sha256={told['sha256']}"
    assert run("keys", "fingerprint") == 0
    assert f"SHA256:{told['sha256']}" in capsys.readouterr().out

    file, keys = tmp_path / "answer.json", tmp_path / "keys.json"
    file.write_bytes(as_sent(answer))
    entry = {"publicKey": base64.b64encode(signer.public.raw).decode()}
    keys.write_text(json.dumps([entry]), encoding="utf-8")
    right = f"SHA256:{signer.public.keyid.upper()}"
    assert run("verify", str(file), "--key", str(keys), "--fingerprint", right) == 0
    assert run("verify", str(file), "--key", str(keys), "--fingerprint", told["sha256"]) == 2


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(ended.value.code or 0)


CONFIG = """
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical, CA:TRUE
[tsa]
basicConstraints = CA:FALSE
extendedKeyUsage = critical, timeStamping
[plain]
basicConstraints = CA:FALSE
[tsa_config]
serial = ./serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
ess_cert_id_alg = sha256
"""


class Authority:
    """A time-stamping authority made with OpenSSL: a stranger's implementation of RFC 3161."""

    def __init__(self, folder: Path, kind: str = "rsa:2048") -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "c.cnf").write_text(CONFIG, encoding="utf-8")
        (folder / "serial").write_text("01\n", encoding="utf-8")
        self._openssl(
            *("req", "-x509", "-newkey", kind, *self._curve(kind), "-nodes", "-days", "30"),
            *("-subj", "/CN=Root", "-keyout", "ca.key", "-out", "ca.pem"),
            *("-config", "c.cnf", "-extensions", "ca"),
        )
        self._openssl(
            *("req", "-newkey", kind, *self._curve(kind), "-nodes", "-subj", "/CN=Time Stamps"),
            *("-keyout", "tsa.key", "-out", "tsa.csr", "-config", "c.cnf"),
        )
        self._openssl(
            *("x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "30"),
            *("-CAcreateserial", "-extfile", "c.cnf", "-extensions", "tsa", "-out", "tsa.pem"),
        )

    def stamp(self, digest: str) -> bytes:
        self._openssl("ts", "-query", "-digest", digest, "-sha256", "-cert", "-out", "q.tsq")
        self._openssl(
            *("ts", "-reply", "-queryfile", "q.tsq", "-config", "c.cnf", "-section", "tsa_config"),
            *("-signer", "tsa.pem", "-inkey", "tsa.key", "-out", "r.tsr"),
        )
        return (self.folder / "r.tsr").read_bytes()

    @property
    def root(self) -> bytes:
        return (self.folder / "ca.pem").read_bytes()

    @staticmethod
    def _curve(kind: str) -> tuple[str, ...]:
        return ("-pkeyopt", "ec_paramgen_curve:P-256") if kind == "ec" else ()

    def _openssl(self, *words: str) -> None:
        done = subprocess.run(
            ["openssl", *words], cwd=self.folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module", params=["rsa:2048", "ec"])
def authority(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Authority:
    return Authority(tmp_path_factory.mktemp("tsa") / "one", request.param)


def sealed(answer: ArenaEvidenceResult) -> str:
    return envelope_digest(json.loads(as_sent(answer))["evidence"])


def test_a_time_stamp_is_bound_to_the_envelope_and_its_authority(
    answer: ArenaEvidenceResult, signer: Signer, evaluator: Evaluator, authority: Authority
) -> None:
    stamp = read_stamp(authority.stamp(sealed(answer)))
    assert abs(stamp.made_at - datetime.now(UTC)) < timedelta(minutes=5)
    root = read_certificates(authority.root)

    def checked(**how: Any) -> tuple[str, bool]:
        report = verify(as_sent(answer), [signer.public], evaluator, **how)
        (check,) = report.of("timestamp")
        return check.status, report.good

    assert checked(stamp=stamp) == ("unknown_authority", True)
    assert checked(stamp=stamp, authorities=root) == ("ok", True)
    other = read_stamp(authority.stamp("00" * 32))
    assert checked(stamp=other, authorities=root) == ("failed", False)
    assert "timestamp" not in verify(as_sent(answer), [signer.public], evaluator).sections


def test_a_stranger_who_stamps_is_not_the_authority(
    answer: ArenaEvidenceResult, authority: Authority, tmp_path: Path
) -> None:
    stamp = read_stamp(Authority(tmp_path / "two").stamp(sealed(answer)))
    assert not stamp.vouched_for(read_certificates(authority.root))


def test_a_stamp_older_than_a_revocation_keeps_the_evidence_good(
    answer: ArenaEvidenceResult, signer: Signer, evaluator: Evaluator, authority: Authority
) -> None:
    stamp = read_stamp(authority.stamp(sealed(answer)))
    root = read_certificates(authority.root)
    later = f"{stamp.made_at + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    earlier = f"{stamp.made_at - timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    key = PublicKey(signer.public.raw, "", None, later)
    assert not faults(answer, key, evaluator, stamp=stamp, authorities=root)
    assert faults(answer, key, evaluator, stamp=stamp)  # whose stamp it is was not checked
    key = PublicKey(signer.public.raw, "", None, earlier)
    assert faults(answer, key, evaluator, stamp=stamp, authorities=root)


def test_a_changed_stamp_is_never_taken_for_another(
    answer: ArenaEvidenceResult, authority: Authority
) -> None:
    good = authority.stamp(sealed(answer))
    truth = read_stamp(good)
    for at in range(len(good)):
        changed = good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]
        try:
            found = read_stamp(changed)
        except BadDocument:
            continue
        assert (found.imprint, found.made_at) == (truth.imprint, truth.made_at), at


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x30\x84\xff\xff\xff\xff", b"0" * 300_000])
def test_what_is_no_time_stamp_is_said_to_be_none(content: bytes) -> None:
    with pytest.raises(BadDocument):
        read_stamp(content)
