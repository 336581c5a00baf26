"""The mixed requests of `perf.million`: request N of a seed is always the same bytes, so that one alone can be sent again."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from fairwitness.contract.examples import REQUESTS
from fairwitness.contract.examples_2 import REQUESTS_2
from fairwitness.contract.requests import MAX_BODY_BYTES
from fairwitness.contract.requests_2 import CONTRACT_2
from perf.hostile_client_kinds import SMUGGLED
from perf.sample_texts import prose
from tests.fuzz.mutation import mutated

EVALUATE, EVALUATE_2 = "/api/evaluate-response", "/api/v2/evaluate-response"
PROVIDERS = ["provider_a", "provider_d"]
# Different texts of valid evaluations: few enough that each is asked often, and must get the same answer each time.
TEXTS = 500
# The ledger lists this many callers and a few more.
CALLERS = 80
_ASKED: dict[str, Any] = {"contractVersion": "1.0.0", "privacyAcknowledged": True}
_GETS = ("/", "/docs", "/docs/api", "/docs/security", "/openapi.json", "/docs/keys.json")
_PROBES = ("/healthz", "/readyz")
_ODD_METHODS = "BREW TRACE PUT DELETE PATCH OPTIONS CONNECT get PROPFIND M-SEARCH " + "X" * 40
_ODD_PATHS = (
    "/api/evaluate-response/", "/api%2fevaluate-response", "//api/evaluate-response", "/%00", "/..%2f..%2fetc/passwd",
    "/../../etc/passwd", "/docs/../api", "/" + "a" * 5000, "/?" + "q=1&" * 500, "/docs/nowhere", "*", "/\u00e9", "/api",
    "http://elsewhere.example/api", "/metrics/", "/favicon", "/.git/config", "/wp-login.php", "/healthz%20", "/a b",
)  # fmt: skip
_WRONG_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1e300, 10**40, "", " ", [], {}, [[]], {"a": 1}, "x" * 9000, "\x00", "1.0.1", ["a"] * 300,
)  # fmt: skip
_BROKEN_JSON = (
    b"", b"{", b"}", b"null", b"[]", b'"a"', b"{'a': 1}", b'{"a":1,}', b'{"a":1}{"b":2}', b'{"a":NaN}', b'{"a":01}',
    b"\xff\xfe{}", b'{"prompt":"\xc3\x28"}', b"[" * 5000, b'{"a":' * 2000, b'{"prompt":"a","prompt":"b"}', b"\x00" * 64,
    b"\xef\xbb\xbf{}", b'{"a":"\t"}', b'{"a":1e99999}',
)  # fmt: skip
_WRONG_TYPES = (
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "application/json; charset=utf-16",
    "application/xml", "application/json5", "", "json", "application/json, text/plain", "\x80",
)  # fmt: skip


class Then(Enum):
    """What a client does with its connection once the bytes are sent."""

    READ = "reads the answers"
    HALF_CLOSE = "closes its sending half and reads to the end"
    TO_END = "reads until the server hangs up"
    DROP = "hangs up without reading"


@dataclass(frozen=True)
class Trial:
    """One request of the mix: its bytes in the pieces they are sent in, and the statuses it may be answered with."""

    kind: str
    pieces: tuple[bytes, ...]
    allowed: frozenset[int]
    answers: int = 1
    then: Then = Then.READ
    pause_s: float = 0.0
    # What its answer is held to beside its status: `evaluation`, `feedback`, `paid` or `evidence`.
    check: str = ""
    # Which text it asks about; the same text gets the same evaluation.
    text: str = ""
    bodiless: bool = False

    @property
    def alone(self) -> bool:
        """Whether it needs a connection of its own."""
        return self.then is not Then.READ or len(self.pieces) > 1


# No error of the server's own, whatever was sent.
_ANY = frozenset(range(200, 500))
_REFUSED = frozenset(range(400, 500))
_OK = frozenset({200})
Make = Callable[[random.Random, int], Trial]


def trial(seed: int, number: int) -> Trial:
    """Return request `number` of a seed."""
    dice = random.Random(seed * 1_000_000_007 + number)
    (make,) = dice.choices(_MAKERS, _WEIGHTS)
    return make(dice, number)


def post(path: str, body: bytes, *headers: str, length: int | None = None) -> bytes:
    """Return a POST with these headers after the usual ones."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *headers]
    if not any(line.lower().startswith("content-type") for line in headers):
        lines.append("Content-Type: application/json")
    lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def _get(path: str, *headers: str, method: str = "GET") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *headers]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n"


