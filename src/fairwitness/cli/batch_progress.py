"""Shows how far a run is: a bar with rate and time left on a terminal, a line now and then elsewhere; notes Ctrl+C."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from fairwitness.cli.terminal import tell

LINE_EVERY_S = 30.0


class BatchProgress:
    """Told of each result; says on standard error how many there are, how fast, and how long it will take."""

    def __init__(self, total_bytes: int) -> None:
        """Expect so many bytes of input; 0 where that is not known."""
        self._total = total_bytes
        self._done = self._new = self._position = self._position_found = 0
        self._started = self._told = time.monotonic()
        console = Console(stderr=True)
        self._bar: Progress | None = None
        if console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), console=console, transient=True
            )
            self._task = self._bar.add_task("0 rows", total=total_bytes or None)
            self._bar.start()

    def add(self, position: int, *, is_new: bool) -> None:
        """Count one result, at a position of the input."""
        self._done += 1
        self._position = position
        if not is_new:
            self._position_found = position
            self._started = self._told = time.monotonic()
            return
        self._new += 1
        if self._bar:
            self._bar.update(self._task, completed=position, description=self.in_words())
        elif time.monotonic() - self._told > LINE_EVERY_S:
            self._told = time.monotonic()
            tell(self.in_words())

    def in_words(self) -> str:
        """Return one line: rows, rate, time left."""
        seconds = max(time.monotonic() - self._started, 1e-6)
        words = f"{self._done:,} rows, {self._new / seconds:,.1f} rows/s"
        read, left = self._position - self._position_found, self._total - self._position
        if self._total and read > 0 and left >= 0:
            words += f", about {_duration(seconds * left / read)} left"
        return words

    def close(self) -> None:
        """Take the bar away."""
        if self._bar:
            self._bar.stop()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def noting_interrupts() -> Iterator[list[int]]:
    """Keep every Ctrl+C: one that arrives inside a destructor is dropped by Python, and must still stop the run."""
    seen: list[int] = []

    def note(number: int, frame: object) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield seen
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)
