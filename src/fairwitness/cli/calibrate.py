"""`fairwitness calibrate`: fits a protocol's thresholds to labels, and shows how well that works on held-out rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from fairwitness.cli.output import TEXT, Output, Result, say
from fairwitness.cli.protocol_option import ProtocolOption, evaluator_for
from fairwitness.contract.errors import InvalidRequest

if TYPE_CHECKING:
    from fairwitness.evaluator import Evaluator
    from fairwitness.review.calibration import Figures, Fit
    from fairwitness.review.labelled_rows import LabelledRows


def calibrate(
    results: Annotated[Path, Parameter(help="Results of `fairwitness batch`.")],
    labels: Annotated[Path, Parameter(help="Labels of `fairwitness review`.")],
    /,
    *,
    file: Annotated[
        Path, Parameter(name=("--file", "-o"), help="Protocol file to write; ends in .toml.")
    ],
    protocol: ProtocolOption = None,
    review_cost: Annotated[
        float, Parameter(help="What a review costs, where a wrong verdict costs 1.")
    ] = 0.25,
    force: Annotated[bool, Parameter(help="Write over a file that is there.")] = False,
    output: Output = TEXT,
) -> Result:
    """Fit thresholds to labels and write them as a protocol file that extends the one in use.

    Thresholds change only where they are clearly better on rows they were not fitted to.

    Exit code: 0 written, 1 no thresholds are clearly better, 2 bad input or too few labels.
    """
    from fairwitness.batch.rows import BadInput
    from fairwitness.review.calibrated_protocol import protocol_text
    from fairwitness.review.labelled_rows import labelled_rows

    if file.suffix != ".toml":
        raise InvalidRequest(details=[f"{file}: the name must end in .toml"])
    if file.exists() and not force:
        raise InvalidRequest(details=[f"{file}: already exists; use --force to overwrite it"])
    if not 0 < review_cost < 1:
        raise InvalidRequest(details=["--review-cost: must be between 0 and 1"])
    evaluator = evaluator_for(protocol)
    try:
        rows = labelled_rows(results, labels, evaluator)
    except BadInput as error:
        raise InvalidRequest(details=[str(error)]) from None
    fits, wanting = _fits(rows, evaluator, review_cost)
    if not fits:
        raise InvalidRequest(details=wanting or [f"{labels}: holds no label of these results"])
    better = [one for one in fits if one.is_better]
    if better:
        text = protocol_text(evaluator.protocol, better, labels.read_bytes(), file)
        file.write_text(text, encoding="utf-8")
        evaluator_for(file)  # what was written must be accepted
    data: dict[str, Any] = {
        "written": str(file) if better else None,
        "fits": [{**_plain(one), "better": one.is_better} for one in fits],
        "tooFew": wanting,
        "ties": rows.ties,
        "unknown": rows.unknown,
    }
    return output.result(
        data, lambda console: _show(console, file, fits, wanting, rows), 0 if better else 1
    )


def _plain(fit: Fit) -> dict[str, Any]:
    import msgspec

    plain: dict[str, Any] = msgspec.to_builtins(fit)
    return plain


def _fits(
    rows: LabelledRows, evaluator: Evaluator, review_cost: float
) -> tuple[list[Fit], list[str]]:
    """Fit every target that has enough labels; say of the others how many more they need."""
    from fairwitness.review.calibration import MIN_LABELS, Thresholds, fit_target, missing
    from fairwitness.review.labelled_rows import in_scores
    from fairwitness.review.labels import OVERALL

    fits, wanting = [], []
    for target, decided in rows.decided.items():
        scores = in_scores(decided, target)
        more_passed, more_failed = missing(scores)
        if more_passed or more_failed:
            passed = sum(one.passed for one in scores)
            wanting.append(
                f"{target}: too few labels: {passed} pass and {len(scores) - passed} fail, and {MIN_LABELS}"
                f" of each are needed; label {more_passed} more that pass and {more_failed} more that fail"
            )
            continue
        overall = evaluator.protocol.overall
        spec = overall if target == OVERALL else evaluator.protocol[target]
        lowest = round(overall.critical_cap + 0.1, 1) if target == OVERALL else 0.1
        before = Thresholds(spec.fail_below, spec.pass_from)
        fits.append(fit_target(target, scores, before, lowest, review_cost))
    return fits, wanting


def _show(
    console: Console, file: Path, fits: list[Fit], wanting: list[str], rows: LabelledRows
) -> None:
    for one in fits:
        table = Table(
            box=None, padding=(0, 1), title=f"{one.target}: {one.passed} pass, {one.failed} fail"
        )
        for name in (
            "",
            "fail below",
            "pass from",
            "decided",
            "wrong passes",
            "wrong fails",
            "agreement (95%)",
        ):
            table.add_column(name, justify="left" if not name else "right")
        _add(table, "as it is", one.before.fail_below, one.before.pass_from, one.figures_before)
        _add(
            table,
            "fitted, held out",
            one.fitted.fail_below,
            one.fitted.pass_from,
            one.figures_held_out,
        )
        console.print(table)
        gain = f"a held-out row costs {one.gain:.3f} less, standard error {one.error:.3f}"
        say(console, f"{'Changed' if one.is_better else 'Kept: not clearly better'}: {gain}.")
    for line in wanting:
        say(console, line)
    if rows.ties:
        say(console, f"{rows.ties} rows left out: as many reviewers pass as fail them.")
    if rows.unknown:
        say(console, f"{rows.unknown} labelled texts are not in these results.")
    if any(one.is_better for one in fits):
        say(console, f"{file} written. Next: fairwitness protocol diff fairwitness {file}")
    else:
        say(console, "Nothing written: no thresholds are clearly better than those in use.")


def _add(table: Table, name: str, fail_below: float, pass_from: float, figures: Figures) -> None:
    share = "none decided"
    if figures.agreement is not None:
        share = f"{100 * figures.agreement:.0f}% ({100 * (figures.low or 0):.0f} to {100 * (figures.high or 0):.0f})"
    table.add_row(
        name,
        f"{fail_below:.1f}",
        f"{pass_from:.1f}",
        f"{figures.decided:.0f} of {figures.rows}",
        f"{figures.wrong_passes:.1f}",
        f"{figures.wrong_fails:.1f}",
        share,
    )
