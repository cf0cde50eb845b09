"""A scene run with many values, in processes side by side."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wavelab.api.given import count, device_named
from wavelab.api.pictures import Picture, plot
from wavelab.api.scene import Scene
from wavelab.api.tables import typed
from wavelab.api.telling import study, warn
from wavelab.errors import WavelabError
from wavelab.scene.model.item_error import suggestion
from wavelab.simulation.headless.batch_options import BatchOptions
from wavelab.simulation.sweeps.axes import Axis, key, number
from wavelab.simulation.sweeps.measures import check_measures, numbers_of, unit_of
from wavelab.simulation.sweeps.sweep import Sweep, first_look, run_sweep
from wavelab.simulation.sweeps.table import Row, SweepTable, held_table

#: Runs that failed and are told of one by one.
_TOLD = 3


class SweepResult(Mapping[str, NDArray[Any]]):
    """The table of a sweep: an array (n_runs,) for each name that was gone over, numbers or texts,
    and for each measure, NaN where a run failed.

    Attributes
    ----------
    over, measures : the names.
    units : of the measures, in units of length, field and power.
    errors : (n_runs,) why a run failed, "" where it did not.
    """

    def __init__(
        self, over: tuple[str, ...], units: Mapping[str, str], rows: Iterable[Row]
    ) -> None:
        rows = list(rows)
        self.over, self.measures, self.units = over, tuple(units), dict(units)
        self.errors = np.array([row.error for row in rows], dtype=object)
        none = (np.nan,) * len(self.measures)
        values = np.array([row.values or none for row in rows]).reshape(len(rows), len(none))
        self._columns: dict[str, NDArray[Any]] = {
            name: _column([row.point[i] for row in rows]) for i, name in enumerate(over)
        }
        self._columns |= dict(zip(self.measures, values.T, strict=True))

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._columns:
            raise KeyError(f"the sweep has no {name}. {suggestion(name, self._columns, 'It has')}")
        return self._columns[name]

    def __iter__(self) -> Any:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def plot(self) -> Picture:
        """Curves of what was measured over the one name that was gone over.

        Raises
        ------
        WavelabError : there are several, or its values are no numbers.
        """
        across = self.over[0]
        if len(self.over) > 1 or self[across].dtype == object:
            raise WavelabError(
                "a plot goes over the numbers of one name",
                remedy="Draw what you need of the arrays.",
            )
        order = np.argsort(self[across])
        curves = {self._told(name): self[name][order] for name in self.measures}
        up = next(iter(curves)) if len(curves) == 1 else ""
        return plot(self[across][order], curves, across, up)

    def _told(self, name: str) -> str:
        return f"{name} ({self.units[name]})" if self.units.get(name) else name

    def _rows(self) -> list[list[str]]:
        cells = [[f"{v:.6g}" if isinstance(v, float) else str(v) for v in c] for c in self.values()]
        return [list(row) for row in zip(*cells, strict=True)]

    def _repr_html_(self) -> str:
        def row(cells: Iterable[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

        head = row(map(self._told, self), "th")
        return f"<table>{head}{''.join(row(cells, 'td') for cells in self._rows())}</table>"

    def __repr__(self) -> str:
        lines = [[*map(self._told, self)], *self._rows()]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)) for line in lines
        )


def sweep(
    scene: Scene | str | Path,
    over: Mapping[str, Iterable[Any]],
    measure: str | Iterable[str],
    *,
    table: str | Path | None = None,
    workers: int | None = None,
    until: float | Literal["decayed"] | None = None,
    decayed: float | None = None,
    backend: str = "auto",
    device: str | int | None = None,
    progress: bool | None = None,
    notify: Callable[[str], None] | None = None,
) -> SweepResult:
    """Run a scene with all combinations of values, each run in a process of its own.

    Parameters
    ----------
    scene : a :class:`Scene`, or what :meth:`Scene.load` takes.
    over : values by the name of what has them, a parameter or another name of
        :meth:`Scene.with_`.
    measure : names of single numbers of a run, such as "out.mean_power" (docs/sweeps.md); a wrong
        one is answered with all that there are.
    table : file (.csv) in which each row is kept as soon as its run has ended.  The same sweep
        again goes on with it and computes what is missing.
    workers : runs at a time; half as many as there are processors by default.
    until, decayed : time at which a run ends, or "decayed", and part of its largest energy at which
        before.
    backend, device, progress, notify : as for :class:`Simulation`.

    Raises
    ------
    WavelabError : the scene has not what is gone over or measured, has a function or samples in it,
        the table is of something else, or another sweep is writing it.  A run that fails is a row
        with an error.

    Examples
    --------
    >>> wavelab.sweep("double_slit", {"d": [0.4, 0.8, 1.2]}, "first minimum", until=1)
    """
    notify = notify or warn
    chosen = Scene.of(scene).solved(until=until, decayed=decayed)
    options = BatchOptions(backend=backend, device=device_named(device), progress=False)
    asked = Sweep(chosen.model, options, _axes(over))
    asked.points  # noqa: B018  # before anything is meshed
    mark = asked.mark
    measures = (measure,) if isinstance(measure, str) else tuple(map(str, _listed(measure)))
    summary = first_look(asked, notify)
    check_measures(measures, numbers_of(summary))
    jobs = max(1, (os.cpu_count() or 1) // 2) if workers is None else count(workers, "workers", 1)
    with tempfile.TemporaryDirectory(prefix="wavelab") as directory:
        path = Path(directory) / "sweep.csv" if table is None else Path(table)
        n_runs = len(asked.points)
        with held_table(path), study(progress, notify) as tell:
            kept = SweepTable(path, asked.names, measures, mark)

            def told(row: Row, part: float) -> None:
                tell(part, f"{round(part * n_runs)} of {n_runs} runs")

            failed = run_sweep(asked, measures, kept, jobs, told)
    for row in failed[:_TOLD]:
        values = ", ".join(f"{n} = {v}" for n, v in zip(asked.names, row.point, strict=True))
        notify(f"{values}: {row.error}")
    if len(failed) > _TOLD:
        notify(f"{len(failed)} of {n_runs} runs failed; errors of the result say why")
    units = {name: unit_of(name, summary) for name in measures}
    rows = {key(row.point): row for row in kept.rows()}
    return SweepResult(asked.names, units, [rows[key(point)] for point in asked.points])


def _axes(over: Mapping[str, Iterable[Any]]) -> tuple[Axis, ...]:
    if not isinstance(over, Mapping) or not over:
        raise WavelabError("a sweep goes over nothing", remedy='Say over what: {"d": [0.1, 0.2]}.')
    axes = []
    for name, values in over.items():
        texts = [typed(value, name) for value in _listed(values)]
        if not texts:
            raise WavelabError(
                f"there are no values to go over for {name}", remedy="Give a list of them."
            )
        axes.append(Axis(name, tuple(dict.fromkeys(texts))))
    return tuple(axes)


def _listed(values: Any) -> list[Any]:
    """None of what is no list."""
    return list(values) if isinstance(values, Iterable) and not isinstance(values, str) else []


def _column(texts: list[str]) -> NDArray[Any]:
    """Numbers if all are."""
    numbers = [number(text) for text in texts]
    return np.array(texts, object) if None in numbers else np.array(numbers, np.float64)
