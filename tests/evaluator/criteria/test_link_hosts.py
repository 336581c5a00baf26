"""Hosts and query values of links, parsed as a browser would."""

from urllib.parse import quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairwitness.evaluator.criteria.output_safety.link_hosts import (
    host_of,
    is_disguised,
    percent_decoded,
    site_of,
)


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://Example.com/a?b#c", "example.com"),
        ("http://user:pass@example.com:8080/", "example.com"),
        ("//cdn.example.com", "cdn.example.com"),
        ("www.example.com/path", "www.example.com"),
        ("https://bank.com@203.0.113.9/", "203.0.113.9"),
    ],
)
def test_host(address: str, host: str) -> None:
    assert host_of(address) == host


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.example.com", "example.com"),
        ("a.b.example.com", "example.com"),
        ("www.example.co.uk", "example.co.uk"),
        ("youtu.be", "youtube.com"),
        ("localhost", "localhost"),
    ],
)
def test_site(host: str, site: str) -> None:
    assert site_of(host) == site


@pytest.mark.parametrize(
    "host",
    [
        "pаypal.com",
        "gοοgle.com",
        "xn--80ak6aa92e.com",
        "ｇｏｏｇｌｅ.com",
        "аррӏе.com",
        "a\u2044b.com",
    ],
)
def test_disguised(host: str) -> None:
    assert is_disguised(host)


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "münchen.de",
        "президент.рф",
        "中国.cn",
        "xn--mnchen-3ya.de",
        "xn--\u00ff.com",
        "日本語.jp",
    ],
)
def test_not_disguised(host: str) -> None:
    assert not is_disguised(host)


@given(st.text(st.characters(codec="utf-8")))
def test_percent_escapes_are_decoded(value: str) -> None:
    assert percent_decoded(quote_plus(value)) == value


@given(st.text(st.sampled_from("%0aF+g "), max_size=20))
def test_invalid_escapes_do_not_fail(value: str) -> None:
    assert isinstance(percent_decoded(value), str)
