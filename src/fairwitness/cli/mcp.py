"""`fairwitness mcp`: the MCP server, over standard input and output or over HTTP."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from fairwitness.cli.verify import public_keys
from fairwitness.extras import require_extra


def mcp(
    *,
    transport: Annotated[
        Literal["stdio", "streamable-http"],
        Parameter(help="How the client speaks to it."),
    ] = "stdio",
    host: Annotated[
        str, Parameter(help="Address to listen on, for streamable-http.")
    ] = "127.0.0.1",
    port: Annotated[int, Parameter(help="Port to listen on, for streamable-http.")] = 8765,
    service: Annotated[
        str | None,
        Parameter(
            help="A running Fair Witness service; with it there is an Arena tool, which spends its money."
        ),
    ] = None,
    key: Annotated[
        str | None,
        Parameter(
            help="Trusted keys for verify: a keys.json, a PEM, or the id of a key in DATA_DIR."
        ),
    ] = None,
) -> None:
    """Serve MCP, so that an assistant or editor can evaluate responses and verify evidence.

    Tools: evaluate, evaluate_many, verify; and arena where --service is given.

    Exit code: 0 the client left, 2 bad input.
    """
    require_extra("mcp", "The MCP server")
    from fairwitness.integrations.mcp_server import build

    server = build(service, tuple(public_keys(key)))
    if transport == "stdio":
        server.run("stdio")
    else:
        server.run("streamable-http", host=host, port=port)
