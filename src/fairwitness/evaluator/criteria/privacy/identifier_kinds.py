"""What an identifier is called, how grave it is, and what may stand in its place."""

from __future__ import annotations

from dataclasses import dataclass

from fairwitness.contract.evaluation import Severity


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of identifier: its id in detector names, its name in messages, its gravity."""

    id: str
    name: str
    severity: Severity

    @property
    def placeholder(self) -> str:
        """What the improvement operator writes instead."""
        return f"[{self.name}]"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier seen in a text; `severity` may be milder than its kind's where the context says so."""

    start: int
    end: int
    kind: Kind
    severity: Severity
    # The part that alone identifies, where less than the whole does: a street without its town.
    core: tuple[int, int] | None = None

    @property
    def placeholder(self) -> str:
        """What may stand in its place."""
        return self.kind.placeholder


EMAIL = Kind("email", "email address", "medium")
PHONE = Kind("phone", "phone number", "medium")
ADDRESS = Kind("street_address", "street address", "medium")
IP = Kind("ip_address", "IP address", "low")
IBAN = Kind("iban", "bank account number", "high")
CARD = Kind("payment_card", "payment card number", "high")
NATIONAL = Kind("national_number", "national identity number", "high")
DOCUMENT = Kind("document_number", "identity document number", "high")
PRIVATE_KEY = Kind("private_key", "private key", "high")
TOKEN = Kind("access_token", "access token", "high")
PASSWORD = Kind("password", "password", "high")
