"""What can be shown of an experiment: quantities in colour, and arrows over them.

Each stands here with its words and its scale.  Where it is computed: the steppers' own in the
steppers, a map by its monitor, the others by a function in ``wavelab.simulation.views.views``;
arrows in ``wavelab.simulation.views.arrows``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from wavelab.scene.model.units import TIME
from wavelab.scene.model.view import View
from wavelab.scene.monitors import FieldMonitor, IntensityMonitor, Monitor, monitor_kind
from wavelab.scene.systems import System

#: Smallest relative error told apart: below, single precision has only rounding.
ERROR_FLOOR = 1e-6
#: From there to 1, all wrong; an error is shown in decades above the floor.
ERROR_DECADES = 6.0


@dataclass(frozen=True)
class Quantity:
    """Something to be shown in colour.

    Attributes
    ----------
    label, short : what people call it in lists and beside numbers.
    signed : whether it has a sign.
    monitor : the kind of monitor whose map it is, if it is one.
    full_colour : of what has a scale of its own and no automatic range.
    linear : why there is no logarithmic scale; "" where there is one.
    decades : powers of ten below full colour that a logarithmic scale usually has.
    of_mesh : whether it is the elements that are coloured, most of them as good as can be.
    of_wave : whether it is the wave that is seen, and not numbers that belong to places.
    squared : whether it grows with the square of the fields.
    dimension : of lengths, times or frequencies; "" for all others.
    """

    label: str
    short: str
    signed: bool = False
    monitor: type[Monitor] | None = None
    full_colour: float | None = None
    linear: str = ""
    decades: int = 3
    of_mesh: bool = False
    of_wave: bool = True
    squared: bool = False
    dimension: str = ""


#: Of systems that have one, the integral of the scalar in time.
INTEGRAL = "displacement"

#: By the name in a scene file of light, in the order of lists and keys.
QUANTITIES: dict[str, Quantity] = {
    "ez": Quantity("Electric field Ez", "Ez", signed=True),
    "hx": Quantity("Magnetic field Hx", "Hx", signed=True),
    "hy": Quantity("Magnetic field Hy", "Hy", signed=True),
    "h": Quantity("Magnetic field |H|", "|H|"),
    "energy": Quantity("Energy density", "Energy", decades=6, squared=True),
    "error": Quantity(
        "Estimated error",
        "Error",
        full_colour=ERROR_DECADES,
        linear="The estimated error has a logarithmic scale of its own",
        of_wave=False,
    ),
    "index": Quantity(
        "Refractive index",
        "Index",
        linear="Linear: indices of refraction differ too little for powers of ten",
        of_wave=False,
    ),
    "amplitude": Quantity("Amplitude of Ez", "Amplitude", monitor=FieldMonitor),
    "intensity": Quantity(
        "Mean intensity", "Mean Ez\u00b2", monitor=IntensityMonitor, decades=6, squared=True
    ),
    "quality": Quantity(
        "Quality of elements",
        "Quality",
        full_colour=1.0,
        linear="Linear: the quality of elements goes from 0 to 1",
        of_mesh=True,
        of_wave=False,
    ),
    "step": Quantity(
        "Stable step of elements",
        "Step",
        decades=1,
        of_mesh=True,
        of_wave=False,
        dimension=TIME,
    ),
    INTEGRAL: Quantity("Displacement w", "w", signed=True),
    "pressure": Quantity("Pressure p", "p", signed=True),
    "divergence": Quantity("Divergence of v: P waves", "div v", signed=True),
    "curl": Quantity("Curl of v: S waves", "curl v", signed=True),
    "sxx": Quantity("Stress sxx", "sxx", signed=True),
    "syy": Quantity("Stress syy", "syy", signed=True),
    "sxy": Quantity("Shear stress sxy", "sxy", signed=True),
    "phase": Quantity(
        "Phase of Ez",
        "Phase",
        signed=True,
        monitor=FieldMonitor,
        full_colour=180.0,
        linear="Linear: a phase goes from -180 to 180 degrees",
    ),
    "steady": Quantity("Steady wave of Ez", "Ez", signed=True, monitor=FieldMonitor),
}
#: Of scalar waves alone, and of elastic ones.
_OF_SCALAR = ("hy", "index")
_OF_ELASTIC = ("pressure", "divergence", "curl", "sxx", "syy", "sxy")


def offered(system: System) -> dict[str, Quantity]:
    """Those of ``QUANTITIES`` that waves of a system have."""
    hidden = _OF_SCALAR if system.equations == "elastic" else _OF_ELASTIC
    if system.integral is None:
        hidden = (*hidden, INTEGRAL)
    return {key: q for key, q in QUANTITIES.items() if key not in hidden}


def names_of(system: System) -> dict[str, str]:
    """By the names in files, the keys of the quantities that waves of a system have."""
    return {system.names.get(key, key): key for key in offered(system)}


def title_of(quantity: str, system: System) -> str:
    """What people of a system call a quantity."""
    return system.in_words(system.label_of(QUANTITIES[quantity].label))


def decibels_of(quantity: str, system: System) -> int:
    """In a power of ten of a quantity; 0 where nobody counts so."""
    shown = QUANTITIES[quantity]
    if not (system.levels and shown.of_wave and quantity != "error"):
        return 0
    return 10 if shown.squared else 20


@dataclass(frozen=True)
class ArrowKind:
    """What arrows over the field show; ``monitor`` is the kind that finds it, if one does."""

    label: str
    monitor: type[Monitor] | None = None


#: By the name in a scene file: nothing, the Poynting vector now, or its mean over a period at the
#: first frequency of the first monitor of fields.
ARROWS: dict[str, ArrowKind] = {
    "none": ArrowKind("None"),
    "power": ArrowKind("Energy flow now"),
    "mean_power": ArrowKind("Mean energy flow", FieldMonitor),
}


def monitor_for(wish: str) -> type[Monitor] | None:
    """The kind of monitor that a quantity or arrows need; None if they need none."""
    known = QUANTITIES.get(wish) or ARROWS.get(wish)
    return known.monitor if known is not None else None


def can_show(wish: str, monitors: Iterable[Monitor]) -> bool:
    """Whether a scene with these monitors has what a quantity or arrows need."""
    kind = monitor_for(wish)
    return kind is None or any(isinstance(monitor, kind) for monitor in monitors)


def monitor_to_show(wish: str) -> str:
    """What to do about a quantity or arrows that have no monitor."""
    kind = monitor_kind(monitor_for(wish) or FieldMonitor)
    return f'Add a [[monitors]] table with kind = "{kind}".'


def maps_of(monitor: Monitor) -> tuple[str, ...]:
    """The quantities that show a monitor on the canvas, the usual one first; none if it is drawn
    as a plot."""
    return tuple(name for name, q in QUANTITIES.items() if q.monitor is type(monitor))


def label_of(wish: str) -> str:
    """What people call a quantity or arrows."""
    return QUANTITIES[wish].label if wish in QUANTITIES else ARROWS[wish].label


def of_another_field(view: View) -> View:
    """The same without a range that was chosen for one field, without the part that was looked at,
    and without what only monitors of one scene find."""
    if not can_show(view.quantity, ()):
        view = View(palette=view.palette)
    arrows = view.arrows if can_show(view.arrows, ()) else "none"
    return replace(view, limit=None, arrows=arrows, part=())
