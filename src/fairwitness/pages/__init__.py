"""The documents served under /docs, as Markdown."""
