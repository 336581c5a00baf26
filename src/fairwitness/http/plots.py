"""The evaluator card's plots as SVG: plain marks, a caption in words, readable in light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from fairwitness.benchmark.published import manifest, published

_STYLE = (
    "<style>text{font:13px system-ui,sans-serif;fill:#555c66}.axis{stroke:#8a929d;fill:none}"
    ".ours{fill:#0a4fb8;stroke:none}.peer{fill:#8a929d;stroke:none}.line{stroke:#0a4fb8;fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#a9b1bc}.ours{fill:#8fb8ff}.line{stroke:#8fb8ff}}</style>"
)


def _svg(width: int, height: int, title: str, body: Sequence[str]) -> bytes:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"<title>{escape(title)}</title>{_STYLE}{''.join(body)}</svg>\n"
    ).encode()


def reliability(head: str = "harm") -> bytes:
    """Return the reliability curve of one head on sources left out of its calibration."""
    bins = manifest()["held_out"][head]["reliability"]
    size, left, top = 320, 50, 20
    body = [
        f'<path class="axis" d="M{left} {top}V{top + size}H{left + size}"/>',
        f'<path class="axis" stroke-dasharray="4 4" d="M{left} {top + size}L{left + size} {top}"/>',
        f'<text x="{left + size / 2}" y="{top + size + 35}" text-anchor="middle">probability given</text>',
        f'<text x="12" y="{top - 6}">share that was true</text>',
    ]
    points = []
    for _, said, true, count in bins:
        x, y = left + size * said, top + size * (1 - true)
        points.append(f"{x:.1f} {y:.1f}")
        body.append(
            f'<circle class="ours" cx="{x:.1f}" cy="{y:.1f}" r="{2 + min(8, count**0.35):.1f}"/>'
        )
    body.append(f'<path class="line" d="M{"L".join(points)}"/>')
    for tick in (0, 0.5, 1):
        body.append(
            f'<text x="{left + size * tick}" y="{top + size + 16}" text-anchor="middle">{tick:g}</text>'
        )
        body.append(
            f'<text x="{left - 6}" y="{top + size * (1 - tick) + 4}" text-anchor="end">{tick:g}</text>'
        )
    return _svg(400, 390, f"Reliability of the {head} head on left-out sources", body)


def coverage() -> bytes:
    """Return, for each head, the share of left-out rows it decides at 95% right."""
    heads = [
        (name, found["pooled"]["covered95"])
        for name, found in manifest()["held_out"].items()
        if "pooled" in found
    ]
    bars = [(name, share, "ours") for name, share in heads]
    return _svg(560, 30 + 26 * len(bars), "Share decided at 95% right, by head", _bars(bars, 150))


def peers() -> bytes:
    """Return our figure beside the others' on each public set that has any."""
    bars: list[tuple[str, float, str]] = []
    for item in published().sets:
        for figure in item.figures:
            if figure.peers and figure.value is not None:
                bars.append((f"{item.name}, {figure.name}", figure.value, "ours"))
                bars += [(peer.name, peer.value, "peer") for peer in figure.peers]
    return _svg(
        760, 30 + 26 * len(bars), "Fair Witness beside others on public sets", _bars(bars, 330)
    )


def _bars(bars: Sequence[tuple[str, float, str]], left: int) -> list[str]:
    body = []
    for row, (name, share, kind) in enumerate(bars):
        y = 10 + 26 * row
        body.append(f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>')
        body.append(
            f'<rect class="{kind}" x="{left}" y="{y}" width="{350 * share:.1f}" height="18" rx="3"/>'
        )
        body.append(f'<text x="{left + 350 * share + 6:.1f}" y="{y + 14}">{100 * share:.1f}</text>')
    return body


PLOTS = {"reliability": reliability, "coverage": coverage, "peers": peers}
