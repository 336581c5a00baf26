"""An MCP server: an assistant or editor can evaluate responses, verify evidence, and run the Arena.

Everything but the Arena is judged in this process. The Arena spends money, so it goes through a running service,
with that service's admission, budget and switch.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, ParamSpec, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel

from fairwitness import __version__
from fairwitness.client import Client, ClientError
from fairwitness.contract.errors import InvalidRequest, ServiceError
from fairwitness.contract.results import INTERPRETATION
from fairwitness.evaluator import Evaluator, shipped
from fairwitness.evidence.canonical import BadDocument
from fairwitness.evidence.envelope import PublicKey
from fairwitness.evidence.verify import verify as verify_document
from fairwitness.reports.made_by import MadeBy

_P = ParamSpec("_P")
_T = TypeVar("_T")
_MOST_ROWS = 100
_MOST_CHARACTERS = 400_000
_JUDGES = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_SPENDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True
)


class Row(BaseModel):
    """One response to evaluate."""

    prompt: str
    response: str


class Passage(BaseModel):
    """One text the response should rest on."""

    text: str


def build(
    service: str | None = None,
    keys: tuple[PublicKey, ...] = (),
    evaluator: Evaluator | None = None,
) -> MCPServer:
    """Return the server; with the address of a running service it has the Arena too."""
    judge = evaluator or shipped()
    server = MCPServer(
        "fairwitness",
        version=__version__,
        instructions="Scores the text of AI responses against a published protocol and quotes the evidence. "
        + f"{INTERPRETATION} {MadeBy.of(judge).in_words()}",
    )

    _add_judging(server, judge)
    _add_verifying(server, judge, keys)
    if service is not None:
        _add_arena(server, service)
    return server


def _add_judging(server: MCPServer, judge: Evaluator) -> None:
    @server.tool(title="Evaluate a response", annotations=_JUDGES)
    @_readable
    def evaluate(
        prompt: str, response: str, context: list[Passage] | None = None
    ) -> dict[str, Any]:
        """Evaluate one response to one prompt: score, verdict, a verdict for each criterion, and quoted evidence.

        `context` holds the texts the response should rest on, if there are any. Nothing leaves this machine.
        """
        _bounded([prompt, response, *(one.text for one in context or [])])
        return judge.evaluate(
            prompt, response, context=[one.text for one in context] if context else None
        ).to_dict()

    @server.tool(title="Evaluate many responses", annotations=_JUDGES)
    @_readable
    def evaluate_many(rows: list[Row]) -> dict[str, Any]:
        """Evaluate up to 100 responses; the evaluations come in the order of the rows."""
        if not 1 <= len(rows) <= _MOST_ROWS:
            raise ToolError(f"rows: {len(rows)} given; 1 to {_MOST_ROWS} are taken in one call")
        _bounded([text for row in rows for text in (row.prompt, row.response)])
        found = []
        for number, row in enumerate(rows, 1):
            try:
                found.append(judge.evaluate(row.prompt, row.response).to_dict())
            except InvalidRequest as error:
                raise ToolError(f"row {number}: {_said(error)}") from error
        return {"evaluations": found, **MadeBy.of(judge).to_dict()}


def _add_verifying(server: MCPServer, judge: Evaluator, keys: tuple[PublicKey, ...]) -> None:
    @server.tool(title="Verify Arena evidence", annotations=_JUDGES)
    @_readable
    def verify(evidence: str) -> dict[str, Any]:
        """Verify an Arena evidence file, given as its JSON text: its signature, its digests, its evaluations.

        `verified` is true only where every check passed and the signer's key is one this server was given.
        """
        _bounded([evidence])
        try:
            report = verify_document(evidence.encode(), list(keys), judge)
        except BadDocument as error:
            raise ToolError(str(error)) from error
        told = [
            {"part": one.part, "status": one.status, "message": one.message}
            for one in report.checks
        ]
        return {"verified": report.good, "conclusion": report.conclusion, "checks": told}


def _add_arena(server: MCPServer, service: str) -> None:
    client = Client(service, privacy_acknowledged=True, timeout=180)

    @server.tool(title="Compare models (spends money)", annotations=_SPENDS)
    @_readable
    def arena(
        prompt: str, providers: list[str], privacy_acknowledged: Literal[True]
    ) -> dict[str, Any]:
        """Send one prompt to two to five providers of the service and evaluate their answers. SPENDS MONEY.

        `privacy_acknowledged` must be true: you may send this text, and it holds no confidential or personal data.
        """
        return client.arena(prompt, providers).to_dict()


def _readable(tool: Callable[_P, _T]) -> Callable[_P, _T]:
    """Raise what a caller must read as a ToolError: of any other error MCP tells only that there was one."""

    @wraps(tool)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return tool(*args, **kwargs)
        except ServiceError as error:
            raise ToolError(_said(error)) from error
        except ClientError as error:
            raise ToolError(f"{type(error).__name__}: {error}") from error

    return call


def _said(error: ServiceError) -> str:
    wait = f" Try again in {error.retry_after} s." if error.retry_after else ""
    return "; ".join([*error.details]) or f"{error.code.value}: {error.message}{wait}"


def _bounded(texts: list[str]) -> None:
    total = sum(map(len, texts))
    if total > _MOST_CHARACTERS:
        raise ToolError(f"{total} characters; at most {_MOST_CHARACTERS} are taken in one call")
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ToolError("a text contains a lone surrogate, which is not a character") from error
