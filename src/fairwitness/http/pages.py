"""Renders the documents once, at start, and serves them with a digest so that browsers can keep them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from jinja2 import Environment, StrictUndefined, Template
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape
from mdit_py_plugins.anchors import anchors_plugin
from starlette.requests import Request
from starlette.responses import Response

from fairwitness.contract.results import INTERPRETATION
from fairwitness.evaluator import protocol as protocols
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


def documents(folder: Traversable | None = None) -> dict[str, Document]:
    """Return every page under /docs, as HTML and as Markdown, and the pictures they show, by path."""
    folder = folder or resources.files("fairwitness.pages")
    sources = {name: text for name, text in _texts(folder, ".md") if not name.startswith("_")}
    titles = {name: text.lstrip("# ").split("\n", 1)[0] for name, text in sources.items()}
    menu = [(_address(other), titles[other]) for other in _in_order(sources)]
    layout = _template(resources.files("fairwitness.pages"), "layout.html")
    found = {
        f"/docs/{name}.svg": Document(text.encode(), _TYPES[".svg"])
        for name, text in _texts(folder, ".svg")
    }
    for name, text in sources.items():
        whole = fill(text)
        heading, end, body = render(whole).partition("</h1>")
        html = layout.render(
            title=titles[name],
            here=_address(name),
            markdown_path=f"/docs/{name}.md",
            menu=menu,
            # Our own pages, rendered with raw HTML off.
            contents=Markup(contents(whole)),  # noqa: S704
            heading=Markup(heading + end),  # noqa: S704
            body=Markup(body),  # noqa: S704
        )
        found[_address(name)] = Document(html.encode(), _TYPES[".html"])
        found[f"/docs/{name}.md"] = Document(whole.encode(), _TYPES[".md"])
    return found


def assets() -> dict[str, Document]:
    """Return the static files of the page: `index.html` at /, the rest under /assets/."""
    folder = resources.files("fairwitness.web")
    page = _template(folder, "index.html").render(
        lines=protocols.shipped().overall, interpretation=INTERPRETATION
    )
    found = {"/": Document(page.encode(), _TYPES[".html"])}
    for name, entry in _files(folder, ""):
        suffix = "." + name.rpartition(".")[2]
        if suffix in _TYPES and name != "index.html":
            found[f"/assets/{name}"] = Document(entry.read_bytes(), _TYPES[suffix])
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
    table = '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'
    return html.replace("<table>", table).replace("</table>", "</table></div>")


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
    return f'<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>{links}</ul></nav>'


_WORDS = {"text", "code_inline"}


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("image", _picture)
    return parser.use(anchors_plugin, max_level=3, permalink=True, permalinkSymbol="#")


def _picture(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    """Show a picture with its title below it; a relative address is one under /docs."""
    token = tokens[index]
    address, title = str(token.attrs["src"]), str(token.attrs.get("title", ""))
    if not address.startswith("/") and "://" not in address:
        address = f"/docs/{address}"
    alt = renderer.renderInlineAsText(token.children, options, env)
    # A span, for Markdown puts pictures inside paragraphs.
    caption = f'<span class="caption">{escape(title)}</span>' if title else ""
    return f'<span class="figure"><img src="{escape(address)}" alt="{escape(alt)}" loading="lazy">{caption}</span>'


def _address(name: str) -> str:
    return "/docs" if name == "index" else f"/docs/{name}"


def _template(folder: Traversable, name: str) -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.from_string(folder.joinpath(name).read_text(encoding="utf-8"))


def _in_order(sources: Mapping[str, str]) -> list[str]:
    first = ["index", "quickstart", "api", "evaluator", "protocol"]
    return [name for name in first if name in sources] + sorted(set(sources) - set(first))


def _texts(folder: Traversable, suffix: str) -> list[tuple[str, str]]:
    return [
        (name.removesuffix(suffix), entry.read_text(encoding="utf-8"))
        for name, entry in _files(folder, "")
        if name.endswith(suffix)
    ]


def _files(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found.extend(_files(entry, f"{prefix}{entry.name}/"))
        else:
            found.append((f"{prefix}{entry.name}", entry))
    return sorted(found, key=lambda item: item[0])
