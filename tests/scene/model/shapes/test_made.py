"""Ready-made objects keep what their numbers say, and their knobs stay under the pointer."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from wavelab.errors import SceneError
from wavelab.scene.model.item_error import ItemError
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import (
    Lens,
    Mirror,
    Prism,
    Rectangle,
    Screen,
    area_of,
    smooth_outline,
    smooth_rings,
)
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.walls import OpenWall

angles = st.floats(-180, 180)
lengths = st.floats(0.1, 3)


def traced(lens: Lens, height: float) -> float:
    """Where a ray of this height along the axis crosses it behind the lens, by Snell's law at both
    faces, from the middle of the lens."""
    back, front = lens.arcs()["back"], lens.arcs()["front"]
    at, way, index = np.array([-10.0, height]), np.array([1.0, 0.0]), lens.index
    for arc, ratio in ((front, 1 / index), (back, index)):
        away = at - arc.center
        along = float(way @ away)
        root = math.sqrt(along**2 - float(away @ away) + arc.radii[0] ** 2)
        near = arc.center[0] > 0  # the face is to the left of its centre
        at = at + (-along - root if near else -along + root) * way
        normal = (at - arc.center) / arc.radii[0]
        normal = -normal if normal @ way > 0 else normal
        cosine = -float(normal @ way)
        sine = ratio**2 * (1 - cosine**2)
        way = ratio * way + (ratio * cosine - math.sqrt(1 - sine)) * normal
    return float(at[0] - at[1] * way[0] / way[1])


@pytest.mark.parametrize("focal_length", [2.0, 0.9, -1.5])
@pytest.mark.parametrize("index", [1.3, 1.5, 2.0])
def test_a_ray_near_the_axis_of_a_lens_meets_it_in_the_focus(focal_length, index):
    lens = Lens((0, 0), focal_length, 0.8, index, 0.02)
    # From the principal plane, which for a lens so thin is within its thickness.
    (x0, _), (x1, _) = lens.bounds()
    assert traced(lens, 1e-4) == pytest.approx(focal_length, abs=(x1 - x0) / 2)
    thin = Lens((0, 0), focal_length, 0.08, index, 1e-4)
    assert traced(thin, 1e-4) == pytest.approx(focal_length, rel=2e-3)
    # Its two faces are alike.
    assert smooth_outline(lens)[0].mean(axis=0) == pytest.approx((0, 0), abs=1e-2)


@given(lengths, lengths, angles)
def test_the_face_of_a_mirror_is_as_far_from_the_focus_as_from_the_directrix(focal, part, angle):
    mirror = Mirror((0.3, -0.2), focal, 2 * part * focal, angle=angle)
    ring, names = smooth_outline(mirror)
    face = np.array([p for p, name in zip(ring, names, strict=True) if name == "front"])
    axis = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    away = np.linalg.norm(face - mirror.center - focal * axis, axis=1)
    assert away == pytest.approx((face - mirror.center) @ axis + focal, rel=1e-5)
    # It reaches from rim to rim; the last point of the face begins the rim.
    across = (face - mirror.center) @ (-axis[1], axis[0])
    assert across[0] == pytest.approx(-part * focal, rel=1e-9)


@given(st.integers(1, 12), lengths, st.floats(0.05, 0.9), angles)
def test_a_screen_covers_what_its_slits_leave_open(slits, separation, part, angle):
    width, length = part * separation, (slits + 1) * separation
    screen = Screen((1, 2), length, width, slits, separation, 0.1, angle=angle)
    assert area_of(screen).area == pytest.approx(0.1 * (length - slits * width))
    assert len(smooth_rings(screen)) == slits + 1
    assert area_of(screen).centroid.coords[0] == pytest.approx((1, 2))


@given(lengths, st.floats(6, 160), angles)
def test_a_prism_has_two_equal_sides_and_its_apex(side, apex, angle):
    base, right, left = smooth_outline(Prism((1, 1), side, apex, angle=angle))[0]
    assert math.dist(right, left) == pytest.approx(side)
    assert math.dist(base, left) == pytest.approx(side)
    one, other = base - left, right - left
    cosine = float(one @ other) / side**2
    assert math.degrees(math.acos(cosine)) == pytest.approx(apex, abs=1e-4)


OBJECTS = [
    Screen((0.2, 0.1), 3.0, 0.3, 3, 0.7, angle=20),
    Screen((0.2, 0.1), 3.0, 0.3),
    Lens((0.2, 0.1), 1.0, 0.8, angle=-70),
    Lens((0.2, 0.1), -1.0, 0.8),
    Mirror((0.2, 0.1), 0.6, 1.5, angle=130),
    Prism((0.2, 0.1), 1.0, 50, angle=10),
]


@settings(max_examples=40)
@given(st.sampled_from(OBJECTS), st.integers(0, 3), st.floats(0.9, 1.25))
def test_a_knob_goes_where_it_is_dragged_and_nothing_else_changes_its_place(shape, number, grow):
    knobs = shape.knobs()
    assume(number < len(knobs))
    turning = number == len(knobs) - 1
    x, y = (c + grow * (k - c) for c, k in zip(shape.center, knobs[number], strict=True))
    changed, words = shape.with_knob(number, (x, y), False)
    assert words
    assert changed.center == shape.center
    if turning:  # straight outwards: it stays as it is
        assert changed == shape
        return
    moved = changed.knobs()[number]
    if isinstance(shape, Mirror) and number == 1:  # the rim runs along the parabola
        assert changed.aperture == pytest.approx(shape.aperture * grow, rel=0.3)
    elif isinstance(shape, Prism) and number == 1:  # the base stays where it is
        assert changed.knobs()[0] == pytest.approx(knobs[0], abs=1e-3)
        assert (changed.apex > shape.apex) == (grow > 1) or abs(grow - 1) < 1e-2
    else:
        assert moved == pytest.approx((x, y), abs=1e-3)


@pytest.mark.parametrize("shape", OBJECTS)
def test_the_last_knob_turns_by_whole_degrees_or_by_15(shape):
    x, y = (k - c for c, k in zip(shape.center, shape.knobs()[-1], strict=True))
    turned = (shape.center[0] - y, shape.center[1] + x)  # by a right angle
    changed, _ = shape.with_knob(len(shape.knobs()) - 1, turned, False)
    assert (changed.angle - shape.angle) % 360 == pytest.approx(90)
    steps, _ = shape.with_knob(len(shape.knobs()) - 1, turned, True)
    assert steps.angle % 15 == 0
    assert area_of(changed).area == pytest.approx(area_of(shape).area)


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        (Screen((0, 0), 1, 0.3, 2, 0.2), "only 0.2 apart"),
        (Screen((0, 0), 1, 0.3, 4, 0.4), "take 1.5 of a screen"),
        (Screen((0, 0), 1, 0.3, 0), "slits of it is 0"),
        (Screen((0, 0), 1, 0), "width of it is 0"),
        (Lens((0, 0), 0.2, 2), "no faces of that width"),
        (Lens((0, 0), 0, 2), "focal length of it is 0"),
        (Lens((0, 0), 1, 1, 1.0), "index 1"),
        (Mirror((0, 0), 0.1, 2), "aperture of it is 2"),
        (Prism((0, 0), 1, 175), "175 degrees"),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy_and_can_still_be_drawn(shape, says):
    with pytest.raises(ItemError, match=says) as caught:
        shape.check(("holes", 0), "it")
    assert caught.value.remedy
    assert np.isfinite(smooth_outline(shape)[0]).all()


def test_a_screen_with_slits_is_an_obstacle_and_nothing_else():
    box, screen = Rectangle((-2, -2), (2, 2)), Screen((0, 0), 2, 0.3)
    scene = Scene("", Solver(), outline=box, holes=(Hole("slit", screen),))
    assert check_scene(scene) is scene
    for wrong in (
        replace(scene, outline=screen, holes=()),
        replace(scene, materials=(MaterialRegion("it", Material(2.0), screen),)),
    ):
        with pytest.raises(SceneError, match="in several pieces"):
            check_scene(wrong)


@pytest.mark.parametrize("shape", [Lens((0, 0), 2.0, 1.0), Mirror((0, 0), 0.5, 1.2)])
def test_a_layer_cannot_follow_the_faces_of_a_lens_or_a_mirror(shape):
    scene = Scene("", Solver(), outline=shape, walls=(OpenWall(("domain",)),))
    with pytest.raises(SceneError, match=r'"domain\.back" is an arc'):
        check_scene(scene)


def test_the_corners_of_its_parts_attract_what_is_measured():
    corners = Screen((1, 2), 2.0, 0.4, thickness=0.1).attracting()
    expected = {(1 + x, 2 + y) for x in (-0.05, 0.05) for y in (-1, -0.2, 0.2, 1)}
    assert {(round(x, 9), round(y, 9)) for x, y in corners} == expected


@settings(max_examples=60)
@given(
    st.sampled_from(OBJECTS),
    st.lists(st.tuples(st.integers(0, 3), st.floats(-4, 4), st.floats(-4, 4)), max_size=5),
)
def test_whatever_a_hand_makes_of_it_can_be_drawn(shape, drags):
    for number, x, y in drags:
        if number < len(shape.knobs()):
            shape, words = shape.with_knob(number, (x, y), False)
            assert words
    shape, _ = shape.with_knob(0, shape.center, False)
    for ring, names in smooth_rings(shape):
        assert np.isfinite(ring).all()
        assert len(ring) == len(names)
    assert math.isfinite(area_of(shape).area)
    assert len(shape.knob_meanings()) == len(shape.knobs())