def _from(dice: random.Random) -> str:
    return f"X-Forwarded-For: 10.0.0.{dice.randrange(CALLERS)}"


def _fields(text: int) -> dict[str, Any]:
    dice = random.Random(text)
    asked = f"Tell me about mill number {text}."
    return {**_ASKED, "prompt": asked, "response": prose(dice.randrange(20, 300), text)}


def _evaluation(dice: random.Random, number: int) -> Trial:
    text = dice.randrange(TEXTS)
    sent = post(EVALUATE, json.dumps(_fields(text)).encode(), _from(dice))
    return Trial("evaluation, contract 1", (sent,), _OK, check="evaluation", text=f"1.{text}")


def _evaluation_2(dice: random.Random, number: int) -> Trial:
    text = dice.randrange(TEXTS)
    fields = {**_fields(text), "contractVersion": CONTRACT_2}
    fields["context"] = [{"id": "a", "text": prose(80, text + 1)}]
    sent = post(EVALUATE_2, json.dumps(fields).encode(), _from(dice))
    return Trial("evaluation, contract 2", (sent,), _OK, check="evaluation", text=f"2.{text}")


def _tool(dice: random.Random, number: int) -> Trial:
    response = _fields(dice.randrange(TEXTS))["response"]
    if dice.random() < 0.5:
        path, fields = (
            "/integrations/promptfoo",
            {"output": response, "context": {"prompt": "Tell me."}},
        )
    else:
        path = "/beta/litellm_basic_guardrail_api"
        fields = {"input_type": "response", "texts": [response]}
    sent = post(path, json.dumps(fields).encode(), _from(dice))
    return Trial("in the shapes of other tools", (sent,), _OK)


def _improvement(dice: random.Random, number: int) -> Trial:
    sent = post("/api/improvement-demo", json.dumps(_fields(dice.randrange(TEXTS))).encode())
    return Trial("improvement demonstration", (sent,), _OK)


def _feedback(dice: random.Random, number: int) -> Trial:
    fields = {**_ASKED, "category": "bug", "message": f"Row {number}. {prose(60, number)}"}
    if dice.random() < 0.3:
        fields |= {"contact": "jane@example.org", "rating": dice.randint(1, 5)}
    sent = post("/api/feedback", json.dumps(fields).encode(), _from(dice))
    return Trial("feedback", (sent,), frozenset({201}), check="feedback")


def _paid(dice: random.Random, number: int) -> Trial:
    fields = {**_ASKED, "prompt": f"Run {number}: how do plants make food?"}
    where = dice.choice(
        ("evaluate", "arena", "arena-evidence", "v2/arena", "v2/arena?evidence=true")
    )
    events = where == "v2/arena" and dice.random() < 0.5
    fields["providerIds" if where == "evaluate" else "providers"] = PROVIDERS
    if where.startswith("v2"):
        fields["contractVersion"] = CONTRACT_2
    headers = [_from(dice), *(["Accept: text/event-stream"] if events else [])]
    sent = post(f"/api/{where}", json.dumps(fields).encode(), *headers)
    check = "evidence" if "evidence" in where else "events" if events else "paid"
    return Trial("paid runs", (sent,), _OK, check=check)


