"""A review at the terminal: shows a row with its evidence underlined, and reads one key."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from fairwitness.reports.printable import visible
from fairwitness.reports.terminal import show_whole

if TYPE_CHECKING:
    from fairwitness.review.labels import Verdict
    from fairwitness.review.session import ReviewSession, Shown

LABELS: dict[str, Verdict] = {"p": "pass", "f": "fail", "s": "skip"}
HELP = "p pass, f fail, s skip, u undo, n note, q quit"


def review_at(console: Console, session: ReviewSession) -> None:
    """Ask about one row after the other until nothing is left or the person quits."""
    console.print(f"{len(session.queue):,} rows. {session.order}", markup=False, soft_wrap=True)
    shown = session.following()
    note = ""
    while shown is not None:
        _show(console, shown)
        key = ""
        while key not in {*LABELS, "u", "q"}:
            console.print(f"[bold]{HELP}[/]{' (note kept)' if note else ''} > ", end="")
            key = _key()
            console.print(escape(visible(key)))
            if key == "n":
                console.print("Note: ", end="")
                note = sys.stdin.readline().strip()[:4000]
        if key == "q":
            return
        if key == "u":
            shown = session.undo() or session.following()
            continue
        session.label(shown.item.texts, LABELS[key], note)
        note = ""
        shown = session.following()
    console.print("Nothing is left to review.")


def _show(console: Console, shown: Shown) -> None:
    item = shown.item
    console.rule(f"Row {item.row}  {escape(visible(str(item.id)))}")
    for name, text in item.columns.items():
        console.print(f"{visible(name)}: {visible(text)}", markup=False, soft_wrap=True)
    if shown.disagreed:
        console.print("[bold]Reviewers disagree on this row.[/]")
    texts = [(part.source, part.title, part.text) for part in item.parts]
    show_whole(console, item.evaluation, texts)


def _key() -> str:
    """Return one key where a person types, the first letter of a line elsewhere; the end of input quits."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line.strip()[:1].lower() if line else "q"
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        return sys.stdin.read(1).lower()
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
