"""Every kind of everything, from its file to both steppers: what is missing somewhere fails here.

The kinds are those of the registries: a new one is tried as soon as it is registered.
"""

from __future__ import annotations

import gc
import os
import sys
import weakref
from collections.abc import Iterator
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property

import numpy as np
import pytest

from tests.sample_kinds import BOX, EVERY, SCENES, made, with_wall
from wavelab.meshing.job import mesh_scene
from wavelab.physics.problem import Problem, discretize_scene
from wavelab.physics.revision import can_be_revised, revised
from wavelab.scene.edges.wall_at import wall_at
from wavelab.scene.editing import properties
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.measuring.findings import MonitorResult
from wavelab.scene.model.scene import (
    Scene,
    Wall,
)
from wavelab.scene.toml.toml_io import dump_scene, parse_scene
from wavelab.scene.walls import WALLS
from wavelab.simulation.core.simulation import Simulation
from wavelab.simulation.energy.ledger import Ledger
from wavelab.simulation.steppers.rank_group import RankGroup
from wavelab.simulation.steppers.steppers import stepper_of
from wavelab.simulation.views.mesh_views import element_qualities, on_elements

#: Steps of a run, and in one of the longest stable.  Numbers of ranks to which a mesh is dealt out.
#: (More of both: RANK_STEPS=1000 RANKS=2,4 pytest tests/test_every_kind.py -k ranks)
STEPS, SHORT = int(os.environ.get("RANK_STEPS", "20")), 0.25
RANKS = [int(n) for n in os.environ.get("RANKS", "3").split(",")]


@dataclass
class Case:
    """A scene with one of a kind in it, made discrete when a test asks."""

    what: str
    scene: Scene

    @cached_property
    def problem(self) -> Problem:
        return discretize_scene(self.scene, mesh_scene(self.scene))

    @cached_property
    def opencl(self) -> Run:
        """A few steps of it on one device."""
        return run(self.problem, "opencl")


@pytest.fixture(scope="module", params=EVERY, ids=lambda pair: " ".join(pair))
def case(request) -> Iterator[Case]:
    what, name = request.param
    registry, scene_with = SCENES[what]
    scene = scene_with(registry[name])
    # Media that change are looked at up to there.
    until = max(scene.solver.until, STEPS / 100)
    case = Case(what, replace(scene, solver=replace(scene.solver, until=until)))
    yield case
    if "opencl" in vars(case):
        case.opencl.simulation.close()


@pytest.fixture(scope="module")
def application():
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        pytest.skip("a window needs a display")
    from wavelab.app.base.qt import make_application

    yield make_application()
    gc.collect()  # here and not in a thread of a later test, which widgets do not survive


def test_a_file_says_all_of_it(case):
    assert parse_scene(dump_scene(case.scene)) == case.scene


def test_a_form_shows_all_of_it_and_changes_nothing_by_itself(case):
    from wavelab.app.panels.meanings import meaning

    for item in properties.items(case.scene):
        shown = properties.properties(case.scene, item.key)
        assert shown
        for p in shown:
            assert properties.changed(case.scene, item.key, p.key, p.text) == case.scene, p
            assert p.meaning or meaning(item.key, p.key), p


def test_a_form_makes_any_other_kind_of_it(case):
    # The wall of other cases has one edge and cannot be any: see below.
    own = [
        i.key for i in properties.items(case.scene) if i.key[0] != "walls" or case.what == "wall"
    ]
    for item in own:
        for p in properties.properties(case.scene, item):
            for choice in p.choices if p.key[-1] == "kind" else ():
                new = properties.changed(case.scene, item, p.key, choice)
                shown = {other.key: other.text for other in properties.properties(new, item)}
                assert choice == "none" or shown[p.key] == choice


@dataclass
class Run:
    """What came out of a few steps."""

    simulation: Simulation
    ledger: Ledger
    measured: tuple[MonitorResult, ...] = field(default=())


