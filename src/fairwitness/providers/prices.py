"""What tokens cost: from the settings or from genai-prices' bundled table, never from the network.

A price nobody knows is no price: the caller refuses the provider, nothing counts as free.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import ROUND_CEILING, Decimal

from fairwitness.contract.requests import PROMPT_MAX
from fairwitness.contract.requests_2 import MESSAGES_MAX, MESSAGES_TOTAL_MAX, SYSTEM_MAX

# A byte-level tokenizer never makes more tokens than bytes; chat templates and a default system
# prompt add some of their own.
TEMPLATE_TOKENS = 256
# The largest call we make by contract 1: the contract's longest prompt, and the largest answer a slot may allow.
_MOST_INPUT = PROMPT_MAX * 4 + TEMPLATE_TOKENS
# The same of contract 2: every character four bytes, and a chat template for each of its messages.
_MOST_INPUT_2 = (MESSAGES_TOTAL_MAX + SYSTEM_MAX) * 4 + 16 * (MESSAGES_MAX + 1) + TEMPLATE_TOKENS
MOST_OUTPUT_TOKENS = 32_768
# A model that prices one of these apart also bills what no answer of ours reports (its searches).
_SORTS_OF_OUTPUT = ("output_reasoning_tokens", "output_citation_tokens")
# Counts beyond this are not believed.
_MOST_TOKENS = 100_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens, which is micro-dollars per token."""

    input_usd_per_mtok: Decimal
    output_usd_per_mtok: Decimal
    # Beyond so many tokens of input it may be another price; None where the operator gave it.
    up_to_input_tokens: int | None = field(default=None, compare=False)

    @property
    def free(self) -> bool:
        """Whether every use of it costs nothing."""
        return not (self.input_usd_per_mtok or self.output_usd_per_mtok)

    def micro_usd(self, input_tokens: int, output_tokens: int) -> int:
        """Return the cost of one call, rounded up to a whole micro-dollar."""
        exact = input_tokens * self.input_usd_per_mtok + output_tokens * self.output_usd_per_mtok
        return int(exact.to_integral_value(ROUND_CEILING))

    def worst_case_micro_usd(self, prompt: str, max_output_tokens: int, attempts: int) -> int:
        """Return what `attempts` calls with this prompt can cost at most."""
        most_input = len(prompt.encode("utf-8", "surrogatepass")) + TEMPLATE_TOKENS
        return attempts * self.micro_usd(most_input, max_output_tokens)

    def covers(self, prompt: str) -> bool:
        """Tell whether this is surely the price of a prompt, whatever tokens it becomes."""
        if self.up_to_input_tokens is None:
            return True
        return (
            len(prompt.encode("utf-8", "surrogatepass")) + TEMPLATE_TOKENS
            <= self.up_to_input_tokens
        )

    def of_usage(self, input_tokens: int | None, output_tokens: int | None) -> int | None:
        """Return the cost of what a provider says it used; None where it did not say."""
        if self.free:
            return 0
        if not input_tokens or not output_tokens:  # nothing used for a text is not an answer
            return None
        return self.micro_usd(input_tokens, output_tokens)


FREE = Price(Decimal(0), Decimal(0))


def token_count(value: object) -> int | None:
    """Return a count a provider reported if it can be one."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_TOKENS:
        return None
    return value


def tokens_together(*counts: object) -> int | None:
    """Return the sum of counts reported apart; None where one of those given cannot be a count."""
    given = [token_count(count) for count in counts if count is not None]
    if not given or any(count is None for count in given):
        return None
    return sum(count for count in given if count is not None)


def published(model: str, base_url: str) -> Price | None:
    """Return the bundled table's price for a model at an address, or None where it has none.

    Where the price depends on the hour, the dearest hour counts. A price that tokens alone do not
    make up (a fee for each request, thinking counted apart) is none we could reserve.
    """
    from genai_prices import Usage, calc_price

    start = datetime.now(UTC)
    try:
        model_info = calc_price(Usage(), model, provider_api_url=base_url).model
    except LookupError:
        return None
    moments = (start + timedelta(minutes=30 * step) for step in range(48))
    hours = {id(hour): hour for hour in map(model_info.get_prices, moments)}.values()

    def dearest(**used: int) -> Decimal:
        return max(hour.calc_price(Usage(**used))["total_price"] for hour in hours)

    # A thousand tokens: well inside the lowest tier, which is all a bounded prompt can reach.
    inputs, outputs = dearest(input_tokens=1000), dearest(output_tokens=1000)
    if not inputs or not outputs:
        return None

    def linear(most_input: int) -> bool:
        most = dearest(input_tokens=most_input, output_tokens=MOST_OUTPUT_TOKENS)
        return most * 1000 <= inputs * most_input + outputs * MOST_OUTPUT_TOKENS

    alike = all(dearest(output_tokens=1000, **{sort: 1000}) == outputs for sort in _SORTS_OF_OUTPUT)
    if dearest() or not linear(_MOST_INPUT) or not alike:
        return None
    return Price(
        inputs * 1000, outputs * 1000, _MOST_INPUT_2 if linear(_MOST_INPUT_2) else _MOST_INPUT
    )
