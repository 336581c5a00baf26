"""One suite over every provider kind: what it must do against real peers, broken ones and hostile ones."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.contract.requests import RESPONSE_MAX
from fairwitness.contract.results import Usage
from fairwitness.evidence.canonical import canonical
from fairwitness.providers.border import translate
from fairwitness.providers.openai import build
from fairwitness.providers.provider import MEANINGS, Completion, ProviderFailure
from fairwitness.providers.secret import Secret
from fairwitness.providers.wire import MAX_ANSWER_BYTES
from tests.providers.peers import (
    HOSTED,
    KEY,
    Behaviour,
    HostileServer,
    KeptResident,
    answer,
    complete,
    config,
    hosted,
)

pytestmark = pytest.mark.xdist_group("providers")
# Importing them takes a while, which is not the hostile servers' to answer for.
for sdk in ("openai", "anthropic"):
    import_module(sdk)
every_hosted = pytest.mark.parametrize("kind", HOSTED)
Hostile = Callable[[Behaviour], HostileServer]


def fails(provider: Any, prompt: str = "case: any", within_s: float = 20.0) -> ProviderFailure:
    with pytest.raises(ProviderFailure) as caught:
        complete(provider, prompt, within_s)
    failure = caught.value
    assert failure.code in MEANINGS
    for leak in (KEY, "sk-leak", "leak.example", "127.0.0.1", "http", "placeholder"):
        assert leak not in failure.message
        assert leak not in str(failure)
    return failure


# Against aimock: each kind's own shapes.


@pytest.mark.node
@every_hosted
def test_success_carries_text_usage_and_cost(kind: str, aimock: str) -> None:
    found: Completion = complete(hosted(kind, aimock), "case: hello")
    assert found == Completion("Hello from a peer.", "stop", 11, 5, 37, "test-model")


@pytest.mark.node
@every_hosted
def test_an_answer_without_usage_has_no_cost(kind: str, aimock: str) -> None:
    found: Completion = complete(hosted(kind, aimock), "case: cut by the cap")
    assert found.finish_reason == "length"
    assert found.text == "This sentence has no"
    if kind != "openai":  # aimock counts for OpenAI's shape alone, and says 0 elsewhere
        assert found.cost_micro_usd is None


@pytest.mark.node
@every_hosted
@pytest.mark.parametrize(
    ("case", "code", "cost"),
    [
        ("case: 400", "refused_by_provider", None),
        ("case: 401", "unauthorised", 0),
        ("case: 404", "refused_by_provider", 0),
        ("case: 413", "too_large", 0),
        ("case: 429", "rate_limited", 0),
        ("case: 500", "unreachable", None),
        ("case: 503", "unreachable", None),
        ("case: 529", "unreachable", 0),
        ("case: malformed", "invalid_answer", None),
        ("case: disconnect", "unreachable", None),
        ("case: blank", "invalid_answer", ...),
        ("case: empty", "invalid_answer", ...),
    ],
)
def test_faults_become_our_codes(kind: str, aimock: str, case: str, code: str, cost: Any) -> None:
    failure = fails(hosted(kind, aimock), case)
    assert failure.code == code
    assert cost is ... or failure.cost_micro_usd == cost


@pytest.mark.node
@every_hosted
def test_a_filtered_answer_is_a_refusal(kind: str, aimock: str) -> None:
    assert fails(hosted(kind, aimock), f"case: filtered ({kind})").code == "refused_by_provider"


@pytest.mark.node
@every_hosted
def test_odd_characters_survive(kind: str, aimock: str) -> None:
    found: Completion = complete(hosted(kind, aimock), "case: odd characters")
    assert found.text == "nul \0, bell \a, astral \U0001f9ec, rtl \u202e, end"


@pytest.mark.node
@every_hosted
def test_a_long_answer_is_cut_and_says_so(kind: str, aimock: str) -> None:
    found: Completion = complete(hosted(kind, aimock), "case: long")
    assert len(found.text) == RESPONSE_MAX
    assert found.truncated
    assert found.finish_reason == "length"


@pytest.mark.node
@every_hosted
def test_slow_is_waited_for_and_too_slow_is_not(kind: str, aimock: str) -> None:
    assert complete(hosted(kind, aimock), "case: slow").text == "Slow but sure."
    failure = fails(hosted(kind, aimock), "case: too slow", within_s=0.5)
    assert (failure.code, failure.cost_micro_usd) == ("timeout", None)


@pytest.mark.node
@every_hosted
def test_the_slots_own_time_out_is_kept_too(kind: str, aimock: str) -> None:
    assert fails(hosted(kind, aimock, timeout_s=0.4), "case: too slow").code == "timeout"


@pytest.mark.node
@every_hosted
def test_nothing_generated_is_tried_once_more(kind: str, aimock: str) -> None:
    found: Completion = complete(hosted(kind, aimock), f"case: once 529 for {kind}")
    assert found.text == "Second time lucky."


@pytest.mark.node
@every_hosted
def test_the_key_is_the_one_configured(kind: str, aimock: str) -> None:
    wrong = hosted(kind, aimock, key=Secret("another-key"))
    assert fails(wrong, "case: hello").code == "unauthorised"


# Against llama.cpp's server: a real model behind two of the wires.


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_real_model_answers(kind: str, resident: KeptResident) -> None:
    provider = hosted(kind, resident.link.url, key=Secret(resident.link.key), max_output_tokens=8)
    found: Completion = complete(provider, "Count from one to one hundred.", 60)
    assert found.text.strip()
    assert found.finish_reason in {"length", "stop"}
    assert found.input_tokens
    assert found.output_tokens
    assert found.output_tokens <= 8
    assert found.cost_micro_usd


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_real_server_refuses_a_wrong_key(kind: str, resident: KeptResident) -> None:
    assert fails(hosted(kind, resident.link.url)).code == "unauthorised"


# Against hostile servers: every hosted kind alike.


def cut(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + b'{"choices": [')


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def endless(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"10000\r\n" + b" " * 0x10000 + b"\r\n")


def huge(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
    for _ in range(MAX_ANSWER_BYTES // 65536 + 200):
        connection.sendall(b" " * 65536)


def drip(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"1\r\n \r\n")
        time.sleep(0.05)


def endless_headers(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")


def silent(connection: socket.socket) -> None:
    connection.settimeout(60)
    connection.recv(1)
    raise OSError("the client hung up")


def redirect(connection: socket.socket) -> None:
    answer(b"", status="307 Temporary Redirect", headers="Location: http://127.0.0.1:9/\r\n")(
        connection
    )


def compressed(connection: socket.socket) -> None:
    answer(b"\x1f\x8b", headers="Content-Encoding: gzip\r\n")(connection)


def not_http(connection: socket.socket) -> None:
    connection.sendall(b"SSH-2.0-OpenSSH_9\r\n")


def nonsense(body: object) -> Behaviour:
    return answer(body if isinstance(body, bytes) else json.dumps(body).encode())


@every_hosted
@pytest.mark.parametrize(
    ("behave", "code"),
    [
        (cut, "unreachable"),
        (reset, "unreachable"),
        (endless, "too_large"),
        (huge, "too_large"),
        (drip, "timeout"),
        (endless_headers, "unreachable"),
        (silent, "timeout"),
        (redirect, "invalid_answer"),
        (compressed, "invalid_answer"),
        (not_http, "unreachable"),
        (nonsense(b""), "invalid_answer"),
        (nonsense(b"null"), "invalid_answer"),
        (nonsense(b"[]"), "invalid_answer"),
        (nonsense(b"{}"), "invalid_answer"),
        (nonsense(b'"text"'), "invalid_answer"),
        (nonsense(b"\xff\xfe{"), "invalid_answer"),
        (nonsense(b"[" * 100_000), "invalid_answer"),
        (nonsense({"choices": [], "content": [], "candidates": []}), "invalid_answer"),
        (nonsense({"choices": "x", "content": 7, "candidates": {}}), "invalid_answer"),
    ],
)
def test_hostile_servers_only_make_failures(
    kind: str, behave: Behaviour, code: str, hostile: Hostile
) -> None:
    server = hostile(behave)
    failure = fails(hosted(kind, server.origin), within_s=1.0)
    assert failure.code == code
    assert failure.cost_micro_usd is None
    assert len(server.requests) == 1  # something may have been generated: never twice


SHAPES: dict[str, Callable[[object, object], dict[str, Any]]] = {
    "openai": lambda text, tokens: {
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": tokens, "completion_tokens": tokens},
    },
    "anthropic": lambda text, tokens: {
        "content": [{"type": "thinking", "thinking": "..."}, {"type": "text", "text": text}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": tokens, "output_tokens": tokens},
    },
    "gemini": lambda text, tokens: {
        "candidates": [
            {
                "content": {"parts": [{"text": "hm", "thought": True}, {"text": text}]},
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {"promptTokenCount": tokens, "candidatesTokenCount": tokens},
    },
}


WORDS = (
    "choices message content finish_reason refusal usage prompt_tokens completion_tokens total_tokens type text "
    "stop_reason input_tokens output_tokens candidates parts finishReason usageMetadata thought"
).split()


@every_hosted
def test_a_lone_surrogate_is_no_text(kind: str, hostile: Hostile) -> None:
    body = json.dumps(SHAPES[kind]("broken \ud800 half", 3)).encode()
    assert fails(hosted(kind, hostile(answer(body)).origin)).code == "invalid_answer"


ODD_COUNTS = [
    *("-1", "0", "2", "2.0", "2.5", "1e2", "-0", "1e-7", "9007199254740993", "1e400", "-1e400"),
    *(
        "18446744073709551616",
        "1" + "0" * 40,
        "NaN",
        "Infinity",
        "true",
        '"2"',
        '"NaN"',
        "[2]",
        "{}",
    ),
]


def odd_bodies(kind: str, count: str) -> list[bytes]:
    """Return answers that report a count wherever one can stand, then in one place beside sane ones."""
    body = SHAPES[kind]("fine", 3)
    (member,) = {"usage", "usageMetadata"} & body.keys()
    extra = {
        "openai": ["total_tokens"],
        "anthropic": ["cache_creation_input_tokens", "cache_read_input_tokens"],
        "gemini": ["thoughtsTokenCount"],
    }[kind]
    names = [*body[member], *extra]
    usages = [dict.fromkeys(names, "odd"), *({**body[member], name: "odd"} for name in names)]
    return [
        json.dumps({**body, member: usage}).replace('"odd"', count).encode() for usage in usages
    ]


@every_hosted
@pytest.mark.parametrize("count", ODD_COUNTS)
def test_an_odd_count_is_refused_or_bounded_and_never_unsignable(kind: str, count: str) -> None:
    provider = hosted(kind, "http://127.0.0.1:9")
    for body in odd_bodies(kind, count):
        try:
            found: Completion = provider.read(body, "any")
        except Exception as error:
            assert translate(error).code == "invalid_answer"
            continue
        used = found.input_tokens, found.output_tokens
        assert all(one is None or (type(one) is int and 0 <= one <= 10**8) for one in used)
        cost = found.cost_micro_usd
        assert cost is None or 0 <= cost <= provider.config.price.micro_usd(10**8, 10**8)
        if count.startswith("-1"):
            assert cost is None  # what cannot be believed makes nothing cheaper
        usage = Usage(input_tokens=used[0], output_tokens=used[1], cost_usd=cost and cost / 1e6)
        assert canonical(msgspec.to_builtins(usage))


@every_hosted
@pytest.mark.parametrize("tokens", [-1, 10**18, None, 0])
def test_unbelievable_usage_counts_as_unknown(kind: str, tokens: object, hostile: Hostile) -> None:
    body = json.dumps(SHAPES[kind]("fine", tokens)).encode()
    found: Completion = complete(hosted(kind, hostile(answer(body)).origin), "any")
    assert found.text == "fine"
    assert found.cost_micro_usd is None


@pytest.mark.parametrize(
    ("usage", "written", "cost"),
    [
        ((32, 9, 941), 909, 3684),  # thinking is in the total alone: 32 at 1.5 and 909 at 4
        ((32, 9, 41), 9, 84),
        ((32, 9, None), 9, 84),
        ((32, 9, 40), None, None),  # it does not add up: unknown
        ((None, 9, 941), 9, None),
        ((32, None, 941), None, None),
        ((32, 9, 10**18), None, None),
    ],
)
def test_thinking_counted_in_the_total_alone_is_paid_for(
    usage: tuple[int | None, ...], written: int | None, cost: int | None, hostile: Hostile
) -> None:
    body = SHAPES["openai"]("fine", 0)
    body["usage"] = dict(
        zip(("prompt_tokens", "completion_tokens", "total_tokens"), usage, strict=True)
    )
    server = hostile(answer(json.dumps(body).encode()))
    provider = hosted("openai", server.origin, max_output_tokens=1024)
    found: Completion = complete(provider, "any")
    assert (found.output_tokens, found.cost_micro_usd) == (written, cost)


@every_hosted
def test_a_refused_connection_is_tried_twice_and_costs_nothing(kind: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
    failure = fails(hosted(kind, origin))
    assert (failure.code, failure.cost_micro_usd) == ("unreachable", 0)


@every_hosted
def test_a_503_may_come_from_a_proxy_that_forwarded_so_it_is_not_sent_twice(
    kind: str, hostile: Hostile
) -> None:
    server = hostile(answer(b"{}", status="503 Busy", headers="Retry-After: 0\r\n"))
    failure = fails(hosted(kind, server.origin))
    assert (failure.code, failure.cost_micro_usd) == ("unreachable", None)
    assert len(server.requests) == 1


@every_hosted
def test_a_short_retry_after_is_obeyed_once(kind: str, hostile: Hostile) -> None:
    server = hostile(answer(b"{}", status="429 Slow", headers="Retry-After: 0.3\r\n"))
    started = time.monotonic()
    assert fails(hosted(kind, server.origin)).code == "rate_limited"
    assert time.monotonic() - started >= 0.3
    assert len(server.requests) == 2


@every_hosted
def test_cancelling_hangs_up(kind: str, hostile: Hostile) -> None:
    """Cancelling alone: the deadline is an hour away, and the provider is closed only afterwards."""
    server = hostile(silent)

    async def go() -> None:
        provider = hosted(kind, server.origin)
        loop = asyncio.get_running_loop()
        task = asyncio.create_task(provider.complete("any", loop.time() + 3600))
        while not server.requests:
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.hung_up.wait, 60)
        await provider.aclose()

    asyncio.run(go())


@every_hosted
def test_a_stop_before_sending_sends_nothing(kind: str, hostile: Hostile) -> None:
    server = hostile(answer(b"{}"))

    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    async def go() -> None:
        provider = hosted(kind, server.origin)
        deadline = asyncio.get_running_loop().time() + 5
        with pytest.raises(Stopped):
            await provider.complete("any", deadline, before_send=stop)
        await provider.aclose()

    asyncio.run(go())
    assert not server.requests


@every_hosted
def test_the_worst_case_covers_any_prompt_and_both_attempts(kind: str) -> None:
    provider = hosted(kind, "http://127.0.0.1:9")
    prompt = "\U0001f9ec" * 2000
    # 8000 bytes and the template at 1.5, 32 tokens at 4, twice.
    assert provider.worst_case_micro_usd(prompt) == 2 * ((8000 + 256) * 3 // 2 + 32 * 4)


@pytest.mark.node
def test_the_openrouter_address_is_the_same_wire(aimock: str) -> None:
    provider = build(config("openai", f"{aimock}/api/v1", model="meta/llama"))
    assert complete(provider, "case: hello").text == "Hello from a peer."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=5)
    ),
    max_leaves=12,
)


@every_hosted
@given(data=st.data())
def test_any_body_is_a_completion_or_our_failure(kind: str, data: st.DataObject) -> None:
    provider = hosted(kind, "http://127.0.0.1:9")
    body: Any = data.draw(JSON)
    if data.draw(st.booleans()):  # a good answer with one part replaced
        body = SHAPES[kind]("fine", 3)
        part = data.draw(st.sampled_from(sorted(body)))
        body[part] = data.draw(JSON)
    try:
        found = provider.read(json.dumps(body).encode(), "any")
    except Exception as error:
        assert translate(error).code in MEANINGS
    else:
        assert 0 < len(found.text) <= RESPONSE_MAX
        found.text.encode()
        assert found.cost_micro_usd is None or found.cost_micro_usd >= 0
