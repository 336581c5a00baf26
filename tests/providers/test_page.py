"""The page of examples: every TOML block on it is a configuration that loads."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from fairwitness.providers import config
from fairwitness.providers.provider import MEANINGS
from fairwitness.settings import PROVIDER_FIELDS, Settings, load

PAGE = resources.files("fairwitness.pages").joinpath("providers.md").read_text(encoding="utf-8")
BLOCKS = [block.split("```")[0] for block in PAGE.split("```toml\n")[1:]]
KEYS = {
    f"{name}_API_KEY": "k"
    for name in ("OPENAI ANTHROPIC GEMINI MISTRAL DEEPSEEK XAI GROQ AZURE_OPENAI VLLM".split())
}


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_every_example_loads(block: str, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("k", encoding="utf-8")
    file = tmp_path / "fairwitness.toml"
    file.write_text(block.replace("/run/secrets/openrouter", str(key)), encoding="utf-8")
    settings: Settings = load({"FAIRWITNESS_CONFIG": str(file)})
    found = config.read(settings, KEYS)
    assert set(found) == set(tomllib.loads(block)["providers"])


def test_every_kind_field_and_code_is_on_the_page() -> None:
    for word in (*config.KINDS, *PROVIDER_FIELDS, *MEANINGS):
        assert f"`{word}`" in PAGE, word
