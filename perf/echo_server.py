"""The least a Starlette server on the same uvicorn can do with the same bodies: read, parse, write back."""

from __future__ import annotations

import socket

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn import Config, Server


async def echo(request: Request) -> Response:
    """Parse the JSON body and send it back."""
    body = msgspec.json.decode(await request.body())
    return Response(msgspec.json.encode(body), media_type="application/json")


async def ready(request: Request) -> Response:
    """Say that it runs."""
    return Response(b"{}", media_type="application/json")


def main() -> None:
    """Serve on a free port of loopback."""
    app = Starlette(
        routes=[
            Route("/readyz", ready),
            Route("/api/evaluate-response", echo, methods=["POST"]),
        ]
    )
    listener = socket.create_server(("127.0.0.1", 0))
    print(f'{{"url": "http://127.0.0.1:{listener.getsockname()[1]}"}}', flush=True)
    config = Config(app, loop="uvloop", http="httptools", access_log=False, log_config=None)
    Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
