"""The exact solutions stated in shipped scenes solve Maxwell's equations, walls included.

Derivatives are central differences of sixth order, which leave an error below 1e-7 here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from wavelab.paths import SCENES
from wavelab.scene.formulas.formula import Formula
from wavelab.scene.model.scene import Material, Scene, Wall
from wavelab.scene.model.shapes import Rectangle
from wavelab.scene.toml.toml_io import load_scene
from wavelab.scene.walls import Conductor, MagneticWall, PeriodicWall

EXACT = sorted(path for path in SCENES.glob("*.toml") if load_scene(path).exact is not None)
STEP = 4e-3
STENCIL = ((1, 45 / 60), (2, -9 / 60), (3, 1 / 60))

Array = NDArray[np.float64]
Derivable = Callable[..., Array]


def derivative(formula: Formula | Derivable, by: str, **point: Array) -> Array:
    value = formula.evaluate if isinstance(formula, Formula) else formula
    total = np.zeros_like(point["x"])
    for offset, weight in STENCIL:
        for sign in (1, -1):
            moved = {**point, by: point[by] + sign * offset * STEP}
            total += sign * weight / STEP * value(**moved)
    return total


def material_at(scene: Scene, **point: Array) -> tuple[Array, Array, Array]:
    """epsilon, mu, sigma; regions of these scenes are upright strips."""
    values = []
    for name in ("epsilon", "mu", "sigma"):
        value = at_points(getattr(scene.background, name), **point)
        for region in scene.materials:
            assert isinstance(region.shape, Rectangle)
            x = point["x"]
            inside = (x > region.shape.lower[0]) & (x < region.shape.upper[0])
            value[inside] = at_points(getattr(region.material, name), **point)[inside]
        values.append(value)
    return values[0], values[1], values[2]


def at_points(quantity: float | Formula, **point: Array) -> Array:
    if isinstance(quantity, Formula):
        return quantity.evaluate(**point)
    return np.full_like(point["x"], quantity)


def flux_density(scene: Scene, number: int, formula: Formula) -> Derivable:
    """D or B: epsilon (0) or mu (1) times a field."""
    return lambda **point: material_at(scene, **point)[number] * formula.evaluate(**point)


def points(scene: Scene, n: int = 400) -> dict[str, Array]:
    """Points inside, not so close to x = 1/2 that a difference reaches over the interface."""
    rng = np.random.default_rng(7)
    x, y, t = rng.uniform(0.02, 0.98, n), rng.uniform(0.02, 0.98, n), rng.uniform(0.1, 3, n)
    keep = np.abs(x - 0.5) > 4 * STEP
    return {"x": x[keep], "y": y[keep], "t": t[keep]}


@pytest.mark.parametrize("path", EXACT, ids=lambda path: path.stem)
def test_solves_the_equations(path: Path) -> None:
    scene = load_scene(path)
    exact = scene.exact
    assert exact is not None
    assert exact.hx is not None
    assert exact.hy is not None
    assert exact.ez is not None
    at = points(scene)
    sigma = material_at(scene, **at)[2]
    d, bx, by = (
        flux_density(scene, number, formula)
        for number, formula in ((0, exact.ez), (1, exact.hx), (1, exact.hy))
    )
    curl = derivative(exact.hy, "x", **at) - derivative(exact.hx, "y", **at)
    ez = exact.ez.evaluate(**at)
    residuals = {
        "hx": derivative(bx, "t", **at) + derivative(exact.ez, "y", **at),
        "hy": derivative(by, "t", **at) - derivative(exact.ez, "x", **at),
        "ez": derivative(d, "t", **at) - curl + sigma * ez,
    }
    for name, residual in residuals.items():
        assert np.abs(residual).max() < 2e-6, name
    assert np.abs(ez).max() > 0.3  # not the solution that is zero


@pytest.mark.parametrize("path", EXACT, ids=lambda path: path.stem)
def test_starts_from_the_initial_fields(path: Path) -> None:
    scene = load_scene(path)
    x, y = np.random.default_rng(3).uniform(0, 1, (2, 200))
    for name in ("hx", "hy", "ez"):
        start, exact = getattr(scene.initial, name), getattr(scene.exact, name)
        expected = 0.0 if start is None else start.evaluate(x=x, y=y)
        np.testing.assert_allclose(exact.evaluate(x=x, y=y, t=0.0), expected, atol=1e-14)


@pytest.mark.parametrize("path", EXACT, ids=lambda path: path.stem)
def test_keeps_its_walls(path: Path) -> None:
    scene = load_scene(path)
    exact = scene.exact
    s = np.linspace(0.01, 0.99, 50)
    t = 0.37
    sides = {
        "left": (0 * s, s),
        "right": (0 * s + 1, s),
        "bottom": (s, 0 * s),
        "top": (s, 0 * s + 1),
    }
    kinds: dict[str, type[Wall]] = dict.fromkeys(sides, Conductor)
    for wall in scene.walls:
        for edge in wall.edges:
            for side in sides if edge == "domain" else [edge.removeprefix("domain.")]:
                kinds[side] = type(wall)

    def value(name: str, side: str) -> Array:
        x, y = sides[side]
        return getattr(exact, name).evaluate(x=x, y=y, t=t)

    for side, kind in kinds.items():
        tangential = "hy" if side in ("left", "right") else "hx"
        if kind is Conductor:
            np.testing.assert_allclose(value("ez", side), 0, atol=1e-14)
        elif kind is MagneticWall:
            np.testing.assert_allclose(value(tangential, side), 0, atol=1e-14)
        else:
            assert kind is PeriodicWall
            opposite = {"left": "right", "right": "left", "bottom": "top", "top": "bottom"}[side]
            for name in ("hx", "hy", "ez"):
                np.testing.assert_allclose(value(name, side), value(name, opposite), atol=1e-13)


def test_half_dielectric_meets_at_the_interface() -> None:
    scene = load_scene(SCENES / "half_dielectric.toml")
    y, t = np.linspace(0, 1, 21), 0.7
    left, right = np.nextafter(0.5, 0), 0.5
    for name in ("ez", "hy", "hx"):  # mu is the same, so the normal H is continuous too
        formula = getattr(scene.exact, name)
        np.testing.assert_allclose(
            formula.evaluate(x=left, y=y, t=t), formula.evaluate(x=right, y=y, t=t), atol=1e-14
        )
    w = 2.624532818065193
    k, q = math.sqrt(math.pi**2 - w**2), math.sqrt(4 * w**2 - math.pi**2)
    assert k / math.tanh(k / 2) + q / math.tan(q / 2) == pytest.approx(0, abs=1e-13)
    for formula in (scene.exact.hx, scene.exact.hy, scene.exact.ez):
        assert repr(w) in formula.text
    assert repr(k) in scene.exact.hy.text
    assert repr(q) in scene.exact.hy.text
    assert scene.materials[0].material == Material(epsilon=4.0)
