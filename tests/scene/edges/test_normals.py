"""The nearest edge and the normal there, of walls and of borders of materials."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wavelab.scene.edges.edge_lines import drawn_edges
from wavelab.scene.edges.normals import Normals
from wavelab.scene.model.scene import Hole, Material, MaterialRegion, Scene, Solver
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle, Repeated, Row

SCENE = Scene(
    "",
    Solver(),
    outline=Rectangle((0, 0), (10, 10)),
    holes=(Hole("wedge", Polygon(((6, 1), (9, 4), (9, 1)))),),
    materials=(MaterialRegion("disc", Material(2.0), Ellipse((4, 6), (2, 1), 30)),),
)
NORMALS = Normals.of(SCENE, drawn_edges(SCENE))


@pytest.mark.parametrize(
    ("point", "at", "normal", "away"),
    [
        ((1, 0.2), (1, 0), (0, 1), 0.2),
        ((7.4, 2.6), (7.5, 2.5), (1, -1), math.hypot(0.1, 0.1)),
        ((-3, 5), (0, 5), (1, 0), 3),
    ],
)
def test_the_nearest_wall(point, at, normal, away):
    foot = NORMALS.foot(*point)
    assert foot.at == pytest.approx(at)
    assert foot.away == pytest.approx(away)
    across = foot.normal[0] * normal[1] - foot.normal[1] * normal[0]
    assert across == pytest.approx(0)
    assert math.hypot(*foot.normal) == pytest.approx(1)


@given(st.floats(0, 360))
def test_the_normal_of_an_ellipse_is_that_of_the_curve_and_not_of_a_chord(angle):
    turn, t = math.radians(30), math.radians(angle)

    def turned(x: float, y: float) -> tuple[float, float]:
        return (
            math.cos(turn) * x - math.sin(turn) * y,
            math.sin(turn) * x + math.cos(turn) * y,
        )

    x, y = turned(2 * math.cos(t), math.sin(t))
    tangent = turned(-2 * math.sin(t), math.cos(t))
    foot = NORMALS.foot(4 + x, 6 + y)
    assert foot.away < 1e-3
    slip = foot.normal[0] * tangent[0] + foot.normal[1] * tangent[1]
    assert abs(slip) < 3e-3 * math.hypot(*tangent)


@pytest.mark.parametrize("kind", ["holes", "materials"])
@given(st.integers(0, 4), st.floats(0, 2 * math.pi))
def test_each_copy_of_a_circle_has_normals_of_its_own(kind, number, angle):
    row = Repeated(Ellipse((1, 1), (0.3, 0.3)), Row(5, (2.0, 1.0)))
    items = (Hole("c", row),) if kind == "holes" else (MaterialRegion("c", Material(2.0), row),)
    scene = Scene("", Solver(), outline=SCENE.outline, **{kind: items})
    x, y = math.cos(angle), math.sin(angle)
    foot = Normals.of(scene, drawn_edges(scene)).foot(
        1 + 2 * number + 0.3 * x, 1 + number + 0.3 * y
    )
    assert abs(foot.normal[0] * x + foot.normal[1] * y) == pytest.approx(1, abs=1e-4)


def test_no_edges_no_foot():
    assert Normals.of(Scene("", Solver(), outline=None), {}).foot(0, 0) is None
