"""Every rule a scene must keep that can be judged without a mesh."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from wavelab.scene.formula import Formula
from wavelab.scene.item_error import ItemPath, label, require, require_one_of
from wavelab.scene.monitors import (
    MONITOR_VIEWS,
    FluxMonitor,
    LineMonitor,
    can_show,
    check_monitor,
    monitor_to_show,
)
from wavelab.scene.name_rules import check_names
from wavelab.scene.scene import (
    SPACE_AND_TIME,
    CurrentSource,
    FieldFormulas,
    FormulaWaveform,
    GaussianPulse,
    Material,
    PointSource,
    Ricker,
    Scene,
    Sine,
    Solver,
    View,
    Waveform,
)
from wavelab.scene.shapes import Ellipse, Polygon, Rectangle, Shape
from wavelab.scene.wall_rules import check_walls

LOWEST_ORDER, HIGHEST_ORDER = 1, 10
PRECISIONS = ("single", "double")
#: Runge-Kutta schemes, see :mod:`wavelab.numerics.runge_kutta`.
STEPPERS = ("auto", "ck54", "rkc73", "rkc84", "rkf84", "ndb124", "ndb134", "ndb144")
QUANTITIES = ("ez", "hx", "hy", "energy", "error", *MONITOR_VIEWS)
#: Coordinates beyond this leave no digits for the shape itself.
LARGEST_COORDINATE = 1e12
#: Of initial fields and sources: squares of what follows from more leave single precision.
LARGEST_FIELD = 1e15
#: What to do about a larger one.
SCALE_DOWN = f"Values up to {LARGEST_FIELD:g} can be computed with; only ratios matter."

POSITIVE = "It must be greater than 0."
#: What each quantity of a material must keep, and the remedy where it does not.
MATERIAL_RULES: dict[str, tuple[Callable[[float], bool], str]] = {
    "epsilon": (lambda value: value > 0, f"{POSITIVE} Vacuum has 1."),
    "mu": (lambda value: value > 0, f"{POSITIVE} Vacuum has 1."),
    "sigma": (lambda value: value >= 0, "It must not be negative; an insulator has 0."),
}


def check_scene(scene: Scene) -> Scene:
    """The scene, if every value in it is usable.

    Self-crossing outlines, holes that poke out and the names in a mesh file are judged when the
    scene is meshed.

    Raises
    ------
    ItemError : (a SceneError) names the item, what is wrong with it and what would be right.
    """
    _check_numbers(scene, ())
    _check_text(scene.title, ("title",), "the title")
    _check_text(scene.description, ("description",), "the description")
    _check_domain(scene)
    check_names(scene)
    for i, hole in enumerate(scene.holes):
        _check_shape(hole.shape, ("holes", i), f'hole "{hole.name}"')
    _check_material(scene.background, ("background",), "the background")
    _check_materials(scene)
    check_walls(scene)
    for i, source in enumerate(scene.sources):
        if isinstance(source, PointSource):
            _check_point_source(source, ("sources", i))
        else:
            _check_current_source(source, ("sources", i))
    for i, monitor in enumerate(scene.monitors):
        item = ("monitors", i)
        check_monitor(monitor, item, scene.solver.until)
        if not isinstance(monitor, LineMonitor | FluxMonitor) and monitor.shape is not None:
            _check_shape(monitor.shape, item, f'monitor "{monitor.name}"')
    _check_fields(scene.initial, ("initial",), ("x", "y"))
    if scene.exact is not None:
        _check_fields(scene.exact, ("exact",), ("x", "y", "t"))
        given = (scene.exact.hx, scene.exact.hy, scene.exact.ez)
        require(
            any(f is not None for f in given),
            ("exact",),
            "the exact solution says nothing",
            "Give at least one of hx, hy and ez.",
        )
    _check_solver(scene.solver)
    _check_view(scene.view)
    require(
        can_show(scene.view.quantity, scene.monitors),
        ("view", "quantity"),
        f'no monitor measures the quantity "{scene.view.quantity}"',
        monitor_to_show(scene.view.quantity) if scene.view.quantity in MONITOR_VIEWS else "",
    )
    return scene


def _check_numbers(value: Any, item: ItemPath) -> None:
    """No number anywhere is infinite or NaN."""
    if isinstance(value, float):
        require(
            math.isfinite(value),
            item,
            f"{label(item)} is {value}",
            "Every number must be finite.",
        )
    elif is_dataclass(value) and not isinstance(value, Formula):
        # A region's shape and material stand in its own table in a scene file.
        flat = ("shape", "material")
        for f in fields(value):
            key = {"outline": "domain"}.get(f.name, f.name)
            _check_numbers(getattr(value, f.name), item if key in flat else (*item, key))
    elif isinstance(value, tuple):
        for i, entry in enumerate(value):
            _check_numbers(entry, (*item, i))


def _check_text(text: str, item: ItemPath, what: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        require(False, item, f"{what} has a character that cannot be written to a file")


def _check_domain(scene: Scene) -> None:
    require(
        (scene.outline is None) != (scene.mesh_file is None),
        ("domain",),
        "the domain has both a shape and a mesh file"
        if scene.outline
        else "the domain has no shape",
        "Give either a shape or a mesh file.",
    )
    if scene.outline is not None:
        _check_shape(scene.outline, ("domain",), "the domain")
        return
    require(
        scene.mesh_file is not None and scene.mesh_file.is_file(),
        ("domain", "mesh"),
        f'there is no mesh file "{scene.mesh_file}"',
        "Its name is taken relative to the scene file.",
    )
    require(
        not scene.holes,
        ("holes",),
        "holes cannot be cut into a mesh file",
        "Leave the holes out when the mesh is made, or draw the domain here.",
    )


def _check_shape(shape: Shape, item: ItemPath, what: str) -> None:
    if isinstance(shape, Polygon):
        distinct = len(set(shape.vertices))
        require(
            distinct >= 3,
            (*item, "vertices"),
            f"{what} has {distinct} different {'vertex' if distinct == 1 else 'vertices'}",
            "A polygon needs at least 3 different vertices.",
        )
    elif isinstance(shape, Rectangle):
        (x0, y0), (x1, y1) = shape.lower, shape.upper
        require(
            x0 < x1 and y0 < y1,
            (*item, "upper"),
            f"{what} has its upper corner at ({x1:g}, {y1:g}) "
            f"and its lower corner at ({x0:g}, {y0:g})",
            "The upper corner must lie to the right of and above the lower one.",
        )
    elif isinstance(shape, Ellipse):
        require(
            min(shape.radii) > 0,
            (*item, "radii"),
            f"{what} has the radii {shape.radii[0]:g} and {shape.radii[1]:g}",
            "Both must be greater than 0.",
        )
    largest = max(abs(c) for corner in shape.bounds() for c in corner)
    require(
        largest <= LARGEST_COORDINATE,
        item,
        f"{what} reaches to the coordinate {largest:g}",
        f"Coordinates go up to {LARGEST_COORDINATE:g}; choose a larger unit of length.",
    )


def _check_material(material: Material, item: ItemPath, what: str) -> None:
    """Numbers now; what formulas give is judged at the points of the mesh."""
    for key in ("epsilon", "mu", "sigma"):
        value = getattr(material, key)
        if isinstance(value, Formula):
            _check_variables(value, (*item, key), SPACE_AND_TIME)
            continue
        holds, remedy = MATERIAL_RULES[key]
        require(holds(value), (*item, key), f"{key} of {what} is {value:g}", remedy)


def _check_materials(scene: Scene) -> None:
    for i, region in enumerate(scene.materials):
        item, what = ("materials", i), f'material "{region.name}"'
        _check_material(region.material, item, what)
        if scene.mesh_file is not None:
            require(
                region.shape is None,
                (*item, "shape"),
                f"{what} has a shape, but the domain is a mesh file",
                "Name a region of the mesh file instead.",
            )
            continue
        require(
            region.shape is not None,
            item,
            f"{what} has no shape",
            "Only in a mesh file is a region found by its name.",
        )
        if region.shape is not None:
            _check_shape(region.shape, item, what)


def _check_point_source(source: PointSource, item: ItemPath) -> None:
    require(
        source.radius > 0,
        (*item, "radius"),
        f'radius of source "{source.name}" is {source.radius:g}',
        POSITIVE,
    )
    require(
        abs(source.amplitude) <= LARGEST_FIELD,
        (*item, "amplitude"),
        f'amplitude of source "{source.name}" is {source.amplitude:g}',
        SCALE_DOWN,
    )
    _check_waveform(source.waveform, (*item, "waveform"), f'source "{source.name}"')


def _check_current_source(source: CurrentSource, item: ItemPath) -> None:
    _check_variables(source.jz, (*item, "jz"), SPACE_AND_TIME)


def _check_waveform(waveform: Waveform, item: ItemPath, what: str) -> None:
    match waveform:
        case Sine() | Ricker():
            frequency = waveform.frequency
            require(
                frequency > 0,
                (*item, "frequency"),
                f"frequency of {what} is {frequency:g}",
                POSITIVE,
            )
        case GaussianPulse(width=width):
            require(width > 0, (*item, "width"), f"width of {what} is {width:g}", POSITIVE)
        case FormulaWaveform(formula=formula):
            _check_variables(formula, (*item, "formula"), ("t",))
    if isinstance(waveform, Sine):
        require(
            waveform.ramp >= 0,
            (*item, "ramp"),
            f"ramp of {what} is {waveform.ramp:g}",
            "It must not be negative; 0 starts at once.",
        )


def _check_fields(formulas: FieldFormulas, item: ItemPath, variables: tuple[str, ...]) -> None:
    for key in ("hx", "hy", "ez"):
        formula = getattr(formulas, key)
        if formula is not None:
            _check_variables(formula, (*item, key), variables)


def _check_variables(formula: Formula, item: ItemPath, variables: tuple[str, ...]) -> None:
    require(
        formula.variables == variables,
        item,
        f'"{formula.text}" is a formula of {", ".join(formula.variables)}',
        f"Here it must be one of {', '.join(variables)}.",
    )


def _check_solver(solver: Solver) -> None:
    item = ("solver",)
    for key, value in (("element_size", solver.element_size), ("until", solver.until)):
        require(value > 0, (*item, key), f"{key} is {value:g}", POSITIVE)
    require(
        LOWEST_ORDER <= solver.order <= HIGHEST_ORDER,
        (*item, "order"),
        f"order is {solver.order}",
        f"It must be a whole number from {LOWEST_ORDER} to {HIGHEST_ORDER}.",
    )
    require(
        0 <= solver.upwinding <= 1,
        (*item, "upwinding"),
        f"upwinding is {solver.upwinding:g}",
        "It must be from 0 (central flux, no damping) to 1 (upwind flux).",
    )
    require(
        0 < solver.safety <= 1,
        (*item, "safety"),
        f"safety is {solver.safety:g}",
        "It must be greater than 0 and at most 1, the largest stable time step.",
    )
    require_one_of(solver.precision, PRECISIONS, (*item, "precision"), "precision")
    require_one_of(solver.stepper, STEPPERS, (*item, "stepper"), "stepper")


def _check_view(view: View) -> None:
    require_one_of(view.quantity, QUANTITIES, ("view", "quantity"), "quantity")
    require(
        view.limit is None or view.limit > 0,
        ("view", "limit"),
        f"limit is {view.limit}",
        f"{POSITIVE} Leave it out for an automatic one.",
    )
