"""Nobody passes for another caller by what they write in a header."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairwitness.service.caller import (
    caller_hash,
    caller_of,
    client_network,
    secret_of,
    trusted_networks,
)
from fairwitness.settings import Settings

PROXIES = trusted_networks(Settings(trusted_proxies=("10.0.0.0/8", "fd00::/8", "192.0.2.1")))
CLIENT = "203.0.113.9"


def network(peer: str, *headers: tuple[str, str]) -> str:
    return client_network(peer, headers, PROXIES)


@pytest.mark.parametrize(
    ("peer", "expected"),
    [
        (CLIENT, "203.0.113.9/32"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9/32"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "local"),
        ("a unix socket", "local"),
    ],
)
def test_an_address_becomes_its_network(peer: str, expected: str) -> None:
    assert network(peer) == expected


@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded"])
@pytest.mark.parametrize("peer", [CLIENT, "127.0.0.1", "::1", "2001:db8::1", "11.0.0.1"])
def test_a_peer_that_is_not_listed_is_never_believed(name: str, peer: str) -> None:
    value = "198.51.100.1" if name == "X-Forwarded-For" else "for=198.51.100.1"
    assert network(peer, (name, value)) == network(peer)


@pytest.mark.parametrize(
    ("header", "value", "expected"),
    [
        ("X-Forwarded-For", CLIENT, CLIENT),
        ("x-forwarded-for", f" {CLIENT} ", CLIENT),
        ("X-Forwarded-For", f"{CLIENT}, 10.1.1.1, 192.0.2.1", CLIENT),
        ("X-Forwarded-For", f"{CLIENT}:4711", CLIENT),
        ("X-Forwarded-For", "[2001:db8::1]:4711", "2001:db8::1"),
        ("X-Forwarded-For", "2001:db8::1", "2001:db8::1"),
        ("Forwarded", f"for={CLIENT}", CLIENT),
        ("Forwarded", f'For="{CLIENT}:80"; Proto=https;by=10.0.0.1', CLIENT),
        ("Forwarded", 'for="[2001:db8::1]:4711"', "2001:db8::1"),
        ("Forwarded", f"for={CLIENT}, for=10.1.1.1;proto=http", CLIENT),
        # What stands left of the first address nobody vouches for is the client's own writing.
        ("X-Forwarded-For", f"198.51.100.1, {CLIENT}", CLIENT),
        ("X-Forwarded-For", f"10.9.9.9, {CLIENT}, 10.1.1.1", CLIENT),
        ("Forwarded", f"for=198.51.100.1, for={CLIENT}", CLIENT),
        ("Forwarded", f'for="198.51.100.1, for=1.1.1.1", for={CLIENT}', CLIENT),
    ],
)
def test_a_listed_proxy_is_believed_as_far_as_it_vouches(
    header: str, value: str, expected: str
) -> None:
    assert network("10.0.0.1", (header, value)) == network(expected)


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("X-Forwarded-For", ""),
        ("X-Forwarded-For", "unknown"),
        ("X-Forwarded-For", f"{CLIENT}, unknown"),
        ("X-Forwarded-For", f"{CLIENT},"),
        ("X-Forwarded-For", "999.1.1.1"),
        ("X-Forwarded-For", f"{CLIENT}:99999999"),
        ("X-Forwarded-For", "[2001:db8::1"),
        ("X-Forwarded-For", "[2001:db8::1]x"),
        ("X-Forwarded-For", "１０.1.1.1"),
        ("Forwarded", "for=_hidden"),
        ("Forwarded", "proto=https"),
        ("Forwarded", f"for={CLIENT};for=198.51.100.1"),
        # A quote left open would swallow what the proxy appended.
        ("Forwarded", f'for="198.51.100.1, for={CLIENT}'),
        ("Forwarded", f'for=198.51.100.1, for=", for={CLIENT}'),
        ("Forwarded", f'for="198.51.100.1\\", for={CLIENT}'),
    ],
)
def test_what_cannot_be_read_falls_to_the_proxy(header: str, value: str) -> None:
    assert network("10.0.0.1", (header, value)) == "10.0.0.1/32"


def test_the_lines_of_a_header_count_in_order() -> None:
    lines = (("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", CLIENT))
    assert network("10.0.0.1", *lines) == network(CLIENT)


def test_headers_that_disagree_are_both_disbelieved() -> None:
    honest = ("X-Forwarded-For", CLIENT)
    assert network("10.0.0.1", honest, ("Forwarded", "for=198.51.100.1")) == "10.0.0.1/32"
    assert network("10.0.0.1", honest, ("Forwarded", f"for={CLIENT}")) == network(CLIENT)


def test_a_chain_longer_than_any_honest_one_is_read_only_so_far() -> None:
    hops = ", ".join(["198.51.100.1", *["10.1.1.1"] * 40])
    assert network("10.0.0.1", ("X-Forwarded-For", hops)) == "10.1.1.1/32"


@settings(deadline=None)
@given(prefix=st.text(alphabet='0127.:,;="\\\\[] forunkw\té', max_size=60))
def test_nothing_a_client_writes_first_changes_whom_the_proxy_names(prefix: str) -> None:
    named = network(CLIENT)
    assert network("10.0.0.1", ("X-Forwarded-For", f"{prefix}, {CLIENT}")) == named
    # In Forwarded a quote may spoil the whole line; then it is the proxy's, never a third party's.
    found = network("10.0.0.1", ("Forwarded", f"{prefix}, for={CLIENT}"))
    assert found in {named, "10.0.0.1/32"}


@settings(deadline=None)
@given(address=st.ip_addresses())
def test_every_address_has_one_caller(address: ipaddress.IPv4Address) -> None:
    found = ipaddress.ip_network(network(str(address)))
    mapped = getattr(address, "ipv4_mapped", None)
    assert (mapped or address) in found
    assert found.prefixlen == (32 if found.version == 4 else 64)


def test_the_hash_is_keyed_and_hides_the_address() -> None:
    one = caller_of(CLIENT, (), PROXIES, b"k" * 32)
    assert one == caller_hash(b"k" * 32, "203.0.113.9/32")
    assert one != caller_of(CLIENT, (), PROXIES, b"K" * 32)
    assert one != caller_of("203.0.113.8", (), PROXIES, b"k" * 32)
    assert len(one) == 16


def test_the_key_is_the_setting_or_made_once(tmp_path: Path) -> None:
    assert secret_of(Settings(data_dir=tmp_path, secret_key="given")) == b"given"
    made = secret_of(Settings(data_dir=tmp_path / "new"))
    assert made == secret_of(Settings(data_dir=tmp_path / "new"))
    assert (tmp_path / "new" / "secret.key").stat().st_mode & 0o777 == 0o600
