"""Elastic waves through solids whose density and speeds are formulas."""

from __future__ import annotations

import math

from wavelab.scene.model.scene import Scene
from wavelab.simulation.verification.elastic.media import SIDES, TOP_AND_BOTTOM, Medium, stated
from wavelab.simulation.verification.scenes import rectangle

#: Of P waves, along the way: its mean, and how far it goes up and down.
_SLOWNESS, _SWING = 1.0, 0.4


def graded_waves(kx: int, ky: int, *, shear: bool = True) -> Scene:
    """A P wave along (kx, ky), and an S wave the other way, in a box that repeats; the medium
    changes along their way as 1 / (1 + 0.4 cos(2 pi (kx x + ky y))).

    Density times speed is the same everywhere, so nothing comes back however it changes: v =
    f(t - integral of 1 / speed), and the traction is -density speed v.

    Parameters
    ----------
    shear : whether there is the S wave, too.
    """
    size = math.hypot(kx, ky)
    phase = f"({kx}*x + {ky}*y)"
    slow = f"({_SLOWNESS} + {_SWING}*cos(2*pi*{phase}))"
    # From one edge to the other the box has a period of phase 1.
    late = f"({_SLOWNESS}*{phase} + {_SWING / (2 * math.pi)!r}*sin(2*pi*{phase}))"
    # Where the slowness is 1; elsewhere density times speed, and speeds over each other, are these.
    solid = Medium(1.3, 1.0, 0.55)
    total: dict[str, list[str]] = {name: [] for name in ("vx", "vy", "sxx", "syy", "sxy")}
    waves = [(1, solid.p_speed, False)] + ([(-1, solid.s_speed, True)] if shear else [])
    for sign, speed, of_shear in waves:
        nx, ny = sign * kx / size, sign * ky / size
        frequency = 2 * math.pi * size * speed / _SLOWNESS
        wave = f"sin({frequency!r}*T - {sign * 2 * math.pi / _SLOWNESS!r}*{late})"
        for name, value in solid.plane_wave(nx, ny, shear=of_shear).items():
            total[name].append(f"{value!r}*{wave}")
    return rectangle(
        f"""
        [background]
        density = "{solid.density!r}*{slow}"
        p_speed = "{solid.p_speed!r}/{slow}"
        s_speed = "{solid.s_speed!r}/{slow}"
        {SIDES}{TOP_AND_BOTTOM}
        {stated({name: " + ".join(terms) for name, terms in total.items()})}
        """,
        physics="elastic",
        size=0.1 / size,
        until=0.2,
    )
