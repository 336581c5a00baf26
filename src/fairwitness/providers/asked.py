"""What a provider is asked: a prompt alone, or a conversation with a temperature of its own.

Every kind gets the same words. Tool calls and their results travel as text: not every wire has them, and none
takes them without the tools they belong to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fairwitness.contract.conversation import Message

# A chat template adds a few tokens to every turn: so many bytes of it are counted between two.
_BETWEEN_TURNS = "\n" * 16


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, in the roles that every wire knows."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns to go on from, and the temperature, where it is not the slot's own."""

    turns: tuple[Turn, ...]
    temperature: float | None = None


Asked = str | Conversation


def conversation(
    messages: Sequence[Message], system: str = "", temperature: float | None = None
) -> Conversation:
    """Return the conversation these messages are, the system's text first; empty turns say nothing."""
    turns = [Turn("system", system), *map(_turn, messages)]
    return Conversation(tuple(turn for turn in turns if turn.content), temperature)


def turns_of(asked: Asked) -> tuple[Turn, ...]:
    """Return the turns of what is asked."""
    return (Turn("user", asked),) if isinstance(asked, str) else asked.turns


def text_of(asked: Asked) -> str:
    """Return all that is sent as one text: for counting, not for sending."""
    return _BETWEEN_TURNS.join(turn.content for turn in turns_of(asked))


def sampling_of(asked: Asked) -> dict[str, float]:
    """Return the sampling that what is asked brings along."""
    if isinstance(asked, str) or asked.temperature is None:
        return {}
    return {"temperature": asked.temperature}


def chat_messages(asked: Asked) -> list[dict[str, str]]:
    """Return the turns as chat wires write them."""
    return [{"role": turn.role, "content": turn.content} for turn in turns_of(asked)]


def system_apart(asked: Asked) -> tuple[str, list[Turn]]:
    """Return the system's text and the other turns; a conversation of the system's text alone is asked by the user."""
    turns = turns_of(asked)
    system = "\n\n".join(turn.content for turn in turns if turn.role == "system")
    rest = [turn for turn in turns if turn.role != "system"]
    return (system, rest) if rest else ("", [Turn("user", system)])


def _turn(message: Message) -> Turn:
    text = "\n".join(filter(None, (message.content, *(call.text for call in message.calls))))
    return Turn("user" if message.role == "tool" else message.role, text)
