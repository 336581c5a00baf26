"""The flags of `fairwitness batch` that say what judges, and where."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from fairwitness.cli.judged import rows_judge
from fairwitness.extras import require_extra
from fairwitness.settings import available_cores

if TYPE_CHECKING:
    from fairwitness.batch.run import BatchRun


@Parameter(name="*")
@dataclass(frozen=True)
class Engine:
    """What judges, and where."""

    workers: Annotated[
        int | None, Parameter(help="Processes that judge; else one for each core.")
    ] = None
    engine: Annotated[
        Literal["local", "ray"], Parameter(help="Judge on this machine, or on a Ray cluster.")
    ] = "local"
    address: Annotated[
        str | None, Parameter(help="Address of the Ray cluster; else one is started here.")
    ] = None

    ask_again: Annotated[
        bool,
        Parameter(help="Ask judges again what they left open."),
    ] = False

    def again(self) -> dict[str, object]:
        """Return what a command that goes on repeats: judges are asked again once."""
        left_out = {"ask_again"} | ({"engine"} if self.engine == "local" else set())
        return {name: value for name, value in asdict(self).items() if name not in left_out}

    def check(self) -> None:
        """Raise BadInput where it cannot be meant, MissingExtra where it cannot be had."""
        from fairwitness.batch.rows import BadInput

        if self.workers is not None and not 1 <= self.workers <= 1024:
            raise BadInput("--workers: must be 1 to 1024")
        if self.address is not None and self.engine != "ray":
            raise BadInput("--address: needs --engine ray")
        if self.engine == "ray":
            require_extra("ray", "--engine ray")

    def prepare(self, run: BatchRun) -> None:
        """Tell a run what to judge with."""
        run.workers = self.workers or available_cores()
        if self.engine == "ray":
            from fairwitness.batch.ray_executor import RayActors

            run.start = lambda evaluator, _: RayActors(evaluator, self.workers, self.address)
        self._give_judges(run)

    def _give_judges(self, run: BatchRun) -> None:
        """Let models be asked where the protocol does; asking again writes results anew from paid answers."""
        from fairwitness.batch.rows import BadInput

        if run.evaluator.protocol.judged:
            if self.engine != "local":
                raise BadInput(
                    "--engine ray: a protocol with judged criteria spends from one place only"
                )
            judge = rows_judge(
                run.evaluator, run.output, ask_again=self.ask_again, fresh=run.overwrite
            )
            run.start = lambda evaluator, workers: judge
        elif self.ask_again:
            raise BadInput("--ask-again: the protocol has no judged criteria")
        run.overwrite = run.overwrite or self.ask_again
