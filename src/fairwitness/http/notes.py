"""What the parts report while they serve: counted, and told in the log, never with a caller's text."""

from __future__ import annotations

from fairwitness.http import logs, metrics


def broken(criterion: str, error: Exception) -> None:
    """Note a criterion that raised an error."""
    metrics.BROKEN.labels(criterion).inc()
    # The kind of the error and where it rose, never its message: that could quote a text.
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
    logs.logger.error(
        "criterion failed", criterion=criterion, error=type(error).__name__, where=where
    )


def refused(status: int, code: str) -> None:
    """Note a request refused before its path was read."""
    metrics.CONNECTIONS_REFUSED.labels(str(status), code).inc()
    logs.logger.info("refused", status=status, code=code)


def unlisted_proxy(peer: str) -> None:
    """Warn of a proxy that makes all its callers one."""
    logs.logger.warning(
        "a proxy that is not listed: all its callers count as one; add it to FAIRWITNESS_TRUSTED_PROXIES",
        proxy=peer,
    )


def feedback_fault(kind: str) -> None:
    """Note that feedback could not be stored or removed."""
    logs.logger.error("feedback store failed", error=kind)


def otel_evaluations(outcome: str, number: int) -> None:
    """Count evaluations that were sent to the collector, refused by it or dropped."""
    metrics.OTEL_EVALUATIONS.labels(outcome).inc(number)
