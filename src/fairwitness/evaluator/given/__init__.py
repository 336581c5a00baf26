"""What a response was given to rest on: passages with their source, and what the task allows beyond them.

Passages are the context, the results of tools, and the text that the prompt or an earlier message hands over.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairwitness.contract.evaluation import Source
from fairwitness.evaluator.exchange import Exchange
from fairwitness.evaluator.given.handed_over import handed_over
from fairwitness.evaluator.given.statements import stated_beside_question
from fairwitness.evaluator.given.task import Task, is_strict, rewords, task_of, works_out
from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

__all__ = ["Given", "Passage", "Task", "given"]

# Of text that the prompt hands over: less may be a sentence to work on, not a source.
_FIRM_WORDS = 15
_FIRM_CHARS = 2000
_NUMBERED = Pattern(r"^\s*\(?\d{1,2}[.)]\s")
_ANSWERS = Pattern(r"\b(?:answers?|questions?|quiz|solutions?|solve)\b", ignore_case=True)


@dataclass(frozen=True, slots=True)
class Passage:
    """A region of one of the exchange's texts that a response rests on."""

    source: Source
    text: Text
    region: Region


@dataclass(frozen=True, slots=True)
class Given:
    """The passages a response rests on, every text it was told beside them, and the task.

    `rewords` is a task whose result is the given text in other words, as a whole, `works_out` one whose result is to be
    worked out from it. `stated` is what a prompt that hands nothing over states beside its question. `strict` is a
    prompt that says to use nothing else, `instruction` the prompt without what it hands over.
    """

    passages: tuple[Passage, ...]
    beside: tuple[Passage, ...]
    task: Task
    rewords: bool = False
    works_out: bool = False
    stated: tuple[Passage, ...] = ()
    strict: bool = False
    instruction: str = ""

    @property
    def apart(self) -> bool:
        """Whether something was given apart from the prompt: a context, or the results of tools."""
        return any(part.source != "prompt" for part in self.passages)

    @property
    def firm(self) -> bool:
        """Whether what is not in the passages can be called absent: they are more than a sentence of the prompt."""
        sizes = (len(part.text.slice(part.region)[:_FIRM_CHARS].split()) for part in self.passages)
        return self.apart or self.strict or sum(sizes) >= _FIRM_WORDS


def given(exchange: Exchange) -> Given:
    """Return what was given; no passage where nothing was."""
    passages = [_whole(f"context[{at}]", text) for at, text in enumerate(exchange.context)]
    beside = [_whole("prompt", exchange.prompt)]
    for at, message in enumerate(exchange.messages):
        source = f"messages[{at}]"
        text = exchange.text(source)
        if text is exchange.prompt:
            continue
        beside.append(_whole(source, text))
        if message.role == "tool":
            passages.append(_whole(source, text))
        elif message.role != "assistant":
            passages += [Passage(source, text, region) for region in handed_over(text)]
    # Beside a context of its own the prompt is the question, whatever it quotes.
    handed = [] if exchange.context else handed_over(exchange.prompt)
    handed = [region for region in handed if not _is_quiz(exchange.prompt, region)]
    passages += [Passage("prompt", exchange.prompt, region) for region in handed]
    stated = [] if passages or exchange.messages else stated_beside_question(exchange.prompt)
    instruction = _rest(exchange.prompt, handed or stated)
    return Given(
        tuple(passages),
        tuple(beside),
        task_of(instruction),
        rewords(instruction),
        works_out(instruction),
        tuple(Passage("prompt", exchange.prompt, region) for region in stated),
        is_strict(exchange.prompt.value[:_FIRM_CHARS]),
        instruction,
    )


def _is_quiz(prompt: Text, region: Region) -> bool:
    """Tell whether a numbered list holds questions to answer: it is no source for the answers."""
    lines = [line for line in prompt.slice(region).splitlines() if line.strip()]
    numbered = sum(_NUMBERED.search(line.encode()) for line in lines)
    return (
        numbered > 1
        and numbered == len(lines)
        and _ANSWERS.search(prompt.value[: region.start].encode())
    )


def _whole(source: Source, text: Text) -> Passage:
    return Passage(source, text, Region(0, len(text)))


def _rest(prompt: Text, handed: list[Region]) -> str:
    """Return the prompt without what it hands over."""
    kept, at = [], 0
    for region in handed:
        kept.append(prompt.value[at : region.start])
        at = region.end
    return " ".join([*kept, prompt.value[at:]])
