"""Elastic waves in boxes that repeat or have slip walls, in the words of scene files."""

from __future__ import annotations

import math

from wavelab.scene.model.scene import Scene
from wavelab.simulation.verification.elastic.media import SIDES, TOP_AND_BOTTOM, Medium, stated
from wavelab.simulation.verification.scenes import rectangle


def plane_waves() -> Scene:
    """A P wave along (1, 2) and an S wave along (2, -1), in a box that repeats."""
    solid = Medium(1.3, 1.6, 0.9)
    total: dict[str, list[str]] = {name: [] for name in ("vx", "vy", "sxx", "syy", "sxy")}
    waves = (((1, 2), solid.p_speed, True), ((2, -1), solid.s_speed, False))
    for (kx, ky), speed, along in waves:
        size = math.hypot(kx, ky)
        nx, ny = kx / size, ky / size
        wave = f"sin(2*pi*({kx}*x + {ky}*y - {size * speed!r}*T))"
        for name, value in solid.plane_wave(nx, ny, shear=not along).items():
            total[name].append(f"{value!r}*{wave}")
    return rectangle(
        f"""
        [background]
        {solid.table}
        {SIDES}{TOP_AND_BOTTOM}
        {stated({name: " + ".join(terms) for name, terms in total.items()})}
        """,
        physics="elastic",
        size=0.1,
        until=0.3,
    )


_WIDTH, _DELAY = 0.2, 1.4
#: Of a P and of an S wave.
_DIRECTIONS = (25.0, -40.0)


def entering_waves() -> Scene:
    """A P and an S wave in and out through absorbing walls all round, at an angle."""
    solid = Medium(1.3, 1.6, 0.9)
    total: dict[str, list[str]] = {name: [] for name in ("vx", "vy", "sxx", "syy", "sxy")}
    sources = ""
    for wave, degrees, speed in zip("ps", _DIRECTIONS, (solid.p_speed, solid.s_speed), strict=True):
        sources += f"""
        [[sources]]
        name = "{wave}"
        kind = "body_wave"
        wave = "{wave}"
        direction = {degrees}
        amplitude = 1
        edges = ["domain"]
        waveform = {{ kind = "gaussian", width = {_WIDTH}, delay = {_DELAY} }}
        """
        nx, ny = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        # From the corner of the square where it is felt first.
        way = f"({nx!r}*x + {ny!r}*y - {min(nx, 0) + min(ny, 0)!r})"
        pulse = f"exp(-((t - {way}/{speed!r} - {_DELAY})/{_WIDTH})^2/2)"
        for name, value in solid.plane_wave(nx, ny, shear=wave == "s").items():
            total[name].append(f"{value!r}*{pulse}")
    exact = "\n".join(f'{name} = "{" + ".join(terms)}"' for name, terms in total.items())
    return rectangle(
        f"""
        [background]
        {solid.table}
        [[walls]]
        edges = ["domain"]
        kind = "absorbing"
        {sources}
        [exact]
        {exact}
        """,
        physics="elastic",
        size=0.07,
        until=1.9,
    )


def slip_box() -> Scene:
    """The mode of P waves between slip walls with the potential cos(2 pi x) cos(pi y), and one of S
    waves with sin(pi x) sin(2 pi y)."""
    solid = Medium(1.0, 1.5, 0.8)
    cp, cs, lame, mu = solid.p_speed, solid.s_speed, solid.lame, solid.mu
    a, b = 2 * math.pi, math.pi
    wp = cp * math.hypot(a, b)
    ws = cs * math.hypot(a, b)
    cc, ss = "cos(2*pi*x)*cos(pi*y)", "sin(2*pi*x)*sin(pi*y)"
    sc, cs_ = "sin(2*pi*x)*cos(pi*y)", "cos(2*pi*x)*sin(pi*y)"
    # v = grad (phi cos wp t) with s from the strain, and the curl of psi = sin(b x) sin(a y).
    p = {
        "vx": f"-{a!r}*{sc}*cos({wp!r}*T)",
        "vy": f"-{b!r}*{cs_}*cos({wp!r}*T)",
        "sxx": f"-({lame * (a * a + b * b) + 2 * mu * a * a!r})*{cc}*sin({wp!r}*T)/{wp!r}",
        "syy": f"-({lame * (a * a + b * b) + 2 * mu * b * b!r})*{cc}*sin({wp!r}*T)/{wp!r}",
        "sxy": f"{2 * mu * a * b!r}*{ss}*sin({wp!r}*T)/{wp!r}",
    }
    sx, cx, sy, cy = "sin(pi*x)", "cos(pi*x)", "sin(2*pi*y)", "cos(2*pi*y)"
    s = {
        "vx": f"{a!r}*{sx}*{cy}*cos({ws!r}*T)",
        "vy": f"-{b!r}*{cx}*{sy}*cos({ws!r}*T)",
        "sxx": f"{2 * mu * a * b!r}*{cx}*{cy}*sin({ws!r}*T)/{ws!r}",
        "syy": f"-{2 * mu * a * b!r}*{cx}*{cy}*sin({ws!r}*T)/{ws!r}",
        "sxy": f"{mu * (b * b - a * a)!r}*{sx}*{sy}*sin({ws!r}*T)/{ws!r}",
    }
    return rectangle(
        f"""
        [background]
        {solid.table}
        [[walls]]
        edges = ["domain"]
        kind = "slip"
        {stated({name: f"{p[name]} + {s[name]}" for name in p})}
        """,
        physics="elastic",
        size=0.1,
        until=0.3,
    )
