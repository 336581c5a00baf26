"""The OpenAI chat wire, spoken by OpenAI and by most others: Mistral, OpenRouter, Azure, Ollama, vLLM, llama.cpp."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import urlsplit

import msgspec

from fairwitness.providers.asked import Asked, chat_messages, sampling_of
from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.hosted import Hosted
from fairwitness.providers.provider import Completion, FinishReason, ProviderFailure

# OpenAI's own newer models refuse max_tokens; most others know no other name.
_RENAMED_LIMIT = ("api.openai.com", ".openai.azure.com", ".services.ai.azure.com")


class _Part(msgspec.Struct):
    type: str = ""
    text: str = ""


class _Message(msgspec.Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None

    @property
    def written(self) -> int | None:
        """Every token billed as output: some count thinking in the total alone. None where it does not add up."""
        read, shown, total = self.prompt_tokens, self.completion_tokens, self.total_tokens
        if read is None or shown is None or total is None:
            return shown
        if min(read, shown) < 0 or total < read + shown:
            return None
        return total - read


class _Answer(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class OpenAIProvider(Hosted):
    """One model behind an OpenAI-compatible address."""

    sdk_module: ClassVar[str] = "openai"
    finish_reasons: ClassVar[dict[str, FinishReason]] = {
        "stop": "stop",
        "length": "length",
        "content_filter": "content_filter",
    }

    async def _ask(self, prompt: Asked) -> Completion:
        sdk = self._sdk(await self._loaded())
        raw = await sdk.chat.completions.with_raw_response.create(
            **self._question(prompt) | sampling_of(prompt)
        )
        return self.read(raw.http_response.content, prompt)

    def read(self, content: bytes, prompt: Asked) -> Completion:
        """Return the completion an answer's body holds."""
        answer = msgspec.json.decode(content, type=_Answer)
        if not answer.choices:
            raise ProviderFailure("invalid_answer")
        choice = answer.choices[0]
        refused = choice.message.refusal and not choice.message.content
        usage = answer.usage or _Usage()
        reason = "content_filter" if refused else choice.finish_reason
        reported = usage.prompt_tokens, usage.written
        return self._completion(prompt, _text(choice.message), reason, reported)

    def _question(self, prompt: Asked) -> dict[str, Any]:
        question: dict[str, Any] = {
            "model": self.config.model,
            "messages": chat_messages(prompt),
            self._limit_name(): self.config.max_output_tokens,
        }
        question |= self.sampling
        if self._schema is not None:
            # Not strict: that allows no bounds, and without bounds a small model may never close its text.
            shape = {"name": "answer", "schema": self._schema, "strict": False}
            question["response_format"] = {"type": "json_schema", "json_schema": shape}
        return question

    def _limit_name(self) -> str:
        host = urlsplit(self.config.base_url).hostname or ""
        renamed = any(host == name or host.endswith(name) for name in _RENAMED_LIMIT)
        return "max_completion_tokens" if renamed else "max_tokens"

    def _sdk(self, module: Any) -> Any:
        http, placeholder = self._http()
        return module.AsyncOpenAI(
            api_key=placeholder, base_url=self.config.base_url, http_client=http, max_retries=0
        )


def _text(message: _Message) -> str:
    if isinstance(message.content, list):
        return "".join(part.text for part in message.content if part.type == "text")
    return message.content or ""


def build(config: ProviderConfig) -> OpenAIProvider:
    """Return the provider of one slot."""
    return OpenAIProvider(config)
