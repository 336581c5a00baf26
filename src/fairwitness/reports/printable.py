"""Text that is safe to show: what could drive a terminal, or cannot be seen, is spelled out."""

from __future__ import annotations


def visible(text: str) -> str:
    """Return text that cannot drive the terminal: control and format characters are spelled out."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"\\u{{{ord(char):x}}}" for char in text
    )
