"""The six request bodies, exactly as the contract bounds them; decoding them is decode.py's work."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

MAX_BODY_BYTES = 131_072

PROMPT_MAX = 2000
RESPONSE_MAX = 8000
DEMO_RESPONSE_MAX = 4000

GenerateProvider = Literal[
    "provider_a", "provider_b", "provider_c", "provider_d", "provider_e", "provider_f"
]
ArenaProvider = Literal["provider_a", "provider_d", "provider_g", "provider_e", "provider_f"]
FeedbackCategory = Literal["evaluation_quality", "bug", "documentation", "feature", "other"]

Version = Annotated[Literal["1.0.0"], Meta(description="The contract version of this request.")]
Prompt = Annotated[
    str, Meta(min_length=1, max_length=PROMPT_MAX, description="What the assistant was asked.")
]
Response = Annotated[
    str, Meta(min_length=1, max_length=RESPONSE_MAX, description="The response text to evaluate.")
]
DemoResponse = Annotated[
    str,
    Meta(min_length=1, max_length=DEMO_RESPONSE_MAX, description="The response text to improve."),
]
Acknowledged = Annotated[
    bool,
    Meta(
        description="Must be true: you have the right to submit this text and it contains no confidential or personal data.",
        extra_json_schema={"const": True},
    ),
]

_UNIQUE: dict[str, Any] = {"uniqueItems": True}


class Body(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="camel"):
    """The base of every request body, whatever its contract: no field beyond its own."""


class Request(Body, frozen=True, kw_only=True):
    """What every request of contract 1 shares: a version, an acknowledgement."""

    contract_version: Version
    privacy_acknowledged: Acknowledged

    def __post_init__(self) -> None:
        """Refuse what the types alone let through."""
        if self.privacy_acknowledged is not True:
            raise ValueError("privacyAcknowledged must be true")


def _distinct(items: list[str]) -> None:
    if len(set(items)) != len(items):
        raise ValueError("items must be unique")


class EvaluateResponseRequest(Request, frozen=True, kw_only=True):
    """Direct evaluation: a prompt and the response it got."""

    prompt: Prompt
    response: Response


class GenerateRequest(Request, frozen=True, kw_only=True):
    """Generate through each provider, then evaluate each response."""

    prompt: Prompt
    provider_ids: Annotated[
        list[GenerateProvider],
        Meta(
            min_length=1,
            description="The providers to generate with; no duplicates.",
            extra_json_schema=_UNIQUE,
        ),
    ]

    def __post_init__(self) -> None:
        """Refuse what the types alone let through."""
        super().__post_init__()
        _distinct(list(self.provider_ids))


class ArenaRequest(Request, frozen=True, kw_only=True):
    """One prompt across two to five distinct providers."""

    prompt: Prompt
    providers: Annotated[
        list[ArenaProvider],
        Meta(
            min_length=2,
            max_length=5,
            description="The providers to compare; results come back in this order.",
            extra_json_schema=_UNIQUE,
        ),
    ]

    def __post_init__(self) -> None:
        """Refuse what the types alone let through."""
        super().__post_init__()
        _distinct(list(self.providers))


class ImprovementRequest(Request, frozen=True, kw_only=True):
    """A prompt and a response to improve by its own findings."""

    prompt: Prompt
    response: DemoResponse


class FeedbackRequest(Request, frozen=True, kw_only=True):
    """Private feedback about the service."""

    category: Annotated[FeedbackCategory, Meta(description="What the feedback is about.")]
    message: Annotated[str, Meta(min_length=1, max_length=2000, description="The feedback itself.")]
    # A number that is whole: to JSON 4 and 4.0 are one value, so both are taken.
    rating: (
        Annotated[float, Meta(ge=1, le=5, multiple_of=1, description="1 (poor) to 5 (excellent).")]
        | UnsetType
    ) = UNSET
    request_id: (
        Annotated[
            str,
            Meta(
                min_length=1, max_length=64, description="The request id of the result it is about."
            ),
        ]
        | UnsetType
    ) = UNSET
    contact: (
        Annotated[
            str,
            Meta(min_length=1, max_length=200, description="How to reach you; stored encrypted."),
        ]
        | UnsetType
    ) = UNSET
