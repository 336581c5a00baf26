"""What can go wrong between a client and the service; what the service itself says is in contract/errors.py."""

from __future__ import annotations


class ClientError(Exception):
    """The service gave no answer that can be used. Nothing was judged."""


class Unreachable(ClientError):
    """No connection could be made, or it broke."""


class TimedOut(ClientError):
    """The answer was not complete when the time was up."""


class UnexpectedAnswer(ClientError):
    """Something answered, but not as this version of the contract says: another service, or another version."""
