"""A child process that measures cases: ``python -m wavelab.simulation.verification.worker``."""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.errors import WavelabError
from wavelab.pool import serve
from wavelab.scene.model.scene import Scene
from wavelab.simulation.verification.case import Case, Row, Where


@dataclass(frozen=True)
class Task:
    """What to measure.

    Attributes
    ----------
    scene : whose exact solution to compare with, if it is not a case of ours.
    """

    case: str
    scene: Scene | None
    order: int
    where: Where


def main() -> None:
    serve(work)


def work(task: Task) -> Row | WavelabError:
    """Measure it."""
    try:
        return _case(task).row(task.order, task.where)
    except WavelabError as error:
        return error


def _case(task: Task) -> Case:
    from wavelab.simulation.verification.cases import CASES, case_of

    return CASES[task.case] if task.scene is None else case_of(task.case, task.scene)


if __name__ == "__main__":
    # Under its own name, so that pickles name this module and not __main__.
    from wavelab.simulation.verification.worker import main as run

    run()
