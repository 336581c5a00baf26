"""The index of the documents' search: each page's title, its sections, and the words it uses."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from fairwitness.site.markdown import sections

_WORD = re.compile(r"[^\W_][\w-]{2,}")
# A word on most pages tells none of them apart.
_COMMON_SHARE = 0.6


def search_index(pages: Mapping[str, tuple[str, str]]) -> bytes:
    """Return the index of pages given by address as (title, Markdown)."""
    words = {path: set(_WORD.findall(text.lower())) for path, (_, text) in pages.items()}
    common = {
        word
        for word in set().union(*words.values())
        if sum(word in found for found in words.values()) > _COMMON_SHARE * len(pages) > 3
    }
    entries = [
        {
            "path": path,
            "title": title,
            "sections": sections(text),
            "words": " ".join(sorted(words[path] - common)),
        }
        for path, (title, text) in pages.items()
    ]
    return json.dumps(entries, separators=(",", ":")).encode()