def _refused_run(dice: random.Random, number: int) -> Trial:
    """Ask what was asked before, or with a key that has a quota of three an hour."""
    if dice.random() < 0.5:
        asked, who = "How do plants make food?", "X-Forwarded-For: 10.0.1.1"
    else:
        asked, who = f"Run {number}: how do plants make food?", "x-api-key: {KEY}"
    fields = {**_ASKED, "prompt": asked, "providers": PROVIDERS}
    sent = post("/api/arena", json.dumps(fields).encode(), who)
    return Trial("repeated runs and spent quotas", (sent,), frozenset({200, 429}), check="paid")


def _page(dice: random.Random, number: int) -> Trial:
    method = dice.choice(("GET", "GET", "GET", "HEAD"))
    sent = _get(dice.choice(_GETS), method=method)
    return Trial("page and documents", (sent,), _OK, bodiless=method == "HEAD")


def _probe(dice: random.Random, number: int) -> Trial:
    if dice.random() < 0.03:
        return Trial("health, readiness, metrics", (_get("/metrics"),), _OK)
    return Trial("health, readiness, metrics", (_get(dice.choice(_PROBES)),), _OK)


def _mutated(dice: random.Random, number: int) -> Trial:
    bodies = [json.dumps(one).encode() for one in (*REQUESTS.values(), *REQUESTS_2.values())]
    text = json.dumps(_fields(dice.randrange(TEXTS))).encode()
    path = dice.choice((EVALUATE, EVALUATE_2))
    sent = post(path, mutated(dice.choice([text, *bodies]), bodies, dice), _from(dice))
    return Trial("bodies changed at random", (sent,), _ANY)


def _wrong_value(dice: random.Random, number: int) -> Trial:
    fields = _fields(dice.randrange(TEXTS))
    for _ in range(dice.randint(1, 3)):
        fields[dice.choice([*fields, "unknown"])] = dice.choice(_WRONG_VALUES)
    path = dice.choice(
        (EVALUATE, EVALUATE_2, "/api/feedback", "/api/arena", "/api/improvement-demo")
    )
    return Trial("wrong types and values", (post(path, json.dumps(fields).encode()),), _ANY)


def _surrogates(dice: random.Random, number: int) -> Trial:
    fields = _fields(dice.randrange(TEXTS))
    lone = dice.choice(("\ud800", "\udfff", "a\udc00b", "\udc00\ud800"))
    fields[dice.choice(("prompt", "response"))] = lone
    sent = post(EVALUATE, json.dumps(fields).encode())
    return Trial("lone surrogates", (sent,), frozenset({400}))


def _bad_json(dice: random.Random, number: int) -> Trial:
    path = dice.choice((EVALUATE, EVALUATE_2, "/api/feedback", "/api/arena"))
    return Trial("bad JSON", (post(path, dice.choice(_BROKEN_JSON)),), frozenset({400}))


def _too_large(dice: random.Random, number: int) -> Trial:
    size = MAX_BODY_BYTES + dice.choice((1, 2, 1000, 60_000))
    path, status = dice.choice(((EVALUATE, 413), ("/api/feedback", 400)))
    return Trial("bodies too large", (post(path, b" " * size),), frozenset({status}))


def _wrong_type(dice: random.Random, number: int) -> Trial:
    body = json.dumps(_fields(1)).encode()
    if dice.random() < 0.2:
        sent = post(EVALUATE, body, f"Content-Encoding: {dice.choice(('gzip', 'br', 'x'))}")
    else:
        sent = post(EVALUATE, body, f"Content-Type: {dice.choice(_WRONG_TYPES)}")
    return Trial("wrong content types", (sent,), frozenset({400, 415}))


def _odd(dice: random.Random, number: int) -> Trial:
    """Methods and paths nobody serves; the server hangs up on some of them."""
    if dice.random() < 0.5:
        sent = _get(
            dice.choice(("/", EVALUATE, "/nowhere")), method=dice.choice(_ODD_METHODS.split())
        )
        return Trial("odd methods and paths", (sent,), _REFUSED, then=Then.HALF_CLOSE)
    sent = _get(dice.choice(_ODD_PATHS))
    return Trial("odd methods and paths", (sent,), _ANY, then=Then.HALF_CLOSE)


