"""Google's generateContent wire, spoken plainly: one POST needs no SDK."""

from __future__ import annotations

from typing import Any, ClassVar
from urllib.parse import quote

import msgspec

from fairwitness.providers.asked import Asked, sampling_of, system_apart
from fairwitness.providers.border import failure_of_status
from fairwitness.providers.config import ProviderConfig
from fairwitness.providers.hosted import Hosted
from fairwitness.providers.prices import tokens_together
from fairwitness.providers.provider import Completion, FinishReason, ProviderFailure


class _Part(msgspec.Struct):
    text: str = ""
    thought: bool = False


class _Content(msgspec.Struct):
    parts: list[_Part] = []


class _Candidate(msgspec.Struct, rename="camel"):
    content: _Content | None = None
    finish_reason: str | None = None


class _Feedback(msgspec.Struct, rename="camel"):
    block_reason: str | None = None


class _Usage(msgspec.Struct, rename="camel"):
    prompt_token_count: int | None = None
    candidates_token_count: int | None = None
    thoughts_token_count: int | None = None

    def written(self) -> int | None:
        """All output tokens: thinking is billed as output."""
        return tokens_together(self.candidates_token_count, self.thoughts_token_count)


class _Answer(msgspec.Struct, rename="camel"):
    candidates: list[_Candidate] = []
    prompt_feedback: _Feedback | None = None
    usage_metadata: _Usage | None = None


class GeminiProvider(Hosted):
    """One Gemini model."""

    finish_reasons: ClassVar[dict[str, FinishReason]] = {
        "STOP": "stop",
        "MAX_TOKENS": "length",
        "SAFETY": "content_filter",
        "RECITATION": "content_filter",
        "BLOCKLIST": "content_filter",
        "PROHIBITED_CONTENT": "content_filter",
        "SPII": "content_filter",
        "LANGUAGE": "content_filter",
    }

    async def _ask(self, prompt: Asked) -> Completion:
        http, placeholder = self._http()
        model = quote(self.config.model.removeprefix("models/"), safe="")
        response = await http.post(
            f"{self.config.base_url}/v1beta/models/{model}:generateContent",
            json=self._question(prompt),
            headers={"x-goog-api-key": placeholder},
        )
        if not response.is_success:
            raise failure_of_status(response.status_code, response.headers.get("retry-after"))
        return self.read(response.content, prompt)

    def _question(self, prompt: Asked) -> dict[str, Any]:
        settings: dict[str, Any] = {"maxOutputTokens": self.config.max_output_tokens}
        settings |= self.sampling
        if self._schema is not None:
            settings |= {"responseMimeType": "application/json", "responseJsonSchema": self._schema}
        system, turns = system_apart(prompt)
        contents = [
            {
                "role": "model" if turn.role == "assistant" else "user",
                "parts": [{"text": turn.content}],
            }
            for turn in turns
        ]
        instruction = {"systemInstruction": {"parts": [{"text": system}]}} if system else {}
        return {
            "contents": contents,
            "generationConfig": settings | sampling_of(prompt),
            **instruction,
        }

    def read(self, content: bytes, prompt: Asked) -> Completion:
        """Return the completion an answer's body holds."""
        answer = msgspec.json.decode(content, type=_Answer)
        usage = answer.usage_metadata or _Usage()
        blocked = answer.prompt_feedback is not None and answer.prompt_feedback.block_reason
        if not answer.candidates and not blocked:
            raise ProviderFailure("invalid_answer")
        candidate = answer.candidates[0] if answer.candidates else _Candidate(None, "SAFETY")
        parts = candidate.content.parts if candidate.content else []
        text = "".join(part.text for part in parts if not part.thought)
        reported = usage.prompt_token_count, usage.written()
        return self._completion(prompt, text, candidate.finish_reason, reported)


def build(config: ProviderConfig) -> GeminiProvider:
    """Return the provider of one slot."""
    return GeminiProvider(config)
