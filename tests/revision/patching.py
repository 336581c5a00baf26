"""Applies a unified diff as a stranger's tool would: the one proof that it says what changed."""

from __future__ import annotations

NO_END = "\\ No newline at end of file"


def patched(text: str, diff: str) -> str:
    """Return the text with the diff applied; assert that every line of it fits."""
    lines = text.split("\n")
    # A last line without an end, or the nothing after the last end.
    old = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    new: list[str] = []
    position = 0
    body = diff.split("\n")[:-1]
    for number, line in enumerate(body):
        if number < 2 or line == NO_END:
            continue
        if line.startswith("@@"):
            first, _, count = line.split()[1][1:].partition(",")
            start = int(first) - (count != "0")
            new += old[position:start]
            position = start
            continue
        bare = number + 1 < len(body) and body[number + 1] == NO_END
        content = line[1:] + ("" if bare else "\n")
        if line[0] in " -":
            assert old[position] == content
            position += 1
        if line[0] in " +":
            new.append(content)
    return "".join(new + old[position:])
