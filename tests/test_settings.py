"""Settings: the environment, the file, and one clear line for each fault."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from fairwitness.settings import (
    Settings,
    SettingsError,
    available_cores,
    in_one,
    load,
    shown_default,
    table,
    value_parsers,
)


def test_defaults_are_the_published_ones() -> None:
    settings = load({})
    assert (settings.host, settings.port, settings.queue_size) == ("127.0.0.1", 8080, 64)
    assert (settings.quota_per_hour, settings.quota_per_day, settings.units_per_day) == (
        120,
        600,
        2000,
    )
    assert (settings.budget_per_hour_usd, settings.budget_per_day_usd) == (
        Decimal("1.00"),
        Decimal("5.00"),
    )
    assert (settings.concurrency, settings.concurrency_per_caller) == (8, 4)
    assert (settings.duplicate_window_s, settings.provider_deadline_s) == (10, 60)
    assert (settings.header_timeout_s, settings.body_timeout_s) == (10, 20)
    assert (
        settings.feedback_per_day,
        settings.feedback_retention_days,
        settings.feedback_max_mb,
    ) == (50, 90, 256)
    assert settings.embedded_max_tokens == 96
    assert settings.spend_enabled is True
    assert settings.providers is None


def test_environment_wins_over_file_and_flags_over_both(tmp_path: Path) -> None:
    file = tmp_path / "fairwitness.toml"
    file.write_text(
        'port = 1111\nqueue_size = 7\ntrusted_proxies = ["10.0.0.0/8", "::1"]\nspend_enabled = false\n'
    )
    environ = {"FAIRWITNESS_CONFIG": str(file), "FAIRWITNESS_PORT": "2222"}
    settings = load(environ)
    assert (settings.port, settings.queue_size) == (2222, 7)
    assert settings.trusted_proxies == ("10.0.0.0/8", "::1")
    assert settings.spend_enabled is False
    assert load(environ, port=3333).port == 3333


@pytest.mark.parametrize(
    ("environ", "fault"),
    [
        ({"FAIRWITNESS_PORT": "http"}, "FAIRWITNESS_PORT: must be a whole number from 0 to 65535"),
        ({"FAIRWITNESS_PORT": "70000"}, "FAIRWITNESS_PORT: must be a whole number from 0 to 65535"),
        ({"FAIRWITNESS_PORT": "80_80"}, "FAIRWITNESS_PORT: must be a whole number"),
        ({"FAIRWITNESS_PORT": "\uff18\uff10"}, "FAIRWITNESS_PORT: must be a whole number"),
        ({"FAIRWITNESS_BODY_TIMEOUT_S": "1_0"}, "FAIRWITNESS_BODY_TIMEOUT_S: must be a number"),
        (
            {"FAIRWITNESS_BUDGET_PER_DAY_USD": "1_0"},
            "FAIRWITNESS_BUDGET_PER_DAY_USD: must be an amount",
        ),
        ({"FAIRWITNESS_PROT": "1"}, "FAIRWITNESS_PROT: unknown setting; did you mean port?"),
        ({"FAIRWITNESS_ZZZ": "1"}, "FAIRWITNESS_ZZZ: unknown setting"),
        (
            {"FAIRWITNESS_BUDGET_PER_DAY_USD": "-1"},
            "FAIRWITNESS_BUDGET_PER_DAY_USD: must be an amount",
        ),
        (
            {"FAIRWITNESS_BUDGET_PER_DAY_USD": "nan"},
            "FAIRWITNESS_BUDGET_PER_DAY_USD: must be an amount",
        ),
        (
            {"FAIRWITNESS_BUDGET_PER_DAY_USD": "0.0000001"},
            "FAIRWITNESS_BUDGET_PER_DAY_USD: must have at most six",
        ),
        (
            {"FAIRWITNESS_SPEND_ENABLED": "maybe"},
            "FAIRWITNESS_SPEND_ENABLED: must be true or false",
        ),
        (
            {"FAIRWITNESS_TRUSTED_PROXIES": "10.0.0.0/8, proxy"},
            "FAIRWITNESS_TRUSTED_PROXIES: 'proxy' is not an address",
        ),
        ({"FAIRWITNESS_CORS_ORIGINS": "*"}, "FAIRWITNESS_CORS_ORIGINS: '*' is not an origin"),
        ({"FAIRWITNESS_LOG_LEVEL": "loud"}, "FAIRWITNESS_LOG_LEVEL: must be"),
        (
            {"FAIRWITNESS_BODY_TIMEOUT_S": "nan"},
            "FAIRWITNESS_BODY_TIMEOUT_S: must be a number of seconds",
        ),
        (
            {"FAIRWITNESS_LEDGER_URL": "mysql://ann:secret@x"},
            "FAIRWITNESS_LEDGER_URL: must be postgresql://... or sqlite:////absolute/path; "
            "mysql:// is not known",
        ),
        ({"FAIRWITNESS_FEEDBACK_URL": "x"}, "FAIRWITNESS_FEEDBACK_URL: must be postgresql://"),
        (
            {"FAIRWITNESS_LEDGER_URL": "sqlite:///ledger.sqlite3"},
            "FAIRWITNESS_LEDGER_URL: the path must be absolute: sqlite:////",
        ),
        ({"FAIRWITNESS_LEDGER_URL": "postgresql://x"}, "FAIRWITNESS_SECRET_KEY: required with"),
        (
            {
                "FAIRWITNESS_FEEDBACK_URL": "postgresql://x",
                "FAIRWITNESS_SECRET_KEY": "sixteen letters!",
            },
            "FAIRWITNESS_FEEDBACK_CONTACT_KEY: required with",
        ),
        (
            {"FAIRWITNESS_SECRET_KEY": "fifteen letters"},
            "FAIRWITNESS_SECRET_KEY: must have at least 16 characters",
        ),
        ({"FAIRWITNESS_HOST": " "}, "FAIRWITNESS_HOST: must not be empty"),
        ({"FAIRWITNESS_OTEL_URL": "collector:4318"}, "FAIRWITNESS_OTEL_URL: must be an address"),
        (
            {"FAIRWITNESS_OTEL_URL": "http://ann:secret@collector:4318"},
            "FAIRWITNESS_OTEL_URL: must be an address",
        ),
        ({"FAIRWITNESS_OTEL_HEADERS": "key"}, "FAIRWITNESS_OTEL_HEADERS: must be headers"),
        ({"FAIRWITNESS_OTEL_HEADERS": "key=a%0D%0Ab: c"}, "FAIRWITNESS_OTEL_HEADERS: must be"),
        ({"FAIRWITNESS_CONFIG": "/does/not/exist.toml"}, "FAIRWITNESS_CONFIG: cannot read"),
    ],
)
def test_faults_name_the_setting(environ: dict[str, str], fault: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load(environ)
    assert any(line.startswith(fault) for line in refusal.value.faults), refusal.value.faults


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("port = [", "FAIRWITNESS_CONFIG: cannot read"),
        ("port = [9000]", "port: must be one value"),
        ("host = {name = 'x'}", "host: must be one value"),
        ("prot = 1", "prot: unknown setting; did you mean port?"),
        ("[server]\nport = 1", "server: unknown setting"),
        ("[providers.provider_z]\nkind = 'openai'", "providers.provider_z: unknown slot"),
        ("[providers.provider_a]\nkind = 3", "providers.provider_a.kind: must be of type str"),
        (
            "[providers.provider_a]\napi_key = 'x'",
            "providers.provider_a.api_key: unknown provider setting",
        ),
        ("[providers]\nprovider_a = 1", "providers.provider_a: must be a table"),
        ("providers = 1", "providers: must be tables"),
    ],
)
def test_faults_of_the_file(tmp_path: Path, content: str, fault: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(content)
    with pytest.raises(SettingsError) as refusal:
        load({"FAIRWITNESS_CONFIG": str(file)})
    assert any(line.startswith(fault) for line in refusal.value.faults), refusal.value.faults


def test_the_address_for_clients_is_no_setting() -> None:
    assert load({"FAIRWITNESS_URL": "http://127.0.0.1:8080"}) == load({})


def test_all_faults_at_once() -> None:
    with pytest.raises(SettingsError) as refusal:
        load({"FAIRWITNESS_PORT": "x", "FAIRWITNESS_NOPE": "1", "FAIRWITNESS_SPEND_ENABLED": "?"})
    assert len(refusal.value.faults) == 3


@pytest.mark.parametrize("field", table(), ids=lambda field: str(field.name))
def test_every_setting_has_help_and_a_shown_default(field: Any) -> None:
    assert field.metadata["help"].endswith(".")
    assert shown_default(field)


def test_a_default_is_shown_as_one_would_write_it() -> None:
    shown = {field.name: shown_default(field) for field in table()}
    assert shown["spend_enabled"] == "true"
    assert shown["budget_per_hour_usd"] == "1.00"


def test_places_do_not_hang_on_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(
        {"FAIRWITNESS_DATA_DIR": "here", "FAIRWITNESS_LEDGER_URL": f"sqlite:///{tmp_path}/l"}
    )
    assert settings.data_dir == tmp_path / "here"
    assert settings.ledger_url == f"sqlite:////{str(tmp_path)[1:]}/l"


def test_a_shared_house_needs_its_keys_and_no_more() -> None:
    key = "k" * 16
    shared = {"FAIRWITNESS_LEDGER_URL": "postgresql://x", "FAIRWITNESS_SECRET_KEY": key}
    assert load(shared).secret_key == key
    shared |= {
        "FAIRWITNESS_FEEDBACK_URL": "postgresql://x",
        "FAIRWITNESS_FEEDBACK_CONTACT_KEY": "contact",
    }
    assert load(shared).feedback_contact_key == "contact"


def test_no_secret_is_shown_by_accident() -> None:
    secrets = [field.name for field in table() if field.metadata["secret"]]
    assert "secret_key" in secrets
    canaries: dict[str, Any] = dict.fromkeys(secrets, "canary-91734")
    shown = repr(Settings(**canaries))
    assert "canary" not in shown
    assert "port=8080" in shown


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Settings().port = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("files", "most"),
    [
        ({}, None),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu.max": "50000 100000\n"}, 1),
        ({"cpu.max": "100000 100000\n"}, 1),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "100000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1),
        ({"cpu.max": "nonsense"}, None),
    ],
)
def test_a_containers_share_of_cores_is_kept(
    files: dict[str, str], most: int | None, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert available_cores(tmp_path) == (most or bound)


@pytest.mark.parametrize(
    "listed", [["a.toml"], ["a, b.toml", "c.toml"], ['say "hi".toml', "d,e"], ['"q"', "x\ny"], []]
)
def test_a_list_is_read_back_whatever_is_in_it(listed: list[str]) -> None:
    assert value_parsers.names(in_one(listed)) == tuple(listed)
    assert value_parsers.names(" 10.0.0.0/8 , ::1,") == ("10.0.0.0/8", "::1")
