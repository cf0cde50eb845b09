"""What every kind of monitor says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

from wavelab.arrays import Array
from wavelab.scene.model.about import NAME
from wavelab.scene.model.item_error import ItemPath
from wavelab.scene.model.measuring.drawn import Drawn
from wavelab.scene.model.measuring.findings import Findings, MonitorResult, Tables, Variable
from wavelab.scene.model.measuring.plots import ResultPlot
from wavelab.scene.model.measuring.requests import Place, Transform, Where
from wavelab.scene.model.units import Written


@dataclass(frozen=True)
class Measurement:
    """A way to place a monitor by pointing.

    Attributes
    ----------
    label : what is measured.
    note : what is to be done, and what to look out for.
    placing : "line" or "shape"; "click" for a probe.
    make : the monitor; None for a probe.
    noun : what its monitors are named after.
    becomes : what a line or a shape becomes, in words.
    everywhere : whether it can also be measured in all of the domain.
    frequencies : whether it has any.
    """

    label: str
    note: str
    placing: str
    make: Callable[[Drawn], Monitor] | None = None
    noun: str = ""
    becomes: str = "a probe"
    everywhere: bool = False
    frequencies: bool = False


@dataclass(frozen=True)
class Monitor:
    """Base of the kinds; what it says here holds for a kind that says nothing else.

    Attributes
    ----------
    label : what the list of monitors calls the kind.
    placings : the ways to place one by hand, by a name of their own.
    plots : the ways to draw its result; none for a map, which is drawn on the canvas.
    variables : the arrays of its result.
    """

    label: ClassVar[str]
    placings: ClassVar[dict[str, Measurement]] = {}
    plots: ClassVar[tuple[ResultPlot, ...]] = ()
    variables: ClassVar[dict[str, Variable]]
    #: Whether it is made for a scalar and a vector alone, and not for elastic waves.
    of_scalar_waves: ClassVar[bool] = False

    name: str = field(metadata=NAME)

    @property
    def what(self) -> str:
        """What messages call it."""
        return f'monitor "{self.name}"'

    @property
    def where(self) -> Where:
        """Where it measures."""
        raise NotImplementedError

    @property
    def recorded(self) -> tuple[str, ...]:
        """Fields that are kept after every step at the points of ``where``, or ``POWER``."""
        return ()

    @property
    def transform(self) -> Transform | None:
        """What is summed up there."""
        return None

    @property
    def energy_every(self) -> int | None:
        """Steps from one look at the energy in its elements to the next."""
        return None

    def check(self, item: ItemPath, until: float) -> None:
        """Rules that need no mesh; those of its shape are checked elsewhere.

        Parameters
        ----------
        until : time at which the scene ends.

        Raises
        ------
        ItemError : names the monitor and what would be right.
        """

    def numbers(self, found: Findings) -> dict[str, float]:
        """The single numbers of its result, besides the duration of its transform."""
        return {}

    def arrays(self, found: Findings) -> dict[str, Any]:
        """The arrays of its result, those of ``variables``."""
        raise NotImplementedError

    def missing(self, part: float) -> str:
        """What it does to its result if that part of the amplitudes is still to come, in words."""
        return ""

    def tables(self, result: MonitorResult) -> Tables:
        """Its result as columns of CSV files, the table that is always there first, under ""."""
        return {"": dict(result.arrays)}

    @staticmethod
    def told(result: MonitorResult, written: Written) -> list[str]:
        """The few numbers that go beside its plot, with units, if there are some."""
        return []

    @staticmethod
    def in_short(summary: dict[str, Any], written: Written) -> list[str]:
        """The few numbers of a summary that fit on a line."""
        return [f"{len(summary['time'])} samples"]

    def shown(self, found: Findings, quantity: str, frequency: int, time: float) -> Array:
        """(k, nodes) of the map that it is, at the frequency of that number.

        Parameters
        ----------
        quantity : one of those that show it (:func:`wavelab.scene.view.quantities.maps_of`).
        time : of what swings.
        """
        raise NotImplementedError

    @property
    def as_measured(self) -> Monitor:
        """The same whatever way it is drawn."""
        return self

    def at(self, place: Place) -> Self:
        """The same on another line, or in another shape."""
        changed: Any = {"vertices" if isinstance(place, tuple) else "shape": place}
        return replace(self, **changed)
