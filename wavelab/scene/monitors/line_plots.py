"""The ways to draw what a line of receivers recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wavelab.arrays import Array
from wavelab.scene.monitors.profile import Profile


@dataclass(frozen=True)
class ProfileCurve:
    """A curve along a line of receivers.

    Attributes
    ----------
    name : with "{}" in place of the field.
    values : (p,) of the profile.
    color : number of its colour.
    live : whether it follows the picture where that shows the same field.
    root : whether the root of ``values`` is drawn, up and down.
    """

    name: str
    values: Callable[[Profile], Array]
    color: int
    live: bool = False
    root: bool = False

    def named(self, field: str) -> str:
        """What the curve of a field is called."""
        return self.name.format(field)


@dataclass(frozen=True)
class LinePlot:
    """A way to draw what a line of receivers recorded.

    Attributes
    ----------
    label : in the words of the list.
    curves : along the line, the last with the name of the axis; with time downwards if none.
    signed : whether the axis goes below 0.
    """

    label: str
    curves: tuple[ProfileCurve, ...] = ()
    signed: bool = True

    @property
    def live(self) -> bool:
        """Whether a curve follows the picture."""
        return any(curve.live for curve in self.curves)


#: By the name in a scene file.
LINE_PLOTS: dict[str, LinePlot] = {
    "gather": LinePlot("Over time, downwards"),
    "profile": LinePlot(
        "Profile: field, amplitude",
        (
            ProfileCurve("amplitude", lambda p: p.mean_square, 1, root=True),
            ProfileCurve("{}", lambda p: p.now, 0, live=True),
        ),
    ),
    "intensity": LinePlot(
        "Profile: mean square",
        (ProfileCurve("mean {}\u00b2", lambda p: p.mean_square, 1),),
        signed=False,
    ),
}
