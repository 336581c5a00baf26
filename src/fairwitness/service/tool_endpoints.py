"""The handlers of the endpoints in other tools' shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairwitness.service.call import Call, Handler
from fairwitness.service.exchange_evaluation import Evaluates
from fairwitness.service.litellm import LiteLLMGuardrail
from fairwitness.service.pool import EvaluationPool
from fairwitness.service.promptfoo import PromptfooWebhook


def tool_handlers(
    evaluation: Evaluates,
    unnoted: Evaluates,
    pool: EvaluationPool,
    caller_of: Callable[[Call], bytes],
    on_judged: Callable[[str], None],
) -> Mapping[str, Handler]:
    """Return the handler of each, by the id of its operation; `unnoted` evaluates and tells no collector of it."""
    return {
        "promptfoo": PromptfooWebhook(evaluation, on_judged),
        "litellm": LiteLLMGuardrail(evaluation, unnoted, pool, caller_of, on_judged),
    }