def run(problem: Problem, backend: str, ranks: RankGroup | None = None, steps: int = STEPS) -> Run:
    stepper = stepper_of(
        problem, dt=SHORT * problem.dt_max, backend=backend, precision="double", ranks=ranks
    )
    simulation = Simulation(problem, stepper)
    ledger = Ledger(simulation)
    for _ in range(steps):
        simulation.advance(1)
        ledger.update(simulation)
    return Run(simulation, ledger, tuple(simulation.measured()))


def alike(
    found: np.ndarray, expected: np.ndarray, largest: float | None = None, within: float = 1e-9
) -> bool:
    """Within that part of the largest value."""
    if not expected.size:
        return not found.size
    scale = largest or float(np.abs(expected).max()) or 1.0
    return found.shape == expected.shape and float(np.abs(found - expected).max()) <= within * scale


def test_both_steppers_agree_and_the_ledger_closes(case):
    numpy, opencl = run(case.problem, "numpy"), case.opencl
    expected, found = (r.simulation.stepper.fields() for r in (numpy, opencl))
    largest = max(float(np.abs(values).max()) for values in expected.arrays)
    assert largest > 1e-6
    for name in expected.names:
        assert alike(getattr(found, name), getattr(expected, name), largest), name
    for one, other in zip(found.auxiliary, expected.auxiliary, strict=True):
        assert alike(one, other)
    for one, other in zip(opencl.measured, numpy.measured, strict=True):
        assert one.arrays.keys() == other.arrays.keys()
        assert all(alike(one.arrays[name], other.arrays[name]) for name in one.arrays)
    for r in (numpy, opencl):
        account = r.ledger.account
        assert abs(account.residual) < 1e-4 * account.turnover, account
    numpy.simulation.close()


def test_nothing_that_is_large_outlives_a_run(case):
    """A window in which scenes come and go would keep the meshes of all of them."""
    # A copy, for the case itself is needed by others.
    whole = case.problem.discretization
    problem = discretize_scene(case.scene, replace((whole.single or whole).mesh))
    d = problem.discretization
    on_elements(problem, element_qualities)
    other = replace(case.scene, solver=replace(case.scene.solver, upwinding=0.5))
    turned = revised(problem, other) if can_be_revised(case.scene, other) else problem
    gone = run(problem, "opencl", steps=2)  # all that a run holds is made by then
    parts = (problem, problem.operator, d, d.mesh, turned, turned.operator, gone.simulation,
             gone.simulation.stepper)  # fmt: skip
    kept = [weakref.ref(part) for part in parts]
    gone.simulation.close()
    del problem, d, turned, gone, parts
    gc.collect()
    assert [alive for ref in kept if (alive := ref()) is not None] == []


@pytest.mark.parametrize("n_ranks", RANKS)
def test_many_ranks_do_what_one_does(case, n_ranks):
    """To rounding: elements are computed alike, but for straight ones beside curved ones."""
    group = RankGroup.of_threads(n_ranks)
    one, many = case.opencl, run(case.problem, "opencl", group)
    expected, found = (r.simulation.stepper.fields() for r in (one, many))
    largest = max(float(np.abs(values).max()) for values in expected.arrays)
    for name in expected.names:
        assert alike(getattr(found, name), getattr(expected, name), largest, 1e-12), name
    for its, theirs in zip(found.auxiliary, expected.auxiliary, strict=True):
        assert alike(its, theirs, None, 1e-12)
    for its, theirs in zip(many.measured, one.measured, strict=True):
        assert its.arrays.keys() == theirs.arrays.keys()
        for name, values in theirs.arrays.items():
            assert alike(its.arrays[name], values, None, 1e-12), name
    for its, theirs in zip(astuple(many.ledger.account), astuple(one.ledger.account), strict=True):
        assert its == pytest.approx(theirs, rel=0, abs=1e-12 * one.ledger.account.turnover)
    many.simulation.close()
    group.end()


PALETTES = ("berlin", "vik")


