"""Keys: made once whoever comes first, private, rotated without losing the past."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from fairwitness.evidence import Keyring
from fairwitness.evidence.canonical import BadDocument
from fairwitness.evidence.envelope import PublicKey
from fairwitness.evidence.keys import PRIVATE_FILE, PUBLIC_FILE, parse_public_keys
from fairwitness.settings import Settings, SettingsError


def keyring(folder: Path, key: Path | None = None) -> Keyring:
    return Keyring(Settings(data_dir=folder, evidence_key=str(key) if key else None))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    first = keyring(folder).signer().public
    assert mode(folder / PRIVATE_FILE) == 0o600
    assert mode(folder) == 0o700
    assert keyring(folder).signer().public == first
    (entry,) = json.loads(keyring(folder).keys_json())
    assert entry["keyid"] == first.keyid
    assert entry["current"] is True
    assert entry["createdAt"].endswith("Z")
    assert PublicKey(first.raw, entry["createdAt"]) == keyring(folder).public_keys()[0]
    private = (folder / PRIVATE_FILE).read_bytes()
    assert private not in keyring(folder).keys_json()


def test_a_umask_that_gives_everything_away_does_not_matter(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        keyring(tmp_path / "data").signer()
    finally:
        os.umask(before)
    assert mode(tmp_path / "data" / PRIVATE_FILE) == 0o600


def test_threads_that_start_at_once_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        made = list(pool.map(lambda _: keyring(tmp_path).signer().public.keyid, range(48)))
    assert len(set(made)) == 1
    assert len(keyring(tmp_path).public_keys()) == 1


def test_processes_that_start_at_once_agree(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from fairwitness.settings import Settings; from fairwitness.evidence.keys import Keyring\n"
        "sys.stdin.read()\n"
        "print(Keyring(Settings(data_dir=Path(sys.argv[1]))).signer().public.keyid)"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.close()
        worker.stdin = None
    made = {worker.communicate(timeout=60)[0] for worker in workers}
    assert len(made) == 1
    assert made.pop().strip() == keyring(tmp_path).signer().public.keyid
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_rotation_keeps_the_past_and_is_noticed_by_those_who_run(tmp_path: Path) -> None:
    running = keyring(tmp_path)
    first = running.signer().public
    second = keyring(tmp_path).rotate().public
    assert second.keyid != first.keyid
    assert running.signer().public == second
    entries = json.loads(running.keys_json())
    assert [entry["keyid"] for entry in entries] == [first.keyid, second.keyid]
    assert [entry["current"] for entry in entries] == [False, True]
    assert mode(tmp_path / PRIVATE_FILE) == 0o600


def test_a_crash_between_the_two_files_is_mended(tmp_path: Path) -> None:
    first = keyring(tmp_path).signer().public
    listed = (tmp_path / PUBLIC_FILE).read_bytes()
    second = keyring(tmp_path).rotate().public
    # The new key was written and the list was not.
    (tmp_path / PUBLIC_FILE).write_bytes(listed)
    keyring(tmp_path).signer()
    assert [key.keyid for key in keyring(tmp_path).public_keys()] == [first.keyid, second.keyid]


def test_a_key_that_vanishes_from_a_running_service_goes_on_signing(tmp_path: Path) -> None:
    running = keyring(tmp_path)
    first = running.signer().public
    (tmp_path / PRIVATE_FILE).unlink()
    assert running.signer().public == first


@pytest.mark.parametrize("bits", [0o644, 0o640, 0o604, 0o620, 0o666])
def test_a_key_others_may_read_is_refused(tmp_path: Path, bits: int) -> None:
    keyring(tmp_path).signer()
    path = tmp_path / PRIVATE_FILE
    path.chmod(bits)
    with pytest.raises(SettingsError, match=f"mode {bits:04o}.*chmod 600"):
        keyring(tmp_path).signer()


def test_a_given_key_is_used_listed_and_never_rotated_by_us(tmp_path: Path) -> None:
    keyring(tmp_path / "other").signer()
    given = tmp_path / "other" / PRIVATE_FILE
    ring = keyring(tmp_path / "data", given)
    used = ring.signer().public
    assert used == keyring(tmp_path / "other").signer().public
    assert [key.keyid for key in ring.public_keys()] == [used.keyid]
    assert not (tmp_path / "data" / PRIVATE_FILE).exists()
    with pytest.raises(SettingsError, match="replace that file"):
        ring.rotate()
    # Replaced by the operator, the new one joins the list.
    keyring(tmp_path / "other").rotate()
    assert len({used.keyid, ring.signer().public.keyid}) == 2
    assert len(ring.public_keys()) == 2


def test_a_key_that_comes_back_stands_last_and_once(tmp_path: Path) -> None:
    first = keyring(tmp_path).signer().public
    kept = (tmp_path / PRIVATE_FILE).read_bytes()
    second = keyring(tmp_path).rotate().public
    (tmp_path / PRIVATE_FILE).write_bytes(kept)
    assert keyring(tmp_path).signer().public == first
    assert [key.keyid for key in keyring(tmp_path).public_keys()] == [second.keyid, first.keyid]


def test_unusable_key_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    with pytest.raises(SettingsError, match="No such file"):
        keyring(tmp_path, path).signer()
    elliptic = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    for content, why in [(b"", "not a private key"), (b"\xff\x00", "not a"), (elliptic, "Ed25519")]:
        path.write_bytes(content)
        path.chmod(0o600)
        with pytest.raises(SettingsError, match=why):
            keyring(tmp_path, path).signer()


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(SettingsError, match="DATA_DIR"):
        keyring(tmp_path / "data").signer()


def test_a_broken_list_of_keys_is_named_not_replaced(tmp_path: Path) -> None:
    keyring(tmp_path).signer()
    (tmp_path / PUBLIC_FILE).write_text('[{"keyid": "x"}]')
    with pytest.raises(SettingsError, match="publicKey"):
        keyring(tmp_path).signer()


def test_public_keys_are_read_from_json_and_pem(tmp_path: Path) -> None:
    signer = keyring(tmp_path).signer()
    (listed,) = parse_public_keys(keyring(tmp_path).keys_json())
    pem = signer.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    (told,) = parse_public_keys(pem)
    assert listed.keyid == told.keyid == signer.public.keyid
    assert parse_public_keys(b"[]") == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{}", "not a list"),
        (b"[1]", "no publicKey"),
        (b'[{"publicKey": "AAAA"}]', "no publicKey of 32 bytes"),
        (b'[{"publicKey": "%b", "keyid": "00"}]' % (b"A" * 43 + b"="), "not the digest"),
        (b"-----BEGIN PUBLIC KEY-----\n", "not a public key in PEM"),
        (b"nonsense", "not valid JSON"),
    ],
)
def test_bad_public_keys_are_refused(content: bytes, why: str) -> None:
    with pytest.raises(BadDocument, match=why):
        parse_public_keys(content)
