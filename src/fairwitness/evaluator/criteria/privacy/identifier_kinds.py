"""The kinds of identifiers: their names, severities and placeholders."""

from __future__ import annotations

from dataclasses import dataclass

from fairwitness.contract.evaluation import Severity


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of identifier: its id in detector names, its name in messages, its severity."""

    id: str
    name: str
    severity: Severity

    @property
    def placeholder(self) -> str:
        """What a revision writes instead."""
        return f"[{self.name}]"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One identifier found in a text; `severity` may be lower than its kind's, by context."""

    start: int
    end: int
    kind: Kind
    severity: Severity
    # The identifying part, where it is less than the whole: a street without its town.
    core: tuple[int, int] | None = None

    @property
    def placeholder(self) -> str:
        """What may replace it."""
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
