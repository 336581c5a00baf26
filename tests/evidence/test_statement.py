"""The statement binds the very objects that are returned, and the schema describes what is sent."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import jsonschema
import msgspec
import pytest

from fairwitness.contract.results import ArenaEvidenceResult, ArenaRequestEcho, ArenaResult, Usage
from fairwitness.evaluator import Evaluator, protocol
from fairwitness.evaluator.version import code_digest, model_digest
from fairwitness.evidence import Signer, witness
from fairwitness.evidence.runtime import describe, read_cpuinfo
from fairwitness.evidence.schema import evidence_schema, schema_json
from fairwitness.evidence.statement import digests, step


def statement(answer: ArenaEvidenceResult) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(base64.b64decode(answer.evidence.payload))
    return content


def test_every_part_asked_for_is_bound(answer: ArenaEvidenceResult, evaluator: Evaluator) -> None:
    said = statement(answer)
    bound = {entry["name"] for entry in said["subject"]}
    assert {
        *("body", "request", "request.prompt", "request.providers", "results", "summary"),
        *("results[0].response", "results[0].evaluation", "results[0].usage"),
        *("results[1].error", "results[1].providerId", "results[2].truncated"),
        *("requestId", "completedAt", "protocolVersion", "evaluatorVersion", "contractVersion"),
    } <= bound
    predicate = said["predicate"]
    assert predicate["evidenceContractVersion"] == "1.0.0"
    assert predicate["protocol"]["digest"]["sha256"] == evaluator.protocol.digest
    assert predicate["evaluator"]["code"]["sha256"] == code_digest()
    model = predicate["evaluator"]["model"]
    assert (model and model["sha256"]) == model_digest()
    assert [run["status"] for run in predicate["results"]] == ["completed", "failed", "completed"]
    assert predicate["results"][0]["usage"]["costUsd"] == 1.23e-7
    assert predicate["results"][1]["error"]["code"] == "timeout"


def test_the_digests_are_those_of_the_bytes_sent(
    answer: ArenaEvidenceResult, document: bytes
) -> None:
    body = json.loads(document)
    del body["evidence"]
    signed = {entry["name"]: entry["digest"]["sha256"] for entry in statement(answer)["subject"]}
    assert digests(body) == signed
    prompt = json.dumps(body["request"]["prompt"], ensure_ascii=False).encode()
    assert signed["request.prompt"] == hashlib.sha256(prompt).hexdigest()


def test_the_answer_carries_the_same_objects(
    arena: ArenaResult, evaluator: Evaluator, signer: Signer
) -> None:
    request = ArenaRequestEcho(prompt="Why?", providers=["provider_a"])
    answer = witness(arena, request, evaluator, signer)
    assert answer.results is arena.results
    assert answer.summary is arena.summary
    assert answer.request is request


def test_another_protocol_signs_the_digest_of_its_own_bytes(
    arena: ArenaResult, signer: Signer
) -> None:
    source = protocol.shipped().source + b"\n# A note of our own.\n"
    own = Evaluator.of(protocol.read(source, "own.toml"))
    request = ArenaRequestEcho(prompt="Why?", providers=["provider_a"])
    said = statement(witness(arena, request, own, signer))
    signed = said["predicate"]["protocol"]["digest"]["sha256"]
    assert signed == hashlib.sha256(source).hexdigest() != protocol.shipped().digest


def test_a_number_without_a_canonical_form_is_not_signed(
    answer: ArenaEvidenceResult, evaluator: Evaluator, signer: Signer
) -> None:
    for usage in (
        Usage(input_tokens=2**60, output_tokens=1, cost_usd=0.0),
        Usage(input_tokens=1, output_tokens=1, cost_usd=float("nan")),
    ):
        item = msgspec.structs.replace(answer.results[0], usage=usage)
        broken = msgspec.structs.replace(answer, results=[item])
        with pytest.raises(ValueError):
            witness(broken, answer.request, evaluator, signer)


def test_the_published_schema_describes_the_answer_and_its_payload(
    answer: ArenaEvidenceResult, document: bytes
) -> None:
    schema = json.loads(schema_json())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    body = json.loads(document)
    validator.validate(body)
    payload = schema["$defs"]["EvidenceEnvelope"]["properties"]["payload"]
    inner = {"$defs": schema["$defs"], **payload["contentSchema"]}
    jsonschema.Draft202012Validator(inner).validate(statement(answer))
    spoils: list[dict[str, Any]] = [{"extra": 1}, {"signatures": []}, {"payload": "not base64!"}]
    for spoiled in spoils:
        assert not validator.is_valid({**body, "evidence": {**body["evidence"], **spoiled}})


def test_the_schema_closes_all_that_is_signed() -> None:
    definitions = evidence_schema()["$defs"]
    for name in ("Statement", "Predicate", "Subject", "Digest", "Runtime", "FailedRun"):
        assert definitions[name]["additionalProperties"] is False, name


def test_paths_of_distinct_keys_are_distinct() -> None:
    assert step("", "results") == "results"
    assert step("results[0]", "usage") == "results[0].usage"
    assert step("", "body") == '["body"]'
    names = ["a.b", "a", "a[0]", "é", "", "a\nb", '"', "1a"]
    assert len({step("x", name) for name in names}) == len(names)
    assert step("x", "a.b") == 'x["a.b"]'


def test_the_runtime_is_described_without_naming_the_host() -> None:
    import platform

    found = describe()
    assert found.python.startswith("CPython ")
    assert found.onnxruntime is not None
    assert platform.node() not in found.cpu


def test_cpu_descriptions_of_both_families_are_read() -> None:
    x86 = ["processor\t: 0", "model name\t: Some CPU", "flags\t\t: fpu avx2 avx512_vnni", ""]
    assert read_cpuinfo([*x86, "model name : Other"]) == (
        "Some CPU",
        frozenset({"fpu", "avx2", "avx512_vnni"}),
    )
    arm = ["processor : 0", "Features : fp asimd asimddp i8mm"]
    assert read_cpuinfo(arm)[1] >= {"asimddp", "i8mm"}
    assert read_cpuinfo([]) == ("unknown", frozenset())
