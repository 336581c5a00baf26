"""The page's verifier, run in Node, finds in every tampered file what ours finds, by the same names."""

from __future__ import annotations

import base64
import copy
import json
import shutil
import subprocess
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from fairwitness.contract.results import ArenaEvidenceResult
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Signer
from fairwitness.evidence.canonical import BadDocument, canonical
from fairwitness.evidence.verification_report import SECTIONS, UNKNOWN_SIGNER, finest
from fairwitness.evidence.verify import verify

pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js"),
]

RUNNER = """
import { readFileSync } from "node:fs";
import { BadDocument, finest, verifyEvidence } from "./evidence.js";
const { keys, documents } = JSON.parse(readFileSync(0, "utf8"));
const told = [];
for (const document of documents) {
  try {
    const report = await verifyEvidence(Buffer.from(document, "base64"), keys);
    told.push([
      finest(report.signature.checks).map((check) => check.part),
      finest(report.digests.checks).map((check) => check.part),
      report.unknownSigner ? ["unknown signer"] : [],
    ]);
  } catch (error) {
    if (!(error instanceof BadDocument)) throw error;
    told.push("refused");
  }
}
console.log(JSON.stringify(told));
"""


def in_node(tmp_path: Path, signer: Signer, documents: list[bytes]) -> list[Any]:
    for name in ("evidence.js", "strict-json.js"):
        source = resources.files("fairwitness.web").joinpath(name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(source, encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "run.js").write_text(RUNNER)
    public = signer.public
    keys = [{"keyid": public.keyid, "publicKey": base64.b64encode(public.raw).decode()}]
    given = {"keys": keys, "documents": [base64.b64encode(one).decode() for one in documents]}
    done = subprocess.run(
        ["node", "--no-warnings", "run.js"],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: list[Any] = json.loads(done.stdout)
    return told


def here(signer: Signer, evaluator: Evaluator, document: bytes) -> Any:
    try:
        report = verify(document, [signer.public], evaluator)
    except BadDocument:
        return "refused"
    unknown = ["unknown signer"] if report.conclusion == UNKNOWN_SIGNER else []
    found = [[check.part for check in finest(report.of(section))] for section in SECTIONS[:2]]
    return [*found, unknown]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in steps:
        yield (*path, key)
        if isinstance(member, dict | list):
            yield from places(member, (*path, key))


def tampered(document: bytes) -> Iterator[bytes]:
    original = json.loads(document)
    for number, path in enumerate(places(original)):
        changed = copy.deepcopy(original)
        holder = changed
        for key in path[:-1]:
            holder = holder[key]
        if number % 3 == 0:
            holder[path[-1]] = [holder[path[-1]], 0.5, -0.0, 1e-7, "é\u2028\x7f😀"]
        elif number % 3 == 1 and isinstance(holder, dict):
            holder["new.key"] = holder.pop(path[-1])
        else:
            del holder[path[-1]]
        # Written two ways: as signed answers are, and as Python does, which spells some numbers otherwise.
        yield canonical(changed) if number % 2 else json.dumps(changed).encode()
    signature = original["evidence"]["signatures"][0]
    for sig in (signature["sig"][:-3] + "B==", "A" * 86 + "==", signature["sig"] + "\n", ""):
        yield json.dumps(
            {
                **original,
                "evidence": {**original["evidence"], "signatures": [{**signature, "sig": sig}]},
            }
        ).encode()
    yield json.dumps({**original, "results": original["results"][::-1]}).encode()
    yield json.dumps(original, indent=2, sort_keys=True).encode()


def spelt(document: bytes) -> Iterator[bytes]:
    for number in (
        *("1234.0", "1.234e3", "1234.0000000000000001", "1235", "0x4d2", "01234", "1234."),
        *("1e400", "9007199254740993", "0.1", "0.10000000000000001", "-0", "1234e0", "NaN"),
        *("1e-400", "1.2340e+3", "12340e-1", "9" * 500, "1234E0", "-0.0", "1.5e300"),
    ):
        yield document.replace(b'"latencyMs":1234', b'"latencyMs":' + number.encode())
    yield document.replace(b'"model":', b'"model":1,"\\u006dodel":', 1)
    yield document.replace(b"Sunlight", b"Sun\\ud800light")
    yield document.replace(b"Sunlight", b"\\u0053unlight")
    yield document.replace(b"Sunlight", b"Sun\nlight")
    yield document.replace(b'"summary":', b'"__proto__":{"polluted":1.0},"summary":')
    yield document.replace(b'"summary":', b'"odd key":[[1.0],{"1":2.0,"0":3.50}],"summary":')
    yield document.replace(b'"rank":1,', b'"rank":1.0,')
    yield document.replace(b'"signatures":', b'"n":1.0,"signatures":')
    yield document.replace(b'"summary":', b'"summary":' + b"[" * 40 + b"]" * 40 + b',"x":', 1)
    yield document[:-1]
    yield document + b"}"
    yield document + b" \n\t\r"
    yield b"\xef\xbb\xbf" + document
    yield b"\xff" + document
    yield from (b"", b"{}", b"[]", b"null", b'"', b'{"evidence":0}', b'{"a":1,}', b"[1,]")


def test_both_verifiers_say_the_same(
    tmp_path: Path, document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    documents = [document, *tampered(document), *spelt(document)]
    theirs = in_node(tmp_path, signer, documents)
    ours = [here(signer, evaluator, one) for one in documents]
    for one, mine, other in zip(documents, ours, theirs, strict=True):
        assert _sorted(mine) == _sorted(other), one[:4000]
    assert ours[0] == [[], [], []]
    assert len(documents) > 150


def _sorted(told: Any) -> Any:
    return told if told == "refused" else [sorted(parts) for parts in told]


def test_another_key_and_a_contradicting_signer_are_found_there_too(
    tmp_path: Path, answer: ArenaEvidenceResult, document: bytes, signer: Signer
) -> None:
    import msgspec
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    original = json.loads(document)
    payload = base64.b64decode(answer.evidence.payload)
    forged = Signer(Ed25519PrivateKey.generate()).seal(payload)
    statement = json.loads(payload)
    statement["predicate"]["results"][0]["model"] = "better"
    lying = signer.seal(canonical(statement))
    told = in_node(
        tmp_path,
        signer,
        [
            canonical({**original, "evidence": msgspec.to_builtins(envelope)})
            for envelope in (forged, lying)
        ],
    )
    assert told == [
        [["evidence.signatures[0].keyid"], [], ["unknown signer"]],
        [[], ["results[0].model"], []],
    ]
