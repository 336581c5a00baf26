"""Every key and value of an evidence file, changed in turn: each change is found, and named where it is."""

from __future__ import annotations

import base64
import copy
import json
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.contract.results import ArenaEvidenceResult
from fairwitness.evaluator import Evaluator
from fairwitness.evidence import Signer
from fairwitness.evidence.canonical import BadDocument, canonical, read
from fairwitness.evidence.verification_report import VerificationReport
from fairwitness.evidence.verify import verify

Path = tuple[str | int, ...]


def everywhere(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Walk every value of a document, the root excepted."""
    steps: Any = ()
    if isinstance(value, dict):
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    for key, member in steps:
        yield (*path, key), member
        yield from everywhere(member, (*path, key))


def others(value: Any) -> Iterator[Any]:
    """Yield values that differ from one, some only just."""
    if isinstance(value, bool):
        yield from (not value, int(value), None)
    elif isinstance(value, int | float):
        yield from (value + 1, value + 0.0625, -value - 1, str(value), None)
    elif isinstance(value, str):
        yield from (value + " ", value[:-1], value + "\u200b", None, [value])
    elif isinstance(value, list):
        yield from ([*value, 0], value[1:], {"0": value})
        yield value[::-1]
    elif isinstance(value, dict):
        yield from ({**value, "added": 1}, {}, list(value))
    else:
        yield from (0, "", False)


def put(document: Any, path: Path, value: Any) -> Any:
    changed = copy.deepcopy(document)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return changed


def rename(document: Any, path: Path) -> Any:
    changed = copy.deepcopy(document)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[f"{path[-1]}_"] = holder.pop(path[-1])
    return changed


def named(path: Path) -> list[str]:
    """Return the parts by whose name a change at this path may be reported: it, or what holds it."""
    text = str(path[0])
    found = [text]
    for key in path[1:]:
        text += f"[{key}]" if isinstance(key, int) else f".{key}"
        found.append(text)
    return found


def check(changed: Any, keys: Any, evaluator: Evaluator) -> list[str]:
    """Return the names of all faults found."""
    try:
        # Not in canonical form, which takes longer to write and need not be: see below.
        report = verify(msgspec.json.encode(changed), keys, evaluator)
    except BadDocument as refusal:
        return [str(refusal).partition(":")[0]]
    assert not report.good, "the change was not found"
    return [fault.part for fault in report.faults()]


def assert_named(path: Path, faults: list[str]) -> None:
    if path[0] == "evidence":
        assert any(fault.startswith("evidence") for fault in faults), faults
        return
    # At least the member of the answer, of its request or of its result that was touched.
    depth = {"results": 3, "request": 2}.get(str(path[0]), 1)
    member = named(path)[:depth][-1]
    assert any(fault.rstrip("_").startswith(member) for fault in faults), (path, faults)


def test_the_untouched_file_holds(document: bytes, signer: Signer, evaluator: Evaluator) -> None:
    assert verify(document, [signer.public], evaluator).good


def test_every_value_changed_is_found_and_named(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    original = json.loads(document)
    count = 0
    for path, value in everywhere(original):
        # Deep inside an evaluation one digest guards all; one change of each value shows that.
        for other in list(others(value))[: 1 if len(path) > 4 else None]:
            if canonical(other) == canonical(value):
                continue
            assert_named(path, check(put(original, path, other), [signer.public], evaluator))
            count += 1
    assert count > 300


def test_every_key_renamed_or_removed_is_found_and_named(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    original = json.loads(document)
    keys = [path for path, _ in everywhere(original) if isinstance(path[-1], str)]
    for path in keys:
        removed = copy.deepcopy(original)
        holder = removed
        for key in path[:-1]:
            holder = holder[key]
        del holder[path[-1]]
        assert_named(path, check(removed, [signer.public], evaluator))
        # Deep inside one change is enough, as above: a missing key is harder to see than a strange one.
        if len(path) <= 4:
            assert_named(path, check(rename(original, path), [signer.public], evaluator))
    assert len(keys) > 100


def test_an_added_key_is_named(document: bytes, signer: Signer, evaluator: Evaluator) -> None:
    original = json.loads(document)
    places: list[tuple[Path, str]] = [
        (("note",), "note"),
        (("body",), '["body"]'),
        (("\x1b[2J",), '["\\u001b[2J"]'),
        (("results", 0, "note"), "results[0].note"),
        (("results", 0, "evaluation", "note"), "results[0].evaluation"),
        (("request", "privacyAcknowledged"), "request.privacyAcknowledged"),
        (("summary", "winner"), "summary"),
        (("evidence", "note"), 'evidence["note"]'),
        (("evidence", "signatures", 0, "note"), 'evidence.signatures[0]["note"]'),
    ]
    for path, name in places:
        assert name in check(put(original, path, "x"), [signer.public], evaluator)


def test_reordered_results_and_swapped_responses_are_named(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    original = json.loads(document)
    turned = put(original, ("results",), original["results"][::-1])
    faults = check(turned, [signer.public], evaluator)
    assert {"results[0].providerId", "results[2].providerId"} <= set(faults)
    first, last = original["results"][0]["response"], original["results"][2]["response"]
    swapped = put(original, ("results", 0, "response"), last)
    swapped["results"][2]["response"] = first
    faults = check(swapped, [signer.public], evaluator)
    assert {"results[0].response", "results[2].response"} <= set(faults)
    # Swapped together with their evaluations, each is still judged rightly: only digests tell.
    pairs = copy.deepcopy(original)
    for member in ("response", "evaluation", "finishReason"):
        pairs["results"][0][member] = original["results"][2][member]
        pairs["results"][2][member] = original["results"][0][member]
    faults = check(pairs, [signer.public], evaluator)
    assert {"results[0].response", "results[2].evaluation"} <= set(faults)


def spellings(number: float) -> list[str]:
    """Return other ways to write the same number."""
    plain = canonical(number).decode()
    zeros = f"{plain}0" if "." in plain and "e" not in plain else f"{Decimal(plain):f}"
    found = [
        f"{number:.17g}",
        f"{Decimal(plain):E}",
        f"{plain}.0",
        f"{plain}e0",
        f"{plain}E+0",
        zeros,
    ]
    return sorted({one for one in found if _is_number(one) and float(one) == number} - {plain})


def _is_number(literal: str) -> bool:
    try:
        return not isinstance(json.loads(literal), str)
    except ValueError:
        return False


def test_a_number_spelt_otherwise_is_the_same_number(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    original = json.loads(document)
    count = 0
    for path, value in everywhere(original):
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        for literal in spellings(value):
            marked = canonical(put(original, path, "here"))
            changed = marked.replace(b'"here"', literal.encode())
            assert json.loads(changed) == original
            # Reading and comparing are what is tested: to recompute each would take minutes.
            assert canonical(read(changed)) == document
            count += 1
    assert count > 200


@pytest.mark.parametrize("tool", ["json.dump", "jq"])
def test_a_file_written_again_by_a_common_tool_verifies(
    tool: str, document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    if tool == "json.dump":
        again = json.dumps(json.loads(document, parse_int=float), indent=2).encode()
    elif shutil.which("jq"):
        again = subprocess.run(["jq", "."], input=document, capture_output=True, check=True).stdout
    else:
        # As jq 1.6 writes them: 17 digits, and exponents of two digits.
        again = re.sub(rb"(\d+\.\d+)(?=[,}\]])", lambda m: f"{float(m[0]):.17g}".encode(), document)
        again = again.replace(b"1.23e-7", b"1.23e-07")
    assert again != document
    assert verify(again, [signer.public], evaluator).faults() == []


def test_a_number_changed_in_a_far_place_is_found(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    keys = [signer.public]
    assert b'"latencyMs":1234,' in document
    report = verify(document.replace(b"1.23e-7", b"1.230001e-7"), keys, evaluator)
    assert "results[0].usage" in [fault.part for fault in report.faults()]
    with pytest.raises(BadDocument, match=r"1234\.00000000000000000001"):
        verify(document.replace(b":1234,", b":1234.00000000000000000001,"), keys, evaluator)


def test_the_answer_is_sent_with_every_number_in_its_one_spelling(
    answer: ArenaEvidenceResult, document: bytes
) -> None:
    assert canonical(json.loads(document)) == document
    # The plain encoder writes 100.0 for 100: the same value, but not the bytes held to.
    assert msgspec.json.encode(answer) != document


@pytest.mark.parametrize("key", ["contractVersion", "keyid", "prompt", "evaluationId"])
def test_repeated_keys_are_refused(
    document: bytes, signer: Signer, evaluator: Evaluator, key: str
) -> None:
    member = f'"{key}":'.encode()
    assert member in document
    twice = document.replace(member, member + b'"1.0.0",' + member, 1)
    with pytest.raises(BadDocument, match=f'"{key}" appears twice'):
        verify(twice, [signer.public], evaluator)


def test_every_bit_of_the_statement_counts(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    original = json.loads(document)
    statement = json.loads(base64.b64decode(original["evidence"]["payload"]))
    for path, value in everywhere(statement):
        # The signature is over the bytes, whatever they say: one change of each value shows that.
        for other in list(others(value))[:1]:
            payload = base64.b64encode(canonical(put(statement, path, other))).decode()
            changed = put(original, ("evidence", "payload"), payload)
            faults = check(changed, [signer.public], evaluator)
            assert "evidence.signatures[0].sig" in faults


def test_every_character_of_the_envelope_counts(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    original = json.loads(document)
    places: list[Path] = [("evidence", "signatures", 0, "sig"), ("evidence", "payload")]
    for path in places:
        text: str = original
        for key in path:
            text = text[key]  # type: ignore[index]
        for index in [*range(0, len(text), 97), *range(len(text) - 4, len(text))]:
            new = "A" if text[index] != "A" else "B"
            changed = put(original, path, text[:index] + new + text[index + 1 :])
            faults = check(changed, [signer.public], evaluator)
            assert any(fault.startswith("evidence") for fault in faults)


def test_a_statement_signed_by_another_key_is_no_evidence(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    original = json.loads(document)
    forger = Signer(Ed25519PrivateKey.generate())
    envelope = forger.seal(base64.b64decode(original["evidence"]["payload"]))
    forged = put(
        original,
        ("evidence", "signatures"),
        [{"keyid": envelope.signatures[0].keyid, "sig": envelope.signatures[0].sig}],
    )
    assert check(forged, [signer.public], evaluator) == ["evidence.signatures[0].keyid"]
    forged["evidence"]["signatures"][0]["keyid"] = signer.public.keyid
    assert check(forged, [signer.public], evaluator) == ["evidence.signatures[0].sig"]


def test_a_signer_who_contradicts_the_body_is_named(
    document: bytes, signer: Signer, evaluator: Evaluator
) -> None:
    original = json.loads(document)
    statement = json.loads(base64.b64decode(original["evidence"]["payload"]))
    cases: list[tuple[Path, Any, str]] = [
        (("predicate", "requestId"), "x", "requestId"),
        (("predicate", "providers"), ["provider_a"], "request.providers"),
        (("predicate", "protocol", "version"), "9", "protocolVersion"),
        (("predicate", "evaluator", "version"), "9", "evaluatorVersion"),
        (("predicate", "results", 0, "model"), "better", "results[0].model"),
        (("predicate", "results", 0, "truncated"), True, "results[0].truncated"),
        (("predicate", "results", 1, "error", "code"), "too_large", "results[1].error"),
        (("predicate", "results", 2, "usage", "costUsd"), 1, "results[2].usage"),
        (("predicate", "evidenceContractVersion"), "2.0.0", "evidence.payload"),
        (("predicateType",), "urn:other", "evidence.payload"),
        (("subject",), [], "evidence.payload"),
        (("subject",), statement["subject"] * 2, "evidence.payload"),
        (("subject",), statement["subject"][:-1], "request.providers"),
        (("note",), 1, "evidence.payload"),
    ]
    for path, value, part in cases:
        envelope = signer.seal(canonical(put(statement, path, value)))
        changed = {**original, "evidence": msgspec.to_builtins(envelope)}
        faults = check(changed, [signer.public], evaluator)
        assert any(fault.startswith(part) for fault in faults), (path, faults)
    spaced = signer.seal(json.dumps(statement).encode())
    changed = {**original, "evidence": msgspec.to_builtins(spaced)}
    assert check(changed, [signer.public], evaluator) == ["evidence.payload"]


def _shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        members = [(key, _shuffled(member, chance)) for key, member in value.items()]
        chance.shuffle(members)
        return dict(members)
    if isinstance(value, list):
        return [_shuffled(member, chance) for member in value]
    return value


@settings(deadline=None, max_examples=25)
@given(chance=st.randoms(use_true_random=False), indent=st.none() | st.integers(0, 4))
def test_white_space_and_key_order_do_not_matter(
    document: bytes, signer: Signer, evaluator: Evaluator, chance: random.Random, indent: int | None
) -> None:
    same = json.dumps(
        _shuffled(json.loads(document), chance), indent=indent, ensure_ascii=chance.random() < 0.5
    ).replace("1.23e-07", "1.23e-7")  # Python's spelling of the one small number there
    assert verify(f"\n {same}\t".encode(), [signer.public], evaluator).good


@settings(deadline=None, max_examples=100)
@given(data=st.data())
def test_any_byte_changed_never_breaks_the_verifier_nor_passes_as_another_answer(
    document: bytes, signer: Signer, evaluator: Evaluator, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(document) - 1))
    changed = document[:index] + bytes([data.draw(st.integers(0, 255))]) + document[index + 1 :]
    try:
        report: VerificationReport = verify(changed, [signer.public], evaluator)
    except BadDocument:
        return
    assert report.good == (as_written(changed) == as_written(document))


def as_written(document: bytes) -> Any:
    """Return what a file holds, numbers as they are spelt."""
    return json.loads(document, parse_int=str, parse_float=str)


@settings(deadline=None)
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["evidence", "results", "request", "payload", "signatures", "prompt"]
                ),
                inner,
            )
        ),
    )
)
def test_any_json_is_refused_in_words(signer: Signer, evaluator: Evaluator, value: Any) -> None:
    with suppress(BadDocument):
        assert not verify(json.dumps(value).encode(), [signer.public], evaluator).good
