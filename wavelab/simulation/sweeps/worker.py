"""The child process of a sweep: ``python -m wavelab.simulation.sweeps.worker``.

It reads one :class:`Task` after the other, runs it, and answers with an :class:`Answer`.
"""

from __future__ import annotations

from dataclasses import dataclass

from wavelab.errors import WavelabError
from wavelab.pool import serve
from wavelab.scene.model.scene import Scene
from wavelab.simulation.headless.batch import run_batch
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.sweeps.measures import numbers_of


@dataclass(frozen=True)
class Task:
    """What to run, and what to tell of it."""

    scene: Scene
    options: BatchOptions
    measures: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """A number for each measure, or what went wrong."""

    values: tuple[float, ...] = ()
    error: str = ""


def main() -> None:
    serve(work)


def work(task: Task) -> Answer:
    """Run it; no exception leaves this function."""
    try:
        found = numbers_of(run_batch(task.scene, task.options))
        values = tuple(found[name] for name in task.measures)
    except WavelabError as error:
        return Answer(error=" ".join(f"{error.message}. {error.remedy}".split()))
    except Exception as error:  # a defect, which must not cost the other runs
        return Answer(error=f"a defect of the program: {type(error).__name__}: {error}")
    for name, value in zip(task.measures, values, strict=True):
        if not abs(value) < float("inf"):
            return Answer(error=f"{name} is {value}")
    return Answer(values)


if __name__ == "__main__":
    # Under its own name, so that pickles name this module and not __main__.
    from wavelab.simulation.sweeps.worker import main as run

    run()
