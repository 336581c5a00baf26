"""The client of `perf.million`: sends each request on a kept connection or one of its own, and holds the answer to what it promises."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from perf.hostile_client_kinds import statuses
from perf.million_requests import Then, Trial

# A client of ours waits this long for an answer, then calls it lost.
PATIENCE_S = 90.0
# The server closes connections that are idle for long: one that is not used for this long is not used again.
IDLE_S = 2.0
KEPT_FAULTS, KEPT_DOCUMENTS = 3, 100


@dataclass(frozen=True)
class Answer:
    """One answer off the wire."""

    status: int
    head: bytes
    body: bytes


class Lost(Exception):
    """A request that was owed an answer and got none, or none in time."""


@dataclass
class Tally:
    """What the requests met with; `same` maps a text to the digest of its evaluation."""

    same: dict[str, bytes]
    by_kind: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    sent: Counter[str] = field(default_factory=Counter)
    # Number of the request and what was wrong with it; the first few of each sort are kept, all are counted.
    faults: list[tuple[int, str]] = field(default_factory=list)
    fault_count: int = 0
    lost: int = 0
    repeated: int = 0
    feedback: set[str] = field(default_factory=set)
    paid_items: int = 0
    paid_micro_usd: int = 0
    documents: list[bytes] = field(default_factory=list)
    evaluation_s: list[float] = field(default_factory=list)

    def fault(self, number: int, trial: Trial, what: str, answer: Answer | None = None) -> None:
        """Note that a request was not answered as it must be, and under which id the server logged it."""
        self.fault_count += 1
        told = f"{trial.kind}: {what}"
        if sum(known.startswith(told) for _, known in self.faults) < KEPT_FAULTS:
            self.faults.append((number, f"{told}{_logged_as(answer)}"))

    def add(self, other: Tally) -> None:
        """Take in what another client's requests met with."""
        for kind, answered in other.by_kind.items():
            self.by_kind[kind].update(answered)
        self.sent.update(other.sent)
        self.faults += other.faults
        for name in ("fault_count", "lost", "repeated", "paid_items", "paid_micro_usd"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.feedback |= other.feedback
        self.documents = (self.documents + other.documents)[:KEPT_DOCUMENTS]
        self.evaluation_s += other.evaluation_s
        self.compare(other.same, self.same)

    def compare(self, seen: dict[str, bytes], known: dict[str, bytes]) -> None:
        """Hold the evaluations another client or server got to those that are known, and add the new ones to these."""
        for text, digest in seen.items():
            first = known.setdefault(text, digest)
            self.repeated += first is not digest
            if first != digest:
                self.fault_count += 1
                self.faults.append((-1, f"text {text}: not the evaluation it had elsewhere"))

    def check(self, trial: Trial, answer: Answer) -> str:
        """Hold an answer with an allowed status to what it promises; return what is wrong."""
        if answer.status >= 400:
            return "" if trial.bodiless else _error_fault(answer)
        if trial.check == "evaluation":
            return self._same(trial, answer)
        if trial.check == "feedback":
            self.feedback.add(msgspec.json.decode(answer.body)["feedbackId"])
        elif trial.check:
            return self._paid(trial, answer)
        return ""

    def _same(self, trial: Trial, answer: Answer) -> str:
        told = msgspec.json.decode(answer.body)
        for name in ("requestId", "completedAt"):
            del told[name]
        del told["evaluation"]["evaluationId"]
        digest = hashlib.sha256(msgspec.json.encode(told)).digest()
        first = self.same.setdefault(trial.text, digest)
        self.repeated += first is not digest
        return "" if first == digest else "not the evaluation this text had before"

    def _paid(self, trial: Trial, answer: Answer) -> str:
        body = answer.body
        if trial.check == "events":
            body = body.rpartition(b"event: arena\ndata: ")[2].strip()
        told: dict[str, Any] = msgspec.json.decode(body)
        for item in told["results"]:
            if item["status"] != "completed":
                return f"a provider's part failed: {item['error']['code']}"
            self.paid_items += 1
            self.paid_micro_usd += round(item["usage"]["costUsd"] * 1e6)
        if trial.check == "evidence" and len(self.documents) < KEPT_DOCUMENTS:
            self.documents.append(body)
        return ""


def _logged_as(answer: Answer | None) -> str:
    _, found, rest = (answer.head if answer else b"").partition(b"\r\nx-request-id: ")
    request_id = rest.split(b"\r\n", 1)[0].decode()
    return f" (request id {request_id})" if found else ""


def _error_fault(answer: Answer) -> str:
    try:
        error = msgspec.json.decode(answer.body)["error"]
        sound = bool(error["code"] and error["message"])
    except (msgspec.DecodeError, KeyError, TypeError):
        sound = False
    if not sound:
        return f"{answer.status} without the error shape"
    if answer.status == 503 and b"\r\nretry-after: " not in answer.head:
        return "" if error["code"] == "kill_switch_active" else "503 without Retry-After"
    return ""


class Lane:
    """One client that sends one request after another."""

    def __init__(self, port: int, key: bytes) -> None:
        """Speak to this port; `key` is the API key with a small quota."""
        self._port, self._key = port, key
        self._kept: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._used = 0.0

    async def send(self, trial: Trial) -> list[Answer]:
        """Send one request and return its answers; raise Lost where one that is owed does not come."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await (self._alone(trial) if trial.alone else self._on_kept(trial))
        except TimeoutError:
            self.close()
            raise Lost(f"no answer in {PATIENCE_S:.0f} s") from None
        except (OSError, asyncio.IncompleteReadError) as error:
            self.close()
            raise Lost(f"connection lost ({type(error).__name__})") from None

    def close(self) -> None:
        """Hang up."""
        if self._kept is not None:
            self._kept[1].close()
            self._kept = None

    async def _on_kept(self, trial: Trial) -> list[Answer]:
        if time.monotonic() - self._used > IDLE_S:
            self.close()
        if self._kept is None:
            self._kept = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._kept
        writer.write(trial.pieces[0].replace(b"{KEY}", self._key))
        await writer.drain()
        answers = [await _read(reader, trial.bodiless) for _ in range(trial.answers)]
        self._used = time.monotonic()
        if b"\r\nconnection: close" in answers[-1].head:
            self.close()
        return answers

    async def _alone(self, trial: Trial) -> list[Answer]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            for piece in trial.pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(trial.pause_s)
            if trial.then is Then.DROP:
                writer.transport.abort()
                return []
            if trial.then is Then.READ:
                return [await _read(reader, trial.bodiless)]
            if trial.then is Then.HALF_CLOSE:
                writer.write_eof()
            told = await reader.read(-1)
        finally:
            writer.close()
        found = statuses(told)
        if trial.answers and not found:
            raise Lost("closed without an answer")
        head, _, body = told.partition(b"\r\n\r\n")
        # Only a single answer's body is known to be its own.
        return (
            [Answer(found[0], head.lower() + b"\r\n", body)]
            if len(found) == 1
            else [Answer(status, b"", b"") for status in found]
        )


async def _read(reader: asyncio.StreamReader, bodiless: bool) -> Answer:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    status = int(head[9:12])
    if status < 200:
        return await _read(reader, bodiless)
    if b"\r\ntransfer-encoding: chunked" in head:
        body = b""
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
        return Answer(status, head, body)
    at = head.find(b"\r\ncontent-length:")
    length = int(head[at + 17 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
    return Answer(status, head, b"" if bodiless else await reader.readexactly(length))


async def meet(
    lane: Lane, number: int, trial: Trial, tally: Tally, refusing: Callable[[], set[bool]]
) -> None:
    """Send one request and note how it was answered; `refusing` tells whether runs are refused now (both: it turns)."""
    before, began = refusing(), time.perf_counter()
    tally.sent[trial.kind] += 1
    try:
        answers = await lane.send(trial)
    except Lost as lost:
        tally.lost += 1
        tally.fault(number, trial, str(lost))
        return
    allowed = trial.allowed
    if trial.check in {"paid", "evidence", "events"}:
        states = before | refusing()
        allowed = (trial.allowed if False in states else frozenset()) | (
            {503} if True in states else set()
        )
    if trial.check == "evaluation":
        tally.evaluation_s.append(time.perf_counter() - began)
    tally.by_kind[trial.kind].update([answer.status for answer in answers])
    if not answers:
        tally.by_kind[trial.kind][0] += 1
    odd = [answer for answer in answers if answer.status not in allowed]
    if odd:
        tally.fault(number, trial, f"answered {[answer.status for answer in odd]}", odd[0])
    elif len(answers) == 1 and answers[0].head and (wrong := tally.check(trial, answers[0])):
        tally.fault(number, trial, wrong, answers[0])
