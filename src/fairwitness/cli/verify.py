"""`fairwitness verify`: verifies an evidence file offline and names every part that was changed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from cyclopts import Parameter
from rich.console import Console

from fairwitness import settings
from fairwitness.cli.output import TEXT, Output, Result
from fairwitness.cli.protocol_option import ProtocolOption, evaluator_for
from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from fairwitness.evidence.envelope import PublicKey
    from fairwitness.evidence.verification_report import (
        Section,
        VerificationCheck,
        VerificationReport,
    )

Parsed = TypeVar("Parsed")


def verify(
    file: Annotated[Path, Parameter(help="A response of arena-evidence; - for stdin.")],
    /,
    *,
    key: Annotated[
        str | None,
        Parameter(
            help="Trusted keys: a keys.json, a public key in PEM, or the id of a key in DATA_DIR."
        ),
    ] = None,
    fingerprint: Annotated[
        str | None,
        Parameter(
            help="Trust only the key of this fingerprint, as its service publishes it elsewhere."
        ),
    ] = None,
    timestamp: Annotated[
        Path | None, Parameter(help="An RFC 3161 time stamp of the envelope (.tsr).")
    ] = None,
    timestamp_ca: Annotated[
        Path | None, Parameter(help="Certificates (PEM) whose time stamps you trust.")
    ] = None,
    protocol: ProtocolOption = None,
    output: Output = TEXT,
) -> Result:
    """Verify an Arena evidence file: its signature, its digests, and its evaluations run again.

    Exit code: 0 verified, 1 a check failed or the signer is unknown, 2 bad input.
    """
    from fairwitness.evidence.canonical import BadDocument
    from fairwitness.evidence.timestamp import read_certificates, read_stamp
    from fairwitness.evidence.verify import verify as verify_document

    document = _read(file)
    keys = _fingerprinted(public_keys(key), fingerprint)
    stamp = None if timestamp is None else _parsed(timestamp, read_stamp)
    authorities = [] if timestamp_ca is None else _parsed(timestamp_ca, read_certificates)
    try:
        report = verify_document(
            document, keys, evaluator_for(protocol), stamp=stamp, authorities=authorities
        )
    except BadDocument as error:
        raise InvalidRequest(details=[f"{file}: {error}"]) from None
    return output.result(
        report_content(report), lambda console: show(report, console), 0 if report.good else 1
    )


def public_keys(key: str | None) -> list[PublicKey]:
    """Return the trusted keys: those of a file, the one in DATA_DIR with that id, or all in DATA_DIR."""
    from fairwitness.evidence.canonical import BadDocument
    from fairwitness.evidence.keys import Keyring, parse_public_keys

    if key is not None and Path(key).exists():
        try:
            return parse_public_keys(_read(Path(key)))
        except BadDocument as error:
            raise InvalidRequest(details=[f"--key {key}: {error}"]) from None
    kept = Keyring(settings.load()).public_keys()
    chosen = [entry for entry in kept if key in (None, entry.keyid)]
    if key is not None and not chosen:
        raise InvalidRequest(
            details=[f"--key {key}: not a file, and not the id of a key in DATA_DIR"]
        )
    return chosen


def _fingerprinted(keys: list[PublicKey], fingerprint: str | None) -> list[PublicKey]:
    if fingerprint is None:
        return keys
    wanted = "".join(fingerprint.lower().removeprefix("sha256:").split())
    chosen = [one for one in keys if one.keyid == wanted]
    if not chosen:
        raise InvalidRequest(details=["--fingerprint: none of the keys given has it"])
    return chosen


def _parsed(file: Path, parse: Callable[[bytes], Parsed]) -> Parsed:
    from fairwitness.evidence.canonical import BadDocument

    try:
        return parse(_read(file))
    except BadDocument as error:
        raise InvalidRequest(details=[f"{file}: {error}"]) from None


def report_content(report: VerificationReport) -> dict[str, Any]:
    """Return the report as JSON has it; each section carries its own verdict."""
    sections: dict[str, Any] = {
        section: {
            "ok": not any(check.bad for check in report.of(section)),
            "checks": [
                {"part": check.part, "status": check.status, "message": check.message}
                for check in report.of(section)
            ],
        }
        for section in report.sections
    }
    return {
        "ok": report.good,
        "conclusion": report.conclusion,
        "envelopeSha256": report.envelope_sha256,
        **sections,
    }


def show(report: VerificationReport, console: Console) -> None:
    """Print a readable report: the verdict of each section, and every fault by its name."""

    def say(text: str, style: str | None = None) -> None:
        console.print(text, style=style, markup=False, soft_wrap=True)

    for section in report.sections:
        title, *lines = _lines(section, report.of(section))
        say(title, "green" if title.startswith("OK") else "bold red")
        for line in lines:
            say(line)
    say(report.conclusion, "bold")


def _lines(section: Section, checks: list[VerificationCheck]) -> list[str]:
    from fairwitness.evidence.verification_report import finest

    faults = finest(checks)
    if section == "digests" and not faults:
        return [f"OK      digests: {len(checks)} match"]
    shown = faults if section == "digests" else [c for c in checks if c in faults or not c.bad]
    unknown = any(check.status == "unknown_signer" for check in faults)
    mark = "UNKNOWN" if unknown else "FAILED" if faults else "OK"
    return [f"{mark:<7} {section}", *map(_line, shown)]


def _line(check: VerificationCheck) -> str:
    status = (
        ""
        if check.status in {"ok", "failed", "unknown_signer"}
        else f"{check.status.replace('_', ' ')}: "
    )
    return f"  {check.part}: {status}{check.message}"


def _read(file: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise InvalidRequest(details=[f"cannot read {file}: {error.strerror}"]) from None
