"""Renders the pages under /docs, as HTML and as Markdown, and the web page with its files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from importlib import resources
from importlib.resources.abc import Traversable
from typing import get_args

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from fairwitness.contract.requests import ArenaProvider
from fairwitness.contract.results import INTERPRETATION
from fairwitness.site.document import MEDIA_TYPES, Document
from fairwitness.site.markdown import contents, to_html
from fairwitness.site.sample import SAMPLE_FILE, sample
from fairwitness.site.search_index import search_index

_FIRST_IN_MENU = ("index", "quickstart", "guides", "api", "evaluator", "protocol")
# Shown where a document's address is mistyped; it is no document to list.
NOT_FOUND = "not-found"


def doc_pages(folder: Traversable | None = None) -> dict[str, Document]:
    """Return every page under /docs, as HTML and as Markdown, and the pictures they show, by path."""
    folder = folder or resources.files("fairwitness.pages")
    sources = {name: text for name, text in _texts(folder, ".md") if not name.startswith("_")}
    titles = {name: text.lstrip("# ").split("\n", 1)[0] for name, text in sources.items()}
    menu = [(_address(name), titles[name]) for name in _menu_order(sources)]
    layout = _template(resources.files("fairwitness.pages"), "layout.html")
    found = {
        f"/docs/{name}": Document(entry.read_bytes, MEDIA_TYPES[".svg"])
        for name, entry in _files(folder, "")
        if name.endswith(".svg")
    }

    @cache
    def markdown(name: str) -> str:
        return insert_tables(sources[name])

    @cache
    def html(name: str) -> str:
        heading, end, body = to_html(markdown(name)).partition("</h1>")
        return layout.render(
            title=titles[name],
            here=_address(name),
            markdown_path=f"/docs/{name}.md",
            menu=menu,
            # Our own pages, rendered with raw HTML off.
            contents=Markup(contents(markdown(name))),  # noqa: S704
            heading=Markup(heading + end),  # noqa: S704
            body=Markup(body),  # noqa: S704
        )

    def index() -> bytes:
        listed = _menu_order(sources)
        return search_index({_address(one): (titles[one], markdown(one)) for one in listed})

    for name in sources:
        found |= dict.fromkeys(_addresses(name), Document.text(partial(html, name), ".html"))
        found[f"/docs/{name}.md"] = Document.text(partial(markdown, name), ".md")
    return {**found, "/docs/search.json": Document(index, MEDIA_TYPES[".json"])}


def web_page(*, quotes: bool = False) -> dict[str, Document]:
    """Return the web page and its files: `index.html` at /, the rest under /assets/.

    `quotes` is whether the operator's monitoring receives what findings quote; the page then says so.
    """
    folder = resources.files("fairwitness.web")

    def page() -> str:
        return _template(folder, "index.html").render(
            sample=sample(),
            interpretation=INTERPRETATION,
            quotes=quotes,
            arena=get_args(ArenaProvider),
        )

    found = {"/": Document.text(page, ".html")}
    for name, entry in _files(folder, ""):
        suffix = "." + name.rpartition(".")[2]
        if suffix in MEDIA_TYPES and name not in {"index.html", SAMPLE_FILE}:
            found[f"/assets/{name}"] = Document(entry.read_bytes, MEDIA_TYPES[suffix])
    return found


def insert_tables(text: str) -> str:
    """Put the generated tables where the page asks for them, by a line `<!-- table: name -->`."""
    # The tables bring the benchmark with them, which a server does not need to start.
    from fairwitness.site.tables import TABLES

    lines = []
    for line in text.split("\n"):
        name = line.strip().removeprefix("<!-- table: ").removesuffix(" -->")
        is_table = line.strip().startswith("<!-- table: ")
        lines.append(TABLES[name]() if is_table else line)
    return "\n".join(lines)


def _address(name: str) -> str:
    """Return where a page's links lead: the index of a folder is found at the folder."""
    return f"/docs/{name}".removesuffix("/index")


def _addresses(name: str) -> tuple[str, ...]:
    """Return every path a page is served at: an index also with the ways a folder is written."""
    address = _address(name)
    is_index = address != f"/docs/{name}"
    return (address, f"{address}/", f"{address}/index") if is_index else (address,)


def _template(folder: Traversable, name: str) -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.from_string(folder.joinpath(name).read_text(encoding="utf-8"))


def _menu_order(sources: Mapping[str, str]) -> list[str]:
    first = [name for name in _FIRST_IN_MENU if name in sources]
    return first + sorted(set(sources) - set(first) - {NOT_FOUND})


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
