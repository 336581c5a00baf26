"""Contacts: the database alone tells nobody's, and a contact cannot be moved to another entry."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.feedback import ContactSeal, SealedElsewhere
from fairwitness.feedback.contact import KEY_FILE
from fairwitness.settings import Settings

SEAL = ContactSeal(lambda: b"k" * 32)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200), st.text("abc-019"))
def test_what_is_sealed_opens_and_shows_nothing(contact: str, feedback_id: str) -> None:
    sealed = SEAL.seal(contact, feedback_id)
    assert SEAL.open(sealed, feedback_id) == contact
    if len(contact) > 3:
        assert contact.encode() not in sealed


def test_the_same_contact_is_sealed_differently_each_time() -> None:
    assert len({SEAL.seal("ann@example.org", "id") for _ in range(20)}) == 20


def test_a_moved_or_changed_contact_does_not_open() -> None:
    sealed = SEAL.seal("ann@example.org", "one")
    with pytest.raises(SealedElsewhere, match="changed"):
        SEAL.open(sealed, "two")
    for index in range(8, len(sealed)):
        changed = sealed[:index] + bytes([sealed[index] ^ 1]) + sealed[index + 1 :]
        with pytest.raises(SealedElsewhere):
            SEAL.open(changed, "one")
    for broken in (b"", sealed[:8], sealed[:20], sealed[:-1]):
        with pytest.raises(SealedElsewhere):
            SEAL.open(broken, "one")


def test_another_key_is_named() -> None:
    sealed = SEAL.seal("ann@example.org", "one")
    other = ContactSeal(lambda: b"o" * 32)
    with pytest.raises(SealedElsewhere, match=f"another key .{sealed[:8].hex()}"):
        other.open(sealed, "one")


def test_the_key_is_given_or_made_beside_the_database(tmp_path: Path) -> None:
    made = Settings(data_dir=tmp_path)
    sealed = ContactSeal.of(made).seal("ann", "id")
    assert ContactSeal.of(made).open(sealed, "id") == "ann"
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    given_key = Settings(data_dir=tmp_path / "none", feedback_contact_key="a phrase of some length")
    again = ContactSeal.of(given_key).seal("ann", "id")
    assert ContactSeal.of(given_key).open(again, "id") == "ann"
    assert not (tmp_path / "none").exists()
    with pytest.raises(SealedElsewhere):
        ContactSeal.of(made).open(again, "id")


def test_no_key_is_made_until_a_contact_needs_it(tmp_path: Path) -> None:
    ContactSeal.of(Settings(data_dir=tmp_path))
    assert list(tmp_path.iterdir()) == []
