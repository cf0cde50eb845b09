"""Rules for scenes that were built in the window rather than read from a file."""

from __future__ import annotations

import math
import operator
import pickle
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.scene.strategies import scenes
from wavelab.errors import SceneError
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.item_error import ItemError, ItemPath
from wavelab.scene.model.scene import (
    FieldFormulas,
    Hole,
    Material,
    MaterialRegion,
    Probe,
    Scene,
    Solver,
)
from wavelab.scene.model.shapes import Ellipse, Polygon, Rectangle
from wavelab.scene.poles import Debye, Drude, Lorentz
from wavelab.scene.rules.validate import check_scene
from wavelab.scene.sources import PointSource
from wavelab.scene.toml.toml_reader import scene_from
from wavelab.scene.walls import Conductor, OpenWall, PeriodicWall
from wavelab.scene.waveforms import Ricker

SQUARE = Scene("Square", Solver(0.1))


@settings(max_examples=30, deadline=None)
@given(scenes())
def test_good_scenes_come_back_as_they_are(scene: Scene) -> None:
    assert check_scene(scene) is scene


HERE = Path(__file__).parents[1]
EVERYTHING = (HERE / "everything.toml").read_text(encoding="utf-8")
EVERYTHING = EVERYTHING.replace("waveforms/swell.csv", f"{HERE.as_posix()}/waveforms/swell.csv")
#: Spoilt in some way, by what they stand in place of.
NUMBERS = (math.nan, math.inf, 1e300, -1e300, 1.7e308, 1e-300, -5e-324, 10**30, 10**400, True)
TEXTS = ("", "\0", "\x1b[2J", "\u202eevil", "a" * 3000, "1/0", "exp(1000*t)", "t", "domain", 7)


