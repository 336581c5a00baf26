"""How a protocol file asks judges: who is asked, how often, in which form, and what each answer means."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

_Slot = Annotated[str, Meta(pattern="^provider_[a-g]$")]
_Anchor = Annotated[str, Meta(min_length=1, max_length=500)]

GRADES = 5
MAX_QUOTATIONS = 3
# Questions of one evaluation, over all its judged criteria; text that addresses the judge doubles them.
MAX_QUESTIONS = 64
_LETTERS = "ABCDE"


class JudgeSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `judge` of a criterion; its question is the criterion's own where it gives none."""

    providers: Annotated[tuple[_Slot, ...], Meta(min_length=1, max_length=7)]
    # Answers of each provider; every second one is asked for with order and labels swapped.
    answers: Annotated[int, Meta(ge=1, le=8)] = 2
    form: Literal["yes_no", "rubric", "reference"] = "yes_no"
    question: Annotated[str, Meta(min_length=1, max_length=1_000)] | None = None
    # What a person would be given to decide by: a policy, definitions, examples.
    guidance: Annotated[str, Meta(max_length=10_000)] = ""
    # Of a rubric: what each grade means, from 1 to 5.
    anchors: tuple[_Anchor, ...] = ()
    temperature: Annotated[float, Meta(ge=0, le=2)] = 0.0
    max_tokens: Annotated[int, Meta(ge=32, le=4_096)] = 400
    # Passages an answer may quote; none for small models, which cannot copy a text exactly.
    quotations: Annotated[int, Meta(ge=0, le=MAX_QUOTATIONS)] | None = None
    # Ask the provider to enforce the shape of the answer; for servers that refuse to, false.
    json_schema: bool = True

    def __post_init__(self) -> None:
        """Refuse providers named twice, and anchors that do not fit the form."""
        if len(set(self.providers)) < len(self.providers):
            raise ValueError("providers: a provider is named twice")
        if self.form == "rubric" and len(self.anchors) != GRADES:
            raise ValueError(f"a rubric needs {GRADES} anchors, from grade 1 to grade {GRADES}")
        if self.form != "rubric" and self.anchors:
            raise ValueError('anchors are for form = "rubric"')

    @property
    def count(self) -> int:
        """How many answers are asked for."""
        return len(self.providers) * self.answers

    @property
    def most_quotations(self) -> int:
        """How many quotations an answer may hold: as many as its tokens leave room for, if nothing is said."""
        if self.quotations is not None:
            return self.quotations
        return min(MAX_QUOTATIONS, max(1, self.max_tokens // 100))

    def options(self, order: int) -> dict[str, tuple[str, float]]:
        """Return what each letter says and the share of the score it stands for; the two orders mirror each other."""
        if self.form == "rubric":
            shares = [grade / (GRADES - 1) for grade in range(GRADES)]
            found = [
                (f"{anchor} (grade {grade})", share)
                for grade, (anchor, share) in enumerate(zip(self.anchors, shares, strict=True), 1)
            ]
        else:
            found = [("No.", 0.0), ("Yes.", 1.0)]
        if order == 0:
            found.reverse()
        return dict(zip(_LETTERS, found, strict=False))


def words(share: float, spec: JudgeSpec) -> str:
    """Return what an answer said, as people read it."""
    if spec.form == "rubric":
        return f"grade {round(share * (GRADES - 1)) + 1} of {GRADES}"
    return "yes" if share else "no"
