"""Anthropic's messages wire through its SDK, which takes no temperature."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from fairwitness.providers.asked import Asked, system_apart
from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.hosted import Hosted
from fairwitness.providers.prices import tokens_together
from fairwitness.providers.provider import Completion, FinishReason


class _Block(msgspec.Struct):
    type: str
    text: str = ""


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None

    def read(self) -> int | None:
        """All input tokens; cached ones are counted at the full price."""
        if self.input_tokens is None:
            return None
        cached = self.cache_creation_input_tokens, self.cache_read_input_tokens
        return tokens_together(self.input_tokens, *cached)


class _Answer(msgspec.Struct):
    content: list[_Block]
    stop_reason: str | None = None
    usage: _Usage | None = None


class AnthropicProvider(Hosted):
    """One Claude model."""

    sdk_module: ClassVar[str] = "anthropic"
    finish_reasons: ClassVar[dict[str, FinishReason]] = {
        "end_turn": "stop",
        "stop_sequence": "stop",
        "max_tokens": "length",
        "model_context_window_exceeded": "length",
        "refusal": "content_filter",
    }

    @property
    def sampling(self) -> dict[str, float | int]:
        """Nothing: the SDK takes none."""
        return {}

    async def _ask(self, prompt: Asked) -> Completion:
        system, turns = system_apart(prompt)
        raw = await self._sdk(await self._loaded()).messages.with_raw_response.create(
            model=self.config.model,
            max_tokens=self.config.max_output_tokens,
            messages=[{"role": turn.role, "content": turn.content} for turn in turns],
            **({"system": system} if system else {}),
        )
        return self.read(raw.http_response.content, prompt)

    def read(self, content: bytes, prompt: Asked) -> Completion:
        """Return the completion an answer's body holds."""
        answer = msgspec.json.decode(content, type=_Answer)
        text = "".join(block.text for block in answer.content if block.type == "text")
        usage = answer.usage or _Usage()
        reported = usage.read(), usage.output_tokens
        return self._completion(prompt, text, answer.stop_reason, reported)

    def _sdk(self, module: Any) -> Any:
        http, placeholder = self._http()
        return module.AsyncAnthropic(
            api_key=placeholder,
            base_url=self.config.base_url,
            http_client=http,
            max_retries=0,
            open_telemetry=False,
        )


def build(config: ProviderConfig) -> AnthropicProvider:
    """Return the provider of one slot."""
    return AnthropicProvider(config)
