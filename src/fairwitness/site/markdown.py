"""Markdown: writes tables, and turns a page's text into HTML with anchors, captions and a table of contents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import escape
from mdit_py_plugins.anchors import anchors_plugin

_HEADING_TEXT = {"text", "code_inline"}
_SCROLLING_TABLE = '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    lines += [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows
    ]
    return "\n".join(lines)


def to_html(text: str) -> str:
    """Return Markdown as HTML with anchors on its headings; raw HTML stays text."""
    html: str = _parser().render(text)
    return html.replace("<table>", _SCROLLING_TABLE).replace("</table>", "</table></div>")


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
        f'<li><a href="#{anchor}">{escape("".join(part.content for part in parts or [] if part.type in _HEADING_TEXT))}</a></li>'
        for anchor, parts in entries
    )
    return f'<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>{links}</ul></nav>'


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
