"""Renders the documents once, at start, and serves them with a digest so that browsers can keep them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from jinja2 import DictLoader, Environment, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup, escape
from mdit_py_plugins.anchors import anchors_plugin
from starlette.requests import Request
from starlette.responses import Response

from fairwitness.http.tables import TABLES

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
    ".png": "image/png",
    ".ico": "image/x-icon",
}


@dataclass(frozen=True)
class Document:
    """Fixed bytes with their type; `etag` lets a browser ask whether they changed."""

    body: bytes
    media_type: str

    @property
    def etag(self) -> str:
        """Return the entity tag."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    def getter(self) -> Callable[[Request], Response]:
        """Return the handler that serves it."""
        etag = self.etag
        headers = {"ETag": etag, "Cache-Control": "no-cache"}

        def answer(request: Request) -> Response:
            known = {tag.strip() for tag in request.headers.get("if-none-match", "").split(",")}
            if etag in known or f"W/{etag}" in known:
                return Response(status_code=304, headers=headers)
            return Response(self.body, headers={**headers, "Content-Type": self.media_type})

        return answer


def documents() -> dict[str, Document]:
    """Return every page under /docs, as HTML and as Markdown, by path."""
    sources = {name: text for name, text in _markdown() if not name.startswith("_")}
    environment = Environment(
        loader=DictLoader({"layout": _read("layout.html")}),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    layout = environment.get_template("layout")
    titles = {name: text.lstrip("# ").split("\n", 1)[0] for name, text in sources.items()}
    found: dict[str, Document] = {}
    for name, text in sources.items():
        whole = fill(text)
        path = "/docs" if name == "index" else f"/docs/{name}"
        html = layout.render(
            title=titles[name],
            here=path,
            markdown_path=f"/docs/{name}.md",
            menu=[
                ("/docs" if other == "index" else f"/docs/{other}", titles[other])
                for other in _in_order(sources)
            ],
            # Our own pages, rendered with raw HTML off.
            contents=Markup(contents(whole)),  # noqa: S704
            body=Markup(render(whole)),  # noqa: S704
        )
        found[path] = Document(html.encode(), _TYPES[".html"])
        found[f"/docs/{name}.md"] = Document(whole.encode(), _TYPES[".md"])
    return found


def assets() -> dict[str, Document]:
    """Return the static files of the page: `index.html` at /, the rest under /assets/."""
    found: dict[str, Document] = {}
    for name, entry in _files(resources.files("fairwitness.web"), ""):
        suffix = "." + name.rpartition(".")[2]
        if suffix in _TYPES:
            path = "/" if name == "index.html" else f"/assets/{name}"
            found[path] = Document(entry.read_bytes(), _TYPES[suffix])
    return found


def fill(text: str) -> str:
    """Put the generated tables where the page asks for them, by a line `<!-- table: name -->`."""
    lines = []
    for line in text.split("\n"):
        asked = line.strip().removeprefix("<!-- table: ").removesuffix(" -->")
        is_table = line.strip().startswith("<!-- table: ")
        lines.append(TABLES[asked]() if is_table else line)
    return "\n".join(lines)


def render(text: str) -> str:
    """Return Markdown as HTML with anchors on its headings; raw HTML stays text."""
    html: str = _parser().render(text)
    return html.replace("<table>", '<div class="table"><table>').replace(
        "</table>", "</table></div>"
    )


def contents(text: str) -> str:
    """Return a page's sections as a list of links, where it has more than two."""
    tokens = _parser().parse(text)
    entries = [
        (tokens[index].attrs["id"], tokens[index + 1].children)
        for index in range(len(tokens))
        if tokens[index].type == "heading_open" and tokens[index].tag == "h2"
    ]
    if len(entries) < 3:
        return ""
    links = "".join(
        f'<li><a href="#{anchor}">{escape("".join(part.content for part in parts or [] if part.type in _WORDS))}</a></li>'
        for anchor, parts in entries
    )
    return f'<nav class="contents" aria-label="On this page"><ul>{links}</ul></nav>'


_WORDS = {"text", "code_inline"}


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return parser.use(anchors_plugin, max_level=3, permalink=True, permalinkSymbol="#")


def _in_order(sources: Mapping[str, str]) -> list[str]:
    first = ["index", "quickstart", "api", "evaluator", "protocol"]
    return [name for name in first if name in sources] + sorted(set(sources) - set(first))


def _markdown() -> list[tuple[str, str]]:
    return [
        (name.removesuffix(".md"), entry.read_text(encoding="utf-8"))
        for name, entry in _files(resources.files("fairwitness.pages"), "")
        if name.endswith(".md")
    ]


def _read(name: str) -> str:
    return resources.files("fairwitness.pages").joinpath(name).read_text(encoding="utf-8")


def _files(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found.extend(_files(entry, f"{prefix}{entry.name}/"))
        else:
            found.append((f"{prefix}{entry.name}", entry))
    return sorted(found, key=lambda item: item[0])
