"""Which reported token counts can be believed: those that the texts and the request's own limits make possible."""

from __future__ import annotations

from itertools import groupby

from fairwitness.providers.prices import TEMPLATE_TOKENS

# Large vocabularies put about four characters of prose into a token. Twice the longest words repeated would
# be needed to pass this; runs of one character, which do make long tokens, count as one character.
MAX_CHARS_PER_TOKEN = 16


def fewest_tokens(text: str) -> int:
    """Return the fewest tokens a text can plausibly be."""
    changes = sum(1 for _ in groupby(text))
    return max(1, -(-changes // MAX_CHARS_PER_TOKEN))


def most_input_tokens(prompt: str) -> int:
    """Return the most tokens a prompt can be: one for each byte, and what a chat template adds."""
    return len(prompt.encode("utf-8", "surrogatepass")) + TEMPLATE_TOKENS


def believable(
    prompt: str,
    response: str,
    max_output_tokens: int,
    input_tokens: int | None,
    output_tokens: int | None,
) -> bool:
    """Say whether a provider can have used this many tokens for these texts under this limit.

    None is what a provider did not report: nothing is claimed, so nothing is false.
    """
    read_range = range(fewest_tokens(prompt), most_input_tokens(prompt) + 1)
    written_range = range(fewest_tokens(response), max_output_tokens + 1)
    return (input_tokens is None or input_tokens in read_range) and (
        output_tokens is None or output_tokens in written_range
    )
