"""The evaluator card's plots as SVG: small panels with words on them, readable on a telephone, in light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import escape
from typing import Any

from fairwitness.benchmark import published_results
from fairwitness.benchmark.published_results import manifest
from fairwitness.benchmark.report import Figure, SetResult
from fairwitness.site.figures import peers, printed

# As wide as a telephone's column: a panel is never scaled down there, and several stand abreast elsewhere.
WIDTH_PX = 328
_SIDE_PX, _TOP_PX = 116, 66
_STYLE = (
    "<style>text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#444b55}.name{font-weight:600;fill:#1b1e22}"
    ".axis{stroke:#8a929d;fill:none}.ours{fill:#0a4fb8}.peer{fill:#8a929d}"
    ".line{stroke:#0a4fb8;fill:none;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#b7bec8}.name{fill:#e8eaed}.ours{fill:#8fb8ff}"
    ".line{stroke:#8fb8ff}}</style>"
)
# Bins of a reliability curve: lower edge, probability said, share true, rows.
Bins = Sequence[tuple[float, float, float, int]]


def _svg(height: int, title: str, body: Sequence[str]) -> bytes:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_PX}" height="{height}" '
        f'viewBox="0 0 {WIDTH_PX} {height}" role="img">'
        f"<title>{escape(title)}</title>{_STYLE}{''.join(body)}</svg>\n"
    ).encode()


def _text(x: float, y: float, said: str, anchor: str = "start", kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(said)}</text>'


def heads() -> dict[str, dict[str, Any]]:
    """Return every learned head that was measured on left-out sources, by name."""
    return {
        name: found
        for name, found in manifest()["held_out"].items()
        if found.get("reliability") and "pooled" in found
    }


def calibration_panel(head: str) -> bytes:
    """Return one head's panel: how true its probabilities are, and how right it is on what it is surest of."""
    found = heads()[head]
    bins: Bins = found["reliability"]
    rows = sum(item[3] for item in bins)
    body = [
        _text(4, 16, head.replace("_", " "), kind="name"),
        _text(4, 33, f"{rows} rows, calibration error {found['pooled']['ece']:.3f}"),
        *_reliability(bins, 34),
        *_coverage(bins, 204),
    ]
    return _svg(_TOP_PX + _SIDE_PX + 38, f"Reliability and coverage of the {head} head", body)


def _axes(left: float, above: str, below: str, lowest: str) -> list[str]:
    bottom = _TOP_PX + _SIDE_PX
    return [
        f'<path class="axis" d="M{left} {_TOP_PX}V{bottom}H{left + _SIDE_PX}"/>',
        _text(left, bottom + 14, "0", "middle"),
        _text(left + _SIDE_PX, bottom + 14, "1", "middle"),
        _text(left - 4, bottom + 4, lowest, "end"),
        _text(left - 4, _TOP_PX + 4, "1", "end"),
        _text(left - 12, _TOP_PX - 8, above),
        _text(left + _SIDE_PX / 2, bottom + 28, below, "middle"),
    ]


def _reliability(bins: Bins, left: float) -> Iterator[str]:
    yield from _axes(left, "share true", "probability said", "0")
    yield f'<path class="axis" stroke-dasharray="3 3" d="M{left} {_TOP_PX + _SIDE_PX}l{_SIDE_PX} -{_SIDE_PX}"/>'
    places = [
        (left + _SIDE_PX * said, _TOP_PX + _SIDE_PX * (1 - true), rows)
        for _, said, true, rows in bins
    ]
    yield f'<path class="line" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)}"/>'
    for x, y, rows in places:
        yield f'<circle class="ours" cx="{x:.1f}" cy="{y:.1f}" r="{min(6.0, 1.5 + rows**0.25):.1f}"/>'


def covered(bins: Bins) -> list[tuple[float, float]]:
    """Return share decided and share of it right, deciding the surest bins first."""
    whole = sum(rows for *_, rows in bins)
    decided = right = 0.0
    found = []
    for _, said, true, rows in sorted(bins, key=lambda item: -abs(item[1] - 0.5)):
        decided += rows
        right += rows * (true if said >= 0.5 else 1 - true)
        found.append((decided / whole, right / decided))
    return found


def _coverage(bins: Bins, left: float) -> Iterator[str]:
    """Draw accuracy, from a half up, against the share decided; dashes at 95% right."""
    yield from _axes(left, "share right", "share decided", ".5")
    line = _TOP_PX + _SIDE_PX * 0.1
    yield f'<path class="axis" stroke-dasharray="3 3" d="M{left} {line:.1f}h{_SIDE_PX}"/>'
    places = [
        (left + _SIDE_PX * share, _TOP_PX + _SIDE_PX * min(1.0, 2 * (1 - right)))
        for share, right in covered(bins)
    ]
    yield f'<path class="line" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in places)}"/>'
    for x, y in places:
        yield f'<circle class="ours" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>'


def with_peers() -> list[tuple[SetResult, Figure]]:
    """Return the figures that others published one of, too."""
    return [
        (item, figure)
        for item in published_results.results().sets
        for figure in item.figures
        if figure.peers and figure.value is not None
    ]


def peer_panel(item: SetResult, figure: Figure) -> bytes:
    """Return one figure's panel: ours above the others'."""
    bars = [("Fair Witness", figure.value or 0.0, "ours")]
    bars += [(peer.name, peer.value, "peer") for peer in figure.peers]
    left, room, step = 150, 134, 21
    body = [
        _text(4, 16, item.name.replace("_", " "), kind="name"),
        _text(4, 33, f"{figure.name}, {figure.count} rows"),
    ]
    for number, (name, value, kind) in enumerate(bars):
        y = 44 + step * number
        wide = room * max(0.0, min(1.0, value))
        body.append(_text(left - 6, y + 12, name, "end", "name" if kind == "ours" else ""))
        body.append(
            f'<rect class="{kind}" x="{left}" y="{y}" width="{wide:.1f}" height="15" rx="2"/>'
        )
        body.append(_text(left + wide + 5, y + 12, printed(value, figure.statistic)))
    return _svg(48 + step * len(bars), f"{item.name}: {figure.name}, ours beside others", body)


def plots() -> dict[str, Callable[[], bytes]]:
    """Return what draws every plot, by the name it is served under."""
    found: dict[str, Callable[[], bytes]] = {
        f"calibration-{head}": partial(calibration_panel, head) for head in heads()
    }
    for number, (item, figure) in enumerate(with_peers(), 1):
        found[f"peers-{number}"] = partial(peer_panel, item, figure)
    return found


def _calibration_pictures() -> str:
    return "\n".join(
        f"![Reliability and coverage of the {head.replace('_', ' ')} head](/docs/plots/calibration-{head}.svg)"
        for head in heads()
    )


def _peer_pictures() -> str:
    return "\n".join(
        f"![{item.name}, {figure.name}: Fair Witness {printed(figure.value, figure.statistic)}, "
        + ", ".join(peers(figure))
        + f"](/docs/plots/peers-{number}.svg)"
        for number, (item, figure) in enumerate(with_peers(), 1)
    )


TABLES = {"card calibration plots": _calibration_pictures, "card peer plots": _peer_pictures}