def spoilt(node: Any, at: ItemPath = ()) -> Iterator[tuple[ItemPath, Any]]:
    """Every key of a table or array with values that it may not have."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in pairs:
        if isinstance(value, dict | list):
            yield from spoilt(value, (*at, key))
            yield from (((*at, key), other) for other in ([], {}, [math.nan] * 2, [{}]))
        else:
            others = TEXTS if isinstance(value, str) else NUMBERS
            yield from (((*at, key), other) for other in others)


def test_whatever_stands_in_a_scene_it_is_usable_or_named() -> None:
    """Numbers that are allowed can be squared, so nothing overflows later."""
    content = tomllib.loads(EVERYTHING)
    check_scene(scene_from(content, None))
    errors: list[ItemError] = []
    # All would take long; of every kind of value and of key there are some.
    for item, value in list(spoilt(content))[::7]:
        *way, key = item
        holder = reduce(operator.getitem, way, content)
        before, holder[key] = holder[key], value
        try:
            check_scene(scene_from(content, None))
            assert not isinstance(value, float), (item, value)
        except ItemError as error:
            errors.append(error)
        finally:
            holder[key] = before
    assert len(errors) > 150
    for error in errors:
        assert not error.item or error.item[0] in content
        assert all(c.isprintable() or c == "\n" for c in str(error))
        assert len(str(error)) < 5000


def test_a_side_that_is_overridden_needs_no_room() -> None:
    walls = (OpenWall(("domain",), thickness=0.6), Conductor(("domain.left", "domain.top")))
    assert check_scene(replace(SQUARE, walls=walls))


def test_a_scene_needs_exactly_one_kind_of_domain() -> None:
    with pytest.raises(SceneError, match="no shape"):
        check_scene(replace(SQUARE, outline=None))


@pytest.mark.parametrize(
    ("change", "item"),
    [
        ({"outline": Rectangle((0.0, 0.0), (math.nan, 1.0))}, ("domain", "upper", 0)),
        ({"outline": Polygon(((0.0, 0.0), (math.inf, 1.0)))}, ("domain", "vertices", 1, 0)),
        ({"outline": Polygon(((0.0, 0.0), (1.0, 1.0)))}, ("domain", "vertices")),
        ({"outline": Polygon(())}, ("domain", "vertices")),
        ({"holes": (Hole("a", Ellipse((0.5, 0.5), (0.1, -0.1))),)}, ("holes", 0, "radii")),
        (
            {"materials": (MaterialRegion("a", Material(mu=0.0), Ellipse((0, 0), (1, 1))),)},
            ("materials", 0, "mu"),
        ),
        (
            {
                "materials": (
                    MaterialRegion("a", Material(sigma=math.nan), Ellipse((0, 0), (1, 1))),
                )
            },
            ("materials", 0, "sigma"),
        ),
        ({"background": Material(epsilon=0.0)}, ("background", "epsilon")),
        (
            {"background": Material(poles=(Drude(1.0), Debye(0.0, 1.0)))},
            ("background", "poles", 1, "strength"),
        ),
        (
            {"background": Material(poles=(Lorentz(1.0, 2.0, -0.1),))},
            ("background", "poles", 0, "damping"),
        ),
        (
            {"background": Material(magnetic_poles=(Drude(1.0), Debye(1.0, 0.0)))},
            ("background", "magnetic_poles", 1, "relaxation"),
        ),
        ({"background": Material(magnetic_sigma=-0.1)}, ("background", "magnetic_sigma")),
        ({"background": Material(mu_axes=(1.0, 0.0))}, ("background", "mu_axes", 1)),
        ({"background": Material(mu=2.0, mu_axes=(1.0, 2.0))}, ("background", "mu_axes")),
        ({"background": Material(mu_angle=30.0)}, ("background", "mu_angle")),
        ({"walls": (OpenWall(("domain",), thickness=-0.1),)}, ("walls", 0, "thickness")),
        ({"walls": (OpenWall(("domain",), thickness=0.5),)}, ("walls", 0, "thickness")),
        ({"walls": (OpenWall(("domain.top",), thickness=1.0),)}, ("walls", 0, "thickness")),
        (
            {
                "outline": Ellipse((0.0, 0.0), (2.0, 1.0)),
                "walls": (OpenWall(("domain",), thickness=0.5),),
            },
            ("walls", 0, "thickness"),
        ),
        (
            {
                "holes": (Hole("a", Ellipse((0.5, 0.5), (0.1, 0.1))),),
                "walls": (OpenWall(("a",)),),
            },
            ("walls", 0, "edges"),
        ),
        ({"walls": (Conductor(("domain.rim",)),)}, ("walls", 0, "edges")),
        (
            {"sources": (PointSource("a", (0.5, 0.5), 0.1, math.inf, Ricker(1.0, 1.0)),)},
            ("sources", 0, "amplitude"),
        ),
        (
            {"sources": (PointSource("a", (0.5, 0.5), 0.1, 1.0, Ricker(-1.0, 1.0)),)},
            ("sources", 0, "waveform", "frequency"),
        ),
        ({"probes": (Probe("a", (0.1, 0.1)), Probe("a", (0.2, 0.1)))}, ("probes", 1, "name")),
        (
            {"initial": FieldFormulas(ez=Formula.parse("t", ("x", "y", "t")))},
            ("initial", "ez"),
        ),
        ({"solver": Solver(0.1, precision="half")}, ("solver", "precision")),
        (
            {"sources": (PointSource("a", (0.5, 0.5), 1e200, 1.0, Ricker(1.0, 1.0)),)},
            ("sources", 0, "radius"),
        ),
        (
            {"sources": (PointSource("a", (0.5, 0.5), 1e-200, 1.0, Ricker(1.0, 1.0)),)},
            ("sources", 0, "radius"),
        ),
        ({"solver": Solver(1e-300)}, ("solver", "element_size")),
        ({"solver": Solver(1e300)}, ("solver", "element_size")),
        ({"solver": Solver(0.1, stepper="rk4")}, ("solver", "stepper")),
        ({"title": "\ud800"}, ("title",)),
        ({"holes": (Hole("slit", Ellipse((0.5, 0.5), (1e-5, 0.4))),)}, ("holes", 0, "radii")),
    ],
)
def test_item_is_named(change: dict, item: tuple) -> None:
    with pytest.raises(ItemError) as caught:
        check_scene(replace(SQUARE, **change))
    assert caught.value.item == item
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("outline", "edges", "fits"),
    [
        (Rectangle((0.0, 0.0), (1.0, 2.0)), ("domain.top", "domain.bottom"), True),
        (Rectangle((0.0, 0.0), (1.0, 2.0)), ("domain.top", "domain.left"), False),
        (Polygon(((0, 0), (2, 0), (3, 1), (1, 1))), ("domain.0", "domain.2"), True),
        (Polygon(((1, 1), (3, 1), (2, 0), (0, 0))), ("domain.1", "domain.3"), True),
        (Polygon(((0, 0), (2, 0), (2.5, 1), (1, 1))), ("domain.0", "domain.2"), False),
        (Polygon(((0, 0), (2, 0), (2, 1), (0, 1.1))), ("domain.1", "domain.3"), False),
        (Rectangle((0.0, 0.0), (1.0, 1.0)), ("domain.left", "domain.bottom"), True),
        (Polygon(((0, 0), (1, 0), (0.6, 0.8))), ("domain.0", "domain.2"), True),
    ],
)
def test_periodic_edges_must_fit(outline, edges: tuple[str, str], fits: bool) -> None:
    scene = replace(SQUARE, outline=outline, walls=(PeriodicWall(edges),))
    if fits:
        assert check_scene(scene) is scene
    else:
        with pytest.raises(SceneError, match=r"is .* long and"):
            check_scene(scene)


def test_a_hole_may_be_glued_to_the_side_it_faces() -> None:
    hole = Hole("step", Rectangle((0.4, 0.0), (0.6, 1.0)))
    walls = (PeriodicWall(("domain.left", "step.left")),)
    assert check_scene(replace(SQUARE, holes=(hole,), walls=walls))
