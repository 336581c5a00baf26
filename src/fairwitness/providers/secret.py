"""A provider's key, kept from every place that could show it."""

from __future__ import annotations


class Secret:
    """A key that no repr, log or traceback shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        """Keep the key."""
        self._value = value

    def reveal(self) -> str:
        """Return the key itself, for the one place that sends it."""
        return self._value

    def __repr__(self) -> str:
        """Show that there is a key and no more."""
        return "Secret(***)"