def picture(scene: Scene | None, discretization=None, palette: str = "berlin") -> np.ndarray:
    """(200, 200, 4) what is drawn of a scene."""
    from wavelab.app.base.qt import QColor, QImage, painting
    from wavelab.app.canvas.overlay.ink import Ink
    from wavelab.app.canvas.overlay.painting import ElementLines, paint_scene
    from wavelab.app.canvas.view_transform import ViewTransform
    from wavelab.output.scene_drawing import draw_scene

    image = QImage(200, 200, QImage.Format_RGB32)
    ink = Ink.for_palette(palette)
    image.fill(QColor(*ink.quiet))
    drawing = draw_scene(scene, discretization)
    with painting(image) as painter:
        view = ViewTransform.fitted(drawing.bounds or (0, 0, 1, 1), 200, 200)
        paint_scene(painter, drawing, view, ink, ElementLines.of(drawing.elements))
    return np.frombuffer(image.bits().asstring(200 * 200 * 4), np.uint8).reshape(200, 200, 4)


def test_it_is_drawn_before_and_after_it_is_meshed(case, application):
    for palette in PALETTES:
        for d in (None, case.problem.discretization):
            assert len(np.unique(picture(case.scene, d, palette))) > 2


@pytest.mark.parametrize("name", WALLS)
def test_a_wall_has_a_line_of_its_own(application, name):
    from wavelab.app.canvas.overlay.ink import Ink
    from wavelab.app.panels.tool_pages.wall_panel import WallPanel

    others = [with_wall(kind) for other, kind in WALLS.items() if other != name]
    own = picture(with_wall(WALLS[name]))
    assert not any(np.array_equal(own, picture(scene)) for scene in others)
    panel = WallPanel()
    panel.show_legend(Ink.for_palette("vik"))
    assert not panel.kind.itemIcon(list(WALLS).index(name)).isNull()
    panel.deleteLater()


@pytest.mark.parametrize("name", WALLS)
def test_a_wall_is_chosen_in_the_panel_and_told(application, name):
    from wavelab.app.edits import wall_edits
    from wavelab.app.panels.tool_pages.wall_panel import WallPanel

    kind, panel = WALLS[name], WallPanel()
    wished: list[Wall] = []
    panel.wished.connect(wished.append)
    panel.partner_wished.connect(lambda: wished.append(kind(("domain.left", "domain.right"))))
    before = replace(BOX, walls=(made(kind, edges=("domain.top", "domain.bottom")),))
    other = next(made(other, edges=()) for other in WALLS.values() if other is not kind)
    panel.show_edges(("domain.left",), other, {})
    panel.kind.activated.emit(list(WALLS).index(name))
    (wish,) = wished
    assert type(wish) is kind
    if kind.glues:
        scene = wall_edits.glue(before, *wish.edges).scene
    else:
        scene = wall_edits.set_wall(before, "domain.left", wish).scene
    wall = wall_at("domain.left", scene)
    assert type(wall) is kind
    panel.show_edges(("domain.left",), wall, wall.values(scene))
    assert panel.kind.currentText() == kind.label
    assert wall.in_words("domain.left")
    assert kind.noun
    assert kind.effect
    panel.deleteLater()


@pytest.mark.parametrize("name", [name for name, kind in WALLS.items() if not kind.glues])
def test_a_wall_of_one_edge_becomes_a_pair_only_with_another_edge(name):
    scene = replace(BOX, walls=(made(WALLS[name], edges=("domain.left",)),))
    for glues in (other for other, kind in WALLS.items() if kind.glues):
        with pytest.raises(ItemError, match="has 1 edge") as caught:
            properties.changed(scene, ("walls", 0), ("kind",), glues)
        assert "2 edges" in caught.value.remedy
        pair = properties.changed(scene, ("walls", 0), ("edges",), "domain.left, domain.right")
        pair = properties.changed(pair, ("walls", 0), ("kind",), glues)
        assert type(pair.walls[0]) is WALLS[glues]