def _chunked(dice: random.Random, number: int) -> Trial:
    if dice.random() < 0.5:
        sent = dice.choice(SMUGGLED)
        return Trial("bad chunking and lengths", (sent,), frozenset({400}), then=Then.TO_END)
    text = dice.randrange(TEXTS)
    body, parts = json.dumps(_fields(text)).encode(), []
    while body:
        size = dice.choice((1, 3, 17, 400))
        parts.append(b"%x;note=1\r\n%s\r\n" % (len(body[:size]), body[:size]))
        body = body[size:]
    head = f"POST {EVALUATE} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n{_from(dice)}\r\n"
    sent = (
        head.encode()
        + b"Transfer-Encoding: chunked\r\n\r\n"
        + b"".join(parts)
        + b"0\r\nX-T: 1\r\n\r\n"
    )
    return Trial("chunked bodies", (sent,), _OK, check="evaluation", text=f"1.{text}")


def _pipelined(dice: random.Random, number: int) -> Trial:
    count = dice.randint(2, 6)
    sent = b"".join(
        _get(dice.choice(_PROBES)) if dice.random() < 0.8 else post(EVALUATE, b"{}")
        for _ in range(count)
    )
    return Trial("pipelined", (sent,), frozenset({200, 400}), answers=count)


def _mutated_wire(dice: random.Random, number: int) -> Trial:
    whole = (
        _evaluation(dice, number).pieces[0] if dice.random() < 0.5 else _get(dice.choice(_PROBES))
    )
    sent = mutated(whole, SMUGGLED, dice)
    return Trial("requests changed at random", (sent,), _ANY, answers=0, then=Then.HALF_CLOSE)


def _cut_off(dice: random.Random, number: int) -> Trial:
    sent = _evaluation(dice, number).pieces[0]
    sent = sent[: dice.randrange(sent.index(b"\r\n\r\n") + 4, len(sent))]
    return Trial("bodies cut off", (sent,), frozenset({400}), then=Then.HALF_CLOSE)


def _slow(dice: random.Random, number: int) -> Trial:
    whole = _evaluation(dice, number)
    sent = whole.pieces[0]
    if dice.random() < 0.02:  # never finished: the server's patience ends it
        part = sent[: dice.choice((30, len(sent) - 5))]
        return Trial("bodies that never end", (part,), frozenset({400, 408}), then=Then.TO_END)
    step = len(sent) // dice.randint(2, 5) + 1
    pieces = tuple(sent[at : at + step] for at in range(0, len(sent), step))
    return replace(whole, kind="slow bodies", pieces=pieces, pause_s=0.05)


def _dropped(dice: random.Random, number: int) -> Trial:
    sent = _evaluation(dice, number).pieces[0]
    if dice.random() < 0.5:
        sent = sent[: dice.randrange(1, len(sent))]
    return Trial("connections dropped", (sent,), frozenset(), answers=0, then=Then.DROP)


# How many of a thousand requests are of each kind.
MIX: dict[Make, float] = {
    _evaluation: 60,
    _evaluation_2: 30,
    _tool: 6,
    _improvement: 0.5,
    _feedback: 30,
    _paid: 5,
    _refused_run: 4,
    _page: 150,
    _probe: 150,
    _mutated: 120,
    _wrong_value: 100,
    _surrogates: 40,
    _bad_json: 80,
    _too_large: 6,
    _wrong_type: 60,
    _odd: 50,
    _chunked: 30,
    _pipelined: 20,
    _mutated_wire: 30,
    _cut_off: 12,
    _slow: 4,
    _dropped: 12.5,
}
_MAKERS, _WEIGHTS = list(MIX), list(MIX.values())
