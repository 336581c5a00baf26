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
# A request gets its place for other languages here, so that nothing moves when a script fills it.
_REQUEST = '<pre><code class="language-bash">curl -s '
_LANGUAGES = '<div class="row languages"></div>\n'
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
    html = html.replace(_REQUEST, _LANGUAGES + _REQUEST)
    return html.replace("<table>", _SCROLLING_TABLE).replace("</table>", "</table></div>")


def sections(text: str) -> list[tuple[str, str]]:
    """Return the anchor and the words of each section of a page."""
    tokens = _parser().parse(text)
    return [
        (str(tokens[index].attrs["id"]), _words(tokens[index + 1]))
        for index in range(len(tokens))
        if tokens[index].type == "heading_open" and tokens[index].tag == "h2"
    ]


def _words(heading: Token) -> str:
    return "".join(part.content for part in heading.children or [] if part.type in _HEADING_TEXT)


def contents(text: str) -> str:
    """Return a page's sections as a list of links, where it has more than two."""
    entries = sections(text)
    if len(entries) < 3:
        return ""
    links = "".join(
        f'<li><a href="#{anchor}">{escape(words)}</a></li>' for anchor, words in entries
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
