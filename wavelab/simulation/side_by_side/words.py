"""What two runs have come to, for people."""

from __future__ import annotations

from wavelab.scene.model.units import Scale, Written
from wavelab.simulation.side_by_side.in_step import Progress
from wavelab.simulation.side_by_side.sides import Cost

#: Of the rows of :func:`cost_table`.
ROWS = (
    "method", "computed on", "elements or cells", "unknowns", "time step", "steps",
    "steps per second", "seconds per unit of time", "error",
)  # fmt: skip


def cost_table(progress: Progress, name: str, scale: Scale | None = None) -> list[list[str]]:
    """What each run has cost: a row for each number, with a head.

    Parameters
    ----------
    name : the other run's.
    scale : of the scene, if it has units.
    """
    errors = progress.errors or (None, None)
    columns = [
        _column(cost, error, Written(scale, "{:.3g}".format))
        for cost, error in zip((progress.this, progress.other), errors, strict=True)
    ]
    rows = [[*cells] for cells in zip(ROWS, *columns, strict=True)]
    if progress.errors is None:
        rows.pop()
    return [["", "as it is", name], *rows]


def _column(cost: Cost, error: float | None, written: Written) -> list[str]:
    return [
        cost.method,
        cost.device,
        f"{cost.cells:,}",
        f"{cost.unknowns:,}",
        written.time(cost.dt),
        f"{cost.steps:,}",
        _rate(cost.steps_per_second),
        f"{cost.seconds_per_time:.3g}",
        "" if error is None else f"{error:.2e}",
    ]


def _rate(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def sentence(progress: Progress, scale: Scale | None = None) -> str:
    """How far they are apart."""
    apart = progress.differences[-1]
    time = Written(scale, "{:.4g}".format).time(progress.times[-1])
    if apart == 0:
        return f"At t = {time} Ez is the same to the last digit."
    return (
        f"At t = {time} Ez differs by {percent(apart)}; at most it was "
        f"{percent(max(progress.differences))} (root mean square over the domain, relative to the "
        "largest that Ez has had)."
    )


def percent(part: float) -> str:
    """With two figures, or all of a whole number."""
    return f"{100 * part:.2g} %" if part < 0.995 else f"{100 * part:,.0f} %"
