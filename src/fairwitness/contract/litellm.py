"""LiteLLM's generic guardrail: what its proxy sends before and after a model is called, and what it reads."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairwitness.contract.evaluation import Result, Verdict
from fairwitness.contract.tool_body import ToolBody

Action = Literal["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]


class GuardrailChoices(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the operator of a proxy chooses, in `additional_provider_specific_params`."""

    block_on: list[Verdict] = msgspec.field(default_factory=lambda: ["fail"])
    # Only these decide on an answer; by default the overall verdict does.
    criteria: list[str] = msgspec.field(default_factory=list)
    # Whether identifiers and secrets in an answer are replaced by placeholders.
    mask: bool = True


class GuardrailRequest(ToolBody, frozen=True, kw_only=True):
    """The texts to judge: what the user wrote, or what a model answered."""

    input_type: Literal["request", "response"]
    texts: list[str] | None = None
    structured_messages: list[Any] | None = None
    additional_provider_specific_params: GuardrailChoices | None = None


class GuardrailResult(Result, frozen=True, kw_only=True, rename=None):
    """What the proxy is to do. An answer without `action` would let the text pass, so it is always there."""

    action: Action
    blocked_reason: str | UnsetType = UNSET
    texts: list[str] | UnsetType = UNSET
