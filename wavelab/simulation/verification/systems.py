"""Exact waves of sound, water, membranes and TE light, in the words of their scene files."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from wavelab.physics.operator.fields import Fields
from wavelab.scene.formulas.bessel import besselj
from wavelab.scene.model.scene import Scene
from wavelab.scene.toml.toml_io import parse_scene
from wavelab.simulation.verification.case import Measure
from wavelab.simulation.verification.convergence import converging
from wavelab.simulation.verification.round_waves import Layer, RoundMode, disk_mode, root, slope
from wavelab.simulation.verification.scenes import rectangle

#: w of modes with 2 and 3 half waves, over the speed.
_W = "(pi*sqrt(13))"
#: Zeros of J1, the first and the third.
_SHORES = (3.8317059702075125, 10.173468135062722)


def te_box() -> Scene:
    """A mode between conductors, along which E is 0: Hz has its crests there."""
    return rectangle(
        f"""
        [background]
        epsilon = 2
        [initial]
        hz = "cos(2*pi*x)*cos(3*pi*y)"
        [exact]
        hz = "cos(2*pi*x)*cos(3*pi*y)*cos({_W}*t/sqrt(2))"
        ex = "-3*pi*cos(2*pi*x)*sin(3*pi*y)*sin({_W}*t/sqrt(2))/({_W}*sqrt(2))"
        ey = "2*pi*sin(2*pi*x)*cos(3*pi*y)*sin({_W}*t/sqrt(2))/({_W}*sqrt(2))"
        """,
        physics="te",
        size=0.1,
        until=0.6,
    )


def brewster() -> Measure:
    """A wave that goes from vacuum into glass of index 2, and out of it, at Brewster's angle: both
    borders of a room without walls return nothing.

    With k = (pi, 2 pi) outside and (4 pi, 2 pi) inside, w^2 = 5 pi^2 = (4 pi^2 + 16 pi^2) / 4.
    """

    def exact(points: Any, t: float) -> Fields:
        x, y = points.x, points.y
        omega = np.pi * np.sqrt(5)
        glass = (x.mean(axis=1) > 0)[:, None]
        phase = np.where(glass, 4 * np.pi * x, np.pi * x) + 2 * np.pi * y - omega * t
        hz = np.cos(phase)
        # v = k p / (w epsilon), of which the part into the glass is pi / w on both sides of its
        # border; (Hx, Hy) of the solver is (v_y, -v_x).
        across = np.where(glass, np.pi / 2, 2 * np.pi)
        return Fields(across * hz / omega, -np.pi * hz / omega, hz)

    return converging(
        lambda: rectangle(
            """
            [[materials]]
            epsilon = 4
            shape = "rectangle"
            lower = [0, 0]
            upper = [1, 1]
            [[walls]]
            edges = ["domain.left", "domain.right"]
            kind = "periodic"
            [[walls]]
            edges = ["domain.bottom", "domain.top"]
            kind = "periodic"
            """,
            physics="te",
            size=0.09,
            until=0.5,
            lower=(-2, 0),
            upper=(1, 1),
        ),
        exact=exact,
    )


def rigid_box() -> Scene:
    """A mode of sound in a rigid room, of a fluid of its own."""
    return rectangle(
        f"""
        [background]
        density = 1.3
        speed = 1.5
        [initial]
        pressure = "cos(2*pi*x)*cos(3*pi*y)"
        [exact]
        pressure = "cos(2*pi*x)*cos(3*pi*y)*cos(1.5*{_W}*t)"
        vx = "2*pi*sin(2*pi*x)*cos(3*pi*y)*sin(1.5*{_W}*t)/(1.95*{_W})"
        vy = "3*pi*cos(2*pi*x)*sin(3*pi*y)*sin(1.5*{_W}*t)/(1.95*{_W})"
        """,
        physics="sound",
        size=0.1,
        until=0.4,
    )


def disk(physics: str) -> Measure:
    """A mode of a disk whose rim is that of the system: rigid, where J1' is 0, or clamped."""

    @cache
    def mode() -> RoundMode:
        if physics == "membrane":
            return disk_mode(1, 3.0, 4.5)
        k = root(lambda k: float(slope(besselj, 1, np.array(k))), 5.0, 6.0)
        return RoundMode(1, k, (Layer(np.inf, 1.0, 1.0, 0.0),))

    return converging(
        lambda: parse_scene(f"""
            title = "Disk"
            physics = "{physics}"
            [domain]
            shape = "ellipse"
            center = [0, 0]
            radii = [1, 1]
            [solver]
            element_size = 0.2
            until = 0.3
        """),
        exact=lambda points, time: mode().fields(points, time),
    )


