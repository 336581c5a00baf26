"""The headers every answer carries: its request id, and what a browser may do with it."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request

_SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_API_POLICY = "default-src 'none'; frame-ancestors 'none'"
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
# What programs call; everything else is for browsers.
_API_PATHS = ("/api/", "/integrations/", "/beta/")


def standard_headers(path: str, request_id: str) -> dict[str, str]:
    """Return the headers an answer at `path` carries."""
    api = path.startswith(_API_PATHS)
    headers = {"X-Request-Id": request_id, **_SECURITY}
    headers["Content-Security-Policy"] = _API_POLICY if api else _PAGE_POLICY
    if api:
        headers["Cache-Control"] = "no-store"
    return headers


def standard_raw_headers(path: str, request_id: str) -> list[tuple[bytes, bytes]]:
    """Return the same headers as they go over the wire; only the id differs from answer to answer."""
    fixed = _RAW_API if path.startswith(_API_PATHS) else _RAW_PAGE
    return [(b"x-request-id", request_id.encode()), *fixed]


def standard_lines(path: str, request_id: str) -> bytes:
    """Return the same headers as lines."""
    fixed = _API_LINES if path.startswith(_API_PATHS) else _PAGE_LINES
    return b"x-request-id: %b\r\n%b" % (request_id.encode(), fixed)


def cors_headers(request: Request, origins: Sequence[str]) -> dict[str, str]:
    """Return what lets a listed origin read the answer; nothing for any other."""
    origin = request.headers.get("origin")
    if not origins or not request.url.path.startswith("/api/"):
        return {}
    if origin is None or origin not in origins:
        return {"Vary": "Origin"}
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Expose-Headers": "X-Request-Id, Retry-After",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Vary": "Origin",
    }


def preflight_headers(request: Request, origins: Sequence[str]) -> dict[str, str] | None:
    """Return the answer to a listed origin's preflight, or None where it is none."""
    asked = request.headers.get("access-control-request-method")
    if (
        request.method != "OPTIONS"
        or asked != "POST"
        or request.headers.get("origin") not in origins
    ):
        return None
    return {
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": "Content-Type, X-Api-Key",
        "Access-Control-Max-Age": "600",
    }


def _raw(path: str) -> tuple[tuple[bytes, bytes], ...]:
    named = standard_headers(path, "")
    del named["X-Request-Id"]
    return tuple((name.lower().encode(), value.encode()) for name, value in named.items())


_RAW_API, _RAW_PAGE = _raw("/api/"), _raw("/")
_API_LINES, _PAGE_LINES = (
    b"".join(name + b": " + value + b"\r\n" for name, value in raw) for raw in (_RAW_API, _RAW_PAGE)
)
