"""The documents' renderer: pictures, captions, and text that only looks like HTML."""

from __future__ import annotations

import json
from pathlib import Path

from fairwitness.contract.results import INTERPRETATION
from fairwitness.site import documents
from fairwitness.site.pages import doc_pages, web_page
from fairwitness.site.sample import sample

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4"/></svg>'


def test_a_picture_beside_its_page_is_served_and_shown(tmp_path: Path) -> None:
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "curve.svg").write_text(SVG)
    (tmp_path / "index.md").write_text('# Card\n\n![A <curve>](plots/curve.svg "Said & meant")\n')
    found = doc_pages(tmp_path)
    picture = found["/docs/plots/curve.svg"]
    assert (picture.media_type, picture.body) == ("image/svg+xml", SVG.encode())
    page = found["/docs"].body.decode()
    assert '<img src="/docs/plots/curve.svg" alt="A &lt;curve&gt;" loading="lazy">' in page
    assert '<span class="caption">Said &amp; meant</span>' in page


def test_the_index_of_a_folder_is_found_at_the_folder(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "index.md").write_text("# All\n")
    (tmp_path / "tools" / "index.md").write_text("# Tools\n")
    found = doc_pages(tmp_path)
    for folder, title in (("/docs", "All"), ("/docs/tools", "Tools")):
        page = found[folder].body.decode()
        assert f'<a href="{folder}" aria-current="page">{title}</a>' in page
        assert found[f"{folder}/"] == found[f"{folder}/index"] == found[folder]
        assert f"{folder}/index.md" in found
    listed = json.loads(found["/docs/search.json"].body)
    assert [entry["path"] for entry in listed] == ["/docs", "/docs/tools"]


def test_raw_html_stays_text(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("# A <b>title</b>\n\n<script>alert(1)</script>\n")
    page = doc_pages(tmp_path)["/docs"].body.decode()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_contents_come_after_the_title_where_there_are_sections(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("# One\n\n## A `b`\n\n## C\n\n## D\n")
    page = doc_pages(tmp_path)["/docs"].body.decode()
    assert page.index("</h1>") < page.index('href="#a-b"') < page.index('<h2 id="a-b"')


def test_the_page_shows_its_sample_and_the_interpretation_rule() -> None:
    page = web_page()["/"].body.decode()
    assert page.count("<mark ") == len(sample().findings)
    assert INTERPRETATION in page
    assert "{{" not in page
    assert "{%" not in page


def test_the_page_says_where_quotations_go() -> None:
    page = web_page()["/"].body.decode()
    assert "nothing is stored." in page
    assert "monitoring" not in page
    quoting = web_page(quotes=True)["/"].body.decode()
    assert "nothing is stored" not in quoting
    assert (
        "not stored or logged here; the operator's monitoring receives what findings quote"
        in quoting
    )


def test_no_document_is_made_before_it_is_asked_for() -> None:
    found = documents(())
    assert not any("body" in vars(document) for document in found.values())
    assert found["/docs"].body.startswith(b"<!doctype html>")
    assert "body" in vars(found["/docs"])