def _step(physics: str, medium: str, names: tuple[str, str], speed: float, z: float) -> Scene:
    """A pulse that meets another medium at x = 0.75 at right angles.

    Parameters
    ----------
    names : of scalar and x component.
    speed, z : of the other medium, and its impedance over that of the first, which are 1.
    """
    back, on = (z - 1) / (z + 1), 2 * z / (z + 1)
    pulse, mirrored, passed = (
        f"exp(-(({way})/0.08)^2)"
        for way in ("x - 0.35 - t", "1.15 - x - t", f"0.4 + (x - 0.75)/{speed!r} - t")
    )
    scalar, along = names
    return rectangle(
        f"""
        [[materials]]
        {medium}
        shape = "rectangle"
        lower = [0.75, 0]
        upper = [1.5, 0.3]
        [[walls]]
        edges = ["domain.left", "domain.right"]
        kind = "absorbing"
        [initial]
        {scalar} = "exp(-((x - 0.35)/0.08)^2)"
        {along} = "exp(-((x - 0.35)/0.08)^2)"
        [exact]
        {scalar} = "{pulse} + {back!r}*{mirrored} if x < 0.75 else {on!r}*{passed}"
        {along} = "{pulse} - {back!r}*{mirrored} if x < 0.75 else {on / z!r}*{passed}"
        """,
        physics=physics,
        size=0.035,
        until=0.6,
        upper=(1.5, 0.3),
    )


def denser_fluid() -> Scene:
    """Of sound 7/17 comes back from a fluid with 2.4 times the impedance."""
    return _step("sound", "density = 3\nspeed = 0.8", ("pressure", "vx"), 0.8, 2.4)


def depth_step() -> Scene:
    """Of a wave on water (sqrt h1 - sqrt h2) / (sqrt h1 + sqrt h2) comes back from a step."""
    return _step("water", "depth = 0.36", ("elevation", "qx"), 0.6, 1 / 0.6)


def sloping_bottom() -> Scene:
    """A standing wave J0(2 w sqrt x) on water as deep as x, between shores where nothing flows
    (Lamb, Hydrodynamics, 186); far from x = 0 its height follows Green's law."""
    omega = 5.0
    left, right = ((zero / (2 * omega)) ** 2 for zero in _SHORES)
    way = f"{2 * omega!r}*sqrt(x)"
    return rectangle(
        f"""
        [background]
        depth = "x"
        [initial]
        elevation = "besselj(0, {way})"
        [exact]
        elevation = "besselj(0, {way})*cos({omega!r}*t)"
        qx = "sqrt(x)*besselj(1, {way})*sin({omega!r}*t)"
        """,
        physics="water",
        size=0.05,
        until=0.5,
        lower=(left, 0),
        upper=(right, 0.3),
    )


def clamped_box() -> Scene:
    """A membrane in a clamped frame that is let go: density 2, tension 0.72, and so speed 0.6."""
    return rectangle(
        f"""
        [background]
        density = 2
        tension = 0.72
        [initial]
        displacement = "sin(2*pi*x)*sin(3*pi*y)"
        [exact]
        displacement = "sin(2*pi*x)*sin(3*pi*y)*cos(0.6*{_W}*t)"
        velocity = "-0.6*{_W}*sin(2*pi*x)*sin(3*pi*y)*sin(0.6*{_W}*t)"
        sx = "0.72*2*pi*cos(2*pi*x)*sin(3*pi*y)*cos(0.6*{_W}*t)"
        sy = "0.72*3*pi*sin(2*pi*x)*cos(3*pi*y)*cos(0.6*{_W}*t)"
        """,
        physics="membrane",
        size=0.1,
        until=0.6,
    )
