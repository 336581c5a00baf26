"""OpenTelemetry: an evaluation as `gen_ai.evaluation.result` events, one for the whole and one for each criterion.

Nothing is sent unless you call this, and no text of prompt or response is in an event unless you ask for the quotations.
"""

from __future__ import annotations

from opentelemetry import _logs
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.context import Context

from fairwitness import __version__
from fairwitness.contract.evaluation import Evaluation
from fairwitness.reports.evaluation_lines import EVENT, lines_of


def emit(
    evaluation: Evaluation,
    *,
    response_id: str | None = None,
    context: Context | None = None,
    quote: bool = False,
    provider: _logs.LoggerProvider | None = None,
) -> None:
    """Emit the events of one evaluation.

    `context` is that of the span of the generation that was judged, by default the current one; `response_id` is
    what its provider called the response. With `quote=True` the explanations are the evaluator's words and the
    quoted evidence.
    """
    logger = _logs.get_logger("fairwitness", __version__, logger_provider=provider)
    shared = {} if response_id is None else {"gen_ai.response.id": response_id}
    for line in lines_of(evaluation, quote=quote):
        logger.emit(
            LogRecord(
                event_name=EVENT,
                severity_number=SeverityNumber.INFO,
                attributes={**line.attributes(), **shared},
                context=context,
            )
        )
