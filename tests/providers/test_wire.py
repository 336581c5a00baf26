"""The guarded wire: keys go to the configured address alone, and the environment changes nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from ipaddress import ip_address
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from fairwitness.providers import wire
from fairwitness.providers.provider import ProviderFailure
from fairwitness.providers.secret import Secret
from fairwitness.providers.wire import GuardedTransport
from tests.providers.peers import HOSTED, KEY, Behaviour, HostileServer, answer, complete, hosted

Hostile = Callable[[Behaviour], HostileServer]
every_hosted = pytest.mark.parametrize("kind", HOSTED)

ALLOWED = {
    "host",
    "accept",
    "accept-encoding",
    "content-type",
    "content-length",
    "user-agent",
    "authorization",
    "x-api-key",
    "x-goog-api-key",
    "anthropic-version",
}
SURPRISES = {
    "OPENAI_API_KEY": "sk-from-the-environment",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/elsewhere",
    "OPENAI_ORG_ID": "org-surprise",
    "OPENAI_PROJECT_ID": "proj-surprise",
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer sk-surprise\nX-Surprise: 1",
    "OPENAI_LOG": "debug",
    "ANTHROPIC_API_KEY": "sk-from-the-environment",
    "ANTHROPIC_AUTH_TOKEN": "token-surprise",
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:9/elsewhere",
    "ANTHROPIC_CUSTOM_HEADERS": "x-api-key: sk-surprise\nX-Surprise: 1",
    "ANTHROPIC_LOG": "debug",
    "GEMINI_API_KEY": "sk-from-the-environment",
    "GOOGLE_API_KEY": "sk-from-the-environment",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
    "http_proxy": "http://127.0.0.1:9",
    "SSL_CERT_FILE": "/nonexistent",
}


@every_hosted
def test_the_environment_changes_neither_address_nor_headers(
    kind: str,
    hostile: Hostile,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name, value in SURPRISES.items():
        monkeypatch.setenv(name, value)
    caplog.set_level(logging.DEBUG)
    server = hostile(answer(b"{}"))
    with pytest.raises(ProviderFailure):
        complete(hosted(kind, server.origin), "the prompt's own words")
    (request,) = server.requests
    head, _, body = request.partition(b"\r\n\r\n")
    names = {line.split(b":")[0].decode().lower() for line in head.split(b"\r\n")[1:]}
    assert names <= ALLOWED
    assert head.count(KEY.encode()) == 1
    assert b"surprise" not in request
    assert b"from-the-environment" not in request
    assert b"placeholder" not in request
    assert b"the prompt's own words" in body
    for said in (record.getMessage() for record in caplog.records):
        assert KEY not in said
        assert "prompt's own words" not in said
        assert server.origin not in said


@every_hosted
def test_without_a_key_none_is_sent(kind: str, hostile: Hostile) -> None:
    server = hostile(answer(b"{}"))
    with pytest.raises(ProviderFailure):
        complete(hosted(kind, server.origin, key=None), "any")
    head = server.requests[0].partition(b"\r\n\r\n")[0].lower()
    for name in (b"authorization", b"x-api-key", b"x-goog-api-key", b"placeholder"):
        assert name not in head


def test_another_origin_gets_nothing(hostile: Hostile) -> None:
    server = hostile(answer(b"{}"))

    async def go() -> None:
        transport = GuardedTransport("https://api.example.org", Secret(KEY))
        async with wire.client(transport) as client:
            for url in (server.origin, "http://api.example.org/", "https://api.example.org:444/"):
                with pytest.raises(ProviderFailure):
                    await client.get(url)

    asyncio.run(go())
    assert not server.requests


def test_the_sdk_never_holds_the_key() -> None:
    for kind in ("openai", "anthropic"):
        provider = hosted(kind, "http://127.0.0.1:9")
        sdk = provider._sdk(import_module(kind))
        assert KEY not in repr(vars(sdk))
        assert sdk.api_key.startswith("placeholder-")
        asyncio.run(provider.aclose())


def test_a_secret_shows_itself_to_nobody() -> None:
    secret = Secret(KEY)
    assert KEY not in f"{secret} {secret!r} {[secret]}"
    assert not hasattr(secret, "__dict__")


def test_the_answer_is_bounded_to_the_byte(hostile: Hostile) -> None:
    async def go(limit: int) -> int:
        server = hostile(answer(b"x" * 1000))
        transport = GuardedTransport(server.origin, None, limit)
        async with wire.client(transport) as client:
            response: httpx2.Response = await client.get(server.origin)
            return len(response.content)

    assert asyncio.run(go(1000)) == 1000
    with pytest.raises(ProviderFailure) as caught:
        asyncio.run(go(999))
    assert caught.value.code == "too_large"


def test_a_server_nobody_vouches_for_gets_nothing(tmp_path: Path) -> None:
    context = self_signed(tmp_path)

    def over_tls(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as secured:
            received.append(secured.recv(65536))

    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            for _ in range(wire.ATTEMPTS):
                with contextlib.suppress(OSError):
                    over_tls(listener.accept()[0])

        thread = threading.Thread(target=serve)
        thread.start()
        origin = f"https://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(ProviderFailure) as caught:
            complete(hosted("openai", origin), "any")
        thread.join()
    assert (caught.value.code, caught.value.cost_micro_usd) == ("unreachable", 0)
    assert not any(received)


def self_signed(folder: Path) -> ssl.SSLContext:
    """Return a server's TLS context with a certificate for 127.0.0.1 that no authority signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    pem = serialization.Encoding.PEM
    file.write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(pem)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
