"""Single numbers of the summary of a run, by names such as ``out.mean_power``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from wavelab.errors import WavelabError
from wavelab.scene.model.item_error import suggestion
from wavelab.scene.model.measuring.findings import Variable
from wavelab.scene.monitors import MONITORS
from wavelab.scene.systems import SYSTEMS, System
from wavelab.simulation.headless.summary import Summary

#: Measures of every run that are times of the scene.
TIMES = ("time", "dt")
#: Of a monitor, but no numbers that were measured.
_ASIDE = ("kind", "files", "time", "frequency")


def numbers_of(summary: Summary) -> dict[str, float]:
    """All single numbers of a run by their names.

    Of a monitor NAME: its numbers, NAME.KEY; what it has at frequencies, NAME.KEY for one and
    NAME.KEY.1 and so on for several; of what it has over time NAME.KEY.max, the largest in size,
    and NAME.KEY.final; of other arrays NAME.KEY.max.  Of a probe NAME.max, or NAME, and NAME.final.
    Of the run: energy, its errors against an exact solution, steps, elements and so on.
    """
    found: dict[str, float] = {}
    for name, told in summary.get("monitors", {}).items():
        for key, value in _of_monitor(told, SYSTEMS[summary["physics"]]).items():
            found[f"{name}.{key}"] = value
    for name, record in summary["probes"].items():
        (values,) = (found for key, found in record.items() if key != "t")  # whatever it records
        largest, last = _largest(values), _last(values)
        for key, value in ((f"{name}.max", largest), (f"{name}.final", last), (name, largest)):
            found.setdefault(key, value)
    of_run = {
        "energy": summary["energy"]["final"],
        **{f"energy.{key}": value for key, value in summary["energy"].items()},
        **{
            f"error.{field}.{key}": value
            for field, errors in (summary["error"] or {}).items()
            for key, value in errors.items()
        },
        **{key: value for key, value in summary.items() if isinstance(value, int | float)},
    }
    for name, value in of_run.items():
        found.setdefault(name, float(value))
    return found


def check_measures(wanted: Iterable[str], there: Iterable[str]) -> None:
    """Check that a run can measure what is wanted.

    Raises
    ------
    WavelabError : nothing is, or it cannot; says what there is.
    """
    there, wanted = tuple(there), tuple(wanted)
    if not wanted:
        raise WavelabError(
            "nothing says what to measure", remedy=f"Give --measure one of: {', '.join(there)}."
        )
    for name in wanted:
        if name not in there:
            raise WavelabError(
                f"nothing measures {name}", remedy=suggestion(name, there, "There are")
            )
        if wanted.count(name) > 1:
            raise WavelabError(f"{name} is measured twice", remedy="Leave one of them out.")


def unit_of(name: str, summary: Summary) -> str:
    """Of a measure, in units of length, field and power; "" if it has none, or nobody knows."""
    if name in summary["probes"] or name.rpartition(".")[0] in summary["probes"]:
        return "field"
    for monitor, told in summary.get("monitors", {}).items():
        if name.startswith(f"{monitor}."):
            key = name.removeprefix(f"{monitor}.").split(".")[0].removeprefix("largest_")
            return _variable(told["kind"], SYSTEMS[summary["physics"]].asked(key)).unit
    return "length" if name in TIMES else "s" if name == "wall_s" else ""


def _of_monitor(told: dict[str, Any], system: System) -> dict[str, float]:
    found: dict[str, float] = {}
    for key, value in told.items():
        variable = _variable(told["kind"], system.asked(key))
        if key in _ASIDE or variable.coordinate:
            continue
        array = np.asarray(value, np.float64)
        at_frequencies = variable.dimensions == ("frequency",) or key.startswith("largest_")
        if array.ndim == 0 or (at_frequencies and array.size == 1):
            found[key] = float(array.ravel()[0])
        elif at_frequencies:
            found |= {f"{key}.{i}": float(each) for i, each in enumerate(array.ravel(), 1)}
        else:
            found[f"{key}.max"] = _largest(array)
            if variable.dimensions == ("time",):
                found[f"{key}.final"] = _last(array)
    return found


def _variable(kind: str, key: str) -> Variable:
    return MONITORS[kind].variables.get(key, Variable(()))


def _largest(values: Any) -> float:
    return float(np.abs(values).max()) if np.size(values) else float("nan")


def _last(values: Any) -> float:
    return float(values[-1]) if np.size(values) else float("nan")
