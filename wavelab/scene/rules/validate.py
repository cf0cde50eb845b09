"""Every rule a scene must keep that can be judged without a mesh."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from wavelab.reading import is_plain_file
from wavelab.scene.model.item_error import (
    POSITIVE,
    ItemError,
    ItemPath,
    check_variables,
    label,
    require,
    require_one_of,
)
from wavelab.scene.model.labels import check_label
from wavelab.scene.model.limits import check_length
from wavelab.scene.model.measuring.requests import FIELDS
from wavelab.scene.model.scene import (
    PRECISIONS,
    STEPPERS,
    NamedFields,
    Scene,
    Solver,
)
from wavelab.scene.model.sending.pings import check_pings
from wavelab.scene.model.shapes import check_solid
from wavelab.scene.model.walking import leaves
from wavelab.scene.rules.initial_rules import check_initial_file
from wavelab.scene.rules.medium_rules import check_medium
from wavelab.scene.rules.name_rules import check_names
from wavelab.scene.rules.parameter_rules import check_parameters
from wavelab.scene.rules.system_rules import check_system
from wavelab.scene.rules.unit_rules import check_units
from wavelab.scene.systems import SYSTEMS, system_of
from wavelab.scene.view.view_rules import check_view
from wavelab.scene.walls.wall_edges import check_walls

LOWEST_ORDER, HIGHEST_ORDER = 1, 10
#: Squares of others, and what is divided by them, leave double precision.
SMALLEST_NUMBER, LARGEST_NUMBER = 1e-100, 1e100
LARGEST_COUNT = 10**9
#: Characters of the notes, which are laid out anew with every change.
MOST_NOTES = 50_000
#: Lines of them, and bars of tables: the time to lay these out grows with the square of the cells.
MOST_LINES = 1_000
MOST_BARS = 2_500


def check_scene(scene: Scene, *, has_mesh: bool = False) -> Scene:
    """The scene, if every value in it is usable.

    Self-crossing outlines, holes that poke out and the names in a mesh file are judged when the
    scene is meshed.

    Parameters
    ----------
    has_mesh : its mesh is at hand: a file of it may have gone.

    Raises
    ------
    ItemError : (a SceneError) names the item, what is wrong with it and what would be right.
    """
    require_one_of(scene.physics, SYSTEMS, ("physics",), "physics")
    system = system_of(scene)
    check_system(scene, system)
    check_parameters(scene.parameters)
    check_units(scene)
    _check_numbers(scene, ())
    for key in ("title", "description", "notes"):
        _check_text(getattr(scene, key), (key,), f"the {key}")
    for count, most, what in (
        (len(scene.notes), MOST_NOTES, "characters"),
        (len(scene.notes.splitlines()), MOST_LINES, "lines"),
        (scene.notes.count("|"), MOST_BARS, "bars of tables (|)"),
    ):
        require(
            count <= most,
            ("notes",),
            f"the notes have {count} {what}",
            f"They can have up to {most}.",
        )
    _check_domain(scene, has_mesh)
    check_names(scene)
    for i, hole in enumerate(scene.holes):
        hole.shape.check(("holes", i), f'hole "{hole.name}"')
    check_medium(scene.background, ("background",), "the background")
    _check_materials(scene)
    check_walls(scene)
    for i, source in enumerate(scene.sources):
        if (shape := getattr(source, "shape", None)) is not None:
            check_solid(shape, ("sources", i), source.what, source.repeatable)
        source.check(scene, ("sources", i))
    check_pings(scene.pings, exact=scene.exact is not None)
    for i, probe in enumerate(scene.probes):
        require_one_of(probe.quantity, FIELDS, ("probes", i, "quantity"), "quantity")
    for i, text in enumerate(scene.labels):
        check_label(text, ("labels", i))
    for i, monitor in enumerate(scene.monitors):
        item = ("monitors", i)
        monitor.check(item, scene.solver.until)
        place = monitor.where.place
        if place is not None and not isinstance(place, tuple):
            check_solid(place, item, monitor.what)
            place.check(item, monitor.what)
    _check_fields(scene.initial, ("initial",), ("x", "y"))
    if scene.imaginary is not None:
        _check_fields(scene.imaginary, ("imaginary",), ("x", "y"))
    check_initial_file(scene)
    if scene.exact is not None:
        _check_fields(scene.exact, ("exact",), ("x", "y", "t"))
        require(
            scene.exact != system.fields(),
            ("exact",),
            "the exact solution says nothing",
            f"Give at least one of {', '.join(f.name for f in fields(system.fields))}.",
        )
    _check_solver(scene.solver)
    check_view(scene.view, scene.monitors, system_of(scene))
    return scene


def check_items(**items: tuple[Any, ...]) -> None:
    """Numbers and shapes of items by their key in a scene, which may not be part of one yet.

    Raises
    ------
    ItemError : names the item and what would be right.
    """
    for key, entries in items.items():
        for i, entry in enumerate(entries):
            _check_numbers(entry, (key, i))
            if (shape := getattr(entry, "shape", None)) is not None:
                if key != "holes":
                    repeatable = getattr(entry, "repeatable", False)
                    check_solid(shape, (key, i), f'"{entry.name}"', repeatable)
                shape.check((key, i), f'"{entry.name}"')


def _check_numbers(value: Any, item: ItemPath) -> None:
    """Every number anywhere is finite, and can be squared."""
    for place, leaf in leaves(value, item):
        # A label takes longer than the question.
        if isinstance(leaf, float):
            _check_real(leaf, place)
        elif isinstance(leaf, int) and abs(leaf) > LARGEST_COUNT:
            raise ItemError(
                f"{label(place)} is too large",
                remedy=f"It can be {LARGEST_COUNT:,} at most.",
                item=place,
            )


def _check_real(value: float, item: ItemPath) -> None:
    if not math.isfinite(value):
        require(False, item, f"{label(item)} is {value}", "Every number must be finite.")
    if value != 0 and not SMALLEST_NUMBER <= abs(value) <= LARGEST_NUMBER:
        require(
            False,
            item,
            f"{label(item)} is {value:g}",
            f"Numbers are 0 or go from {SMALLEST_NUMBER:g} to {LARGEST_NUMBER:g}; choose other "
            "units.",
        )


def _check_text(text: str, item: ItemPath, what: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        require(False, item, f"{what} has a character that cannot be written to a file")


def _check_domain(scene: Scene, has_mesh: bool) -> None:
    require(
        (scene.outline is None) != (scene.mesh_file is None),
        ("domain",),
        "the domain has both a shape and a mesh file"
        if scene.outline
        else "the domain has no shape",
        "Give either a shape or a mesh file.",
    )
    if scene.outline is not None:
        check_solid(scene.outline, ("domain",), "the domain")
        scene.outline.check(("domain",), "the domain")
        return
    require(
        scene.mesh_file is not None and (has_mesh or is_plain_file(scene.mesh_file)),
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


def _check_materials(scene: Scene) -> None:
    for i, region in enumerate(scene.materials):
        item, what = ("materials", i), f'material "{region.name}"'
        check_medium(region.material, item, what)
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
            check_solid(region.shape, item, what, repeatable=True)
            region.shape.check(item, what)


def _check_fields(formulas: NamedFields, item: ItemPath, variables: tuple[str, ...]) -> None:
    for key, formula in vars(formulas).items():
        if formula is not None:
            check_variables(formula, (*item, key), variables)


def _check_solver(solver: Solver) -> None:
    item = ("solver",)
    check_length(solver.element_size, (*item, "element_size"), "element_size")
    require(solver.until > 0, (*item, "until"), f"until is {solver.until:g}", POSITIVE)
    require(
        0 <= solver.decayed < 1,
        (*item, "decayed"),
        f"decayed is {solver.decayed:g}",
        "It is a part of the largest energy, like 1e-6; 0 runs to the end.",
    )
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
