"""What an edit may not take to where it has no place, and whose place it may not take away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wavelab.paths import SCENES
from wavelab.scene.editing.misplaced import (
    MisplacedError,
    check_places,
    label,
    troubles,
    without_lost,
)
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Hole, Probe, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Rectangle
from wavelab.scene.monitors import (
    EnergyMonitor,
    FarFieldMonitor,
    FieldMonitor,
    FluxMonitor,
    LineMonitor,
)
from wavelab.scene.sources import (
    ArraySource,
    LineSource,
    MovingSource,
    PlaneWave,
    PointSource,
    RegionSource,
)
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.waveforms import Sine

SINE = Sine(2.0)
POST = Hole("post", Rectangle((0.6, 0.6), (0.8, 0.8)))
BOX = Scene("box", Solver(0.1, 2), outline=Rectangle((0, 0), (1, 1)), holes=(POST,))


def box(x: float, y: float, half: float) -> Rectangle:
    return Rectangle((x - half, y - half), (x + half, y + half))


def moving(x: str, y: str) -> MovingSource:
    return MovingSource("m", Formula.parse(x, ("t",)), Formula.parse(y, ("t",)), 0.05, 1.0, SINE)


def point(x: float, y: float) -> PointSource:
    return PointSource("p", (x, y), 0.05, 1.0, SINE)


def line(*ends) -> LineSource:
    return LineSource("l", *ends, 0.05, 1.0, SINE)


def row(*ends) -> ArraySource:
    return ArraySource("r", *ends, 3, 0.05, 1.0, SINE)


OUTSIDE, BURIED = "lie outside the domain", "lie in an obstacle"
#: Items, and what is said of them.
ITEMS = [
    (Probe("e", (0.5, 0.5)), None),
    (Probe("e", (1.0, 0.5)), None),  # on the border
    (Probe("e", (0.6, 0.7)), None),
    (Probe("e", (0.7, 0.7)), BURIED),
    (Probe("e", (1.1, 0.5)), OUTSIDE),
    (point(0.5, 0.5), None),
    (point(0.7, 0.7), BURIED),
    (point(0.5, -0.1), OUTSIDE),
    (line((0.1, 0.1), (0.9, 0.1)), None),
    (line((0.5, 0.7), (0.9, 0.7)), None),  # across an obstacle
    (line((0.1, 0.1), (1.1, 0.1)), OUTSIDE),
    (line((0.7, 0.7), (0.9, 0.7)), BURIED),
    (row((0.1, 0.1), (0.9, 0.1)), None),
    (row((0.5, 0.7), (0.9, 0.7)), BURIED),  # its middle
    (row((0.1, 0.1), (1.9, 0.1)), OUTSIDE),
    (RegionSource("g", box(0.7, 0.7, 0.05), 1.0, SINE), BURIED),
    (RegionSource("g", box(0.7, 0.7, 0.15), 1.0, SINE), None),
    (RegionSource("g", box(1.1, 0.7, 0.15), 1.0, SINE), None),
    (RegionSource("g", box(2.1, 0.7, 0.15), 1.0, SINE), OUTSIDE),
    (PlaneWave("w", 0.0, 1.0, SINE, shape=box(0.7, 0.7, 0.2)), None),
    (PlaneWave("w", 0.0, 1.0, SINE, shape=box(3, 0.7, 0.2)), OUTSIDE),
    (PlaneWave("w", 0.0, 1.0, SINE, edges=("domain.left",)), None),
    (moving("-1 + 3*t", "0.5"), None),  # comes in
    (moving("-1 - t", "0.5"), OUTSIDE),
    (moving("0.7", "0.7"), BURIED),
    (moving("0.7 + t", "0.7"), None),
    (LineMonitor("n", ((0.1, 0.5), (0.9, 0.5))), None),
    (LineMonitor("n", ((0.1, 0.7), (0.9, 0.7))), "leave the domain"),
    (FluxMonitor("n", ((0.1, 0.7), (1.9, 0.7))), None),
    (FluxMonitor("n", ((0.65, 0.7), (0.75, 0.7))), BURIED),
    (FarFieldMonitor("f", box(0.7, 0.7, 0.2), (2.0,)), None),
    (FarFieldMonitor("f", box(0.6, 0.7, 0.1), (2.0,)), "have a contour that leaves the domain"),
    (EnergyMonitor("e", box(0.7, 0.7, 0.05)), BURIED),
    (EnergyMonitor("e", box(0.7, 0.7, 0.5)), None),
    (FieldMonitor("a", (2.0,)), None),
]


def kind_of(item) -> str:
    if isinstance(item, Probe):
        return "probes"
    return "monitors" if type(item).__name__.endswith("Monitor") else "sources"


@pytest.mark.parametrize(("item", "text"), ITEMS)
def test_what_has_no_place_is_not_placed_and_not_built_over(item, text):
    assert [t.text for t in troubles(BOX, item)][:1] == ([text] if text else [])
    kind = kind_of(item)
    after = replace(BOX, **{kind: (item,)})
    if text is None:
        check_places(BOX, after)
    else:
        with pytest.raises(MisplacedError, match=text):
            check_places(BOX, after)
    # What was so before is no fault of an edit.
    check_places(after, replace(after, title="other", solver=Solver(0.2)))
    check_places(after, replace(after, **{kind: (replace(item, name="renamed"),)}))
    # Nor is it repaired by another obstacle; all that is there loses its place by a large one.
    if text is None and troubles(replace(BOX, outline=box(5, 5, 1)), item):
        for new in (
            replace(after, holes=(Hole("wall", box(0.5, 0.5, 3)),)),
            replace(after, outline=box(5, 5, 1)),
        ):
            what = "obstacle wall would cover" if new.outline == BOX.outline else "would leave out"
            with pytest.raises(MisplacedError, match=rf"{what} .*{item.name}"):
                check_places(after, new)
            assert getattr(without_lost(after, new), kind) == ()


def test_an_edit_that_mends_half_of_it_is_none_to_refuse():
    out = replace(BOX, sources=(line((-0.1, 0.1), (1.1, 0.1)),))
    check_places(out, replace(out, sources=(line((0.1, 0.1), (1.1, 0.1)),)))
    with pytest.raises(MisplacedError, match=OUTSIDE):
        check_places(out, replace(out, sources=(line((-0.1, 0.1), (1.2, 0.1)),)))


def test_an_obstacle_over_one_end_of_a_line_leaves_the_rest_of_it():
    lined = replace(BOX, sources=(line((0.1, 0.1), (0.9, 0.1)),))
    over = replace(lined, holes=(POST, Hole("cap", box(0.9, 0.1, 0.05))))
    check_places(lined, over)
    assert without_lost(lined, over) == over


def test_mesh_files_have_the_last_word():
    scene = replace(BOX, outline=None, holes=(), mesh_file=None)
    assert troubles(scene, Probe("e", (9, 9))) == ()


def test_round_obstacles_hold_what_their_boxes_hold_not():
    disk = replace(BOX, holes=(Hole("disk", Ellipse((0.5, 0.5), (0.2, 0.2))),))
    assert troubles(disk, point(0.5, 0.31)) != ()
    assert troubles(disk, point(0.33, 0.33)) == ()


@pytest.mark.parametrize("path", sorted(SCENES.glob("*.toml")), ids=lambda path: path.stem)
def test_in_shipped_scenes_all_has_its_place(path):
    scene = load_scene(path)
    for kind in ("sources", "probes", "monitors"):
        for item in getattr(scene, kind):
            assert not [t for t in troubles(scene, item) if not t.partial], label(kind, item)
