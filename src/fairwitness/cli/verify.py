"""`fairwitness verify`: checks an evidence file offline and says what holds, what does not, and where."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import App, Parameter
from rich.console import Console

from fairwitness import settings
from fairwitness.evaluator import Evaluator
from fairwitness.evidence.canonical import BadDocument
from fairwitness.evidence.envelope import PublicKey
from fairwitness.evidence.keys import Keyring, parse_public_keys
from fairwitness.evidence.report import SECTIONS, Check, Report, Section, finest
from fairwitness.evidence.verify import verify as verify_document

GOOD, FAILED, BAD_INPUT = 0, 1, 2

app = App(name="verify", help="Check an Arena evidence file: signature, digests, recomputation.")


@app.default
def verify(
    file: Path,
    /,
    *,
    key: Annotated[
        str | None,
        Parameter(help="A keys.json, a public key in PEM, or the id of a key kept here."),
    ] = None,
    json: Annotated[bool, Parameter(negative=(), help="Print the report as JSON.")] = False,
) -> int:
    """Check FILE (an arena-evidence answer; - for standard input).

    Exits 0 where everything holds, 1 where something does not, 2 where the input cannot be read.
    """
    try:
        document = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        report = verify_document(document, public_keys(key), Evaluator.shipped())
    except OSError as error:
        return _refuse(f"{error.filename}: {error.strerror}")
    except (BadDocument, settings.SettingsError) as error:
        return _refuse(str(error))
    if json:
        print(report_json(report))
    else:
        _show(report)
    return GOOD if report.good else FAILED


def public_keys(key: str | None) -> list[PublicKey]:
    """Return the keys to check against: those of a file, the one kept here by that id, or all kept here."""
    if key is not None and Path(key).is_file():
        try:
            return parse_public_keys(Path(key).read_bytes())
        except BadDocument as error:
            raise BadDocument(f"--key {key}: {error}") from None
    kept = Keyring(settings.load()).public_keys()
    if key is None:
        return kept
    chosen = [entry for entry in kept if entry.keyid == key]
    if not chosen:
        raise BadDocument(f"--key {key}: neither a file nor the id of a key kept here")
    return chosen


def report_json(report: Report) -> str:
    """Return the report as one JSON object; each section carries its own verdict."""
    sections = {
        section: {
            "ok": not any(check.bad for check in report.of(section)),
            "checks": [
                {"part": check.part, "status": check.status, "message": check.message}
                for check in report.of(section)
            ],
        }
        for section in SECTIONS
    }
    content = msgspec.json.encode({"ok": report.good, **sections})
    return msgspec.json.format(content, indent=2).decode()


def _refuse(message: str) -> int:
    print(f"fairwitness verify: {message}", file=sys.stderr)
    return BAD_INPUT


def _show(report: Report) -> None:
    console = Console(markup=False, highlight=False, soft_wrap=True)
    for section in SECTIONS:
        for line in _lines(section, report.of(section)):
            bad = line.startswith("FAILED")
            console.print(line, style="bold red" if bad else "green" if line[0] != " " else None)
    faults = len(report.faults())
    told = "everything holds" if report.good else f"{faults} check{'s'[: faults != 1]} failed"
    console.print(told, style="bold")


def _lines(section: Section, checks: list[Check]) -> list[str]:
    faults = finest(checks)
    if section == "digests" and not faults:
        return [f"OK      digests: {len(checks)} parts of the body are as signed"]
    word = "FAILED" if faults else "OK"
    told = (
        faults
        if section == "digests"
        else [check for check in checks if check in faults or not check.bad]
    )
    return [f"{word:<7} {section}", *map(_line, told)]


def _line(check: Check) -> str:
    status = "" if check.status in {"ok", "failed"} else f"{check.status.replace('_', ' ')}: "
    return f"  {check.part}: {status}{check.message}"
