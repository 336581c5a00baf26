"""Reads bias.toml: the plain answers, written by us, in which only a group, a variety or a language changes."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct


class About(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question and an answer with places for the name of a group."""

    prompt: str
    response: str

    def naming(self, group: str) -> tuple[str, str]:
        """Return prompt and response about one group."""
        return self.prompt.replace("{group}", group), self.response.replace("{group}", group)


class Said(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename={"versions": "in"}
):
    """One answer, said in several varieties of English and in other languages, with the question in those."""

    prompt: str
    asked: dict[str, str]
    versions: dict[str, str]


class Texts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole file."""

    baseline: str
    groups: list[str]
    about: list[About]
    said: list[Said]


@cache
def load() -> Texts:
    """Return the texts."""
    content = resources.files("fairwitness.benchmark").joinpath("bias.toml").read_bytes()
    return msgspec.toml.decode(content, type=Texts)
